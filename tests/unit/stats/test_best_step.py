"""Selection on validation, the value on test at that step."""

from __future__ import annotations

import numpy as np
import pytest

from reportgen.records.quantity import Missing, Quantity
from reportgen.records.study import MetricPlan
from reportgen.stats import count_left_out, missing_cell, select_step

HIGHER = MetricPlan(name="accuracy", direction="higher")
LAST = MetricPlan(name="accuracy", direction="higher", ties="last")
LOWER = MetricPlan(name="wer", direction="lower")


def one(made, valid, test, **options):
    return made.run(
        "g", 0, made.series("validation", valid, **options), made.series("test", test, **options)
    )


@pytest.mark.parametrize(
    ("group", "seed", "step", "value"),
    [
        ("pretrained", 0, 1125, 0.814),
        ("pretrained", 1, 1125, 0.804),
        ("pretrained", 2, 900, 0.801),
        ("random", 0, 1125, 0.739),
        ("random", 1, 1125, 0.739),
        ("random", 2, 1125, 0.731),
    ],
)
def test_the_six_runs_have_their_published_answers(made, group, seed, step, value):
    valid, test = made.SIX[group, seed]
    result = select_step(one(made, valid, test), HIGHER, steps_per_epoch=225)
    assert result.best_step.value == step
    assert result.best_epoch.value == step / 225
    assert result.report_value.value == value  # exactly: percent is shifted, not divided
    assert result.select_value.value == max(valid) / 100


def test_each_number_names_its_point(made):
    result = select_step(one(made, [70.0, 81.5], [69.0, 79.9]), HIGHER)
    (evidence,) = result.report_value.sources
    assert (evidence.path, evidence.tag, evidence.step) == (
        "test/accuracy.log",
        "test/accuracy",
        450,
    )
    assert (evidence.value, evidence.run) == (79.9, "g/0")
    (evidence,) = result.best_step.sources
    assert (evidence.tag, evidence.value) == ("valid/accuracy", 81.5)


def test_float32_is_read_as_the_decimal_it_stands_for(made):
    result = select_step(one(made, [70.0, 81.5], [69.0, 79.9], dtype=np.float32), HIGHER)
    assert result.report_value.value == 0.799
    assert result.report_value.sources[0].value == 79.9


def test_fractions_stay_and_other_units_stay(made):
    result = select_step(one(made, [0.7], [0.68], unit="fraction"), HIGHER)
    assert (result.report_value.value, result.report_value.unit) == (0.68, "fraction")
    result = select_step(one(made, [0.7], [0.68], unit=""), HIGHER)
    assert (result.report_value.value, result.report_value.unit) == (0.68, "")


def test_ties_go_first_or_last_as_the_plan_says(made):
    tied = one(made, [80.0, 82.0, 82.0, 81.0], [1.0, 2.0, 3.0, 4.0])
    first, last = select_step(tied, HIGHER), select_step(tied, LAST)
    assert (first.best_step.value, first.report_value.value) == (450, 0.02)
    assert (last.best_step.value, last.report_value.value) == (675, 0.03)
    assert first.tied_steps == last.tied_steps == (450, 675)
    assert "the first of 2 equal ones" in first.best_step.method
    assert "the last of 2 equal ones" in last.best_step.method


def test_lower_is_better_where_the_metric_says_so(made):
    run = made.run(
        "g",
        0,
        made.series("validation", [0.8, 0.7432, 0.75], metric="wer", unit=""),
        made.series("test", [0.9, 0.8, 0.7], metric="wer", unit=""),
    )
    result = select_step(run, LOWER)
    assert (result.best_step.value, result.report_value.value) == (450, 0.8)
    assert result.oracle_value.value == 0.7
    assert "smallest WER" in result.best_step.method


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("plan", [HIGHER, MetricPlan(name="accuracy", direction="lower")])
def test_nan_and_infinity_never_win_and_are_counted(made, bad, plan):
    run = one(made, [80.0, bad, 80.0, bad], [1.0, 2.0, 3.0, 4.0])
    result = select_step(run, plan)
    assert result.tied_steps == (225, 675)
    assert "2 NaN or infinite values left out" in result.best_step.method
    assert count_left_out(run, plan) == 2


