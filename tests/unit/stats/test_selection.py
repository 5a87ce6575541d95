"""Selection: the best value on validation, or the last one; what is reported there."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from fakes.rows import rows_beside
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.quantity import Missing, Quantity
from reportgen.records.run import Result, Runs
from reportgen.records.study import MetricPlan
from reportgen.stats import course_of, divide, epoch_of, missing_cell, reading_of, select_step

ROWS = rows_beside(__file__)
HIGHER = MetricPlan(name="accuracy", direction="higher")


def one(made, valid, test, **options):
    return made.run(
        "g", 0, made.series("validation", valid, **options), made.series("test", test, **options)
    )


@pytest.mark.parametrize(
    ("group", "seed", "step", "value"), ROWS["the_six_runs_have_their_published_answers"]
)
def test_the_six_runs_have_their_published_answers(made, group, seed, step, value):
    valid, test = made.SIX[group, seed]
    result = select_step(one(made, valid, test), HIGHER, study=made.study())
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


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("plan", [HIGHER, MetricPlan(name="accuracy", direction="lower")])
def test_nan_and_infinity_never_win_and_are_counted(made, bad, plan):
    run = one(made, [80.0, bad, 80.0, bad], [1.0, 2.0, 3.0, 4.0])
    result = select_step(run, plan)
    assert result.tied_steps == (225, 675)
    assert "2 NaN or infinite values left out" in result.best_step.method


def test_a_declared_cell_without_a_run_says_so_everywhere():
    cell = missing_cell("random", "Random start", 2)
    values = (cell.best_step, cell.select_value, cell.report_value, cell.last_value)
    assert {v.reason for v in values} == {"no logs found for Random start, seed 2"}
    assert not any(isinstance(v, Quantity) for v in values)


# --- single evaluations -----------------------------------------------------------------


def test_a_reading_is_at_exactly_its_step(made):
    run = made.run("g", 0, made.series("validation", [79.9]))
    assert reading_of(run, "accuracy", "validation", 225).value == 0.799
    assert reading_of(run, "accuracy", "validation", 225).method == "accuracy on validation"
    assert "nearest logged step is 225" in reading_of(run, "accuracy", "validation", 226).reason
    assert "never logged accuracy on test" in reading_of(run, "accuracy", "test", 225).reason


def test_the_epoch_of_a_step(made):
    run = made.run("g", 0, made.series("validation", [79.9]))
    assert epoch_of(run, made.study(), 225).value == 1.0
    assert isinstance(epoch_of(run, made.study(steps_per_epoch=0), 225), Missing)
    no_evaluation = made.run("g", 0)
    assert isinstance(epoch_of(no_evaluation, made.study(), 225), Missing)


# --- where nothing can be selected --------------------------------------------------------


REWARD = MetricPlan(name="reward", direction="higher")


def last_of(made, runs, metric=REWARD, **changes):
    return made.analysed(made.study(groups=(), metric=metric, **changes), runs)


def runs_of(made, curves, split="", metric="reward"):
    """Runs of one group with these values at steps 0, 10, 20, ..."""
    found = [
        made.run("g", seed, made.series(
            split, values, steps=[10 * i for i in range(len(values))], metric=metric, unit=""
        ))
        for seed, values in enumerate(curves)
    ]  # fmt: skip
    return Runs(root="logs", runs=tuple(found))


def value(reading):
    return reading.value if isinstance(reading, Quantity) else None


numbers = st.one_of(st.floats(-1e6, 1e6).map(lambda x: round(x, 4)), st.just(math.nan))
curves = st.lists(st.lists(numbers, min_size=1, max_size=60), min_size=1, max_size=5)


@given(curves=curves)
def test_every_last_value_end_and_extreme_is_that_of_pandas(made, curves):
    facts = last_of(made, runs_of(made, curves))
    frames = [pd.Series(v, index=[10 * i for i in range(len(v))], dtype=float) for v in curves]
    last = [frame.iloc[-1] for frame in frames if not math.isnan(frame.iloc[-1])]
    if not any(frame.notna().any() for frame in frames):
        assert not facts.selection.is_last
        return
    (group,) = facts.groups
    for frame, cell in zip(frames, group.cells, strict=True):
        if frame.notna().sum() == 0:
            assert isinstance(cell.lowest_value, Missing)
            continue
        assert value(cell.highest_value) == value(cell.oracle_value) == frame.max()
        assert cell.highest_value.sources[0].step == frame.idxmax()
        assert value(cell.lowest_value) == frame.min()
        assert cell.lowest_value.sources[0].step == frame.idxmin()
        tail = frame.iloc[-math.ceil(len(frame) / 10) :].mean()
        if len(frame) < 20 or math.isnan(tail):
            assert isinstance(cell.end_value, Missing)
        else:
            assert value(cell.end_value) == pytest.approx(tail, rel=1e-9, abs=1e-9)
    assert group.report.n == group.last.n == len(last)
    if last:
        assert value(group.report.mean) == pytest.approx(np.mean(last), rel=1e-9, abs=1e-9)
    if len(last) > 2:
        assert value(group.report.std) == pytest.approx(pd.Series(last).std(), rel=1e-6, abs=1e-6)


def test_an_end_has_at_most_a_hundred_points(made):
    (cell,) = last_of(made, runs_of(made, [[float(i) for i in range(5000)]])).groups[0].cells
    assert len(cell.end_value.sources) == 100
    assert cell.end_value.value == sum(range(4900, 5000)) / 100


@pytest.mark.parametrize("last", [math.nan, math.inf])
def test_runs_that_all_end_in_no_number_still_have_ends_and_extremes(made, last):
    values = [1 / (i + 1) for i in range(99)]
    (group,) = last_of(made, runs_of(made, [[*values, last]], split="train")).groups
    assert group.report.n == 0
    assert f"{last} for train/reward at step 990" in group.cells[0].report_value.reason
    assert group.cells[0].lowest_value.value == values[-1]
    assert group.cells[0].end_value.value == pytest.approx(np.mean(values[-9:]))


@pytest.mark.parametrize(
    ("logged", "kind", "split"),
    ROWS["the_best_value_is_selected_where_one_can_be_else_the_last_one_counts"],
)
def test_the_best_value_is_selected_where_one_can_be_else_the_last_one_counts(
    made, logged, kind, split
):
    series = [made.series(s, v, metric="reward", unit="") for s, v in logged.items()]
    facts = last_of(made, Runs(root="logs", runs=(made.run("g", 0, *series),)))
    assert (facts.selection.kind, facts.selection.split) == (kind, split)
    (group,) = facts.groups
    assert group.report.mean.value == 2.0
    assert isinstance(group.cells[0].best_step, Missing) == (kind == "last")


def test_a_split_of_few_leaves_no_run_without_what_a_policy_earned(made):
    for metric, split, told in (("reward", "", 5), ("accuracy", "test", 2)):
        curves = [made.series("", [1.0, 2.0], metric=metric, unit="")] * 5
        tested = [made.series("test", [3.0, 4.0], metric=metric, unit="")] * 2
        runs = [made.run("g", seed, curve, *tested[seed : seed + 1], name=f"g{seed}")
                for seed, curve in enumerate(curves)]  # fmt: skip
        facts = last_of(made, Runs(root="logs", runs=tuple(runs)), MetricPlan(name=metric))
        assert (facts.selection.split, facts.groups[0].report.n) == (split, told)


def test_other_metrics_are_those_that_tell_of_quality(made):
    names = ("reward", "td_loss", "time_fps", "learning_rate", "entropy")
    curves = [made.series("", [1.0, 2.0], metric=name, unit="") for name in names]
    runs = Runs(root="logs", runs=(made.run("g", 0, *curves),))
    for others, shown in (
        (("*",), ["td_loss", "entropy"]),
        ((), []),
        (("time_fps",), ["time_fps"]),
    ):
        metric = MetricPlan(name="reward", direction="higher", others=others)
        assert [m.name for m in last_of(made, runs, metric).others.metrics] == shown


# --- measured after training ----------------------------------------------------------------


def result(value, split="test", **more):
    given = {"tag": f"{split}_accuracy", "metric": "accuracy", "unit": "fraction"} | more
    return Result(value=value, split=split, path="test_results.json", **given)


def measured(made, values, *members, **more):
    """Runs with a validation curve whose best is .82, and one number measured after training."""
    runs = [
        replace(
            made.run("g", seed, made.series("validation", [0.8, 0.82], unit="fraction"), *members),
            results=tuple(result(one, **more) for one in found),
        )
        for seed, found in enumerate(values)
    ]
    return made.facts(runs=Runs(root="logs", runs=tuple(runs)), groups=()).groups[0]


@pytest.mark.parametrize(
    ("values", "reported", "reason"), ROWS["one_number_is_a_result_and_several_are_none"]
)
def test_one_number_is_a_result_and_several_are_none(made, values, reported, reason):
    (cell,) = measured(made, [values]).cells
    assert value(cell.report_value) == reported
    assert value(cell.result_value) == reported
    assert reported is not None or cell.result_value.reason == reason


def test_many_curves_that_nowhere_meet_have_no_course():
    apart = [(np.array([float(n)]), np.array([1.0])) for n in range(3)]
    assert course_of(apart, divide(apart)).x == ()
