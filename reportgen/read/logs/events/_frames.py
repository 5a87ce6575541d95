"""Where records begin in an event file, window after window.

A record is a header of twelve bytes (length, checksum of the length), the payload, and the
payload's checksum. Nothing marks its begin, but six of eight bytes of a length below 65,536 are
zero, and the payload of an event opens with the byte 9 (its wall time). Places that look so are
found in a few sweeps over the bytes. One that leads to the next, which leads to the next, is a
chain of records; only a chain's last link, which leads to no such place, has its header's checksum
computed. A long record stands in no chain, and is stepped over by its header. Where no sound record
follows, the plain reader goes on to the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from google_crc32c import value as crc32c

from reportgen.read.logs.events._event import HEADER, OVERHEAD, Records, is_sound, read_length
from reportgen.read.logs.wire import Fault

if TYPE_CHECKING:
    from numpy.typing import NDArray


# CRC-32C of many records at a time, by its linearity.
#
# A CRC is the remainder of a polynomial over the field of two elements. Up to a constant that
# depends on the length alone, it is linear: of two messages of one length,
#
#     crc(a XOR b) = crc(a) XOR crc(b) XOR crc(zeros).
#
# A message is the XOR of one message a byte, each zero elsewhere, so a byte with value b that d
# bytes follow adds the same 32 bits wherever it occurs: `table(d)[b]`. With the bytes of a record
# that change (wall time, step, value) taken out of its stored checksum,
#
#     key = stored XOR table(d1)[b1] XOR table(d2)[b2] XOR ...,
#
# what is left depends on the constant bytes alone: the tag, and how it is encoded. Every sound
# record of one tag has one key, and a damaged record has, but for one case in four thousand
# million, a key that nobody has: one comparison is the check of the record and the look-up of its
# tag.
#
# Source: Castagnoli's polynomial, RFC 3720, appendix B.4; the mask,
# `tensorflow/core/lib/hash/crc32c.h`.

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


class Sizes(NamedTuple):
    """In what portions a file is read; what is read of it does not depend on them.

    Attributes:
        small: Fewer bytes are read sooner by the plain reader than bulk reading has begun.
        window: Bytes of a window. What is computed of it has to fit into a core's cache.
        batch: Records of a batch: its columns fit into the cache of a core.
    """

    small: int = 1 << 11
    window: int = 1 << 21
    batch: int = 1 << 14


SIZES = Sizes()

PADDING = 8
"""Zero bytes behind the content, so that eight bytes can be read wherever one may stand."""

SPAN = 24
"""Three words: to take them from a place costs little more than to take one."""

_SPANS = np.dtype(f"V{SPAN}")


class Windows:
    """Shows a stream of bytes through windows that overlap by what was not used.

    Args:
        chunks: What comes, in pieces of any length.
        width: Bytes of a window; one is larger only for a record that does not fit.
        begin: Offset of the first byte in the stream.

    Attributes:
        start: Offset of the window's first byte in the stream.
        size: Bytes of content in the window.
        octets: The window's bytes.
        words: The eight bytes from each position on, as one unsigned number.
        spans: The `SPAN` bytes from each position on, as one element.
        is_last: Nothing comes after this window.
    """

    octets: NDArray[np.uint8]
    words: NDArray[np.uint64]
    spans: NDArray[np.void]

    def __init__(self, chunks: Iterable[bytes], width: int, begin: int = 0) -> None:
        self._chunks: Iterator[bytes] = (
            one[at : at + width] for one in chunks for at in range(0, len(one), width)
        )
        self._width = width
        self._content = b""
        self.start = begin
        self.size = 0
        self.is_last = False

    @property
    def behind(self) -> int:
        """Bytes that must be seen behind a record: a header's, but at the stream's end none."""
        return 0 if self.is_last else HEADER

    def advance(self, used: int, need: int) -> bool:
        """Move on by `used` bytes, to a window of `need` or more; False at the stream's end.

        Args:
            used: Bytes of this window that nobody needs any more.
            need: Bytes that a record at the new window's begin asks for; 0 for any.
        """
        if self.is_last:
            return False
        parts = [self.bytes_at(used, self.size)]
        self.start, self.size = self.start + used, len(parts[0])
        while self.size < max(need, self._width):
            chunk = next(self._chunks, None)
            if chunk is None:
                self.is_last = True
                break
            parts.append(chunk)
            self.size += len(chunk)
        self._content = content = b"".join((*parts, bytes(PADDING)))
        size = self.size
        self.octets = np.frombuffer(content, dtype=np.uint8, count=size)
        self.words = np.ndarray((size + 1,), "<u8", content, 0, (1,))
        self.spans = np.ndarray((max(size + PADDING + 1 - SPAN, 0),), _SPANS, content, 0, (1,))
        return True

    def pass_damage(self, position: int) -> list[Fault]:
        """Move on to the next sound record behind a place where none begins, and say what is lost.

        The window is empty after it.
        """
        ahead = chain([self.bytes_at(position, self.size)], self._chunks)
        records, faults = Records(ahead, self.start + position), []
        for piece in records.read():
            if not isinstance(piece, Fault):
                break
            faults.append(piece)
        self._chunks = chain([records.rest()], self._chunks)
        self.start, self.size, self.is_last = records.offset, 0, False
        return faults

    def bytes_at(self, begin: int, end: int) -> bytes:
        """Return bytes of the window."""
        return self._content[begin:end]


Places: TypeAlias = "NDArray[np.int64]"


class Chain(NamedTuple):
    """Records of which each leads to the next: where they begin, and bytes of their payloads."""

    places: Places
    lengths: Places

    @property
    def end(self) -> int:
        """Where the record behind the last begins."""
        return int(self.places[-1] + self.lengths[-1]) + OVERHEAD

    def first(self, count: int) -> Chain:
        """Return the chain of the first records."""
        return Chain(self.places[:count], self.lengths[:count])


class UnsureError(Exception):
    """A file is not what bulk reading takes for granted; the plain reader must read it."""


MOST_FAULTS = 4096
"""Places without a header, each of which takes longer here than with the plain reader."""

_STRETCH = 1 << 18
"""Bytes that are looked through at a time: what is computed of them stays in the cache."""

_WALL_TIME = 9
"""First byte of an event: field 1, eight bytes wide."""


class Frames(NamedTuple):
    """The records of one window.

    Attributes:
        records: Where they begin in the window, in order.
        used: Where the first byte stands that may belong to a record of the next window.
        need: Bytes that the record there asks for; 0 where that is not known.
        is_broken: Whether no sound record begins there.
    """

    records: Chain
    used: int
    need: int = 0
    is_broken: bool = False


def find_frames(window: Windows) -> Frames:
    """Return the records that lie in a window as a whole, up to the first damage.

    A record is handed out once the header behind it can be seen: where none stands there,
    bytes of the record are missing, or there are too many.
    """
    links: _Links | None = None
    found: list[Chain] = []
    position = 0
    while position < window.size:
        if links is None or position >= links.end:
            links = _Links(window, position)
        some = links.chain(position)
        if len(some.places):
            found.append(some)
            position = some.end
            continue
        length = read_length(window.bytes_at(position, position + HEADER))
        is_whole = length is not None or position + HEADER > window.size
        need = (length or 0) + OVERHEAD
        if length is not None and position + need + window.behind <= window.size:
            found.append(Chain(np.array([position]), np.array([length])))
            position += need
        elif is_whole and not window.is_last:
            return Frames(_join(found), position, need + HEADER)
        else:
            if found and not is_whole and not _is_sound(window, found[-1]):
                # It is the record before that is not as long as it says.
                position = int(found[-1].places[-1])
                found[-1] = found[-1].first(len(found[-1].places) - 1)
            return Frames(_join(found), position, is_broken=True)
    return Frames(_join(found), min(position, window.size))


def _is_sound(window: Windows, records: Chain) -> bool:
    """Tell whether the payload of the last of some records is sound."""
    return is_sound(window.bytes_at(int(records.places[-1]) + HEADER, records.end))


class _Links:
    """Places of a stretch that look like headers, and which of them lead from one to the next.

    Attributes:
        end: Where the stretch ends.
    """

    def __init__(self, window: Windows, begin: int) -> None:
        self.end = begin + _STRETCH
        self._last_end = window.size - window.behind
        octets = window.octets[begin : self.end + HEADER]
        self._places = _sparse(_look(octets)) + begin
        # Six of eight bytes of the length are zero; the other two are in the first half.
        lengths = (window.words[self._places] & np.uint64(0xFFFF)).view(np.int64)
        self._lengths = lengths
        self._ends = self._places + lengths
        self._ends += OVERHEAD
        breaks = np.flatnonzero(self._ends[:-1] != self._places[1:])
        self._last = np.append(breaks, len(self._places) - 1)
        last = self._places[self._last] if len(self._places) else self._places
        self._sound = check_headers(window.words[last], window.words[last + 8].astype(np.uint32))

    def chain(self, position: int) -> Chain:
        """Return the records from a position on, up to the last of a chain."""
        first = int(self._places.searchsorted(position))
        if first == len(self._places) or self._places[first] != position:
            return Chain(self._places[:0], self._lengths[:0])
        index = int(self._last.searchsorted(first))
        stop = int(self._last[index]) + 1
        if not self._sound[index] or self._ends[stop - 1] > self._last_end:
            stop -= 1
        return Chain(self._places[first:stop], self._lengths[first:stop])


def _look(octets: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Tell of each place whether six zeros and a wall time stand where they should."""
    count = len(octets) - HEADER
    if count <= 0:
        return np.zeros(0, dtype=np.bool_)
    zero = octets == 0
    pairs = zero[2 : count + 6] & zero[3 : count + 7]
    found = np.zeros(-(-count // 8) * 8, dtype=np.bool_)
    own = found[:count]
    np.logical_and(pairs[:count], pairs[2 : count + 2], out=own)
    own &= pairs[4 : count + 4]
    own &= octets[HEADER:] == _WALL_TIME
    return found


def _sparse(found: NDArray[np.bool_]) -> Places:
    """Return the true places, of eight in a row only the first: no two headers are so near."""
    words = found.view(np.uint64)
    places = np.flatnonzero(words != 0)
    # The lowest set bit of a word, whose bytes are 0 or 1, is that of its first true byte.
    below = words[places]
    below = (below - np.uint64(1)) & ~below
    return (places << 3) + (np.bitwise_count(below) >> np.uint8(3))


def _join(found: list[Chain]) -> Chain:
    """Return places and lengths of all chains."""
    if len(found) == 1:
        return found[0]
    none = np.zeros(0, dtype=np.int64)
    return Chain(*map(np.concatenate, zip(Chain(none, none), *found, strict=True)))
