"""TensorBoard's debiased average at its edges; `oracle/test_pandas.py` holds its values."""

import math

import pytest

from reportgen.stats import smooth_values


def test_a_constant_curve_stays_exactly_constant():
    assert smooth_values([0.1] * 5, 0.9) == (0.1,) * 5


def test_nan_and_infinity_pass_through_and_leave_no_trace():
    values = [1.0, math.nan, 2.0, math.inf, 3.0]
    smoothed = smooth_values(values, 0.6)
    assert math.isnan(smoothed[1])
    assert math.isinf(smoothed[3])
    finite = [v for v in smoothed if math.isfinite(v)]
    assert finite == pytest.approx(list(smooth_values([1.0, 2.0, 3.0], 0.6)))
