"""Real shells complete commands, options, choices and paths with what `completion` prints."""

import shutil

import pytest
from fakes.command import reportgen, run_to_end

from reportgen.cli import COMMANDS

BASH = """\
source reportgen.bash
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
$(complete -p reportgen | sed 's/.*-F \\([^ ]*\\).*/\\1/') reportgen "${COMP_WORDS[COMP_CWORD]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
CASES = {
    "command": (("reportgen", "pl"), {"plan"}),
    "option": (("reportgen", "build", "--no-c"), {"--no-cache"}),
    "choice": (("reportgen", "build", "--engine", "la"), {"latex"}),
    "name of a list": (("reportgen", "build", "--format", "p"), {"pdf"}),
    "path": (("reportgen", "check", "report.m"), {"report.md"}),
    "path of an option": (("reportgen", "build", "--runs", "lo"), {"logs"}),
}


def needs(shell):
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"no {shell} here")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("completion")
    (folder / "logs").mkdir()
    (folder / "report.md").touch()
    for shell in ("bash", "zsh", "fish"):
        done = reportgen("completion", shell, cwd=folder)
        assert done.code == 0
        (folder / f"reportgen.{shell}").write_text(done.out, encoding="utf-8")
    return folder


def offered(home, *command):
    done = run_to_end(command, cwd=home, timeout=60)
    assert not done.stderr
    # An option ends in a blank, a folder in a slash, and a meaning follows behind a tab.
    return {line.partition("\t")[0].strip().rstrip("/") for line in done.stdout.splitlines()}


@needs("bash")
@pytest.mark.parametrize("case", CASES)
def test_bash(home, case):
    words, expected = CASES[case]
    assert offered(home, "bash", "-c", BASH, "bash", *words) == expected


@needs("bash")
def test_bash_offers_every_command(home):
    assert offered(home, "bash", "-c", BASH, "bash", "reportgen", "") >= set(COMMANDS)


@needs("fish")
@pytest.mark.parametrize("case", CASES)
def test_fish(home, case):
    words, expected = CASES[case]
    script = f"source reportgen.fish; complete -C '{' '.join(words)}'"
    assert expected <= offered(home, "fish", "--no-config", "-c", script)


@needs("zsh")
def test_zsh_takes_the_script(home):
    # Its completion needs a terminal; that the script is sound, and whose it is, does not.
    script = "autoload -Uz compinit; compinit -D -u; "
    script += 'eval "$(<reportgen.zsh)"; print $_comps[reportgen]'
    assert offered(home, "zsh", "-f", "-c", script) == {"_shtab_reportgen"}


def test_powershell_is_told_every_command(home):
    script = reportgen("completion", "powershell", cwd=home).out
    assert "Register-ArgumentCompleter" in script
    assert all(name in script for name in COMMANDS)
