"""Two groups: the tables, and sentences that change when what they say is no longer so."""

from __future__ import annotations

import pytest
from fakes.compared import flat, said, two

from reportgen.records.run import Runs
from reportgen.records.study import MetricPlan
from reportgen.report import comparison


def grid(made, facts, name):
    return made.grid(made.tables(comparison.build(facts))[name])


# --- tables ---------------------------------------------------------------------------


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
    assert "[student]" in made.prose(comparison.build(facts))


def test_other_seeds_use_welch(made):
    table = {("a", s): v for (g, s), v in made.SIX.items() if g == "pretrained"}
    table |= {("b", s + 10): v for (g, s), v in made.SIX.items() if g == "random"}
    facts = two(made, table)
    assert "comparison.pairs" not in made.tables(comparison.build(facts))
    lines = dict(grid(made, facts, "comparison.test"))
    assert lines["Smallest p of an exact permutation test"] == "0.10"
    assert lines["Degrees of freedom"] == "3.5"
    assert "[welch]" in made.prose(comparison.build(facts))


def test_two_seeds_have_no_test(made):
    facts = two(made, flat([70.0, 72.0], [60.0, 61.0], seeds=2))
    assert [row[0] for row in grid(made, facts, "comparison.test")] == [
        "a",
        "b",
        "Difference, points",
        "95% interval, points",
    ]
    text = made.prose(comparison.build(facts))
    assert "No p-value is given: an interval needs three runs in each group." in text
    assert "student" not in text
    assert "n = 2 runs a group" in text


def test_a_group_without_runs_is_not_compared(made):
    table = {k: v for k, v in made.SIX.items() if k[0] == "pretrained"}
    section = comparison.build(made.facts(table, compare=("pretrained", "random")))
    assert made.prose(section) == (
        "No comparison of pretrained and random is possible: no run of random has a value."
    )


def test_nothing_to_compare_no_section(made):
    assert comparison.build(made.facts(groups=(), table={("a", 0): ([1.0], [1.0])})) is None


# --- ordering -------------------------------------------------------------------------


def test_ordering_at_every_epoch(made):
    assert said(made, made.facts())["Ordering"] == (
        "On test and on validation, the mean accuracy of pretrained lies above that of random at "
        "each of the five epochs."
    )


def test_ordering_that_changes(made):
    facts = two(made, flat([50.0, 60.0, 70.0, 80.0], [55.0, 60.0, 65.0, 70.0]))
    assert said(made, facts)["Ordering"] == (
        "On test and on validation, the mean accuracy of a lies above that of b at epochs 3 and "
        "4, lies below it at epoch 1 and equals it at epoch 2."
    )


def test_ordering_below_and_splits_apart(made):
    facts = two(made, flat([50.0, 60.0], [55.0, 65.0], valid=[70.0, 71.0]))
    assert said(made, facts)["Ordering"] == (
        "On test, the mean accuracy of a lies below that of b at each of the two epochs. "
        "On validation, the mean accuracy of a lies above that of b at each of the two epochs."
    )


def test_no_common_epochs_no_ordering(made):
    members = [
        made.run(g, s, *(made.series(split, [v], steps=[step]) for split in ("validation", "test")))
        for g, step, v in (("a", 225, 70.0), ("b", 450, 60.0))
        for s in range(3)
    ]
    facts = made.facts(runs=Runs(root="", runs=tuple(members)), groups=())
    assert "Ordering" not in said(made, facts)


def test_separation_and_overlap(made):
    assert said(made, made.facts())["Separation"] == (
        "At the best step every run of pretrained lies above every run of random: the lowest test "
        "accuracy of the former is 80.1%, the highest of the latter 73.9%."
    )
    swapped = said(made, made.facts(compare=("random", "pretrained")))["Separation"]
    assert swapped.startswith("At the best step every run of pretrained lies above")
    table = {**made.SIX, ("random", 0): ([50.0, 60.0], [50.0, 80.1])}
    assert "overlap" in said(made, made.facts(table))["Separation"]


# --- gap, trend, convergence, stability -------------------------------------------------


