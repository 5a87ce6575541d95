"""TensorBoard event files, every point of every tag, with every checksum verified."""

from __future__ import annotations

from pathlib import Path

from reportgen.read.logs._event_file import read_event_file, read_event_file_by_loop
from reportgen.read.logs._event_log import log_of
from reportgen.records.run import Log


def load_tfevents(path: Path, name: str) -> tuple[Log, ...]:
    """Read one event file.

    Args:
        path: The file; its content may be gzip.
        name: POSIX path relative to the root, as it will be reported.

    Returns:
        One log, without a digest: to hash a file takes longer than to read it. Damaged records
        are left out, each with a problem that says where; all others are kept. A file that is no
        event file has no series and one problem.
    """
    return (log_of(read_event_file(path), name),)


def load_by_loop(path: Path, name: str) -> tuple[Log, ...]:
    """Read one event file as `load_tfevents` does, but each record by itself."""
    return (log_of(read_event_file_by_loop(path), name),)
