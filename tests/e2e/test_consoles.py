"""What is printed where the console has no minus sign: cp1252 of Windows, ASCII of a container."""

import json
import os
import subprocess
import sys

import pytest
from fakes.command import reportgen

CONSOLES = {
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with a report that says something wrong in fine type."""
    folder = tmp_path_factory.mktemp("consoles")
    (folder / "report.md").write_text(
        "# Lab\n\nThere are 2 × 3 = 7 parameters in the naïve model.\n",
        encoding="utf-8",
    )
    return folder


def run(home, console, *words):
    """Run a command on a console; return its exit code, and what it wrote, as bytes."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("REPORTGEN_", "LC_", "LANG"))}
    done = subprocess.run(
        [sys.executable, "-m", "reportgen", *words],
        cwd=home,
        env={**kept, "REPORTGEN_CACHE": str(home / ".cache"), **CONSOLES[console]},
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert b"internal" not in done.stderr, done.stderr
    assert b"Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("console", ["ascii", "cp1252"])
def test_text_keeps_to_the_console(home, console):
    fine = reportgen("check", "report.md", cwd=home)
    assert "“" in fine.out
    encoding = "cp1252" if console == "cp1252" else "ascii"
    code, out, _ = run(home, console, "check", "report.md")
    assert code == fine.code == 1
    said = out.decode(encoding)
    assert len(said.splitlines()) == len(fine.out.splitlines())
    assert ("“" in said) == (encoding == "cp1252")


def test_what_programs_read_is_utf_8(home):
    code, out, _ = run(home, "C", "check", "report.md", "--format", "json")
    assert code == 1
    assert any("2 × 3 is 6" in one["message"] for one in json.loads(out.decode())["numbers"])


def test_letters_that_the_console_cannot_draw_are_written_as_escapes(home):
    code, _, err = run(home, "ascii", "inspect", "naïve–日.csv")
    assert code == 3
    assert rb"no such file or folder: na\xefve-\u65e5.csv" in err
