"""Right reports of random curves are traced and never accused; one wrong digit is told."""

from __future__ import annotations

import random
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from fakes import random_reports
from fakes.checked_reports import evidence_of, reviewed
from fakes.random_reports import (
    COMPARED,
    GROUPED,
    MARKED,
    SENTENCES,
    TABLES,
    of_groups,
    plain,
    sentences,
)

EXAMPLES = 8
KINDS = {
    **TABLES,
    **{text: partial(sentences, template=text) for text in (*SENTENCES, *COMPARED)},
    **{text: partial(of_groups, template=text) for text in GROUPED},
}


def places_of(made):
    """Return line and column of each marked value in the text without marks."""
    places = []
    for number, line in enumerate(made.text.split("\n"), start=1):
        marks = MARKED.finditer(line)
        places += [(number, match.start() - 2 * i + 1) for i, match in enumerate(marks)]
    return places


def said(text, evidence):
    """Return the verdicts on numbers by their line and column."""
    with TemporaryDirectory() as folder:
        review = reviewed(Path(folder), text, evidence)
    numbers = [one for one in review.verdicts if one.number is not None]
    return {(one.place.line, one.place.column): one for one in numbers}


def accused(verdicts):
    return {place for place, one in verdicts.items() if one.level in {"error", "warning"}}


@cache
def examples(kind):
    """Return reports of a kind, each with its evidence and a source of chance."""
    found = []
    for number in range(EXAMPLES):
        rng = random.Random(f"{kind} {number}")
        made = KINDS[kind](rng)
        found.append((made, evidence_of(made.given), rng.getrandbits(32)))
    return found


@cache
def spoiled(kind, how):
    """Return the place of the value that was spoiled, and the verdicts, of each example."""
    found = []
    for made, evidence, seed in examples(kind):
        one = getattr(random_reports, how)(made, random.Random(seed))
        if one is not None:
            text, _, index = one
            found.append((places_of(made)[index], said(text, evidence)))
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_who_is_right_is_traced_and_never_accused(kind):
    traced = count = 0
    for made, evidence, _ in examples(kind):
        verdicts = said(plain(made.text), evidence)
        assert accused(verdicts) == set(), made.text
        places = places_of(made)
        count += len(places)
        traced += sum(verdicts[place].outcome == "traced" for place in places)
    assert traced >= (0.7 if kind in COMPARED else 0.9) * count


def test_one_wrong_digit_in_a_table_is_told_and_nobody_else_is_accused():
    told = count = 0
    for kind in TABLES:
        for place, verdicts in spoiled(kind, "with_one_changed"):
            assert accused(verdicts) <= {place}
            count += 1
            told += place in accused(verdicts)
    assert count > 5 * len(TABLES)
    assert told >= 0.8 * count


def test_a_random_number_in_a_table_is_not_traced():
    traced = count = 0
    for kind in TABLES:
        for place, verdicts in spoiled(kind, "with_one_replaced"):
            assert accused(verdicts) <= {place}
            count += 1
            traced += verdicts[place].outcome == "traced"
    assert traced <= 0.05 * count
