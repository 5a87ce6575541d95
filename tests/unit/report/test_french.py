"""A whole report in French: every sentence that the sections can say, and no English in it."""

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from fakes.french import ENGLISH, WORD, english, plain, visible
from fakes.row_facts import facts_of_row
from fakes.rows import rows_of

from reportgen.app.analysis import analyse
from reportgen.app.options import BuildOptions
from reportgen.languages import retell, speaking
from reportgen.records.document import Number, inlines, numbers, texts, walk
from reportgen.records.quantity import Missing
from reportgen.records.study import ReportPlan
from reportgen.report import compose_report

pytestmark = pytest.mark.slow
HERE = Path(__file__).parent
SAID = [r for r in rows_of(HERE / "findings/candidates.yaml") if r.get("said", True)]
ROWS = [*rows_of(HERE / "bodies.yaml"), *{row["candidate"]: row for row in SAID}.values()]
"""Some runs each, of which a report says what it says of no other."""


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
    return sorted((name for name in made if len(name) > 1), key=len, reverse=True)


def in_french(facts):
    plan = replace(facts.study, report=ReportPlan(lang="fr"))
    return compose_report(replace(facts, study=plan), metadata={}, date="2026-02-03")


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


def ids(report):
    return sorted(
        node.id
        for text in (report.abstract, *(t for b in walk(report.sections) for t in texts(b)))
        for node in inlines(text)
        if type(node).__name__ == "Number"
    )


WRONG = re.compile(
    r"(?<=\w)[;!?](?:\s|$)|(?<=\w)[:%](?:\s|$)|\w'\w|\.\.\.|"
    r"\b(?:de|le|la|que) (?=[aeéèêiouœ]\w{3})(?:exactitude|entraînement|époque|exécution)"
)
"""No narrow space before high punctuation, and articles that should have been elided."""


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.get("why") or row["candidate"])
def test_a_report_is_french_in_all_its_words_and_has_the_same_numbers(row):
    facts = facts_of_row(row)
    report = in_french(facts)
    assert english(seen(report), names_of(facts)) == []
    assert [(place, words) for place, words in seen(report) if WRONG.search(words)] == []
    how = [(n, words) for n, words in computed(report)]
    assert [pair for pair in how if ENGLISH & set(WORD.findall(pair[1].lower()))] == []
    assert ids(report) == ids(compose_report(facts, metadata={}))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.get("why") or row["candidate"])
def test_nothing_stands_for_what_is_missing(row):
    report = compose_report(facts_of_row(row), metadata={})
    text = "\n".join(
        words for place, words in seen(report) if place not in {"settings", "problems"}
    )
    assert not re.search(r"± 0\.0+(?!\d)|± —|\binf\b|\bNone\b|(?<!logged )\bnan\b", text)
    for number in numbers(report):
        quantity = number.quantity
        if isinstance(quantity, Missing):
            assert quantity.reason, number.id
            continue
        assert quantity.ddof is None or quantity.n is None or quantity.n >= 3, number.id
        assert quantity.n != 1 or not str(quantity.method).startswith("mean of"), number.id


def test_the_scan_finds_english(made):
    assert len(english(seen(compose_report(made.facts(), metadata={})))) > 50
