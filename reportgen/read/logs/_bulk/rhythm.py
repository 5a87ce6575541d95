"""Records that come in turn: where a training logs the same tags each step, so do their lengths."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reportgen.read.logs._bulk._windows import Windows
from reportgen.read.logs._framing import HEADER, OVERHEAD, read_length

Places = NDArray[np.int64]

LONGEST_TURN = 1 << 10
"""Records that may come before they come again."""

TRIALS = 32
"""Turns of different lengths that are tried."""


class Chain(NamedTuple):
    """Records of which each leads to the next.

    Attributes:
        places: Where they begin.
        lengths: Bytes of their payloads.
    """

    places: Places
    lengths: Places

    @property
    def end(self) -> int:
        """Where the record behind the last begins."""
        return int(self.places[-1] + self.lengths[-1]) + OVERHEAD

    def first(self, count: int) -> Chain:
        """Return the chain of the first records."""
        return Chain(self.places[:count], self.lengths[:count])


class Rhythm:
    """Says where records will begin, from the lengths of those before.

    What it says is compared with the lengths that stand there, so that a record counts on the
    same grounds as one found by its looks: its length leads to another header.
    """

    def __init__(self) -> None:
        self._turn: Places = np.zeros(0, dtype=np.int64)

    def hear(self, lengths: Places) -> None:
        """Find how many records make a turn, from the lengths of some in order."""
        longest = min(len(lengths) // 2, LONGEST_TURN)
        if not longest:
            return
        self._turn = lengths[:0]
        # A turn ends where the last length is found again.
        turns = np.flatnonzero(lengths[-2 : -longest - 2 : -1] == lengths[-1])[:TRIALS] + 1
        for turn in turns.tolist():
            if np.array_equal(lengths[-turn:], lengths[-2 * turn : -turn]):
                self._turn = lengths[-turn:].copy()
                return

    def chain(self, window: Windows, begin: int) -> Chain:
        """Return the records from a place on, as far as the rhythm holds."""
        pieces: list[Chain] = []
        turns = 1
        while len(self._turn):
            found = self._expect(window, begin, turns)
            holds = window.words[found.places].view(np.int64) == found.lengths
            count = len(holds) if holds.all() else int(holds.argmin())
            pieces.append(found.first(count))
            # Twice as many each time: what is expected in vain is less than what has come.
            if not count or count < turns * len(self._turn):
                break
            begin, turns = pieces[-1].end, 2 * turns
        return self._as_far_as_seen(window, pieces)

    def _as_far_as_seen(self, window: Windows, pieces: list[Chain]) -> Chain:
        """Return the records of all pieces, without a last one whose header is unsound."""
        none = self._turn[:0]
        found = Chain(
            np.concatenate([none, *(piece.places for piece in pieces)]),
            np.concatenate([none, *(piece.lengths for piece in pieces)]),
        )
        if len(found.places):
            # Of this one nobody has seen where it leads.
            last = int(found.places[-1])
            if read_length(window.bytes_at(last, last + HEADER)) is None:
                found = found.first(len(found.places) - 1)
        self._turn = np.roll(self._turn, -len(found.places))
        return found

    def _expect(self, window: Windows, begin: int, turns: int) -> Chain:
        """Return the records of some turns, as far as they fit into a window."""
        lengths = np.tile(self._turn, turns)
        ends = np.cumsum(lengths + OVERHEAD) + begin
        count = int(ends.searchsorted(window.size - window.behind, "right"))
        return Chain(ends[:count] - lengths[:count] - OVERHEAD, lengths[:count])
