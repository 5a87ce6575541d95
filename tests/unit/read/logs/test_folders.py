"""What is read of folders: which files are of which run, and how a run ended.

A row of `folders/` has its files, the runs by their identifiers (seed, how it ended, results by
their tags, the tags of its curves, and where stated the settings and the
layout), and every problem that is told.
"""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from fakes import wandb_file as fake
from fakes.rows import rows_of

import reportgen

ROWS = [
    row for path in sorted(Path(__file__).parent.glob("folders/*.yaml")) for row in rows_of(path)
]


def told_of(run, stated):
    known = {
        "seed": run.seed,
        "ended": run.ended,
        "results": {one.tag: one.value for one in run.results},
        "curves": sorted(run.scalars),
        "config": json.loads(json.dumps(dict(run.config))) if "config" in stated else None,
        "layout": run.layout if "layout" in stated else None,
    }
    return {key: value for key, value in known.items() if value not in (None, "", {})}


@pytest.mark.parametrize("row", ROWS, ids=[row["about"] for row in ROWS])
def test_what_is_read_of_a_folder(tmp_path, row):
    for name, content in row["files"].items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    runs = reportgen.load(tmp_path)
    assert {run.id: told_of(run, row["runs"].get(run.id, {})) for run in runs} == row["runs"]
    told = [
        f"{one.level}{f' of {one.path}' if one.path else ''}: {one.message}"
        for one in runs.all_problems()
    ]
    assert told == row.get("told", [])


HISTORY = [fake.history(n, {"loss": 1 / n, "val/acc": n / 9}, clock=1e9 + n) for n in (1, 2, 3)]
OVER = "".join(f"{{'loss': 0.{9 - n}, 'epoch': {n}.0}}\n" for n in range(1, 4)) + (
    "{'train_runtime': 9.5, 'epoch': 3.0}\n"
)


@pytest.mark.parametrize(
    ("events", "printed", "ended"),
    [
        ([fake.ended()], "", "finished"),
        ([fake.ended(1)], "", "failed"),
        ([fake.run(notebook="yes"), fake.ended()], "", ""),
        ([fake.run(notebook="yes"), fake.ended(1)], "", "failed"),
        ([], "", "open"),
        ([], OVER, "finished"),
    ],
)
def test_a_run_of_weights_and_biases_ended_as_its_exit_code_says(tmp_path, events, printed, ended):
    folder = tmp_path / "wandb/run-20260101_000000-abc"
    (folder / "files").mkdir(parents=True)
    (folder / "run-abc.wandb").write_bytes(fake.encode(*HISTORY, *events))
    if printed:
        (folder / "files" / "output.log").write_text(printed)
    (run,) = reportgen.load(tmp_path)
    assert run.ended == ended


def test_trials_of_a_database_end_as_it_says(tmp_path):
    with closing(sqlite3.connect(tmp_path / "study.db")) as made, made:
        made.executescript(
            """CREATE TABLE trials (trial_id INTEGER, number INTEGER, state TEXT);
            CREATE TABLE trial_intermediate_values (trial_id, step, intermediate_value);
            CREATE TABLE trial_values (trial_id, value);
            CREATE TABLE trial_params (trial_id, param_name, param_value, distribution_json);"""
        )
        for n, state in enumerate(("COMPLETE", "FAIL", "RUNNING", "PRUNED")):
            made.execute("INSERT INTO trials VALUES (?, ?, ?)", (n, n, state))
            rows = [(n, step, n + 1 / (step + 1)) for step in range(4)]
            made.executemany("INSERT INTO trial_intermediate_values VALUES (?, ?, ?)", rows)
    found = reportgen.load(tmp_path)
    assert [(run.id, run.ended) for run in found] == [
        ("study/trial0", "finished"), ("study/trial2", "open"),
    ]  # fmt: skip


def test_where_no_file_is_a_log_loading_says_so(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing")
    with pytest.warns(UserWarning, match="no training logs under"):
        assert len(reportgen.load(tmp_path).to_frame()) == 0
