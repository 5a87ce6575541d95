"""Files read by a pool of processes."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from reportgen.read.logs.files import size_of
from reportgen.read.logs.one_file import LogFile, Reading, load_file
from reportgen.records.run import Log

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

CHUNK_FILES = 50
CHUNK_BYTES = 1 << 24
"""A task of a pool is this many files, or as many bytes where the files are large: either takes
far longer to read than to hand over."""


def read_in_pool(
    pool: Executor, files: Sequence[LogFile], tell: Callable[[str], None], reading: Reading
) -> list[tuple[Log, ...]]:
    """Read files, many at a time; what the pool fails to read is read in this process.

    The processes of the pool see the files under the same paths. `tell` is called with each file's
    name when it was read.
    """
    from concurrent.futures import as_completed

    chunks = chunks_of(files)
    read: dict[int, tuple[Log, ...]] = {}

    def take(chunk: list[int], found: Sequence[tuple[Log, ...] | None]) -> None:
        for i, logs in zip(chunk, found, strict=True):
            tell(files[i].name)
            read[i] = load_file(files[i], reading) if logs is None else logs

    handed: dict[Future[bytes], list[int]] = {}
    # A pool that takes no more leaves the rest to this process.
    with suppress(OSError, RuntimeError):
        for chunk in chunks:
            handed[pool.submit(read_chunk, [files[i] for i in chunk], reading)] = chunk
    rest = chunks[len(handed) :]
    for task in as_completed(handed):
        # A task holds what it sent for as long as anybody holds the task.
        chunk = handed.pop(task)
        take(chunk, _outcome(task, len(chunk)))
    for chunk in rest:
        take(chunk, [None] * len(chunk))
    return [read[i] for i in range(len(files))]


def read_chunk(files: Sequence[LogFile], reading: Reading) -> bytes:
    """Read files in a process of a pool, which may be on another machine.

    Returns:
        A pickle of a list: the logs of each file, None for a file that the caller should read,
        because it failed here or is not here what it is there, or because its columns lie in the
        store now, from where they need not be sent. (As protocol 5, whose columns are
        plain bytes, and in one piece: some pools send each column as a message of its own.)
    """
    return pickle.dumps([_load_same(file, reading) for file in files], protocol=5)


def count_chunks(files: Sequence[LogFile]) -> int:
    """Return into how many tasks of a pool files are divided."""
    size = sum(file.size or 0 for file in files)
    return min(len(files), max(1, len(files) // CHUNK_FILES, size // CHUNK_BYTES))


def chunks_of(files: Sequence[LogFile]) -> list[list[int]]:
    """Divide files, by their place in the sequence, into parts of like length and like bytes.

    Dealt out by size, forth and back, so that nobody has every large file.

    Example:
        >>> sizes = [3, 9, 2, 8] * 26
        >>> from pathlib import Path
        >>> files = [LogFile(path=Path("a"), name="a", kind="tfevents", size=n) for n in sizes]
        >>> [(len(chunk), sum(sizes[i] for i in chunk)) for chunk in chunks_of(files)]
        [(52, 286), (52, 286)]
    """
    count = count_chunks(files)
    order = sorted(range(len(files)), key=lambda i: -(files[i].size or 0))
    return [order[i :: 2 * count] + order[2 * count - 1 - i :: 2 * count] for i in range(count)]


def _outcome(task: Future[bytes], count: int) -> list[tuple[Log, ...] | None]:
    """Return what `read_chunk` gave back, nothing for each file where it did not come to that."""
    try:
        found: list[tuple[Log, ...] | None] = pickle.loads(task.result())  # noqa: S301 - our own
    except Exception:  # noqa: BLE001 - a killed process, a lost machine, a full memory
        return [None] * count
    return found


def _load_same(file: LogFile, reading: Reading) -> tuple[Log, ...] | None:
    """Return the logs of a file that lies here as it was found elsewhere, else None."""
    try:
        logs = load_file(file, reading) if size_of(file.path) == file.size else None
    except Exception:  # noqa: BLE001 - whoever asked meets it as well, and may tell a user of it
        return None
    # A file that was not read to its end may be readable elsewhere.
    if logs is None or any(log.source.size != file.size for log in logs):
        return None
    return None if reading.stores(file) else logs
