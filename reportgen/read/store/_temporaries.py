"""Files that are not whole yet: their names tell whose they are, so none is lost or left."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import shutil
import time
from pathlib import Path

LEFT_S = 86_400.0
"""Seconds after which a temporary is one that a killed process left, whoever may be writing."""


def own(prefix: str) -> str:
    """Return how the names of this process's temporaries begin.

    Args:
        prefix: How those of every process do.

    Example:
        >>> own(".new-").startswith(".new-"), own(".new-") == own(".new-")
        (True, True)
    """
    return f"{prefix}{_machine()}.{os.getpid()}."


def forget_left(folder: Path, prefix: str, *, locked: bool) -> None:
    """Remove temporaries of processes that were killed.

    A lock is no proof that nobody writes: another client of a file server, whose locks are its
    own, may be about to give its temporaries their names.

    Args:
        folder: Where they lie.
        prefix: How their names begin.
        locked: Whether nobody else on this machine is writing here; else only old ones go.
    """
    with contextlib.suppress(OSError):
        with os.scandir(folder) as entries:
            found = [Path(entry.path) for entry in entries if entry.name.startswith(prefix)]
        for path in found:
            old = time.time() - path.lstat().st_mtime >= LEFT_S
            if not old and not (locked and _is_left(path.name.removeprefix(prefix))):
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()


def _is_left(name: str) -> bool:
    """Say whether the process that chose a name is plainly dead, or the name tells of none."""
    from reportgen.read.store._owner import is_plainly_dead, machine

    place, _, rest = name.partition(".")
    pid, _, drawn = rest.partition(".")
    if not (drawn and pid.isdecimal()):
        return True
    return place == _machine() and is_plainly_dead({"pid": int(pid), "machine": machine()})


@functools.cache
def _machine() -> str:
    from reportgen.read.store._owner import machine

    return hashlib.sha256(machine().encode()).hexdigest()[:8]
