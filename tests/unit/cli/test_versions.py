"""`--version`: one stable line for scripts, then what a question about a fault needs."""

from importlib import metadata

import pytest

from reportgen import __version__
from reportgen.cli import main, versions
from reportgen.cli.versions import OPTIONAL, version_lines
from reportgen.records.errors import DISTRIBUTION


def test_the_first_line_is_the_version_alone(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert not ended.value.code
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"reportgen {__version__}"
    assert f"  PDF: typst {metadata.version('typst')}" in lines


def test_an_extra_that_is_not_there_is_named(monkeypatch):
    def version(name):
        if name == "torch":
            raise metadata.PackageNotFoundError(name)
        return "1.0"

    monkeypatch.setattr(versions.metadata, "version", version)
    lines = list(version_lines())
    assert "  extra train: transformers 1.0, peft 1.0, torch not installed" in lines


def test_extras_are_those_that_can_be_asked_for():
    offered = set(metadata.metadata(DISTRIBUTION).get_all("Provides-Extra"))
    # The others are for people who work on the program itself.
    assert set(OPTIONAL) == offered - {"test", "bench", "docs", "fuzz", "objects", "workflows"}


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (None, "pdflatex is not on the path"),
        ("/nowhere/pdflatex", "/nowhere/pdflatex does not answer: FileNotFoundError"),
    ],
)
def test_a_latex_that_is_not_there_is_told(monkeypatch, program, said):
    monkeypatch.setattr(versions.shutil, "which", lambda _: program)
    assert f"  PDF with --engine latex: {said}" in list(version_lines())
