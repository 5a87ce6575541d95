"""What there is on the disk."""

from __future__ import annotations

import errno
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
