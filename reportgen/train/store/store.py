"""The run store: what was trained, what is being trained, and what failed, all in one folder.

Nothing but the files here is believed: a finished run's folder appears by one rename, so that it
exists exactly when it is complete, and of two that train the same cell the first one's rename
wins. Every call may be the last of a process that is killed; what it leaves is litter, no harm.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

from reportgen.read.store import describe_self, is_plainly_dead
from reportgen.records.errors import EvidenceError, OutputError
from reportgen.records.run import PRIVATE, RECORD, Problem, Rerun
from reportgen.records.source import printable
from reportgen.train.store.files import (
    LONGEST_REASON,
    Failure,
    Glance,
    check_name,
    check_place,
    decode_rerun,
    encode_rerun,
    look,
    lost_log,
    newest_change,
    place_fault,
    read_failure,
    read_note,
    remove,
    server_clock,
    staged,
    sync_file,
    sync_folder,
    sync_tree,
    take_name,
    write_new,
    write_note,
    write_whole,
)

__all__ = ["Contents", "Failure", "Holder", "Lease", "LostLeaseError", "RunStore"]


# Leases: at most one living process has a name, and whoever lost it finds out.
#
# A lease is a file. Its content names the holder, its modification time is the heartbeat. It is
# taken by one hard link, and removed under a mark that is another; of each one process alone can
# make it. A process that was frozen may hold a lease that is another's by now: nothing on its side
# can tell but the file itself, which is why it is looked at before anything is written.

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


KEPT_CHECKPOINTS = 2
LITTER_AGE = 10
"""Litter is removed when nobody touched it for so many times the age of a stale lease."""

_CHECKPOINT = re.compile(r"checkpoint-[0-9]{1,15}\Z")
_OCCUPIED = {errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR}


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """Every finished run of a store, (place, record) by place, and the damaged records."""

    runs: tuple[tuple[str, Rerun], ...]
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class RunStore:
    """The folder that holds everything `rerun` makes; made when something is written to it.

    Attributes:
        root: The folder.
        ttl: Seconds until a lease without heartbeat is stale; the same for all who share it.
    """

    root: Path
    ttl: float = 60.0

    # Finished runs

    def done(self, place: str) -> bool:
        """Say whether the run of a place is finished."""
        return (self.root / check_place(place) / RECORD).is_file()

    def read(self, place: str) -> Rerun | None:
        """Return what a finished run's `run.json` says; None when it is absent or damaged."""
        check_place(place)
        with contextlib.suppress(ValueError):
            return self._read(place)
        return None

    def holds(self, place: str, key: str) -> bool:
        """Say whether the run of a place is finished, and of this very key."""
        there = self.read(place)
        return there is not None and there.key == key

    def published(self) -> tuple[tuple[str, Rerun], ...]:
        """Return (place, its `run.json`) of every finished run, sorted by place."""
        return self.read_all().runs

    def read_all(self) -> Contents:
        """Return every finished run, and what is wrong with those that cannot be read."""
        runs: list[tuple[str, Rerun]] = []
        problems: list[Problem] = []
        for place in sorted(self._places()):
            try:
                if (rerun := self._read(place)) is not None:
                    runs.append((place, rerun))
            except ValueError as fault:
                path, message = f"{place}/{RECORD}", f"the record of a run {fault}"
                remedy = "remove the folder to train the run again"
                problems.append(Problem(path=path, message=message, remedy=remedy, level="warning"))
        return Contents(runs=tuple(runs), problems=tuple(problems))

    def _read(self, place: str) -> Rerun | None:
        if fault := place_fault(place):
            raise ValueError(f"lies where no run can lie: {fault}")
        try:
            seen = look(self.root / place / RECORD)
        except OSError as error:
            raise ValueError(f"cannot be read: {error.strerror or error}") from None
        if seen is None:
            return None
        rerun = decode_rerun(seen.content)
        if gone := lost_log(self.root / place, rerun):
            raise ValueError(f"names {gone}, which is not there any more")
        return rerun

    def _places(self) -> list[str]:
        places = []
        for folder, below, files in os.walk(self.root):
            path = Path(folder)
            if path == self.root:
                below[:] = [name for name in below if not name.startswith(PRIVATE)]
            elif RECORD in files:
                below.clear()
                places.append(path.relative_to(self.root).as_posix())
        return places

    def publish(
        self, place: str, rerun: Rerun, write: Callable[[Path], None], lease: Lease
    ) -> bool:
        """Make a finished run appear, whole or not at all.

        Args:
            place: Where, below the store.
            rerun: What its `run.json` shall say; the files' digests are filled in here.
            write: Fills an empty folder with the run's files.
            lease: Of the run's key.

        Returns:
            False when somebody else's run was there first; this one is dropped then.

        Raises:
            LostLeaseError: The lease is another's by now.
            OSError: The disk is full or the like; nothing is visible, no temporary is left.
            OutputError: The place is taken by something that is no finished run.
            ValueError: The lease is not of the run's key, or the record cannot be read back.
        """
        if rerun.key not in lease.keys:
            raise ValueError(f"the lease is of {', '.join(lease.keys)}, not of {rerun.key}")
        if self.done(place):
            return False
        self._check_above(place)
        lease.check()
        target = self.root / place
        with _fenced(lease), staged(self._staging) as temporary:
            temporary.mkdir()
            write(temporary)
            digests = sync_tree(temporary)
            digests.pop(RECORD, None)
            write_whole(
                temporary / RECORD,
                encode_rerun(replace(rerun, sha256=digests)),
                staging=self._staging,
            )
            lease.check()
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                temporary.rename(target)
            except OSError as fault:
                if self.done(place):
                    return False
                if fault.errno not in _OCCUPIED:
                    raise
                raise OutputError(
                    f"{target} is there already and is no finished run",
                    remedy="move it away and start again; the last checkpoint is kept",
                ) from None
        for above in Path(place).parents:
            sync_folder(self.root / above)
        return True

    def _check_above(self, place: str) -> None:
        for above in Path(place).parents:
            if above.name and self.done(above.as_posix()):
                raise OutputError(
                    f"{self.root / place} would lie inside the finished run {above.as_posix()}",
                    remedy="give one of the two groups another name",
                )

    def set_aside(self, place: str) -> Path | None:
        """Move a finished run out of sight, for another to take its place.

        Returns:
            Where it lies now, below `.reportgen/replaced`; None when there was none.
        """
        if not self.done(place):
            return None
        number = 1
        while True:
            target = self._private / "replaced" / f"{place}-{number}"
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                return (self.root / place).rename(target)
            except FileNotFoundError:
                return None
            except OSError as fault:
                if fault.errno not in _OCCUPIED:
                    raise
            number += 1

    # Leases

    def claim(self, keys: Sequence[str]) -> Lease | None:
        """Take the leases of all the keys or none; None when a living process holds one.

        Whether a run is finished must be asked after this: its last holder may just have
        published it.

        Raises:
            OSError: A lease cannot be written.
        """
        return self._leases.claim(keys)

    def holder(self, key: str) -> Holder | None:
        """Return who holds the lease of a key, alive or stale; None when nobody does."""
        return self._leases.holder(key)

    # Work in progress

    def work(self, job_id: str) -> Path:
        """Return the working folder of a job, made if it is not there."""
        folder = self._work(job_id)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def checkpoints(self, job_id: str) -> tuple[Path, ...]:
        """Return the checkpoints of a job, newest (highest step) first."""
        entries = self._work(job_id).glob("checkpoint-*")
        found = [path for path in entries if _CHECKPOINT.match(path.name) and path.is_file()]
        return tuple(sorted(found, key=_step, reverse=True))

    def keep_checkpoint(
        self, job_id: str, step: int, content: bytes | Callable[[Path], None], lease: Lease
    ) -> Path:
        """Keep one file to go on from, and of the older ones the newest.

        A checkpoint of a higher step belongs to an attempt that could not be gone on with, and
        is dropped. The content is bytes, or a function that writes one file to a path.

        Raises:
            LostLeaseError: The lease is another's by now; no older checkpoint is dropped.
            OSError: The disk is full or the like; nothing is changed.
        """
        lease.check()
        target = self.work(job_id) / f"checkpoint-{step:09d}"
        with _fenced(lease), staged(self._staging) as temporary:
            if callable(content):
                content(temporary)
                sync_file(temporary)
            else:
                write_new(temporary, content)
            lease.check()
            temporary.replace(target)
            sync_folder(target.parent)
        # A process that slept since the last look must not drop what the next holder keeps.
        lease.check()
        kept = self.checkpoints(job_id)
        older = [path for path in kept if _step(path) <= step]
        for path in kept:
            if path not in older[:KEPT_CHECKPOINTS]:
                remove(path)
        return target

    def forget_work(self, job_id: str) -> None:
        """Remove a job's working folder; nobody sees half of it."""
        with staged(self._staging) as away, contextlib.suppress(FileNotFoundError):
            self._work(job_id).rename(away)

    def write_progress(self, job_id: str, data: Mapping[str, object]) -> None:
        """Say how far a job is; cheap, and lost with the power."""
        target = self._work(job_id) / "progress.json"
        write_note(target, data, staging=self._staging, durable=False)

    def read_progress(self, job_id: str) -> Mapping[str, Any] | None:
        """Return what was last said of a job; None when nothing readable was."""
        return read_note(self._work(job_id) / "progress.json")

    # Notes on keys

    def note_failure(self, key: str, reason: str, *, step: int | None = None) -> None:
        """Count one more failed attempt of a cell."""
        earlier = read_failure(path := self._note("failed", key))
        words = {
            "tries": (earlier.tries if earlier else 0) + 1,
            "reason": reason[:LONGEST_REASON],
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "step": step,
        }
        write_note(path, words, staging=self._staging)

    def failures(self) -> Mapping[str, Failure]:
        """Return the cells that failed, key to failure."""
        notes = sorted((self._private / "failed").glob("*.json"))
        found = {path.stem: read_failure(path) for path in notes}
        return {key: failure for key, failure in found.items() if failure is not None}

    def clear_failure(self, key: str) -> None:
        """Forget that a cell failed."""
        self._note("failed", key).unlink(missing_ok=True)

    def note_canary(self, key: str, data: Mapping[str, object]) -> None:
        """Keep what repeating a finished cell gave."""
        write_note(self._note("canary", key), data, staging=self._staging)

    def canary(self, key: str) -> Mapping[str, Any] | None:
        """Return what repeating a finished cell gave; None when nothing readable is kept."""
        return read_note(self._note("canary", key))

    # Litter

    def sweep(self) -> int:
        """Remove what killed processes left, ten times as old as a stale lease; say how many."""
        if not self._private.is_dir():
            return 0
        oldest = server_clock(self._staging) - int(LITTER_AGE * self.ttl * 1e9)
        count = self._leases.sweep(oldest)
        for entry in sorted(self._staging.iterdir()):
            with contextlib.suppress(OSError):
                if newest_change(entry) < oldest:
                    remove(entry)
                    count += 1
        return count

    @property
    def _private(self) -> Path:
        return self.root / PRIVATE

    @property
    def _staging(self) -> Path:
        return self._private / "temp"

    @property
    def _leases(self) -> Leases:
        return Leases(self._private / "lease", self._staging, self.ttl)

    def _work(self, job_id: str) -> Path:
        return self._private / "work" / check_name(job_id)

    def _note(self, kind: str, key: str) -> Path:
        return self._private / kind / f"{check_name(key)}.json"


