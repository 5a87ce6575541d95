"""In which unit each run logged its ratios."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.run import Series
from reportgen.runs import read_unit


def series(*values):
    count = len(values)
    return Series(tag="t", steps=np.arange(count), values=np.array(values, dtype=float),
                  wall_times=np.zeros(count))  # fmt: skip


@pytest.mark.parametrize(
    ("metric", "values", "convention", "unit", "certain"),
    [
        ("accuracy", (0.5, 0.7), False, "fraction", True),
        ("accuracy", (0.9, 1.0000001), False, "fraction", True),
        ("accuracy", (0.0, 0.0, 71.5), False, "percent", True),
        ("accuracy", (0.5137, 0.7), True, "fraction", True),
        ("accuracy", (0.5, 0.9), True, "percent", False),
        ("accuracy", (0.0, 1.0), True, "percent", False),
        ("accuracy", (0.0, 1.0), False, "fraction", False),
        ("accuracy", (np.nan,), False, "fraction", False),
        ("wer", (0.9, 0.2), False, "fraction", True),
        ("wer", (1.3, 0.9, 0.5), False, "fraction", False),
        ("wer", (12.0, 8.0, 7.5), False, "percent", True),
        ("loss", (0.5, 0.7), False, "", True),
    ],
)
def test_the_unit_of_one_run(metric, values, convention, unit, certain):
    reading = read_unit(metric, [series(*values)], convention=convention)
    assert (reading.unit, reading.certain) == (unit, certain)


@given(st.lists(st.floats(0.011, 0.998), min_size=1, max_size=9))
def test_the_same_values_in_percent_are_told_from_fractions(values):
    fraction = read_unit("accuracy", [series(*values)], convention=False)
    percent = read_unit("accuracy", [series(*(100 * value for value in values))], convention=False)
    assert (fraction.unit, fraction.certain) == ("fraction", True)
    assert (percent.unit, percent.certain) == ("percent", True)
