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


def messages(logs):
    return [problem.message for log in logs for problem in log.problems]


def test_a_tie_of_three_steps_that_single_precision_does_not_break(read, realdata):
    logs = read("hf-trainer-agnews-lora")
    assert [max(v for _, v in points(log, "eval/accuracy")) < 0.27 for log in logs[:4]] == [
        True
    ] * 4
    series = logs[4].series["eval/accuracy"]
    best = series.values == series.values.max()
    assert series.steps[best].tolist() == [800, 900, 1200]
    assert series.values.dtype == np.float32
    assert float(series.values.max()) == pytest.approx(0.9135802388, abs=1e-10)
    states = (realdata / "hf-trainer-agnews-lora").rglob("trainer_state.json")
    exact = {row.get("eval_accuracy") for path in states
             for row in json.loads(path.read_text())["log_history"]}  # fmt: skip
    assert 0.9135802469135802 in exact


def test_settings_lie_in_the_event_files_of_the_trainer(read):
    for log in read("hf-trainer-agnews-lora"):
        assert json.loads(log.texts["args/text_summary"])["seed"] == 42
        assert json.loads(log.texts["model_config/text_summary"])["model_type"]


def test_a_run_that_stopped_and_was_never_evaluated(read):
    (log,) = read("hf-trainer-no-eval")
    assert not [tag for tag in log.series if tag.startswith("eval")]
    assert log.series["train/loss"].steps[-1] == 2000


@pytest.mark.parametrize(
    ("folder", "count"), [("hf-card-last-not-best", 7), ("hf-vit-two-metrics", 2)]
)
def test_pointers_in_place_of_files(read, folder, count):
    logs = read(folder)
    assert sum("Git-LFS pointer" in message for message in messages(logs)) == len(logs) == count
    assert not any(log.series for log in logs)


def test_three_files_a_version_and_three_versions_without_points(read):
    logs = read("lightning-versions")
    bare = [re.findall(r"version_(\d)", log.source.path)[0] for log in logs if not log.series]
    assert bare == ["0", "1", "2"]
    assert messages(logs) == ["only the file's header was written: no point was logged"] * 3
    tests = [points(log, "test_accuracy") for log in logs if "test_accuracy" in log.series]
    assert [round(value, 4) for ((_, value),) in tests] == [0.8573, 0.8667, 0.8478, 0.8686, 0.8651]
    again = [points(log, "val_accuracy") for log in logs if "val_accuracy" in log.series]
    assert [(len(rows), rows[-1][0]) for rows in again] == [(3, 2345), (1, 2346)] * 5


def test_scalars_of_keras_are_tensors(read):
    best = {}
    for log in read("keras-tensor-scalars/Homework06"):
        for tag in log.series.keys() & {"v_accuracy"}:
            name = log.source.path.split("/")[1]
            best[name] = max(points(log, tag), key=lambda point: point[1])
    assert {name: (step, round(value, 4)) for name, (step, value) in best.items()}.items() >= {
        "Normalisation": (11, 0.8090), "DenseMode": (13, 0.8005),
        "Original": (14, 0.7973), "all": (7, 0.2538),
    }.items()  # fmt: skip


def test_the_smallest_pair_of_keras(read):
    logs = {log.source.path.split("/")[-2]: log for log in read("keras-clean-pair")}
    test = next(log for name, log in logs.items() if name != "train")
    accuracy, loss = (
        points(test, next(t for t in test.series if t.endswith(n))) for n in ("accuracy", "loss")
    )
    assert max(accuracy, key=lambda p: p[1])[0] == accuracy[-1][0] == 9
    assert round(accuracy[-1][1], 5) == 0.98335
    step, value = min(loss, key=lambda point: point[1])
    assert (step, round(value, 6)) == (5, 0.054307)


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


def test_values_that_are_no_numbers_and_a_file_of_forty_bytes(read):
    logs = read("rl-ten-seeds")
    losses = [np.isnan(log.series["Actor_Loss"].values) for log in logs if log.series]
    assert sorted(int(nan.sum()) for nan in losses if nan.any()) == [71, 78]
    assert {len(nan) for nan in losses if nan.any()} == {100}
    assert [log.source.size for log in logs if not log.series] == [40]
    first = {}
    for log in logs:
        found = re.search(r"pendulum_(\S+)_s(\d)_", log.source.path)
        if found:
            reached = [s for s, value in points(log, "Eval_AverageReturn") if value == 1000]
            first[found[1], int(found[2])] = reached[0]
    assert list(first.values()) == [61, 59, 55, 64, 58, 62, 56, 42, 54, 44]


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


def test_a_sweep_of_single_points(read):
    best = max(read("rl-single-points/hw1/image/hyperparameters"),
               key=lambda log: points(log, "Eval_AverageReturn")[0][1])  # fmt: skip
    assert "train-step_4500_" in best.source.path
    numbers = [points(best, tag)[0][1] for tag in ("Eval_AverageReturn", "Eval_StdReturn")]
    assert [round(number, 1) for number in numbers] == [4641.1, 124.5]


def test_files_of_no_bytes_and_returns_at_one_step(read):
    logs = read("rl-dqn-empty-files")
    assert messages(logs) == ["the file is empty (0 bytes)"] * 3
    at = {
        found[1]: dict(points(log, "Train_AverageReturn"))[490_001]
        for log in logs
        if (found := re.search(r"q2_((?:d)?dqn_\d|doubledqn_\d)", log.source.path)) and log.series
    }
    assert [round(at[f"dqn_{n}"], 2) for n in (1, 2, 3)] == [8.04, 119.39, -102.17]
    assert [round(at[f"doubledqn_{n}"], 2) for n in (1, 2, 3)] == [101.18, 116.44, 82.43]


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
