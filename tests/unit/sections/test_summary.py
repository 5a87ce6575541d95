"""The headline: true for three runs, two, one and none."""

from __future__ import annotations

import pytest

from reportgen.records.run import Runs
from reportgen.records.study import GroupPlan, MetricPlan, StatisticsPlan
from reportgen.sections import summary


def headline(made, facts):
    return made.grid(made.tables(summary.build(facts))["summary.headline"])


def test_the_published_headline(made):
    assert headline(made, made.facts()) == [
        ["pretrained", "3", "80.63 ± 0.68", "± 1.69", "80.73 ± 0.58"],
        ["random", "3", "73.63 ± 0.46", "± 1.15", "73.63 ± 0.46"],
        ["Difference, points", "", "+7.00", "+5.76 to +8.24", "+7.10"],
    ]


def test_the_sentences_state_the_difference_with_its_interval(made):
    text = made.words(summary.abstract(made.facts()))
    assert "The mean test accuracy of pretrained is 80.63 ± 0.68% over 3 seeds." in text
    assert (
        "The difference between pretrained and random is +7.00 points (95% interval from +5.76 "
        "to +8.24, paired by seed)." in text
    )
    assert "chosen on the validation split alone" in text


def test_the_caption_says_statistic_n_what_varies_definition_and_rules(made):
    sizes = {"train": 1800, "validation": 200, "test": 2000}
    caption = made.prose(summary.build(made.facts(split_sizes=sizes)))
    for words in (
        "Test accuracy in percent at the best validation step",
        "mean ± sample standard deviation (denominator n − 1) over the n = 3 runs of each group",
        "which differ in their seed",
        "half width of the 95% t interval",
        "the highest validation accuracy, and the earliest one where several are equal",
        "train 1,800, validation 200 and test 2,000",
    ):
        assert words in caption


def test_other_definitions_are_named(made):
    facts = made.facts(
        statistics=StatisticsPlan(ddof=0, confidence=0.9),
        metric=MetricPlan(name="accuracy", direction="higher", ties="last"),
    )
    text = made.prose(summary.build(facts))
    assert "population standard deviation (denominator n)" in text
    assert "90% t interval" in text
    assert "the latest one where several are equal" in text
    assert headline(made, facts)[0][2] == "80.63 ± 0.56"


def test_two_runs_give_their_values(made):
    table = {k: v for k, v in made.SIX.items() if k[1] < 2}
    facts = made.facts(table)
    assert headline(made, facts)[0] == ["pretrained", "2", "81.4 and 80.4", "—", "81.4 and 80.4"]
    text = made.prose(summary.build(facts))
    assert "The test accuracy of pretrained is 81.4% and 80.4% in its two runs." in text
    assert "Of 6 runs declared or found, 2 have no result and count in no mean" in text
    assert "no logs found for pretrained, seed 2" in text
    assert "an interval needs three runs in each group" in text
    assert "±" not in text


def test_a_single_run_is_called_one(made):
    table = {k: v for k, v in made.SIX.items() if k == ("pretrained", 0)}
    facts = made.facts(table, groups=())
    text = made.prose(summary.build(facts))
    assert "The test accuracy of pretrained is 81.4% in a single run." in text
    assert "the value of a single run (n = 1)" in text
    assert "seed" not in text


def test_a_group_without_runs_is_shown_as_missing(made):
    table = {k: v for k, v in made.SIX.items() if k[0] == "pretrained"}
    facts = made.facts(table, compare=("pretrained", "random"))
    assert headline(made, facts) == [
        ["pretrained", "3", "80.63 ± 0.68", "± 1.69", "80.73 ± 0.58"],
        ["random", "0", "—", "—", "—"],
    ]
    text = made.prose(summary.build(facts))
    assert "No run of random has a test accuracy at a best step." in text
    assert "No comparison of pretrained and random is possible" in text


def test_without_validation_nothing_is_claimed(made):
    runs = Runs(root="", runs=(made.run("a", 0, made.series("test", [60.0])),))
    facts = made.facts(runs=runs, groups=())
    text = made.words(summary.abstract(facts))
    assert text == "No run of a has a test accuracy at a best step."


def test_the_selecting_split_as_result_is_called_optimistic(made):
    members = (
        made.run(
            "a", 0, made.series("validation", [60.0, 61.0]), made.series("test", [59.0, 58.0])
        ),
        made.run("b", 0, made.series("validation", [70.0])),
    )
    facts = made.facts(runs=Runs(root="", runs=members), groups=())
    assert [row[1] for row in headline(made, facts)] == ["test", "validation"]
    assert "For b no other split than validation is reported" in made.prose(summary.build(facts))
    only = made.facts(runs=Runs(root="", runs=members[1:]), groups=())
    assert "No other split than validation is reported" in made.prose(summary.build(only))


def test_many_groups_are_told_by_the_best_and_the_weakest(made):
    table = {(f"g{i}", 0): ([50.0 + i], [50.0 + i]) for i in range(6)}
    text = made.words(summary.abstract(made.facts(table, groups=())))
    assert "Of 6 groups of runs" in text
    assert "of g5 is 55%" in text
    assert "of g0 is 50%" in text
    assert "g3" not in text
    lower = MetricPlan(name="accuracy", direction="lower")
    text = made.words(summary.abstract(made.facts(table, groups=(), metric=lower)))
    assert text.index("g0") < text.index("g5")


@pytest.mark.parametrize(
    ("values", "printed"),
    [
        ((80.0, 90.1, 70.2), "80.1 ± 10.0"),  # at least the decimals of the other group
        ((80.01, 80.02, 80.03), "80.020 ± 0.010"),
        ((80.0, 80.0, 80.0), "80.0 ± 0.0"),
    ],
)
def test_decimals_follow_the_spread_and_the_log(made, values, printed):
    table = {("a", i): ([v], [v]) for i, v in enumerate(values)}
    table |= {("b", i): ([v], [v]) for i, v in enumerate((60.1, 61.1, 62.2))}
    row = headline(made, made.facts(table, groups=()))[0]
    assert row[2] == printed


def test_a_metric_without_unit_is_printed_as_logged(made):
    members = tuple(
        made.run(
            "g",
            seed,
            made.series("validation", [value], metric="loss", unit=""),
            made.series("test", [value], metric="loss", unit=""),
        )
        for seed, value in enumerate((0.5012, 0.5123, 0.4987))
    )
    metric = MetricPlan(name="loss", direction="lower")
    facts = made.facts(runs=Runs(root="", runs=members), groups=(), metric=metric)
    assert headline(made, facts)[0][2] == "0.5041 ± 0.0072"
    assert "percent" not in made.prose(summary.build(facts))


def test_no_groups_no_section(made):
    facts = made.facts({}, groups=())
    assert summary.build(facts) is None
    assert summary.abstract(facts) == ()


def test_a_declared_label_is_used(made):
    groups = (GroupPlan(name="pretrained", label="A, pretrained"), GroupPlan(name="random"))
    facts = made.facts(groups=groups)
    assert headline(made, facts)[0][0] == "A, pretrained"
    assert "The mean test accuracy of A, pretrained is" in made.words(summary.abstract(facts))
