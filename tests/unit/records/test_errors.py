"""What is said in place of a path that is not there."""

from pathlib import Path

import pytest
from fakes.rows import rows_beside

from reportgen.records.errors import other_than

ROWS = rows_beside(__file__)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("logs", "report.md", "study.toml", ".git", "a", "b"):
        (tmp_path / name).mkdir()
    return tmp_path


@pytest.mark.parametrize(("asked", "said"), ROWS["a_near_name_or_what_there_is"])
def test_a_near_name_or_what_there_is(here, asked, said):
    assert other_than(Path(asked)) == said


def test_an_absolute_path_is_answered_by_one(here):
    assert other_than(here / "repotr.md") == f"did you mean {here / 'report.md'}?"


def test_below_a_file_there_is_nothing(here):
    (here / "notes.txt").write_text("")
    assert other_than(Path("notes.txt/run")) == "notes.txt is a file and no folder"


def test_the_same_name_a_folder_or_two_below_is_meant(here):
    (here / "a" / "lab" / "runs").mkdir(parents=True)
    assert other_than(Path("runs")) == f"did you mean {Path('a/lab/runs')}?"
    (here / "a" / "runs").mkdir()
    assert other_than(Path("runs")) == f"did you mean {Path('a/runs')}?"
    (here / "b" / "c" / "d" / "deep").mkdir(parents=True)
    assert other_than(Path("deep")).startswith("check the path; ")
