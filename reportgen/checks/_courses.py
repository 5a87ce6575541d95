"""What can be said of one course of values: it rises, falls, varies, settles, peaks early."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from reportgen.checks._known import Known, mean_of, shown
from reportgen.checks._margins import Reading, tolerance_of

Course = Sequence[Known]
_EARLY, _SMALL = Decimal("0.8"), Decimal("0.05")
"""Of the length of a course, and of all that it gained."""


def rises(course: Course, *, every: bool, name: str) -> Reading:
    """Read whether a course of two or more values rises: at every step, or from end to end.

    Example:
        >>> rise = [Known(value=Decimal(v), metric="accuracy", split="test", group="g",
        ...         moment=("epoch", Decimal(e)), where=f"epoch {e}")
        ...         for e, v in ((1, 70), (2, 75), (3, 74))]
        >>> rises(rise, every=True, name="g").margin, rises(rise, every=False, name="g").margin
        (Decimal('-1'), Decimal('4'))
    """
    pairs = list(pairwise(course)) if every else [(course[0], course[-1])]
    before, after = min(pairs, key=lambda pair: pair[1].value - pair[0].value)
    return _between(course, before, after, after.value - before.value, name)


def falls(course: Course, *, every: bool, name: str) -> Reading:
    """Read whether a course of two or more values falls: at every step, or from end to end."""
    pairs = list(pairwise(course)) if every else [(course[0], course[-1])]
    before, after = min(pairs, key=lambda pair: pair[0].value - pair[1].value)
    return _between(course, before, after, before.value - after.value, name)


def since_its_best(course: Course, *, low: bool) -> Course:
    """Return a course from its best value on, where that is long before its end; else nothing.

    What falls back by a small part of all that it gained, or at the very end, is noise.

    Example:
        >>> rise = [Known(value=Decimal(v), metric="accuracy", split="test", group="g",
        ...         moment=("epoch", Decimal(e)))
        ...         for e, v in enumerate((60, 80, 79, 77, 75, 74))]
        >>> [known.value for known in since_its_best(rise, low=False)][:2]
        [Decimal('80'), Decimal('79')]
        >>> since_its_best(rise[:3], low=False)
        ()
    """
    values = [-known.value if low else known.value for known in course]
    peak = values.index(max(values))
    early = peak <= _EARLY * (len(values) - 1)
    lost = values[peak] - values[-1] > _SMALL * (values[peak] - values[0])
    return course[peak:] if early and lost else ()


def _between(course: Course, before: Known, after: Known, margin: Decimal, name: str) -> Reading:
    return Reading(
        name=name,
        margin=margin,
        slack=before.slack + after.slack,
        tolerance=tolerance_of(course),
        witness=f"{shown(before.value)} at {before.where} and {shown(after.value)} at "
        f"{after.where} ({name})",
        evidence=(*before.evidence, *after.evidence),
    )


def varies(course: Course, *, name: str) -> Reading | None:
    """Read whether a course both rises and falls; nothing for fewer than three values.

    The margin is the smaller of the largest rise and the largest fall.
    """
    if len(course) < 3:
        return None
    ups = rises_of(course)
    downs = [-change for change in ups]
    margin = min(max(ups), max(downs))
    words = " → ".join(shown(known.value) for known in _sample(course))
    return Reading(
        name=name,
        margin=margin,
        slack=2 * max(known.slack for known in course),
        tolerance=tolerance_of(course),
        witness=f"{words} ({name})",
        evidence=tuple(e for known in course for e in known.evidence),
    )


def rises_of(course: Course) -> list[Decimal]:
    """Return the change from each value to the next."""
    return [after.value - before.value for before, after in pairwise(course)]


def settles(course: Course, *, name: str) -> Reading | None:
    """Read whether a course changes less in its last third than before, and little at all.

    The margin is half the range of the whole course less the range of its end; nothing for
    fewer than three values. Nobody has defined how flat a plateau is, so half is generous.
    """
    if len(course) < 3:
        return None
    end = course[-max(2, len(course) // 3) :]
    values, tail = [k.value for k in course], [k.value for k in end]
    margin = (max(values) - min(values)) / 2 - (max(tail) - min(tail))
    return Reading(
        name=name,
        margin=margin,
        slack=3 * max(known.slack for known in course),
        tolerance=tolerance_of(course),
        witness=f"{shown(end[0].value)} at {end[0].where} and {shown(end[-1].value)} at "
        f"{end[-1].where}, of a range from {shown(min(values))} to {shown(max(values))} ({name})",
        evidence=tuple(e for known in end for e in known.evidence),
    )


def turns(course: Course, *, low: bool, at: Decimal | None, name: str) -> Reading | None:
    """Read whether a course is best before its end, near a moment if one is named.

    Args:
        course: Validation values; three or more.
        low: Whether the lowest value is the best.
        at: The moment that the sentence names; the best one may lie a moment beside it.
        name: What is read.
    """
    if len(course) < 3:
        return None
    sign = -1 if low else 1
    best = max(course, key=lambda known: sign * known.value)
    last = course[-1]
    margin = sign * (best.value - last.value)
    if at is not None and not _near(course, best, at):
        # It turns, but elsewhere: the value there has to give way to the best one.
        nearest = min(course, key=lambda known: abs(known.moment[1] - at))
        margin = min(margin, sign * (nearest.value - best.value))
    return Reading(
        name=name,
        margin=margin,
        slack=best.slack + last.slack,
        tolerance=tolerance_of(course),
        witness=f"the best value {shown(best.value)} at {best.where} and {shown(last.value)} at "
        f"{last.where} ({name})",
        evidence=(*best.evidence, *last.evidence),
    )


def _near(course: Course, best: Known, at: Decimal) -> bool:
    """Say whether the best moment is the named one, or the one before or behind it."""
    places = [known.moment[1] for known in course]
    index = places.index(best.moment[1])
    low = places[max(0, index - 1)]
    high = places[min(len(places) - 1, index + 1)]
    return low <= at <= high


def roughness(course: Course) -> Decimal:
    """Return the mean size of the steps back of a course against its general direction.

    Example:
        >>> def course(*values):
        ...     return [Known(value=Decimal(v), metric="loss", split="", group="g",
        ...             moment=("epoch", Decimal(e))) for e, v in enumerate(values)]
        >>> roughness(course(1, 2, 3)), roughness(course(1, 4, 3))
        (Decimal('0'), Decimal('0.5'))
    """
    direction = 1 if course[-1].value >= course[0].value else -1
    return mean_of(max(Decimal(0), -direction * change) for change in rises_of(course))


def _sample(course: Course, most: int = 8) -> Sequence[Known]:
    """Return a few values of a long course for a message, its ends among them."""
    if len(course) <= most:
        return course
    step = (len(course) - 1) / (most - 1)
    return [course[round(place * step)] for place in range(most)]
