"""One file that a loader answers to, and how it is read: here, or in a pool of processes."""

from __future__ import annotations

import pickle
import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.read.logs import EVENT_READERS, LOADERS
from reportgen.read.logs.files import CHUNK, SETTLED, TEXT_LIMIT, digest_of, size_of, state_of
from reportgen.read.logs.walk import unreadable
from reportgen.records.kept import Kept
from reportgen.records.record import record, replace
from reportgen.records.run import Log, Problem, Source

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from reportgen.records.study import TablePlan


# One file that a loader answers to, and how it is read.

STORED_KIND = "tfevents"
"""The kind of log whose columns may be kept between runs of the program."""

STORED_FROM = 1 << 18
"""Bytes of such a log; a smaller one is read as fast as what was kept of it."""

NEVER_KEPT = frozenset({"mlflow_db", "database"})
"""Kinds of which more than the file itself decides what is read: SQLite keeps a log beside it."""

BINARY = frozenset({"tfevents", "wandb_run", "mlflow_db", "database", "arrays", "training_args"})
"""Kinds in which no tool that merges texts has left its marks."""

TABLES = frozenset({"metrics_csv", "json_lines"})
"""Kinds of files of rows: one without a clock is told by its columns."""

_MARK = b"<<<<<<< "
_BEGIN = re.compile(rb"^<<<<<<< ([^\r\n]{0,80})", re.MULTILINE)
_END = re.compile(rb"^>>>>>>> ([^\r\n]{0,80})", re.MULTILINE)
"""What an unresolved merge of git leaves in a text."""

Load = Callable[..., tuple[Log, ...]]


@record
class Reading:
    """How files are read.

    Attributes:
        digests: Whether every source comes with the digest of its file. To hash a large file
            takes longer than all else; what prints no digest does without.
        store: Folder of columns that are kept between runs of the program, or None.
        events: Name of the reader of event files; only what `own` reads is kept.
        kept: Logs of the round before, in a process that reads the same folder again.
    """

    digests: bool = True
    store: Path | None = None
    events: str = "own"
    kept: Kept | None = None

    def stores(self, file: LogFile) -> bool:
        """Tell whether what is read of a file is kept."""
        large = file.size is not None and file.size >= STORED_FROM
        wanted = self.store is not None and self.events == "own"
        return wanted and file.kind == STORED_KIND and large


@record
class LogFile:
    """A file that a loader answers to.

    Attributes:
        path: Where it lies.
        name: POSIX path relative to the root, as it will be reported.
        kind: Name of the loader.
        size: Bytes on disk; None where they cannot be told.
        plan: How the study says that its rows are read.
    """

    path: Path
    name: str
    kind: str
    size: int | None
    plan: TablePlan | None = None


def key_of(file: LogFile, reading: Reading) -> object:
    """Return what decides what is read of a file; of one written just now it equals nothing."""
    with suppress(OSError):
        state = state_of(file.path)
        if file.kind not in NEVER_KEPT and state.changed < time.time_ns() - SETTLED:
            return state, file.kind, file.plan, reading.events, reading.digests
    return object()


def load_file(file: LogFile, reading: Reading) -> tuple[Log, ...]:
    """Return the logs of a file; one that cannot be opened is a log with a problem."""
    try:
        if reading.store is not None and reading.stores(file):
            from reportgen.read.logs.events import load_stored

            return load_stored(file.path, file.name, reading.store, digest=reading.digests)
        is_other = file.kind == STORED_KIND and reading.events != "own"
        load: Load = EVENT_READERS.load(reading.events) if is_other else LOADERS.load(file.kind)
        stated = {} if file.plan is None else {"plan": file.plan}
        logs = load(file.path, file.name, **stated)
        logs = logs if file.kind in BINARY else _with_conflict(logs, file)
        return tuple(with_digest(log, file.path) for log in logs) if reading.digests else logs
    except OSError as error:
        source = Source(path=file.name, kind=file.kind, size=0, sha256="")
        return (Log(source=source, problems=(unreadable(file.name, error),)),)


def _with_conflict(logs: tuple[Log, ...], file: LogFile) -> tuple[Log, ...]:
    """Add what a merge left in a text that is a log, or a table that it may have kept from one."""
    is_asked = logs or file.kind in TABLES
    conflict = _find_conflict(file.path, file.name) if is_asked else None
    if conflict is None:
        return logs
    source = Source(path=file.name, kind=file.kind, size=file.size or 0, sha256="")
    first, *rest = logs or (Log(source=source),)
    return (replace(first, problems=(conflict, *first.problems)), *rest)


def _find_conflict(path: Path, name: str) -> Problem | None:
    """Return where a text holds two versions of its lines; None where it holds one."""
    if not _holds_mark(path):
        return None
    with path.open("rb") as stream:
        content = stream.read(TEXT_LIMIT)
    begins = list(_BEGIN.finditer(content))
    if not begins or _END.search(content, begins[0].end()) is None:
        return None
    first = begins[0]
    line = content.count(b"\n", 0, first.start()) + 1
    more = f", and in {len(begins) - 1} more places" if len(begins) > 1 else ""
    return Problem(
        path=name,
        message=f"an unresolved merge of git from line {line} on{more}: it holds two versions of "
        "some lines",
        remedy="resolve it: keep one side and delete the lines that begin with <<<<<<<, ======= "
        "and >>>>>>>",
        offset=first.start(),
    )


def _holds_mark(path: Path) -> bool:
    """Tell whether the mark stands anywhere in a file, which is read in pieces."""
    tail = b""
    with path.open("rb", buffering=0) as stream:
        while chunk := stream.read(CHUNK):
            if _MARK in tail + chunk:
                return True
            tail = chunk[-len(_MARK) :]
    return False


def with_digest(log: Log, path: Path) -> Log:
    """Return a log whose source has the digest of what was read."""
    source = log.source
    if source.sha256 or not source.size:
        return log
    return replace(log, source=replace(source, sha256=digest_of(path, source.size)))


# Files read by a pool of processes.

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
