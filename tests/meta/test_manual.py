"""The manual pages are made of the definitions that `--help` is made of, and of nothing else."""

import argparse
import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from reportgen.cli import COMMANDS, make_parser
from reportgen.cli.arguments import Parser, arguments_of

NAMES = ("reportgen", *(f"reportgen-{name}" for name in COMMANDS))


@pytest.fixture(scope="module")
def manual(project: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("manual", project / ".ci" / "manual.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def parsers() -> dict[str, Parser]:
    parser = make_parser()
    assert isinstance(parser, Parser)
    (commands,) = (a for a in arguments_of(parser) if isinstance(a, argparse._SubParsersAction))
    below = {command.prog.replace(" ", "-"): command for command in commands.choices.values()}
    return {"reportgen": parser, **below}


def shown(project: Path, name: str) -> str:
    """The page as a reader sees it, in one line."""
    program = shutil.which("mandoc")
    page = project / "docs" / "man" / f"{name}.1"
    if program is None:
        pytest.skip("mandoc is not installed")
    options = ("-T", "utf8", "-O", "width=200")
    text = subprocess.run([program, *options, page], check=True, capture_output=True).stdout
    # Bold and underlined are struck twice.
    return " ".join(re.sub(r".\x08", "", text.decode()).split())


def test_every_page_is_the_one_that_is_made(project: Path, manual: ModuleType) -> None:
    written = {path.name: path.read_text("utf-8") for path in (project / "docs" / "man").iterdir()}
    made = manual.pages()
    assert set(written) == set(made) == {f"{name}.1" for name in NAMES}
    for name, body in made.items():
        first, _, rest = written[name].partition("\n")
        assert rest == body, f"{name} is an old one: make manual"
        dated = re.search(r" (\d{4}-\d{2}-\d{2}) ", first)
        assert dated is not None
        assert first == manual.title(name, dated[1])


@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_every_argument_and_example(
    name: str, project: Path, parsers: dict[str, Parser]
) -> None:
    page = shown(project, name)
    command = parsers[name]
    for action in arguments_of(command):
        assert all(option in page for option in action.option_strings)
        assert " ".join((action.help or "").split()) in page
    for example in command.page.examples:
        assert " ".join(example.split()) in page
    assert f"{name}(1)" in page or f"{name.upper()}(1)" in page


@pytest.mark.parametrize("checker", [("mandoc", "-T", "lint", "-W", "all"), ("groff",)])
def test_no_formatter_complains(checker: tuple[str, ...], project: Path) -> None:
    if shutil.which(checker[0]) is None:
        pytest.skip(f"{checker[0]} is not installed")
    warnings = ("-T", "utf8", "-man", "-ww", "-z") if checker[0] == "groff" else ()
    for path in sorted((project / "docs" / "man").iterdir()):
        done = subprocess.run(
            [*checker, *warnings, path], check=False, capture_output=True, text=True
        )
        assert not (done.stdout + done.stderr).strip()
        assert done.returncode == 0


def test_man_finds_the_pages_beside_a_folder_of_programs(project: Path, tmp_path: Path) -> None:
    if shutil.which("man") is None or shutil.which("manpath") is None:
        pytest.skip("man-db is not installed")
    # As pip lays them out in an environment: `share` beside `bin`.
    (tmp_path / "bin").mkdir()
    shutil.copytree(project / "docs" / "man", tmp_path / "share" / "man" / "man1")
    kept = {name: value for name, value in os.environ.items() if name != "MANPATH"}
    environment = {**kept, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{kept['PATH']}"}
    done = subprocess.run(
        ["man", "-w", "reportgen-build"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(done.stdout.strip()) == tmp_path / "share" / "man" / "man1" / "reportgen-build.1"


def test_a_line_that_looks_like_a_request_is_none(manual: ModuleType) -> None:
    assert list(manual._lines(".tex \\rgnum")) == ["\\&.tex \\ergnum"]
    assert manual._line("'evidence/~'") == "\\&\\(aqevidence/\\(ti\\(aq"
    assert manual._line("0,5 µ") == "0,5 \\[u00B5]"
