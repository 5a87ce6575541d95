"""Weights & Biases runs as they lie on disk (`run-<id>.wandb`), and the summaries beside them.

Source: `wandb/proto/wandb_internal.proto`, whose field numbers stand below.
"""

from __future__ import annotations

import json
import math
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from reportgen.read.logs._blocks import read_blocked
from reportgen.read.logs._collected import Table
from reportgen.read.logs._faults import Fault, problems_of
from reportgen.read.logs._files import FileReader, find_fault, read_json, source_of
from reportgen.read.logs._numbers import MARK as MEDIA
from reportgen.read.logs._numbers import as_number, read_numbers, skipped_note
from reportgen.read.logs._wire import (
    WireError,
    as_bytes,
    as_int,
    as_text,
    read_fields,
    signed,
    values_of,
)
from reportgen.read.logs._yaml import flatten
from reportgen.records.run import Log, Problem
from reportgen.records.study import TablePlan

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

_HISTORY, _CONFIG, _METRIC, _RUN, _EXIT = 2, 5, 12, 17, 18
_ABOUT = {3: "project", 6: "run_group", 7: "job_type", 8: "display_name", 12: "sweep_id"}
_NAMED = 5
_GONE = object()

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
    notes = found.settle_axis()
    empty = Log(
        source=source_of(reader, name, KIND),
        texts=found.about,
        config=flatten(found.config)[0],
        skipped=found.media,
        problems=tuple(_problems(found, name, notes)),
    )
    return found.table.logs(empty) if found.table.used else (empty,)


def _table(path: str) -> Table:
    remedy = "log each step once"
    return Table(
        plan=_PLAN, path=path, number=as_number, place="record", logged=True, remedy=remedy
    )


