"""An evaluation after training: tbparse's raw points beside ours.

It stands in the file of training, or in another one: the Trainer closes its writer when training
ends and opens another in the same folder (`TensorBoardCallback.on_train_end` of transformers).
"""

import json
from pathlib import Path

import pytest
from fakes.exact import exact
from tbparse import SummaryReader
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.event_file_writer import EventFileWriter

from reportgen.app.analysis import analyse, load
from reportgen.app.options import BuildOptions
from reportgen.read.logs.events import joined, read_event_file, read_more

FOLDER = "out_seed0/runs/Nov21_02-15-08_lab"
BEST = {"eval/accuracy": 0.91, "eval/loss": 0.31}
CURVE = [
    (100, {"eval/accuracy": 0.85, "eval/loss": 0.4}),
    (200, BEST),
    (300, {"eval/accuracy": 0.88, "eval/loss": 0.42}),
]
TRAINING = [(step, {**values, "train/loss": 1 / step}) for step, values in CURVE]
SUMMARY = (300, {"train/train_runtime": 60.0})


def write(folder: Path, *files):
    """Write files of rows (step, values), ten seconds apart; return what tbparse reads."""
    number = 0
    for rows in files:
        writer = EventFileWriter(str(folder))
        for step, values in rows:
            number += 1
            for tag, value in values.items():
                summary = Summary(value=[Summary.Value(tag=tag, simple_value=value)])
                writer.add_event(Event(step=step, wall_time=1.7e9 + 10 * number, summary=summary))
        writer.close()
    return SummaryReader(str(folder), extra_columns={"wall_time"}).scalars


def raw(frame, tag):
    """Return (step, value) of a tag, in the order of the clock."""
    rows = frame[frame["tag"] == tag].sort_values("wall_time", kind="stable")
    return [
        (int(step), round(float(v), 6)) for step, v in zip(rows["step"], rows["value"], strict=True)
    ]


def read(folder, reader="own"):
    (run,) = load(folder, loader=reader) if reader != "own" else load(folder)
    return run


def points(run, tag="eval/accuracy"):
    return list(run.scalars[tag].points())


def told(run):
    return [
        (p.level, p.message) for p in run.problems if "again" in p.message or "step" in p.message
    ]


AGAIN = {
    "one file": [[*TRAINING, SUMMARY, (300, BEST)]],
    "two files": [[*TRAINING, SUMMARY], [(300, BEST)]],
}


@pytest.mark.parametrize("files", AGAIN.values(), ids=AGAIN)
def test_the_value_of_training_counts_and_the_other_is_named(tmp_path, files):
    frame = write(tmp_path / FOLDER, *files)
    written = raw(frame, "eval/accuracy")
    assert written == [(100, 0.85), (200, 0.91), (300, 0.88), (300, 0.91)]
    run = read(tmp_path)
    assert points(run) == written[:3]
    ((level, message),) = told(run)
    assert level == "note"
    assert "with the values of step 200: the best weights, loaded at the end" in message
    assert "eval/accuracy, eval/loss as training logged them at step 300 are kept" in message


@pytest.mark.parametrize("files", AGAIN.values(), ids=AGAIN)
def test_the_best_step_is_no_tie_with_the_best_model_evaluated_again(tmp_path, files):
    write(tmp_path / FOLDER, *files)
    settings = {"metric": "accuracy"}
    facts = analyse(BuildOptions(out=tmp_path, runs=tmp_path, cache=None, settings=settings))
    (cell,) = facts.groups[0].cells
    assert (cell.best_step.value, cell.tied_steps) == (200, (200,))
    assert cell.last_value.value == 0.88


@pytest.mark.parametrize("loss", [0.31000003, 0.4])
def test_values_that_no_earlier_step_had_all_at_once_are_named_one_by_one(tmp_path, loss):
    write(tmp_path / FOLDER, TRAINING, [(300, {"eval/accuracy": 0.91, "eval/loss": loss})])
    run = read(tmp_path)
    assert ["the first one is kept" in message for _, message in told(run)] == [True, True]
    assert points(run, "eval/loss")[-1] == (300, 0.42)


RESTARTS = {
    "goes on": [*TRAINING, (300, BEST), (400, CURVE[0][1])],
    "ends before training does": [*TRAINING, (300, BEST), (310, {"train/loss": 0.1})],
    "an earlier step comes later": [*TRAINING, (300, BEST), (250, {"train/loss": 0.1})],
}


@pytest.mark.parametrize("rows", RESTARTS.values(), ids=RESTARTS)
def test_what_may_be_a_restart_is_as_before(tmp_path, rows):
    frame = write(tmp_path / FOLDER, rows)
    assert points(read(tmp_path)) == sorted(dict(raw(frame, "eval/accuracy")).items())
    assert not any("evaluated again" in message for _, message in told(read(tmp_path)))


def test_a_file_that_is_read_as_it_grows_says_the_same(tmp_path):
    write(tmp_path / "whole", [*TRAINING, (300, BEST), (400, CURVE[0][1])])
    (whole,) = (tmp_path / "whole").iterdir()
    content = whole.read_bytes()
    path = tmp_path / "grown"
    for cut in range(len(content) // 2, len(content), 13):
        path.write_bytes(content[:cut])
        before = read_event_file(path)
        path.write_bytes(content)
        more = read_more(path, before)
        assert exact(joined([before.points, more.points])) == exact(read_event_file(path).points)


@pytest.mark.parametrize("name", ["trainer_state.json", "log.jsonl", "log.csv"])
def test_other_files_of_a_run_say_the_same(tmp_path, name):
    rows = [*CURVE, (300, BEST)]
    if name == "trainer_state.json":
        named = [{"step": s, **{k.replace("/", "_"): v for k, v in of.items()}} for s, of in rows]
        content = json.dumps(
            {"log_history": [*named[:3], {"step": 300, "train_runtime": 1}, named[3]]}
        )
    elif name == "log.jsonl":
        content = "".join(json.dumps({"step": s, **of}) + "\n" for s, of in rows)
    else:
        lines = [",".join(map(str, (s, *of.values()))) for s, of in rows]
        content = "\n".join(["step,eval/accuracy,eval/loss", *lines, ""])
    (tmp_path / "run0").mkdir()
    (tmp_path / "run0" / name).write_text(content)
    run = read(tmp_path)
    assert points(run) == [(100, 0.85), (200, 0.91), (300, 0.88)]
    ((level, message),) = told(run)
    assert level == "note"
    assert "with the values of step 200" in message
