"""TensorBoard event files, every point of every tag, with every checksum verified."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from reportgen.loaders._columns import Columns
from reportgen.loaders._event import (
    HPARAMS,
    SCALARS,
    Event,
    Value,
    read_event,
    read_hyperparameters,
)
from reportgen.loaders._files import FileReader, count_points, find_defect, reader_fault, source_of
from reportgen.loaders._framing import CUT_OFF, Fault, read_records
from reportgen.loaders._wire import WireError
from reportgen.records.run import Log, Problem

KIND = "tfevents"
LISTED = 50
"""Faults of one file that are listed one by one."""

PURGE_STEP = "purge_step"
"""Configuration key under which a log states that earlier files are void from a step on."""


def load_tfevents(path: Path, name: str) -> tuple[Log, ...]:
    """Read one event file.

    Args:
        path: The file; its content may be gzip.
        name: POSIX path relative to the root, as it will be reported.

    Returns:
        One log. Damaged records are left out, each with a problem that says where; all
        others are kept. A file that is no event file has no series and one problem.
    """
    reader = FileReader(path)
    found = _Content()
    chunks = _watch(reader.chunks(), found)
    for piece in read_records(chunks):
        if isinstance(piece, Fault):
            found.faults.append(piece)
            continue
        try:
            event = read_event(piece.payload)
        except WireError as error:
            end = piece.offset + len(piece.payload)
            found.faults.append(
                Fault(offset=piece.offset, end=end, reason=f"the record is no event ({error})")
            )
            continue
        found.take(event)
    series = found.columns.series(name, single=True)
    return (
        Log(
            source=source_of(reader, name, KIND, count_points(series)),
            series=series,
            texts=found.texts,
            config=found.config,
            problems=tuple(_problems(found, reader, name)),
        ),
    )


@dataclass(slots=True)
class _Content:
    """What has been read so far."""

    head: bytes = b""
    records: int = 0
    columns: Columns = field(default_factory=Columns)
    texts: dict[str, str] = field(default_factory=dict)
    config: dict[str, object] = field(default_factory=dict)
    plugins: dict[str, str] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def take(self, event: Event) -> None:
        """Add the values of one event."""
        self.records += 1
        if event.starts_session:
            self.config[PURGE_STEP] = event.step
            for column in self.columns.values():
                column.purge(event.step)
        for value in event.values:
            # TensorFlow names the plug-in on the first value of a tag only.
            if value.plugin:
                self.plugins[value.tag] = value.plugin
            plugin = self.plugins.get(value.tag, SCALARS)
            if value.number is not None and plugin == SCALARS:
                column = self.columns[value.tag]
                column.wide = column.wide or value.wide
                column.add(event.step, value.number, event.wall_time)
            elif value.text is not None and plugin != HPARAMS:
                self.texts[value.tag] = value.text
            elif plugin == HPARAMS:
                self._take_hyperparameters(value)

    def _take_hyperparameters(self, value: Value) -> None:
        try:
            self.config.update(read_hyperparameters(value.payload))
        except WireError:
            self.skipped[value.tag] = self.skipped.get(value.tag, 0) + 1


def _watch(chunks: Iterator[bytes], found: _Content) -> Iterator[bytes]:
    for chunk in chunks:
        found.head = found.head or chunk[:256]
        yield chunk


def _problems(found: _Content, reader: FileReader, name: str) -> Iterator[Problem]:
    if reader.problem:
        yield reader_fault(reader, name)
    defect = None if reader.problem else find_defect(found.head, reader.size, name)
    if defect is not None:
        yield defect
        return
    if not found.records:
        if reader.size:
            yield Problem(
                path=name,
                message="not an event file: no sound record",
                remedy="copy it again from where it was written; remove it if it is no log",
                offset=0,
            )
        return
    if not found.columns and not found.texts and not found.config:
        yield Problem(path=name, message="only the file's header was written: no point was logged")
    for fault in found.faults[:LISTED]:
        yield _problem_of(fault, name)
    if len(found.faults) > LISTED:
        rest = found.faults[LISTED:]
        lost = sum(fault.end - fault.offset for fault in rest)
        yield Problem(
            path=name,
            message=f"{len(rest)} more damaged places, {lost} bytes, left out",
            offset=rest[0].offset,
        )
    for tag, count in found.skipped.items():
        yield Problem(path=name, message=f"hyperparameters of {tag!r} not readable ({count})")


def _problem_of(fault: Fault, name: str) -> Problem:
    cut = fault.reason == CUT_OFF
    return Problem(
        path=name,
        message=f"{fault.reason}; {fault.end - fault.offset} bytes left out",
        remedy="normal while training still runs" if cut else "copy the file again",
        offset=fault.offset,
        level="note" if cut else "warning",
    )
