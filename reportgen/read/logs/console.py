"""Texts that programs print: lines of JSON, tables, and the console lines of known programs."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from reportgen.read.logs._collected import Table
from reportgen.read.logs._delimiter import is_table
from reportgen.read.logs._files import FileReader, find_fault, read_bounded, source_of
from reportgen.read.logs._numbers import as_number
from reportgen.read.logs._table import holds_clock, read_cell
from reportgen.read.logs._wide import BYTE_ORDERS, chunks_as_utf8
from reportgen.read.logs.fairseq_log import load_fairseq_log
from reportgen.read.logs.rows import load_json_lines, load_metrics_csv
from reportgen.read.logs.sources import Line, LogSource, sources_of
from reportgen.records.run import Log
from reportgen.records.study import TablePlan

KIND = "console"
LINE_LIMIT = 1 << 20
"""Longer lines are no rows; only their beginning is looked at."""

DICT_LIMIT = 1 << 14
GLANCE = 1 << 13
"""First bytes of a text by which a table is told."""

STEP, EPOCH = "step", "epoch"
_DICT = re.compile(r"\{'[^{}]*\}")
_NO_NUMBER = re.compile(r"(?<=: )-?(?:nan|inf)\b")
_NUMBERS = re.compile(r"(?<![\w.])(?:[-+]?[\d.]+(?:[eE][-+]?\d+)?|nan|-?inf)")
_LOOKED = 50
"""Lines that begin as JSON by which it is told whether a text holds rows of it."""

Located = tuple[int, int, bytes]
"""Number of a line, its first byte, and what it holds."""


def load_console(path: Path, name: str) -> tuple[Log, ...]:
    """Read what a program printed, or another table under the name of a text.

    Args:
        path: A text file, or a notebook whose saved outputs hold the text.
        name: POSIX path relative to the root.

    Returns:
        One log a run and session; none where no line holds a number with its step or epoch.
    """
    found = load_fairseq_log(path, name)
    if found:
        return found
    notebook = name.endswith(".ipynb")
    if not notebook:
        with path.open("rb", buffering=0) as stream:
            if is_table(stream.read(GLANCE)):
                # Keras' CSVLogger writes where it is told, most often to training.log.
                return load_metrics_csv(path, name)
    reader = FileReader(path)
    lines = notebook_lines(read_bounded(reader)) if notebook else text_lines(reader)
    screens = [_Screen.of(source, name) for source in sources_of(KIND, path=name)]
    marks = [mark.encode() for screen in screens for mark in screen.marks()]
    looked = 0
    half: tuple[int, int] | None = None
    for number, offset, raw in lines:
        if not notebook and raw.lstrip()[:1] == b"{" and looked < _LOOKED:
            looked += 1
            if _is_row(raw):
                return load_json_lines(path, name)
        if any(mark in raw for mark in marks):
            text = raw[:LINE_LIMIT].decode("utf-8", "replace").rstrip("\r\n")
            for screen in screens:
                screen.take(text, number, offset)
            half = None if notebook or raw.endswith((b"\n", b"\r")) else (number, offset)
    best = max(screens, key=lambda one: one.table.used)
    if not best.table.used:
        return ()
    best.end()
    if half is not None:
        best.table.tell_end("has no line end: its last number may be half a number", *half)
    source = source_of(reader, name, KIND)
    fault = find_fault(reader, b" ", name)
    empty = Log(source=source, program=best.source.program, problems=(fault,) if fault else ())
    return best.table.logs(empty)


def _is_row(raw: bytes) -> bool:
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and holds_clock(found, as_number)


def text_lines(reader: FileReader) -> Iterator[Located]:
    """Yield the lines of a text; a progress bar's carriage returns end lines too."""
    rest, offset, number = b"", 0, 1
    for chunk in _utf8(reader.chunks()):
        parts = re.split(rb"(?<=[\r\n])", rest + chunk)
        rest = parts.pop()
        for part in parts:
            yield number, offset, part
            offset += len(part)
            number += part.endswith(b"\n")
        if len(rest) > LINE_LIMIT:
            yield number, offset, rest[:LINE_LIMIT]
            offset, rest = offset + len(rest), b""
    if rest:
        yield number, offset, rest


def _utf8(chunks: Iterator[bytes]) -> Iterator[bytes]:
    first = next(chunks, b"")
    encoding = BYTE_ORDERS.get(first[:2])
    whole = _again(first, chunks)
    return chunks_as_utf8(whole, encoding) if encoding else whole


