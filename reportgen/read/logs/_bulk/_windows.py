"""The file a few megabytes at a time; a record that reaches over an edge is carried along."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from reportgen.read.logs._framing import HEADER

PADDING = 8
"""Zero bytes behind the content, so that eight bytes can be read wherever one may stand."""

WIDTH = 1 << 21
"""Bytes of a window. What is computed of it has to fit into a core's cache."""

SPAN = 24
"""Three words: to take them from a place costs little more than to take one."""

_SPANS = np.dtype(f"V{SPAN}")

Fill = Callable[[memoryview], int]
"""Reads into a buffer and returns how many bytes; 0 at the end."""


class Windows:
    """Shows a stream of bytes through windows that overlap by what was not used.

    All lie in one buffer, which is made larger only for a record that does not fit.

    Args:
        fill: Reads what comes next.
        begin: Offset of the first byte in the stream.

    Attributes:
        start: Offset of the window's first byte in the stream.
        size: Bytes of content in the window.
        octets: The window's bytes.
        words: The eight bytes from each position on, as one unsigned number.
        spans: The `SPAN` bytes from each position on, as one element.
        is_last: Nothing comes after this window.
    """

    def __init__(self, fill: Fill, begin: int = 0) -> None:
        self._fill = fill
        self._buffer = bytearray()
        self.start = begin
        self.size = 0
        self.is_last = False
        self.octets: NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)
        self.words: NDArray[np.uint64] = np.zeros(0, dtype=np.uint64)
        self.spans: NDArray[np.void] = np.zeros(0, dtype=_SPANS)

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
        rest = self.size - used
        room = max(need, WIDTH)
        held = bytes(self._view(used, self.size))
        if room + PADDING > len(self._buffer):
            self._buffer = bytearray(room + PADDING)
        self._buffer[:rest] = held
        while rest < room:
            count = self._fill(memoryview(self._buffer)[rest:room])
            if not count:
                self.is_last = True
                break
            rest += count
        self._buffer[rest : rest + PADDING] = bytes(PADDING)
        self.start += used
        self.size = rest
        self.octets = np.frombuffer(self._buffer, dtype=np.uint8, count=rest)
        self.words = np.ndarray((rest + 1,), "<u8", self._buffer, 0, (1,))
        self.spans = np.ndarray((max(rest + PADDING + 1 - SPAN, 0),), _SPANS, self._buffer, 0, (1,))
        return True

    def bytes_at(self, begin: int, end: int) -> bytes:
        """Return bytes of the window."""
        return bytes(self._view(begin, end))

    def _view(self, begin: int, end: int) -> memoryview:
        return memoryview(self._buffer)[begin:end]
