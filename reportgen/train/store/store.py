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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from reportgen.records.errors import EvidenceError, OutputError
from reportgen.records.run import PRIVATE, RECORD, Problem, Rerun
from reportgen.train.store.files import (
    LONGEST_REASON,
    Failure,
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
    write_new,
    write_note,
    write_whole,
)
from reportgen.train.store.lease import Holder, Lease, Leases, LostLeaseError

__all__ = ["Contents", "Failure", "Holder", "Lease", "LostLeaseError", "RunStore"]

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
