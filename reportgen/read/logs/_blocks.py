"""The framing of Weights & Biases files: records in pieces, pieces in blocks of 32 KiB.

Source: the log format of LevelDB (`doc/log_format.md`), with the plain CRC-32 of zlib in place
of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from struct import Struct
from zlib import crc32

from reportgen.read.logs._faults import CUT_OFF, DAMAGED, Fault, Record

BLOCK = 1 << 15
HEADER = 7
RECORD_LIMIT = 1 << 26
"""No record of a run is longer than this."""

SEARCHED = 1 << 26
"""Bytes of a file that may be summed up in search of the next sound piece; behind them the
search goes on at the next block."""

_FULL, _FIRST, _MIDDLE, _LAST = 1, 2, 3, 4
_HEADER = Struct("<IHB")
_SEEDS = [crc32(bytes([kind])) for kind in range(_LAST + 1)]
_KIND = re.compile(rb"[\x01-\x04]")


_Piece = tuple[int, bytes, int]
"""The kind of a piece, its payload, and where it ends in its block."""


def read_blocked(chunks: Iterable[bytes]) -> Iterator[Record | Fault]:
    """Yield every sound record behind the file's header, and every stretch that holds none.

    After damage the reading goes on at the next sound piece, so that a bad record costs that
    record. Memory is bounded by the longest record.
    """
    reader = _Reader()
    for start, block, final in _blocks(chunks):
        yield from reader.read(start, block, final=final)
    yield from reader.finish()


def _blocks(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes, bool]]:
    """Yield (offset, bytes, whether it is the last) of each block."""
    buffer, start = b"", 0
    for chunk in chunks:
        buffer += chunk
        while len(buffer) > BLOCK:
            yield start, buffer[:BLOCK], False
            buffer, start = buffer[BLOCK:], start + BLOCK
    yield start, buffer, True


def _piece_at(block: bytes, at: int) -> _Piece | None:
    """Return the piece whose header stands at a place, None where none does."""
    if at + HEADER > len(block):
        return None
    checksum, length, kind = _HEADER.unpack_from(block, at)
    end = at + HEADER + length
    if not _FULL <= kind <= _LAST or end > len(block):
        return None
    payload = block[at + HEADER : end]
    return (kind, payload, end) if crc32(payload, _SEEDS[kind]) == checksum else None


def _is_cut(block: bytes, at: int) -> bool:
    """Tell whether the end of a file may have cut off a piece that begins here."""
    if at + HEADER > len(block):
        return True
    kind, length = block[at + 6], block[at + 4] | block[at + 5] << 8
    return _FULL <= kind <= _LAST and len(block) < at + HEADER + length <= BLOCK


@dataclass(slots=True)
class _Reader:
    """Puts pieces together.

    Attributes:
        parts: Pieces of the record that has begun, which began at `begun`.
        fault: Damage that has not been told yet, because it may go on.
        searched: Bytes summed up so far in search of sound pieces.
    """

    parts: list[bytes] = field(default_factory=list)
    begun: int = 0
    fault: Fault | None = None
    searched: int = 0
    end: int = 0

    def read(self, start: int, block: bytes, *, final: bool) -> Iterator[Record | Fault]:
        at = 0 if start else min(HEADER, len(block))
        self.end = start + len(block)
        while at < len(block) and (final or BLOCK - at >= HEADER):
            piece = _piece_at(block, at)
            if piece is not None:
                kind, payload, end = piece
                if kind == _FULL and not self.parts and self.fault is None:
                    yield Record(start + at, payload)
                else:
                    yield from self._take(start + at, kind, payload, start + end)
                at = end
                continue
            if BLOCK - at < HEADER:
                break
            after = self._next(block, at + 1)
            cut = final and after == len(block) and _is_cut(block, at)
            self._lose(start + at, start + after, CUT_OFF if cut else DAMAGED)
            at = after

    def finish(self) -> Iterator[Record | Fault]:
        if self.parts:
            self._lose(self.begun, self.end, CUT_OFF)
        yield from self._told()

    def _take(self, offset: int, kind: int, payload: bytes, end: int) -> Iterator[Record | Fault]:
        begins, ends = kind in {_FULL, _FIRST}, kind in {_FULL, _LAST}
        if begins and self.parts:
            self._lose(self.begun, offset, "a record without its end")
        if not begins and not self.parts:
            self._lose(offset, end, "a record without its beginning")
            return
        if begins:
            yield from self._told()
            self.begun = offset
        self.parts.append(payload)
        if sum(map(len, self.parts)) > RECORD_LIMIT:
            self._lose(self.begun, end, f"a record of more than {RECORD_LIMIT} bytes")
        elif ends:
            whole, self.parts = b"".join(self.parts), []
            yield Record(self.begun, whole)

    def _lose(self, offset: int, end: int, reason: str) -> None:
        """Note damage; what follows it without a sound record between is the same damage."""
        if self.parts:
            offset, self.parts = min(offset, self.begun), []
        if self.fault is not None:
            offset, reason = self.fault.offset, self.fault.reason
        self.fault = Fault(offset, end, reason)

    def _told(self) -> Iterator[Fault]:
        if self.fault is not None:
            yield self.fault
            self.fault = None

    def _next(self, block: bytes, begin: int) -> int:
        """Return where the next sound piece of a block begins, its length where none does."""
        for found in _KIND.finditer(block, begin + HEADER - 1):
            at = found.start() - (HEADER - 1)
            length = block[at + 4] | block[at + 5] << 8
            if at + HEADER + length > len(block):
                continue
            self.searched += length
            if self.searched > SEARCHED:
                break
            if _piece_at(block, at) is not None:
                return at
        return len(block)