def _again(first: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def notebook_lines(content: bytes) -> Iterator[Located]:
    """Yield the lines of a notebook's saved text outputs; the offset counts them in order."""
    try:
        cells = json.loads(content)["cells"]
        texts = [
            "".join(output.get("text", []))
            for cell in cells
            for output in cell.get("outputs", [])
            if output.get("output_type") == "stream"
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return
    for number, line in enumerate("\n".join(texts).splitlines()):
        # JSON may spell half a letter.
        yield number + 1, number, line.encode("utf-8", "replace")


@dataclass(slots=True)
class _Screen:
    """What one program would have printed, as far as lines are its.

    Attributes:
        row: The row that is not yet complete, with its place.
        seen: Of dictionaries without a step, how many epochs were stated, and the last.
    """

    source: LogSource
    table: Table
    row: tuple[dict[str, object], int, int] | None = None
    seen: tuple[int, float] = (0, float("-inf"))
    patterns: Mapping[str, re.Pattern[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, source: LogSource, path: str) -> _Screen:
        """Return a screen with nothing on it."""
        epochs = not any(f"<{STEP}>" in line.clock for line in source.lines)
        clock = EPOCH if epochs and source.lines else STEP
        table = Table(plan=TablePlan(step=clock), path=path, number=_number)
        table.dropped = source.dropped
        texts = {t for line in source.lines for t in (line.clock, line.pair, line.section) if t}
        return cls(source, table, patterns={text: re.compile(text) for text in texts})

    def marks(self) -> Iterator[str]:
        """Yield what stands in the lines that may be of use."""
        if not self.source.lines:
            yield "'epoch':"
        yield from (line.mark for line in self.source.lines)

    def take(self, text: str, number: int, offset: int) -> None:
        """Use one line."""
        if not self.source.lines:
            self._take_dict(text, number, offset)
        for line in self.source.lines:
            if line.mark in text:
                self._take_line(line, text, number, offset)

    def end(self) -> None:
        """Use the row that is still open."""
        if self.row is not None and len(self.row[0]) > 1:
            self.table.add(*self.row)
        self.row = None

    def _take_dict(self, text: str, number: int, offset: int) -> None:
        """Use a dictionary that the Trainer printed: it states an epoch, seldom a step.

        Without one, every other epoch that is stated counts as a step.
        """
        found = _DICT.search(text) if len(text) < DICT_LIMIT else None
        row = _literal(found[0]) if found else None
        epoch = _number(row.get(EPOCH)) if row else None
        if row is None or epoch is None:
            return
        count, last = self.seen
        count = 1 if epoch < last else count + (epoch > last)
        self.seen = count, epoch
        self.table.add({STEP: count, **row}, number, offset)

    def _take_line(self, line: Line, text: str, number: int, offset: int) -> None:
        clock = self.patterns[line.clock].search(text) if line.clock else None
        if line.clock and clock is None:
            return
        if clock is not None:
            self.end()
            self.row = (
                {name: one for name, one in clock.groupdict().items() if one},
                number,
                offset,
            )
        if self.row is None or not line.pair:
            return
        start = clock.end() if clock else text.index(line.mark)
        for before, part in self._parts(line, text[start:]):
            for pair in islice(self.patterns[line.pair].finditer(part), 1000):
                key = pair["key"].strip().replace(" ", "_")
                tag = f"{before}/{key}" if before else key
                numbers = _NUMBERS.findall(pair["value"])
                for index, one in enumerate(numbers, start=1):
                    self.row[0][f"{tag}_{index}" if len(numbers) > 1 else tag] = one

    def _parts(self, line: Line, text: str) -> Iterator[tuple[str, str]]:
        """Yield the parts of a line, each with the split that it is of."""
        if not line.section:
            yield line.before, text
            return
        _, *parts = self.patterns[line.section].split(text)
        yield from zip(parts[::2], parts[1::2], strict=False)


def _number(cell: object) -> float | None:
    return read_cell(cell) if isinstance(cell, str) else as_number(cell)


def _literal(text: str) -> dict[str, object] | None:
    try:
        with warnings.catch_warnings():
            # A stranger's backslash is no concern of the person who reads the report.
            warnings.simplefilter("ignore")
            found = ast.literal_eval(_NO_NUMBER.sub(r"'\g<0>'", text))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    return found if isinstance(found, dict) and all(isinstance(k, str) for k in found) else None
