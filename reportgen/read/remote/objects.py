"""Objects below a URL: known by one listing, and copied to files of the cache."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import os
import queue
import re
import shutil
import threading
import unicodedata
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from reportgen.read.remote.url import Url, asking, denied, nothing_at
from reportgen.records.errors import EvidenceError, ReportgenError
from reportgen.records.source import Problem, printable

# What lies under a URL, by one listing, and which of it may become a file here.

LISTED_LIMIT = 200_000
"""More objects than this are a bucket, not somebody's runs."""

BYTES_LIMIT = 50 << 30
"""Most bytes that are kept of one URL."""

PART_LIMIT = 255
NAME_LIMIT = 1024
"""Bytes of a name of one folder or file, and of all of them together."""

UNREAD = -1

LimitOf = Callable[[str], int | None]
"""Name to the most bytes to fetch of it: 0 makes an empty file, None nothing; of `UNREAD` ones,
which are too large for their use, it is said that they were left where they are."""

_TAGS = ("ETag", "etag", "generation", "md5Hash")
_TIMES = ("LastModified", "last_modified", "updated", "mtime", "modified", "created")
# Neither can stand in a file name of Windows.
_NOT_ON_WINDOWS = re.compile(r'[<>:"|?*]|[ .]$')
_REMEDY = "rename the object, or copy it to this machine under another name"


@dataclass(frozen=True, slots=True, kw_only=True)
class Object:
    """One object to fetch.

    Attributes:
        name: POSIX path below the URL, as it will be reported.
        key: What the store calls it.
        size: Bytes.
        identity: What changes when the content does; where the store tells nothing, ever new.
        md5: Hex digest of the content, empty where the store tells none. (Some stores have a
            digest of something else where others have this one.)
    """

    name: str
    key: str
    size: int
    identity: str
    md5: str = ""

    @property
    def digest(self) -> str:
        """Name of the fetched content in the cache."""
        parts = "\0".join((self.name, self.identity, str(self.size)))
        return hashlib.sha256(parts.encode()).hexdigest()[:32]


