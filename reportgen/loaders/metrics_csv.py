"""CSV logs with a step or epoch column; Lightning's `metrics.csv` leaves most cells empty."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from reportgen.loaders._columns import Columns
from reportgen.loaders._files import count_points, read_text
from reportgen.records.run import Log, Problem, Source

KIND = "metrics_csv"
LIGHTNING_NAME = "metrics.csv"
_STEP_NAMES = ("step", "global_step", "iteration", "iter", "num_updates", "epoch")
_TIME_NAMES = ("wall_time", "wall time", "walltime", "timestamp")
_LISTED = 20


def load_metrics_csv(path: Path, name: str) -> tuple[Log, ...]:
    """Read a CSV log: one series a numeric column, one point a filled cell.

    Args:
        path: The file.
        name: POSIX path relative to the root.

    Returns:
        One log, or none where a CSV file has no step column and so is no log.
    """
    content, empty = read_text(path, name, KIND)
    expected = name.rpartition("/")[2] == LIGHTNING_NAME
    if empty.problems:
        # An empty CSV file may be anything; one that cannot be read may be a log.
        nothing = empty.problems[0].message.startswith("the file is empty")
        return () if nothing and not expected else (empty,)
    rows = csv.reader(io.StringIO(content.decode("utf-8-sig", "replace"), newline=""))
    columns = Columns()
    problems: list[Problem] = []
    try:
        header = [cell.strip() for cell in next(rows, [])]
        clock = _clock(header)
        if clock is None:
            problem = Problem(path=name, message="no step or epoch column: not a log")
            return (Log(source=empty.source, problems=(problem,)),) if expected else ()
        problems = _fill(columns, header, clock, rows, name)
    except csv.Error as error:
        problems.append(Problem(path=name, message=f"line {rows.line_num} is no CSV: {error}"))
    series = columns.series(name)
    if not series and not problems:
        problems.append(Problem(path=name, message="only a header: no point was logged"))
    source = Source(
        path=name,
        kind=KIND,
        size=empty.source.size,
        sha256=empty.source.sha256,
        points=count_points(series),
    )
    return (Log(source=source, series=series, problems=tuple(problems)),)


def _clock(header: Sequence[str]) -> int | None:
    lowered = [cell.lower() for cell in header]
    return next((lowered.index(name) for name in _STEP_NAMES if name in lowered), None)


def _fill(
    columns: Columns, header: Sequence[str], clock: int, rows: Iterable[list[str]], name: str
) -> list[Problem]:
    lowered = [cell.lower() for cell in header]
    time = next((lowered.index(n) for n in _TIME_NAMES if n in lowered), None)
    bad: list[str] = []
    for number, row in enumerate(rows, start=2):
        if not any(cell.strip() for cell in row):
            continue
        step = _read_number(row[clock]) if clock < len(row) else None
        if step is None or step != int(step) or len(row) > len(header):
            bad.append(f"row {number} has no step that can be read, or too many cells")
            continue
        wall_time = _read_number(row[time]) if time is not None and time < len(row) else None
        for index, cell in enumerate(row):
            value = _read_value(cell) if index not in (clock, time) else None
            if value is not None and header[index]:
                columns[header[index]].add(int(step), value, wall_time or float("nan"))
    problems = [Problem(path=name, message=text) for text in bad[:_LISTED]]
    if len(bad) > _LISTED:
        problems.append(Problem(path=name, message=f"{len(bad) - _LISTED} more rows like it"))
    return problems


def _read_number(cell: str) -> float | None:
    """Read a finite number, None where the cell holds none."""
    value = _read_value(cell)
    return value if value is not None and abs(value) < 2**63 else None


def _read_value(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None
