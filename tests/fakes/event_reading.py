"""Event files read in other pieces than a user's would be: no way of reading may matter."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from unittest import mock

WAYS: tuple[tuple[int, int] | None, ...] = (None, (1 << 21, 1 << 14), (700, 9), (64, 1))
"""As a user's files are read, or many records at a time: bytes of a window, records of a batch."""


@contextmanager
def reading(way: tuple[int, int] | None) -> Iterator[None]:
    """Have files of any size read in one of these ways."""
    with ExitStack() as changed:
        if way is not None and find_spec("reportgen.loaders._bulk"):
            for name, number in (
                ("tfevents.SMALL", 0),
                ("_bulk._windows.WIDTH", way[0]),
                ("_bulk.reader.MOST", way[1]),
            ):
                changed.enter_context(mock.patch(f"reportgen.loaders.{name}", number))
        yield
