"""Stores that are no text: arrays of numpy, and databases of SQLite."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from reportgen.read.logs._collected import Table
from reportgen.read.logs._cut_json import Objects
from reportgen.read.logs._files import FileReader, find_fault, source_of
from reportgen.read.logs._numbers import as_number
from reportgen.read.logs._sqlite import MARK, SIZE_LIMIT, open_database, tables_in
from reportgen.read.logs.sources import LogSource, sources_of
from reportgen.records.run import Log, Problem
from reportgen.records.study import TablePlan

ARRAYS, DATABASE = "arrays", "database"
ARRAYS_LIMIT = 1 << 26
"""Bytes of all arrays of one file, as they are in memory."""

ROW_LIMIT = 2_000_000
TEXT_LIMIT = 1 << 20


def load_arrays(path: Path, name: str) -> tuple[Log, ...]:
    """Read `evaluations.npz` of Stable-Baselines3: of every evaluation the mean over episodes.

    Args:
        path: The file.
        name: POSIX path relative to the root.

    Returns:
        One log a session; none for other arrays. Nothing is unpickled.
    """
    reader = FileReader(path)
    head = _head(reader)
    empty = Log(source=source_of(reader, name, ARRAYS))
    problem = find_fault(reader, head, name)
    if problem is not None:
        return (replace(empty, problems=(problem,)),)
    try:
        arrays = _arrays(path)
    except (
        OSError,
        ValueError,
        zipfile.BadZipFile,
        EOFError,
        KeyError,
        NotImplementedError,
    ) as error:
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


def load_database(path: Path, name: str) -> tuple[Log, ...]:
    """Read a database of SQLite, which is opened to be read only, and never changed.

    Args:
        path: The file.
        name: POSIX path relative to the root.

    Returns:
        The logs of every run in it; none for databases of other programs.
    """
    reader = FileReader(path)
    head = _head(reader)
    problem = find_fault(reader, head, name)
    empty = Log(source=source_of(reader, name, DATABASE))
    if problem is not None:
        told = reader.size or reader.problem
        return (replace(empty, problems=(problem,)),) if told else ()
    if not head.startswith(MARK) or reader.size > SIZE_LIMIT:
        return ()
    try:
        with closing(open_database(path)) as connection:
            tables = tables_in(connection)
            for source in sources_of(DATABASE, path=name):
                if tables >= set(source.look) and (found := _read(connection, source)):
                    return found.logs(replace(empty, program=source.program))
            if {"runs", "experiments", "metrics"} <= tables:
                from reportgen.read.logs.mlflow_db import load_mlflow_db

                return load_mlflow_db(path, name)
    except (sqlite3.Error, MemoryError, OverflowError, UnicodeError):
        return ()
    return ()


def _head(reader: FileReader) -> bytes:
    head = b""
    for chunk in reader.chunks():
        head = head or chunk[: 1 << 10]
    return head


@dataclass(slots=True)
class _Runs:
    """What the queries of a source gave, by run."""

    rows: list[dict[str, object]] = field(default_factory=list)
    settings: dict[str, dict[str, object]] = field(default_factory=dict)
    results: dict[str, dict[str, float]] = field(default_factory=dict)

    def logs(self, empty: Log) -> tuple[Log, ...]:
        """Return a log a run and session, and one a run that has results alone."""
        table = Table(
            plan=TablePlan(step="step", time="time", runs=("run",)),
            path=empty.source.path, number=as_number, place="row", named=True,
        )  # fmt: skip
        for number, row in enumerate(self.rows, start=1):
            table.add(row, number, 0)
        found = [*table.logs(empty)] if table.used else []
        known = {log.run_key for log in found}
        found += [replace(empty, run_key=key) for key in self.results if key not in known]
        last = {log.run_key: number for number, log in enumerate(found)}
        return tuple(
            replace(
                log,
                config=self.settings.get(log.run_key, {}),
                results=self.results.get(log.run_key, {}) if last[log.run_key] == number else {},
            )
            for number, log in enumerate(found)
        )


def _read(connection: sqlite3.Connection, source: LogSource) -> _Runs | None:
    """Return what the queries give; None where the tables have other columns."""
    found = _Runs()
    for part, query in source.queries.items():
        try:
            for row in islice(connection.execute(query), ROW_LIMIT):
                _PARTS[part](found, row)
        except sqlite3.Error:
            # Older versions lack a table of settings.
            if part == "points":
                return None
    return found if found.rows or found.results else None


def _take_points(found: _Runs, row: tuple[Any, ...]) -> None:
    """Take a run, its step, the time, and one value, or an object of JSON with several."""
    run, step, time, *rest = row
    cells: dict[str, object] = {"run": _name(run), "step": step, "time": time}
    if len(rest) == 1:
        cells = {**_object(rest[0]), **cells}
    else:
        cells[str(rest[0])] = rest[1]
    found.rows.append(cells)


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
