"""Logs that a re-run writes, against the logs of the runs beside it and against tbparse."""

import json
import math
import shutil

import numpy as np
import pytest

import reportgen
from reportgen.records.errors import UnknownNameError, UsageError
from reportgen.train.engine import LOG_WRITERS
from reportgen.train.engine.course import Point

pytest.importorskip("tensorboard")

SINGLE = 1e-6
TRAINED = ("loss", "accuracy", "learning_rate", "grad_norm", "epoch")


def point(split, metric, step, value, wall_time=None):
    time = 1_700_000_000.25 + step if wall_time is None else wall_time
    return Point(split=split, metric=metric, step=step, value=value, wall_time=time)


def curve_of(run, *, bits, percent, inner=False):
    """The curve of a logged run, in nats and fractions, as a loop would have recorded it."""
    points = []
    for series in run.scalars.values():
        if series.metric not in TRAINED or (series.split != "train" and series.metric == "epoch"):
            continue
        scale = math.log(2) if bits and series.metric == "loss" else 1.0
        scale = 0.01 if percent and series.metric == "accuracy" else scale
        split = "train_inner" if inner and series.split == "train" else series.split
        points += [
            point(split, series.metric, int(step), float(value) * scale, float(time))
            for step, value, time in zip(
                series.steps, series.values, series.wall_times, strict=True
            )
        ]
    return points


def by_place(run):
    return {
        (series.metric, series.split): series
        for series in run.scalars.values()
        if series.metric in TRAINED and series.tag != "train/train_loss"
    }


CASES = {
    "fairseq": ("RoBERTa_small_fr", {"validation": "valid"}, {"bits": True, "percent": True}),
    "hf_trainer": ("tiny_roberta", {}, {"bits": False, "percent": False, "inner": True}),
}


@pytest.mark.parametrize("layout", CASES)
def test_a_written_cell_is_read_like_its_neighbour(lab, tmp_path, layout):
    group, folders, units = CASES[layout]
    logs = shutil.copytree(lab / "logs", tmp_path / "logs")
    before = reportgen.load(logs)
    (original,) = [run for run in before if run.group == group and run.seed == 1]
    target = (logs / original.id).parent / "3"
    LOG_WRITERS.load(layout)(
        folders, curve_of(original, **units), target, "made by reportgen rerun"
    )
    after = reportgen.load(logs)
    (found,) = [run for run in after if run.group == group and run.seed == 3]
    assert len(after) == len(before) + 1
    assert (found.layout, found.id) == (layout, original.id[:-1] + "3")
    assert found.problems == ()
    mine, theirs = by_place(found), by_place(original)
    assert set(mine) == set(theirs)
    for place, series in theirs.items():
        assert mine[place].unit == series.unit
        assert mine[place].steps.tolist() == series.steps.tolist()
        assert np.allclose(
            mine[place].values.astype(float), series.values.astype(float), rtol=SINGLE
        )
        assert mine[place].wall_times.tolist() == series.wall_times.tolist()
        if layout == "fairseq":
            assert mine[place].tag == series.tag
            assert mine[place].path.split("/")[-2] == series.path.split("/")[-2]


def scalars_of(path):
    from tbparse import SummaryReader

    frame = SummaryReader(str(path), extra_columns={"wall_time"}).scalars
    return {(row.tag, row.step): (row.value, row.wall_time) for row in frame.itertuples()}


def test_the_loss_of_fairseq_is_in_bits_and_accuracy_in_percent(tmp_path):
    points = [
        point("validation", "loss", 225, math.log(2)),
        point("validation", "accuracy", 225, 0.805),
        point("train_inner", "loss", 100, 2 * math.log(2)),
        point("train_inner", "learning_rate", 100, 1e-5),
        point("train_inner", "epoch", 100, 0.4),
        point("train", "grad_norm", 225, 1.5),
    ]
    files = LOG_WRITERS.load("fairseq")({"validation": "valid1"}, points, tmp_path, "")
    assert [file.parent.name for file in files] == ["train_inner", "train", "valid1"]
    assert scalars_of(tmp_path / "valid1") == {
        ("loss", 225): (1.0, 1_700_000_225.25),
        ("accuracy", 225): (80.5, 1_700_000_225.25),
    }
    assert scalars_of(tmp_path / "train_inner") == {
        ("loss", 100): (2.0, 1_700_000_100.25),
        ("lr", 100): (np.float32(1e-5), 1_700_000_100.25),
    }
    assert scalars_of(tmp_path / "train") == {("gnorm", 225): (1.5, 1_700_000_225.25)}


