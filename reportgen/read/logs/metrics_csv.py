"""CSV logs with a step or epoch column; Lightning's `metrics.csv` leaves most cells empty."""

from __future__ import annotations

import csv
import re
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path

from reportgen.read.logs._clocks import is_counted
from reportgen.read.logs._delimiter import delimiter_of
from reportgen.read.logs._files import read_text
from reportgen.read.logs._table import LISTED, Numbers, Row, Table, infer_plan, read_cell
from reportgen.read.logs._told_apart import with_names
from reportgen.read.logs._wide import as_utf8
from reportgen.records.downloads import read_download
from reportgen.records.run import Log, Problem
from reportgen.records.study import TablePlan

KIND = "metrics_csv"
LIGHTNING_NAME = "metrics.csv"
SEEN = 200
"""Rows by which columns are told where no study declares them."""

_SPLITS = frozenset(
    {"train", "training", "valid", "validation", "val", "dev", "eval", "evaluation", "test"}
)
_DOWNLOADED = ["Wall time", "Step", "Value"]
"""Columns of a table that was downloaded from TensorBoard."""

_HALF = re.compile(r"[-+]?(?:\d*[.,]|\d+(?:[.,]\d*)?[eE][-+]?|)")
"""What no program writes as a number, but the beginning of one."""


def load_metrics_csv(path: Path, name: str, plan: TablePlan | None = None) -> tuple[Log, ...]:
    """Read a CSV log: one series a numeric column, one point a filled cell.

    Args:
        path: The file.
        name: POSIX path relative to the root.
        plan: Which column is what, as a study declares it; None lets their names tell.

    Returns:
        One log, or none where a CSV file has no step column and so is no log.
    """
    content, empty = read_text(path, name, KIND)
    expected = plan is not None or name.rpartition("/")[2] == LIGHTNING_NAME
    if empty.problems:
        # An empty CSV file may be anything; one that cannot be read may be a log.
        nothing = empty.problems[0].message.startswith("the file is empty")
        return () if nothing and not expected else (empty,)
    content, is_wide = as_utf8(content)
    delimiter = (plan.delimiter if plan else "") or delimiter_of(content)
    number: Numbers = _read_comma if delimiter == ";" else read_cell
    rows = _Rows(content, delimiter, is_wide=is_wide)
    records = iter(rows)
    head = next(records, _NOTHING)
    header = [cell.strip() for cell in head.cells]
    begun = list(islice(records, SEEN))
    cells = [dict(zip(header, row.cells, strict=False)) for row in begun]
    found = plan or infer_plan(cells, number, header)
    if found and plan is None and header == _DOWNLOADED:
        found = replace(found, columns={"Value": _tag_in(name)})
    problem = _misfit(found, header, name)
    if found is None or problem is not None:
        problem = problem or Problem(path=name, message="no step or epoch column: not a log")
        return (Log(source=empty.source, problems=(problem,)),) if expected else ()
    is_told = False
    if plan is None:
        again = _Rows(content, delimiter, is_wide=is_wide)
        found, is_told = with_names(found, cells, again.below(header), number)
    table = Table(plan=found, path=name, number=number, nothing="only a header: ", told=is_told)
    table.counted = plan is None and is_counted(found)
    _tell_header(table, head, header)
    for row in chain(begun, records):
        _take(table, row, header)
    if rows.fault:
        table.refuse(f"is no CSV: {rows.fault}", rows.line, rows.start)
    return table.logs(empty)


def _take(table: Table, row: _Row, header: list[str]) -> None:
    """Give a row to the table, or say why not."""
    is_short = row.has_no_end and row.swallowed == 0
    if row.swallowed is not None and not is_short:
        _tell_open(table, row)
        table.add(dict(zip(header, row.cells[:-1], strict=False)), row.line, row.offset)
        return
    last = row.cells[-1].strip()
    if len(row.cells) > len(header):
        table.refuse("has more cells than the header", row.line, row.offset)
        return
    half = is_short or len(row.cells) < len(header) or (last and _HALF.fullmatch(last))
    if row.has_no_end and half:
        table.tell_end("is cut off", row.line, row.offset)
        return
    table.add(dict(zip(header, row.cells, strict=False)), row.line, row.offset)
    if row.has_no_end and table.number(last) is not None:
        # Many programs end a file so: to leave the row out would lose a good one.
        told = f"has no line end: {last[:20]!r} may be half a number"
        table.tell_end(told, row.line, row.offset)


