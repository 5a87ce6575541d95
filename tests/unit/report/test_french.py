"""A whole report in French: every sentence that the sections can say, and no English in it."""

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from fakes.odd_studies import CASES, six_runs
from fakes.pictured import drawn
from fakes.unselected_studies import UNSELECTED

from reportgen.app.analysis import analyse
from reportgen.app.options import BuildOptions
from reportgen.languages import retell, speaking
from reportgen.records.document import (
    Code,
    Figure,
    Number,
    References,
    Section,
    Table,
    inlines,
    texts,
    walk,
)
from reportgen.records.quantity import Missing
from reportgen.records.study import ReportPlan
from reportgen.report import compose_report

# Words of English sentences that are no words of French ones. Not among them: "on", "or", "a",
# "an", "as", "but", "me", "if" and the like, which French has too, and words that both spell
# alike ("validation", "distribution").
SENTENCES = """
the of with and at over is are was were be been has have had not no from for that this these
those which when where while each every its it their they than then by into between because so
such only more most all any other others both nor neither either there here does did can cannot
could should would will must might in to out up per one two three none what why how who whose
whether before after above below under without within until once again also always never still
yet just very same run runs seed seeds step steps epoch epochs mean means loss losses accuracy
training value values weight weights layer layers head heads ranks adapter adapters file files
log logs batch best last first highest lowest group split splits metric metrics shown given
taken found known chosen logged stated missing paired level interval deviation standard sample
share row rows column columns
"""
ENGLISH = frozenset(SENTENCES.split())
# A word alone: not a part of a path, an identifier, a key or a compound.
WORD = re.compile(r"(?<![\w/.\-_’])[A-Za-z]+(?![\w/\-_]|\.\w)")


def visible(report):
    """Yield (where, words) for everything a reader of the report sees or is read.

    Left out are code (names from logs, keys, what the program said of a file), and the
    bibliography, whose titles are in the language of the works.
    """
    yield "title", report.title
    yield "abstract", plain(report.abstract)
    for block in walk(report.sections):
        place = getattr(block, "id", "") or type(block).__name__
        if isinstance(block, References):
            continue
        if isinstance(block, Section):
            yield place, block.title
        for text in texts(block):
            yield place, plain(text)
        if isinstance(block, Figure):
            yield place, block.alt
            yield from ((place, words) for words in drawn(block.chart.panels))
            yield from ((place, words) for words in drawn(block.chart.diagram))


def plain(text):
    """The words of a text; what is no word is a gap."""
    return "".join(
        node if isinstance(node, str) else "" if isinstance(node, Code) else "·"
        for node in inlines(text)
    )


def english(report, names=()):
    """Return the texts that hold English words, with the words; names are left out."""
    found = []
    for place, words in visible(report):
        for name in names:
            words = words.replace(name, "·")  # noqa: PLW2901 - what is left of them
        if hits := {word.lower() for word in WORD.findall(words)} & ENGLISH:
            found.append((place, sorted(hits), words))
    return found


def names_of(facts):
    """What somebody called a group, a model, an adapter, a question or the report itself."""
    made = [facts.study.report.title, *(group.label for group in facts.groups)]
    made += [adapter.name for adapter in facts.adapters] + [facts.model.name if facts.model else ""]
    made += [words for plan in facts.study.questions for words in (plan.id, plan.title)]
    return sorted(filter(None, made), key=len, reverse=True)


def in_french(facts):
    plan = replace(facts.study, report=ReportPlan(lang="fr"))
    return compose_report(replace(facts, study=plan), metadata={}, date="2026-02-03")


@pytest.mark.parametrize("case", [*CASES, *UNSELECTED], ids=lambda case: case.__name__)
def test_no_english_is_left(made, case):
    assert english(in_french(case(made))) == []


@pytest.fixture(scope="module")
def samples(project, lab):
    """The facts of the studies that come with the project."""
    inputs = project / "inputs"
    return [
        analyse(BuildOptions(out=Path("report.json"), study=study, cache=None))
        for study in (lab / "study.toml", inputs / "tiny-reviews-hf" / "study.toml")
        if study.is_file()
    ] + [analyse(BuildOptions(out=Path("report.json"), runs=lab / "logs", cache=None))]


def test_no_english_is_left_in_the_samples(samples):
    for facts in samples:
        found = english(in_french(facts), names_of(facts))
        # What else a setting could be is given as the settings spell it: "loss".
        assert [hit for hit in found if hit[0] != "settings.inferred"] == []


def test_less_than_two_points_are_one_point(samples):
    """As an accuracy prints them: a fraction, rounded to its decimals, in percent."""
    found = {"point": [], "points": []}
    for facts in samples:
        for block in walk(in_french(facts).sections):
            for text in texts(block):
                for number, behind in pairwise(inlines(text)):
                    unit = isinstance(number, Number) and isinstance(behind, str)
                    if word := unit and re.match(r" (points?)\b", behind):
                        percent = 100 * number.quantity.value
                        found[word[1]].append(abs(round(percent, number.decimals)))
    assert max(found["point"]) < 2 <= min(found["points"])
    assert min(map(len, found.values())) > 3


def computed(report):
    """Yield (id, words) for how each number was computed, or why it is missing, said again."""
    with speaking("fr"):
        for node in (n for b in walk(report.sections) for text in texts(b) for n in inlines(text)):
            if isinstance(node, Number):
                quantity = node.quantity
                words = quantity.reason if isinstance(quantity, Missing) else quantity.method
                yield node.id, retell(words)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_how_numbers_were_computed_can_be_said_in_french(made, case):
    found = list(computed(in_french(case(made))))
    left = [(n, words) for n, words in found if ENGLISH & set(WORD.findall(words.lower()))]
    assert left == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_the_same_numbers_stand_in_both_languages(made, case):
    facts = case(made)
    plain_report = compose_report(facts, metadata={})
    assert ids(in_french(facts)) == ids(plain_report)


def ids(report):
    return sorted(
        node.id
        for text in (report.abstract, *(t for b in walk(report.sections) for t in texts(b)))
        for node in inlines(text)
        if type(node).__name__ == "Number"
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_typography_and_elisions_are_french(made, case):
    """Narrow spaces before high punctuation, and no article that should have been elided."""
    wrong = re.compile(
        r"(?<=\w)[;!?](?:\s|$)|(?<=\w)[:%](?:\s|$)|\w'\w|\.\.\.|"
        r"\b(?:de|le|la|que) (?=[aeéèêiouœ]\w{3})(?:exactitude|entraînement|époque|exécution)"
    )
    found = [
        (place, words) for place, words in visible(in_french(case(made))) if wrong.search(words)
    ]
    assert found == []


def test_the_scan_finds_english(made):
    facts = six_runs(made)
    assert len(english(compose_report(facts, metadata={}))) > 50


def test_tables_have_french_heads(made):
    with speaking("fr"):
        report = in_french(six_runs(made))
        heads = {
            made.words(text)
            for block in walk(report.sections)
            if isinstance(block, Table)
            for column in block.columns
            for text in (column.title, column.group)
        }
    assert {"Groupe", "Graine", "Exécutions", "époque", "validation", "test"} <= heads
