"""Every code block of the documentation is run as it stands, page by page, or says why not."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import jinja2
import pytest
import yaml
from fakes.pages import Shown, blocks, missing

PROJECT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    [
        PROJECT / "README.md",
        PROJECT / "CONTRIBUTING.md",
        *(PROJECT / "inputs").glob("*/README.md"),
        *(p for p in (PROJECT / "docs").rglob("*.md") if p.parent.name != "adr"),
    ]
)


def marks_of(page: Path, found: list[Shown]) -> list[pytest.MarkDecorator]:
    """Pages that train take a minute each, the how-to pages together two; an index repeats."""
    if any("--rerun --yes" in block.text for block in found):
        return [pytest.mark.training]
    wide = page.parent.name == "how-to" or page.name == "index.md"
    return [pytest.mark.wide] if wide else []


WITH_BLOCKS = [
    pytest.param(page, id=str(page.relative_to(PROJECT)), marks=marks_of(page, found))
    for page in PAGES
    if (found := blocks(page))
]
LATEX_WORDS = ("--engine latex", "pdflatex")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all pages of a worker: most of them build the same lab."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def place(lab: Path, tmp_path: Path) -> Path:
    """A folder as the pages speak of it: the samples in `inputs/`, and a lab of one's own."""
    folder = tmp_path / "lab"
    shutil.copytree(lab, folder)
    shutil.copytree(PROJECT / "inputs", folder / "inputs")
    commands = folder / ".venv" / "bin"
    commands.mkdir(parents=True)
    program = commands / "reportgen"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m reportgen "$@"\n')
    program.chmod(0o755)
    for name in ("python", "python3"):
        shim = commands / name
        shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        shim.chmod(0o755)
    return folder


def run_commands(block: Shown, place: Path, cache: Path) -> None:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("REPORTGEN_", "SOURCE_DATE"))}
    searched = f"{place / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", block.text],
        cwd=place,
        env={**kept, "PATH": searched, "REPORTGEN_CACHE": str(cache), "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    wanted = int(block.about) if block.word == "exit" else 0
    assert done.returncode == wanted, f"{block.place}\n{block.text}\n{done.stdout}"
    lost = missing(block.expected, done.stdout)
    assert lost is None, f"{block.place}: not printed:\n{lost}\nbut:\n{done.stdout}"


def read_block(block: Shown) -> None:
    """Take a block that is no program by the parser of its language."""
    match block.language:
        case "toml":
            tomllib.loads(block.text)
        case "yaml":
            yaml.safe_load(block.text)
        case "json":
            json.loads(block.text)
        case "jinja":
            marks = ("<%", "%>", "<%=", "%>") if "<%" in block.text else ("{%", "%}", "{{", "}}")
            start, end, value, value_end = marks
            jinja2.Environment(
                block_start_string=start,
                block_end_string=end,
                variable_start_string=value,
                variable_end_string=value_end,
                autoescape=True,
            ).parse(block.text)
        case "":  # a piece of a program's output that no commands stand before
            pass
        case other:
            pytest.fail(f"{block.place}: no test knows what to do with {other!r}")


@pytest.mark.parametrize("page", WITH_BLOCKS)
def test_the_blocks_of_a_page_run(page: Path, place: Path, cache: Path) -> None:
    latex = shutil.which("pdflatex") or os.environ.get("REPORTGEN_REQUIRE_LATEX")
    for block in blocks(page):
        if block.word in ("file", "append"):
            path = place / block.about
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a" if block.word == "append" else "w", encoding="utf-8") as file:
                file.write(block.text)
        if block.word in ("not run", "run"):
            assert block.about, f"{block.place} does not say why it is not run"
        elif block.language == "sh" or block.word == "setup":
            if latex or not any(word in block.text for word in LATEX_WORDS):
                run_commands(block, place, cache)
        elif block.language == "python":
            if not block.word:
                (place / "_page.py").write_text(block.text, encoding="utf-8")
                command = f"python _page.py # {block.place}"
                run_commands(
                    Shown(page, block.line, "sh", command, expected=block.expected), place, cache
                )
        elif block.word not in ("file", "append"):
            read_block(block)


def test_an_output_that_is_not_printed_is_told() -> None:
    assert missing("a\n...\nc 1...2\n", "a  \nb\nc 1 and 2\n") is None
    assert missing("a\n...\nd\n", "a\nb\nc\n") == "d"
    assert missing("b\na\n", "a\nb\n") == "b\na"
    assert missing("b\n...\na\n", "a\nb\n") == "a"


def test_comments_say_how_a_block_is_meant(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "<!-- file: a.toml -->\n```toml\nx = 1\n```\n\n<!-- setup\ntouch b\n-->\n\n"
        "```sh\nls\n```\n\nPrints:\n\n```\nb\n```\n\n"
        "<!-- not run: it needs a GPU -->\n```sh\nnvidia-smi\n```\n"
    )
    meant = [(b.language, b.word, b.about, b.expected) for b in blocks(page)]
    assert meant == [
        ("toml", "file", "a.toml", ""),
        ("sh", "setup", "", ""),
        ("sh", "", "", "b\n"),
        ("sh", "not run", "it needs a GPU", ""),
    ]
