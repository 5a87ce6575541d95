"""Selection: the best value on validation, or the last one; what is reported there."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.quantity import Missing, Quantity
from reportgen.records.run import Runs
from reportgen.records.study import MetricPlan
from reportgen.stats import course_of, divide, epoch_of


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


def test_many_curves_that_nowhere_meet_have_no_course():
    apart = [(np.array([float(n)]), np.array([1.0])) for n in range(3)]
    assert course_of(apart, divide(apart)).x == ()
