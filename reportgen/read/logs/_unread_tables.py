"""Tables that look like logs and are not read, for they have no clock: named once a folder."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path, PurePosixPath

from reportgen.read.logs._cut import BOM, as_utf8
from reportgen.read.logs._cut_csv import Sheet
from reportgen.read.logs._numbers import as_number, parsed
from reportgen.read.logs._results import NAMES
from reportgen.read.logs._table import CLOCK_WORDS, RUNS, Numbers, Row, plan_of, read_comma
from reportgen.read.logs._words import is_measure, plain_word, words_of
from reportgen.records.run import Problem
from reportgen.records.study import TablePlan

GLANCE = 1 << 16
"""Bytes of a table that are looked at."""
ROWS = 50
MOST_SHOWN = 8
"""Columns that are named."""
_UNREAD = "looks like a log and is not read"
_UNCLOCKED = f"{_UNREAD}: no column is taken for the step or the epoch"
_TELL_RUNS = frozenset({*map(plain_word, (*RUNS, *NAMES)), "trial", "id", "index", "rank"})
"""What columns are called that number runs, and no steps of one."""
_LONG = frozenset({"age", "duration", "len", "length", "seconds", "size", "time", "year"})
"""Words of columns that tell how long something was, or when."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadTable:
    """The first rows of a file that no loader took for a log.

    Attributes:
        name: POSIX path relative to the root.
        columns: Their names.
        numbers: Those that hold numbers, with the first ones.
    """

    name: str
    columns: tuple[str, ...]
    numbers: Mapping[str, tuple[float, ...]]

    @property
    def measures(self) -> bool:
        """Whether a quarter of the columns of numbers are called like something that is measured.

        Of a data set a column or two may be: `credit_score`, `error_estimate`.
        """
        return 0 < len(self.numbers) <= 4 * sum(map(is_measure, self.numbers))

    @property
    def clock(self) -> str:
        """The column that is called as steps are; empty where none is."""
        return next((name for name in self.numbers if plain_word(name) in CLOCK_WORDS), "")

    @property
    def is_headless(self) -> bool:
        """Whether numbers stand where names of columns should."""
        return all(read_comma(column) is not None for column in self.columns)

    @property
    def counter(self) -> str:
        """The column that counts up evenly, and so may be the step; empty where none does."""
        for name, values in self.numbers.items():
            named = plain_word(name) in _TELL_RUNS or not _LONG.isdisjoint(words_of(name))
            if named or is_measure(name):
                continue
            whole = all(math.isfinite(v) and v == int(v) for v in values)
            strides = {after - before for before, after in pairwise(values)}
            if whole and len(strides) == 1 and min(strides) > 0:
                return name
        return ""


def look_into(path: Path, name: str) -> UnreadTable | None:
    """Look at the first rows of a file; None where it holds no row with a number."""
    try:
        with path.open("rb", buffering=0) as stream:
            content = stream.read(GLANCE)
    except OSError:
        return None
    if name.lower().endswith((".csv", ".tsv")):
        sheet = Sheet(content, name)
        number: Numbers = sheet.number
        rows: list[Row] = [cut.cells for cut in islice(sheet.rows(), ROWS) if cut.cells]
    else:
        number, rows = as_number, _json_rows(content)
    columns = tuple(dict.fromkeys(column for row in rows for column in row if column))
    numbers = {column: values for column in columns if (values := _numbers(rows, column, number))}
    return UnreadTable(name=name, columns=columns, numbers=numbers) if numbers else None


def _json_rows(content: bytes) -> list[Row]:
    lines = as_utf8(content)[0].removeprefix(BOM).splitlines()[:ROWS]
    return [found for line in lines if isinstance(found := parsed(line), dict)]


def _numbers(rows: Iterable[Row], column: str, number: Numbers) -> tuple[float, ...]:
    """Return the numbers of a column; nothing where most of its cells are none."""
    cells = [cell for row in rows if (cell := row.get(column)) not in (None, "")]
    found = [value for cell in cells if (value := number(cell)) is not None]
    return tuple(found) if 2 * len(found) > len(cells) else ()


def tell_tables(tables: Sequence[UnreadTable], read: Sequence[str]) -> list[Problem]:
    """Return one problem a folder, with the line of a study file that makes its tables readable."""
    by_look: dict[tuple[str, tuple[str, ...]], list[UnreadTable]] = {}
    for table in tables:
        by_look.setdefault((table.name.rpartition("/")[0], table.columns), []).append(table)
    return [_tell(folder, alike, read) for (folder, _), alike in by_look.items()]


def _tell(folder: str, alike: Sequence[UnreadTable], read: Sequence[str]) -> Problem:
    first = alike[0]
    shown = ", ".join(f"'{column[:40]}'" for column in first.columns[:MOST_SHOWN])
    if first.is_headless:
        return Problem(
            path=first.name,
            message=f"{_UNREAD}: its first line names no columns: {shown}",
            remedy="write names above the numbers, such as epoch,train_loss,val_acc",
        )
    if first.clock and not any(map(is_measure, first.numbers)):
        measured = "" if len(first.numbers) == 1 else " of what was measured"
        return Problem(
            path=first.name,
            message=f"{_UNREAD}: no column beside {first.clock!r} holds plain numbers{measured}",
            remedy="write each value as a plain number, such as 0.5",
        )
    more = f" and {len(first.columns) - MOST_SHOWN} more" if len(first.columns) > MOST_SHOWN else ""
    several = f"; so do {len(alike) - 1} more beside it" if len(alike) > 1 else ""
    step = json.dumps(first.counter, ensure_ascii=False) if first.counter else "..."
    line = f"[[logs.tables]] match = {json.dumps(_match(folder, alike, read))}, step = {step}"
    told = f"name it in the study file: {line}"
    if not first.counter:
        told = f"where a column counts, {told}; where each row is a result, call a column `run`"
    return Problem(path=first.name, message=f"{_UNCLOCKED}: {shown}{more}{several}", remedy=told)


def _match(folder: str, alike: Sequence[UnreadTable], read: Sequence[str]) -> str:
    """Return a pattern of these tables and of no file that is read as it is."""
    path = PurePosixPath(alike[0].name)
    patterns = [f"*/*{path.suffix}"] if len(alike) > 1 else [f"*/{path.name}", str(path)]
    patterns.append(f"{folder}/*{path.suffix}" if folder else f"*{path.suffix}")
    for pattern in patterns:
        plans = [TablePlan(match=pattern)]
        if not any(plan_of(name, plans) for name in read):
            return pattern
    return str(path)
