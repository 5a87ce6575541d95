"""Sees to it that reading a file runs nothing, writes nothing, and takes neither time nor memory.

The interpreter itself tells what is done (PEP 578): no opening to write, no process, no
connection, no name looked up for a pickle, no code run gets past it, whatever library asks.
"""

import os
import resource
import signal
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from fakes.rows import rows_beside

ROWS = rows_beside(__file__)

SECONDS = 2.0
"""Processor time that one input may take."""

PATIENCE = 20
"""Seconds of processor time after which an input is ended, if its reader does not end by itself."""

MEMORY = 192 * 2**20
"""Bytes that one input may add to the most that the process has ever taken."""

ADDRESSES = 2 * 2**30
"""Bytes of address space beyond what the process has before the first input."""

_RUNS = ROWS["runs"]
_CHANGES = ROWS["changes"]
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_PROJECT = str(Path(__file__).resolve().parents[2])
_KNOWN = tuple(
    {
        *(os.path.realpath(path) for path in sysconfig.get_paths().values()),
        *(os.path.realpath(path) for path in (sys.prefix, sys.base_prefix, _PROJECT)),
        *(_PROJECT, sys.prefix, "/proc/self", "/dev/null", "/dev/urandom", "/usr/share/zoneinfo"),
    }
)


class DeedError(BaseException):
    """Something was done that reading a file never does; no reader may catch it."""


class TooLongError(BaseException):
    """An input took more time than any may."""


@dataclass
class _Watch:
    """What is allowed now.

    Attributes:
        folder: Where files may be read; empty while nobody watches.
        writes: Whether files may be written and removed there, too.
        runs: Events that are allowed besides.
    """

    folder: str = ""
    writes: bool = False
    runs: tuple[str, ...] = ()
    installed: bool = False


_NOW = _Watch()


@contextmanager
def watched(folder: Path, *, writes: bool = False, runs: tuple[str, ...] = ()) -> Iterator[None]:
    """Raise a DeedError for whatever a reader of files in a folder does beside reading them."""
    if not _NOW.installed:
        sys.addaudithook(_hear)
        _NOW.installed = True
        sys.dont_write_bytecode = True  # of modules that are first imported while files are read
    _NOW.folder, _NOW.writes, _NOW.runs = str(folder), writes, runs
    try:
        yield
    finally:
        _NOW.folder = ""


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if not _NOW.folder or event in _NOW.runs or _is_answer(event, arguments):
        return
    if event == "open":
        _hear_open(*arguments)
    elif (
        event in _RUNS
        or event.startswith("winreg.")
        or (event in _CHANGES and not (_NOW.writes and _is_here(arguments[0])))
        or (event == "exec" and not _is_import())
    ):
        _refuse(event, arguments)


def _is_answer(event: str, arguments: tuple[Any, ...]) -> bool:
    """Tell whether a record or an error is taken from the process that reads files apart."""
    return event == "pickle.find_class" and str(arguments[0]).startswith("reportgen.records.")


def _hear_open(path: Any, mode: Any, flags: Any) -> None:
    if isinstance(path, int) or os.fspath(path) in {os.devnull, b"/dev/null"}:
        return
    writes = bool((flags or 0) & _WRITES) or (isinstance(mode, str) and set(mode) & set("wax+"))
    if writes and not (_NOW.writes and _is_here(path)):
        _refuse("open to write", (path,))
    if not _is_here(path) and not os.path.realpath(os.fsdecode(path)).startswith(_KNOWN):
        _refuse("open outside", (path,))


def _is_here(path: Any) -> bool:
    text = path if isinstance(path, str) else os.fsdecode(path)
    return os.path.abspath(text).startswith(_NOW.folder)  # noqa: PTH100 - links are not followed


def _is_import() -> bool:
    """Tell whether code is run because our own program imports a module, or describes a record."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        name = frame.f_code.co_filename
        if "importlib._bootstrap" in name or name.endswith("reportgen/records/record.py"):
            return True
        frame = frame.f_back
    return False


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    raise DeedError(f"{event}: {str(arguments)[:300]}")


def limit_memory() -> None:
    """Let no input take the whole machine: beyond a limit there is no memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = pages * resource.getpagesize() + ADDRESSES
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def peak() -> int:
    """Return the most memory that this process has taken, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@dataclass
class Spent:
    """What an input took: processor time, and memory beyond all before it."""

    seconds: float = 0.0
    memory: int = 0


@contextmanager
def measured() -> Iterator[Spent]:
    """Measure an input; raise where it took more than any may."""
    spent, before = Spent(), peak()
    old = signal.signal(signal.SIGPROF, _ring)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    start = time.process_time()
    try:
        yield spent
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, old)
        spent.seconds, spent.memory = time.process_time() - start, peak() - before
    assert spent.seconds < SECONDS, f"{spent.seconds:.2f} s of processor time"
    assert spent.memory < MEMORY, f"{spent.memory >> 20} MB of memory"


def _ring(*_: Any) -> None:
    raise TooLongError(f"more than {PATIENCE} s")
