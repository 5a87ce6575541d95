"""MLflow's SQLite store (`mlflow.db`): every run of every experiment, in one file.

Source: `mlflow/store/tracking/dbmodels/models.py`.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from reportgen.read.logs._columns import Columns, is_step
from reportgen.read.logs._files import FileReader, count_points, find_fault, source_of
from reportgen.read.logs._mlflow import read_parameter, repeats, states
from reportgen.read.logs._numbers import as_number
from reportgen.read.logs._sqlite import MARK, SIZE_LIMIT, open_database
from reportgen.records.run import Log, Problem, Source

KIND = "mlflow_db"
ROW_LIMIT = 20_000_000

INFINITE = 1.7976931348623157e308
"""What MLflow writes for an infinite value."""

_TABLES = {
    "runs": ("run_uuid", "name", "status", "lifecycle_stage", "experiment_id"),
    "experiments": ("experiment_id", "name"),
    "metrics": ("run_uuid", "key", "value", "timestamp", "step", "is_nan"),
    "params": ("run_uuid", "key", "value"),
    "tags": ("run_uuid", "key", "value"),
}


class _StoreError(ValueError):
    """A database that is no store of MLflow, or is more than one run after another."""


def load_mlflow_db(path: Path, name: str) -> tuple[Log, ...]:
    """Read every run of a database, which is opened to be read only, and never changed.

    Args:
        path: The file.
        name: POSIX path relative to the root.

    Returns:
        One log a run, whose `run_key` is its id; one that says why, where there is none.
    """
    reader = FileReader(path)
    head = b""
    for chunk in reader.chunks():
        head = head or chunk[:64]
    source = source_of(reader, name, KIND)
    problem = find_fault(reader, head, name)
    if problem is None and reader.size > SIZE_LIMIT:
        problem = Problem(path=name, message=f"larger than {SIZE_LIMIT} bytes; not read")
    if problem is None and not head.startswith(MARK):
        problem = Problem(path=name, message="not a database of SQLite", offset=0)
    if problem is not None:
        return (Log(source=source, problems=(problem,)),)
    store = _Store(name)
    try:
        with closing(open_database(path)) as connection:
            store.read(connection)
    # A damaged length is more memory than there is, to SQLite, and more than a number can hold;
    # a damaged schema stands in SQLite's message, which Python decodes.
    except (sqlite3.Error, _StoreError, MemoryError, OverflowError, UnicodeError) as error:
        told = "" if isinstance(error, UnicodeError) else str(error)
        message = f"no store of MLflow that can be read: {told or 'it is damaged'}"
        store.problems.append(Problem(path=name, message=message))
    logs = [store.log(key, source) for key in sorted(store.runs) if store.runs[key].columns]
    problems = [*store.problems, *_beside(path, name)]
    if not logs and not problems:
        problems = [Problem(path=name, message="no run in it has logged a metric")]
    if problems:
        # A run's log carries what is wrong with the whole file, which has no run of its own.
        first = logs[0] if logs else Log(source=source)
        logs[:1] = [replace(first, problems=(*problems, *first.problems))]
    return tuple(logs)


def _beside(path: Path, name: str) -> Iterator[Problem]:
    """Say so where a server has written what is not yet in the file itself."""
    for suffix in ("-wal", "-journal"):
        beside = path.with_name(path.name + suffix)
        if beside.is_file() and beside.stat().st_size:
            yield Problem(
                path=name,
                message=f"changes in {beside.name} are not read",
                remedy="stop the MLflow server, which puts them into the file",
            )


def _rows(connection: sqlite3.Connection, table: str, *, optional: bool = False) -> Iterator[Any]:
    """Yield the rows of a table, in the order in which they were written.

    Raises:
        _StoreError: There is no such table, it is a view, or it has too many rows.
    """
    kinds = connection.execute(
        "SELECT type, sql FROM sqlite_master WHERE name = ? AND type IN ('table', 'view')", (table,)
    ).fetchall()
    if optional and not kinds:
        return
    if len(kinds) != 1 or kinds[0][0] != "table" or "VIRTUAL" in str(kinds[0][1]).upper():
        raise _StoreError(f"it has no table {table!r}")
    columns = ", ".join(f'"{column}"' for column in _TABLES[table])
    # The names are ours, as they stand above.
    found = connection.execute(f"SELECT {columns} FROM {table}")  # noqa: S608
    for count, row in enumerate(found):
        if count >= ROW_LIMIT:
            raise _StoreError(
                f"table {table!r} has more than {ROW_LIMIT} rows; the rest is left out"
            )
        yield row


@dataclass(slots=True)
class _Run:
    """What the tables hold of one run.

    Attributes:
        odd: Values of its metrics that are no numbers, or have no step.
    """

    columns: Columns = field(default_factory=Columns)
    config: dict[str, object] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    state: tuple[object, object] = (None, None)
    odd: int = 0


@dataclass(slots=True)
class _Store:
    """Every run of a database, by its id."""

    path: str
    runs: dict[str, _Run] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def read(self, connection: sqlite3.Connection) -> None:
        experiments = dict(_rows(connection, "experiments", optional=True))
        for key, name, status, stage, experiment in _rows(connection, "runs"):
            if stage == "deleted":
                self.problems.extend(states(self.path, f"run {key}", status, stage))
                continue
            run = self.runs[str(key)] = _Run(state=(status, stage))
            run.texts["mlflow/run_name"] = str(name or "")
            run.texts["mlflow/experiment"] = str(experiments.get(experiment, experiment))
        for key, name, value in _rows(connection, "params", optional=True):
            if key in self.runs:
                self.runs[key].config[str(name)] = read_parameter(str(value))
        for key, name, value in _rows(connection, "tags", optional=True):
            if key in self.runs:
                self.runs[key].texts[f"mlflow/{name}"] = str(value)
        for row in _rows(connection, "metrics"):
            if row[0] in self.runs:
                _add(self.runs[row[0]], row)

    def log(self, key: str, source: Source) -> Log:
        run, path = self.runs[key], source.path
        series = run.columns.series(path)
        problems = [*states(path, f"run {key}", *run.state)]
        for tag, one in series.items():
            problems.extend(repeats(path, f"run {key}, {tag}", one))
        if run.odd:
            message = f"run {key}: values without a number or a step, left out: {run.odd}"
            problems.append(Problem(path=path, message=message))
        own = replace(source, points=count_points(series))
        return Log(
            source=own,
            series=series,
            config=run.config,
            texts=run.texts,
            problems=tuple(problems),
            run_key=key,
        )


def _add(run: _Run, row: tuple[Any, ...]) -> None:
    _, tag, value, clock, step, is_nan = row
    number, time = as_number(value), as_number(clock)
    if number is None or not is_step(step):
        run.odd += 1
        return
    if abs(number) >= INFINITE:
        number *= math.inf
    wall_time = math.nan if time is None else time / 1000
    run.columns[str(tag)].add(step, math.nan if is_nan else number, wall_time)
