"""Columns of large event files, kept between runs of the program and mapped into memory.

An entry is what one reading of a log found. It is believed only as far as it can be checked: by
its own checksums, by what the file system says of the log, and by the log's bytes. Of a log that
has grown, what was appended is read; where anything is wrong, all of it. Entries appear by one
rename, so that processes may read and write them at one time. An entry is

magic            8 bytes
length, check    of the description: 8 and 4 bytes, little-endian
description      JSON
padding          up to a multiple of `ALIGNED`
columns          as they lie in memory, each at a multiple of `ALIGNED`
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from struct import Struct, error
from typing import Any

import numpy as np
from google_crc32c import extend
from google_crc32c import value as crc32c
from numpy.typing import NDArray

from reportgen.read.logs.events._event import Content, Points
from reportgen.read.logs.events._file import EventFile, joined, read_event_file, read_more
from reportgen.read.logs.files import CHUNK, SETTLED, State, digest_of, state_of
from reportgen.read.logs.wire import Fault

MAGIC = b"RGcolumn"
VERSION = 6
"""Raised with every change of the format, or of what is read out of event files."""

STAGING = ".new-"
"""How the names of files begin that are not whole yet."""

ALIGNED = 64
_PREFIX = Struct("<8sQI")
_STEPS, _CLOCK = np.dtype("<i8"), np.dtype("<f8")
_VALUES: dict[str, np.dtype[Any]] = {"<f4": np.dtype("<f4"), "<f8": np.dtype("<f8")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What a reading of a log found.

    Attributes:
        state: What the file system said of the log.
        marks: Digest of some of the log's bytes.
        check: Checksum of all of them, up to where the reading ended.
        file: The log after that reading.
    """

    state: tuple[int, ...]
    marks: str
    check: int
    file: EventFile


def write_entry(place: Path, kept: Stored) -> None:
    """Write an entry; where that cannot be, leave things as they are."""
    rows, pieces = _columns(kept.file.points)
    check = 0
    for piece in pieces:
        check = extend(check, piece)
    file = kept.file
    stated = {
        "version": VERSION,
        "state": kept.state,
        "marks": kept.marks,
        "log": kept.check,
        "head": file.head.hex(),
        "size": file.size,
        "end": file.end,
        "content": {one.name: getattr(file.content, one.name) for one in fields(Content)},
        "columns": rows,
        "bytes": sum(memoryview(piece).nbytes for piece in pieces),
        "check": check,
    }
    described = json.dumps(stated).encode()
    prefix = _PREFIX.pack(MAGIC, len(described), crc32c(described))
    padding = bytes(-(len(prefix) + len(described)) % ALIGNED)
    write_whole(place, (prefix, described, padding, *pieces))


def _columns(points: dict[str, Points]) -> tuple[list[list[Any]], list[Any]]:
    """Return where the columns of each tag go, and what is written, in order: buffers.

    Tags that were logged at the same steps share theirs.
    """
    pieces: list[Any] = []
    rows: list[list[Any]] = []
    shared: dict[int, tuple[NDArray[Any], int]] = {}
    size = 0

    def add(column: NDArray[Any]) -> int:
        nonlocal size
        begin, whole = size, np.ascontiguousarray(column)
        pieces.extend((whole, bytes(-whole.nbytes % ALIGNED)))
        size += whole.nbytes + len(pieces[-1])
        return begin

    for tag, one in points.items():
        steps = np.ascontiguousarray(one.steps, dtype=_STEPS)
        look = crc32c(steps)
        known = shared.get(look)
        if known is None or not np.array_equal(known[0], steps):
            known = shared[look] = steps, add(steps)
        clock, values = add(np.asarray(one.wall_times, dtype=_CLOCK)), add(one.values)
        rows.append([tag, len(steps), known[1], clock, values, np.asarray(one.values).dtype.str])
    return rows, pieces


def write_whole(place: Path, pieces: Iterable[Any]) -> None:
    """Write a file by one rename; where that cannot be, leave things as they are."""
    temporary = ""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=STAGING)
        with os.fdopen(handle, "wb") as stream:
            for piece in pieces:
                stream.write(piece)
        Path(temporary).replace(place)
    except OSError:
        with suppress(OSError):
            Path(temporary).unlink()


