"""Logs of PyTorch's own writer, and what TensorBoard shows of a folder with restarts."""

import math
import warnings

import numpy as np
import pytest

from reportgen.read.logs import load_tree
from reportgen.records.study import Study
from reportgen.runs import assemble

pytest.importorskip("torch")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from torch.utils.tensorboard import SummaryWriter


def write(folder, points, tag="loss", start=1.7e9, **fields):
    """Write points (step, value), a second apart; the clock of a run, not of this test."""
    writer = SummaryWriter(str(folder), **fields)
    for n, (step, value) in enumerate(points):
        writer.add_scalar(tag, value, step, walltime=start + n)
    writer.close()
    # TensorBoard reads files in order of name; the writer's clock is that of this test.
    written = next(path for path in folder.iterdir() if not path.name.endswith(".host.1.0"))
    written.rename(folder / f"events.out.tfevents.{start:.0f}.host.1.0")


def read(folder):
    """Put together what lies in a folder."""
    tree = load_tree(folder)
    runs, _ = assemble(tree.logs, tree.files, Study(), "lab")
    return runs


def points(run, tag="loss"):
    return list(run.scalars[tag].points())


def as_tensorboard(folder, tag="loss"):
    """Return (step, value) as TensorBoard shows them."""
    accumulator = EventAccumulator(str(folder), size_guidance={"tensors": 0, "scalars": 0})
    accumulator.Reload()
    return [(e.step, e.value) for e in accumulator.Scalars(tag)]


def test_what_the_writer_was_given_is_what_the_log_says(tmp_path):
    values = [0.799, 1e-8, math.nan, math.inf, 3.0, -0.0]
    write(tmp_path / "run", enumerate(values))
    (run,) = read(tmp_path)
    series = run.scalars["loss"]
    assert [str(value) for value in series.values] == [str(np.float32(v)) for v in values]
    assert series.wall_times.tolist() == [1.7e9 + n for n in range(6)]


@pytest.mark.parametrize(("purge", "first"), [(6, 6), (3, 3), (0, 0), (10, 10), (6, 8)])
def test_a_restart_that_is_stated_is_what_tensorboard_shows(tmp_path, purge, first):
    write(tmp_path / "run", [(s, 1.0) for s in range(10)])
    later = [(s, 2.0) for s in range(first, first + 3)]
    write(tmp_path / "run", later, start=1.8e9, purge_step=purge)
    (run,) = runs = read(tmp_path)
    assert points(run) == as_tensorboard(tmp_path / "run")
    lost = 10 - purge
    told = [p.message for p in runs.all_problems() if "superseded" in p.message]
    assert told == (
        [f"training began again at step {purge}: {lost} points superseded"] if lost else []
    )


def test_a_restart_that_is_not_stated_is_told_by_steps_and_clocks(tmp_path):
    write(tmp_path / "run", [(s, 1.0) for s in range(10)])
    later = [(s, 2.0) for s in (6, 7, 8)]
    write(tmp_path / "run", later, start=1.8e9)
    (run,) = runs = read(tmp_path)
    assert points(run) == [*((s, 1.0) for s in range(6)), *later]
    assert len(as_tensorboard(tmp_path / "run")) == 13
    assert any("4 points superseded" in p.message for p in runs.all_problems())


def test_scalars_of_the_new_style(tmp_path):
    writer = SummaryWriter(str(tmp_path / "run"))
    for step in range(5):
        writer.add_scalar("single", 0.1 * step, step, new_style=True)
        writer.add_scalar("double", 0.1 * step, step, new_style=True, double_precision=True)
    writer.close()
    (run,) = read(tmp_path)
    assert points(run, "single") == [(s, float(str(np.float32(0.1 * s)))) for s in range(5)]
    assert points(run, "double") == [(s, 0.1 * s) for s in range(5)]


def test_what_lies_between_the_points(tmp_path):
    writer = SummaryWriter(str(tmp_path / "run"))
    for step in range(4):
        writer.add_scalar("loss", step, step)
        writer.add_histogram("weights", np.arange(20), step)
        writer.add_image("sample", np.zeros((3, 4, 4), dtype=np.uint8), step)
        writer.add_audio("speech", np.zeros((1, 20), dtype=np.float32), step, sample_rate=8000)
        writer.add_pr_curve("curve", np.array([0, 1]), np.array([0.2, 0.9]), step)
        writer.add_text("sys.argv", f"train.py {step}", step)
    writer.close()
    (log,) = load_tree(tmp_path).logs
    assert set(log.series) == {"loss"}
    assert list(log.series["loss"].points()) == [(s, float(s)) for s in range(4)]
    assert log.texts == {"sys.argv/text_summary": "train.py 3"}
    assert log.problems == ()


def test_several_curves_in_one_chart_are_series_of_one_run(tmp_path):
    writer = SummaryWriter(str(tmp_path / "run"))
    for step in range(5):
        writer.add_scalars("loss", {"train": 1.0 / (step + 1), "valid": 2.0 / (step + 1)}, step)
    writer.close()
    (run,) = read(tmp_path)
    assert {(s.metric, s.split) for s in run.scalars.values()} == {
        ("loss", "train"), ("loss", "validation"),
    }  # fmt: skip


@pytest.mark.parametrize("name", [None, "1700000000.5"])
def test_hyperparameters_belong_to_the_run_above(tmp_path, name):
    write(tmp_path / "run", [(s, 1.0) for s in range(1, 10)])
    writer = SummaryWriter(str(tmp_path / "run"))
    settings = {"lr": 0.125, "optimizer": "adam", "bias": True}
    writer.add_hparams(settings, {"hparam/accuracy": 0.75}, run_name=name)
    writer.close()
    (run,) = read(tmp_path)
    assert run.id == "run"
    assert run.config | settings == run.config
    assert points(run, "hparam/accuracy") == [(0, 0.75)]
    assert len(points(run)) == 9
