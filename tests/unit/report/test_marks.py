"""The dagger stands behind everything that rests on a re-run, and behind nothing else."""

from itertools import pairwise

import pytest

from reportgen.languages import speaking
from reportgen.records.document import Figure, Mark, Number, Table, inlines, texts, walk
from reportgen.records.quantity import Quantity
from reportgen.records.study import ReportPlan
from reportgen.report import SECTIONS, compose_report
from reportgen.report.marks import mark_sections, reruns_of

NOTE = "† Re-run, or computed with a re-run: pretrained, seed 1 (<problems.reruns>)."


@pytest.fixture
def report(made):
    runs = made.rerun(made.runs_of(made.SIX), ("pretrained", 1))
    return compose_report(made.facts(runs=runs), metadata={})


def section(report, name):
    return next(s for s in report.sections if s.id == name)


def grid(made, report, name):
    found = [b for b in walk(report.sections) if isinstance(b, Table) and b.id == name]
    return made.grid(found[0])


def rests(number):
    quantity = number.quantity
    return isinstance(quantity, Quantity) and any(
        e.run == "pretrained/1" and e.step is not None for e in quantity.sources
    )


def measured(number):
    return number.quantity.unit not in {"count", "step", "epoch"}


def test_every_measured_number_that_rests_on_it_is_marked(made, report):
    """However it came into a table: the evidence of the number decides."""
    seen = {True: 0, False: 0}
    for block in walk(report.sections):
        for text in texts(block):
            for position, node in enumerate(text):
                if not isinstance(node, Number) or not isinstance(node.quantity, Quantity):
                    continue
                rest = text[position + 1 :]
                while rest and (rest[0] in {" ± ", " to ", "%"} or isinstance(rest[0], Number)):
                    rest = rest[1:]
                marked = bool(rest) and isinstance(rest[0], Mark)
                due = rests(node) and measured(node)
                assert marked == due, (node.id, made.words(text))
                seen[due] += 1
    assert min(seen.values()) > 30


def test_the_tables(made, report):
    assert grid(made, report, "results.table") == [
        ["0", "5", "85.5", "81.4", "5", "67.0", "73.9"],
        ["1", "5", "84.5†", "80.4†", "5", "70.0", "73.9"],
        ["2", "4", "84.0", "80.1", "5", "71.0", "73.1"],
        ["mean", "", "84.67†", "80.63 ± 0.68†", "", "69.33", "73.63 ± 0.46"],
    ]
    assert grid(made, report, "results.epochs")[2][1:3] == ["+13.63†", "+14.93†"]
    assert grid(made, report, "statistics.test")[:2] == [
        ["Difference", "+7.00† points"],
        ["95% interval", "+5.76 to +8.24†"],
    ]
    assert grid(made, report, "evaluations.means")[0][1:3] == ["60.17 ± 2.75†", "68.00 ± 2.65†"]


def test_each_marked_table_has_one_note_and_no_other_has_any(made, report):
    for block in walk(report.sections):
        if isinstance(block, Table):
            cells = [cell for row in block.rows for cell in row.cells]
            marked = any(isinstance(node, Mark) for cell in cells for node in cell)
            notes = [made.words(note) for note in block.notes]
            assert notes.count(NOTE) == marked, block.id


def test_figures_mark_lines_and_groups_and_say_where_they_are_described(made, report):
    (figure,) = (b for b in walk(report.sections) if isinstance(b, Figure))
    panel = figure.chart.panels[0]
    labels = [line.label for line in panel.lines]
    assert labels == ["seed 0", "seed 1†", "seed 2", "seed 0", "seed 1", "seed 2"]
    assert {line.group for line in panel.lines} == {"pretrained†", "random"}
    assert [(band.label, band.group) for band in panel.bands] == [
        ("pretrained†", "pretrained†"),
        ("random", "random"),
    ]
    assert made.words(figure.caption).endswith(NOTE)


def test_without_re_runs_no_report_has_a_dagger(made):
    report = compose_report(made.facts(), metadata={})
    shown = [made.words(t) for b in walk(report.sections) for t in texts(b)]
    assert not [text for text in (*shown, made.words(report.abstract)) if "†" in text]
    assert not any(isinstance(n, Mark) for b in walk(report.sections) for t in texts(b) for n in t)


@pytest.mark.parametrize("name", SECTIONS)
def test_a_section_is_built_where_every_cell_was_trained_again(made, name):
    runs = made.rerun(made.runs_of(made.SIX), *made.SIX)
    facts = made.facts(runs=runs)
    plain = SECTIONS.load(name)(made.facts())
    section = SECTIONS.load(name)(facts)
    assert (section is None) == (plain is None) or name == "problems"
    if section is not None:
        (marked,) = mark_sections(facts, (section,))
        known = reruns_of(facts)
        assert {n.id for n in made.numbers(marked)} == {n.id for n in made.numbers(section)}
        assert len(known) == 6


def test_a_device_of_a_stranger_is_cut(made):
    runs = made.rerun(made.runs_of(made.SIX), ("random", 0), device="x" * 5000)
    report = compose_report(made.facts(runs=runs), metadata={})
    longest = max(len(made.words(t)) for b in walk(report.sections) for t in texts(b))
    assert longest < 1500


def test_in_french_the_same_numbers_are_marked_and_the_notes_are_french(made, report):
    runs = made.rerun(made.runs_of(made.SIX), ("pretrained", 1))
    plan = ReportPlan(lang="fr")
    french = compose_report(made.facts(runs=runs, report=plan), metadata={})
    assert marked_ids(french) == marked_ids(report)
    with speaking("fr"):
        rows = grid(made, french, "results.table")
        test = grid(made, french, "statistics.test")
        notes = [
            made.even(made.words(note))
            for block in walk(french.sections)
            if isinstance(block, Table)
            for note in block.notes
        ]
    assert rows[-1][3] == "80,63 ± 0,68†"
    assert test[1][1] == "+5,76 à +8,24†"
    assert (
        "† Réexécution, ou valeur calculée avec une réexécution : pretrained, graine 1 "
        "(<problems.reruns>)."
    ) in notes
    marks = {
        node.meaning
        for block in walk(french.sections)
        for text in texts(block)
        for node in inlines(text)
        if isinstance(node, Mark)
    }
    assert marks == {"réexécution"}


def marked_ids(report):
    """Ids of the numbers that a mark, or a percent sign and a mark, stands behind."""
    found = []
    for block in walk(report.sections):
        for text in texts(block):
            nodes = [n for n in text if not (isinstance(n, str) and n.strip("\u202f") == "%")]
            found += [
                number.id
                for number, mark in pairwise(nodes)
                if isinstance(number, Number) and isinstance(mark, Mark)
            ]
    return found
