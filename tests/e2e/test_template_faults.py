"""A fault in a template of the user's ends the build with a letter, and with no PDF."""

import shutil
from pathlib import Path

import pytest
from fakes.command import reportgen
from fakes.pdf_engines import require_pdflatex

VALUE = "50% of a_b & c # {d} \\e ^f ~g $h"
STUDY = f"""\
[report]
title = '''{VALUE}'''
[runs]
path = "logs"
"""


@pytest.fixture
def home(tmp_path: Path, small_lab: Path) -> Path:
    shutil.copytree(small_lab, tmp_path / "logs")
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    return tmp_path


def change(home: Path, project: Path, name: str, old: str, new: str) -> None:
    source = (project / "templates" / name).read_text("utf-8")
    assert old in source
    path = home / "templates" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source.replace(old, new), encoding="utf-8")


def build(home: Path, engine: str):
    formats = ("--engine", engine, "--format", "pdf,tex,typ")
    return reportgen("build", "study.toml", "--out", "out", *formats, cwd=home)


def told(done, *parts: str) -> None:
    assert done.code == 4, (done.code, done.err)
    for part in parts:
        assert part in done.err, (part, done.err)


def test_a_raw_title_in_latex_is_named_with_its_characters(home, project):
    require_pdflatex()
    change(home, project, "latex/report.j2", "<%= title %>", "<%= title|raw %>")
    done = build(home, "latex")

    told(done, "error[latex]: ", "templates/latex/report.j2:", "title = ", "drop |raw")
    for sign in "%_&#{}\\^~$":
        assert sign in done.err.split("unescaped", 1)[1].split("\n")[0]
    assert not list((home / "out").glob("*.pdf"))
    assert not list(home.rglob(".reportgen-*"))
    output = done.err.split("output", 1)[1].split("\n")[0].strip()
    path, _, line = output.rpartition(":")
    assert VALUE in (home / path).read_text("utf-8").split("\n")[int(line) - 1]


def test_the_pdf_of_an_earlier_build_stays_whole(home, project):
    assert build(home, "typst").code == 0
    before = (home / "out" / "report.pdf").read_bytes()
    change(home, project, "typst/blocks/table.j2", "caption: [", "caption: #[")

    told(build(home, "typst"), "error[typst]: ", "typst/blocks/table.j2", "output   out")
    assert (home / "out" / "report.pdf").read_bytes() == before
