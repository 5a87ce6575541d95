"""Three and more groups: the difference of every pair."""

from __future__ import annotations

import numpy as np
from scipy.stats import ttest_rel

from reportgen.report import all_groups, other_metrics


def facts_of(made, tests, **changes):
    """Facts of {group: test values of its seeds}; validation is best at the second step."""
    table = {
        (group, seed): ([10.0, 20.0], [value - 5, value])
        for group, values in tests.items()
        for seed, value in enumerate(values)
    }
    return made.facts(table, groups=(), **changes)


THREE = {"a": (60.0, 61.0, 62.5), "b": (70.0, 71.5, 72.0), "c": (60.5, 61.0, 62.0)}


def test_every_pair_has_its_difference_and_two_intervals(made):
    table = made.tables(all_groups.build(facts_of(made, THREE)))["all_groups.pairs"]
    expected = []
    for first, second in ("ba", "bc", "ac"):
        test = ttest_rel(THREE[first], THREE[second])
        row = [f"{first} minus {second}", signed(np.mean(THREE[first]) - np.mean(THREE[second]))]
        for level in (0.95, 1 - 0.05 / 3):
            ends = test.confidence_interval(level)
            row.append(f"{signed(ends.low)} to {signed(ends.high)}")
        expected.append(row)
    assert made.grid(table) == expected


def signed(value):
    """A difference as a report prints it."""
    return f"{value + 0.0:+.2f}".replace("-", "−").replace("+0.00", "0.00")


def test_two_groups_or_many_have_no_table_of_pairs(made):
    two = {name: THREE[name] for name in "ab"}
    assert all_groups.build(facts_of(made, two)) is None
    many = {f"g{i}": (60.0 + i, 61.0 + 2 * i, 62.0) for i in range(7)}
    assert all_groups.build(facts_of(made, many)) is None


def test_no_other_metric_no_section(made):
    assert other_metrics.build(made.facts()) is None