def test_gap_that_narrows(made):
    assert said(made, made.facts())["Gap"] == (
        "The gap between the mean test accuracy of pretrained and that of random is widest at "
        "epoch 2 (+14.93 points) and narrowest at epoch 5 (+7.10 points). It is narrower at the "
        "end than at the start: +13.63 at epoch 1, +7.10 at epoch 5."
    )


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ([60.0, 70.0], [55.0, 60.0], "is wider at the end"),
        ([60.0, 70.0], [65.0, 65.0], None),
        ([60.0, 70.0], [66.0, 65.0], "changes its sign"),
        ([60.0, 75.0, 70.0], [55.0, 60.0, 65.0], "is the same at the end"),
        ([60.0, 70.0], [55.0, 65.0], None),
        ([60.0], [55.0], None),
    ],
)
def test_gap_otherwise(made, a, b, words):
    sentence = said(made, two(made, flat(a, b))).get("Gap")
    assert (sentence is None) if words is None else (words in sentence)


def shifted(values, gap):
    """Groups a and b over three seeds, a gap apart everywhere."""
    table = {}
    for seed, curve in enumerate(values):
        table["a", seed] = (curve, curve)
        lower = [round(v - gap, 3) for v in curve]
        table["b", seed] = (lower, lower)
    return table


def test_a_gap_that_is_the_same_everywhere_has_no_widest_place(made):
    # The means have thirds, whose differences are 5 and 5.000000000000004 in binary.
    table = shifted([[50.1, 60.2, 70.4], [50.3, 61.1, 71.7], [51.7, 60.9, 69.9]], 5.0)
    sentences = said(made, two(made, table))
    assert "Gap" not in sentences
    assert "standard deviation" not in sentences["Stability"]


def test_spreads_that_print_the_same_are_not_ordered(made):
    table = {}
    for seed, offset in enumerate((-1.0, 0.0, 1.0)):
        table["a", seed] = ([50 + offset, 70.1 + offset], [50 + offset, 70.1 + offset])
        table["b", seed] = ([40 + offset, 60.3 + offset], [40 + offset, 60.3 + offset])
    sentences = said(made, two(made, table))
    assert "Convergence of seeds" not in sentences
    assert "lie closer together" not in sentences["Stability"]


def test_ties_of_a_superlative_are_all_named(made):
    facts = two(made, flat([60.0, 60.0, 70.0, 50.0], [60.0, 60.0, 65.0, 55.0]))
    assert (
        "is widest at epoch 3 (+5 points) and epoch 4 (−5 points) and narrowest at epochs 1 and 2 "
        "(0 points)" in said(made, facts)["Gap"]
    )


NAN = float("nan")


def test_a_nan_is_no_improvement(made):
    table = flat([50.0, 60.0, 70.0], [40.0, 50.0, 60.0])
    table["a", 0] = ([50.0, NAN, 70.0], [50.0, 60.0, NAN])
    sentences = said(made, two(made, table))
    assert (
        "On test, two of the three runs of a improve at every epoch (seed 1, seed 2); seed 0 has "
        "no finite value at epoch 3." in sentences["Trend"]
    )
    assert "seed 0 has no finite value at epoch 2" in sentences["Trend"]
    assert sentences["Stability"] == (
        "No run falls back between two evaluations at the ends of epochs on validation. NaN and "
        "infinite values take no part: a, seed 0, epoch 2."
    )


def test_the_only_run_with_a_nan_says_so(made):
    table = {("a", 0): ([50.0, NAN, 70.0], [50.0, 60.0, 70.0]), ("b", 0): ([1.0, 2.0], [1.0, 2.0])}
    sentence = said(made, two(made, table))["Trend"]
    assert (
        "On validation, the only run of a does not improve at every epoch: seed 0 has no finite "
        "value at epoch 2." in sentence
    )


def test_means_over_other_runs_are_not_compared(made):
    # At epoch 3 one run of a is left, and it lies below b.
    table = flat([50.0, 60.0], [40.0, 50.0, 60.0])
    table["a", 0] = ([50.0, 60.0, 10.0], [50.0, 60.0, 10.0])
    table["a", 1] = ([50.0, 62.0], [50.0, 62.0])
    sentences = said(made, two(made, table))
    assert sentences["Ordering"] == (
        "On test and on validation, the mean accuracy of a lies above that of b at each of the "
        "two epochs. Left out, for not every run has a value there: epoch 3 (not logged by a, seed "
        "1; a, seed 2)."
    )
    assert "epoch 3 (−" not in sentences["Gap"]
    assert "epoch 3 (+" not in sentences["Gap"]
    assert "value there: epoch 3 (not logged by a, seed 1; a, seed 2)." in sentences["Gap"]


