"""The records of a window as columns: step, wall time, value, and what tells tags apart.

Where in a record of one kind the value lies is learnt from one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from reportgen.read.logs.events._event import HEADER, VALUE_KINDS
from reportgen.read.logs.events._frames import TABLES, Checksums, Windows, unmask
from reportgen.read.logs.wire import BYTES, FIXED32, FIXED64, VARINT, WireError, read_varint

if TYPE_CHECKING:
    from numpy.typing import NDArray

Bits: TypeAlias = "NDArray[np.uint64]"

_AS_FLOAT, _AS_INT = Struct("<f"), Struct("<I")
_AS_DOUBLE, _AS_LONG = Struct("<d"), Struct("<Q")


def bits_of(value: float, *, wide: bool) -> int:
    """Return the bits of one value, in double precision or single.

    Example:
        >>> hex(bits_of(1.0, wide=False))
        '0x3f800000'
    """
    packer, reader = (_AS_DOUBLE, _AS_LONG) if wide else (_AS_FLOAT, _AS_INT)
    return int(reader.unpack(packer.pack(value))[0])


_WIDTHS = {FIXED64: 8, FIXED32: 4}
_FLOATS = {1: (5, 4), 2: (6, 8)}
"""Data types of tensors to the field of their own that holds a value, and its bytes; other types,
which hardly any program writes, are left to the plain reader."""

_PLAIN = ([(1, FIXED64), (2, VARINT), (5, BYTES)], [(1, FIXED64), (5, BYTES)])
"""Fields of an event that holds nothing but a summary; a step of 0 is not written."""

_WALL_TIME, _STEP, _SUMMARY, _VALUE, _TAG = 0x09, 0x10, 0x2A, 0x0A, 0x0A
"""First bytes of the fields of an event, of its summary, and of a value."""

_OTHERS = {number << 3 | BYTES: kind for number, kind in VALUE_KINDS.items()}

Part = tuple[int, int, int, int]


class Spot(NamedTuple):
    """Where a value lies, and how it is written.

    Attributes:
        from_end: Bytes from its first one to the payload's end.
        width: Its bytes: a number of single precision, or double.
    """

    from_end: int
    width: int


def find_spot(payload: bytes) -> Spot | None:
    """Return where the only value of an event lies, None where that is not plain to see.

    The event must be wall time, then step or none, then a summary of one value, and nothing
    else; the value a `simple_value`, or a tensor whose number lies there as in memory.
    """
    try:
        body = _value_of(payload)
        if body is None:
            return None
        places = [_place(payload, part) for part in _parts(payload, *body) if part[0] in (2, 8)]
    except (WireError, IndexError):
        return None
    if len(places) != 1 or places[0] is None:
        return None
    begin, width = places[0]
    return Spot(len(payload) - begin, width)


def find_other(payload: bytes) -> tuple[str, str] | None:
    """Return tag and kind of the only value of an event that is an image, a histogram or a sound.

    None for every other event, and where anything follows the value that may say more of its tag.
    """
    try:
        if payload[0] != _WALL_TIME:
            return None
        position = read_varint(payload, 10)[1] if payload[9] == _STEP else 9
        for field in (_SUMMARY, _VALUE):
            length, begin = read_varint(payload, position + 1)
            if payload[position] != field or begin + length != len(payload):
                return None
            position = begin
        length, begin = read_varint(payload, position + 1)
        tag, behind = payload[begin : begin + length], begin + length
        kind = _OTHERS.get(payload[behind]) if payload[position] == _TAG else None
        length, begin = read_varint(payload, behind + 1)
        ends = begin + length == len(payload)
        return (tag.decode(), kind) if kind and ends else None
    except (WireError, IndexError, UnicodeDecodeError):
        return None


def _value_of(payload: bytes) -> tuple[int, int] | None:
    """Return where the only value of a plain event begins and ends."""
    parts = list(_parts(payload, 0, len(payload)))
    if [part[:2] for part in parts] not in _PLAIN:
        return None
    values = list(_parts(payload, *parts[-1][2:]))
    return values[0][2:] if [part[:2] for part in values] == [(1, BYTES)] else None


def _place(payload: bytes, part: Part) -> tuple[int, int] | None:
    """Return begin and width of the number in a value's field 2 or 8."""
    number, wire, begin, end = part
    if number == 2:
        return (begin, 4) if wire == FIXED32 else None
    inner = list(_parts(payload, begin, end))
    kinds = [payload[at] for n, w, at, _ in inner if (n, w) == (1, VARINT)]
    stored = [part for part in inner if part[0] > 3]
    if len(kinds) != 1 or kinds[0] not in _FLOATS or len(stored) != 1:
        return None
    field, width = _FLOATS[kinds[0]]
    number, _, begin, end = stored[0]
    return (begin, width) if number in (4, field) and end - begin == width else None


def _parts(payload: bytes, position: int, end: int) -> Iterator[Part]:
    """Yield (field number, wire type, begin, end) of the fields of a message."""
    while position < end:
        key, position = read_varint(payload, position)
        wire = key & 7
        if wire == VARINT:
            begin, stop = position, read_varint(payload, position)[1]
        elif wire == BYTES:
            length, begin = read_varint(payload, position)
            stop = begin + length
        elif wire in _WIDTHS:
            begin, stop = position, position + _WIDTHS[wire]
        else:
            raise WireError(f"wire type {wire}")
        if stop > end:
            raise WireError("a field runs past its message")
        yield key >> 3, wire, begin, stop
        position = stop


SHORTEST, LONGEST = 20, 1024
"""Payloads of other lengths hold no scalar, or one with a tag of unusual length."""

Words: TypeAlias = "NDArray[np.uint64]"
Numbers: TypeAlias = "NDArray[np.int64]"

_ENDS = np.uint64(0x0080808080808080)
"""The bit that is clear in a varint's last byte, of the seven bytes of a step that lie in the same
word as its field's first byte: those of steps below 2 ** 49."""


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
        has_step = (after & np.uint64(0xFF)) == np.uint64(_STEP)
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
