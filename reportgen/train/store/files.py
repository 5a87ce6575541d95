"""Files of the run store: read within bounds, written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import shutil
import stat
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PureWindowsPath
from typing import Any, NamedTuple, NoReturn

from reportgen.records.errors import UsageError
from reportgen.records.run import PRIVATE, Rerun
from reportgen.records.source import printable

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


# Small files of the run store: names that become paths, notes, and the record of a run.
#
# A record, `run.json`, is what `rerun` says of a run it made; it is read back with suspicion.

LONGEST_PART = 200
"""Bytes; every file system takes 255, and a number is appended to a run that was set aside."""

WINDOWS = os.name == "nt"
_NOT_ON_WINDOWS = re.compile(r'(?i:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z)|.*[<>:"|?*]')
"""Names of devices, with any ending, and characters that no name holds there."""

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+=-]{0,127}\Z")


def check_place(place: str) -> str:
    r"""Return the path of a run below the store, or refuse it.

    Raises:
        UsageError: It is absolute, leaves the store, is the store's own, or has parts that are
            empty, too long or not printable.

    Example:
        >>> check_place("pretrained/seed 1")
        'pretrained/seed 1'
        >>> check_place("../seed1")
        Traceback (most recent call last):
        ...
        reportgen.records.errors.UsageError: a run cannot lie at '../seed1': a part of it is '..'
          remedy: ...
    """
    if fault := place_fault(place):
        raise UsageError(
            f"a run cannot lie at '{_spell(place)}': {fault}",
            remedy="give the group a name that can be a path, like 'pretrained/seed1'",
        )
    return place


def place_fault(place: str) -> str:
    """Return why no run can lie at a path below the store; empty when one can."""
    parts = place.split("/")
    if not place or place.startswith("/") or PureWindowsPath(place).drive:
        return "the path must be relative and not empty"
    if _spell(place) != place or "\\" in place:
        return "it holds control characters, a backslash or letters of no encoding"
    if parts[0].casefold().startswith(PRIVATE):
        return f"names that start with {PRIVATE} are the run store's own"
    for part in parts:
        if part in {"", ".", ".."}:
            return f"a part of it is '{part}'"
        if len(part.encode()) > LONGEST_PART:
            return f"a part of it is longer than {LONGEST_PART} bytes"
        # Windows drops them from the end of a name, and two places would be one.
        if part != part.rstrip(". "):
            return "a part of it ends in a dot or a blank"
        if WINDOWS and _NOT_ON_WINDOWS.match(part):
            return f"Windows takes no file called '{part}'"
    return ""


def _spell(text: str) -> str:
    # Bytes of a file's name that are no text would stop the message on its way out.
    return printable(text).encode(errors="backslashreplace").decode()


def check_name(name: str) -> str:
    """Return a run key or the id of a job, which name one file, or refuse it."""
    if not _NAME.match(name):
        raise UsageError(
            f"'{_spell(name[:200])}' is no key of a run and no id of a job",
            remedy="use up to 128 ASCII letters, digits and _.+=-, a letter or digit first",
        )
    return name


LONGEST_REASON = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """How often a cell failed, why the last time, on which date, and at which update if known."""

    tries: int
    reason: str
    date: str
    step: int | None = None


def write_note(
    path: Path, words: Mapping[str, object], *, staging: Path, durable: bool = True
) -> None:
    """Write or replace a note by one rename."""
    write_whole(path, json.dumps(dict(words)).encode(), staging=staging, durable=durable)


def read_note(path: Path) -> dict[str, Any] | None:
    """Return a note; None when it is absent or damaged, which no note is worth failing for."""
    try:
        seen = look(path)
        words = None if seen is None else json.loads(seen.content)
    except (OSError, ValueError, RecursionError):
        return None
    return words if isinstance(words, dict) else None


def read_failure(path: Path) -> Failure | None:
    """Return a noted failure; None when there is none. A damaged note is a failure too."""
    if not path.exists():
        return None
    words = read_note(path) or {}
    tries, reason, date = words.get("tries"), words.get("reason"), words.get("date")
    step = words.get("step")
    if not (isinstance(tries, int) and isinstance(reason, str) and isinstance(date, str)):
        return Failure(tries=1, reason="the note that says why is damaged", date="")
    return Failure(
        tries=max(tries, 1),
        reason=reason[:LONGEST_REASON],
        date=date,
        step=step if isinstance(step, int) else None,
    )


FORMAT = 1
_HALF_LETTER = re.compile(rb"\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")
_SHA256 = re.compile(r"[0-9a-f]{64}\Z")


class DamagedRecordError(ValueError):
    """What is the matter with a record, without a subject."""


def _are_texts(value: Any, kind: type = dict) -> bool:
    inside = value.values() if isinstance(value, dict) else value
    return isinstance(value, kind) and all(isinstance(one, str) for one in inside)


_IS: Mapping[str, Callable[[Any], object]] = {
    "text": lambda value: isinstance(value, str),
    "whole number": lambda value: type(value) is int,  # bool is a kind of it
    "ISO date": datetime.fromisoformat,
    "mapping of texts": _are_texts,
    "list of texts": lambda value: _are_texts(value, list),
    "length of time": lambda value: type(value) in {int, float} and 0 <= value < 2**53,
    "mapping of digests": lambda v: _are_texts(v) and all(map(_SHA256.match, v.values())),
}
_FIELDS = {
    "key": "text",
    "group": "text",
    "seed": "whole number",
    "device": "text",
    "date": "ISO date",
    "versions": "mapping of texts",
    "engine": "text",
    "settings": "mapping of texts",
    "notes": "list of texts",
    "seconds": "length of time",
    "sha256": "mapping of digests",
}
"""Field of a record to what its value has to be."""


def encode_rerun(rerun: Rerun) -> bytes:
    """Return the content of `run.json`.

    Raises:
        DamagedRecordError: It could not be read back: a field has a value that means nothing.
    """
    words = {"format": FORMAT, **{name: getattr(rerun, name) for name in _FIELDS}}
    content = json.dumps(words, indent=1, ensure_ascii=False, default=dict).encode()
    decode_rerun(content)
    return content + b"\n"


def decode_rerun(content: bytes) -> Rerun:
    """Return what a `run.json` says.

    Raises:
        DamagedRecordError: It is damaged.
    """
    found = _object(content)
    if found.get("format") != FORMAT:
        raise DamagedRecordError(f"has the format {str(found.get('format'))[:40]!r}, not {FORMAT}")
    if unknown := sorted(set(found) - {"format", *_FIELDS}):
        raise DamagedRecordError(f"has an unknown field {unknown[0][:40]!r}")
    for name, kind in _FIELDS.items():
        with contextlib.suppress(KeyError, TypeError, ValueError):
            if _IS[kind](found[name]) and (name != "key" or found[name]):
                continue
        raise DamagedRecordError(f"has a field {name!r} that is missing or no {kind}")
    values = {name: found[name] for name in _FIELDS}
    return Rerun(**values | {"notes": tuple(found["notes"]), "seconds": float(found["seconds"])})


def _object(content: bytes) -> dict[str, Any]:
    try:
        found = json.loads(content, parse_constant=_refuse)
    except (ValueError, RecursionError) as fault:
        raise DamagedRecordError(f"is no JSON: {str(fault)[:200]}") from None
    if _HALF_LETTER.search(content):
        try:
            json.dumps(found, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise DamagedRecordError("holds half a letter, which no file can hold") from None
    if not isinstance(found, dict):
        raise DamagedRecordError("is no JSON object")
    return found


def _refuse(constant: str) -> NoReturn:
    raise DamagedRecordError(f"{constant} is no number")


def lost_log(folder: Path, rerun: Rerun) -> str:
    """Return the first log that a record names and its folder lacks; empty where none is lost.

    Weights may have been removed to make room: what was measured does not need them.
    """
    for name in sorted(rerun.sha256):
        inside = not Path(name).is_absolute() and ".." not in Path(name).parts
        kept_back = name.endswith((".safetensors", "config.json"))
        if inside and not kept_back and not (folder / name).is_file():
            return name
    return ""
