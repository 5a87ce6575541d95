"""In which unit each run logged its ratios."""

import numpy as np
import pytest
from fakes.rows import rows_beside
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.run import Series
from reportgen.runs import read_unit

ROWS = rows_beside(__file__)


def series(*values):
    count = len(values)
    return Series(tag="t", steps=np.arange(count), values=np.array(values, dtype=float),
                  wall_times=np.zeros(count))  # fmt: skip


@pytest.mark.parametrize(
    ("metric", "values", "convention", "unit", "certain"), ROWS["the_unit_of_one_run"]
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