def _tell_header(table: Table, head: _Row, header: list[str]) -> None:
    """Say what is odd in the first row."""
    if head.swallowed is not None:
        _tell_open(table, head)
    twice = [(name, count) for name, count in Counter(header).items() if name and count > 1]
    for name, count in twice[:LISTED]:
        table.problems.append(
            Problem(
                path=table.path,
                message=f"{count} columns are called {name!r}: the last of them is read",
                remedy="give each column a name of its own",
            )
        )


def _tell_open(table: Table, row: _Row) -> None:
    """Say how much a quote takes in that is open where the file ends."""
    count = row.swallowed
    lines = "line after it is" if count == 1 else f"{count} lines after it are"
    rest = f": the {lines} not read" if count else ""
    message = f"line {row.line} opens a quote that nothing closes{rest}"
    table.problems.append(Problem(path=table.path, message=message, offset=row.offset))


def _tag_in(name: str) -> str:
    """Return what a downloaded table holds, as its name tells it; `Value` where it does not.

    Example:
        >>> [_tag_in(f"a/{n}.csv") for n in ("run-x-tag-val_loss", "val_loss", "seed3", "valid")]
        ['val_loss', 'val_loss', 'Value', 'Value']
    """
    stem = name.rpartition("/")[2].rpartition(".")[0]
    found = read_download(stem)
    if found:
        return found[1]
    # A number is of a run, and a split's name of a split: neither says what was measured.
    is_tag = not re.search(r"\d", stem) and stem.lower() not in _SPLITS
    return stem if is_tag else "Value"


def _read_comma(cell: object) -> float | None:
    """Read a cell of a file whose columns are parted by semicolons: 0,5 is a half."""
    return read_cell(cell.replace(",", ".", 1) if isinstance(cell, str) else cell)


def _misfit(plan: TablePlan | None, header: list[str], name: str) -> Problem | None:
    """Say which declared column a file does not have, where nothing can be read without it."""
    wanted = (plan.step or plan.epoch, plan.tag, plan.value) if plan else ()
    for column in wanted:
        if column and column not in header:
            return Problem(
                path=name,
                message=f"no column {column!r}, which [[logs.tables]] names: not read",
                remedy=f"its columns are {', '.join(header[:20])}",
            )
    return None


@dataclass(slots=True)
class _Row:
    """Cells, and where they begin.

    Attributes:
        has_no_end: Whether the file stops in their line.
        swallowed: Lines that a quote takes in that nothing closes; None where each is closed.
    """

    cells: list[str]
    line: int
    offset: int
    has_no_end: bool = False
    swallowed: int | None = None


_NOTHING = _Row([], 1, 0)


class _Rows:
    """The rows of a CSV file; a cell may go over several lines.

    Attributes:
        line: Where the row that is being read begins, counted from 1.
        start: Its first byte.
        fault: What ended the reading early, or empty.
    """

    def __init__(self, content: bytes, delimiter: str, *, is_wide: bool) -> None:
        self._lines = content.splitlines(keepends=True)
        self._is_wide = is_wide
        self._delimiter = delimiter
        self._has_no_end = not content.endswith((b"\n", b"\r"))
        self._next = (1, 0)
        self.line, self.start, self.fault = 1, 0, ""

    def __iter__(self) -> Iterator[_Row]:
        rows = csv.reader(self._texts(), delimiter=self._delimiter)
        while True:
            self.line, self.start = self._next
            try:
                cells = next(rows, None)
            except csv.Error as error:
                self.fault = str(error)
                return
            if cells is None:
                return
            if cells:
                yield self._row(cells)

    def below(self, header: list[str]) -> Iterator[Row]:
        """Yield the cells of all rows but the first by the names of their columns."""
        return (dict(zip(header, row.cells, strict=False)) for row in islice(self, 1, None))

    def _row(self, cells: list[str]) -> _Row:
        if self._next[0] <= len(self._lines):
            return _Row(cells, self.line, self.start)
        count = len(self._lines) - self.line if self._is_open() else None
        return _Row(cells, self.line, self.start, self._has_no_end, count)

    def _is_open(self) -> bool:
        """Tell whether the last row ends inside quotes, which the reader takes as they are."""
        texts = [line.decode("utf-8", "replace") for line in self._lines[self.line - 1 :]]
        try:
            deque(csv.reader(texts, delimiter=self._delimiter, strict=True), maxlen=0)
        except csv.Error as error:
            return "end of data" in str(error)
        return False

    def _texts(self) -> Iterator[str]:
        offset = 0
        for number, line in enumerate(self._lines, start=1):
            text = line.decode("utf-8", "replace")
            offset += len(text.encode("utf-16-le")) if self._is_wide else len(line)
            self._next = (number + 1, offset)
            yield text.removeprefix("\ufeff") if number == 1 else text
