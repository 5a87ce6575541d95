"""Put in front of a program's modules: at its n-th operation on files, it is killed or refused.

The interpreter tells of every operation before it is done (PEP 578). What is counted, where, and
what happens, the environment says:

FIRE_BELOW    folders, with the separator of paths between them
FIRE_EVENTS   "write": files opened to be written, renamed, removed, folders made; "read": opened
FIRE_AT       number of the operation, from 1; 0 only counts
FIRE_DO       "kill", or the name of an error, as in errno
FIRE_TOLD     file that gets the number of operations, and the one that was hit
"""

import errno
import os
import signal
import sys

_BELOW = tuple(os.environ.get("FIRE_BELOW", "").split(os.pathsep))
_AT, _DO = int(os.environ.get("FIRE_AT", "0")), os.environ.get("FIRE_DO", "kill")
_READS = os.environ.get("FIRE_EVENTS", "write") == "read"
_TOLD = os.environ.get("FIRE_TOLD", "")
_CHANGES = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "os.utime", "os.link"}
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_count = 0
_busy = False


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    global _count  # noqa: PLW0603 - one counter a process
    if _busy or not (event == "open" or event in _CHANGES or event == "os.scandir"):
        return
    path = arguments[0]
    if not isinstance(path, str | os.PathLike):
        return
    path = os.fspath(path)
    if event == "open":
        writes = bool((arguments[2] or 0) & _WRITES)
        counted = writes != _READS
    else:
        counted = (event in _CHANGES) != _READS
    if not counted or not os.path.abspath(path).startswith(_BELOW):  # noqa: PTH100
        return
    _count += 1
    if not _AT or _count == _AT:
        _tell(event, path)
    if _count == _AT:
        if _DO == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        number = getattr(errno, _DO)
        raise OSError(number, os.strerror(number), path)


def _tell(event: str, path: str) -> None:
    global _busy  # noqa: PLW0603 - what is told is not counted
    _busy = True
    try:
        if _TOLD:
            with open(_TOLD, "a", encoding="utf-8") as stream:  # noqa: PTH123
                stream.write(f"{_count} {event} {path}\n")
    finally:
        _busy = False


if "FIRE_BELOW" in os.environ:
    sys.addaudithook(_hear)
