"""A Trainer that loads its best model at the end and evaluates it: the files of both writers.

The Trainer closes its writer when training ends and opens another one in the same folder for what
is logged later (`TensorBoardCallback.on_train_end` of transformers).
"""

from __future__ import annotations

import numpy as np
import pytest
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.event_file_writer import EventFileWriter

from reportgen.app.analysis import analyse, load
from reportgen.app.options import BuildOptions

FOLDER = "out_seed0/runs/Nov21_02-15-08_lab"
BEST = {"eval/accuracy": 0.91, "eval/loss": 0.31, "eval/runtime": 4.25}
LAST = {"eval/accuracy": 0.88, "eval/loss": 0.42, "eval/runtime": 4.5}
CURVE = {100: {"eval/accuracy": 0.85, "eval/loss": 0.4, "eval/runtime": 4.1}, 200: BEST, 300: LAST}


def write(folder, points, begin):
    writer = EventFileWriter(str(folder))
    for step, values in points.items():
        for tag, value in values.items():
            summary = Summary(value=[Summary.Value(tag=tag, simple_value=value)])
            writer.add_event(Event(step=step, wall_time=begin + step, summary=summary))
    writer.close()


@pytest.fixture
def logs(tmp_path):
    """Three evaluations in training, and one after it at the last step."""

    def of(again):
        training = {s: {**v, "train/loss": 1 / s} for s, v in CURVE.items()}
        write(tmp_path / FOLDER, training, 1.7e9)
        write(tmp_path / FOLDER, {300: again}, 1.7e9 + 3600)
        return tmp_path

    return of


def test_the_value_of_training_counts_and_a_note_names_the_best_step(logs):
    (run,) = load(logs({**BEST, "eval/runtime": 3.9}))
    accuracy = run.find("accuracy", "validation")
    assert list(accuracy.points()) == [(100, 0.85), (200, 0.91), (300, 0.88)]
    (note,) = [p for p in run.problems if "evaluated again" in p.message]
    assert note.level == "note"
    assert "with the values of step 200" in note.message
    assert "eval/accuracy, eval/loss as training logged them at step 300 are kept" in note.message


def test_the_best_step_is_not_a_tie_with_itself(logs):
    folder = logs(BEST)
    settings = {"metric": "accuracy"}
    facts = analyse(BuildOptions(out=folder, runs=folder, cache=None, settings=settings))
    (cell,) = facts.groups[0].cells
    assert (cell.best_step.value, cell.tied_steps) == (200, (200,))
    assert cell.last_value.value == 0.88


@pytest.mark.parametrize("loss", [0.31000003, 0.4])
def test_values_that_no_earlier_step_had_all_at_once_are_named_one_by_one(logs, loss):
    assert np.float32(loss) != np.float32(BEST["eval/loss"])
    (run,) = load(logs({"eval/accuracy": 0.91, "eval/loss": loss}))
    told = [p.message for p in run.problems if "evaluated again" in p.message]
    assert len(told) == 2
    assert all("the first one is kept" in message for message in told)
    assert run.find("loss", "validation").values[-1] == np.float32(0.42)


def test_the_last_model_evaluated_again_is_worth_no_word(logs):
    (run,) = load(logs({**LAST, "eval/runtime": 5.0}))
    assert [p for p in run.problems if "again" in p.message] == []
