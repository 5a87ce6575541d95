"""Whole numbers with a given sum whose squares add up to something in a range."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt

MOST_NODES = 100_000
"""Choices looked at before a search gives up: a tenth of a second."""


class Exhausted(Exception):  # noqa: N818 - nothing is at fault: the search is too large
    """More choices than a search may look at."""


class Search:
    """A bounded search for non-decreasing whole numbers."""

    def __init__(self, most: int = MOST_NODES) -> None:
        self.left = most

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Exhausted

    def choose(
        self, count: int, total: int, low: int, high: int, least: int | None = None
    ) -> Iterator[tuple[int, ...]]:
        """Yield the choices of `count` numbers in non-decreasing order.

        Args:
            count: How many numbers.
            total: Their sum.
            low: Least sum of their squares.
            high: Largest sum of their squares.
            least: Smallest number allowed.

        Raises:
            Exhausted: The search is too large; what was yielded before stands.

        Example:
            >>> list(Search().choose(3, 6, 0, 14))
            [(1, 2, 3), (2, 2, 2)]
        """
        self._count()
        if high < low or count * high < total * total:
            return
        if count == 0:
            if total == 0 and low <= 0 <= high:
                yield ()
        elif count == 1:
            if low <= total * total <= high and (least is None or total >= least):
                yield (total,)
        elif count == 2:
            yield from self._pairs(total, low, high, least)
        else:
            yield from self._first_of(count, total, low, high, least)

    def _pairs(
        self, total: int, low: int, high: int, least: int | None
    ) -> Iterator[tuple[int, ...]]:
        """Yield a <= b with a + b = total: (b - a)^2 is twice their squares less total^2."""
        nearest = _root_above(max(0, 2 * low - total * total))
        nearest += (nearest - total) % 2
        farthest = isqrt(2 * high - total * total)
        if least is not None:
            farthest = min(farthest, total - 2 * least)
        for gap in range(farthest - (farthest - nearest) % 2, nearest - 1, -2):
            self._count()
            yield (total - gap) // 2, (total + gap) // 2

    def _first_of(
        self, count: int, total: int, low: int, high: int, least: int | None
    ) -> Iterator[tuple[int, ...]]:
        # The others add up to least where they are equal, which bounds how far the first
        # may lie below the mean: (count * first - total)^2 <= (count - 1)(count high - total^2).
        reach = isqrt((count - 1) * (count * high - total * total))
        start = -((reach - total) // count)
        start = start if least is None else max(start, least)
        for first in range(start, total // count + 1):
            square = first * first
            rest = self.choose(count - 1, total - first, low - square, high - square, first)
            for others in rest:
                yield (first, *others)


def _root_above(square: int) -> int:
    root = isqrt(square)
    return root + (root * root < square)
