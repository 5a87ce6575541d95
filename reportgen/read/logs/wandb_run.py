"""Weights & Biases runs as they lie on disk (`run-<id>.wandb`), and the summaries beside them.

Source: `wandb/proto/wandb_internal.proto`, whose field numbers stand below.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from struct import Struct
from zlib import crc32

from reportgen.read.logs.collected import Table
from reportgen.read.logs.files import FileReader, find_fault, flatten, read_json, source_of
from reportgen.read.logs.numbers import MARK as MEDIA
from reportgen.read.logs.numbers import as_number, read_numbers, skipped_note
from reportgen.read.logs.wire import (
    CUT_OFF,
    DAMAGED,
    Fault,
    Record,
    WireError,
    as_bytes,
    as_int,
    as_text,
    problems_of,
    read_fields,
    signed,
    values_of,
)
from reportgen.records.run import FAILED, FINISHED, OPEN, Log
from reportgen.records.study import TablePlan

# The framing of Weights & Biases files: records in pieces, pieces in blocks of 32 KiB.
#
# Source: the log format of LevelDB (`doc/log_format.md`), with the plain CRC-32 of zlib in place
# of its own.

BLOCK = 1 << 15
HEADER = 7
RECORD_LIMIT = 1 << 26
"""No record of a run is longer than this."""

SEARCHED = 1 << 26
"""Bytes of a file that may be summed up in search of the next sound piece; behind them the
search goes on at the next block."""

_FULL, _FIRST, _MIDDLE, _LAST = 1, 2, 3, 4
_HEADER = Struct("<IHB")
_SEEDS = [crc32(bytes([kind])) for kind in range(_LAST + 1)]
_KIND = re.compile(rb"[\x01-\x04]")


_Piece = tuple[int, bytes, int]
"""The kind of a piece, its payload, and where it ends in its block."""


def read_blocked(chunks: Iterable[bytes]) -> Iterator[Record | Fault]:
    """Yield every sound record behind the file's header, and every stretch that holds none.

    After damage the reading goes on at the next sound piece, so that a bad record costs that
    record. Memory is bounded by the longest record.
    """
    reader = _Reader()
    for start, block, final in _blocks(chunks):
        yield from reader.read(start, block, final=final)
    yield from reader.finish()


def _blocks(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes, bool]]:
    """Yield (offset, bytes, whether it is the last) of each block."""
    buffer, start = b"", 0
    for chunk in chunks:
        buffer += chunk
        while len(buffer) > BLOCK:
            yield start, buffer[:BLOCK], False
            buffer, start = buffer[BLOCK:], start + BLOCK
    yield start, buffer, True


def _piece_at(block: bytes, at: int) -> _Piece | None:
    """Return the piece whose header stands at a place, None where none does."""
    if at + HEADER > len(block):
        return None
    checksum, length, kind = _HEADER.unpack_from(block, at)
    end = at + HEADER + length
    if not _FULL <= kind <= _LAST or end > len(block):
        return None
    payload = block[at + HEADER : end]
    return (kind, payload, end) if crc32(payload, _SEEDS[kind]) == checksum else None


def _is_cut(block: bytes, at: int) -> bool:
    """Tell whether the end of a file may have cut off a piece that begins here."""
    if at + HEADER > len(block):
        return True
    kind, length = block[at + 6], block[at + 4] | block[at + 5] << 8
    return _FULL <= kind <= _LAST and len(block) < at + HEADER + length <= BLOCK


@dataclass(slots=True)
class _Reader:
    """Puts pieces together.

    Attributes:
        parts: Pieces of the record that has begun, which began at `begun`.
        fault: Damage that has not been told yet, because it may go on.
        searched: Bytes summed up so far in search of sound pieces.
    """

    parts: list[bytes] = field(default_factory=list)
    begun: int = 0
    fault: Fault | None = None
    searched: int = 0
    end: int = 0

    def read(self, start: int, block: bytes, *, final: bool) -> Iterator[Record | Fault]:
        at = 0 if start else min(HEADER, len(block))
        self.end = start + len(block)
        while at < len(block) and (final or BLOCK - at >= HEADER):
            piece = _piece_at(block, at)
            if piece is not None:
                kind, payload, end = piece
                if kind == _FULL and not self.parts and self.fault is None:
                    yield Record(start + at, payload)
                else:
                    yield from self._take(start + at, kind, payload, start + end)
                at = end
                continue
            if BLOCK - at < HEADER:
                break
            after = self._next(block, at + 1)
            cut = final and after == len(block) and _is_cut(block, at)
            self._lose(start + at, start + after, CUT_OFF if cut else DAMAGED)
            at = after

    def finish(self) -> Iterator[Record | Fault]:
        if self.parts:
            self._lose(self.begun, self.end, CUT_OFF)
        yield from self._told()

    def _take(self, offset: int, kind: int, payload: bytes, end: int) -> Iterator[Record | Fault]:
        begins, ends = kind in {_FULL, _FIRST}, kind in {_FULL, _LAST}
        if begins and self.parts:
            self._lose(self.begun, offset, "a record without its end")
        if not begins and not self.parts:
            self._lose(offset, end, "a record without its beginning")
            return
        if begins:
            yield from self._told()
            self.begun = offset
        self.parts.append(payload)
        if sum(map(len, self.parts)) > RECORD_LIMIT:
            self._lose(self.begun, end, f"a record of more than {RECORD_LIMIT} bytes")
        elif ends:
            whole, self.parts = b"".join(self.parts), []
            yield Record(self.begun, whole)

    def _lose(self, offset: int, end: int, reason: str) -> None:
        """Note damage; what follows it without a sound record between is the same damage."""
        if self.parts:
            offset, self.parts = min(offset, self.begun), []
        if self.fault is not None:
            offset, reason = self.fault.offset, self.fault.reason
        self.fault = Fault(offset, end, reason)

    def _told(self) -> Iterator[Fault]:
        if self.fault is not None:
            yield self.fault
            self.fault = None

    def _next(self, block: bytes, begin: int) -> int:
        """Return where the next sound piece of a block begins, its length where none does."""
        for found in _KIND.finditer(block, begin + HEADER - 1):
            at = found.start() - (HEADER - 1)
            length = block[at + 4] | block[at + 5] << 8
            if at + HEADER + length > len(block):
                continue
            self.searched += length
            if self.searched > SEARCHED:
                break
            if _piece_at(block, at) is not None:
                return at
        return len(block)


KIND, SUMMARY = "wandb_run", "wandb_summary"
NO_STEP = -1
"""Where a summary does not say after which step it was written."""

_STEP, _TIME = "_step", "_timestamp"
_PLAN = TablePlan(step=_STEP, time=_TIME, epoch="_epoch")
"""A logged epoch is a value like any other: the program counts by itself."""

AXIS_LIMIT = 1000
"""Declarations of axes that are looked at: every new key is held against all of them."""

MARK = b":W&B\xe1\xbe"
VERSIONS = (0,)

_TELEMETRY, _ENV, _JUPYTER = 19, 8, 1
_ABOUT = {3: "project", 6: "run_group", 7: "job_type", 8: "display_name", 12: "sweep_id"}
_NAMED = 5
_GONE = object()
_decode = json.JSONDecoder().decode

_Item = tuple[tuple[str, ...], bytes]
"""Path of a key, and its value as JSON."""


def load_wandb_run(path: Path, name: str) -> tuple[Log, ...]:
    """Read one run: every number of its history, its settings, and what it is called.

    A step is the run's `_step`, which counts calls of `log`, unless the run declares one other
    axis for all its keys (`define_metric`) and logs it with every point in whole numbers: the
    Trainer and Lightning declare the optimizer step so.

    Returns:
        One log a session. Their texts say what the run is called: `wandb/display_name`,
        `wandb/run_group`, `wandb/job_type`, `wandb/project`. Keys of nested values are joined by
        dots. Media and texts are counted in a note.
    """
    reader = FileReader(path)
    found = _Content(_table(name), reader)
    for piece in read_blocked(reader.chunks()):
        if isinstance(piece, Fault):
            found.faults.append(piece)
            continue
        try:
            found.take(piece.payload)
        except WireError as error:
            end = piece.offset + len(piece.payload)
            found.faults.append(Fault(piece.offset, end, f"the record is none ({error})"))
    found.tell()
    config = flatten(found.config)[0]
    source = source_of(reader, name, KIND)
    return found.table.logs(
        Log(
            source=source,
            texts=found.about,
            config=config,
            skipped=found.media,
            ended=found.ended,
        )
    )


def _table(path: str) -> Table:
    table = Table(plan=_PLAN, path=path, number=as_number, place="record", logged=True)
    table.remedy = "log each step once"
    return table


@dataclass(slots=True)
class _Content:
    """What has been read so far.

    Attributes:
        axes: (name of a key, the axis that is declared for it).
        patterns: The same with patterns of keys.
        skipped: Key to how many values were no numbers.
        media: Kind of picture, sound or histogram to how many there were.
    """

    table: Table
    reader: FileReader
    records: int = 0
    config: dict[str, object] = field(default_factory=dict)
    about: dict[str, str] = field(default_factory=dict)
    axes: list[tuple[str, str]] = field(default_factory=list)
    patterns: list[tuple[str, str]] = field(default_factory=list)
    skipped: dict[str, int] = field(default_factory=dict)
    media: dict[str, int] = field(default_factory=dict)
    exit_code: int | None = None
    in_notebook: bool = False
    faults: list[Fault] = field(default_factory=list)

    @property
    def ended(self) -> str:
        """How the program ended; a run that ends, however it does, records it.

        A notebook goes on behind an error in a cell, and records 0 in the end.
        """
        if not self.records:
            return ""
        if self.exit_code is None:
            return OPEN
        fine = "" if self.in_notebook else FINISHED
        return FAILED if self.exit_code else fine

    def take(self, payload: bytes) -> None:
        """Add what one record states."""
        if not self.reader.head.startswith(MARK):
            return
        self.records += 1
        for number, _, value in read_fields(payload, _TAKEN):
            _TAKEN[number](self, as_bytes(value))

    def take_exit(self, buffer: bytes) -> None:
        """Note the exit code that a program ended with."""
        codes = [*values_of(buffer, 1)]
        self.exit_code = signed(as_int(codes[0]), 32) if codes else 0

    def take_run(self, buffer: bytes) -> None:
        """Note what a run is called, and its settings."""
        for number, _, value in read_fields(buffer):
            if number == 4:
                self.take_config(as_bytes(value))
            elif number == _TELEMETRY:
                surroundings = [as_bytes(part) for part in values_of(value, _ENV)]
                self.in_notebook |= any(any(values_of(own, _JUPYTER)) for own in surroundings)
            elif number in _ABOUT and value:
                self.about[f"wandb/{_ABOUT[number]}"] = as_text(value)

    def take_metric(self, buffer: bytes) -> None:
        """Note which axis is declared for a key."""
        texts = {n: as_text(v) for n, _, v in read_fields(buffer) if n in {1, 2, 4}}
        axis = texts.get(4, "")
        if len(self.axes) + len(self.patterns) >= AXIS_LIMIT:
            return
        if 1 in texts:
            self.axes.append((texts[1], axis))
        elif axis:
            self.patterns.append((texts.get(2, ""), axis))

    def take_config(self, buffer: bytes) -> None:
        """Note settings that are stated, and forget those that are taken back."""
        for number, _, value in read_fields(buffer):
            if number in {1, 2}:
                keys, stated = _read_item(as_bytes(value))
                if keys and keys[0] != "_wandb":
                    _put(self.config, keys, _parse(stated) if number == 1 else _GONE)

    def take_history(self, buffer: bytes) -> None:
        """Add the numbers of one call of `log`."""
        items: list[_Item] = []
        step: int | None = None
        for number, _, value in read_fields(buffer):
            if number == 1:
                items.append(_read_item(as_bytes(value)))
            elif number == 2:
                steps = [*values_of(value, 1)]
                step = signed(as_int(steps[0])) if steps else 0
        row = self._numbers(items)
        row = row if step is None else {**row, _STEP: step}
        if any(not tag.startswith("_") for tag in row):
            self.table.add(row, self.records, 0)

    def _numbers(self, items: Sequence[_Item]) -> dict[str, float]:
        """Return the numbers of one row by their keys; count all else, a media object as one."""
        row: dict[str, float] = {}
        media = {keys[:-1] for keys, _ in items if keys[-1:] == (MEDIA,)}
        for keys, value in items:
            if keys[-1:] == (MEDIA,):
                read_numbers(".".join(keys[:-1]), "media", row, self.skipped)
                self._count(_parse(value))
            elif not (media and any(keys[:depth] in media for depth in range(1, len(keys)))):
                found = _parse(value)
                read_numbers(".".join(keys), found, row, self.skipped)
                if isinstance(found, dict) and MEDIA in found:
                    self._count(found[MEDIA])
        return row

    def _count(self, kind: object) -> None:
        name = str(kind)[:40]
        self.media[name] = self.media.get(name, 0) + 1

    def _axis(self, tag: str) -> str:
        """Return the axis that is declared for a key, empty for `_step`."""
        by_name = [axis for name, axis in self.axes if name == tag and axis]
        by_pattern = [axis for glob, axis in self.patterns if fnmatchcase(tag, glob)]
        is_axis = any(tag == axis for _, axis in (*self.axes, *self.patterns))
        axis = tag if is_axis else (by_name[-1:] or by_pattern[:1] or [""])[0]
        return "" if axis.startswith("_") else axis

    def _settle_axis(self) -> str:
        """Count by the declared axis where it is that of every key; say in a note what a step is.

        A run has one clock.
        """
        rows = self.table.runs.get("")
        axes = {self._axis(tag) for tag in rows.tags} if rows else set()
        declared = sorted(axes - {""})
        if not rows or not declared:
            return ""
        along = rows.tags.get(declared[0])
        if along and len(axes) == 1 and len(along.rows) == len(rows.steps):
            steps = [int(at) for at in along.values if at.is_integer() and abs(at) < 2**63]
            if len(steps) == len(rows.steps):
                rows.steps = array("q", steps)
                return f"steps are {declared[0]}, which the run declares as the axis of every key"
        listed = ", ".join(declared[:_NAMED])
        return f"steps are _step: the declared axis ({listed}) is not logged with every point"

    def tell(self) -> None:
        """Say what is wrong with the file, how the program ended, and what counts as its step."""
        table, head = self.table, self.reader.head
        fault = find_fault(self.reader, table.path)
        if fault is not None:
            table.problems.append(fault)
        elif not head.startswith(MARK):
            remedy = "copy it again from where it was written; remove it if it is no log"
            message = "not a run of Weights & Biases: its first bytes are others"
            table.say(message, remedy, offset=0)
        elif head[6:7] not in {bytes([v]) for v in VERSIONS}:
            told = f"written in version {head[6:7].hex()} of its format, which is not known"
            table.say(told, "update reportgen", offset=6)
        else:
            table.problems.extend(problems_of(self.faults, table.path))
            if not table.used:
                table.say("no number was logged")
            if self.exit_code:
                table.say(f"the program ended with exit code {self.exit_code}")
            end = "its end was not recorded: still running, or stopped from outside"
            for text in (
                end if self.ended == OPEN else "",
                self._settle_axis(),
                skipped_note(self.skipped),
            ):
                if text:
                    table.say(text, level="note")


_TAKEN: dict[int, Callable[[_Content, bytes], None]] = {
    2: _Content.take_history,
    5: _Content.take_config,
    12: _Content.take_metric,
    17: _Content.take_run,
    18: _Content.take_exit,
}
"""Number of a field of a record to what takes it."""


def load_wandb_summary(path: Path, name: str) -> tuple[Log, ...]:
    """Read `wandb-summary.json`: one value a key, as it stood at the end of a run.

    Returns:
        One log whose series have one point each, at the run's last `_step`. A value may be a
        best one and not the last: the run's history, where there is one, tells.
    """
    summary, empty = read_json(path, name, SUMMARY)
    row: dict[str, float] = {}
    skipped: dict[str, int] = {}
    read_numbers("", summary, row, skipped)
    table = _table(name)
    table.add({_STEP: NO_STEP, **row}, 1, 0)
    # Runs that were never online have a file with the program's own keys alone.
    note = skipped_note(skipped) if table.used else "no number in it"
    if note and not empty.problems:
        table.say(note, level="note")
    return table.logs(empty)


def _put(settings: dict[str, object], keys: tuple[str, ...], value: object) -> None:
    """Set a nested setting, or take it away."""
    for key in keys[:-1]:
        inner = settings.get(key)
        if not isinstance(inner, dict):
            inner = settings[key] = {}
        settings = inner
    if value is _GONE:
        settings.pop(keys[-1], None)
    else:
        settings[keys[-1]] = value


def _read_item(buffer: bytes) -> _Item:
    key, nested, value = "", [], b""
    for number, _, part in read_fields(buffer):
        if number == 1:
            key = as_text(part)
        elif number == 2:
            nested.append(as_text(part))
        elif number == 16:
            value = as_bytes(part)
    return (tuple(nested) or ((key,) if key else ())), value


def _parse(value: bytes) -> object:
    try:
        # Of bytes, the encoding would be guessed anew each time.
        return _decode(value.decode("utf-8"))
    except (ValueError, RecursionError):
        return value.decode("utf-8", "replace") if value else None
