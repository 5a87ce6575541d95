"""Groups that share some of their seeds, against scipy's paired test of those alone."""

import pytest
from scipy import stats

from reportgen.records.quantity import Missing
from reportgen.stats import compare_pair, compare_shared, group_of_values, only_seeds, shared_seeds

LEFT = {0: 0.799, 1: 0.785, 2: 0.801, 5: 0.76, 9: 0.74}
RIGHT = {0: 0.654, 1: 0.667, 2: 0.674, 5: 0.69, 7: 0.7, 8: 0.71}


@pytest.fixture
def pair():
    return group_of_values("a", LEFT), group_of_values("b", RIGHT)


def test_the_headline_counts_every_run(pair):
    whole = compare_pair(*pair)
    test = stats.ttest_ind(list(LEFT.values()), list(RIGHT.values()), equal_var=False)
    assert whole.method == "Welch t"
    assert whole.p.value == pytest.approx(test.pvalue, rel=1e-9)
    low, high = test.confidence_interval()
    assert [whole.low.value, whole.high.value] == pytest.approx([low, high], rel=1e-9)


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_the_shared_seeds_are_paired(pair, confidence):
    seeds = shared_seeds(*pair)
    assert seeds == (0, 1, 2, 5)
    shared = compare_shared(*pair, confidence=confidence)
    test = stats.ttest_rel([LEFT[s] for s in seeds], [RIGHT[s] for s in seeds])
    low, high = test.confidence_interval(confidence)
    assert shared.method == "paired t"
    assert shared.p.value == pytest.approx(test.pvalue, rel=1e-9)
    assert [shared.low.value, shared.high.value] == pytest.approx([low, high], rel=1e-9)
    assert (shared.degrees, shared.p_floor.value) == (3, 2 / 2**4)
    assert [seed for seed, _, _ in shared.pairs] == list(seeds)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ({0: 0.1, 1: 0.2, 2: 0.3}, {0: 0.2, 1: 0.2, 2: 0.1}),  # all: paired in the headline
        ({0: 0.1, 1: 0.2, 2: 0.3}, {0: 0.2, 1: 0.2, 3: 0.1}),  # two: no interval
        ({0: 0.1, 1: 0.2, 2: 0.3}, {4: 0.2, 5: 0.2, 6: 0.1}),
        ({0: 0.1, 1: 0.2, 2: 0.3}, {}),
    ],
)
def test_nothing_beside_where_all_seeds_or_too_few_are_shared(left, right):
    assert compare_shared(group_of_values("a", left), group_of_values("b", right)) is None


def test_one_group_may_have_no_other_seeds():
    left, right = group_of_values("a", LEFT), group_of_values("b", {0: 0.6, 1: 0.7, 2: 0.65})
    assert [seed for seed, _, _ in compare_shared(left, right).pairs] == [0, 1, 2]


def test_a_difference_that_is_the_same_for_every_seed_has_no_interval():
    left = group_of_values("a", {0: 0.5, 1: 0.6, 2: 0.7, 3: 0.9})
    right = group_of_values("b", {0: 0.4, 1: 0.5, 2: 0.6})
    shared = compare_shared(left, right)
    assert shared.difference.value == pytest.approx(0.1, abs=1e-12)
    assert isinstance(shared.low, Missing)
    assert "same for every seed" in shared.low.reason


def test_what_is_left_of_a_group_has_its_own_sources(pair):
    kept = only_seeds(pair[0], (0, 5), confidence=0.95)
    assert kept.report.values == (LEFT[0], LEFT[5])
    assert [cell.seed for cell in kept.cells] == [0, 5]
