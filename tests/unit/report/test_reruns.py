"""What is said of re-run cells, and what the results are without them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reportgen.languages import speaking
from reportgen.records.document import Table
from reportgen.records.run import Runs
from reportgen.report import reproducibility, summary
from reportgen.report._reruns import MOST_ROWS


def facts_of(made, *cells, **changes):
    return made.facts(runs=made.rerun(made.runs_of(made.SIX), *cells, **changes))


def test_means_with_and_without(made):
    facts = facts_of(made, ("pretrained", 1))
    table = made.tables(summary.build(facts))["summary.without_reruns"]
    assert made.grid(table) == [["pretrained", "3", "80.63 ± 0.68", "2", "81.4 and 80.1"]]
    (note,) = [made.words(note) for note in table.notes]
    assert note.startswith("Where fewer than three runs are left without re-run cells, their val")
    assert note.endswith("are given, without a standard deviation.")


def test_three_that_are_left_have_a_spread(made):
    table = {("a", seed): ([60.0 + seed], [70.0 + seed]) for seed in range(4)}
    runs = made.rerun(made.runs_of(table), ("a", 3))
    shown = made.tables(summary.build(made.facts(runs=runs, groups=())))["summary.without_reruns"]
    assert made.grid(shown) == [["a", "4", "71.5 ± 1.3", "3", "71.0 ± 1.0"]]
    assert not shown.notes


def test_of_a_group_trained_again_as_a_whole_nothing_is_left(made):
    facts = facts_of(made, *((("random", seed)) for seed in range(3)))
    section = summary.build(facts)
    assert "summary.without_reruns" not in made.tables(section)
    assert "Without them there is no result of random." in made.prose(section)


def test_nothing_of_it_without_re_runs(made):
    for build in (summary.build, reproducibility.build):
        text = made.show(build(made.facts()))
        assert "re-run" not in text.lower()
        assert "trained again" not in text


def test_a_re_run_without_a_value_changes_no_mean(made):
    short = {("a", s): ([60.0 + s], [70.0 + s]) for s in range(3)}
    runs = made.runs_of(short)
    empty = made.run("a", 3, made.series("validation", [61.0], metric="loss"))
    both = made.rerun(Runs(root="", runs=(*runs, empty)), ("a", 3))
    section = summary.build(made.facts(runs=both, groups=()))
    assert "summary.without_reruns" not in made.tables(section)
    assert "1 of 4 runs is a re-run" in made.prose(section)


def test_the_table_of_re_run_cells(made):
    facts = facts_of(made, ("pretrained", 1), notes=("the batch was halved", "no tf32"))
    section = reproducibility.build(facts)
    table = made.tables(section)["reproducibility.reruns"]
    assert made.grid(table) == [
        [
            *("pretrained", "1", "NVIDIA H200; stacked, 3 members", "2026-02-03"),
            *("torch 2.10.0, transformers 4.57.1, reportgen 0.2.0", "1,234"),
        ]
    ]
    assert [made.words(n) for n in table.notes] == [
        "pretrained, seed 1: the batch was halved; no tf32."
    ]
    seconds = next(n for n in made.numbers(section) if n.id.endswith(".seconds"))
    assert seconds.quantity.sources[0].path == "pretrained/1/run.json"
    runs = made.grid(made.tables(section)["reproducibility.runs"])
    assert [row[0] for row in runs][:3] == ["pretrained/0", "pretrained/1†", "pretrained/2"]
    assert "under logs and reruns. The runs" in made.prose(section)
    assert "differ from the others in device, software and training program" in made.prose(section)


@pytest.mark.parametrize(("layout", "said"), [("fairseq", True), ("hf_trainer", False)])
def test_what_another_engine_repeats_of_fairseq(made, layout, said):
    runs = made.rerun(made.runs_of(made.SIX), ("random", 2))
    runs = Runs(root="logs", runs=tuple(replace(run, layout=layout) for run in runs))
    text = made.prose(reproducibility.build(made.facts(runs=runs)))
    assert ("The logs of random are in the layout of fairseq" in text) == said
    assert ("reproduced in law, not bit for bit" in text) == said


def test_more_re_runs_than_a_page_holds_are_counted(made):
    table = {("a", seed): ([60.0], [70.0]) for seed in range(50)}
    runs = made.rerun(made.runs_of(table), *table)
    found: Table = made.tables(reproducibility.build(made.facts(runs=runs, groups=())))[
        "reproducibility.reruns"
    ]
    assert len(found.rows) == 40
    assert made.words(found.notes[-1]) == "10 further re-run cells stand in report.json."


def test_in_french_it_is_said_in_french(made):
    facts = facts_of(made, ("pretrained", 1))
    with speaking("fr"):
        section = summary.build(facts)
        table = made.tables(section)["summary.without_reruns"]
        assert made.grid(table) == [["pretrained", "3", "80,63 ± 0,68", "2", "81,4 et 80,1"]]
        heads = [made.words(column.title) for column in table.columns]
        assert heads == ["Groupe", "n", "Moyenne ± écart type", "n", "Moyenne ± écart type"]
        assert made.words(table.caption) == (
            "Exactitude sur le test en pourcentage au meilleur pas, avec les cellules "
            "réexécutées et d’après les seuls journaux trouvés\u202f: moyenne ± écart type "
            "d’échantillon (dénominateur n − 1) sur n exécutions."
        )
        assert (
            "1 exécution sur 6 est une réexécution, entraînée à nouveau par reportgen et "
            "marquée † : pretrained, graine 1. Le <summary.without_reruns> donne les résultats"
        ) in made.even(made.prose(section))


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_one_further_cell_stands_alone(made, lang):
    table = {("a", seed): ([60.0], [70.0]) for seed in range(MOST_ROWS + 1)}
    runs = made.rerun(made.runs_of(table), *table)
    with speaking(lang):
        section = reproducibility.build(made.facts(runs=runs, groups=()))
        notes = [made.words(n) for n in made.tables(section)["reproducibility.reruns"].notes]
    said = {
        "en": "1 further re-run cell stands in report.json.",
        "fr": "1 autre cellule réexécutée figure dans report.json.",
    }
    assert said[lang] in notes
