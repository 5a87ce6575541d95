"""The part of a course that a sentence speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from reportgen.checks._known import Known
from reportgen.checks._pairs import moment_of
from reportgen.checks._series import CLOCKS, Room
from reportgen.records.claim import Meaning, Statement


def within(room: Room, statement: Statement, values: Sequence[Known]) -> tuple[Known, ...]:
    """Return the values inside the window of a statement; chosen moments have no place in one."""
    if statement.window == (None, None):
        return tuple(values)
    first, last = (
        None if edge is None else moment_of(_edge(edge, statement.clock), room)
        for edge in statement.window
    )
    return tuple(
        known
        for known in values
        if known.moment[0] in CLOCKS
        and (first is None or _reaches(known, first))
        and (last is None or _reaches(known, last, -1))
    )


def segments(
    room: Room, statement: Statement, course: Sequence[Known]
) -> tuple[tuple[Known, ...], ...]:
    """Return the parts of a course that may be meant, the likeliest first.

    At a moment (`falls at epoch 4`) it is the step to it; where words leave it open also the
    one from it, and all that follows.
    """
    subject = statement.subjects[0]
    moment = moment_of(subject, room) if statement.window == (None, None) else None
    if moment is None:
        kept = within(room, statement, course)
        return (kept,) if len(kept) > 1 else ()
    places = [known.moment for known in course]
    if moment not in places:
        return ()
    index = places.index(moment)
    parts = [course[max(0, index - 1) : index + 1]]
    if not statement.every:
        parts += [course[index : index + 2], course[index:]]
    return tuple(dict.fromkeys(tuple(part) for part in parts if len(part) > 1))


def _edge(value: float, clock: str) -> Meaning:
    return Meaning(epoch=value) if clock == "epoch" else Meaning(step=int(value))


def _reaches(known: Known, moment: tuple[str, Decimal], sign: int = 1) -> bool:
    return known.moment[0] == moment[0] and sign * (known.moment[1] - moment[1]) >= 0
