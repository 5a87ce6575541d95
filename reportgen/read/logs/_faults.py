"""Records of logs that are written one behind the other, and the bytes that hold none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reportgen.records.run import Problem

LISTED = 50
"""Faults of one file that are listed one by one."""

_ALIKE = 3
"""Tags that are named where the same is said of many."""

CUT_OFF = "the last record is cut off"
"""Also how a log that is still being written looks."""

DAMAGED = "the record is damaged"


class Record(NamedTuple):
    """One sound payload, and where its record begins."""

    offset: int
    payload: bytes


class Fault(NamedTuple):
    """Bytes that hold no sound record: from `offset` up to `end`."""

    offset: int
    end: int
    reason: str


def problems_of(faults: Sequence[Fault], name: str) -> Iterator[Problem]:
    """Yield a problem a fault, and one for all those behind the first fifty."""
    for fault in faults[:LISTED]:
        cut = fault.reason == CUT_OFF
        yield Problem(
            path=name,
            message=f"{fault.reason}; {fault.end - fault.offset} bytes left out",
            remedy="normal while training still runs" if cut else "copy the file again",
            offset=fault.offset,
            level="note" if cut else "warning",
        )
    if len(faults) > LISTED:
        rest = faults[LISTED:]
        lost = sum(fault.end - fault.offset for fault in rest)
        yield Problem(
            path=name,
            message=f"{len(rest)} more damaged places, {lost} bytes, left out",
            offset=rest[0].offset,
        )


def name_tags(tags: Sequence[str]) -> str:
    """Return the tags that something is said of, in words.

    Example:
        >>> name_tags(["a", "b"]), name_tags(["a", "b", "c", "d", "e"])
        ('a, b', 'a, b, c and 2 more tags')
    """
    more = f" and {len(tags) - _ALIKE} more tags" if len(tags) > _ALIKE else ""
    return f"{', '.join(tags[:_ALIKE])}{more}"
