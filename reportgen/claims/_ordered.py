"""Things that stand in a text in order: those inside a part of it, those outside all parts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter
from typing import Protocol, TypeVar


class Placed(Protocol):
    """Anything that begins and ends somewhere in a text."""

    @property
    def start(self) -> int:
        """Where it begins."""

    @property
    def end(self) -> int:
        """The position behind it."""


Thing = TypeVar("Thing", bound=Placed)
_START = attrgetter("start")


def within(things: Sequence[Thing], start: int, end: int) -> list[Thing]:
    """Return the things that lie in a part of the text.

    Args:
        things: In order of their starts.
        start: Where the part begins.
        end: The position behind it.

    Example:
        >>> from reportgen.checking.numbers._numbers import find_numbers
        >>> [number.text for number in within(find_numbers("1 and 2 and 3"), 2, 8)]
        ['2']
    """
    first = bisect_left(things, start, key=_START)
    last = bisect_left(things, end, lo=first, key=_START)
    return [thing for thing in things[first:last] if thing.end <= end]


def outside(things: Sequence[Thing], spans: Sequence[tuple[int, int]]) -> list[Thing]:
    """Return the things that touch none of the spans.

    Args:
        things: In order of their starts.
        spans: In any order; they may overlap.

    Example:
        >>> from reportgen.checking.numbers._numbers import find_numbers
        >>> [number.text for number in outside(find_numbers("1 and 2 and 3"), [(6, 7), (0, 3)])]
        ['3']
    """
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    kept = []
    at = 0
    for thing in things:
        while at < len(merged) and merged[at][1] <= thing.start:
            at += 1
        if at == len(merged) or merged[at][0] >= thing.end:
            kept.append(thing)
    return kept
