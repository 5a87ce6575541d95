"""Tables that a study declares: from the study file to the runs."""

import json
import re

import pytest
from fakes.rows import rows_beside

from reportgen import load
from reportgen.read.logs import find_tree, load_tree
from reportgen.read.study.keys import TABLES
from reportgen.read.study.read import read_study
from reportgen.records.errors import StudyError
from reportgen.records.study import TablePlan

ROWS = rows_beside(__file__)

STUDY = ROWS["study"]


@pytest.fixture
def lab(tmp_path):
    """Two runs in files of the lab's own making, and a study that says how they are read."""
    for seed in (0, 1):
        folder = tmp_path / "logs" / "small" / str(42 + seed)
        folder.mkdir(parents=True)
        rows = [
            {"it": 10 * n, "ts": 1e9 + n, "part": part, "acc": n / 10, "odd name": n + seed, "x": 1}
            for n in (1, 2, 3)
            for part in ("dev", "test")
        ]
        (folder / "log.txt").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path


def test_the_study_says_how_rows_are_read(lab):
    runs = load(lab / "logs", study=lab / "study.toml")
    assert [(r.id, r.group, r.seed) for r in runs] == [
        ("small/42", "small", 42), ("small/43", "small", 43),
    ]  # fmt: skip
    run = runs.runs[0]
    assert set(run.scalars) == {"dev/accuracy", "dev/loss", "test/accuracy", "test/loss"}
    assert list(run.find("accuracy", "validation").points()) == [(10, 0.1), (20, 0.2), (30, 0.3)]
    assert run.find("accuracy", "test").wall_times.tolist() == [1e9 + 1, 1e9 + 2, 1e9 + 3]
    assert [(p.message, p.remedy[:7]) for p in runs.all_problems()] == [
        ("[[logs.tables]] match '*.dat' matches no file", "correct")
    ]


def test_without_the_study_they_are_no_logs(lab):
    with pytest.warns(UserWarning, match="no training logs"):
        assert len(load(lab / "logs")) == 0


def test_a_declared_table_comes_before_every_loader(tmp_path):
    (tmp_path / "metrics.csv").write_text("n|acc\n1|0.5\n")
    plan = TablePlan(match="metrics.csv", step="n", delimiter="|")
    (file,) = find_tree(tmp_path, [plan]).logs
    assert (file.kind, file.plan) == ("metrics_csv", plan)
    (log,) = load_tree(tmp_path, tables=[plan]).logs
    assert list(log.series["acc"].points()) == [(1, 0.5)]


@pytest.mark.parametrize(("text", "message"), ROWS["what_means_nothing_is_named_with_its_line"])
def test_what_means_nothing_is_named_with_its_line(tmp_path, text, message):
    study = tmp_path / "study.toml"
    study.write_text(f"[[logs.tables]]\n{text}\n")
    with pytest.raises(StudyError) as caught:
        load(tmp_path, study=study)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["[logs]\ntable = 1\n", "[logs.tables]\nstep = 1\n", "logs = 3\n"])
def test_other_shapes_are_refused(tmp_path, text):
    study = tmp_path / "study.toml"
    study.write_text(text)
    with pytest.raises(StudyError, match="logs"):
        load(tmp_path, study=study)


def test_the_page_shows_every_key(project, tmp_path):
    page = (project / "docs" / "how-to" / "logs.md").read_text(encoding="utf-8")
    (tmp_path / "study.toml").write_text(re.findall(r"```toml\n(.*?)```", page, re.DOTALL)[0])
    first, second = read_study(tmp_path / "study.toml").tables
    assert first.columns == {"acc": "accuracy", "cross entropy": "loss"}
    shown = {
        key for table in (first, second) for key in TABLES["logs.tables"] if getattr(table, key)
    }
    assert shown == set(TABLES["logs.tables"])
