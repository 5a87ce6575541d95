"""The headline: true for three runs, two, one and none."""

from __future__ import annotations

import pytest

from reportgen.languages import speaking
from reportgen.records.document import Table
from reportgen.records.run import Runs
from reportgen.records.study import GroupPlan, MetricPlan, ReportPlan, StatisticsPlan
from reportgen.report import summary


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
    text = made.prose(summary.build(facts)) + made.words(summary.abstract(facts))
    assert "The test accuracy of pretrained is 81.4% and 80.4% in its two runs." in text
    assert "Of 6 runs declared or found, 2 have no result and count in no mean of results:" in text
    assert "no logs found for pretrained, seed 2" in text
    assert "an interval needs three runs in each group" in text
    assert "±" not in text


def test_a_single_run_is_called_one(made):
    table = {k: v for k, v in made.SIX.items() if k == ("pretrained", 0)}
    facts = made.facts(table, groups=())
    text = made.prose(summary.build(facts)) + made.words(summary.abstract(facts))
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
    text = made.words(summary.abstract(facts))
    assert "No run of random has a test accuracy at a best step." in text
    assert "No comparison of pretrained and random is possible" in text


def test_without_validation_nothing_is_claimed(made):
    chosen = made.run("b", 0, made.series("validation", [60.0]), made.series("test", [61.0]))
    runs = Runs(root="", runs=(made.run("a", 0, made.series("test", [60.0])), chosen))
    text = made.words(summary.abstract(made.facts(runs=runs, groups=())))
    assert text.startswith("No run of a has a test accuracy at a best step. ")


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


def test_ties_of_the_best_and_the_weakest_are_all_named(made):
    values = {"a": 50.0, "b": 50.0, "c": 60.0, "d": 70.0, "e": 65.0}
    table = {(name, 0): ([v], [v]) for name, v in values.items()}
    text = made.words(summary.abstract(made.facts(table, groups=())))
    assert "those with the best and the weakest result are named here." in text
    assert all(f"of {name} is" in text for name in "abd")
    assert "of c is" not in text
    many = table | {(f"w{i}", 0): ([50.0], [50.0]) for i in range(3)}
    text = made.words(summary.abstract(made.facts(many, groups=())))
    assert "the one with the best result and one of 5 with the weakest are named here." in text
    same = {(f"w{i}", 0): ([50.0], [50.0]) for i in range(6)}
    text = made.words(summary.abstract(made.facts(same, groups=())))
    assert "one of 6 that all have the same result is named here." in text


def test_no_two_of_many_groups_are_compared_unasked(made):
    table = {(g, s): made.SIX["random", s] for g in "abc" for s in range(3)}
    facts = made.facts(table, groups=())
    assert "difference" not in made.words(summary.abstract(facts)).lower()
    assert [row[0] for row in headline(made, facts)] == ["a", "b", "c"]
    assert (
        "gives no difference of two groups: which two of the 3 are to be compared is not stated "
        "under [comparison] groups in the study file." in made.prose(summary.build(facts))
    )
    asked = made.facts(table, groups=(), compare=("a", "b"))
    assert "gives no difference" not in made.prose(summary.build(asked))


def test_the_only_pair_of_many_groups_says_why_it_is_compared(made):
    table = made.SIX | {("alone", 0): made.SIX["random", 0]}
    text = made.prose(summary.build(made.facts(table)))
    assert (
        "pretrained and random are compared because they are the only two groups with three runs "
        "or more" in text
    )
    assert "are compared because" not in made.prose(summary.build(made.facts()))


def test_a_difference_of_two_groups_that_are_not_told_of_is_told_where_it_was_asked_for(made):
    single = {(f"g{i}", 0): ([10.0 + 20 * i], [10.0 + 20 * i]) for i in range(5)}
    table = made.SIX | single | {("best", 0): ([99.0], [99.0])}
    text = made.words(summary.abstract(made.facts(table, groups=())))
    assert "of best is 99%" in text
    assert "difference" not in text.lower()
    assert "±" not in text
    facts = made.facts(table, groups=(), compare=("pretrained", "random"))
    assert "The difference between pretrained and random" in made.words(summary.abstract(facts))
    assert "difference" in made.prose(summary.build(made.facts(table, groups=()))).lower()


def test_a_table_printed_in_part_is_not_said_to_be_whole(made):
    table = {(f"g{i:02}", 0): ([50.0 + i], [50.0 + i]) for i in range(13)}
    said = made.prose(summary.build(made.facts(table, groups=())))
    assert "In full, <summary.headline> has a row for each group" in said


def test_two_runs_of_three_are_said_to_be_two_of_three(made):
    table = {(g, s): made.SIX["random", s] for g in ("a", "b") for s in range(3)}
    table["a", 1] = ([float("nan")] * 3, [50.0] * 3)
    said = made.words(summary.abstract(made.facts(table, groups=())))
    assert "in two of its three runs" in said
    table["a", 2] = ([float("nan")] * 3, [50.0] * 3)
    said = made.words(summary.abstract(made.facts(table, groups=())))
    assert "in one of its three runs" in said


