"""Differences of two groups: paired, unpaired, and where n allows less."""

from dataclasses import replace

import pytest

from reportgen.records.errors import StudyError
from reportgen.records.facts import Task
from reportgen.records.quantity import Missing
from reportgen.records.study import Study
from reportgen.stats import (
    compare_groups,
    compare_pair,
    difference_of,
    group_of_values,
    t_statistic,
)

PRETRAINED = group_of_values("pretrained", {0: 0.799, 1: 0.785, 2: 0.801})
RANDOM = group_of_values("random", {0: 0.654, 1: 0.667, 2: 0.674})


def test_differences_that_are_equal_on_paper_have_neither_interval_nor_p():
    # In binary 0.799 - 0.654 and 0.785 - 0.64 differ in their last bit.
    a = group_of_values("a", {0: 0.799, 1: 0.785, 2: 0.801})
    b = group_of_values("b", {0: 0.654, 1: 0.64, 2: 0.656})
    c = compare_pair(a, b)
    assert c.difference.value == 0.145
    # The values do vary; what does not is their difference.
    assert c.low == c.high == c.p == t_statistic(a, b)
    assert c.p.reason.startswith("the difference is the same for every seed, which leaves")


def test_groups_that_do_not_vary_at_all_have_neither_interval_nor_p():
    a = group_of_values("a", {0: 0.8, 1: 0.8, 2: 0.8})
    b = group_of_values("b", {3: 0.7, 4: 0.7, 5: 0.7})
    c = compare_pair(a, b)
    assert (c.method, c.difference.value) == ("Welch t", 0.1)
    assert c.low == c.high == c.p == t_statistic(a, b)
    assert c.p.reason.startswith("the values of neither group vary, which leaves")


def test_a_difference_that_ends_in_a_five_keeps_it():
    # Binary arithmetic gives 0.99249999..., which would be printed as 99.2.
    a = group_of_values("a", {0: 0.99, 1: 1.0, 2: 0.995, 3: 0.985})
    b = group_of_values("b", {0: 0.0, 1: 0.0, 2: 0.0, 3: 0.0})
    for c in (compare_pair(a, b), compare_pair(a, group_of_values("c", {7: 0.0, 8: 0.0, 9: 0.0}))):
        assert c.difference.value == 0.9925


@pytest.mark.parametrize("compare", [("pretrained", "rendom"), ("pretrained",)])
def test_names_that_are_no_groups_are_refused(made, compare):
    with pytest.raises(StudyError, match="takes the names of two groups"):
        made.facts(compare=compare)


def test_parts_of_one_group_are_not_compared_with_each_other():
    parts = [
        replace(group, task=Task(kind="given_up", name="whole")) for group in (PRETRAINED, RANDOM)
    ]
    assert compare_groups(Study(), tuple(parts)) == ()


def test_a_difference_needs_both_values():
    mean, missing = PRETRAINED.report.mean, Missing(reason="gone")
    assert difference_of(mean, missing, "gap") == missing
    assert difference_of(missing, mean, "gap") == missing
    assert difference_of(mean, RANDOM.report.mean, "gap").value == pytest.approx(0.13)


# --- seeds that two groups share --------------------------------------------------------

LEFT = {0: 0.799, 1: 0.785, 2: 0.801, 5: 0.76, 9: 0.74}
RIGHT = {0: 0.654, 1: 0.667, 2: 0.674, 5: 0.69, 7: 0.7, 8: 0.71}


@pytest.fixture
def pair():
    return group_of_values("a", LEFT), group_of_values("b", RIGHT)


def test_the_headline_counts_every_run(pair):
    whole = compare_pair(*pair)
    from scipy import stats  # a second, which no other test of modules needs

    test = stats.ttest_ind(list(LEFT.values()), list(RIGHT.values()), equal_var=False)
    assert whole.method == "Welch t"
    assert whole.p.value == pytest.approx(test.pvalue, rel=1e-9)
    low, high = test.confidence_interval()
    assert [whole.low.value, whole.high.value] == pytest.approx([low, high], rel=1e-9)
