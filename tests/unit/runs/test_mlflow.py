"""MLflow's runs: put together out of many files or one, and named by the program."""

import pytest

from reportgen.read.logs import load_tree
from reportgen.records.study import Study
from reportgen.runs import assemble

ID = "0123456789abcdef0123456789abcde{}"


@pytest.fixture
def run(log):
    """The logs of one run of a file store."""

    def make(number, name="", experiment="1", parent="", **fields):
        folder = f"{experiment}/{ID.format(number)}"
        texts = {"mlflow/mlflow.runName": name, "mlflow/stage": fields.pop("stage", "active")}
        if parent != "":
            texts["mlflow/mlflow.parentRunId"] = ID.format(parent)
        return [
            log(f"{folder}/metrics/val/accuracy", {"val/accuracy": {1: 0.5}}, kind="mlflow_store"),
            log(
                f"{folder}/metrics/test_accuracy", {"test_accuracy": {1: 0.5}}, kind="mlflow_store"
            ),
            log(f"{folder}/metrics/system/cpu", {"system/cpu": {0: 9.0}}, kind="mlflow_store"),
            log(f"{folder}/tags/mlflow.runName", kind="mlflow_store", texts=texts),
            log(f"{folder}/params/x", kind="mlflow_store", config=fields),
        ]

    return make


def told(runs):
    return [(r.id[-1], r.group, r.seed) for r in runs]


@pytest.mark.parametrize("store", ["mlruns", "mlflow.db"])
def test_both_stores_hold_the_same_runs(project, store):
    tree = load_tree(project / "tests/data/logs" / store)
    runs, study = assemble(tree.logs, tree.files, Study(), store)
    assert [(r.group, r.seed, sorted(r.scalars)) for r in runs] == [
        ("small", 0, ["nobody counted", "odd", "val/accuracy"]),
        ("small", 1, ["nobody counted", "odd", "val/accuracy"]),
        ("small/probe", 0, ["loss"]),
    ]
    assert {r.layout for r in runs} == {"mlflow"}
    assert [v for _, v in runs.runs[1].find("accuracy", "validation").points()][:2] == [0.51, 0.56]
    deleted = [p for p in runs.all_problems() if "was deleted in MLflow" in p.message]
    assert [p.level for p in deleted] == ["warning"]
    assert study.metric.name == "accuracy"


def test_a_run_out_of_many_files(put_together, run):
    runs, _ = put_together(*run(1, "small-seed3", lr=0.1))
    (one,) = runs
    assert (one.group, one.seed, one.config) == ("small", 3, {"lr": 0.1})
    assert {(s.metric, s.split) for s in one.scalars.values()} == {
        ("accuracy", "validation"), ("accuracy", "test"), ("", "")
    }  # fmt: skip
    assert len(one.sources) == 5


def test_experiments_and_parents_are_part_of_the_name(put_together, run, log):
    experiments = [
        log(f"{n}/meta.yaml", kind="mlflow_store", texts={"mlflow/experiment": name})
        for n, name in ((1, "lab"), (2, "rest"))
    ]
    runs, _ = put_together(
        *run(1, "sweep"), *run(2, "a", parent=1, seed=0), *run(3, "a", parent=1, seed=1),
        *run(4, "a", experiment="2", seed=5), *experiments,
    )  # fmt: skip
    assert told(runs) == [
        ("1", "lab/sweep", None), ("2", "lab/sweep/a", 0), ("3", "lab/sweep/a", 1),
        ("4", "rest/a", 5),
    ]  # fmt: skip


def test_runs_of_one_name_without_seeds_are_kept_apart(put_together, run):
    runs, _ = put_together(*run(1, "base"), *run(2, "base"))
    assert [group.rpartition("/")[2] for _, group, _ in told(runs)] == [ID.format(1), ID.format(2)]


def test_a_deleted_run_does_not_count(put_together, run):
    runs, _ = put_together(*run(1, "a"), *run(2, "b", stage="deleted"))
    assert told(runs) == [("1", "a", None)]


def test_what_the_trainer_told_mlflow_as_well_is_one_run(put_together, log):
    points = {100: 0.1, 200: 0.7, 300: 0.9}
    state = log("out/m-seed1/trainer_state.json", {"eval/accuracy": points, "train/loss": points},
                kind="trainer_state", start=None, single=False)  # fmt: skip
    folder = f"mlruns/1/{ID.format(1)}/metrics"
    told = [
        log(f"{folder}/{key}", {key: points}, kind="mlflow_store", single=False)
        for key in ("eval_accuracy", "loss")
    ]
    told += [log(f"{folder}/train_loss", {"train_loss": {300: 0.4}}, kind="mlflow_store")]
    (run,), _ = put_together(state, *told)
    assert (run.id, run.group, run.seed, run.layout) == ("out/m-seed1", "m", 1, "hf_trainer")
    assert set(run.scalars) == {"eval/accuracy", "train/loss", "train_loss"}
    accuracy = run.find("accuracy", "validation")
    assert list(accuracy.points()) == [(100, 0.1), (200, 0.7), (300, 0.9)]
    assert accuracy.wall_times.tolist() == [1100.0, 1200.0, 1300.0]