def test_only_nan_is_missing_with_a_reason(made):
    result = select_step(one(made, [np.nan, np.nan], [1.0, np.nan]), HIGHER)
    assert result.best_step == Missing(reason="every validation accuracy of g/0 is NaN or infinite")
    assert result.report_value == result.best_step
    assert isinstance(result.last_value, Missing)
    assert "logged nan" in result.last_value.reason
    assert result.oracle_value.value == 0.01


def test_no_point_at_the_best_step_names_the_nearest_one(made):
    run = made.run(
        "g",
        0,
        made.series("validation", [70.0, 80.0], steps=[100, 200]),
        made.series("test", [60.0, 61.0], steps=[110, 190]),
    )
    result = select_step(run, HIGHER)
    assert result.report_value == Missing(
        reason="g/0 logged no test accuracy at step 200; the nearest logged step is 190"
    )
    assert result.last_value.value == 0.61


def test_splits_that_were_never_logged_are_missing(made):
    only_test = made.run("g", 0, made.series("test", [60.0]))
    result = select_step(only_test, HIGHER)
    assert result.best_step == Missing(reason="g/0 never logged accuracy on validation")
    assert result.oracle_value.value == 0.6
    only_valid = made.run("g", 0, made.series("validation", [60.0]))
    result = select_step(only_valid, HIGHER)
    assert result.select_value.value == 0.6
    assert result.report_value == Missing(reason="g/0 never logged accuracy on test")


def test_the_report_split_can_be_another_one(made):
    only_valid = made.run("g", 0, made.series("validation", [60.0, 62.0]))
    result = select_step(only_valid, HIGHER, report_split="validation")
    assert result.report_value.value == 0.62


def test_an_unknown_epoch_is_missing(made):
    result = select_step(one(made, [70.0], [71.0]), HIGHER)
    assert result.best_epoch == Missing(reason="the number of steps per epoch is not known")


def test_a_step_inside_an_epoch_is_a_fraction_of_it(made):
    run = one(made, [70.0, 80.0], [1.0, 2.0], steps=[100, 300])
    assert select_step(run, HIGHER, steps_per_epoch=200).best_epoch.value == 1.5


@pytest.mark.parametrize(
    ("steps", "steps_per_epoch", "epoch"),
    [([0, 1, 2], 1, 3), ([1, 2, 3], 1, 3), ([49, 99, 149], 50, 3), ([50, 100, 150], 50, 3)],
)
def test_steps_counted_from_zero_close_the_same_epochs(made, steps, steps_per_epoch, epoch):
    run = one(made, [1.0, 2.0, 3.0], [1.0, 2.0, 3.0], steps=steps)
    result = select_step(run, HIGHER, steps_per_epoch=steps_per_epoch)
    assert result.best_epoch.value == epoch


@pytest.mark.parametrize(
    ("logged", "epoch"), [([0.5, 1.0], 1.0), ([0.0, 1.0], 2.0), ([1.0, np.nan], 450 / 225)]
)
def test_the_epochs_a_run_logs_itself_win(made, logged, epoch):
    run = made.run(
        "g",
        0,
        made.series("validation", [70.0, 80.0]),
        made.series("train", logged, metric="epoch", unit=""),
    )
    assert select_step(run, HIGHER, steps_per_epoch=225).best_epoch.value == epoch


def test_a_declared_cell_without_a_run_says_so_everywhere():
    cell = missing_cell("random", "Random start", 2)
    values = (cell.best_step, cell.select_value, cell.report_value, cell.last_value)
    assert {v.reason for v in values} == {"no logs found for Random start, seed 2"}
    assert not any(isinstance(v, Quantity) for v in values)
