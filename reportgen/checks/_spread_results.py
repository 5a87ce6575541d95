"""Which comparisons of spreads a sentence allows: of results, where it names no moment."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from reportgen.checking.numbers._gated import gated
from reportgen.checks._margins import Reading
from reportgen.checks._pairs import Comparison
from reportgen.checks._series import Room
from reportgen.records.claim import Meaning, Statement

_SPREAD = "std"
_OVER_RUNS = gated(
    r"\b(?:across|over|between|among|from|entre|sur|selon|parmi|d['’]une?)\s"
    r"(?:(?:the|its|our|all|three|random|different|les|ses|nos|des|one)\s){0,3}"
    r"(?:seeds?|runs?|repeats?|repetitions?|replicates?|trials?|graines?|ex[ée]cutions?|essais?"
    r"|r[ée]p[ée]titions?)\b"
    r"|\bseed[\s-]to[\s-]seed\b",
    re.IGNORECASE,
)
_OF_COURSES = gated(
    r"\b(?:during|throughout|training|curves?|courses?|bands?|steps?|epochs?|evaluations?|early|late"
    r"|beginning|start|pendant|durant|entra[iî]nements?|courbes?|bandes?|pas|[ée]tapes?|[ée]poques?"
    r"|[ée]valuations?|d[ée]but)\b",
    re.IGNORECASE,
)
"""Words of a sentence that speaks of more moments than that of the result."""


def over_runs(room: Room, statement: Statement) -> bool:
    """Say whether a sentence speaks of how far the runs of a group lie from each other.

    Args:
        room: With the words of the sentence.
        statement: What is said of a spread or of how stable something is.
    """
    said = statement.subjects[0].aggregate == _SPREAD or {"seeds", "runs"} & set(statement.over)
    return bool(said) or _OVER_RUNS.search(room.clause) is not None


def of_results(
    room: Room, statement: Statement, found: Sequence[Comparison]
) -> tuple[Comparison, ...]:
    """Return the comparisons that remain where a spread over runs is said without a moment.

    A report gives the spread of its results. That the seeds lay closer at some step on the way
    is no reading, unless the sentence speaks of the way, or the evidence has nothing else.

    Args:
        room: With the words of the sentence.
        statement: What is said.
        found: Every comparison that could be meant.
    """
    if not _is_of_results(room, statement):
        return tuple(found)
    kept = [c for c in found if c.level != _SPREAD or c.scope != "each"]
    spreads = any(c.level == _SPREAD for c in kept)
    return tuple(kept if spreads else found)


def on_reported_split(
    room: Room, statement: Statement, found: Sequence[tuple[str, Reading]]
) -> tuple[Reading, ...]:
    """Return readings of which those of another split than the reported are doubtful.

    A spread of results without a split is that of the split that is reported; where another one
    alone makes the sentence hold, that is told and no more.

    Args:
        room: With the words of the sentence.
        statement: What is said.
        found: Every reading with its split.
    """
    readings = tuple(reading for _, reading in found)
    facts = room.case.facts
    if not room.logged or facts is None or statement.subjects[0].split:
        return readings
    plan = facts.study.metric
    reported = [reading for split, reading in found if split == plan.report_on]
    held = any(reading.charity > 0 for reading in reported)
    if not reported or held or not _is_of_results(room, statement):
        return readings
    return tuple(
        replace(
            reading,
            margin=min(reading.margin, Decimal(0)),
            slack=Decimal(0),
            witness=f"{reported[0].witness} and {reading.witness}",
        )
        if split != plan.report_on
        else reading
        for split, reading in found
    )


def _is_of_results(room: Room, statement: Statement) -> bool:
    timed = any(map(_is_timed, statement.subjects)) or statement.window != (None, None)
    if timed or "epochs" in statement.over or _OF_COURSES.search(room.clause):
        return False
    return over_runs(room, statement)


def _is_timed(subject: Meaning) -> bool:
    return subject.epoch is not None or subject.step is not None or bool(subject.selection)