def read_entry(place: Path) -> Stored | None:
    """Return an entry that is sound, else None."""
    try:
        with place.open("rb") as stream:
            buffer = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        magic, length, checksum = _PREFIX.unpack_from(buffer)
        described = buffer[_PREFIX.size : _PREFIX.size + length]
        if magic != MAGIC or crc32c(described) != checksum:
            return None
        found = json.loads(described)
        if found["version"] != VERSION:
            return None
        begin = -(-(_PREFIX.size + length) // ALIGNED) * ALIGNED
        columns = np.frombuffer(buffer, np.uint8, offset=begin)
        if len(columns) != found["bytes"] or crc32c(columns) != found["check"]:
            return None
        state, file = tuple(found["state"]), _file(found, columns)
        return Stored(state=state, marks=found["marks"], check=int(found["log"]), file=file)
    except (OSError, error, ValueError, KeyError, TypeError, IndexError, ArithmeticError):
        return None


def _file(found: dict[str, Any], columns: NDArray[np.uint8]) -> EventFile:
    content = Content(**found["content"])
    content.skipped = Counter(content.skipped)
    content.unreadable = Counter(content.unreadable)
    content.faults = [Fault(*fault) for fault in content.faults]
    points = {
        tag: Points(
            np.frombuffer(columns, _STEPS, count, steps),
            np.frombuffer(columns, _VALUES[dtype], count, values),
            np.frombuffer(columns, _CLOCK, count, clock),
        )
        for tag, count, steps, clock, values, dtype in found["columns"]
    }
    return EventFile(
        content=content,
        points=points,
        head=bytes.fromhex(found["head"]),
        size=int(found["size"]),
        end=None if found["end"] is None else int(found["end"]),
    )


LEFT_S = 3600.0
"""Seconds after which a file that is not whole yet will never be."""

ROOM = 8 << 30
"""Bytes that all entries together may take; those longest unused go first."""

MARK = 64
"""Bytes of the log that are compared where its times say that nothing has changed: the first, and
those before where the reading ended. Where it has grown, all are."""


class ColumnStore:
    """Reads event files, from their entries in a folder where these are right."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, path: Path) -> EventFile:
        """Return an event file as it is now.

        Raises:
            OSError: There is no such file.
        """
        begun, state = time.time_ns(), state_of(path)
        place = self._place(path, "columns")
        kept = read_entry(place)
        if kept and kept.state == state and _marks(path, kept.file) == kept.marks:
            with suppress(OSError):
                os.utime(place)
            return kept.file
        more = read_more(path, kept.file) if kept and _has_grown(kept, state, path) else None
        file, known = read_event_file(path) if more is None else more, (0, 0)
        if kept and more:
            file = replace(more, points=joined([kept.file.points, more.points]))
            known = kept.file.stop, kept.check
        if file.content.records and not file.problem:
            # A log that is being written, or was just now, cannot be known again by its times.
            settled = state.size == file.size and state.changed < begun - SETTLED
            told: tuple[int, ...] = state if settled else (*state[:2], file.size)
            check = _check(path, file.stop, *known)
            marks = _marks(path, file)
            write_entry(place, Stored(state=told, marks=marks, check=check, file=file))
        return file

    def digest(self, path: Path, size: int) -> str:
        """Return the hex digest of a file's first bytes, from an earlier time where it is right.

        Raises:
            OSError: There is no such file.
        """
        begun, state = time.time_ns(), state_of(path)
        place = self._place(path, "digest")
        with suppress(OSError, ValueError):
            *before, known = json.loads(place.read_bytes())
            if before == [*state] and isinstance(known, str) and state.size == size:
                return known
        found = digest_of(path, size)
        if state.size == size and state.changed < begun - SETTLED:
            write_whole(place, [json.dumps([*state, found]).encode()])
        return found

    def forget_unused(self) -> None:
        """Remove the entries longest unused, where all together take too much room."""
        with suppress(OSError):
            told = [(entry.stat(), Path(entry.path)) for entry in os.scandir(self._folder)]
            for state, path in told:
                # Nobody writes for so long: what is not whole yet was left by a killed process.
                if path.name.startswith(STAGING) and time.time() - state.st_mtime > LEFT_S:
                    path.unlink(missing_ok=True)
            left = sum(state.st_size for state, _ in told) - ROOM
            for state, path in sorted(told, key=lambda one: one[0].st_mtime):
                if left <= 0:
                    break
                left -= state.st_size
                path.unlink()

    def _place(self, path: Path, what: str) -> Path:
        name = hashlib.sha256(os.fsencode(path.absolute())).hexdigest()[:32]
        return self._folder / f"{name}.{what}"


def _has_grown(kept: Stored, state: State, path: Path) -> bool:
    """Tell whether the log is as it was, byte for byte, with more behind it."""
    if kept.state[:2] != state[:2] or kept.file.size >= state.size:
        return False
    # A copy in place, as some programs make it, may change any byte and add others.
    return _check(path, kept.file.stop) == kept.check


def _check(path: Path, end: int, begin: int = 0, check: int = 0) -> int:
    """Return the checksum of a log's bytes up to an end, from that of those up to `begin` on."""
    with path.open("rb", buffering=0) as stream:
        stream.seek(begin)
        while begin < end and (chunk := stream.read(min(CHUNK, end - begin))):
            check = extend(check, chunk)
            begin += len(chunk)
    return check


def _marks(path: Path, file: EventFile) -> str:
    """Return a digest of the log's first bytes, and of those where its reading ended."""
    end = file.stop
    with path.open("rb", buffering=0) as stream:
        first = stream.read(min(MARK, end))
        stream.seek(max(end - MARK, 0))
        last = stream.read(min(MARK, end))
    return hashlib.sha256(first + last).hexdigest()
