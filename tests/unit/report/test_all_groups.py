"""Three and more groups: order, every pair, and groups that are compared with no other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ttest_rel

from reportgen.records.document import Bullets, walk
from reportgen.report import all_groups, observations


def facts_of(made, tests, **changes):
    """Facts of {group: test values of its seeds}; validation is best at the second step."""
    table = {
        (group, seed): ([10.0, 20.0], [value - 5, value])
        for group, values in tests.items()
        for seed, value in enumerate(values)
    }
    return made.facts(table, groups=(), **changes)


THREE = {"a": (60.0, 61.0, 62.5), "b": (70.0, 71.5, 72.0), "c": (60.5, 61.0, 62.0)}


def bullets(made, section):
    items = [t for b in walk((section,)) if isinstance(b, Bullets) for t in b.items]
    return dict(made.words(item).split(". ", 1) for item in items)


def test_the_order_names_what_is_printed_alike_together(made):
    prose = made.prose(all_groups.build(facts_of(made, THREE)))
    assert "test accuracy, means as printed: b (71.17%) and a and c (61.17% each)." in prose


def test_lower_is_better_turns_the_order(made):
    metric = made.study().metric
    facts = facts_of(
        made,
        {"a": (60.0, 61.0, 62.5), "b": (70.0, 71.5, 72.0), "c": (50.5, 51.0, 52.0)},
        metric=replace(metric, direction="lower"),
    )
    assert "printed: c (46.17%), a (56.17%) and b (66.17%)." in made.prose(all_groups.build(facts))


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


def test_what_excludes_zero_is_named(made):
    prose = made.prose(all_groups.build(facts_of(made, THREE)))
    assert "The 95% interval excludes zero for b against a and b against c." in prose
    assert "[bonferroni]" in prose
    close = {"a": (60.0, 61.0, 62.5), "b": (60.5, 60.0, 63.0), "c": (61.5, 61.0, 60.0)}
    prose = made.prose(all_groups.build(facts_of(made, close)))
    assert "No 95% interval excludes zero." in prose
    assert "none excludes zero" in prose


def test_two_groups_or_many_have_no_table_of_pairs(made):
    two = {name: THREE[name] for name in "ab"}
    assert all_groups.build(facts_of(made, two)) is None
    many = {f"g{i}": (60.0 + i, 61.0 + 2 * i, 62.0) for i in range(7)}
    section = all_groups.build(facts_of(made, many))
    assert made.tables(section) == {}
    assert "The 21 pairs of groups" in made.prose(section)


# --- groups that are compared with no other ---------------------------------------------


def test_one_group_is_told_of(made):
    facts = facts_of(made, {"a": (60.0, 61.0, 62.5)})
    told = bullets(made, observations.build(facts))
    assert told["Best and last step"].startswith("The best step is the last one in every run")
    assert told["Ties"] == "No run reaches its best validation accuracy at two steps."
    assert told["Length of training"] == "All runs were last evaluated at the same step, 450."
    assert told["Outliers"] == (
        "The run of a farthest from the mean of its other runs is seed 2 (+2.0 points). No test "
        "for outliers is made in a group of fewer than seven runs."
    )


def test_a_single_run_has_no_mean_and_no_spread(made):
    told = bullets(made, observations.build(facts_of(made, {"a": (60.0,)})))
    text = " ".join(told.values())
    assert "mean" not in text
    assert "deviation" not in text
    assert told["Best and last step"].startswith("The best step of the run is the last one.")


def test_a_comparison_that_says_it_all_leaves_nothing(made):
    assert observations.build(made.facts()) is None


@pytest.mark.parametrize("rule", ["first", "last"])
def test_ties_of_a_single_group(made, rule):
    table = {("a", s): ([80.0, 80.0], [60.0 + s, 70.0 + s]) for s in range(3)}
    metric = replace(made.study().metric, ties=rule)
    told = bullets(made, observations.build(made.facts(table, groups=(), metric=metric)))
    other = "last" if rule == "first" else "first"
    own, changed = ("61.0%", "71.0%") if rule == "first" else ("71.0%", "61.0%")
    assert f"(a, seed 0; a, seed 1; a, seed 2); the {rule} was taken." in told["Ties"]
    assert told["Ties"].endswith(
        f"Taking the {other} would give a a mean of {changed} instead of {own}."
    )


def test_lengths_that_differ_are_told(made):
    table = {("a", 0): ([1.0, 2.0], [1.0, 2.0]), ("a", 1): ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])}
    told = bullets(made, observations.build(made.facts(table, groups=())))
    assert told["Length of training"] == (
        "The runs are not equally long: their last evaluations lie between step 450 and step 675."
    )


def test_grubbs_is_cited_from_seven_runs_on(made):
    calm = {"a": (60.0, 61.0, 62.0, 61.5, 60.5, 61.2, 60.8)}
    wild = {"a": (60.0, 61.0, 62.0, 61.5, 60.5, 61.2, 40.0)}
    told = [
        bullets(made, observations.build(facts_of(made, values)))["Outliers"]
        for values in (calm, wild)
    ]
    assert "calls no run of it an outlier" in told[0]
    assert "calls it an outlier: G is 2.2" in told[1]
    assert all("critical value 2.020" in text and "[grubbs]" in text for text in told)


def falling(made, drops):
    """What is said of the last step: each group is best at its first and loses so much by it."""
    table = {
        (group, seed): ([20.0, 10.0], [80.0 + seed, 80.0 + seed - drop])
        for group, drop in drops.items()
        for seed in range(3)
    }
    told = bullets(made, observations.build(made.facts(table, groups=())))["Best and last step"]
    return told.partition("Reading ")[2]


def test_of_many_groups_how_many_the_last_step_changes_and_which_the_most(made):
    drops = {f"g{number:02d}": 0.0 for number in range(13)} | {"g04": 2.0, "g11": 5.0}
    assert falling(made, drops) == (
        "the last step instead would change the result of 2 of 13 groups, that of g11 the most, "
        "from 81.0% to 76.0%."
    )
    assert falling(made, drops | {"g04": 7.0}).endswith(
        "that of g04 the most, from 81.0% to 74.0%."
    )
    assert "of 1 of 13 groups" in falling(made, drops | {"g04": 0.0})
    none = falling(made, dict.fromkeys(drops, 0.0))
    assert none == "the last step instead would change no result as printed."
    few = falling(made, {"g04": 2.0, "g11": 5.0, "g12": 0.0})
    assert few.count("g04") == few.count("g11") == few.count("g12") == 1


def test_where_no_interval_could_be_computed_none_is_said_to_hold_zero(made):
    facts = facts_of(made, {"a": (60.0, 61.0, 62.0), "b": (70.0, 71.0, 72.0), "c": (65.0,) * 3})
    assert "No 95% interval could be" not in made.prose(all_groups.build(facts))
    facts = facts_of(
        made, {name: (value,) * 3 for name, value in zip("abc", (60.0, 70.0, 80.0), strict=True)}
    )
    prose = made.prose(all_groups.build(facts))
    assert "No 95% interval could be computed: the difference is the same for every seed" in prose
    assert "excludes zero" not in prose
