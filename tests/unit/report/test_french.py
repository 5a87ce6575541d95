"""A whole report in French: every sentence that the sections can say, and no English in it."""

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from fakes.french import ENGLISH, WORD, english, plain, visible
from fakes.odd_studies import CASES, six_runs
from fakes.unselected_studies import UNSELECTED

from reportgen.app.analysis import analyse
from reportgen.app.options import BuildOptions
from reportgen.languages import retell, speaking
from reportgen.records.document import Number, inlines, texts, walk
from reportgen.records.quantity import Missing
from reportgen.records.study import ReportPlan
from reportgen.report import compose_report

pytestmark = pytest.mark.slow


def seen(report):
    """Yield (where, words) for everything a reader of the report sees or is read."""
    yield "title", report.title
    yield "abstract", plain(report.abstract)
    yield from visible(report.sections)


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
    assert english(seen(in_french(case(made)))) == []


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
        found = english(seen(in_french(facts)), names_of(facts))
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
    found = [(place, words) for place, words in seen(in_french(case(made))) if wrong.search(words)]
    assert found == []


def test_the_scan_finds_english(made):
    facts = six_runs(made)
    assert len(english(seen(compose_report(facts, metadata={})))) > 50