def test_a_difference_that_is_printed_as_none_is_no_order(made):
    table = {
        (g, s): ([50.0, v], [50.0, v])
        for g, values in (("a", (60.0, 61.0, 63.1)), ("b", (60.0, 61.0, 63.0)))
        for s, v in enumerate(values)
    }
    sentence = said(made, two(made, table))["Ordering"]
    assert sentence.endswith("equals that of b, as printed, at each of the two epochs.")


def test_trend_of_the_published_logs(made):
    sentence = said(made, made.facts())["Trend"]
    assert (
        "On test, one of the three runs of pretrained improves at every epoch (seed 2); seed 0 "
        "does not at epoch 4; seed 1 does not at epoch 5." in sentence
    )
    assert "two of the three runs of random improve at every epoch (seed 1, seed 2)" in sentence


def test_trend_of_all_none_and_one(made):
    facts = two(made, flat([50.0, 60.0], [60.0, 60.0]))
    sentence = said(made, facts)["Trend"]
    assert "On test, every run of a improves at every epoch (three of three)." in sentence
    assert "On test, none of the three runs of b improves at every epoch: seed 0" in sentence
    sentence = said(made, two(made, flat([50.0, 60.0], [60.0, 60.0], seeds=1)))["Trend"]
    assert "the only run of a improves at every epoch." in sentence
    assert "the only run of b does not improve at every epoch." in sentence


def test_of_a_long_course_is_said_how_often_it_improves(made):
    rising = [float(v) for v in range(20, 40)]
    once = [*rising[:5], 1.0, *rising[6:]]
    sentence = said(made, two(made, flat(rising, once)))["Trend"]
    # A fall and the way back: one of nineteen changes goes down.
    assert "On test, every run of a improves at every epoch (three of three)." in sentence
    assert "On test, every run of b improves at 18 of 19 epochs." in sentence
    mixed = {("a", 0): (rising, rising), ("a", 1): (once, once), ("b", 0): (once, once)}
    sentence = said(made, two(made, mixed))["Trend"]
    assert "On test, the runs of a improve at 18 to 19 of 19 epochs." in sentence
    assert "On test, the only run of b improves at 18 of 19 epochs." in sentence
    unknown = mixed | {("a", 2): ([*rising[:3], NAN, *rising[4:]],) * 2}
    assert "no finite value at epoch 4" in said(made, two(made, unknown))["Trend"]


def test_improving_means_falling_where_lower_is_better(made):
    lower = MetricPlan(name="accuracy", direction="lower")
    sentence = said(made, two(made, flat([60.0, 50.0], [50.0, 60.0]), metric=lower))["Trend"]
    assert "every run of a improves" in sentence
    assert "none of the three runs of b improves" in sentence


def test_convergence_shrinks_grows_or_is_silent(made):
    def spread(*sizes):
        table = {("a", s): (c := [60.0 + (s - 1) * d for d in sizes], c) for s in range(3)}
        table |= {("b", s): ([50.0] * len(sizes), [50.0] * len(sizes)) for s in range(3)}
        return said(made, two(made, table))["Convergence of seeds"]

    assert "shrinks from 4.0 points at epoch 1 to 1.0 at epoch 3." in spread(4.0, 2.0, 1.0)
    assert "grows from 1.0 points at epoch 1 to 4.0 at epoch 3." in spread(1.0, 1.0, 4.0)
    assert "Convergence of seeds" not in said(made, two(made, flat([50.0, 60.0], [40.0, 50.0])))


def test_stability_names_the_tighter_group_and_the_largest_setback(made):
    sentence = said(made, made.facts())["Stability"]
    assert sentence == (
        "At the best step the runs of random lie closer together than those of pretrained "
        "(standard deviation 0.46 against 0.68 points). The largest setback between two "
        "evaluations at the ends of epochs on validation is −6.5 points (pretrained, seed 2, "
        "epoch 4 to epoch 5)."
    )
    steady = said(made, two(made, flat([50.0, 60.0], [40.0, 50.0])))["Stability"]
    assert steady == (
        "No run falls back between two evaluations at the ends of epochs on validation."
    )


def test_a_setback_is_a_rise_where_lower_is_better(made):
    lower = MetricPlan(name="accuracy", direction="lower")
    sentence = said(made, two(made, flat([60.0, 62.5], [50.0, 40.0]), metric=lower))["Stability"]
    assert "is +2.5 points (a, seed 0, epoch 1 to epoch 2; a, seed 1, epoch 1 to" in sentence


# --- selection, length, over-fitting, sampling ------------------------------------------


# --- the whole --------------------------------------------------------------------------
