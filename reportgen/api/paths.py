"""What there is on the disk."""

from __future__ import annotations

import errno
import os
from pathlib import Path

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
