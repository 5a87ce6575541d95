"""A CSV file without a step is named where nothing else is read, with what can be done."""

from __future__ import annotations

import pytest
from fakes.command import reportgen


@pytest.mark.parametrize(
    "command", [("build", "--runs", "lab", "--out", "r.md"), ("inspect", "lab")]
)
def test_the_file_its_columns_and_the_remedy_are_said(command, tmp_path):
    (tmp_path / "lab" / "a").mkdir(parents=True)
    (tmp_path / "lab" / "a" / "history.csv").write_text("when,fid,score\n0.5,9.5,1\n1.5,8.5,2\n")
    done = reportgen(*command, cwd=tmp_path)
    assert done.code == 3
    told = done.out + done.err
    assert "a/history.csv: looks like a log and is not read" in told
    assert "'when', 'fid', 'score'" in told
    assert '[[logs.tables]] match = "*/history.csv", step = ...' in told
    assert "nothing here reads" not in told


def test_a_folder_without_tables_is_told_as_before(tmp_path):
    (tmp_path / "lab").mkdir()
    done = reportgen("inspect", "lab", cwd=tmp_path)
    assert done.code == 3
    assert "nothing here reads lab" in done.err


def test_the_remedy_helps(tmp_path):
    (tmp_path / "lab" / "a").mkdir(parents=True)
    (tmp_path / "lab" / "a" / "history.csv").write_text("when,val_fid\n1,9.5\n2,8.5\n")
    table = '[[logs.tables]]\nmatch = "*/history.csv"\nstep = "when"\n'
    (tmp_path / "study.toml").write_text(f'[runs]\npath = "lab"\n\n{table}')
    done = reportgen("build", "study.toml", "--out", "r.md", cwd=tmp_path)
    assert done.code == 0, done.err
