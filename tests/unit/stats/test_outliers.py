"""The run that lies apart, and Grubbs' test."""

import pytest

from reportgen.records.quantity import Missing
from reportgen.stats import find_farthest, group_of_values, grubbs_critical, grubbs_statistic


def group(*values):
    return group_of_values("a", dict(enumerate(values)))


def test_three_runs_have_a_farthest_one_and_no_test():
    found = find_farthest(group(0.799, 0.785, 0.801), 0.95)
    assert [cell.seed for cell in found.cells] == [1]
    assert [d.value for d in found.differences] == [-0.015]
    assert isinstance(found.statistic, Missing)
    assert not found.is_outlier


def test_equal_distances_name_both():
    found = find_farthest(group(0.7, 0.8, 0.9), 0.95)
    assert [cell.seed for cell in found.cells] == [0, 2]
    assert [d.value for d in found.differences] == [-0.15, 0.15]


@pytest.mark.parametrize("values", [(0.8,), (0.7, 0.8), (0.8, 0.8, 0.8)])
def test_nothing_lies_apart(values):
    assert find_farthest(group(*values), 0.95) is None


def test_seven_runs_are_tested():
    calm = find_farthest(group(*(0.80, 0.81, 0.82, 0.79, 0.80, 0.81, 0.83)), 0.95)
    wild = find_farthest(group(*(0.80, 0.81, 0.82, 0.79, 0.80, 0.81, 0.60)), 0.95)
    assert (calm.is_outlier, wild.is_outlier) == (False, True)
    assert [cell.seed for cell in wild.cells] == [6]


def test_misuse_is_refused():
    with pytest.raises(ValueError, match="equal"):
        grubbs_statistic([1.0, 1.0, 1.0])
    with pytest.raises(ValueError, match="no value of 2"):
        grubbs_critical(2, 0.95)
