"""A stretch of a file, read through a small buffer and never past its end."""

from __future__ import annotations

import io
from typing import BinaryIO, Protocol

BUFFER = 2**16
# A stretch no longer than this is read at once, for its pickle is then read faster.
SMALL = 2**20


class Stream(Protocol):
    """What the readers of headers need of a file."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes."""

    def readline(self, size: int, /) -> bytes:
        """Return at most `size` bytes, up to the first line end."""


class _Section(io.RawIOBase):
    def __init__(self, file: BinaryIO, begin: int, length: int) -> None:
        self._file = file
        self.at = begin
        self._left = length

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        wanted = min(len(buffer), self._left)
        self._file.seek(self.at)
        piece = self._file.read(wanted)
        buffer[: len(piece)] = piece
        self.at += len(piece)
        self._left -= len(piece)
        return len(piece)


def open_section(file: BinaryIO, begin: int, length: int) -> io.BufferedReader:
    """Return a stream over `length` bytes of a file, from `begin` on.

    Example:
        >>> open_section(io.BytesIO(b"0123456789"), 2, 3).read(100)
        b'234'
    """
    return io.BufferedReader(_Section(file, begin, length), BUFFER)


def open_stretch(file: BinaryIO, begin: int, length: int) -> Stream:
    """Return a stream over `length` bytes of a file, in memory where they are few.

    Example:
        >>> open_stretch(io.BytesIO(b"0123456789"), 2, 3).read(100)
        b'234'
    """
    if length > SMALL:
        return open_section(file, begin, length)
    file.seek(begin)
    return io.BytesIO(file.read(length))


def position_of(stream: io.BufferedReader) -> int:
    """Return the offset in the file of the next byte that a section will give.

    Example:
        >>> stream = open_section(io.BytesIO(b"0123456789"), 2, 5)
        >>> stream.read(3), position_of(stream)
        (b'234', 5)
    """
    raw = stream.raw
    ahead = len(stream.peek(1))
    return (raw.at if isinstance(raw, _Section) else 0) - ahead