@dataclass(slots=True)
class _Content:
    """What has been read so far.

    Attributes:
        axes: (name of a key, the axis that is declared for it).
        patterns: The same with patterns of keys.
        known: Key to its axis, as far as it was looked up.
        along: Of every row the value of the axis that all its keys have, None where a row has none.
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
    known: dict[str, str] = field(default_factory=dict)
    along: array[int] | None = field(default_factory=lambda: array("q"))
    skipped: dict[str, int] = field(default_factory=dict)
    media: dict[str, int] = field(default_factory=dict)
    exit_code: int | None = None
    faults: list[Fault] = field(default_factory=list)

    def take(self, payload: bytes) -> None:
        """Add what one record states."""
        if not self.reader.head.startswith(MARK):
            return
        self.records += 1
        for number, _, value in read_fields(payload):
            if number == _HISTORY:
                self._take_history(as_bytes(value))
            elif number == _CONFIG:
                self._take_config(as_bytes(value))
            elif number == _METRIC:
                self._take_metric(as_bytes(value))
            elif number == _RUN:
                self._take_run(as_bytes(value))
            elif number == _EXIT:
                codes = [*values_of(value, 1)]
                self.exit_code = signed(as_int(codes[0]), 32) if codes else 0

    def _take_run(self, buffer: bytes) -> None:
        for number, _, value in read_fields(buffer):
            if number == 4:
                self._take_config(as_bytes(value))
            elif number in _ABOUT and value:
                self.about[f"wandb/{_ABOUT[number]}"] = as_text(value)

    def _take_metric(self, buffer: bytes) -> None:
        texts = {n: as_text(v) for n, _, v in read_fields(buffer) if n in {1, 2, 4}}
        axis = texts.get(4, "")
        if len(self.axes) + len(self.patterns) >= AXIS_LIMIT:
            return
        if 1 in texts:
            self.axes.append((texts[1], axis))
        elif axis:
            self.patterns.append((texts.get(2, ""), axis))
        self.known.clear()

    def _take_config(self, buffer: bytes) -> None:
        for number, _, value in read_fields(buffer):
            if number in {1, 2}:
                keys, stated = _read_item(as_bytes(value))
                if keys and keys[0] != "_wandb":
                    _put(self.config, keys, _parse(stated) if number == 1 else _GONE)

    def _take_history(self, buffer: bytes) -> None:
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
            rows = self.table.runs.get("")
            if rows and self.along is not None and len(rows.steps) > len(self.along):
                self._follow_axis(row)

    def _numbers(self, items: Sequence[_Item]) -> dict[str, float]:
        """Return the numbers of one row by their keys; count all else, a media object as one."""
        row: dict[str, float] = {}
        media = {keys[:-1] for keys, _ in items if keys[-1:] == (MEDIA,)}
        for keys, value in items:
            if keys[-1:] == (MEDIA,):
                read_numbers(".".join(keys[:-1]), "media", row, self.skipped)
                self._count(_parse(value))
            elif not any(keys[:depth] in media for depth in range(1, len(keys))):
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
        axis = self.known.get(tag)
        if axis is None:
            by_name = [axis for name, axis in self.axes if name == tag and axis]
            by_pattern = [axis for glob, axis in self.patterns if fnmatchcase(tag, glob)]
            axis = (by_name[-1:] or by_pattern[:1] or [""])[0]
            if any(tag == one for _, one in (*self.axes, *self.patterns)):
                axis = tag
            self.known[tag] = axis = "" if axis.startswith("_") else axis
        return axis

    def _follow_axis(self, row: dict[str, float]) -> None:
        axes = {self._axis(tag) for tag in row if not tag.startswith("_")}
        at = row.get(axes.pop(), math.nan) if len(axes) == 1 else math.nan
        if self.along is not None and at.is_integer() and abs(at) < 2**63:
            self.along.append(int(at))
        else:
            self.along = None

    def settle_axis(self) -> list[str]:
        """Count by the declared axis where it is that of every key; return notes on what a step is.

        A run has one clock.
        """
        rows = self.table.runs.get("")
        axes = sorted({self._axis(tag) for tag in rows.tags} - {""}) if rows else []
        if not rows or not axes:
            return []
        if len(axes) > 1 or self.along is None:
            listed = ", ".join(axes[:_NAMED])
            return [f"steps are _step: the declared axis ({listed}) is not logged with every point"]
        rows.steps = self.along
        return [f"steps are {axes[0]}, which the run declares as the axis of every key"]


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
    if table.used:
        note = skipped_note(skipped)
    elif empty.problems:
        return (empty,)
    else:
        # Runs that were never online have a file with the program's own keys alone.
        note = "no number in it"
    problems = (Problem(path=name, message=note, level="note"),) if note else ()
    empty = Log(source=empty.source, problems=problems)
    return table.logs(empty) if table.used else (empty,)


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
        return json.loads(value.decode("utf-8"))
    except (ValueError, RecursionError):
        return value.decode("utf-8", "replace") if value else None


def _problems(found: _Content, name: str, notes: Sequence[str]) -> Iterator[Problem]:
    fault, head = find_fault(found.reader, name), found.reader.head
    if fault is not None:
        yield fault
    elif not head.startswith(MARK):
        yield Problem(
            path=name,
            message="not a run of Weights & Biases: its first bytes are others",
            remedy="copy it again from where it was written; remove it if it is no log",
            offset=0,
        )
    elif head[6:7] not in {bytes([v]) for v in VERSIONS}:
        yield Problem(
            path=name,
            message=f"written in version {head[6:7].hex()} of its format, which is not known",
            remedy="update reportgen",
            offset=6,
        )
    else:
        yield from problems_of(found.faults, name)
        if not found.table.used:
            yield Problem(path=name, message="no number was logged")
        if found.exit_code:
            yield Problem(path=name, message=f"the program ended with exit code {found.exit_code}")
        open_end = found.records and found.exit_code is None
        told = ["its end was not recorded: still running, or stopped from outside"] * bool(open_end)
        for text in (*told, *notes, skipped_note(found.skipped)):
            if text:
                yield Problem(path=name, message=text, level="note")
