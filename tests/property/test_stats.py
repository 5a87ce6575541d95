"""What holds for any runs: order, unit and shifts."""

import statistics
from decimal import Decimal

import numpy as np
import pytest
from fakes import made_runs as made
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.quantity import Quantity
from reportgen.records.study import MetricPlan, StatisticsPlan
from reportgen.stats import (
    compare_pair,
    group_of_values,
    largest_distance,
    select_step,
    smooth_values,
    subtract,
    summarise_groups,
    summarise_values,
)

TENTHS = st.integers(0, 1000).map(lambda tenths: tenths / 10)
CURVES = st.lists(TENTHS, min_size=1, max_size=8)
SEEDS = st.dictionaries(st.integers(0, 50), st.tuples(CURVES, CURVES), min_size=1, max_size=5)
FRACTIONS = st.lists(st.integers(0, 1000).map(lambda i: i / 1000), min_size=3, max_size=8)


def summary_of(values):
    readings = [Quantity(value=v, unit="fraction") for v in values]
    return summarise_values(readings, StatisticsPlan())


def table_of(seeds):
    return {("g", seed): curves for seed, curves in seeds.items()}


@given(SEEDS)
def test_float32_logs_give_the_same(seeds):
    study = made.study(groups=())
    (double,) = summarise_groups(study, made.runs_of(table_of(seeds)))
    (single,) = summarise_groups(study, made.runs_of(table_of(seeds), dtype=np.float32))
    assert double.report.values == single.report.values
    assert double.oracle.values == single.oracle.values


@given(FRACTIONS, st.integers(-500, 500))
def test_a_constant_shifts_the_mean_only(values, thousandths):
    shift = thousandths / 1000
    before, after = summary_of(values), summary_of([v + shift for v in values])
    assert after.mean.value == pytest.approx(before.mean.value + shift, abs=1e-12)
    assert after.std.value == pytest.approx(before.std.value, abs=1e-12)
    if len(set(values)) > 1:
        assert after.interval.value == pytest.approx(before.interval.value, abs=1e-11)


@given(FRACTIONS)
def test_the_mean_lies_among_the_values_and_the_sample_std_is_the_larger(values):
    s = summary_of(values)
    assert min(values) <= s.mean.value <= max(values)
    assert s.std.value >= s.std_other.value >= 0
    assert (s.std.value == 0) == (len(set(values)) == 1)


def far_and_reach(values, definition):
    """Return how far a value lies from the mean, and how far it can."""
    n, values = len(values), [Decimal(value) for value in values]
    spread = statistics.pstdev(values) if definition == "population" else statistics.stdev(values)
    spread /= Decimal(n).sqrt() if definition == "standard error" else 1
    far = max(abs(value - statistics.mean(values)) for value in values)
    return far, largest_distance(spread, n, definition)


DEFINITIONS = st.sampled_from(["population", "sample", "standard error"])
NOISE = Decimal("1e-18")


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=9), DEFINITIONS)
def test_no_value_lies_farther_than_it_can(values, definition):
    far, reach = far_and_reach(values, definition)
    assert far <= reach + NOISE


@given(st.integers(2, 12), st.integers(-1000, 1000), DEFINITIONS)
def test_a_value_apart_from_equal_ones_lies_as_far_as_it_can(n, apart, definition):
    far, reach = far_and_reach([0] * (n - 1) + [apart], definition)
    assert abs(far - reach) <= NOISE


@given(FRACTIONS, st.integers(1, 500))
def test_a_gap_that_is_constant_on_paper_is_constant(values, thousandths):
    gap = thousandths / 1000
    means = [(summary_of(values[:n]), n) for n in range(1, len(values) + 1)]
    for before, n in means:
        after = summary_of([subtract(v, -gap) for v in values[:n]])
        assert subtract(after.mean.value, before.mean.value) == gap


@given(CURVES, CURVES)
def test_the_chosen_value_is_a_maximum_and_higher_mirrors_lower(valid, test):
    size = min(len(valid), len(test))
    up = made.run("g", 0, made.series("validation", valid[:size]), made.series("test", test[:size]))
    down = made.run(
        "g",
        0,
        made.series("validation", [100 - v for v in valid[:size]]),
        made.series("test", test[:size]),
    )
    higher = select_step(up, MetricPlan(name="accuracy", direction="higher"))
    lower = select_step(down, MetricPlan(name="accuracy", direction="lower"))
    assert higher.select_value.sources[0].value == max(valid[:size])
    assert higher.best_step.value == higher.tied_steps[0]
    # 100 - v may merge or split ties in binary; the mirrored maximum is the same value.
    assert lower.select_value.value == pytest.approx(1 - higher.select_value.value)


@given(FRACTIONS, FRACTIONS)
def test_swapping_the_groups_flips_the_difference(left, right):
    size = min(len(left), len(right))
    a = group_of_values("a", dict(enumerate(left[:size])))
    b = group_of_values("b", dict(enumerate(right[:size])))
    forth, back = compare_pair(a, b), compare_pair(b, a)
    assert forth.difference.value == -back.difference.value
    if isinstance(forth.low, Quantity):
        assert forth.low.value == pytest.approx(-back.high.value)
    assert type(forth.low) is type(back.low)
    assert getattr(forth.p, "value", None) == pytest.approx(getattr(back.p, "value", None))


@given(st.lists(st.floats(-1e6, 1e6), max_size=30), st.floats(0, 0.99))
def test_smoothing_stays_inside_the_range_of_the_curve(values, weight):
    smoothed = smooth_values(values, weight)
    assert len(smoothed) == len(values)
    if values:
        slack = 1e-9 * max(1.0, *map(abs, values))
        assert min(values) - slack <= min(smoothed)
        assert max(smoothed) <= max(values) + slack
