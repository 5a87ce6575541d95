"""Binary logs: the protobuf wire format, and the bytes that hold no record."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from struct import Struct
from typing import NamedTuple

from reportgen.records.run import Problem

# A reader of the protobuf wire format, as far as event files need it.
#
# Source: the protobuf encoding guide; numbers of fields from `tensorboard/compat/proto`.

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5

_DOUBLE = Struct("<d")
_FLOAT = Struct("<f")

Field = tuple[int, int, int | bytes]


class WireError(ValueError):
    """Bytes that are no protobuf message."""


def read_varint(buffer: bytes, position: int) -> tuple[int, int]:
    """Return an unsigned varint and the position after it.

    Example:
        >>> read_varint(bytes([0xAC, 0x02]), 0)
        (300, 2)
    """
    value = shift = 0
    while True:
        if position >= len(buffer) or shift > 63:
            raise WireError("a number runs past its end")
        byte = buffer[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, position
        shift += 7


def read_fields(buffer: bytes, among: Container[int] | None = None) -> Iterator[Field]:
    """Yield (field number, wire type, value) of a message; unknown fields come too.

    A value is the unsigned number of a varint, else the bytes it is encoded in. Of fields that are
    not `among` those asked for nothing is told but that they are none.
    """
    position, end = 0, len(buffer)
    while position < end:
        # Nearly every key, length and number fits one byte, which is read here and not in a call.
        key = buffer[position]
        position += 1
        if key >= 0x80:
            key, position = read_varint(buffer, position - 1)
        number, wire = key >> 3, key & 7
        if wire == VARINT:
            value, position = buffer[position] if position < end else 0x80, position + 1
            if value >= 0x80:
                value, position = read_varint(buffer, position - 1)
            if among is None or number in among:
                yield number, wire, value
            continue
        if wire == BYTES:
            length = buffer[position] if position < end else 0x80
            position += 1
            if length >= 0x80:
                length, position = read_varint(buffer, position - 1)
        elif wire == FIXED64:
            length = 8
        elif wire == FIXED32:
            length = 4
        else:
            raise WireError(f"wire type {wire}")
        if position + length > end:
            raise WireError("a field runs past its message")
        if among is None or number in among:
            yield number, wire, buffer[position : position + length]
        position += length


def values_of(buffer: int | bytes, wanted: int) -> Iterator[int | bytes]:
    """Yield the values of one field of a message."""
    return (value for _, _, value in read_fields(as_bytes(buffer), {wanted}))


def signed(value: int, bits: int = 64) -> int:
    """Read an unsigned varint as two's complement.

    Example:
        >>> signed(2**64 - 5)
        -5
    """
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def as_double(value: int | bytes) -> float:
    """Read eight bytes as a double."""
    if not isinstance(value, bytes) or len(value) != 8:
        raise WireError("not a double")
    return float(_DOUBLE.unpack(value)[0])


def as_float(value: int | bytes) -> float:
    """Read four bytes as a float."""
    if not isinstance(value, bytes) or len(value) != 4:
        raise WireError("not a float")
    return float(_FLOAT.unpack(value)[0])


def as_bytes(value: int | bytes) -> bytes:
    """Require a length-delimited field."""
    if not isinstance(value, bytes):
        raise WireError("a number where a message should be")
    return value


def as_int(value: int | bytes) -> int:
    """Require a varint."""
    if not isinstance(value, int):
        raise WireError("a message where a number should be")
    return value


def as_text(value: int | bytes) -> str:
    """Read UTF-8; a byte that is none is kept as an escape."""
    return as_bytes(value).decode("utf-8", "backslashreplace")


# Records of logs that are written one behind the other, and the bytes that hold none.

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
