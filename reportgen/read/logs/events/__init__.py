"""TensorBoard event files: every point of every tag, with every checksum verified.

A scalar's record is some fifty bytes, of which all but twenty are the same each time its tag is
logged. So one record of a kind is decoded by the plain reader, and every other one like it is
taken from where its bytes must lie, thousands in one sweep of numpy:

    _file      one file, whole or from where a reading ended; its sessions as logs; tbparse's too
    _event     the plain reader: one record after another, and what an event carries
    _frames    the file a few megabytes at a time, where records begin in it, and their checksums
    _rows      records to columns of step, wall time and value, once it is known where that lies
    batch      some thousand records: known ones together, others by the plain reader
    store      columns that are kept between runs of the program

Whatever looks otherwise goes to the plain reader, record by record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.read.logs.events._file import (
    EventFile,
    joined,
    logs_of,
    read_event_file,
    read_event_file_by_loop,
    read_more,
)
from reportgen.read.logs.events._frames import SIZES, Sizes

if TYPE_CHECKING:
    from pathlib import Path

    from reportgen.records.run import Log

__all__ = [
    "SIZES", "EventFile", "Sizes", "forget_unused", "joined", "load_by_loop", "load_events",
    "load_stored", "load_through_tbparse", "logs_of", "read_event_file",
    "read_event_file_by_loop", "read_more",
]  # fmt: skip


def load_events(path: Path, name: str, sizes: Sizes = SIZES) -> tuple[Log, ...]:
    """Read one event file, many records at a time.

    Returns:
        A log for each session that wrote into it, without a digest: to hash a file takes longer
        than to read it. Damaged records are left out, each with a problem that says where; all
        others are kept. A file that is no event file has no series and one problem.
    """
    return logs_of(read_event_file(path, sizes), name)


def load_by_loop(path: Path, name: str) -> tuple[Log, ...]:
    """Read one event file as `load_events` does, but each record by itself."""
    return logs_of(read_event_file_by_loop(path), name)


def load_through_tbparse(path: Path, name: str) -> tuple[Log, ...]:
    """Read one event file by tbparse.

    Raises:
        MissingExtraError: tbparse is not installed.
    """
    from reportgen.read.logs.events._file import load

    return load(path, name)


def load_stored(path: Path, name: str, folder: Path, *, digest: bool) -> tuple[Log, ...]:
    """Read one event file as `load_events` does, from kept columns where they are right."""
    from reportgen.read.logs.events.store import ColumnStore

    store = ColumnStore(folder)
    found = store.read(path)
    return logs_of(found, name, store.digest(path, found.size) if digest else "")


def forget_unused(folder: Path) -> None:
    """Remove the kept columns longest unused, where all together take too much room."""
    from reportgen.read.logs.events.store import ColumnStore

    ColumnStore(folder).forget_unused()
