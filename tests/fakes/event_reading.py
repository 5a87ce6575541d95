"""Event files read in other pieces than a user's would be: no way of reading may matter."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest import mock

from reportgen.read.logs import _event_file
from reportgen.read.logs._bulk import _windows, reader

WAYS: tuple[tuple[int, int] | None, ...] = (None, (1 << 21, 1 << 14), (700, 9), (64, 1))
"""As a user's files are read, or many records at a time: bytes of a window, records of a batch."""


@contextmanager
def reading(way: tuple[int, int] | None) -> Iterator[None]:
    """Have files of any size read in one of these ways."""
    with ExitStack() as changed:
        if way is not None:
            changed.enter_context(mock.patch.object(_event_file, "SMALL", 0))
            changed.enter_context(mock.patch.object(_windows, "WIDTH", way[0]))
            changed.enter_context(mock.patch.object(reader, "MOST", way[1]))
        yield
