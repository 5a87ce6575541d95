"""The statistics against scipy and numpy."""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from reportgen.records.quantity import Missing, Quantity
from reportgen.records.study import StatisticsPlan
from reportgen.stats import (
    compare_pair,
    group_of_values,
    mean_of,
    normal_quantile,
    std_of,
    summarise_values,
    t_quantile,
    t_statistic,
    two_sided_p,
    wilson_interval,
)

DEGREES = (1, 1.5, 2, 2.7, 3, 4, 5, 9, 10, 29, 30.5, 100, 1000, 9999)
STATISTICS = (0.0, 1e-4, 1e-3, 0.1, 0.5, 1.0, 1.96, 2.5, 4.3, 10.0, 16.38, 100.0, 1e4, 1e8)


@pytest.mark.parametrize("degrees", DEGREES)
def test_p_of_t(degrees):
    ours = [two_sided_p(t, degrees) for t in STATISTICS]
    theirs = [2 * scipy_stats.t.sf(t, degrees) for t in STATISTICS]
    assert ours == pytest.approx(theirs, rel=1e-10, abs=1e-300)
    assert [two_sided_p(-t, degrees) for t in STATISTICS] == ours


@pytest.mark.parametrize("t", [1e-12, 1e-8, 1e-4, 1.0, 1e4, 1e12])
def test_p_of_t_in_closed_form(t):
    # One degree of freedom is the Cauchy distribution, two have a closed form as well.
    assert two_sided_p(t, 1) == pytest.approx(2 / math.pi * math.atan2(1, t), rel=1e-12)
    square = t * t
    two = 2 / (2 + square) / (1 + math.sqrt(square / (2 + square)))
    assert two_sided_p(t, 2) == pytest.approx(two, rel=1e-12)


@pytest.mark.parametrize("degrees", DEGREES)
@pytest.mark.parametrize("confidence", [0.01, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.999999])
def test_quantile_of_t(confidence, degrees):
    theirs = scipy_stats.t.ppf(0.5 + confidence / 2, degrees)
    assert t_quantile(confidence, degrees) == pytest.approx(theirs, rel=1e-9)


def test_the_ends_of_the_distribution():
    assert two_sided_p(0.0, 3) == 1.0
    assert two_sided_p(float("inf"), 3) == 0.0
    for call in (
        lambda: two_sided_p(1.0, 0),
        lambda: t_quantile(1.0, 3),
        lambda: normal_quantile(0),
    ):
        with pytest.raises(ValueError, match="must"):
            call()


def test_quantile_of_the_normal_distribution():
    for confidence in (0.5, 0.9, 0.95, 0.999):
        assert normal_quantile(confidence) == pytest.approx(
            scipy_stats.norm.ppf(0.5 + confidence / 2), rel=1e-12
        )


