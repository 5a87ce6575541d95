"""Published event files, file by file: what their authors state, and what is wrong with them.

What becomes of them as runs is in `test_published_logs.py`.
"""

import json
import re

import numpy as np
import pytest

from reportgen.read.logs.events import load_events


@pytest.fixture
def read(realdata):
    """Load every event file of a folder, in order of path."""

    def from_folder(folder):
        root = realdata / folder
        paths = sorted(root.rglob("*tfevents*"))
        assert paths
        return [load_events(path, path.relative_to(root).as_posix())[0] for path in paths]

    return from_folder


def points(log, tag):
    return list(log.series[tag].points())


def test_settings_lie_in_the_event_files_of_the_trainer(read):
    for log in read("hf-trainer-agnews-lora"):
        assert json.loads(log.texts["args/text_summary"])["seed"] == 42
        assert json.loads(log.texts["model_config/text_summary"])["model_type"]


def test_training_loss_at_the_first_step_of_an_epoch_and_metrics_at_its_last(read):
    logs = {log.source.path.split("/")[-2]: log for log in read("segmentation-sweep")}
    assert len(logs) == 18
    for log in logs.values():
        train, test = (log.series[tag].steps for tag in ("Training loss", "IoU (avg on test)"))
        assert (train[0], len(train)) == (0, len(test))
        assert (train < test).all()
    overlap = logs["UNet_wd_1e_4"].series["IoU (avg on test)"].values
    distance = logs["UNet_wd_1e_4"].series["L1 Distance (avg on test)"].values
    assert (round(float(overlap.max()), 4), round(float(distance.min()), 4)) == (0.8473, 0.0574)


STATED = {
    "Train_AverageReturn": (4205.78, 4713.65, 3772.67, 5566.84, 10344.52),
    "Eval_AverageReturn": (3141.98, 1406.29, 694.87, 391.91, 297.14),
    "Train_StdReturn": (83.04, 12.20, 1.95, 9.23, 20.98),
    "Eval_StdReturn": (125.42, 544.66, 309.72, 480.56, 22.40),
}
"""What the authors print of HalfCheetah, Ant, Hopper, Walker2d and Humanoid, in this order."""


def test_twenty_numbers_of_which_five_are_cut_and_not_rounded(read):
    logs = read("rl-single-points/hw1/run_logs/Sec1Q2")
    by_name = {re.search(r"q1_bc-(\w+?)_", log.source.path)[1]: log for log in logs}
    names = ("HalfCheetah", "Ant", "Hopper", "Walker2d", "Humanoid")
    kept, cut = 0, 0
    for tag, numbers in STATED.items():
        for name, number in zip(names, numbers, strict=True):
            ((_, value),) = points(by_name[name], tag)
            kept += round(value, 2) == number
            cut += round(value, 2) != number == int(100 * value) / 100
    assert (kept, cut) == (15, 5)


def test_steps_written_twice_and_in_no_order_and_runs_of_three_lengths(read):
    logs = {
        "/".join(log.source.path.split("/")[2:4]): log for log in read("seeds-strict-lax-duplicate")
    }
    assert [len(logs[f"lax/run_{n}"].series["lax/foo"]) for n in (1, 2, 3)] == [110, 120, 130]
    tags = {n: set(logs[f"lax/run_{n}"].series) for n in (1, 2, 3)}
    assert tags[1] != tags[2] != tags[3]
    for log in logs.values():
        for series in log.series.values():
            assert (np.diff(series.steps) > 0).all()
