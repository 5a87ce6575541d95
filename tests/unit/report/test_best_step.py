"""One row a run, and notes for everything that is not plain."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reportgen.languages import speaking
from reportgen.records.run import Runs
from reportgen.records.study import MetricPlan
from reportgen.report import best_step

TABLE = "best_step.table"


def rows(made, facts):
    return made.grid(made.tables(best_step.build(facts))[TABLE])


def rows_of(made, section):
    return made.grid(made.tables(section)[best_step.TABLE])


def test_the_published_table(made):
    assert rows(made, made.facts()) == [
        ["pretrained", "0", "1,125", "5", "85.5", "81.4", "81.4"],
        ["", "1", "1,125", "5", "84.5", "80.4", "80.4"],
        ["", "2", "900", "4", "84.0", "80.1", "80.4"],
        ["Mean ± std", "", "", "", "84.67 ± 0.76", "80.63 ± 0.68", "80.73 ± 0.58"],
        ["random", "0", "1,125", "5", "67.0", "73.9", "73.9"],
        ["", "1", "1,125", "5", "70.0", "73.9", "73.9"],
        ["", "2", "1,125", "5", "71.0", "73.1", "73.1"],
        ["Mean ± std", "", "", "", "69.33 ± 2.08", "73.63 ± 0.46", "73.63 ± 0.46"],
    ]


def test_every_number_has_the_id_of_its_cell(made):
    found = {n.id: n for n in made.numbers(best_step.build(made.facts()))}
    number = found["best_step.pretrained.0.report_value"]
    assert number.quantity.sources[0].value == 81.4
    assert number.quantity.sources[0].step == 1125


def test_the_maximum_over_test_is_an_oracle(made):
    text = made.prose(best_step.build(made.facts()))
    assert "would give a mean of 80.97% (pretrained) and 73.63% (random): an oracle, not a" in text


def test_one_value_a_run_on_the_reporting_split_is_no_choice(made):
    facts = made.facts()
    ends = {
        run.id: replace(run, scalars={t: _end(s) for t, s in run.scalars.items()})
        for run in facts.runs
    }
    groups = tuple(
        replace(
            group,
            cells=tuple(
                replace(cell, run=ends[cell.run.id]) if cell.run else cell for cell in group.cells
            ),
        )
        for group in facts.groups
    )
    assert "an oracle" not in made.prose(best_step.build(replace(facts, groups=groups)))


def _end(series):
    if series.split != "test":
        return series
    return replace(series, steps=series.steps[-1:], values=series.values[-1:])


def test_no_ties_no_gaps_no_notes_about_them(made):
    text = made.prose(best_step.build(made.facts()))
    assert "—:" not in text
    assert "is reached at steps" not in text
    assert "NaN" not in text


def test_a_missing_cell_is_a_dash_with_its_reason(made):
    table = {k: v for k, v in made.SIX.items() if k != ("random", 1)}
    facts = made.facts(table)
    assert rows(made, facts)[5] == ["", "1", "—", "—", "—", "—", "—"]
    text = made.prose(best_step.build(facts))
    assert "—: no logs found for random, seed 1." in text
    assert [row[0] for row in rows(made, facts)].count("Mean ± std") == 1


def test_ties_and_nan_are_noted(made):
    table = {
        ("a", 0): ([80.0, 82.0, 82.0], [1.0, 2.0, 3.0]),
        ("a", 1): ([80.0, np.nan, 79.0], [1.0, 2.0, 3.0]),
    }
    text = made.prose(best_step.build(made.facts(table, groups=())))
    assert "a, seed 0: the best validation value is reached at steps 450 and 675; the first" in text
    assert "a, seed 1: 1 NaN or infinite validation value took no part." in text


def test_many_ties_are_counted(made):
    table = {("a", seed): ([80.0] * 9, [1.0] * 9) for seed in range(14)}
    text = made.prose(best_step.build(made.facts(table, groups=())))
    assert "225, 450, 675, 900, 1,125 and 4 others; the first was taken" in text
    assert "In 2 further runs the best value is reached more than once." in text


def test_the_same_reason_is_said_once(made):
    members = [
        made.run("g", seed, made.series("test", [60.0]), name=f"g/{seed}") for seed in range(5)
    ]
    members.append(made.run("h", 0, made.series("validation", [60.0])))
    runs = Runs(root="", runs=tuple(members))
    text = made.prose(best_step.build(made.facts(runs=runs, groups=())))
    assert text.count("never logged accuracy on validation") == 1
    assert "—: g/0, g/1 and 3 others never logged accuracy on validation." in text


def test_a_single_split_has_a_single_column(made):
    members = (made.run("g", 0, made.series("validation", [60.0, 62.0, 61.0])),)
    facts = made.facts(runs=Runs(root="", runs=members), groups=())
    assert rows(made, facts) == [["g", "0", "450", "2", "62", "61"]]
    assert "look better than they are" in made.prose(best_step.build(facts))


def test_runs_without_own_seeds_are_named_by_their_folder(made):
    members = tuple(
        made.run("g", 42, made.series("validation", [60.0 + i]), name=f"logs/g/version_{i}")
        for i in range(3)
    )
    facts = made.facts(runs=Runs(root="", runs=members), groups=(), steps_per_epoch=0)
    assert [row[1] for row in rows(made, facts)[:3]] == ["version_0", "version_1", "version_2"]
    assert "do not all have a known seed of their own" in made.prose(best_step.build(facts))


def test_without_epochs_there_is_no_column_of_them(made):
    section = best_step.build(made.facts(steps_per_epoch=0))
    assert "epoch" not in made.show(section).lower()
    assert rows_of(made, section)[0][:4] == ["pretrained", "0", "1,125", "85.5"]


def test_a_summary_over_other_runs_states_its_n(made):
    # Of run 3 nothing is known at the best step: the last step has a run more.
    table = {("a", s): ([60.0, 70.0 + s], [50.0, 60.0 + s]) for s in range(3)}
    runs = made.runs_of(table)
    more = made.run(
        "a",
        3,
        made.series("validation", [60.0, 50.0, 61.0], steps=[225, 450, 500]),
        made.series("test", [50.0, 60.0], steps=[225, 450]),
    )
    facts = made.facts(runs=Runs(root="", runs=(*runs, more)), groups=())
    summed = rows_of(made, best_step.build(facts))[-1]
    assert summed[-2] == "61.0 ± 1.0"
    assert summed[-1].endswith("(n = 4)")
    assert "mean ± sample standard deviation (denominator n − 1) over the n runs" in made.prose(
        best_step.build(facts)
    )
    oracle = next(n for n in made.prose(best_step.build(facts)).splitlines() if "oracle" in n)
    assert "% (a, n = 4): an oracle" in oracle
    alike = made.prose(best_step.build(made.facts()))
    assert "(n =" not in alike


def test_nothing_declared_nothing_found_no_section(made):
    assert best_step.build(made.facts({}, groups=())) is None


@pytest.mark.parametrize("split", ["validation", "test"])
def test_a_split_that_was_logged_and_not_asked_for_is_not_denied(made, split):
    plan = MetricPlan(name="accuracy", direction="higher", select_on=split, report_on=split)
    text = made.prose(best_step.build(made.facts(metric=plan)))
    assert "No other split was asked for, so that the values" in text
    members = (made.run("g", 0, made.series(split, [60.0, 62.0])),)
    alone = made.facts(runs=Runs(root="", runs=members), groups=(), metric=plan)
    assert "No run logged accuracy on another split" in made.prose(best_step.build(alone))
    # What the Trainer's result files hold and no step is known of is no series.
    runs = tuple(
        replace(run, layout="hf_trainer", config={"test/accuracy": 0.5}) for run in alone.runs
    )
    unplaced = replace(alone, runs=replace(alone.runs, runs=runs))
    assert "Result files that name no step have further values" in made.prose(
        best_step.build(unplaced)
    )


def test_a_test_split_that_chooses_is_named_whatever_is_reported(made):
    plan = MetricPlan(name="accuracy", direction="higher", select_on="test", report_on="validation")
    text = made.prose(best_step.build(made.facts(metric=plan)))
    assert "the test split itself chose each step, which makes its values optimistic" in text
    assert "[dodge]" not in text
    assert "itself chose" not in made.prose(best_step.build(made.facts()))


def test_in_french_table_and_notes_are_french(made):
    table = {**made.SIX, ("random", 0): ([50.0, 67.0, np.nan, 62.0, 67.0], [50.0] * 5)}
    table.pop(("pretrained", 1))
    facts = made.facts(table)
    with speaking("fr"):
        section = best_step.build(facts)
        shown = made.tables(section)[TABLE]
        heads = [made.words(column.title) for column in shown.columns]
        cells, prose = made.grid(shown), made.even(made.prose(section))
    assert (
        section.title == "Meilleur pas de chaque exécution d’après l’exactitude sur la validation"
    )
    assert heads == [
        *("Groupe", "Graine", "Meilleur pas", "Époque", "Validation", "Test"),
        "Test, dernier pas",
    ]
    assert cells[0] == ["pretrained", "0", "1\u202f125", "5", "85,5", "81,4", "81,4"]
    for said in (
        "Seule la partition de validation choisit un pas pour chaque exécution ; la valeur",
        "graine 0 : la meilleure valeur sur la validation est atteinte aux pas 450 et 1 125",
        " ; le premier a été retenu.",
        "random, graine 0 : 1 valeur NaN ou infinie sur la validation n’a pas été prise en",
        "— : aucun journal trouvé pour pretrained, graine 1.",
        "avec l’exactitude en pourcentage sur la validation et sur le test à ce pas",
    ):
        assert said in prose


def test_in_french_the_oracle_is_named_as_one(made):
    with speaking("fr"):
        prose = made.prose(best_step.build(made.facts()))
    assert (
        "Choisir le pas de chaque exécution sur la partition de test elle-même donnerait une "
        "moyenne de 80,97\u202f% (pretrained) et 73,63\u202f% (random)\u202f: un oracle, non un "
        "résultat"
    ) in prose
