"""Files of the run store: read within bounds, written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import stat
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

LARGEST_NOTE = 2**20
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
# What file systems without hard links answer: FAT, exFAT, some SMB and FUSE mounts.
_NO_LINKS = {errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}


class Glance(NamedTuple):
    """A small file as it was at one moment: content, and last change in the server's ns."""

    content: bytes
    changed: int


def look(path: Path, largest: int = LARGEST_NOTE) -> Glance | None:
    """Read a small regular file and its time in one opening; None when it is not there.

    Opening first matters on NFS: it asks the server, where a mere stat may be answered from a
    cache as old as a lease.
    """
    try:
        handle = os.open(path, _READ)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as fault:
        if fault.errno == errno.ESTALE:
            return None
        raise
    with os.fdopen(handle, "rb") as stream:
        state = os.fstat(handle)
        if not stat.S_ISREG(state.st_mode):
            raise ValueError("is no regular file")
        content = stream.read(largest + 1)
    if len(content) > largest:
        raise ValueError(f"has more than {largest} bytes")
    return Glance(content, state.st_mtime_ns)


@contextlib.contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """Yield an unused path in the folder of temporaries; what lies there in the end is removed."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / uuid.uuid4().hex
    try:
        yield path
    finally:
        remove(path)


def remove(path: Path) -> None:
    """Remove a file or a tree as far as that is possible."""
    with contextlib.suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()


def write_new(path: Path, content: bytes, *, durable: bool = True) -> None:
    """Write a file that may not exist yet, on the disk itself where it must be durable."""
    with path.open("xb") as stream:
        stream.write(content)
        stream.flush()
        if durable:
            os.fsync(stream.fileno())


def write_whole(target: Path, content: bytes, *, staging: Path, durable: bool = True) -> None:
    """Write or replace a file by one rename.

    Raises:
        OSError: The disk is full or the like; the old file is untouched, no temporary is left.
    """
    with staged(staging) as temporary:
        write_new(temporary, content, durable=durable)
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.replace(target)
    if durable:
        sync_folder(target.parent)


def sync_file(path: Path) -> str:
    """Force a file to the disk and return the SHA-256 of its content."""
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
        # Windows syncs through handles open for writing only; whoever wrote the file flushed it.
        if os.name != "nt":
            os.fsync(stream.fileno())
    return digest


def sync_folder(path: Path) -> None:
    """Force a folder's entries to the disk, where the system can."""
    with contextlib.suppress(PermissionError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        except OSError as fault:
            if fault.errno not in {errno.EINVAL, errno.ENOTSUP}:
                raise
        finally:
            os.close(handle)


def sync_tree(folder: Path) -> dict[str, str]:
    """Force a tree to the disk; return its files, relative POSIX path to SHA-256, sorted.

    Raises:
        ValueError: It holds a link or something else that is no file and no folder.
    """
    digests: dict[str, str] = {}
    for entry in sorted(folder.rglob("*")):
        name = entry.relative_to(folder).as_posix()
        if entry.is_symlink() or not (entry.is_file() or entry.is_dir()):
            raise ValueError(f"{name} is neither a file nor a folder; a run holds nothing else")
        if entry.is_dir():
            sync_folder(entry)
        else:
            digests[name] = sync_file(entry)
    sync_folder(folder)
    return digests


def take_name(temporary: Path, target: Path) -> bool:
    """Give a written file its name unless the name is taken; say whether it has it now.

    By a hard link, so that the name never shows half a file and the answer is sound on NFS;
    where links are not supported by exclusive creation.
    """
    try:
        os.link(temporary, target)
    except FileExistsError:
        return False
    except OSError as fault:
        if fault.errno not in _NO_LINKS:
            raise
        # Read first: the target may be another's, and goes only where its writing was begun here.
        content = temporary.read_bytes()
        try:
            write_new(target, content, durable=False)
        except FileExistsError:
            return False
        except BaseException:
            remove(target)
            raise
    return True


def server_clock(staging: Path) -> int:
    """Return the file server's time in nanoseconds since 1970: the time of a file touched now."""
    with staged(staging) as temporary:
        write_new(temporary, b"", durable=False)
        # Without a time of our own the server takes its own.
        os.utime(temporary)
        seen = look(temporary)
    if seen is None:
        raise FileNotFoundError(errno.ENOENT, "vanished while it was written", str(temporary))
    return seen.changed


def newest_change(path: Path) -> int:
    """Return the latest modification time in a tree, in nanoseconds, links not followed."""
    latest = path.lstat().st_mtime_ns
    if path.is_dir() and not path.is_symlink():
        with os.scandir(path) as entries:
            for entry in entries:
                with contextlib.suppress(FileNotFoundError):
                    latest = max(latest, newest_change(Path(entry.path)))
    return latest
