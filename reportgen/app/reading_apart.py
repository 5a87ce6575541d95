"""Files of strangers read in a process of their own, with limits of the operating system."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from reportgen.read.documents import Limits, attached_file, read_document
from reportgen.records.errors import EvidenceError, ReportgenError, WorkerLostError
from reportgen.records.manuscript import Manuscript
from reportgen.records.source import printable

if TYPE_CHECKING:
    from reportgen.train.executors.pool import PoolExecutor

T = TypeVar("T")

MEMORY = 1024 * 2**20
"""Bytes of address space for the reading of one report."""

_FILES = 256
"""Files that the process may hold open: its libraries', a report's and what that brings in."""


class ReadingApart:
    """Reads reports in a process of their own, for as long as the `with` block lasts.

    A crash, a bomb or an endless page costs its report, and no other. Where the system knows no
    limit on memory (Windows, macOS in part), time is limited all the same.

    Args:
        limits: How much of a report is read, and how many seconds that may take.
        memory: Bytes of address space of the process.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder, ReadingApart() as apart:
        ...     path = Path(folder, "report.md")
        ...     _ = path.write_text("The accuracy is 79.9 %.")
        ...     apart.read(path).blocks[0].text
        'The accuracy is 79.9 %.'
    """

    def __init__(self, limits: Limits | None = None, *, memory: int = MEMORY) -> None:
        self._limits, self._memory = limits or Limits(), memory
        self._opened: PoolExecutor | None = None

    @property
    def _pool(self) -> PoolExecutor:
        """The process, which starts with the first file."""
        if self._opened is None:
            from reportgen.train import open_pool

            self._opened = open_pool(workers=1, seconds=self._limits.seconds, memory=self._memory)
        return self._opened

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._opened is not None:
            self._opened.shutdown(cancel_futures=kind is not None)

    def read(self, path: Path) -> Manuscript:
        """Read a report as `read_document` does.

        Raises:
            EvidenceError: As there; also when reading took too much time or memory, or ended
                the process.
        """
        return self.ask(path, partial(read_document, limits=self._limits))

    def attached(self, path: Path, name: str) -> bytes:
        """Return a file that is attached to a PDF, as `attached_file` does.

        Raises:
            EvidenceError: As there; also when that took too much time or memory.
        """
        return self.ask(path, partial(_attached, name=name))

    def ask(self, path: Path, read: Callable[[Path], T]) -> T:
        """Return what a function tells of a file.

        Args:
            path: The file.
            read: A function that can be imported by its name.

        Raises:
            EvidenceError: It took too much time or memory, or ended the process; what the
                function raises is raised here.
        """
        try:
            return self._pool.submit(_confined, read, path).result()
        except WorkerLostError as fault:
            why = fault.message
        except MemoryError:
            why = f"it needs more than {self._memory // 2**20:,} MB of memory"
        except ReportgenError:
            raise
        except Exception as fault:  # noqa: BLE001 - a fault of one report is not one of its class
            why = f"its reader failed with {type(fault).__name__}: {printable(str(fault))[:300]}"
        raise EvidenceError(
            f"{path} could not be read: {why}",
            remedy="open it in a viewer and save it again, or hand in its source",
        )


def _attached(path: Path, name: str) -> bytes:
    return attached_file(path.read_bytes(), name, str(path))


def _confined(read: Callable[[Path], T], path: Path) -> T:
    """Read in this process, which may write no file and start no other from now on.

    What libraries print goes nowhere: it might be written to a file.
    """
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nothing, stream)
    os.close(nothing)
    with contextlib.suppress(ImportError):
        import resource

        for kind, most in (
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_NOFILE, _FILES),
            (resource.RLIMIT_NPROC, 0),
        ):
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(kind, (most, most))
    return read(path)