@contextlib.contextmanager
def _fenced(lease: Lease) -> Iterator[None]:
    """Report a fault as the loss of the lease where that is its cause.

    Under a process that slept too long the next holder removes the working folder, and a sweep
    the temporaries.
    """
    try:
        yield
    except OSError:
        lease.check()
        raise


def _step(checkpoint: Path) -> int:
    return int(checkpoint.name.partition("-")[2])


# Digests: of everything that decides a run's numbers, and of the files among that.

SCHEMA = 2
"""Raised when the training code changes in a way that changes numbers: all runs are stale then."""

KEY_DIGITS = 20

# What `from_pretrained` and tokenizers read; notes, logs and what a trainer needs to go on with
# may come and go without changing a single weight.
_LOADED = frozenset(
    {
        *(".bin", ".pt", ".pth", ".safetensors", ".json", ".jinja"),
        *(".bpe", ".codes", ".model", ".spm", ".tiktoken", ".txt", ".vocab"),
    }
)
_NOTES = frozenset({"licence", "license", "notes", "notice", "readme", "requirements"})
_LEFT_BY_TRAINERS = frozenset(
    {
        *("all_results.json", "eval_results.json", "predict_results.json", "test_results.json"),
        *("train_results.json", "trainer_state.json", "training_args.bin", "scaler.pt"),
        *("optimizer.bin", "optimizer.pt", "scheduler.bin", "scheduler.pt"),
    }
)


