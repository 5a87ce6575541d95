"""Tensors of one element or of strings, as TensorFlow 2 and text plug-ins log them."""

from __future__ import annotations

import math
from struct import Struct, error
from typing import NamedTuple

from reportgen.read.logs._wire import (
    WireError,
    as_bytes,
    as_int,
    read_fields,
    read_varint,
    signed,
)


class _Kind(NamedTuple):
    """How one data type is stored: in `tensor_content`, and in a field of its own."""

    packed: str
    field: int
    wide: bool
    bits: int = 64


# Source: `tensorflow/core/framework/types.proto` and `tensor.proto`. A value that single
# precision cannot hold in full makes its series a double one.
KINDS = {
    1: _Kind("<f", 5, wide=False),
    2: _Kind("<d", 6, wide=True),
    3: _Kind("<i", 7, wide=True, bits=32),
    4: _Kind("<B", 7, wide=True),
    5: _Kind("<h", 7, wide=True, bits=32),
    6: _Kind("<b", 7, wide=True, bits=32),
    9: _Kind("<q", 10, wide=True),
    10: _Kind("<?", 11, wide=True),
    14: _Kind("bfloat16", 13, wide=False),
    17: _Kind("<H", 7, wide=True),
    19: _Kind("<e", 13, wide=False),
    22: _Kind("<I", 16, wide=True),
    23: _Kind("<Q", 17, wide=True),
}
_STRING, _STRING_FIELD, _HALF_FIELD = 7, 8, 13


class Tensor(NamedTuple):
    """What a tensor holds, as far as a report can use it.

    Attributes:
        number: Its only element, or None where it has several or holds text.
        wide: The element needs double precision.
        text: Its strings, one a line, or None.
    """

    number: float | None = None
    wide: bool = False
    text: str | None = None


def read_tensor(buffer: bytes) -> Tensor:
    """Decode a TensorProto with one number, or with strings; all others come back empty."""
    kind_number, elements = 0, 1
    content = b""
    stored: dict[int, list[bytes | int]] = {}
    for number, _, value in read_fields(buffer):
        if number == 1:
            kind_number = as_int(value)
        elif number == 2:
            elements = _count_elements(as_bytes(value))
        elif number == 4:
            content = as_bytes(value)
        else:
            stored.setdefault(number, []).append(value)
    if kind_number == _STRING:
        lines = [as_bytes(v) for v in stored.get(_STRING_FIELD, [])]
        return Tensor(text="\n".join(line.decode("utf-8", "replace") for line in lines))
    kind = KINDS.get(kind_number)
    if kind is None or elements != 1:
        return Tensor()
    number_value = _unpack(kind, content) if content else _first(kind, stored.get(kind.field, []))
    return Tensor(number=number_value, wide=kind.wide)


def _count_elements(shape: bytes) -> int:
    sizes = []
    for number, _, value in read_fields(shape):
        if number == 2:
            size = [signed(as_int(v)) for n, _, v in read_fields(as_bytes(value)) if n == 1]
            sizes.append(size[0] if size else 0)
        elif number == 3 and value:
            return -1
    return math.prod(sizes)


def _unpack(kind: _Kind, content: bytes) -> float:
    if kind.packed == "bfloat16":
        kind, content = KINDS[1], b"\0\0" + content
    try:
        return float(Struct(kind.packed).unpack(content)[0])
    except error as reason:
        raise WireError(str(reason)) from reason


def _first(kind: _Kind, values: list[bytes | int]) -> float:
    """Return the first number of a repeated field, packed or not; none stored means zero."""
    if not values:
        return 0.0
    value = values[0]
    if kind.field in (5, 6):
        width = 4 if kind.field == 5 else 8
        return _unpack(kind, as_bytes(value)[:width])
    number = value if isinstance(value, int) else read_varint(value, 0)[0]
    if kind.field == _HALF_FIELD:
        return _unpack(kind, (number & 0xFFFF).to_bytes(2, "little"))
    return float(signed(number, kind.bits) if kind.packed[-1].islower() else number)