def test_the_section_does_not_say_the_abstract_again(made):
    facts = made.facts()
    section = summary.build(facts)
    assert isinstance(section.blocks[0], Table)
    assert "The mean test accuracy" not in made.prose(section)
    own = made.facts(report=ReportPlan(abstract="We trained six runs."))
    assert "The mean test accuracy of pretrained is 80.63 ± 0.68%" in made.prose(summary.build(own))


def test_a_last_step_over_other_runs_states_its_n(made):
    # Evaluated on test at half the steps only: no value at any best step.
    members = tuple(
        made.run(
            "a",
            s,
            made.series("validation", [60.0, 61.0, 62.0 + s], steps=[100, 200, 250]),
            made.series("test", [58.0, 59.0 + s], steps=[100, 200]),
        )
        for s in range(3)
    )
    facts = made.facts(runs=Runs(root="", runs=members), groups=())
    assert headline(made, facts) == [["a", "0", "—", "—", "60.0 ± 1.0 (n = 3)"]]
    text = made.prose(summary.build(facts))
    assert "no run has a value" not in text
    assert "over the n runs, which differ in their seed (the values themselves where n" in text
    assert "an n of its own where other runs have a value there." in text
    assert "(n =" not in headline(made, made.facts())[0][4]


def test_values_that_do_not_vary_have_no_interval(made):
    table = {("a", s): ([80.0], [80.0]) for s in range(3)}
    table |= {("b", s): ([60.0], [60.0]) for s in range(3)}
    facts = made.facts(table, groups=())
    assert [row[3] for row in headline(made, facts)] == ["—", "—", "—"]
    text = made.prose(summary.build(facts))
    assert "No interval for a and b: all runs have the same value" in text
    assert "It has no interval: the difference is the same for every seed" in text
    assert "the difference is the same for every seed" in made.words(summary.abstract(facts))
    assert "half width" not in text


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


@pytest.mark.parametrize(
    ("select", "report", "caveat"),
    [
        ("validation", "test", ""),
        ("test", "test", "the test split itself chose each step"),
        ("test", "validation", "the test split itself chose each step"),
        ("validation", "validation", "the validation split that chose each step also gives"),
    ],
)
def test_the_abstract_says_when_the_choice_makes_values_optimistic(made, select, report, caveat):
    plan = MetricPlan(name="accuracy", direction="higher", select_on=select, report_on=report)
    text = made.words(summary.abstract(made.facts(metric=plan)))
    assert caveat in text
    assert ("optimistic" in text) == bool(caveat)


def test_in_french_headline_and_sentences_are_french(made):
    facts = made.facts()
    with speaking("fr"):
        section = summary.build(facts)
        table = made.tables(section)["summary.headline"]
        heads = [made.words(column.title) for column in table.columns]
        rows, caption = made.grid(table), made.words(table.caption)
        abstract = made.words(summary.abstract(facts))
    assert heads == [
        *("Groupe", "n", "Test, meilleur pas", "Intervalle à 95\u202f%", "Dernier pas"),
    ]
    assert rows == [
        ["pretrained", "3", "80,63 ± 0,68", "± 1,69", "80,73 ± 0,58"],
        ["random", "3", "73,63 ± 0,46", "± 1,15", "73,63 ± 0,46"],
        ["Différence, points", "", "+7,00", "+5,76 à +8,24", "+7,10"],
    ]
    assert caption.startswith(
        "Exactitude sur le test en pourcentage au meilleur pas de validation et au dernier pas"
        "\u202f: moyenne ± écart type d’échantillon (dénominateur n − 1) sur les n = 3 exécutions "
        "de chaque groupe, qui diffèrent par leur graine\u202f; et la demi-largeur de l’intervalle "
        "de Student à 95\u202f% de la moyenne au meilleur pas."
    )
    assert abstract.startswith(
        "La moyenne de l’exactitude de pretrained sur le test est de 80,63 ± 0,68\u202f% sur 3 "
        "graines."
    )
    assert (
        "La différence entre pretrained et random est de +7,00 points (intervalle à 95\u202f% de "
        "+5,76 à +8,24, apparié par graine). Après ± figure l’écart type d’échantillon "
        "(dénominateur n − 1). Chaque pas a été choisi sur la seule partition de validation, et "
        "tous les nombres ont été calculés à partir des journaux."
    ) in abstract


def test_in_french_what_is_missing_is_said_in_french(made):
    table = dict(made.SIX)
    table.pop(("pretrained", 1))
    facts = made.facts(table)
    with speaking("fr"):
        prose = made.even(made.prose(summary.build(facts)))
    assert (
        "Sur 6 exécutions déclarées ou trouvées, 1 n’a pas de résultat et ne compte dans aucune "
        "moyenne de résultats : aucun journal trouvé pour pretrained, graine 1."
    ) in prose
    assert "un intervalle demande trois exécutions dans chaque groupe" in prose
