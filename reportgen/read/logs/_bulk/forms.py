"""The bits of a value in each form that tensors have, as single or double precision."""

from __future__ import annotations

from struct import Struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.uint64]

FLOAT, DOUBLE, HALF, BRAIN = "<f", "<d", "<e", "bfloat16"

_AS_FLOAT, _AS_INT = Struct("<f"), Struct("<I")
_AS_DOUBLE, _AS_LONG = Struct("<d"), Struct("<Q")

_WHOLE: dict[str, type[np.generic]] = {
    "<i": np.int32, "<B": np.uint8, "<h": np.int16, "<b": np.int8, "<q": np.int64,
    "<?": np.bool_, "<H": np.uint16, "<I": np.uint32, "<Q": np.uint64,
}  # fmt: skip


def is_wide(packed: str) -> bool:
    """Tell whether a form needs double precision: whole numbers and doubles do.

    Example:
        >>> is_wide("<e"), is_wide("<q")
        (False, True)
    """
    return packed not in (FLOAT, HALF, BRAIN)


def as_stored(bits: Bits, packed: str) -> Bits:
    """Return the bits of the same values in single precision, or in double where `is_wide`.

    Args:
        bits: The value's bytes as a little-endian number, zeros above them.
        packed: Their form, as `struct` spells it, or `bfloat16`.

    Example:
        >>> as_stored(np.array([3], dtype=np.uint64), "<q").view(np.float64).tolist()
        [3.0]
    """
    if packed in (FLOAT, DOUBLE):
        return bits
    if packed == BRAIN:
        return bits << np.uint64(16)
    if packed == HALF:
        half = bits.astype(np.uint16).view(np.float16)
        return half.astype(np.float32).view(np.uint32).astype(np.uint64)
    whole = _first_bytes(bits, _WHOLE[packed])
    return whole.astype(np.float64).view(np.uint64)


def _first_bytes(bits: Bits, dtype: type[np.generic]) -> NDArray[Any]:
    """Read the first bytes of each word as a number of another type."""
    per_word = 8 // np.dtype(dtype).itemsize
    return np.ascontiguousarray(bits).view(dtype)[::per_word]


def bits_of(value: float, *, wide: bool) -> int:
    """Return the bits of one value, in double precision or single.

    Example:
        >>> hex(bits_of(1.0, wide=False))
        '0x3f800000'
    """
    packer, reader = (_AS_DOUBLE, _AS_LONG) if wide else (_AS_FLOAT, _AS_INT)
    return int(reader.unpack(packer.pack(value))[0])
