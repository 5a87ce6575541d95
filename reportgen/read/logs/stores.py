"""Stores that are no text: arrays of numpy, and databases of SQLite."""

from __future__ import annotations

import json
import math
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from reportgen.read.logs._collected import Table
from reportgen.read.logs._cut_json import Objects
from reportgen.read.logs._files import FileReader, read_through
from reportgen.read.logs._numbers import as_number
from reportgen.read.logs.mlflow_store import read_parameter, states, table_of
from reportgen.read.logs.sources import LogSource, sources_of
from reportgen.records.run import Log, Problem
from reportgen.records.study import TablePlan

ARRAYS, DATABASE, MLFLOW = "arrays", "database", "mlflow_db"
ARRAYS_LIMIT = 1 << 26
"""Bytes of all arrays of one file, as they are in memory."""

_PACKING = (zipfile.BadZipFile, zlib.error)
"""What is raised of damaged archives; of encrypted ones it is `RuntimeError`."""

ROW_LIMIT = 2_000_000
TEXT_LIMIT = 1 << 20
MARK = b"SQLite format 3\0"
SIZE_LIMIT = 1 << 31

STEPS = 1 << 20
PATIENCE = 1 << 13
"""SQLite is asked to stop after so many times so many steps of its machine."""

MLFLOW_ROWS = 20_000_000
INFINITE = 1.7976931348623157e308
"""What MLflow writes for an infinite value."""

_MLFLOW_TABLES = {
    "runs": ("run_uuid", "name", "status", "lifecycle_stage", "experiment_id"),
    "experiments": ("experiment_id", "name"),
    "metrics": ("run_uuid", "key", "value", "timestamp", "step", "is_nan"),
    "params": ("run_uuid", "key", "value"),
    "tags": ("run_uuid", "key", "value"),
}
"""Source: `mlflow/store/tracking/dbmodels/models.py`."""


class _StoreError(ValueError):
    """A database that is no store of MLflow, or is more than one run after another."""


# --- arrays ---------------------------------------------------------------------------------


def load_arrays(path: Path, name: str) -> tuple[Log, ...]:
    """Read `evaluations.npz` of Stable-Baselines3: of every evaluation the mean over episodes.

    Returns:
        One log a session; none for other arrays. Nothing is unpickled.
    """
    _, empty = read_through(path, name, ARRAYS)
    if empty.problems:
        return (empty,)
    try:
        arrays = _arrays(path)
    except (OSError, ValueError, EOFError, KeyError, RuntimeError, *_PACKING) as error:
        message = f"no arrays of numpy that can be read: {error}"
        return (replace(empty, problems=(Problem(path=name, message=message),)),)
    for source in sources_of(ARRAYS, path=name):
        if all(key in arrays for key in source.look):
            return _evaluated(arrays, source, replace(empty, program=source.program))
    return ()


def _arrays(path: Path) -> dict[str, np.ndarray[Any, Any]]:
    with zipfile.ZipFile(path) as archive:
        if sum(member.file_size for member in archive.infolist()) > ARRAYS_LIMIT:
            raise ValueError(f"more than {ARRAYS_LIMIT} bytes of arrays")
    loaded = np.load(path, allow_pickle=False)
    if not hasattr(loaded, "files"):
        raise ValueError("one array, and no archive of several")
    with loaded as found:
        arrays = ((key, found[key]) for key in found.files)
        return {key: one for key, one in arrays if isinstance(one, np.ndarray) and _is_plain(one)}


def _is_plain(array: np.ndarray[Any, Any]) -> bool:
    return array.dtype.kind in "biuf"


def _evaluated(
    arrays: dict[str, np.ndarray[Any, Any]], source: LogSource, empty: Log
) -> tuple[Log, ...]:
    table = Table(plan=TablePlan(step="step"), path=empty.source.path, number=as_number)
    table.place = "evaluation"
    means = {
        tag: np.asarray(arrays[key], dtype=np.float64).reshape(len(arrays[key]), -1).mean(axis=1)
        for key, tag in source.tags.items()
        if key in arrays and arrays[key].ndim and len(arrays[key]) and arrays[key].size
    }
    for number, step in enumerate(np.ravel(arrays[source.look[0]]).tolist()):
        row = {tag: float(one[number]) for tag, one in means.items() if number < len(one)}
        table.add({"step": step, **row}, number + 1, 0)
    return table.logs(empty)


# --- databases ------------------------------------------------------------------------------


