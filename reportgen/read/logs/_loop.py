"""The plain way to read an event file: one record after another, each decoded by itself.

It knows every form of record. The bulk reader is many times faster on what it knows, hands
the rest to this one, and has it as its partner in the tests.
"""

from __future__ import annotations

from collections.abc import Iterable

from reportgen.read.logs._columns import Columns
from reportgen.read.logs._content import Content
from reportgen.read.logs._faults import Fault
from reportgen.read.logs._framing import read_records


def read_by_loop(
    chunks: Iterable[bytes], begin: int = 0, content: Content | None = None
) -> tuple[Content, Columns]:
    """Read the bytes of an event file, in pieces of any length.

    Args:
        chunks: The bytes.
        begin: Offset of the first one.
        content: What the file holds before; what comes is added to it.

    Returns:
        What the file holds, and its points in the order in which they were written.
    """
    content, columns = content or Content(), Columns()
    for piece in read_records(chunks, begin):
        if isinstance(piece, Fault):
            content.faults.append(piece)
            continue
        event = content.read(piece.offset, piece.payload)
        if event is None:
            continue
        points = content.take(event)
        if event.starts_session:
            for column in columns.values():
                column.purge(event.step)
        for point in points:
            column = columns[point.tag]
            column.wide = column.wide or point.is_wide
            column.add(event.step, point.number, event.wall_time)
    return content, columns
