"""What there is on the disk, and whether a report may be written there."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

from reportgen.records.errors import UsageError

_ABSENT = frozenset({errno.ENOENT, errno.ENOTDIR, errno.EBADF, errno.ELOOP})


def is_there(path: Path) -> bool:
    """Say whether a path names something.

    Unlike `Path.exists`, which from Python 3.14 on takes every fault for a no: somebody whose
    folder is locked is not told to check its name.

    Raises:
        OSError: One may not look, or the system cannot take the name.

    Example:
        >>> is_there(Path("inputs")), is_there(Path("inputs/none"))
        (True, False)
    """
    try:
        path.stat()
    except ValueError:  # a null character
        return False
    except OSError as fault:
        if fault.errno in _ABSENT:
            return False
        raise
    return True


def real(path: Path) -> Path:
    """Return a path with its links followed, as far as they lead anywhere.

    Unlike `Path.resolve`, which before Python 3.13 raises a RuntimeError for links in a ring.

    Example:
        >>> real(Path("inputs")).is_absolute()
        True
    """
    return Path(os.path.realpath(path))


def check_apart(files: Iterable[Path], inputs: Iterable[Path]) -> None:
    """Refuse a report that would be written over evidence, or read as a log the next time.

    Args:
        files: Main files of the report.
        inputs: Files and folders that it is made of.

    Raises:
        UsageError: With the file, and what is the matter.
    """
    inputs = tuple(inputs)
    for file in files:
        if any(root.is_file() and file.exists() and file.samefile(root) for root in inputs):
            _refuse(file, "the report is made from that very file")
        for root in inputs:
            below = real(file).is_relative_to(real(root)) and root.is_dir()
            if below and _is_evidence(real(file).relative_to(real(root)).as_posix()):
                over = ", and there is one already" if file.exists() else ""
                _refuse(file, f"logs have this name, it would be read as one the next time{over}")


def _is_evidence(name: str) -> bool:
    from reportgen.read.logs import NAMED, loader_of

    base = name.rpartition("/")[2]
    return bool(loader_of(name)) or any(fnmatchcase(base, pattern) for pattern in NAMED)


def _refuse(file: Path, reason: str) -> None:
    raise UsageError(
        f"no report is written as {file}: {reason}",
        remedy="name another file, or a folder outside the logs, as in --out out/report.pdf",
    )
