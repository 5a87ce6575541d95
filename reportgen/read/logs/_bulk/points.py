"""Points by tag, twenty bytes each, in arrays that grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reportgen.read.logs._columns import series_of
from reportgen.records.run import Series

Bits = NDArray[np.uint64]


_SMALL = 1 << 20
"""Bytes from which the system gives back what an array no longer needs."""


class Growing:
    """An array that is appended to; room that was never written to takes no memory."""

    def __init__(self, dtype: Any) -> None:
        self._room = np.empty(0, dtype=dtype)
        self._size = 0

    def append(self, values: NDArray[Any]) -> None:
        """Add values at the end."""
        size = self._size + len(values)
        if size > len(self._room):
            # A first part is often all there is.
            room = size if not self._size else max(size, 2 * len(self._room))
            # `resize` would write zeros into all of it.
            grown = np.empty(room, dtype=self._room.dtype)
            grown[: self._size] = self._room[: self._size]
            self._room = grown
        self._room[self._size : size] = values
        self._size = size

    def take(self) -> NDArray[Any]:
        """Return the values, and be empty."""
        taken = self._room
        if self._size < len(taken):
            # A small block that shrinks in place leaves a hole that nothing fits into.
            small = taken.nbytes < _SMALL
            taken = taken[: self._size].copy() if small else taken
            taken.resize(self._size, refcheck=False)
        self._room, self._size = np.empty(0, dtype=taken.dtype), 0
        return taken


class Column:
    """The points of one tag, in the order in which they were written.

    Values are single precision until a wider one comes; the whole tag then is double.
    """

    def __init__(self) -> None:
        self._steps = Growing(np.int64)
        self._walls = Growing(np.float64)
        self._values = Growing(np.float32)
        self._is_wide = False

    def add(self, steps: NDArray[np.int64], walls: Bits, bits: Bits, *, is_wide: bool) -> None:
        """Append points; values and wall times come as their bits."""
        if is_wide and not self._is_wide:
            values = self._values.take().astype(np.float64)
            self._values, self._is_wide = Growing(np.float64), True
            self._values.append(values)
        self._steps.append(steps)
        self._walls.append(walls.view(np.float64))
        narrow = bits.view(np.float64) if is_wide else bits.astype(np.uint32).view(np.float32)
        self._values.append(narrow)

    def purge(self, step: int) -> None:
        """Forget the points from `step` on, as a writer that starts again there asks for."""
        steps = self._steps.take()
        kept = steps < step
        self._steps.append(steps[kept])
        for part in (self._walls, self._values):
            part.append(part.take()[kept])

    def take(self, tag: str, path: str) -> Series:
        """Return the points as a series, and be empty."""
        return series_of(tag, self._steps.take(), self._values.take(), self._walls.take(), path)


class Part(NamedTuple):
    """Points of one window.

    Attributes:
        columns: Two for each tag: its number twice, and one more where values are double.
        steps: Steps.
        walls: Bits of the wall times.
        bits: Bits of the values, of single precision or double.

    Shape: all have one length; the order is that of the file.
    """

    columns: NDArray[np.int64]
    steps: NDArray[np.int64]
    walls: Bits
    bits: Bits

    @classmethod
    def of(
        cls, columns: Sequence[int], steps: Sequence[int], walls: Sequence[int], bits: Sequence[int]
    ) -> Part:
        """Make a part of numbers."""
        return cls(
            np.array(columns, dtype=np.int64),
            np.array(steps, dtype=np.int64),
            np.array(walls, dtype=np.uint64),
            np.array(bits, dtype=np.uint64),
        )

    def some(self, which: slice | NDArray[np.int64]) -> Part:
        """Return the points at these places."""
        return Part(self.columns[which], self.steps[which], self.walls[which], self.bits[which])


def join(parts: Sequence[Part]) -> Part:
    """Return the points of all parts, one behind the other."""
    if len(parts) == 1:
        return parts[0]
    return Part(
        np.concatenate([part.columns for part in parts]),
        np.concatenate([part.steps for part in parts]),
        np.concatenate([part.walls for part in parts]),
        np.concatenate([part.bits for part in parts]),
    )


class Points:
    """The points of a file.

    Args:
        tags: Tag of each pair of columns; it may grow while points are added.
    """

    def __init__(self, tags: Sequence[str]) -> None:
        self._tags = tags
        self._columns: dict[int, Column] = {}
        self._unsorted: list[Part] = []

    @property
    def tag_count(self) -> int:
        """Tags that have been given points so far."""
        return len(self._columns)

    def add(self, part: Part) -> None:
        """Append points; they go to their tags when `sort` is called."""
        self._unsorted.append(part)

    def sort(self) -> None:
        """Give the points added so far to their tags."""
        if not self._unsorted:
            return
        part = join(self._unsorted)
        self._unsorted = []
        counts = _promote(part)
        # Few tags sort faster as small numbers: by counting, not by comparing.
        order = np.argsort(part.columns.astype(_smallest(len(counts))), kind="stable")
        ends = np.cumsum(counts)
        present = np.flatnonzero(counts)
        # In the order in which tags come in the file.
        for column in present[np.argsort(order[ends[present] - counts[present]])].tolist():
            own = order[ends[column] - counts[column] : ends[column]]
            mine = self._columns.setdefault(column >> 1, Column())
            mine.add(part.steps[own], part.walls[own], part.bits[own], is_wide=bool(column & 1))

    def purge(self, step: int) -> None:
        """Forget the points of every tag from `step` on."""
        self.sort()
        for column in self._columns.values():
            column.purge(step)

    def series(self, path: str) -> dict[str, Series]:
        """Return every tag that has points as a series; the points are handed over."""
        self.sort()
        found = {
            self._tags[number]: column.take(self._tags[number], path)
            for number, column in self._columns.items()
        }
        return {tag: series for tag, series in found.items() if len(series)}


def _promote(part: Part) -> NDArray[np.int64]:
    """Make tags that come in both widths double, and return how often each column comes."""
    counts = np.bincount(part.columns)
    both = np.flatnonzero(counts[:-1:2] * counts[1::2]).tolist() if len(counts) > 1 else []
    for narrow in both:
        mine = part.columns == 2 * narrow
        single = part.bits[mine].astype(np.uint32).view(np.float32)
        part.bits[mine] = single.astype(np.float64).view(np.uint64)
        part.columns[mine] = 2 * narrow + 1
    return np.bincount(part.columns) if both else counts


def _smallest(count: int) -> type[np.unsignedinteger[Any]]:
    if count <= 1 << 8:
        return np.uint8
    return np.uint16 if count <= 1 << 16 else np.uint32
