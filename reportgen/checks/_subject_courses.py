"""The courses that a subject may mean: of single runs, of means, of spreads, of differences."""

from __future__ import annotations

from dataclasses import replace

from reportgen.checks._known import Known
from reportgen.checks._series import Room, courses, differences, means, singles, stds
from reportgen.records.claim import Meaning

Course = tuple[Known, ...]


def subject_courses(
    room: Room, subject: Meaning, group: str, slot: tuple[str, str]
) -> tuple[Course, ...]:
    """Return the courses that a subject may mean in one group, the likeliest first.

    Args:
        room: The evidence.
        subject: What is spoken of; its group is bound already.
        group: That group.
        slot: Metric and split.
    """
    values = room.values(*slot, group)
    if subject.aggregate == "difference":
        others = room.named(subject.against, subject.run_against) if subject.against else ()
        if not subject.against:
            others = tuple(other for other in room.groups() if other != group)
            others = others if len(others) == 1 else ()
        gaps = (differences(means(values), means(room.values(*slot, other))) for other in others)
        # A gap is wide or narrow whichever group lies above.
        return tuple(course for gap in gaps for course in courses(map(_size, gap)))
    if subject.aggregate == "std":
        return courses(stds(values))
    if subject.seed is not None:
        return run_courses(room, subject, group, slot)
    if subject.aggregate == "mean":
        return courses(means(values))
    return (*courses(means(values)), *courses(singles(values)))


def run_courses(
    room: Room, subject: Meaning, group: str, slot: tuple[str, str]
) -> tuple[Course, ...]:
    """Return the course of every run of a group, or of the one that a subject names."""
    values = singles(room.values(*slot, group))
    seed = room.seed_of(subject, group)
    return courses(known for known in values if seed is None or known.seed == seed)


def _size(known: Known) -> Known:
    return replace(known, value=abs(known.value))
