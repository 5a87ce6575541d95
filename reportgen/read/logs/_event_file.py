"""One event file: read whole, or from where an earlier reading ended."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from reportgen.read.logs._columns import joined_parts
from reportgen.read.logs._content import Content
from reportgen.read.logs._files import FileReader
from reportgen.records.run import Series

HEAD = 256
"""First bytes that tell what a file is that holds no record."""

SMALL = 1 << 12
"""Fewer bytes are read sooner by the plain reader than bulk reading has begun."""


@dataclass(slots=True, kw_only=True)
class EventFile:
    """What was read of an event file.

    Attributes:
        content: What it holds beside points.
        series: Its points, by tag; their paths are empty.
        head: Its first bytes.
        size: Bytes on disk.
        end: Where the reading goes on when more has been written: behind the last sound
            record. None where the file is compressed.
        problem: What stopped the reading before the end, or empty.
        remedy: What can be done about it.
    """

    content: Content
    series: dict[str, Series]
    head: bytes
    size: int
    end: int | None
    problem: str = ""
    remedy: str = ""


def read_event_file(path: Path) -> EventFile:
    """Read a file from its first byte; compressed or not, whatever it holds."""
    return _read(path, 0, None) or read_event_file_by_loop(path)


def read_event_file_by_loop(path: Path) -> EventFile:
    """Read a file record by record."""
    return _read_plainly(path, 0, None)


def read_more(path: Path, before: EventFile) -> EventFile | None:
    """Read what was appended to a file.

    Args:
        path: The file.
        before: What was read of it; it is not changed.

    Returns:
        The file as it is now, with those of its points that were appended. None where what was
        appended voids points before it, or cannot be understood without what came before.
    """
    if before.end is None:
        return None
    content = copy.deepcopy(before.content)
    # What reached up to the end may have been half of a record.
    content.faults = [fault for fault in content.faults if fault.end <= before.end]
    starts = len(content.starts)
    more = _read(path, before.end, content)
    if more is None or len(more.content.starts) > starts or more.problem:
        return None
    more.head = before.head
    return more


def _read(path: Path, begin: int, content: Content | None) -> EventFile | None:
    """Read many records at a time where there are many; None where the file does not allow it."""
    if _left(path, begin) < SMALL:
        return _read_plainly(path, begin, content)
    from reportgen.read.logs._bulk.reader import read_in_bulk
    from reportgen.read.logs._bulk.unsure import UnsureError

    reader = FileReader(path, hashed=False)
    head = b""
    with reader.filling(begin) as fill:

        def fill_and_look(view: memoryview) -> int:
            nonlocal head
            count = fill(view)
            head = head or bytes(view[: min(count, HEAD)])
            return count

        try:
            found, points = read_in_bulk(fill_and_look, begin, content)
        except UnsureError:
            return None
    return _event_file(reader, found, points.series(""), head)


def _read_plainly(path: Path, begin: int, content: Content | None) -> EventFile:
    """Read record by record."""
    from reportgen.read.logs._loop import read_by_loop

    reader = FileReader(path, hashed=False)
    chunks = reader.chunks(begin)
    head = next(chunks, b"")
    found, columns = read_by_loop(chain([head], chunks), begin, content)
    return _event_file(reader, found, columns.parts("", single=True), head[:HEAD])


def _event_file(
    reader: FileReader, content: Content, series: dict[str, Series], head: bytes
) -> EventFile:
    end = reader.size
    if content.faults and content.faults[-1].end == end:
        end = content.faults[-1].offset
    return EventFile(
        content=content,
        series=series,
        head=head,
        size=reader.size,
        end=None if reader.is_packed else end,
        problem=reader.problem,
        remedy=reader.remedy,
    )


def _left(path: Path, begin: int) -> int:
    try:
        return path.stat().st_size - begin
    except OSError:
        return 0


def joined(parts: Sequence[dict[str, Series]]) -> dict[str, Series]:
    """Return the series of a file in several parts; a later point replaces an earlier one."""
    found: dict[str, list[Series]] = {}
    for part in parts:
        for tag, series in part.items():
            found.setdefault(tag, []).append(series)
    return {
        tag: some[0] if len(some) == 1 else joined_parts(tag, some) for tag, some in found.items()
    }
