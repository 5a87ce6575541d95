"""Tolerance of a repeated run, against scipy and published values."""

import math

import pytest
from fakes.made_runs import SIX, facts
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reportgen.stats import group_of_values
from reportgen.train.plan.jobs import tolerance


def group(name, *values):
    return group_of_values(name, dict(enumerate(values)))


samples = st.lists(st.integers(0, 2000).map(lambda n: n / 2000), min_size=1, max_size=6)


@given(table=st.lists(samples, min_size=1, max_size=4))
def test_pooled_like_scipy(table):
    found = tolerance([group(str(i), *values) for i, values in enumerate(table)], 2000)
    several = [values for values in table if len(values) > 1]
    degrees = sum(len(values) - 1 for values in several)
    if any(len(set(values)) > 1 for values in several):
        # The residual variance of a one-way analysis of variance.
        means = [math.fsum(v) / len(v) for v in several]
        squares = math.fsum((x - m) ** 2 for v, m in zip(several, means, strict=True) for x in v)
        expected = stats.t.ppf(0.975, degrees) * math.sqrt(2 * squares / degrees)
        assert found == pytest.approx(expected, rel=1e-6)
    else:
        assert found > 0


def test_the_test_set_stands_in_where_nothing_varies():
    found = tolerance([group("a", 0.8), group("b", 0.8, 0.8)], 2000)
    expected = 1.959964 * math.sqrt(2 * 0.8 * 0.2 / 2000)
    assert found == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_all_right_leaves_room_for_an_example(value):
    assert tolerance([group("a", value)], 100) > 0.01


@pytest.mark.parametrize(
    ("groups", "size"), [([], 2000), ([group("a", 3.5)], 2000), ([group("a", 0.5)], 0)]
)
def test_nothing_tells_a_tolerance(groups, size):
    """No value, no proportion of examples, no number of them."""
    assert tolerance(groups, size) is None


def test_cells_without_a_value_do_not_count():
    whole = tolerance(facts().groups, 2000)
    table = {cell: values for cell, values in SIX.items() if cell != ("random", 2)}
    assert tolerance(facts(table).groups, 2000) != whole
