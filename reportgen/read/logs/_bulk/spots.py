"""Where in a record of one kind the value lies."""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import NamedTuple

from reportgen.read.logs._event import VALUE_KINDS
from reportgen.read.logs._tensor import KINDS
from reportgen.read.logs._wire import BYTES, FIXED32, FIXED64, VARINT, WireError, read_varint

_FLOAT, _DOUBLE = "<f", "<d"
_WIDTHS = {FIXED64: 8, FIXED32: 4}
_FLOAT_FIELD, _DOUBLE_FIELD = 5, 6

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
        width: Its bytes.
        packed: Its form, as `struct` spells it, or `bfloat16`.
    """

    from_end: int
    width: int
    packed: str


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
    begin, width, packed = places[0]
    return Spot(len(payload) - begin, width, packed)


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


def _place(payload: bytes, part: Part) -> tuple[int, int, str] | None:
    """Return begin, width and form of the number in a value's field 2 or 8."""
    number, wire, begin, end = part
    if number == 2:
        return (begin, 4, _FLOAT) if wire == FIXED32 else None
    inner = list(_parts(payload, begin, end))
    kinds = [payload[at] for n, w, at, _ in inner if (n, w) == (1, VARINT)]
    kind = KINDS.get(kinds[0]) if len(kinds) == 1 else None
    stored = [part for part in inner if part[0] > 3]
    if kind is None or len(stored) != 1:
        return None
    number, _, begin, end = stored[0]
    width = Struct(kind.packed).size if kind.packed[0] == "<" else 2
    as_in_memory = number == 4 or (number == kind.field and number in (_FLOAT_FIELD, _DOUBLE_FIELD))
    return (begin, width, kind.packed) if as_in_memory and end - begin == width else None


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
