"""What the file system says of files and folders, looked at again and again at little cost.

Looking works on every file system. Events do not: those of network file systems, of containers'
volumes and of folders that vanish and come back are never sent (docs/adr/0027).
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SETTLED = 2_000_000_000
"""Nanoseconds after which whatever happens in a folder changes the time of its last change."""

AFRESH = 5.0
"""Seconds after which every folder is listed again, whatever its times say: on some file systems
they say nothing."""

MOST_ENTRIES = 1_000_000
"""More files are a disk; whoever reads them says so."""

Stamp = tuple[int, ...]
State = Mapping[str, Stamp]
"""Path to size, inode and both times of last change; nothing where the name alone counts."""

Weigh = Callable[[str], bool | None]
"""Of a name below a root: whether its content counts, or its being there; None for neither."""


def everything(_name: str) -> bool:
    """Count the content of every file."""
    return True


@dataclass(slots=True)
class _Folder:
    """One folder, as it was listed.

    Attributes:
        identity: Device, inode and time of last change when it was listed; empty where it may
            have changed since without a trace.
        folders: Folders in it.
        counted: Files whose content counts.
        named: Files whose names count.
    """

    identity: Stamp
    folders: list[str] = field(default_factory=list)
    counted: list[str] = field(default_factory=list)
    named: list[str] = field(default_factory=list)


class Watched:
    """Files and folders that are looked at again and again.

    A folder is listed when its time of last change says that names in it have come or gone;
    otherwise the files known in it are looked at one by one. Hidden files and folders, and links to
    folders, do not count.

    Args:
        roots: Each file or folder, with what says which files below it count. One that is not
            there may come.
    """

    def __init__(self, roots: Sequence[tuple[Path, Weigh]]) -> None:
        self.roots = tuple(roots)
        self._folders: dict[str, dict[str, _Folder]] = {}
        self._listed = 0.0

    def look(self) -> State:
        """Return the state of everything that counts; two looks are equal if nothing changed."""
        if time.monotonic() - self._listed > AFRESH:
            self._folders, self._listed = {}, time.monotonic()
        state: dict[str, Stamp] = {}
        for root, weigh in self.roots:
            top = os.fspath(root.absolute())
            told = _told(top)
            if told is not None and stat.S_ISDIR(told.st_mode):
                state[top] = ()
                for path, stamp in self._below(top, weigh):
                    state[path] = stamp
                    if len(state) > MOST_ENTRIES:
                        return state
            elif told is not None:
                state[top] = _stamp(told)
        return state

    def _below(self, top: str, weigh: Weigh) -> Iterator[tuple[str, Stamp]]:
        before, known = self._folders.get(top, {}), dict[str, _Folder]()
        waiting = [top]
        while waiting:
            path = waiting.pop()
            folder = _listed(path, top, weigh, before.get(path))
            if folder is None:
                continue
            known[path] = folder
            waiting.extend(folder.folders)
            yield from ((name, ()) for name in folder.named)
            for name in folder.counted:
                told = _told(name)
                if told is not None:
                    yield name, _stamp(told)
        self._folders[top] = known


def _listed(path: str, top: str, weigh: Weigh, known: _Folder | None) -> _Folder | None:
    """Return a folder as it was listed before, where it is still the same, else as it is now."""
    begun, told = time.time_ns(), _told(path)
    if told is None:
        return None
    identity = (told.st_dev, told.st_ino, told.st_mtime_ns)
    if known is not None and known.identity == identity:
        return known
    folder = _Folder(identity if begun - told.st_mtime_ns > SETTLED else ())
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                _sort(entry, folder, entry.path[len(top) + 1 :].replace(os.sep, "/"), weigh)
    except OSError:
        return None
    return folder


def _sort(entry: os.DirEntry[str], folder: _Folder, name: str, weigh: Weigh) -> None:
    """Put one entry where it belongs."""
    if entry.name.startswith("."):
        return
    if entry.is_dir(follow_symlinks=False):
        if entry.name != "__pycache__":
            folder.folders.append(entry.path)
        return
    counts = weigh(name)
    if counts is not None:
        (folder.counted if counts else folder.named).append(entry.path)


def _told(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)  # noqa: PTH116 - one call a file, some thousand times a second
    except OSError:
        return None


def _stamp(told: os.stat_result) -> Stamp:
    return told.st_size, told.st_ino, told.st_mtime_ns, told.st_ctime_ns


def changed_lately(stamp: Stamp, seconds: float) -> bool:
    """Tell whether a file was changed in the last seconds, or, by its clock, in times to come."""
    return bool(stamp) and max(stamp[2:]) > time.time_ns() - seconds * 1e9
