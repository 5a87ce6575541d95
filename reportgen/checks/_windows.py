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
    begin, end = statement.window
    if begin is not None and begin < 0:
        return _at_the_end(values, -begin, statement.clock)
    first, last = (
        None if edge is None else moment_of(_edge(edge, statement.clock), room)
        for edge in (begin, end)
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
        own = [kept]
        if kept and (statement.window[0] or 0) < 0 and statement.clock == "epoch":
            # What changes over the last three epochs may do so from the end of the one before.
            own.append(tuple(course[max(0, len(course) - len(kept) - 1) :]))
        return tuple(part for part in own if len(part) > 1)
    places = [known.moment for known in course]
    if moment not in places:
        return ()
    index = places.index(moment)
    parts = [course[max(0, index - 1) : index + 1]]
    if not statement.every:
        parts += [course[index : index + 2], course[index:]]
    return tuple(dict.fromkeys(tuple(part) for part in parts if len(part) > 1))


def _at_the_end(values: Sequence[Known], count: float, clock: str) -> tuple[Known, ...]:
    """Return what a run has in its last epochs, or in so many steps before its last one."""
    placed = [(place, known) for known in values if (place := _place(known, clock)) is not None]
    ends: dict[str, Decimal] = {}
    for place, known in placed:
        ends[known.run] = max(place, ends.get(known.run, place))
    reach = Decimal(repr(count)) - (1 if clock == "epoch" else 0)
    return tuple(known for place, known in placed if place >= ends[known.run] - reach)


def _place(known: Known, clock: str) -> Decimal | None:
    """Return the epoch, or the step, of a value; nothing for a chosen moment."""
    if known.moment[0] == clock:
        return known.moment[1]
    if clock == "step" and known.moment[0] in CLOCKS and known.evidence:
        step = known.evidence[0].step
        return None if step is None else Decimal(step)
    return None


def _edge(value: float, clock: str) -> Meaning:
    return Meaning(epoch=value) if clock == "epoch" else Meaning(step=int(value))


def _reaches(known: Known, moment: tuple[str, Decimal], sign: int = 1) -> bool:
    return known.moment[0] == moment[0] and sign * (known.moment[1] - moment[1]) >= 0
