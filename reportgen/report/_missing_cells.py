"""Runs without a value, counted, and why."""

from __future__ import annotations

from collections.abc import Callable

from reportgen.languages import message, say, say_count
from reportgen.languages._language import Place
from reportgen.records.document import Ref, Text
from reportgen.records.facts import Facts, RunResult
from reportgen.records.quantity import Missing, Reading
from reportgen.report._curve_words import in_a_row
from reportgen.report._evidence import of_cell, of_cells
from reportgen.report._numbers import counted
from reportgen.report._reasons import reasons_words

MOST_REASONS = 3


# One of one run, one of several, several of several: without a result, and without a last value.
_WITHOUT_RESULT = (
    message(
        "Of {all} run declared or found, {n} has no result and counts in no mean of results: {why}."
    ),
    message(
        "Of {all} runs declared or found, {n} has no result and counts in no mean of results: "
        "{why}."
    ),
    message(
        "Of {all} runs declared or found, {n} have no result and count in no mean of results: "
        "{why}."
    ),
)
_WITHOUT_LAST = (
    message(
        "Of {all} run declared or found, {n} has no last {what} and counts in no mean of last "
        "values: {why}."
    ),
    message(
        "Of {all} runs declared or found, {n} has no last {what} and counts in no mean of last "
        "values: {why}."
    ),
    message(
        "Of {all} runs declared or found, {n} have no last {what} and count in no mean of last "
        "values: {why}."
    ),
)


def missing_cells(
    facts: Facts, reading_of: Callable[[RunResult], Reading], table: str, last: str = ""
) -> Text:
    """Say how many runs have no result, and why; nothing where all have one.

    Args:
        facts: What the analysis found.
        reading_of: The value of a run that counts as its result.
        table: Id of the table with all reasons.
        last: What these are the last values of, in words; empty where they are results.
    """
    cells = [(g, c) for g in facts.groups for c in g.cells]
    readings = [(g, c, reading_of(c)) for g, c in cells]
    absent = [(g, c, why) for g, c, why in readings if isinstance(why, Missing)]
    if not absent:
        return ()
    reasons = reasons_words((c, why) for _, c, why in absent)
    why: Text = (in_a_row(reasons[:MOST_REASONS]),)
    if len(reasons) > MOST_REASONS:
        why = say("{reasons}; and others, listed below {table}", reasons=why, table=Ref(table))
    every = counted(
        *("summary.cells", len(cells), message("runs declared or found")),
        of_cells(facts.study, facts.groups),
    )
    without = counted(
        *("summary.cells_missing", len(absent), message("runs without a reported value")),
        [of_cell(facts.study, group, cell) for group, cell, _ in absent],
    )
    alone, one, many = _WITHOUT_LAST if last else _WITHOUT_RESULT
    places: dict[str, Place] = {"all": every, "n": without, "why": why, "what": last}
    if len(cells) == 1:
        return say(alone, **places)
    return say_count(one, many, len(absent), **places)
