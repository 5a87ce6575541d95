"""What is missing from a study or does not belong to it is said."""

from dataclasses import replace

import numpy as np
import pytest
from fakes.assembled import args, decisions, messages

from reportgen.records.run import Problem


def test_no_evaluation(put_together, log):
    runs, study = put_together(log("m/0/a.tfevents", {"train/loss": {1: 0.5, 2: 0.4}}))
    assert messages(runs) == ["no evaluation logged: no best step exists"]
    assert study.metric.report_on == "test"
    assert decisions(study)["metric.report_on"].reason == (
        "no run logged loss on test or validation"
    )
    assert decisions(study)["metric.select_on"].reason.endswith(
        "no best step exists, and no other split stands in for it"
    )


def test_no_test_split_anywhere_falls_back_with_a_reason(put_together, fairseq):
    runs, study = put_together(*fairseq("m/0", [50, 60]))
    assert study.metric.report_on == "validation"
    assert "no run logged accuracy on test" in decisions(study)["metric.report_on"].reason
    assert messages(runs) == []


def test_no_test_split_in_one_run_of_a_group(put_together, fairseq):
    runs, study = put_together(*fairseq("m/0", [50, 60], [50, 60]), *fairseq("m/1", [50, 60]))
    assert study.metric.report_on == "test"
    assert messages(runs) == ["accuracy was not logged on test, as it was in m/0"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_steps": 4}, []),
        ({"max_steps": 9}, ["training ended at step 4 of 9; stopped early or still running"]),
        ({"max_steps": -1, "num_train_epochs": 2.0}, []),
        (
            {"num_train_epochs": 3},
            ["training ended at epoch 2.00 of 3, step 4; stopped early or still running"],
        ),
    ],
)
def test_training_that_ended_before_its_planned_end(put_together, log, settings, message):
    tags = {"eval/loss": {2: 0.5, 4: 0.4}, "train/epoch": {2: 1.0, 4: 2.0}}
    runs, _ = put_together(log("m/0/a.tfevents", tags, **args(**settings)))
    assert messages(runs) == message


def test_values_that_are_no_numbers_are_counted(put_together, fairseq):
    runs, _ = put_together(*fairseq("m/0", [50, np.nan, np.inf]))
    assert "valid/accuracy: 1 of 3 values are NaN; they take no part in any best value" in messages(
        runs
    )
    assert (
        "valid/accuracy: 1 of 3 values are infinite; they take no part in any best value"
        in messages(runs)
    )


def test_a_file_without_points_makes_no_run_and_is_named(put_together, fairseq, log):
    empty = Problem(path="m/1/valid/x.tfevents", message="the file is empty (0 bytes)", offset=0)
    runs, _ = put_together(
        *fairseq("m/0", [50, 60]), log("m/1/valid/x.tfevents", problems=(empty,))
    )
    assert len(runs) == 1
    assert runs.problems == (empty,)


def test_a_header_beside_a_runs_points_is_a_note(put_together, fairseq, log):
    bare = Problem(path="m/0/train_inner/x.tfevents", message="only the file's header was written")
    runs, _ = put_together(
        *fairseq("m/0", [50, 60]), log("m/0/train_inner/x.tfevents", problems=(bare,))
    )
    assert [(p.message, p.level) for p in runs.runs[0].problems] == [
        ("only the file's header was written", "note")
    ]
    assert runs.problems == ()


def test_an_unreadable_file_beside_a_runs_points_stays_a_warning(put_together, fairseq, log):
    problem = Problem(path="m/0/valid/y.tfevents", message="cannot be read: Permission denied")
    locked = log("m/0/valid/y.tfevents", problems=(problem,))
    locked = replace(locked, source=replace(locked.source, size=0, sha256=""))
    runs, _ = put_together(*fairseq("m/0", [50, 60]), locked)
    assert [(p.message, p.level) for p in runs.runs[0].problems] == [(problem.message, "warning")]


def test_logs_in_the_root_itself(put_together, log):
    runs, _ = put_together(log("a.tfevents", {"val_loss": {1: 0.5}}), root="some/lab")
    assert [(r.id, r.group) for r in runs] == [(".", "lab")]


def test_no_logs_at_all(put_together):
    runs, study = put_together()
    assert len(runs) == 0
    assert study.metric.name == ""


@pytest.mark.parametrize(
    ("name", "second", "taken"),
    [("accuracy", 0.0, "loss"), ("accuracy", 0.1, "accuracy"), ("map", 0.0, "map")],
)
def test_an_accuracy_that_is_always_zero_chooses_no_step(put_together, log, name, second, taken):
    """It is one that a program logs of a regression; a detector may find nothing."""
    tags = {f"val_{name}": {1: 0.0, 2: second}, "val_loss": {1: 0.5, 2: 0.4}}
    logs = [log("m/0/a.tfevents", tags), log("m/1/a.tfevents", tags)]
    _, study = put_together(*logs)
    decided = decisions(study)["metric.name"]
    assert (study.metric.name, decided.asks) == (taken, taken == "loss")
    assert set(decided.alternatives) == {name, "loss"} - {taken}


def test_a_metric_that_is_zero_is_taken_where_there_is_no_other(put_together, log):
    _, study = put_together(log("m/0/a.tfevents", {"val_accuracy": {1: 0.0, 2: 0.0}}))
    assert study.metric.name == "accuracy"


def test_checkpoints_of_a_run(put_together, log):
    files = ["m/0/a.tfevents", "m/0/checkpoint-5/model.safetensors", "m/1/model.pt"]
    runs, _ = put_together(log("m/0/a.tfevents", {"val_loss": {1: 0.5}}), files=files)
    assert runs.runs[0].checkpoints == ("m/0/checkpoint-5/model.safetensors",)
    assert runs.files == tuple(files)
