"""Quartiles under every definition, held against NumPy's and Python's own."""

from __future__ import annotations

import statistics
from decimal import Decimal

import numpy as np
import pytest

from reportgen.checks._quartiles import quartiles_of

METHODS = (
    *("inverted_cdf", "averaged_inverted_cdf", "closest_observation"),
    *("interpolated_inverted_cdf", "hazen", "weibull", "linear", "median_unbiased"),
    *("normal_unbiased", "lower", "higher", "midpoint", "nearest"),
)
SAMPLES = (
    [79.9, 78.5],
    [79.9, 78.5, 80.1],
    [66.0, 65.7, 67.7, 71.0],
    [3.0, 1.0, 4.0, 1.5, 9.0],
    [0.1, 0.4, 0.2, 0.8, 0.7, 0.35, 0.9, 0.15],
    list(np.random.default_rng(7).normal(70, 2, 11).round(3)),
)


def found(values, name):
    return [
        float(v) for n, _, v in quartiles_of([Decimal(repr(float(v))) for v in values]) if n == name
    ]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("values", SAMPLES, ids=len)
def test_every_definition_of_numpy_is_a_legal_one(values, method):
    low, high = np.quantile(values, (0.25, 0.75), method=method)
    for name, value in (("q1", low), ("q3", high), ("iqr", high - low)):
        assert any(abs(own - value) < 1e-9 for own in found(values, name)), name


@pytest.mark.parametrize("method", ["exclusive", "inclusive"])
@pytest.mark.parametrize("values", SAMPLES[1:], ids=len)
def test_those_of_python_are_legal_too(values, method):
    low, _, high = statistics.quantiles(values, n=4, method=method)
    assert any(abs(own - low) < 1e-9 for own in found(values, "q1"))
    assert any(abs(own - high) < 1e-9 for own in found(values, "q3"))


def test_no_quartile_lies_outside_of_the_values_and_one_value_has_none():
    for values in SAMPLES:
        every = found(values, "q1") + found(values, "q3")
        assert min(values) <= min(every)
        assert max(every) <= max(values)
    assert quartiles_of([Decimal(1)]) == ()
