"""CRC-32C of many records at a time, by its linearity.

A CRC is the remainder of a polynomial over the field of two elements. Up to a constant that
depends on the length alone, it is linear: of two messages of one length,

    crc(a XOR b) = crc(a) XOR crc(b) XOR crc(zeros).

A message is the XOR of one message a byte, each zero elsewhere, so a byte with value b that d bytes
follow adds the same 32 bits wherever it occurs: `table(d)[b]`. With the bytes of a record that
change (wall time, step, value) taken out of its stored checksum,

    key = stored XOR table(d1)[b1] XOR table(d2)[b2] XOR ...,

what is left depends on the constant bytes alone: the tag, and how it is encoded. Every sound record
of one tag has one key, and a damaged record has, but for one case in four thousand million, a key
that nobody has: one comparison is the check of the record and the look-up of its tag.

Source: Castagnoli's polynomial, RFC 3720, appendix B.4; the mask,
`tensorflow/core/lib/hash/crc32c.h`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from google_crc32c import value as crc32c

if TYPE_CHECKING:
    from numpy.typing import NDArray

Checksums: TypeAlias = "NDArray[np.uint32]"

_MARGIN = 20
"""Rows of no meaning before the first, so that every table of `Tables.shifted` begins in memory."""

_POLYNOMIAL = 0x82F63B78
_MASK_DELTA = np.uint32(0xA282EAD8)


def _first_table() -> Checksums:
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, (table >> 1) ^ np.uint32(_POLYNOMIAL), table >> 1)
    return table


class Tables:
    """What each byte value adds to a checksum, by how many bytes follow it."""

    def __init__(self) -> None:
        self._rows = np.zeros((_MARGIN + 1, 256), dtype=np.uint32)
        self._rows[_MARGIN] = _first_table()
        self._pairs: dict[int, Checksums] = {}

    def reach(self, distance: int) -> None:
        """Make the rows up to `distance`."""
        built = len(self._rows) - _MARGIN
        if distance < built:
            return
        rows = np.empty((_MARGIN + distance + 1, 256), dtype=np.uint32)
        rows[: len(self._rows)] = self._rows
        first = rows[_MARGIN]
        for d in range(_MARGIN + built, len(rows)):
            # One more zero byte behind: one more step of the shift register.
            rows[d] = first[rows[d - 1] & np.uint32(255)] ^ (rows[d - 1] >> np.uint32(8))
        self._rows = rows

    def row(self, distance: int) -> Checksums:
        """Return the 256 values of a byte that `distance` bytes follow."""
        found: Checksums = self._rows[_MARGIN + distance]
        return found

    def pairs(self, distance: int) -> Checksums:
        """Return the 65,536 values of two bytes, the first of which `distance` bytes follow.

        Of the last byte of all, which is followed by none, the second is no part of the message.
        """
        found = self._pairs.get(distance)
        if found is None:
            second = self.row(distance - 1) if distance else np.zeros(256, dtype=np.uint32)
            found = (second[:, None] ^ self.row(distance)).reshape(-1)
            self._pairs[distance] = found
        return found

    def column(self, byte: int, distances: range) -> Checksums:
        """Return what one byte value adds at each of these distances."""
        found: Checksums = self._rows[_MARGIN + distances.start : _MARGIN + distances.stop, byte]
        return found

    def shifted(self, nearer: int) -> Checksums:
        """Return all values in one dimension: at `(d << 8) + b`, those of `d - nearer` bytes.

        No d may be less than `nearer`, nor that more than `_MARGIN`.
        """
        found: Checksums = self._rows[_MARGIN - nearer :].reshape(-1)
        return found


TABLES = Tables()
"""Grown as far as records have been long."""


def unmask(stored: Checksums) -> Checksums:
    """Return checksums as they were before the format masked them; overwrites its argument.

    Example:
        >>> unmask(np.array([0xA282EAD8], dtype=np.uint32)).tolist()
        [0]
    """
    stored -= _MASK_DELTA
    return (stored >> np.uint32(17)) | (stored << np.uint32(15))


def check_headers(lengths: NDArray[np.uint64], stored: Checksums) -> NDArray[np.bool_]:
    """Tell of each header, eight bytes of length and their masked checksum, whether it is sound.

    Shape: all three have one length.
    """
    TABLES.reach(7)
    octets = np.ascontiguousarray(lengths).view(np.uint8).reshape(-1, 8)
    found = np.full(len(lengths), _ZERO_HEADER, dtype=np.uint32)
    for i in range(8):
        found ^= TABLES.row(7 - i)[octets[:, i]]
    sound: NDArray[np.bool_] = found == unmask(stored.copy())
    return sound


_ZERO_HEADER = np.uint32(crc32c(bytes(8)))
"""The constant of the affine map for eight bytes."""