def run_key(settings: Mapping[str, str]) -> str:
    """Return the digest of everything that decides a run's numbers.

    The settings are spelled out, name to value, in any order.

    Returns:
        20 hexadecimal digits of a SHA-256 over canonical JSON with the schema's version.

    Raises:
        TypeError: A name or value is not text: 1, 1.0 and "1" would be three runs or one.

    Example:
        >>> run_key({"seed": "1", "epochs": "5"}) == run_key({"epochs": "5", "seed": "1"})
        True
        >>> len(run_key({}))
        20
    """
    for text in (*settings, *settings.values()):
        if not isinstance(text, str):
            raise TypeError(f"a setting's name and value must be text, not {text!r}")
    canonical = json.dumps(
        {"schema": SCHEMA, "settings": dict(settings)}, sort_keys=True, separators=(",", ":")
    )
    return hashlib.sha256(canonical.encode()).hexdigest()[:KEY_DIGITS]


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, or of the files of a folder that a model is loaded from.

    A folder counts with the sorted names and digests of its own files that can hold a
    configuration, weights or a vocabulary; subfolders, hidden files, notes and the state of a
    trainer do not count. Read once a process as long as size, time and inode stay.

    Returns:
        64 hexadecimal digits.

    Raises:
        EvidenceError: It is missing or unreadable, or nothing in the folder can be loaded.
    """
    try:
        if not path.is_dir():
            return _digest(path)
        named = [(entry.name, _digest(entry)) for entry in sorted(path.iterdir()) if _counts(entry)]
    except OSError as fault:
        raise EvidenceError(
            f"{fault.filename or path} cannot be read: {fault.strerror or fault}",
            remedy="check the path in the study file and its permissions",
        ) from None
    if not named:
        raise EvidenceError(
            f"{path} holds no configuration, weights or vocabulary",
            remedy="name the folder that config.json lies in",
        )
    return hashlib.sha256(json.dumps(named).encode()).hexdigest()


def _counts(entry: Path) -> bool:
    if entry.name.startswith((".", "rng_state")) or entry.name in _LEFT_BY_TRAINERS:
        return False
    if entry.stem.lower() in _NOTES:
        return False
    return entry.suffix.lower() in _LOADED and entry.is_file()


def _digest(path: Path) -> str:
    state = path.stat()
    times = (state.st_mtime_ns, state.st_ctime_ns)
    return _read_digest(os.path.realpath(path), state.st_size, state.st_ino, times)


@lru_cache(maxsize=4096)
def _read_digest(path: str, size: int, inode: int, times: tuple[int, int]) -> str:
    del size, inode, times  # they are there for the cache to tell a changed file
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
