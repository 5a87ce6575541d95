"""One part of an entry of the column store: written whole, believed as far as it can be checked.

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
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from struct import Struct, error
from typing import Any

import numpy as np
from google_crc32c import extend
from google_crc32c import value as crc32c
from numpy.typing import NDArray

from reportgen.read.logs._content import Content
from reportgen.read.logs._event_file import EventFile
from reportgen.read.logs._faults import Fault
from reportgen.records.run import Series

MAGIC = b"RGcolumn"
VERSION = 4
"""Raised with every change of the format, or of what is read out of event files."""

STAGING = ".new-"
"""How the names of files begin that are not whole yet."""

ALIGNED = 64
_PREFIX = Struct("<8sQI")
_STEPS, _CLOCK = np.dtype("<i8"), np.dtype("<f8")
_VALUES: dict[str, np.dtype[Any]] = {"<f4": np.dtype("<f4"), "<f8": np.dtype("<f8")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one reading of a log brought.

    Attributes:
        state: What the file system said of the log.
        marks: Digest of some of the log's bytes.
        check: Checksum of all of them, up to where the reading ended.
        file: The log after that reading; of its points, those that the reading brought.
        before: Identity of the part before; empty for the first.
        identity: Digest of the description; empty until it has been written.
    """

    state: tuple[int, ...]
    marks: str
    check: int
    file: EventFile
    before: str = ""
    identity: str = ""


def write_part(place: Path, part: Part) -> None:
    """Write a part; where that cannot be, leave things as they are."""
    columns = _Columns(part.file.series)
    described = json.dumps(_describe(part, columns)).encode()
    prefix = _PREFIX.pack(MAGIC, len(described), crc32c(described))
    padding = bytes(-(len(prefix) + len(described)) % ALIGNED)
    write_whole(place, chain((prefix, described, padding), columns.pieces()))


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


def read_part(place: Path, before: str) -> Part | None:
    """Return a part that is sound and follows on `before`, else None."""
    try:
        with place.open("rb") as stream:
            buffer = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        magic, length, checksum = _PREFIX.unpack_from(buffer)
        described = buffer[_PREFIX.size : _PREFIX.size + length]
        if magic != MAGIC or crc32c(described) != checksum:
            return None
        found = json.loads(described)
        if (found["version"], found["before"]) != (VERSION, before):
            return None
        begin = -(-(_PREFIX.size + length) // ALIGNED) * ALIGNED
        columns = np.frombuffer(buffer, np.uint8, offset=begin)
        if len(columns) != found["bytes"] or crc32c(columns) != found["check"]:
            return None
        return Part(
            state=tuple(found["state"]),
            marks=found["marks"],
            check=int(found["log"]),
            file=_file(found, columns),
            before=before,
            identity=hashlib.sha256(described).hexdigest(),
        )
    except (OSError, error, ValueError, KeyError, TypeError, IndexError, ArithmeticError):
        return None


class _Columns:
    """Where each column goes; tags that were logged at the same steps share theirs."""

    def __init__(self, series: dict[str, Series]) -> None:
        self._columns: list[NDArray[Any]] = []
        self._shared: dict[int, tuple[NDArray[Any], int]] = {}
        self.size = 0
        self.rows = [
            [
                tag,
                len(one),
                self._add_once(np.asarray(one.steps, dtype=_STEPS)),
                self._add(np.asarray(one.wall_times, dtype=_CLOCK)),
                self._add(one.values),
                np.asarray(one.values).dtype.str,
                one.replaced,
                one.again,
            ]
            for tag, one in series.items()
        ]

    def pieces(self) -> Iterator[Any]:
        """Yield what is written, in order: buffers."""
        for column in self._columns:
            yield column
            yield bytes(-column.nbytes % ALIGNED)

    def check(self) -> int:
        """Return the checksum of what is written."""
        found = 0
        for piece in self.pieces():
            found = extend(found, piece)
        return found

    def _add_once(self, column: NDArray[Any]) -> int:
        look = crc32c(np.ascontiguousarray(column))
        known = self._shared.get(look)
        if known is not None and np.array_equal(known[0], column):
            return known[1]
        begin = self._add(column)
        self._shared[look] = (column, begin)
        return begin

    def _add(self, column: NDArray[Any]) -> int:
        begin = self.size
        self._columns.append(np.ascontiguousarray(column))
        self.size += -(-column.nbytes // ALIGNED) * ALIGNED
        return begin


def _describe(part: Part, columns: _Columns) -> dict[str, Any]:
    file, content = part.file, part.file.content
    return {
        "version": VERSION,
        "before": part.before,
        "state": part.state,
        "marks": part.marks,
        "log": part.check,
        "head": file.head.hex(),
        "size": file.size,
        "end": file.end,
        "records": content.records,
        "texts": content.texts,
        "config": content.config,
        "starts": content.starts,
        "plugins": content.plugins,
        "skipped": content.skipped,
        "unreadable": content.unreadable,
        "faults": [fault._asdict() for fault in content.faults],
        "columns": columns.rows,
        "bytes": columns.size,
        "check": columns.check(),
    }


def _file(found: dict[str, Any], columns: NDArray[np.uint8]) -> EventFile:
    content = Content(
        records=int(found["records"]),
        texts=dict(found["texts"]),
        config=dict(found["config"]),
        starts=list(found["starts"]),
        plugins=dict(found["plugins"]),
        skipped=Counter(found["skipped"]),
        unreadable=Counter(found["unreadable"]),
        faults=[Fault(**fault) for fault in found["faults"]],
    )
    series = {
        tag: Series(
            tag=tag,
            steps=np.frombuffer(columns, _STEPS, count, steps),
            wall_times=np.frombuffer(columns, _CLOCK, count, clock),
            values=np.frombuffer(columns, _VALUES[dtype], count, values),
            replaced=int(replaced),
            again=None if again is None else (float(again[0]), float(again[1])),
        )
        for tag, count, steps, clock, values, dtype, replaced, again in found["columns"]
    }
    return EventFile(
        content=content,
        series=series,
        head=bytes.fromhex(found["head"]),
        size=int(found["size"]),
        end=None if found["end"] is None else int(found["end"]),
    )
