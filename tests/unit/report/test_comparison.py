"""Two groups side by side: the pairs of their seeds, and the test."""

from __future__ import annotations

import dataclasses

from reportgen.report import comparison


def grid(made, facts, name):
    return made.grid(made.tables(comparison.build(facts))[name])


def test_pairs_and_test_of_the_published_logs(made):
    facts = made.facts()
    assert grid(made, facts, "comparison.pairs") == [
        ["0", "81.4", "73.9", "+7.5"],
        ["1", "80.4", "73.9", "+6.5"],
        ["2", "80.1", "73.1", "+7.0"],
        ["Mean", "80.63", "73.63", "+7.00"],
    ]
    assert grid(made, facts, "comparison.test") == [
        ["pretrained", "80.63 ± 0.68"],
        ["random", "73.63 ± 0.46"],
        ["Difference, points", "+7.00"],
        ["95% interval, points", "+5.76 to +8.24"],
        ["t", "24.25"],
        ["Degrees of freedom", "2"],
        ["p, two-sided", "0.0017"],
        ["Smallest p of an exact sign-flip test", "0.25"],
    ]


def test_other_seeds_use_welch(made):
    table = {("a", s): v for (g, s), v in made.SIX.items() if g == "pretrained"}
    table |= {("b", s + 10): v for (g, s), v in made.SIX.items() if g == "random"}
    facts = made.facts(table, groups=(), compare=("a", "b"))
    assert "comparison.pairs" not in made.tables(comparison.build(facts))
    lines = dict(grid(made, facts, "comparison.test"))
    assert lines["Smallest p of an exact permutation test"] == "0.10"
    assert lines["Degrees of freedom"] == "3.5"


def test_two_seeds_have_no_test(made):
    curves = {"a": [70.0, 72.0], "b": [60.0, 61.0]}
    table = {(g, seed): (curve, curve) for g, curve in curves.items() for seed in (0, 1)}
    facts = made.facts(table, groups=(), compare=("a", "b"))
    assert [row[0] for row in grid(made, facts, "comparison.test")] == [
        "a",
        "b",
        "Difference, points",
        "95% interval, points",
    ]
    text = made.prose(comparison.build(facts))
    assert "an interval needs three runs in each group" in text
    assert "n = 2 runs a group" in text


def test_a_group_without_runs_is_not_compared(made):
    table = {k: v for k, v in made.SIX.items() if k[0] == "pretrained"}
    assert comparison.build(made.facts(table, compare=("pretrained", "random"))) is None


def test_nothing_to_compare_no_section(made):
    assert comparison.build(made.facts(groups=(), table={("a", 0): ([1.0], [1.0])})) is None


def test_every_comparison_of_the_facts_is_shown_with_ids_of_its_own(made):
    facts = made.facts()
    doubled = dataclasses.replace(facts, comparisons=facts.comparisons * 2)
    ids = [n.id for n in made.numbers(comparison.build(doubled))]
    assert len(ids) == len(set(ids))
    assert "comparison2.test" in made.tables(comparison.build(doubled))


def test_nothing_is_said_about_causes_or_significance(made):
    text = made.prose(comparison.build(made.facts(split_sizes={"test": 2000}))).lower()
    for word in ("because of", "thanks to", "due to", "caused", "significan", "*", " proves"):
        assert word not in text, word
