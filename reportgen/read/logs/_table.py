"""Rows of a log, whatever file they stand in: which column is the step, and what all others are."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from fnmatch import fnmatchcase

from reportgen.read.logs._clocks import counted_column
from reportgen.read.logs._columns import Columns
from reportgen.read.logs._files import count_points
from reportgen.read.logs._numbers import OddCells, repeats
from reportgen.records.run import Log, Problem
from reportgen.records.study import TablePlan

STEPS = (
    "step", "global_step", "_step", "iteration", "iter", "num_updates", "update", "epoch",
)  # fmt: skip
"""What a step is called, in order of preference."""

TIMES = ("wall_time", "wall time", "walltime", "timestamp", "_timestamp")
RUNS = ("run", "run_name", "seed")
SPLITS = ("split", "subset", "phase", "mode")
TAGS = ("tag", "metric")
VALUES = ("value",)

LISTED = 20

TAG_LIMIT = 10_000
"""More columns than these are no log that somebody reads."""

_BEARABLE = 0.1
"""Share of the values that may be left out without a warning where the rows begin anew."""

_SEED = re.compile(r"(?:^|/)seed(\d{1,18})(?:/|$)")

Row = Mapping[str, object]
Numbers = Callable[[object], float | None]


def plan_of(name: str, tables: Sequence[TablePlan]) -> TablePlan | None:
    """Return the first plan that matches a file's path, None where none does.

    Example:
        >>> plans = [TablePlan(match="*/log.txt", step="n")]
        >>> plan_of("a/log.txt", plans) == plan_of("log.txt", plans) == plans[0]
        True
    """
    return next(
        (t for t in tables if any(fnmatchcase(p, t.match) for p in (name, f"/{name}"))), None
    )


def kind_of(plan: TablePlan, name: str) -> str:
    """Return which loader reads a file that a plan matches.

    Example:
        >>> [kind_of(TablePlan(), name) for name in ("a.csv", "log.txt")]
        ['metrics_csv', 'json_lines']
    """
    named = plan.delimiter or name.lower().endswith((".csv", ".tsv", ".dat"))
    csv = plan.format == "csv" or (not plan.format and named)
    return "metrics_csv" if csv else "json_lines"


def infer_plan(
    rows: Sequence[Row], number: Numbers, header: Sequence[str] = ()
) -> TablePlan | None:
    """Return what the names of columns say, None where none is a step.

    Args:
        rows: The first ones, which need not all have the same columns.
        number: How a cell is read.
        header: Names of columns where the file states them; then a column that is named like a
            step is one, whatever it holds, and where none is, one that counts is the step.

    Example:
        >>> rows = [{"Epoch": 1.0, "phase": "val", "acc": 0.5}]
        >>> plan = infer_plan(rows, lambda cell: cell if isinstance(cell, float) else None)
        >>> plan.step, plan.split, infer_plan([{"text": "a"}], lambda _: None)
        ('Epoch', 'phase', None)
    """
    names = list(header) or list(dict.fromkeys(name for row in rows for name in row))
    step = _named(names, STEPS, lambda name: _is_clock(rows, name, number))
    step = step or (_named(names, STEPS) if header else "")
    if header and not step:
        step = counted_column(names, [[number(row.get(n)) for row in rows] for n in names])
    if not step:
        return None

    def tells_apart(name: str) -> bool:
        return _is_text(rows, name, number) or _is_clock(rows, name, number)

    tag = _named(names, TAGS, lambda name: _is_text(rows, name, number))
    value = _named(names, VALUES) if tag else ""
    return TablePlan(
        step=step,
        time=_named(names, TIMES),
        split=_named(names, SPLITS, lambda name: _is_text(rows, name, number)),
        tag=tag if value else "",
        value=value,
        runs=tuple(name for word in RUNS if (name := _named(names, (word,), tells_apart))),
    )


def _named(names: Sequence[str], wanted: Sequence[str], fits: Callable[[str], bool] = bool) -> str:
    by_word = {name.strip().lower(): name for name in reversed(names)}
    return next((by_word[word] for word in wanted if word in by_word and fits(by_word[word])), "")


def _is_clock(rows: Sequence[Row], name: str, number: Numbers) -> bool:
    """Tell whether a column counts: whole numbers, in at least half of the rows."""
    found = [number(row[name]) for row in rows if row.get(name) not in (None, "")]
    whole = [n for n in found if n is not None and n.is_integer()]
    return 2 * len(whole) >= len(rows) and 2 * len(whole) > len(found)


def _is_text(rows: Sequence[Row], name: str, number: Numbers) -> bool:
    found = [row[name] for row in rows if row.get(name) not in (None, "")]
    return bool(found) and all(isinstance(cell, str) and number(cell) is None for cell in found)


def run_of(row: Row, plan: TablePlan, number: Numbers) -> str:
    """Return what tells a row's run from others of the file, as a path.

    A number goes with the name of its column.

    Example:
        >>> plan = TablePlan(runs=("model", "seed"))
        >>> run_of({"model": "small", "seed": "3"}, plan, read_cell)
        'small/seed3'
    """
    parts = []
    for name in plan.runs:
        value, text = number(row.get(name)), str(row.get(name) or "").strip()
        if value is not None:
            text = f"{name.strip().lower()}{value:g}"
        parts.append(text.replace("/", "_"))
    return "/".join(part for part in parts if part)


@dataclass(slots=True)
class Table:
    """Takes rows in and gives series out.

    Attributes:
        plan: Which column is what.
        path: The file, as it is reported.
        number: How a cell is read.
        columns: Run to its columns; empty for the only run of a file.
        count: Rows that could not be used; the first of them are in `problems`.
        made: Tags of all runs, and those that were too many.
        nothing: What to say where there was no row.
        tags: Column to the tag of its numbers, as far as it was looked up.
        odd: Cells that are no numbers.
        told: Whether columns of names were found that tell its runs apart.
        counted: Whether its step is a column that is called neither step nor epoch.
        places: Run to its first step and that of its last row.
        over: Runs whose rows go back to their first step.
    """

    plan: TablePlan
    path: str
    number: Numbers
    columns: dict[str, Columns] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    count: int = 0
    made: int = 0
    nothing: str = ""
    tags: dict[str, str] = field(default_factory=dict)
    odd: OddCells = field(init=False)
    told: bool = False
    counted: bool = False
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    over: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.odd = OddCells(self.path)

    def add(self, row: Row, line: int, offset: int) -> None:
        """Add the numbers of one row.

        Args:
            row: Column to cell.
            line: Where it begins, counted from 1.
            offset: Its first byte.
        """
        clock = self.plan.step or self.plan.epoch
        at = self.number(row.get(clock))
        if at is None or not at.is_integer() or abs(at) >= 2**63:
            if any(cell not in (None, "") for cell in row.values()):
                self.refuse(f"has no {clock!r} that is a whole number", line, offset)
            return
        time = read_time(row.get(self.plan.time)) if self.plan.time else math.nan
        before = str(row.get(self.plan.split) or "").strip() if self.plan.split else ""
        run = run_of(row, self.plan, self.number)
        columns = self.columns.setdefault(run, Columns())
        self._follow(run, int(at))
        for tag, cell in self._cells(row, clock):
            tag = f"{before}/{tag}" if before and tag != "epoch" else tag  # noqa: PLW2901
            value = self.number(cell)
            if value is None:
                self.odd.add(tag, cell, line)
                continue
            if tag not in columns:
                self.made += 1
            if self.made > TAG_LIMIT and tag not in columns:
                continue
            columns[tag].add(int(at), value, time)

    def _follow(self, run: str, step: int) -> None:
        """Notice where the rows of a run go back to its first step, as those of another would."""
        first, before = self.places.get(run, (step, step))
        if step == first < before:
            self.over.add(run)
        self.places[run] = (first, step)

    def _cells(self, row: Row, clock: str) -> Iterator[tuple[str, object]]:
        """Yield (tag, cell) of a row, for cells that may hold a point."""
        plan = self.plan
        if plan.tag:
            told = str(row.get(plan.tag) or "").strip()
            if told and (not plan.columns or told in plan.columns):
                yield plan.columns.get(told, told), row.get(plan.value)
            return
        # What tells the rows apart is a value too, where it is an epoch: it says what steps count.
        epoch = plan.epoch or (clock if clock.strip().lower() == "epoch" else "")
        if epoch:
            yield "epoch", row.get(epoch)
        for name, cell in row.items():
            tag = self.tags.get(name)
            if tag is None:
                tag = self.tags[name] = self._tag(name, clock)
            if tag and cell not in (None, ""):
                yield tag, cell

    def _tag(self, name: str, clock: str) -> str:
        """Return the tag of a column's numbers, empty where they are no points."""
        taken = {clock, self.plan.time, self.plan.split, self.plan.epoch, *self.plan.runs}
        if name in taken:
            return ""
        if self.plan.columns:
            return self.plan.columns.get(name, "")
        # A name that begins with an underscore is the program's own.
        return "" if name.startswith("_") else name

    def refuse(self, reason: str, line: int, offset: int) -> None:
        """Leave a line out, and say which."""
        self.count += 1
        if self.count <= LISTED:
            message = f"line {line} {reason}; left out"
            self.problems.append(Problem(path=self.path, message=message, offset=offset))

    def tell_end(self, what: str, line: int, offset: int) -> None:
        """Say what the matter is with the last line, which has no end."""
        self.problems.append(
            Problem(
                path=self.path,
                message=f"the last line, {line}, {what}",
                remedy="normal while training still runs",
                offset=offset,
                level="note",
            )
        )

    def logs(self, empty: Log) -> tuple[Log, ...]:
        """Return what was read, one log a run, of a file whose source is that of `empty`.

        The first carries what is wrong with the file.
        """
        found = [self._log(key, columns, empty) for key, columns in self.columns.items()]
        found = [log for log in found if log.series] or [Log(source=empty.source)]
        problems = [*self._faults(), *found[0].problems]
        if not found[0].series and not problems:
            problems.append(Problem(path=self.path, message=f"{self.nothing}no point was logged"))
        first = replace(found[0], problems=tuple(problems))
        if len(found) == 1:
            # One run goes by the place of its file, which others of its group have as well.
            seed = _SEED.search(first.run_key)
            first = replace(first, run_key="", config={"seed": int(seed[1])} if seed else {})
        return (first, *found[1:])

    def _log(self, key: str, columns: Columns, empty: Log) -> Log:
        series = columns.series(self.path)
        # Where rows go back into the middle it is a restart, and what it repeats is no loss.
        bearable = _BEARABLE if key in self.over else 1.0
        return Log(
            source=replace(empty.source, points=count_points(series)),
            series=series,
            problems=tuple(
                Problem(
                    path=self.path,
                    message=told,
                    remedy="where a column tells them apart, name it in [[logs.tables]]",
                    level="note" if is_curve and share < bearable else "warning",
                )
                for told, is_curve, share in repeats(series)
            ),
            run_key=key,
            told=self.plan if self.told else None,
            counted=self.plan if self.counted else None,
        )

    def _faults(self) -> list[Problem]:
        problems = [*self.problems]
        if self.count > LISTED:
            message = f"{self.count - LISTED} more lines like these"
            problems.append(Problem(path=self.path, message=message))
        odd = list(self.odd.problems(list(self.columns.values())))
        problems.extend(odd[:LISTED])
        if len(odd) > LISTED:
            message = f"{len(odd) - LISTED} more columns with values that are no numbers"
            problems.append(Problem(path=self.path, message=message))
        if self.made > TAG_LIMIT:
            message = f"more than {TAG_LIMIT} columns; the rest is left out"
            problems.append(Problem(path=self.path, message=message))
        return problems


def read_cell(cell: object) -> float | None:
    """Read a cell of a CSV file as a number, None where it holds none.

    Example:
        >>> [read_cell(c) for c in ("0.5", " 1e-3 ", "", "warm", "1_000")]
        [0.5, 0.001, None, None, None]
    """
    if not isinstance(cell, str) or "_" in cell:
        return None
    try:
        return float(cell)
    except ValueError:
        return None


def read_time(cell: object) -> float:
    """Read a time as seconds since the epoch, NaN where it is none; without a zone it is UTC.

    Example:
        >>> read_time("2024-01-01T00:00:10"), read_time("1700000000.5"), read_time(5)
        (1704067210.0, 1700000000.5, 5.0)
    """
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return float(cell) if abs(cell) < 2**63 else math.nan
    value = read_cell(cell)
    if value is not None or not isinstance(cell, str):
        return math.nan if value is None else value
    try:
        found = datetime.fromisoformat(cell.strip())
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return math.nan
