"""Objects to files of the cache: by range, a few at a time, whole or not at all."""

from __future__ import annotations

import hashlib
import queue
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from reportgen.read.remote._faults import asking, denied
from reportgen.read.remote.listing import Object, identity_of
from reportgen.read.remote.url import Url
from reportgen.records.errors import ReportgenError
from reportgen.records.source import Problem

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
