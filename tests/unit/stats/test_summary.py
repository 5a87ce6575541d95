"""Means and spreads, with the published answers and at every small n."""

import math

import pytest

from reportgen.records.quantity import Evidence, Missing, Quantity
from reportgen.records.study import StatisticsPlan
from reportgen.stats import mean_of, std_of, summarise_values


def summary(*values, ddof=1, confidence=0.95):
    readings = [
        Missing(reason="none")
        if v is None
        else Quantity(value=v, unit="fraction", sources=(Evidence(path=f"{i}.log"),))
        for i, v in enumerate(values)
    ]
    return summarise_values(readings, StatisticsPlan(ddof=ddof, confidence=confidence))


@pytest.mark.parametrize(
    ("values", "mean", "sample", "population", "interval"),
    [
        ((0.814, 0.804, 0.801), 80.63, 0.681, 0.556, 1.69),
        ((0.739, 0.739, 0.731), 73.63, 0.462, 0.377, 1.15),
        ((0.799, 0.785, 0.801), 79.5, 0.872, 0.712, 2.17),
        ((0.654, 0.667, 0.674), 66.5, 1.015, 0.829, 2.52),
    ],
)
def test_published_answers(values, mean, sample, population, interval):
    s = summary(*values)
    assert round(100 * s.mean.value, 2) == mean
    assert round(100 * s.std.value, 3) == sample
    assert round(100 * s.std_other.value, 3) == population
    assert round(100 * s.interval.value, 2) == interval
    assert (s.std.ddof, s.std_other.ddof, s.n) == (1, 0, 3)


def test_ddof_0_swaps_the_two_and_leaves_the_interval():
    sample, population = summary(0.8, 0.7, 0.9), summary(0.8, 0.7, 0.9, ddof=0)
    assert population.std.value == sample.std_other.value
    assert population.std_other.value == sample.std.value
    assert population.std.method.startswith("population standard deviation")
    assert population.interval.value == sample.interval.value


def test_what_a_number_was_computed_from_comes_with_it():
    s = summary(0.814, None, 0.801)
    assert [e.path for e in s.mean.sources] == ["0.log", "2.log"]
    assert s.mean.formula == "(0.814 + 0.801) / 2"
    assert summary(0.5, -0.25).mean.formula == "(0.5 + (-0.25)) / 2"


def test_the_formula_of_a_std_reproduces_it():
    s = summary(0.814, 0.804, 0.801)
    formula = s.std.formula.replace("^", "**")
    assert eval(formula, {"sqrt": math.sqrt}) == pytest.approx(s.std.value, rel=1e-12)  # noqa: S307


def test_one_run_has_a_value_and_no_spread():
    s = summary(0.8, None)
    assert (s.n, s.mean.value, s.mean.method) == (1, 0.8, "value, single run")
    assert s.std == s.std_other == s.interval
    assert "single run" in s.std.reason


def test_equal_values_have_exactly_no_spread_and_no_interval():
    s = summary(0.1, 0.1, 0.1)
    assert (s.mean.value, s.std.value) == (0.1, 0.0)
    assert "all runs have the same value" in s.interval.reason


def test_the_bare_functions_refuse_too_few_values():
    with pytest.raises(ValueError, match="no values"):
        mean_of([])
    with pytest.raises(ValueError, match="more than 1 values"):
        std_of([0.8], 1)