def _open_database(path: Path) -> sqlite3.Connection:
    """Open a database that nothing changes, and in which nothing of a stranger is run."""
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    left = PATIENCE

    def grows_late() -> int:
        nonlocal left
        left -= 1
        return left < 0

    connection.set_progress_handler(grows_late, STEPS)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, TEXT_LIMIT)
    connection.text_factory = lambda text: text.decode("utf-8", "backslashreplace")
    # Nothing that a stranger's schema may call has an effect.
    connection.execute("PRAGMA trusted_schema=OFF")
    return connection


def _tables_in(connection: sqlite3.Connection) -> set[str]:
    """Return the names of plain tables: no views, and none that code stands behind."""
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    return {str(name) for name, sql in found if "VIRTUAL" not in str(sql).upper()}


def load_database(path: Path, name: str) -> tuple[Log, ...]:
    """Read a database of SQLite, which is opened to be read only, and never changed.

    Returns:
        The logs of every run in it; none for databases of other programs.
    """
    reader, empty = read_through(path, name, DATABASE)
    if empty.problems:
        return (empty,) if reader.size or reader.problem else ()
    if not reader.head.startswith(MARK) or reader.size > SIZE_LIMIT:
        return ()
    try:
        with closing(_open_database(path)) as connection:
            tables = _tables_in(connection)
            for source in sources_of(DATABASE, path=name):
                if tables >= set(source.look) and (found := _read(connection, source, name)):
                    return found.logs(replace(empty, program=source.program))
            if {"runs", "experiments", "metrics"} <= tables:
                return load_mlflow_db(path, name)
    except (sqlite3.Error, MemoryError, OverflowError, UnicodeError):
        return ()
    return ()


@dataclass(slots=True)
class _Runs:
    """What a database holds, by run."""

    table: Table
    settings: dict[str, dict[str, object]] = field(default_factory=dict)
    texts: dict[str, dict[str, str]] = field(default_factory=dict)
    problems: dict[str, tuple[Problem, ...]] = field(default_factory=dict)
    results: dict[str, dict[str, float]] = field(default_factory=dict)
    count: int = 0

    def add(self, row: Mapping[str, object]) -> None:
        """Add one row of points."""
        self.count += 1
        self.table.add(row, self.count, 0)

    def logs(self, empty: Log) -> tuple[Log, ...]:
        """Return a log a run and session, and one a run that has results alone."""
        found = [*self.table.logs(empty)] if self.table.used else []
        known = {log.run_key for log in found}
        found += [replace(empty, run_key=key) for key in self.results if key not in known]
        last = {log.run_key: number for number, log in enumerate(found)}
        return tuple(self._told(log, is_last=last[log.run_key] == n) for n, log in enumerate(found))

    def _told(self, log: Log, *, is_last: bool) -> Log:
        """Return a session of a run with what is known of the run."""
        key = log.run_key
        return replace(
            log,
            config=self.settings.get(key, {}),
            texts=self.texts.get(key, {}),
            results=self.results.get(key, {}) if is_last else {},
            problems=(*log.problems, *(() if log.session else self.problems.get(key, ()))),
        )


def _read(connection: sqlite3.Connection, source: LogSource, path: str) -> _Runs | None:
    """Return what the queries give; None where the tables have other columns."""
    plan = TablePlan(step="step", time="time", runs=("run",))
    table = Table(plan=plan, path=path, number=as_number, place="row", named=True)
    found = _Runs(table)
    for part, query in source.queries.items():
        try:
            for row in islice(connection.execute(query), ROW_LIMIT):
                _PARTS[part](found, row)
        except sqlite3.Error:
            # Older versions lack a table of settings.
            if part == "points":
                return None
    return found if table.used or found.results else None


def _take_points(found: _Runs, row: tuple[Any, ...]) -> None:
    """Take a run, its step, the time, and one value, or an object of JSON with several."""
    run, step, time, *rest = row
    cells: dict[str, object] = {"run": _name(run), "step": step, "time": time}
    if len(rest) == 1:
        cells = {**_object(rest[0]), **cells}
    else:
        cells[str(rest[0])] = rest[1]
    found.add(cells)


def _object(cell: object) -> dict[str, object]:
    """Return what an object of JSON holds, with nested keys joined."""
    content = cell if isinstance(cell, bytes) else str(cell).encode("utf-8", "replace")
    objects = Objects(FileReader(Path()))
    inside = objects.read(content[:TEXT_LIMIT], 0)
    return objects.flat(inside) if isinstance(inside, dict) else {}