@dataclass(slots=True, kw_only=True)
class Listing:
    """What is to be fetched: objects, sorted into those, and others that are named or refused.

    Attributes:
        limit_of: Which objects are wanted.
        look: Key to what the store says of that object alone: pages of links list no sizes.
        single: The URL is that of one object.
        objects: In order of name.
        names: Names whose content is of no use.
        unread: Name and size of weights, which are not fetched.
        problems: Objects that were refused, and why.
        spelled: Folders and files met, by the name that tells no case.
    """

    limit_of: LimitOf
    look: Callable[[str], Mapping[str, Any]]
    single: bool
    objects: list[Object] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    unread: list[tuple[str, int]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    spelled: dict[str, tuple[str, bool]] = field(default_factory=dict)

    def take(self, name: str, key: str, info: Mapping[str, Any]) -> None:
        """Sort one object in."""
        limit = self.limit_of(name)
        if limit is None:
            return
        reason = ""
        if limit > 0 and info.get("size") is None:
            try:
                info = self.look(key)
            except EvidenceError as fault:
                reason = fault.message
        told = info.get("size")
        size = told if isinstance(told, int) else 0
        if limit == UNREAD:
            self.unread.append((printable(name), size))
            return
        reason = _name_fault(name) or self._clash(name) or reason
        if not reason and limit and told != size:
            reason = "the store does not tell its size"
        if not reason and limit and size > limit:
            reason = f"{size} bytes; at most {limit} are fetched of a file of its kind"
        if reason:
            shown = printable(name.encode("utf-8", "backslashreplace").decode())[:NAME_LIMIT]
            self.problems.append(
                Problem(path=shown, message=f"not fetched: {reason}", remedy=_REMEDY)
            )
        elif limit:
            # What nothing tells from another content is fetched each time.
            identity = identity_of(info) or f"untold {uuid.uuid4()}"
            self.objects.append(
                Object(name=name, key=key, size=size, identity=identity, md5=_told_md5(info))
            )
        else:
            self.names.append(name)

    def _clash(self, name: str) -> str:
        """Return with what a name would fall together on some machine."""
        parts = name.split("/")
        for count in range(1, len(parts) + 1):
            path, is_file = "/".join(parts[:count]), count == len(parts)
            folded = unicodedata.normalize("NFC", path).casefold()
            other, other_is_file = self.spelled.setdefault(folded, (path, is_file))
            if other != path:
                return f"its name differs only in the case of letters from {printable(other)}"
            if other_is_file != is_file:
                return f"{printable(other)} is the name of a file and of a folder"
        return ""


def list_objects(store: Any, path: str, url: Url, limit_of: LimitOf) -> Listing:
    """List everything under a URL, once.

    Args:
        store: The file system of fsspec.
        path: What it calls the URL.
        url: The URL.
        limit_of: Which objects are wanted.

    Raises:
        EvidenceError: There is nothing, too much, or no way to list it.
    """
    with asking(url):
        found = store.find(path, detail=True)
    infos = {
        key: info
        for key, info in found.items()
        # Some list `lab-old/log.csv` under `lab` too.
        if info.get("type") == "file" and (key == path or key.startswith(f"{path}/"))
    }
    if not infos:
        raise nothing_at(str(url))
    if len(infos) > LISTED_LIMIT:
        raise EvidenceError(
            f"more than {LISTED_LIMIT} objects under {url}",
            remedy="name the folder that holds the runs",
        )
    single = set(infos) == {path}

    def look(key: str) -> Mapping[str, Any]:
        with asking(url, key[len(path) :].removeprefix("/")):
            info: Mapping[str, Any] = store.info(key)
            return info

    listing = Listing(limit_of=limit_of, look=look, single=single)
    for key in sorted(infos):
        name = url.name if single else key[len(path) :].removeprefix("/")
        if not name.endswith("/"):  # what consoles put where a folder shall be seen
            listing.take(name, key, infos[key])
    kept = sum(one.size for one in listing.objects)
    if kept > BYTES_LIMIT:
        raise EvidenceError(
            f"{kept} bytes of logs under {url}; at most {BYTES_LIMIT} are fetched",
            remedy="name a smaller folder, or copy it to this machine and name the copy",
        )
    listing.problems += _left_there(listing.unread)
    return listing


def _left_there(unread: list[tuple[str, int]]) -> Iterator[Problem]:
    """Say once which large files were not fetched."""
    if unread:
        (name, size), others = unread[0], unread[1:]
        more = f", nor are {len(others)} more ({sum(s for _, s in others)} bytes)" if others else ""
        yield Problem(
            path=name,
            message=f"weights are not fetched from an object store ({size} bytes){more}",
            remedy="name a copy with --checkpoint, or put beside it as tensors.json what "
            "`reportgen inspect FILE --json` prints",
            level="note",
        )


def _name_fault(name: str) -> str:
    """Return why a name can be no path below a folder; empty where it can."""
    parts = name.split("/")
    try:
        longest, length = max(len(part.encode()) for part in parts), len(name.encode())
    except UnicodeEncodeError:
        return "its name is no text"
    if any(part in {"", ".", ".."} for part in parts):
        return "its name leads out of the folder, or is no path"
    if "\\" in name or "\0" in name:
        return "its name holds a character that no path has"
    if longest > PART_LIMIT or length > NAME_LIMIT:
        return f"its name is longer than {PART_LIMIT} bytes a folder, or {NAME_LIMIT} in all"
    if os.name == "nt" and any(_NOT_ON_WINDOWS.search(part) for part in parts):
        return "its name holds a character that no path has here"
    return ""


def identity_of(info: Mapping[str, Any]) -> str:
    """Return what tells this content of an object from others, as far as the store says.

    Example:
        >>> identity_of({"ETag": '"9b2c"', "LastModified": "today"})
        '[["ETag", "9b2c"]]'
        >>> identity_of({"size": 3})
        ''
    """
    told = list(_told(info, _TAGS)) or list(_told(info, _TIMES))
    return json.dumps(told) if told else ""


def _told(info: Mapping[str, Any], keys: Iterable[str]) -> Iterator[tuple[str, str]]:
    for key in keys:
        value = info.get(key)
        if value:
            moment = value.timestamp() if isinstance(value, datetime) else value
            yield key, str(moment).strip('"')


def _told_md5(info: Mapping[str, Any]) -> str:
    tag = str(info.get("ETag", "")).strip('"').lower()
    if re.fullmatch("[0-9a-f]{32}", tag):
        return tag
    try:
        return base64.b64decode(str(info.get("md5Hash", "")), validate=True).hex()
    except (binascii.Error, ValueError):
        return ""


# Objects to files of the cache: by range, a few at a time, whole or not at all.

BLOCK = 4 << 20
"""Bytes asked for at a time."""

LANES = 8
"""Requests under way at one time; with `BLOCK`, what bounds the memory."""

MARK = 64
"""Bytes at the begin and before the old end by which a file that grew is known again."""


class _RefusedError(ReportgenError):
    """One object could not be fetched; the others can."""


class _DeniedError(_RefusedError):
    """One object may not be read."""


class _StoppedError(Exception):
    """Nobody waits for this object any more."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """What an earlier call fetched of an object.

    Attributes:
        path: The content.
        md5: What the store said its digest is, as in `Object`.
    """

    path: Path
    md5: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetcher:
    """Fetches the objects of one URL.

    Attributes:
        store: The file system of fsspec.
        url: What the objects lie under.
        folder: Where contents are kept, each under its digest.
        staging: Where they are while they are fetched, on the same disk; nobody else's.
        before: Name to what an earlier call fetched.
    """

    store: Any
    url: Url
    folder: Path
    staging: Path
    before: Mapping[str, Earlier] = field(default_factory=dict)

    def fetch(self, objects: Sequence[Object], done: Callable[[int], None]) -> list[Problem]:
        """Fetch objects, `LANES` at a time.

        The threads are not waited for when an exception passes, like an interrupt: what one of
        them still writes is in `staging`, which its owner removes.

        Args:
            objects: What to fetch.
            done: Called with how many have been.

        Returns:
            Why single objects could not be fetched, in order of name.

        Raises:
            EvidenceError: The store cannot be reached, or gives nothing to anybody.
            OSError: The disk takes no more.
        """
        todo: queue.SimpleQueue[Object] = queue.SimpleQueue()
        told: queue.SimpleQueue[tuple[Object, Exception | None]] = queue.SimpleQueue()
        for one in objects:
            todo.put(one)
        stop = threading.Event()

        def work() -> None:
            while not stop.is_set() and not todo.empty():
                with suppress(queue.Empty):
                    told.put(self._fetched(todo.get_nowait(), stop))

        for _ in range(min(LANES, len(objects))):
            threading.Thread(target=work, daemon=True).start()
        try:
            return self._gather(told, len(objects), done)
        finally:
            stop.set()

    def _gather(
        self,
        told: queue.SimpleQueue[tuple[Object, Exception | None]],
        total: int,
        done: Callable[[int], None],
    ) -> list[Problem]:
        refused: dict[str, _RefusedError] = {}
        for number in range(1, total + 1):
            one, fault = told.get()
            if isinstance(fault, _RefusedError):
                refused[one.name] = fault
            elif fault is not None:
                raise fault
            done(number)
        if total and sum(isinstance(fault, _DeniedError) for fault in refused.values()) == total:
            raise denied(self.url)
        remedy = "look at it in the store, and start again"
        return [
            Problem(path=name, message=f"not fetched: {refused[name].message}", remedy=remedy)
            for name in sorted(refused)
        ]

    def _fetched(self, one: Object, stop: threading.Event) -> tuple[Object, Exception | None]:
        """Fetch an object, and return what kept it from that: it is raised where somebody waits."""
        try:
            self._fetch_one(one, stop)
        except Exception as fault:  # noqa: BLE001 - each library has errors of its own
            return one, fault
        return one, None

    def _fetch_one(self, one: Object, stop: threading.Event) -> None:
        staged = self.staging / one.digest
        old = self.before.get(one.name)
        grown = old is not None and self._extend(staged, old.path, one, stop)
        if not grown:
            self._copy(staged, one, stop)
        if one.md5 and _md5_of(staged) != one.md5:
            # Under some keys of encryption it is no digest of the content, and was none before.
            if grown and old is not None and _md5_of(old.path) == old.md5:
                self._copy(staged, one, stop)
            if _md5_of(staged) != one.md5:
                self._check_unchanged(one)
        elif not one.md5 and one.size > BLOCK:
            self._check_unchanged(one)
        staged.replace(self.folder / one.digest)

    def _copy(self, staged: Path, one: Object, stop: threading.Event) -> None:
        with staged.open("wb") as file:
            self._append(file, one, 0, stop)

    def _append(self, file: BinaryIO, one: Object, start: int, stop: threading.Event) -> None:
        for begin in range(start, one.size, BLOCK):
            if stop.is_set():
                raise _StoppedError
            file.write(self._read(one, begin, min(begin + BLOCK, one.size)))

    def _extend(self, staged: Path, old: Path, one: Object, stop: threading.Event) -> bool:
        """Fetch what an object grew by; False where it is not the old one made longer."""
        try:
            size = old.stat().st_size
            with old.open("rb") as earlier:
                head = earlier.read(MARK)
                mark = max(0, size - MARK)
                earlier.seek(mark)
                tail = earlier.read()
        except OSError:
            return False
        if not 0 < size < one.size or self._read(one, 0, len(head)) != head:
            return False
        first = self._read(one, mark, min(mark + BLOCK, one.size))
        if not first.startswith(tail):
            return False
        shutil.copyfile(old, staged)
        with staged.open("ab") as file:
            file.write(first[len(tail) :])
            self._append(file, one, mark + len(first), stop)
        return True

    def _read(self, one: Object, begin: int, end: int) -> bytes:
        content: bytes = self._ask(one, lambda: self.store.cat_file(one.key, start=begin, end=end))
        if len(content) != end - begin:
            raise _RefusedError(f"it ended at byte {begin + len(content)} of {one.size}")
        return content

    def _check_unchanged(self, one: Object) -> None:
        now = identity_of(self._ask(one, lambda: self.store.info(one.key)))
        if now and now != one.identity:
            raise _RefusedError("it changed while it was fetched")

    def _ask(self, one: Object, call: Callable[[], Any]) -> Any:
        with asking(self.url, one.name):
            try:
                return call()
            except FileNotFoundError:
                raise _RefusedError("it is not there any more") from None
            except PermissionError:
                raise _DeniedError("access was denied") from None


def _md5_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
