"""The records of a window as columns: step, wall time, and what tells one tag from another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reportgen.read.logs._bulk._windows import Windows
from reportgen.read.logs._bulk.crc import TABLES, Checksums, unmask
from reportgen.read.logs._bulk.spots import Spot
from reportgen.read.logs._framing import HEADER

SHORTEST, LONGEST = 20, 1024
"""Payloads of other lengths hold no scalar, or one with a tag of unusual length."""

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

_STEP = np.uint64(0x10)
"""First byte of field 2 of an event, a varint."""

_STEP_BYTES = 7
"""Bytes of a step that lie in the same word as its field's first byte: steps below 2 ** 49."""

_ENDS = np.uint64(0x0080808080808080)
"""The bit that is clear in a varint's last byte, of seven bytes."""


class Rows:
    """Records whose lengths a scalar may have, decoded as far as all scalars are alike.

    Args:
        window: What they lie in.
        places: Where their headers begin.
        lengths: Bytes of their payloads, from `SHORTEST` to `LONGEST`.

    Attributes:
        steps: Their steps.
        walls: Bits of their wall times.
        plain: Whether the step could be read here.

    Shape: everything has one entry a record.
    """

    def __init__(self, window: Windows, places: Numbers, lengths: Numbers) -> None:
        self._words = window.words
        TABLES.reach(int(lengths.max()))
        self._ends = places + lengths
        self._ends += HEADER
        # Three words at once: the last bytes of the header, the wall time, and what is behind it.
        spans = window.spans[places + (HEADER - 7)].view(np.uint64).reshape(-1, 3)
        self.walls: Words = spans[:, 1].copy()
        after = spans[:, 2]
        has_step = (after & np.uint64(0xFF)) == _STEP
        after = after >> np.uint64(8)
        stop = ~after & _ENDS
        self.plain = stop != 0
        # All bits below the lowest one of `stop`: those of the varint.
        below = (stop - np.uint64(1)) & ~stop
        if not has_step.all():
            self.plain |= ~has_step
            below *= has_step
        varint = after & below
        used = (int(varint.max()).bit_length() + 7) // 8
        self.steps = _decode_steps(varint, used)
        # A key tells lengths apart, and how many bytes a step has.
        self._shape = lengths.view(np.uint64) << np.uint64(8)
        self._shape |= np.bitwise_count(below)
        self._shape <<= np.uint64(40)
        self._changes = _changes(self.walls, varint, used, lengths)

    def keys(self, spot: Spot, number: int, which: Numbers | None = None) -> tuple[Words, Words]:
        """Return the key of each record whose value lies at a spot, and the bits of that value.

        Args:
            spot: Where the value lies.
            number: Number of the spot, below 256; it is part of the key.
            which: Which records; all of them without it.
        """
        some = slice(None) if which is None else which
        ends = self._ends[some]
        tails = self._words[ends - 4]
        bits = tails if spot.from_end == 4 else self._words[np.maximum(ends - spot.from_end, 0)]
        if spot.width < 8:
            bits = bits & np.uint64((1 << 8 * spot.width) - 1)
        tails >>= np.uint64(32)
        key = unmask(tails.astype(np.uint32))
        key ^= self._changes[some]
        pairs = bits.view(np.uint16).reshape(-1, 4)
        for i in range(0, spot.width, 2):
            key ^= TABLES.pairs(spot.from_end - 1 - i).take(pairs[:, i >> 1])
        found = self._shape[some] | key
        found |= np.uint64(number << 32)
        return found, bits


def _decode_steps(varint: Words, used: int) -> Numbers:
    """Join the seven bits of each byte of a varint."""
    steps = varint & np.uint64(0x7F)
    for i in range(1, used):
        steps |= (varint >> np.uint64(i)) & np.uint64(0x7F << 7 * i)
    return steps.view(np.int64)


def _changes(walls: Words, varint: Words, used: int, lengths: Numbers) -> Checksums:
    """Return what wall time and step add to each record's checksum."""
    # A byte at place p of the payload is followed by `length - 1 - p` others.
    rows = lengths << 8
    octets = walls.view(np.uint8).reshape(-1, 8)
    top = walls >> np.uint64(40)
    if (top == top[0]).all():
        # The first bytes of a clock stay the same for days: one look-up a length, not a record.
        found = _of_constant(int(top[0]), 6, int(lengths.max()))[lengths]
        looked_up = range(5)
    else:
        found = np.zeros(len(walls), dtype=np.uint32)
        looked_up = range(8)
    for i in looked_up:
        found ^= TABLES.shifted(2 + i)[rows + octets[:, i]]
    octets = varint.view(np.uint8).reshape(-1, 8)
    for i in range(used):
        found ^= TABLES.shifted(11 + i)[rows + octets[:, i]]
    return found


def _of_constant(three: int, place: int, longest: int) -> Checksums:
    """Return what three bytes from a place on add to the checksum, by the payload's length."""
    found = np.zeros(longest + 1, dtype=np.uint32)
    for i in range(3):
        first = place + i + 1
        byte = three >> 8 * i & 255
        found[first:] ^= TABLES.column(byte, range(longest + 1 - first))
    return found
