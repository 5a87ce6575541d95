import json
import math

import numpy as np

from reportgen.read.logs.rows import load_trainer_state


def load(tmp_path, state):
    path = tmp_path / "trainer_state.json"
    path.write_text(state if isinstance(state, str) else json.dumps(state))
    log, *later = load_trainer_state(path, "run/trainer_state.json")
    assert [one.session for one in later] == list(range(1, len(later) + 1))
    return (log, *later) if later else log


def test_the_history_comes_under_the_tags_of_the_event_file(tmp_path):
    log = load(tmp_path, {
        "best_metric": None, "best_model_checkpoint": None, "max_steps": 450,
        "log_history": [
            {"step": 225, "epoch": 1.0, "loss": 0.5, "learning_rate": 1e-5},
            {"step": 225, "epoch": 1.0, "eval_accuracy": 0.9135802469135802},
            {"step": 450, "epoch": 2.0, "train_loss": 0.4, "train_runtime": 3.5},
        ],
    })  # fmt: skip
    assert set(log.series) == {
        "train/loss", "train/epoch", "train/learning_rate", "train/train_loss",
        "train/train_runtime", "eval/accuracy",
    }  # fmt: skip
    accuracy = log.series["eval/accuracy"]
    assert list(accuracy.points()) == [(225, 0.9135802469135802)]
    assert accuracy.values.dtype == np.float64
    assert math.isnan(accuracy.wall_times[0])
    assert log.series["train/epoch"].steps.tolist() == [225, 450]
    assert log.config == {"max_steps": 450, "best_model_checkpoint": ""}
    assert log.source.points == 7
    assert log.problems == ()


def test_an_evaluation_after_training_is_a_session_of_its_own(tmp_path):
    log, after = load(tmp_path, {"log_history": [
        {"step": 10, "eval_loss": 0.5}, {"step": 20, "eval_loss": 0.7},
        {"step": 20, "train_runtime": 1.0}, {"step": 20, "eval_loss": 0.5},
    ]})  # fmt: skip
    assert list(log.series["eval/loss"].points()) == [(10, 0.5), (20, 0.7)]
    assert list(after.series["eval/loss"].points()) == [(20, 0.5)]
    assert log.problems == ()


def test_a_whole_step_may_be_written_as_a_fraction(tmp_path):
    log = load(tmp_path, '{"log_history": [{"step": 30.0, "loss": 1}, {"step": 0.5, "loss": 2}]}')
    assert list(log.series["train/loss"].points()) == [(30, 1.0)]
    (problem,) = log.problems
    assert problem.message == "entry 2 has no 'step' that is a whole number; left out"


def test_values_that_are_no_numbers_are_said_once_a_tag(tmp_path):
    log = load(tmp_path, {"log_history": [
        {"step": 10, "eval_accuracy": 0.5, "note": "warm", "loss": "NaN"},
        {"step": 20, "eval_accuracy": "0.6"}, {"step": 30, "eval_accuracy": None},
    ]})  # fmt: skip
    assert list(log.series["eval/accuracy"].points()) == [(10, 0.5)]
    assert np.isnan(log.series["train/loss"].values[0])
    (problem,) = log.problems
    assert problem.level == "warning"
    assert problem.message == (
        "eval/accuracy: 1 of 2 values are no numbers and are left out, the first in entry 2: '0.6'"
    )


def test_an_empty_history_is_said(tmp_path):
    log = load(tmp_path, {"max_steps": 3, "log_history": []})
    assert [p.message for p in log.problems] == ["log_history is empty: no point was logged"]
    assert log.config == {"max_steps": 3}


def test_another_file_of_that_name(tmp_path):
    assert "not a trainer state" in load(tmp_path, {"a": 1}).problems[0].message
    assert "holds no JSON object" in load(tmp_path, "[1]").problems[0].message


def test_broken_json_names_the_byte(tmp_path):
    (problem,) = load(tmp_path, '{"log_history": [{"step": 1, ').problems
    assert problem.message.startswith("not valid JSON")
    assert problem.offset == 29


def test_entries_that_cannot_be_used_are_named(tmp_path):
    log = load(tmp_path, {"log_history": [3, {"loss": 1.0}, {"step": 1, "loss": 2.0}]})
    assert list(log.series["train/loss"].points()) == [(1, 2.0)]
    assert len(log.problems) == 2
