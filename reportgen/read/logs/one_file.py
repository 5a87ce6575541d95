"""One file that a loader answers to, and how it is read."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.read.logs import EVENT_READERS, LOADERS
from reportgen.read.logs.files import CHUNK, SETTLED, TEXT_LIMIT, digest_of, state_of
from reportgen.read.logs.walk import unreadable
from reportgen.records.kept import Kept
from reportgen.records.record import record, replace
from reportgen.records.run import Log, Problem, Source

if TYPE_CHECKING:
    from reportgen.records.study import TablePlan

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
