"""Epoch by epoch: alignment on steps, n that varies, epochs that are not known."""

from __future__ import annotations

import numpy as np
import pytest

from reportgen.records.study import MetricPlan, StatisticsPlan
from reportgen.stats import summarise_epochs

METRIC = MetricPlan(name="accuracy", direction="higher")


def rows_of(runs, steps_per_epoch=225):
    return summarise_epochs(
        runs, METRIC, steps_per_epoch=steps_per_epoch, statistics=StatisticsPlan()
    )


def test_the_six_runs(made):
    runs = [r for r in made.runs_of(made.SIX) if r.group == "pretrained"]
    rows = rows_of(runs)
    assert [(r.epoch, r.step) for r in rows] == [(float(i), 225 * i) for i in range(1, 6)]
    assert rows[0].splits.keys() == {"validation", "test"}
    test = [round(100 * r.splits["test"].mean.value, 2) for r in rows]
    assert test == [64.13, 73.43, 79.6, 80.17, 80.73]
    assert round(100 * rows[4].splits["test"].std.value, 2) == 0.58


def test_a_run_that_ends_early_lowers_n(made):
    runs = [
        made.run("g", seed, made.series("validation", values))
        for seed, values in enumerate(([1.0, 2.0, 3.0], [2.0, 3.0, 4.0], [3.0, 4.0]))
    ]
    assert [r.splits["validation"].n for r in rows_of(runs)] == [3, 3, 2]


def test_nan_does_not_count(made):
    runs = [made.run("g", 0, made.series("validation", [1.0, np.nan]))]
    assert [r.splits["validation"].n for r in rows_of(runs)] == [1, 0]


def test_training_is_read_at_the_evaluations(made):
    run = made.run(
        "g",
        0,
        made.series("validation", [1.0, 2.0]),
        made.series("train", [5.0, 6.0, 7.0], steps=[100, 225, 300]),
    )
    rows = rows_of([run])
    assert [r.step for r in rows] == [225, 450]
    assert rows[0].splits["train"].mean.value == 0.06
    assert rows[1].splits["train"].n == 0


def test_evaluations_between_epoch_ends_are_left_out_if_most_close_one(made):
    run = made.run("g", 0, made.series("validation", [1.0, 2.0, 3.0], steps=[225, 400, 450]))
    assert [r.epoch for r in rows_of([run])] == [1.0, 2.0]


def test_evaluations_every_so_many_steps_are_all_kept(made):
    run = made.run("g", 0, made.series("validation", [1.0, 2.0, 3.0], steps=[90, 150, 225]))
    assert [r.epoch for r in rows_of([run])] == [0.4, pytest.approx(2 / 3), 1.0]


def test_unknown_epochs_are_zero_and_rows_are_steps(made):
    run = made.run("g", 0, made.series("validation", [1.0, 2.0], steps=[7, 13]))
    assert [(r.epoch, r.step) for r in rows_of([run], 0)] == [(0.0, 7), (0.0, 13)]


def test_a_value_at_every_update_makes_no_table(made):
    run = made.run("g", 0, made.series("validation", np.arange(501.0), steps=range(501)))
    assert rows_of([run], 0) == ()
    assert len(rows_of([run], 100)) == 5


def test_no_runs_no_rows():
    assert rows_of([]) == ()
