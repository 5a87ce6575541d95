"""TensorBoard's debiased average against the sum it stands for."""

import math

import pytest

from reportgen.stats import smooth_values


def weighted_mean(values, weight):
    """The same average as an explicit weighted mean of all earlier finite values."""
    smoothed = []
    for end, value in enumerate(values):
        seen = [v for v in values[: end + 1] if math.isfinite(v)]
        weights = [weight ** (len(seen) - 1 - i) for i in range(len(seen))]
        average = sum(w * v for w, v in zip(weights, seen, strict=True)) / (sum(weights) or 1)
        smoothed.append(average if math.isfinite(value) else value)
    return smoothed


@pytest.mark.parametrize("weight", [0.0, 0.3, 0.6, 0.99])
def test_it_is_a_weighted_mean(weight):
    values = [3.0, -1.0, 4.0, 1.5, 9.0, 2.6]
    assert smooth_values(values, weight) == pytest.approx(weighted_mean(values, weight))


def test_a_constant_curve_stays_exactly_constant():
    assert smooth_values([0.1] * 5, 0.9) == (0.1,) * 5


def test_nan_and_infinity_pass_through_and_leave_no_trace():
    values = [1.0, math.nan, 2.0, math.inf, 3.0]
    smoothed = smooth_values(values, 0.6)
    assert math.isnan(smoothed[1])
    assert math.isinf(smoothed[3])
    finite = [v for v in smoothed if math.isfinite(v)]
    assert finite == pytest.approx(list(smooth_values([1.0, 2.0, 3.0], 0.6)))