def test_the_loss_of_the_trainer_is_in_nats_and_accuracy_a_fraction(tmp_path):
    points = [
        point("train_inner", "loss", 100, 0.75),
        point("train", "loss", 225, 0.5),
        point("train", "accuracy", 225, 0.625),
        point("train", "epoch", 225, 1.0),
        point("validation", "accuracy", 225, 0.8125),
        point("test", "loss", 225, 0.25),
    ]
    events, state = LOG_WRITERS.load("hf_trainer")({"test": "predict"}, points, tmp_path, "")
    assert events.relative_to(tmp_path).parts[:2] == ("runs", "Nov14_22-15-00_reportgen")
    assert {place: value for place, (value, _) in scalars_of(events).items()} == {
        ("train/loss", 100): 0.75,
        ("train/accuracy", 225): 0.625,
        ("train/epoch", 225): 1.0,
        ("eval/accuracy", 225): 0.8125,
        ("predict/loss", 225): 0.25,
    }
    assert json.loads(state.read_text()) == {
        "epoch": 1.0,
        "global_step": 225,
        "log_history": [
            {"loss": 0.75, "step": 100},
            {"accuracy": 0.625, "epoch": 1.0, "step": 225},
            {"epoch": 1.0, "eval_accuracy": 0.8125, "step": 225},
            {"epoch": 1.0, "predict_loss": 0.25, "step": 225},
        ],
    }


@pytest.mark.parametrize("layout", CASES)
def test_a_diverged_run_keeps_its_curve(tmp_path, layout):
    points = [
        point("train_inner", "loss", 100, 0.5),
        point("train_inner", "loss", 200, math.nan),
        point("validation", "accuracy", 100, 0.5),
    ]
    LOG_WRITERS.load(layout)({}, points, tmp_path / "group" / "0", "")
    (run,) = reportgen.load(tmp_path)
    loss = next(s for s in run.scalars.values() if s.metric == "loss")
    assert np.isnan(loss.values).tolist() == [False, True]
    assert any("1 of 2 values are NaN" in problem.message for problem in run.problems)


@pytest.mark.parametrize("layout", CASES)
def test_the_same_curve_gives_the_same_bytes_and_says_who_made_it(tmp_path, layout):
    from tbparse import SummaryReader

    points = [point("train_inner", "loss", n, 1 / n) for n in (100, 200)]
    points.append(point("validation", "loss", 200, 0.5))
    written = []
    for name, given in (("a", points), ("b", points[::-1])):
        files = LOG_WRITERS.load(layout)({}, given, tmp_path / name, "made by reportgen, seed 3")
        written.append({f.relative_to(tmp_path / name): f.read_bytes() for f in files})
    assert written[0] == written[1]
    texts = SummaryReader(str(tmp_path / "a"), pivot=False).text
    assert set(texts["value"]) == {"made by reportgen, seed 3"}


def test_a_folder_that_leads_out_of_the_run_and_a_layout_that_is_not_written(tmp_path):
    points = [point("validation", "loss", 1, 0.5)]
    for name in ("..", "a/b", "", ".hidden"):
        with pytest.raises(UsageError, match="cannot be written"):
            LOG_WRITERS.load("fairseq")({"validation": name}, points, tmp_path, "")
    with pytest.raises(UnknownNameError, match="'kears'"):
        LOG_WRITERS.load("kears")({}, points, tmp_path, "")