def _take_settings(found: _Runs, row: tuple[Any, ...]) -> None:
    """Take a run, a setting, its value, and the choices of which the value is the number.

    Or a run and an object of JSON with all its settings.
    """
    if len(row) == 2:
        own = {key: one for key, one in _object(row[1]).items() if not key.startswith("_")}
        found.settings.setdefault(_name(row[0]), {}).update(own)
        return
    run, key, value, *choices = row
    try:
        told = json.loads(str(choices[0])) if choices else {}
        value = told["attributes"]["choices"][int(value)]
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        pass
    found.settings.setdefault(_name(run), {})[str(key)] = value


def _take_results(found: _Runs, row: tuple[Any, ...]) -> None:
    run, key, value = row
    number = as_number(value)
    if number is not None:
        found.results.setdefault(_name(run), {})[str(key)] = number


def _name(run: object) -> str:
    return str(run).replace("/", "_")


_PARTS: dict[str, Callable[[_Runs, tuple[Any, ...]], None]] = {
    "points": _take_points,
    "settings": _take_settings,
    "results": _take_results,
}


# --- MLflow ---------------------------------------------------------------------------------


def load_mlflow_db(path: Path, name: str) -> tuple[Log, ...]:
    """Read every run of MLflow's database, which is opened to be read only, and never changed.

    Returns:
        One log a run and session, whose `run_key` is the run's id; one that says why, where
        there is none.
    """
    reader, empty = read_through(path, name, MLFLOW)
    if empty.problems:
        return (empty,)
    if reader.size > SIZE_LIMIT:
        problem = Problem(path=name, message=f"larger than {SIZE_LIMIT} bytes; not read")
        return (replace(empty, problems=(problem,)),)
    if not reader.head.startswith(MARK):
        problem = Problem(path=name, message="not a database of SQLite", offset=0)
        return (replace(empty, problems=(problem,)),)
    found = _Runs(table_of(name, "row"))
    problems: list[Problem] = []
    try:
        with closing(_open_database(path)) as connection:
            problems += _read_runs(connection, found, name)
            for row in _rows(connection, "metrics"):
                if row[0] in found.texts:
                    found.add(_point(row))
    # A damaged length is more memory than there is, to SQLite, and more than a number can hold;
    # a damaged schema stands in SQLite's message, which Python decodes.
    except (sqlite3.Error, _StoreError, MemoryError, OverflowError, UnicodeError) as error:
        told = "" if isinstance(error, UnicodeError) else str(error)
        message = f"no store of MLflow that can be read: {told or 'it is damaged'}"
        problems.append(Problem(path=name, message=message))
    problems += _beside(path, name)
    if not found.table.used and not problems:
        problems = [Problem(path=name, message="no run in it has logged a metric")]
    empty = replace(empty, problems=tuple(problems))
    logs = sorted(found.logs(empty), key=lambda log: log.run_key)
    return tuple(logs) or (empty,)


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
    if table not in _tables_in(connection):
        if optional:
            return
        raise _StoreError(f"it has no table {table!r}")
    columns = ", ".join(f'"{column}"' for column in _MLFLOW_TABLES[table])
    # The names are ours, as they stand above.
    found = connection.execute(f"SELECT {columns} FROM {table}")  # noqa: S608
    for count, row in enumerate(found):
        if count >= MLFLOW_ROWS:
            raise _StoreError(
                f"table {table!r} has more than {MLFLOW_ROWS} rows; the rest is left out"
            )
        yield row


def _read_runs(connection: sqlite3.Connection, found: _Runs, path: str) -> Iterator[Problem]:
    """Take what is known of each run that counts, by its id, and tell of those deleted."""
    experiments = dict(_rows(connection, "experiments", optional=True))
    for key, name, status, stage, experiment in _rows(connection, "runs"):
        ended = tuple(states(path, f"run {key}", status, stage))
        if stage == "deleted":
            yield from ended
            continue
        found.problems[key] = ended
        found.settings[key] = {}
        found.texts[key] = {
            "mlflow/run_name": str(name or ""),
            "mlflow/experiment": str(experiments.get(experiment, experiment)),
        }
    for key, name, value in _rows(connection, "params", optional=True):
        if key in found.settings:
            found.settings[key][str(name)] = read_parameter(str(value))
    for key, name, value in _rows(connection, "tags", optional=True):
        if key in found.texts:
            found.texts[key][f"mlflow/{name}"] = str(value)


def _point(row: tuple[Any, ...]) -> dict[str, object]:
    """Return the cells of a row, in which MLflow writes no NaN and nothing infinite."""
    run, tag, value, clock, step, is_nan = row
    number, time = as_number(value), as_number(clock)
    if number is not None and abs(number) >= INFINITE:
        value = number * math.inf
    seconds = None if time is None else time / 1000
    value = math.nan if is_nan else value
    return {"run": run, "tag": tag, "value": value, "step": step, "time": seconds}