@pytest.mark.parametrize("n", [3, 4, 7, 30])
def test_mean_and_std_against_numpy(n):
    values = list(np.random.default_rng(n).normal(0.8, 0.01, n))
    assert mean_of(values) == pytest.approx(np.mean(values), rel=1e-14)
    for ddof in (0, 1):
        assert std_of(values, ddof) == pytest.approx(np.std(values, ddof=ddof), rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_paired_t(seed):
    a, b = np.random.default_rng(seed).normal(0.8, 0.02, (2, 3 + seed % 5)).round(4)
    first, second = (
        group_of_values("a", dict(enumerate(a))),
        group_of_values("b", dict(enumerate(b))),
    )
    ours, theirs = compare_pair(first, second), scipy_stats.ttest_rel(a, b)
    interval = theirs.confidence_interval(0.95)
    assert ours.p.value == pytest.approx(theirs.pvalue, rel=1e-9)
    assert t_statistic(first, second).value == pytest.approx(theirs.statistic, rel=1e-9)
    assert (ours.low.value, ours.high.value) == pytest.approx((interval.low, interval.high))


@pytest.mark.parametrize("seed", range(20))
def test_welch_t(seed):
    random = np.random.default_rng(seed)
    a, b = random.normal(0.8, 0.02, 3 + seed % 4), random.normal(0.7, 0.05, 3 + seed % 7)
    first = group_of_values("a", dict(enumerate(a)))
    second = group_of_values("b", {100 + i: v for i, v in enumerate(b)})
    ours = compare_pair(first, second)
    theirs = scipy_stats.ttest_ind(a, b, equal_var=False)
    interval = theirs.confidence_interval(0.95)
    assert ours.method == "Welch t"
    assert ours.degrees == pytest.approx(theirs.df, rel=1e-9)
    assert ours.p.value == pytest.approx(theirs.pvalue, rel=1e-8)
    assert (ours.low.value, ours.high.value) == pytest.approx((interval.low, interval.high))


@pytest.mark.parametrize("n", [3, 4, 5])
def test_the_floor_of_p_is_what_an_exact_test_reaches(n):
    a, b = np.arange(n) + 100.0, np.arange(n) * 1.5
    paired = compare_pair(
        group_of_values("a", dict(enumerate(a))), group_of_values("b", dict(enumerate(b)))
    )
    flips = scipy_stats.permutation_test(
        (a, b), lambda x, y: np.mean(x - y), permutation_type="samples", n_resamples=np.inf
    )
    assert paired.p_floor.value == pytest.approx(flips.pvalue)
    other = compare_pair(
        group_of_values("a", dict(enumerate(a))),
        group_of_values("b", {100 + i: v for i, v in enumerate(b)}),
    )
    swaps = scipy_stats.permutation_test(
        (a, b),
        lambda x, y: np.mean(x) - np.mean(y),
        permutation_type="independent",
        n_resamples=np.inf,
    )
    assert other.p_floor.value == pytest.approx(swaps.pvalue)


@pytest.mark.parametrize(("right", "size"), [(1, 5), (81, 263), (163, 200), (1600, 2000), (50, 50)])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_wilson(right, size, confidence):
    theirs = scipy_stats.binomtest(right, size).proportion_ci(confidence, method="wilson")
    assert wilson_interval(right / size, size, confidence) == pytest.approx(
        (theirs.low, theirs.high), rel=1e-10
    )


@pytest.mark.parametrize(
    "values",
    [
        (0.1, 0.1, 0.1 + 1e-15),
        (1e-300, 2e-300, 4e-300),
        (1e300, 2e300, 4e300),
        (-0.5, -0.5, 0.5),
        (1e9 + 0.1, 1e9 + 0.2, 1e9 + 0.4),
        (0.0, 0.0, 1.0, 1.0),
        tuple(1 / 3 for _ in range(7)),
    ],
)
def test_nasty_values(values):
    summary = summarise_values([Quantity(value=v) for v in values], StatisticsPlan())
    assert summary.mean.value == pytest.approx(
        float(np.mean(np.array(values, dtype=np.longdouble)))
    )
    assert min(values) <= summary.mean.value <= max(values)
    if len(set(values)) == 1:
        assert (summary.std.value, isinstance(summary.interval, Missing)) == (0.0, True)
    else:
        # numpy squares what it is given, which must not leave the range of a float.
        scale = max(map(abs, values))
        exact = scale * float(np.std(np.array(values, dtype=np.longdouble) / scale, ddof=1))
        # Fourteen digits of the values are kept: below, a spread is noise of binary.
        assert summary.std.value == pytest.approx(exact, rel=1e-6, abs=2e-14 * max(values))


@pytest.mark.parametrize(("values", "printed"), [
    ((79.9, 78.5, 80.1), (79.5, 0.87, 2.17)),
    ((65.4, 66.7, 67.4), (66.5, 1.01, 2.52)),
])  # fmt: skip
def test_the_check_values_of_the_design(values, printed):
    summary = summarise_values([Quantity(value=v) for v in values], StatisticsPlan())
    mean, std, half = (q.value for q in (summary.mean, summary.std, summary.interval))
    assert (round(mean, 1), round(std, 2), round(half, 2)) == printed
    interval = scipy_stats.t.interval(
        0.95, 2, loc=np.mean(values), scale=np.std(values, ddof=1) / math.sqrt(3)
    )
    assert (mean - half, mean + half) == pytest.approx(interval)
