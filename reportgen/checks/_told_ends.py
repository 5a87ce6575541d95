"""Which two values a change may be told by: ends of a course, chosen moments, two groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import combinations, product

from reportgen.checks._known import Known
from reportgen.checks._series import CLOCKS, Room, courses, means, singles
from reportgen.checks._subject_courses import Course
from reportgen.records.claim import Statement

SHORT = 40
"""Of a course with more points than this only those near its ends, and its extremes, are tried."""
_NEAR_AN_END = 20
"""Of a long course, one in so many points is near an end."""
MOST_GROUPS = 10
"""Of more groups, some two have any two values."""
Ends = tuple[Known, Known]


def told_ends(room: Room, statement: Statement, course: Course) -> tuple[Ends, ...]:
    """Return the pairs of values that may be both ends of a change, the likeliest first.

    Args:
        room: The evidence.
        statement: Whose window, where it names one, leaves the ends of the course alone.
        course: Of one run or of a mean, in order of time, cut to the window.
    """
    whole = [(course[0], course[-1])]
    steps = _by_step(room, course)
    if statement.window != (None, None):
        inside = _inside(statement, steps) if statement.clock == "step" else ()
        stepped = [(inside[0], inside[-1])] if inside else []
        return (*whole, *_to_its_end(statement, course), *stepped)
    more = (*_along(steps), *_chosen(room, steps)) if steps else ()
    return (*whole, *_along(course), *_chosen(room, course), *_between_groups(room, course), *more)


def _to_its_end(statement: Statement, course: Course) -> Iterator[Ends]:
    """Yield a value and the one at the end of a window of which no beginning is told.

    `Drops from 81 to 77 at epoch 4` may begin at the epoch before, or at the best one before;
    `in the last five epochs` at any of them.
    """
    first, last = statement.window
    if first is None and last is not None and len(statement.amounts) == 2 and course[1:]:
        before = course[:-1]
        extremes = (pick(before, key=lambda known: known.value) for pick in (min, max))
        yield from ((known, course[-1]) for known in (before[-1], *extremes))
    elif first is not None and first < 0:
        yield from _along(course)


def _by_step(room: Room, course: Course) -> Course:
    """Return a course with every logged step, where it has only the ends of epochs."""
    first = course[0]
    if not room.logged or room.clock or first.aggregate not in {"", "mean"}:
        return ()
    every = replace(room, clock="step", _kept={}).values(first.metric, first.split, first.group)
    own = means(every) if first.aggregate else singles(every)
    found = (c for c in courses(own) if (c[0].run, c[0].seed) == (first.run, first.seed))
    return next(found, ())


def _inside(statement: Statement, course: Course) -> Course:
    """Return what lies in a window of steps; runs may have other numbers of them an epoch."""
    first, last = statement.window
    floor = None if first is None else Decimal(repr(first))
    if floor is not None and floor < 0 and course:
        floor += course[-1].moment[1]
    return tuple(
        known
        for known in course
        if (floor is None or known.moment[1] >= floor)
        and (last is None or known.moment[1] <= Decimal(repr(last)))
    )


def _along(course: Course) -> Iterator[Ends]:
    """Yield a value and a later one: `from 0.30 to 0.21` may be said of the last two epochs."""
    if len(course) <= SHORT:
        yield from combinations(course, 2)
        return
    near = max(3, len(course) // _NEAR_AN_END)
    extremes = [pick(course, key=lambda known: known.value) for pick in (min, max)]
    yield from product((*course[:near], *extremes), (*course[-near:], *extremes))


def _chosen(room: Room, course: Course) -> Iterator[Ends]:
    """Yield an early value of a course and the one at its best or its last step."""
    early = course if len(course) <= SHORT else course[: max(3, len(course) // _NEAR_AN_END)]
    yield from product(early, _at_chosen_moments(room, course[0], course[0].group))


def _between_groups(room: Room, course: Course) -> Iterator[Ends]:
    """Yield the values of two groups: `it goes from 60.3 to 67.6 with A` may hold A against B."""
    groups = room.groups()
    if course[0].aggregate != "mean" or len(groups) > MOST_GROUPS:
        return
    ours = {k.moment: k for k in _at_chosen_moments(room, course[0], course[0].group)}
    for group in groups:
        for other in _at_chosen_moments(room, course[0], group):
            own = ours.get(other.moment)
            if own is not None and group != own.group:
                yield other, own
                yield own, other


def _at_chosen_moments(room: Room, like: Known, group: str) -> list[Known]:
    """Return the values of a group that are told without a moment: at its best, at its end."""
    values = room.values(like.metric, like.split, group)
    own = means(values) if like.aggregate == "mean" else singles(values)
    alike = like.aggregate == "mean"
    return [
        known
        for known in own
        if known.moment[0] not in CLOCKS
        and (alike or (known.run, known.seed) == (like.run, like.seed))
    ]
