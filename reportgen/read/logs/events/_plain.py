"""The plain way to read an event file: one record after another, each decoded by itself.

It knows every form of record. Reading in bulk is many times faster on what it knows, hands the
rest to this one, and has it as its partner in the tests. A record is framed by its length, a
checksum of that, and a checksum of its payload.

Source: the TFRecord format, `tensorflow/core/lib/io/record_writer.h`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from struct import Struct

import numpy as np
from google_crc32c import value as crc32c

from reportgen.read.logs._faults import CUT_OFF, DAMAGED, Fault, Record
from reportgen.read.logs.events._event import Content, Points

HEADER = 12
FOOTER = 4
OVERHEAD = HEADER + FOOTER
RECORD_LIMIT = 1 << 28
"""No event is longer than this; a length that says so is damage."""

DAMAGED_LENGTH = "the record's length is damaged"

_HEADER = Struct("<QI")
_CHECKSUM = Struct("<I")
_NOT_ZERO = re.compile(rb"[^\0]")


def mask(checksum: int) -> int:
    """Return the masked form in which the format stores a CRC-32C.

    Source: `tensorflow/core/lib/hash/crc32c.h`, `Mask`.

    Example:
        >>> hex(mask(0))
        '0xa282ead8'
    """
    return (((checksum >> 15) | (checksum << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def is_sound(body: bytes) -> bool:
    """Tell whether a payload is what the checksum behind it says."""
    return bool(_CHECKSUM.unpack(body[-FOOTER:])[0] == mask(crc32c(body[:-FOOTER])))


def read_length(head: bytes) -> int | None:
    """Return the length in a header, None where it is short or damaged."""
    if len(head) < HEADER:
        return None
    length, checksum = _HEADER.unpack(head)
    sound = length <= RECORD_LIMIT and checksum == mask(crc32c(head[:8]))
    return int(length) if sound else None


class Records:
    """The records of a stream: the part of it that is in memory, and a position in it.

    Args:
        chunks: What comes, in pieces of any length.
        begin: Offset of the first byte.
    """

    def __init__(self, chunks: Iterable[bytes], begin: int = 0) -> None:
        self._chunks = iter(chunks)
        self._buffer = b""
        self._start = begin
        self._position = 0

    def read(self) -> Iterator[Record | Fault]:
        """Yield every sound record and every stretch that holds none.

        After damage the reading goes on at the next header whose checksum holds, so that one
        bad record costs one record. Memory is bounded by the longest record.
        """
        while self.fill(1):
            if not self.fill(HEADER):
                yield self.skip(CUT_OFF)
                return
            length = self.length()
            if length is None:
                yield self.skip(DAMAGED_LENGTH)
                continue
            whole = HEADER + length + FOOTER
            if not self.fill(whole):
                yield self.skip(CUT_OFF, begin=HEADER)
                continue
            body = self.cut(HEADER, whole)
            if is_sound(body):
                yield Record(offset=self.offset, payload=body[:-FOOTER])
                self._position += whole
            else:
                yield self.drop(whole)

    def rest(self) -> bytes:
        """Return what is in memory from the position on."""
        return self._buffer[self._position :]

    @property
    def offset(self) -> int:
        return self._start + self._position

    def fill(self, count: int) -> bool:
        """Bring `count` bytes from the position on into memory; False at the stream's end."""
        missing = count - (len(self._buffer) - self._position)
        if missing <= 0:
            return True
        parts = [self._buffer[self._position :]]
        while missing > 0 and (chunk := next(self._chunks, None)) is not None:
            parts.append(chunk)
            missing -= len(chunk)
        self._start += self._position
        self._position = 0
        self._buffer = b"".join(parts)
        return missing <= 0

    def cut(self, begin: int, end: int) -> bytes:
        return self._buffer[self._position + begin : self._position + end]

    def length(self, at: int = 0) -> int | None:
        """Return the length in the header at `at`, None where no sound header stands."""
        if not self.fill(at + HEADER):
            return None
        return read_length(self.cut(at, at + HEADER))

    def drop(self, whole: int) -> Fault:
        """Leave out a record whose payload is damaged, up to the next sound header."""
        if not self.fill(whole + 1) or self.length(whole) is not None:
            fault = Fault(offset=self.offset, end=self.offset + whole, reason=DAMAGED)
            self._position += whole
            return fault
        # Bytes are missing or too many: the next header is not where it should be.
        return self.skip(DAMAGED, begin=HEADER)

    def skip(self, reason: str, begin: int = 1) -> Fault:
        """Go to the next sound header at or after `begin`, or to the stream's end."""
        offset = self.offset
        if not self.fill(HEADER):
            begin = len(self._buffer) - self._position
        self._position = min(self._position + begin, len(self._buffer))
        while self.fill(HEADER):
            candidate = self._candidate()
            if candidate is None:
                self._position = len(self._buffer) - (HEADER - 1)
                continue
            self._position = candidate
            if self.length() is not None:
                # More follows: what looked cut off is damaged.
                reason = DAMAGED if reason == CUT_OFF else reason
                return Fault(offset=offset, end=self.offset, reason=reason)
            self._position += 1
        self._position = len(self._buffer)
        return Fault(offset=offset, end=self.offset, reason=reason)

    def _candidate(self) -> int | None:
        """Return where the next header could stand: the high half of its length is zero."""
        place = self._buffer.find(b"\0\0\0\0", self._position + 4)
        last = len(self._buffer) - HEADER
        if place < 0 or place - 4 > last:
            return None
        candidate = place - 4
        if any(self._buffer[candidate : candidate + HEADER]):
            return candidate
        # Twelve zero bytes are no header (their checksum is not zero): leave the run of zeros.
        end = _NOT_ZERO.search(self._buffer, candidate)
        after = (end.start() if end else len(self._buffer)) - (HEADER - 1)
        return after if after <= last else None


_Row = tuple[int, float, float]
"""Step, value and wall time."""


def read_by_loop(
    chunks: Iterable[bytes], begin: int = 0, content: Content | None = None
) -> tuple[Content, dict[str, Points]]:
    """Return what an event file holds, and the points of each tag.

    Its bytes come in pieces of any length, from an offset on; what they hold is added to `content`.
    """
    content = content or Content()
    rows: dict[str, list[_Row]] = {}
    wide: set[str] = set()
    for piece in Records(chunks, begin).read():
        if isinstance(piece, Fault):
            content.faults.append(piece)
            continue
        event = content.read(piece.offset, piece.payload)
        if event is None:
            continue
        points = content.take(event)
        if event.starts_session:
            # A writer that starts again at a step asks to forget what lies from there on.
            rows = {tag: [row for row in its if row[0] < event.step] for tag, its in rows.items()}
        for point in points:
            rows.setdefault(point.tag, []).append((event.step, point.number, event.wall_time))
            if point.is_wide:
                wide.add(point.tag)
    # From Python 3.14 on a signalling NaN of a log is still one here; numpy would warn of it.
    with np.errstate(invalid="ignore"):
        return content, {tag: _points(its, is_wide=tag in wide) for tag, its in rows.items() if its}


def _points(rows: Sequence[_Row], *, is_wide: bool) -> Points:
    """Return points as columns; a tag with a value that single precision cannot hold is double."""
    steps, values, walls = zip(*rows, strict=True)
    width = np.float64 if is_wide else np.float32
    return Points(
        np.array(steps, dtype=np.int64),
        np.array(values, dtype=np.float64).astype(width, copy=False),
        np.array(walls, dtype=np.float64),
    )
