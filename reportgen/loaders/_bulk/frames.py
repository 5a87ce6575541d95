"""Where records begin in a window.

A record is a header of twelve bytes (length, checksum of the length), the payload, and the
payload's checksum. Nothing marks its begin, but six of eight bytes of a length below 65,536 are
zero, and the payload of an event opens with the byte 9 (its wall time). Places that look so are
found in a few sweeps over the bytes. One that leads to the next, which leads to the next, is a
chain of records; only a chain's last link, which leads to no such place, has its header's checksum
computed. A long record stands in no chain, and is stepped over by its header.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from reportgen.loaders._bulk._windows import Windows
from reportgen.loaders._bulk.crc import check_headers
from reportgen.loaders._framing import (
    CUT_OFF,
    DAMAGED,
    DAMAGED_LENGTH,
    FOOTER,
    HEADER,
    RECORD_LIMIT,
    Fault,
    is_sound,
    read_length,
)

Places = NDArray[np.int64]

_STRETCH = 1 << 18
"""Bytes that are looked through at a time: what is computed of them stays in the cache."""

_SWEEP = 1 << 16
"""Places looked at in one sweep for the next sound header behind damage."""

_WALL_TIME = 9
"""First byte of an event: field 1, eight bytes wide."""


@dataclass(frozen=True, slots=True)
class Frames:
    """The records of one window.

    Attributes:
        places: Where their headers begin in the window, in order.
        used: Where the first byte stands that may belong to a record of the next window.
        need: Bytes that the record there asks for; 0 where that is not known.
    """

    places: Places
    used: int
    need: int = 0


@dataclass(slots=True)
class Framer:
    """Finds the records of a stream, window after window.

    Attributes:
        faults: Stretches that hold no sound record.
    """

    faults: list[Fault] = field(default_factory=list)
    _lost_at: int | None = None
    _reason: str = ""

    def frame(self, window: Windows) -> Frames:
        """Return the records that lie in a window as a whole.

        A record is handed out once the header behind it can be seen: where none stands there,
        bytes of the record are missing, or there are too many.
        """
        links = _Links(window)
        found: list[Places] = []
        position = 0
        if self._lost_at is not None:
            position = self._find_again(window, 0)
        while position < window.size and self._lost_at is None:
            chain = links.chain(position)
            if len(chain):
                found.append(chain)
                position = int(links.end_of(chain))
                continue
            length = read_length(window.bytes_at(position, position + HEADER))
            if length is None and position + HEADER <= window.size:
                position = self._lose(window, found, position)
                continue
            need = HEADER + (length or 0) + FOOTER
            if length is not None and position + need + window.behind <= window.size:
                found.append(np.array([position]))
                position += need
            elif not window.is_last:
                return Frames(_join(found), position, need + HEADER)
            else:
                self._lost_at, self._reason = window.start + position, CUT_OFF
                position = self._find_again(window, position + HEADER)
        return Frames(_join(found), min(position, window.size))

    def _lose(self, window: Windows, found: list[Places], position: int) -> int:
        """Note that no header stands here, and return where the next one does."""
        begin, self._reason = position, DAMAGED_LENGTH
        if found:
            before = int(found[-1][-1])
            length = int(window.words[before])
            if not is_sound(window.bytes_at(before + HEADER, before + HEADER + length + FOOTER)):
                # It is the record before that is not as long as it says.
                begin, self._reason = before, DAMAGED
                found[-1] = found[-1][:-1]
                if not len(found[-1]):
                    found.pop()
        self._lost_at = window.start + begin
        return self._find_again(window, begin + (HEADER if begin < position else 1))

    def _find_again(self, window: Windows, begin: int) -> int:
        """Return where the next sound header stands, or how far there is none."""
        end = window.size - HEADER + 1
        found = -1
        for first in range(begin, end, _SWEEP):
            heads = window.words[first : min(first + _SWEEP, end)]
            maybe = np.flatnonzero(heads <= RECORD_LIMIT)
            checksums = window.words[first + maybe + 8].astype(np.uint32)
            sound = maybe[check_headers(heads[maybe], checksums)]
            if len(sound):
                found = first + int(sound[0])
                break
        if found < 0 and not window.is_last:
            return max(begin, end)
        stop = found if found >= 0 else window.size
        reason = DAMAGED if self._reason == CUT_OFF and found >= 0 else self._reason
        self.faults.append(Fault(offset=self._lost_at or 0, end=window.start + stop, reason=reason))
        self._lost_at = None
        return stop


class _Links:
    """Places that look like headers, and which of them lead from one to the next."""

    def __init__(self, window: Windows) -> None:
        self._size = window.size
        self._behind = window.behind
        self._places = _find_places(window)
        # Six of eight bytes of the length are zero; the other two are in the first half.
        lengths = (window.words[self._places] & np.uint64(0xFFFF)).view(np.int64)
        self._ends = self._places + lengths
        self._ends += HEADER + FOOTER
        breaks = np.flatnonzero(self._ends[:-1] != self._places[1:])
        self._last = np.append(breaks, len(self._places) - 1)
        last = self._places[self._last] if len(self._places) else self._places
        self._sound = check_headers(window.words[last], window.words[last + 8].astype(np.uint32))

    def chain(self, position: int) -> Places:
        """Return the records from a position on, up to the last of a chain."""
        first = int(self._places.searchsorted(position))
        if first == len(self._places) or self._places[first] != position:
            return self._places[:0]
        index = int(self._last.searchsorted(first))
        stop = int(self._last[index]) + 1
        if not self._sound[index] or self._ends[stop - 1] + self._behind > self._size:
            stop -= 1
        return self._places[first:stop]

    def end_of(self, chain: Places) -> int:
        """Return where the record behind a chain begins."""
        return int(self._ends[self._places.searchsorted(chain[-1])])


def _find_places(window: Windows) -> Places:
    """Return every place whose bytes look like a header's and the first of an event."""
    count = window.size - HEADER
    parts = [
        _sparse(_look(window.octets[begin : begin + _STRETCH + HEADER][: window.size - begin]))
        + begin
        for begin in range(0, count, _STRETCH)
    ]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _look(octets: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Tell of each place whether six zeros and a wall time stand where they should."""
    count = len(octets) - HEADER
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


def _join(found: list[Places]) -> Places:
    return found[0] if len(found) == 1 else np.concatenate([np.zeros(0, dtype=np.int64), *found])
