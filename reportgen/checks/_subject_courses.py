"""The courses that a subject may mean: of single runs, of means, of spreads, of differences."""

from __future__ import annotations

import re
from dataclasses import replace

from reportgen.checking.numbers._gated import gated
from reportgen.checks._known import Known
from reportgen.checks._series import Room, courses, differences, means, means_of_some, singles, stds
from reportgen.records.claim import Meaning

Course = tuple[Known, ...]
_GAP = gated(r"\b(?:gaps?|difference|écart|différence)\s(?:between|entre)\b", re.IGNORECASE)
_CUT_OFF = re.compile(r"\s*(?:of|de|du|d['’]|between|entre)\b", re.IGNORECASE)
_WIDTH = gated(
    r"\b(?:is|are|was|were|gets?|becomes?|stays?|and)\s(?:\w+\s)?(?:narrower|narrowest|wider|widest)\b",
    re.IGNORECASE,
)
"""Words that are said of a gap or of a spread, and of no value."""


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
    if subject.aggregate not in {"difference", "std"} and is_of_a_gap(room):
        return ()  # Of which two means is not known, and one of them is no gap.
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
    if subject.seed is not None or room.run_of(subject):
        return run_courses(room, subject, group, slot)
    if subject.aggregate == "mean":
        return courses(means(values))
    some = courses(means_of_some(values))
    return (*courses(means(values)), *courses(singles(values)), *some)


def is_of_a_gap(room: Room) -> bool:
    """Say whether the words in question speak of a gap, which stands before them if at all."""
    before = room.sentence.partition(room.clause)[0] if room.clause else ""
    cut_off = _CUT_OFF.match(room.clause) and _GAP.search(before)
    return bool(cut_off or _WIDTH.search(room.clause))


def run_courses(
    room: Room, subject: Meaning, group: str, slot: tuple[str, str]
) -> tuple[Course, ...]:
    """Return the course of every run of a group, or of the one that a subject names."""
    values = singles(room.values(*slot, group))
    seed, run = room.seed_of(subject, group), room.run_of(subject)
    own = (known for known in values if not run or known.run == run)
    return courses(known for known in own if seed is None or known.seed == seed)


def _size(known: Known) -> Known:
    return replace(known, value=abs(known.value))
