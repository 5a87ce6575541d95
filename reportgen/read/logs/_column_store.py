"""Columns of large event files, kept between runs of the program and mapped into memory.

An entry is one file for each reading of a log: the first brought it as it was, later ones what had
been appended. It is believed only as far as it can be checked: by its own checksums, by what the
file system says of the log, and by the log's bytes. Whatever is wrong with it, the log
itself is read again. Parts appear by one rename, so that processes may read and write them at one
time, each what is right for the log as that process saw it.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from google_crc32c import extend

from reportgen.read.logs._event_file import EventFile, joined, read_event_file, read_more
from reportgen.read.logs._files import CHUNK, SETTLED, State, changed_at, digest_of, state_of
from reportgen.read.logs._stored_columns import STAGING, Part, read_part, write_part, write_whole

PARTS = 8
"""Most parts of an entry; then all is written as one again."""

LEFT_S = 3600.0
"""Seconds after which a file that is not whole yet will never be."""

ROOM = 8 << 30
"""Bytes that all entries together may take; those longest unused go first."""

MARK = 64
"""Bytes of the log that are compared where its times say that nothing has changed: the first, and
those before where the reading ended. Where it has grown, all are."""


class ColumnStore:
    """Reads event files, from their entries where these are right.

    Args:
        folder: Where the entries lie; made when the first is written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, path: Path) -> EventFile:
        """Return an event file as it is now.

        Raises:
            OSError: There is no such file.
        """
        begun, state = time.time_ns(), state_of(path)
        parts = self._parts(path)
        if parts and _is_same(parts[-1], state, path):
            with suppress(OSError):
                os.utime(self._place(path, 0))
            return _whole([part.file for part in parts])
        more = read_more(path, parts[-1].file) if _has_grown(parts, state, path) else None
        file = read_event_file(path) if more is None else more
        if file.content.records and not file.problem:
            # A log that is being written, or was just now, cannot be known again by its times.
            settled = _size(state) == file.size and changed_at(state) < begun - SETTLED
            known = (_end(parts[-1].file), parts[-1].check) if more else ()
            part = Part(
                state=state if settled else (*state[:2], file.size),
                marks=_marks(path, file),
                check=_check(path, _end(file), *known),
                file=file,
            )
            self._keep(path, parts if more else [], part)
        return _whole([part.file for part in parts] + [file]) if more else file

    def digest(self, path: Path, size: int) -> str:
        """Return the hex digest of a file's first bytes, from an earlier time where it is right.

        Raises:
            OSError: There is no such file.
        """
        begun, state = time.time_ns(), state_of(path)
        place = self._place(path, "digest")
        with suppress(OSError, ValueError):
            *before, known = json.loads(place.read_bytes())
            if before == [*state] and isinstance(known, str) and _size(state) == size:
                return known
        found = digest_of(path, size)
        if _size(state) == size and changed_at(state) < begun - SETTLED:
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

    def _place(self, path: Path, part: int | str) -> Path:
        name = hashlib.sha256(os.fsencode(path.absolute())).hexdigest()[:32]
        return self._folder / f"{name}.{part}"

    def _parts(self, path: Path) -> list[Part]:
        parts: list[Part] = []
        while len(parts) < PARTS:
            before = parts[-1].identity if parts else ""
            found = read_part(self._place(path, len(parts)), before)
            if found is None:
                break
            parts.append(found)
        return parts

    def _keep(self, path: Path, parts: list[Part], part: Part) -> None:
        if len(parts) == PARTS:
            part = replace(part, file=_whole([*(part.file for part in parts), part.file]))
            parts = []
        before = parts[-1].identity if parts else ""
        write_part(self._place(path, len(parts)), replace(part, before=before))


def _size(state: State) -> int:
    return state[2]


def _is_same(part: Part, state: State, path: Path) -> bool:
    return part.state == state and _marks(path, part.file) == part.marks


def _has_grown(parts: list[Part], state: State, path: Path) -> bool:
    """Tell whether the log is that of the last part, byte for byte, with more behind it."""
    if not parts or parts[-1].state[:2] != state[:2] or parts[-1].file.size >= _size(state):
        return False
    # A copy in place, as some programs make it, may change any byte and add others.
    return _check(path, _end(parts[-1].file)) == parts[-1].check


def _end(file: EventFile) -> int:
    return file.size if file.end is None else file.end


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
    end = _end(file)
    with path.open("rb", buffering=0) as stream:
        first = stream.read(min(MARK, end))
        stream.seek(max(end - MARK, 0))
        last = stream.read(min(MARK, end))
    return hashlib.sha256(first + last).hexdigest()


def _whole(files: list[EventFile]) -> EventFile:
    """Return the log of all readings together."""
    return replace(files[-1], series=joined([file.series for file in files]))
