"""Leases: at most one living process has a name, and whoever lost it finds out.

A lease is a file. Its content names the holder, its modification time is the heartbeat. It is
taken by one hard link, and removed under a mark that is another; of each one process alone can
make it. A process that was frozen may hold a lease that is another's by now: nothing on its side
can tell but the file itself, which is why it is looked at before anything is written.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from reportgen.read.store import describe_self, is_plainly_dead
from reportgen.records.run import printable
from reportgen.train.store.files import (
    Glance,
    check_name,
    look,
    remove,
    server_clock,
    staged,
    take_name,
    write_new,
)

LARGEST_LEASE = 4096
LONGEST_HOST = 255
BEATS = 4
"""Heartbeats in the time after which a lease without one is stale."""


class LostLeaseError(RuntimeError):
    """The lease is another process's by now, or gone: write nothing more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who holds a lease; of a damaged file only whether it is alive is known.

    Attributes:
        host: Name of the machine.
        pid: Process number there.
        since: Seconds for which it has been held, by the file server's clock.
        alive: False when the lease is stale and the next one who asks will get it.
    """

    host: str
    pid: int
    since: float
    alive: bool


class Lease:
    """The right to work on some keys, kept by a heartbeat inside a `with` block.

    Attributes:
        keys: Sorted.
        token: What no other lease has.
    """

    __slots__ = ("_content", "_heart", "_leases", "_stop", "keys", "token")

    def __init__(self, leases: Leases, keys: tuple[str, ...], token: str, content: bytes) -> None:
        self.keys, self.token = keys, token
        self._leases, self._content = leases, content
        self._stop = threading.Event()
        self._heart: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._heart = threading.Thread(target=self._beat, name="lease", daemon=True)
        self._heart.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def check(self) -> None:
        """Make sure that every key is still held, and refresh the heartbeat.

        Raises:
            LostLeaseError: One is not, as after a freeze that outlasted the lease.
        """
        for key in self.keys:
            path = self._leases.folder / key
            # Before the look: a taker who judged the old time finds another one. Should the file
            # be somebody else's, one heartbeat too many harms nobody.
            with contextlib.suppress(OSError):
                os.utime(path)
            seen = _look(path)
            if seen is None or seen.content != self._content:
                raise LostLeaseError(f"the lease of {key} is no longer held")

    def release(self) -> None:
        """End the heartbeat and give up every key that is still held."""
        self._stop.set()
        if self._heart is not None:
            self._heart.join()
            self._heart = None
        self._with_each(lambda path, seen: self._leases.discard(path, seen, beaten=True))

    def _beat(self) -> None:
        while not self._stop.wait(self._leases.ttl / BEATS):
            self._with_each(lambda path, _: os.utime(path))

    def _with_each(self, use: Callable[[Path, Glance], object]) -> None:
        """Use each key that is still held; a server out of reach for a moment stops nothing."""
        for key in reversed(self.keys):
            path = self._leases.folder / key
            with contextlib.suppress(OSError):
                seen = _look(path)
                if seen is not None and seen.content == self._content:
                    use(path, seen)


@dataclass(frozen=True, slots=True)
class Leases:
    """A folder of leases, one file a key, with one of temporaries on the same file system."""

    folder: Path
    staging: Path
    ttl: float

    def claim(self, keys: Sequence[str]) -> Lease | None:
        """Take all the keys or none; None when a living process holds one.

        Raises:
            OSError: A lease cannot be written; none is held then.
            UsageError: A key cannot be the name of a file.
        """
        wanted = tuple(sorted({check_name(key) for key in keys}))
        token = uuid.uuid4().hex
        self.folder.mkdir(parents=True, exist_ok=True)
        words = {**describe_self(), "since": server_clock(self.staging), "token": token}
        content = json.dumps(words).encode()
        lease = Lease(self, wanted, token, content)
        held = False
        try:
            # In one order for all, so that of two claims that overlap one gets on.
            held = all(self._claim(key, content) for key in wanted)
        finally:
            if not held:
                lease.release()
        return lease if held else None

    def _claim(self, key: str, content: bytes) -> bool:
        path = self.folder / key
        with staged(self.staging) as temporary:
            write_new(temporary, content, durable=False)
            # A lease may be given up between two looks, or be dead; after that somebody was faster.
            for _ in range(3):
                if take_name(temporary, path):
                    return True
                seen = _look(path)
                if seen is None:
                    continue
                if seen.content == content:
                    # The link was made, and the answer of the server lost and asked for again.
                    return True
                if self._is_alive(seen, server_clock(self.staging)):
                    return False
                if not self.discard(path, seen):
                    return False
        return False

    def holder(self, key: str) -> Holder | None:
        """Return who holds a key; None when nobody does."""
        seen = _look(self.folder / check_name(key))
        if seen is None:
            return None
        try:
            now = server_clock(self.staging)
        except OSError:
            # A store that is read only is looked at by this machine's clock.
            now = time.time_ns()
        words = _words(seen)
        host, pid, since = words.get("host"), words.get("pid"), words.get("since")
        return Holder(
            host=printable(host[:LONGEST_HOST]) if isinstance(host, str) else "",
            pid=pid if isinstance(pid, int) else 0,
            since=(now - since) / 1e9 if isinstance(since, int) and 0 < since < now else 0.0,
            alive=self._is_alive(seen, now),
        )

    def sweep(self, oldest: int) -> int:
        """Remove leases without heartbeat since a time; return how many."""
        count = 0
        with contextlib.suppress(FileNotFoundError):
            for path in sorted(self.folder.iterdir()):
                with contextlib.suppress(OSError):
                    seen = _look(path)
                    if seen is not None and seen.changed < oldest:
                        count += self.discard(path, seen)
        return count

    def discard(self, path: Path, seen: Glance, *, beaten: bool = False) -> bool:
        """Remove a lease if it still is what was seen; say whether the name is free.

        No file system removes a file on condition. Whoever removes this very lease, a taker or
        its holder, therefore makes a mark named after it first; what a look finds after that
        stays until the mark is gone, and of many takers none removes another's new lease.

        Args:
            path: The lease.
            seen: What was judged.
            beaten: A heartbeat since then is of no matter; the holder itself gives up.
        """
        self.staging.mkdir(parents=True, exist_ok=True)
        mark = self.staging / f"{path.name}-{hashlib.sha256(seen.content).hexdigest()[:32]}"
        try:
            if not take_name(path, mark):
                self._forget_mark(mark)
                return False
        except FileNotFoundError:
            return True
        try:
            now = _look(path)
            if now is None:
                return True
            if now != seen and not (beaten and now.content == seen.content):
                return False
            path.unlink()
            return True
        finally:
            remove(mark)

    def _forget_mark(self, mark: Path) -> None:
        """Remove a mark whose maker was killed before it could."""
        with contextlib.suppress(FileNotFoundError):
            # Linking a file is a change of its inode, and so of this time.
            if server_clock(self.staging) - mark.stat().st_ctime_ns > self.ttl * 1e9:
                remove(mark)

    def _is_alive(self, seen: Glance, now: int) -> bool:
        return now - seen.changed <= self.ttl * 1e9 and not is_plainly_dead(_words(seen))


def _look(path: Path) -> Glance | None:
    try:
        return look(path, LARGEST_LEASE)
    except ValueError:
        # Not written by this package; as a lease that nobody refreshes it goes with time.
        return Glance(b"", path.lstat().st_mtime_ns)


def _words(seen: Glance) -> dict[str, Any]:
    try:
        words = json.loads(seen.content)
    except (ValueError, RecursionError):
        return {}
    return words if isinstance(words, dict) else {}
