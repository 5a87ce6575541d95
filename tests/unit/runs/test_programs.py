"""Runs of files that programs wrote: named by the program, and one where two files tell of it."""

import json

import pytest

import reportgen
from reportgen.read.logs import load_tree
from reportgen.records.study import Study
from reportgen.runs import assemble

STORED = [
    ("small", 0, ["nobody counted", "odd", "val/accuracy"]),
    ("small", 1, ["nobody counted", "odd", "val/accuracy"]),
    ("small/probe", 0, ["loss"]),
]


def written(project, store):
    tree = load_tree(project / "tests/data/logs" / store)
    return assemble(tree.logs, tree.files, Study(), store)


@pytest.mark.parametrize("store", ["mlruns", "mlflow.db"])
def test_both_stores_of_mlflow_hold_the_same_runs(project, store):
    runs, study = written(project, store)
    assert [(r.group, r.seed, sorted(r.scalars)) for r in runs] == STORED
    assert {r.layout for r in runs} == {"mlflow"}
    assert [v for _, v in runs.runs[1].find("accuracy", "validation").points()][:2] == [0.51, 0.56]
    deleted = [p for p in runs.all_problems() if "was deleted in MLflow" in p.message]
    assert [p.level for p in deleted] == ["warning"]
    assert study.metric.name == "accuracy"


PRINTED = """\
{'loss': 2.5123, 'epoch': 0.5}
{'eval_loss': 1.41234, 'eval_f1': 0.61234, 'epoch': 1.0}
{'loss': 1.0123, 'epoch': 2.0}
{'eval_loss': 1.21234, 'eval_f1': 0.71234, 'epoch': 2.0}
{'train_runtime': 9.0, 'train_loss': 1.6, 'epoch': 2.0}
"""
HISTORY = [
    {"step": 10, "epoch": 0.5, "loss": 2.51234},
    {"step": 20, "epoch": 1.0, "eval_loss": 1.41234, "eval_f1": 0.61234},
    {"step": 40, "epoch": 2.0, "loss": 1.01234},
    {"step": 40, "epoch": 2.0, "eval_loss": 1.21234, "eval_f1": 0.71234},
]


@pytest.mark.parametrize(
    ("name", "text", "runs"),
    [
        ("out/train.log", PRINTED, ["out"]),
        ("nohup.out", PRINTED, ["out"]),
        ("nohup.out", PRINTED.replace("0.71234", "0.5"), [".", "out"]),
    ],
)
def test_what_the_trainer_printed_is_the_run_that_it_wrote(tmp_path, name, text, runs):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/trainer_state.json").write_text(json.dumps({"log_history": HISTORY}))
    (tmp_path / name).write_text(text)
    found = reportgen.load(tmp_path)
    assert sorted(run.id for run in found) == runs
    (one,) = (run for run in found if run.id == "out")
    assert list(one.scalars["eval/f1"].points()) == [(20, 0.61234), (40, 0.71234)]
