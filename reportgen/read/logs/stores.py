"""Stores of trackers: arrays of numpy, databases of SQLite, and the file store of MLflow."""

from __future__ import annotations

import json
import math
import re
import sqlite3
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from reportgen.read.logs.collected import Table
from reportgen.read.logs.cut import Objects
from reportgen.read.logs.files import (
    FileReader,
    parse_yaml,
    read_plain,
    read_text,
    read_through,
    unless_empty,
)
from reportgen.read.logs.numbers import as_number, parsed
from reportgen.read.logs.sources import LogSource, sources_of
from reportgen.read.logs.words import end_of
from reportgen.records.run import Log, Problem
from reportgen.records.study import TablePlan

# MLflow's file store: a folder a run, in it a file for each metric, parameter and tag.
#
# Source: `mlflow/store/tracking/file_store.py`.

KIND = "mlflow_store"

_RUN = re.compile(r"(?:.*/)?[0-9a-f]{32}/(?P<part>metrics|params|tags)/(?P<key>.+)", re.DOTALL)
_ENDED = {4: "failed", 5: "was killed", "FAILED": "failed", "KILLED": "was killed"}
_OPEN = (1, 2, "RUNNING", "SCHEDULED")
_UNDONE = {"PRUNED": "pruned", "FAIL": "failed"}
"""Ends of trials of Optuna that have no result; the queries leave them out."""

NAMED = 5
"""Such trials that are named."""

DELETED = "deleted"


def load_mlflow_store(path: Path, name: str) -> tuple[Log, ...]:
    """Read one file of a store; layouts put those of a run together.

    Below the folder of a run, whose name is its id, the path tells metric, parameter and tag,
    which may have slashes in their names.

    Returns:
        One log a session of a metric, a log with a setting, or one with a text; none for a
        `meta.yaml` of other programs.
    """
    found = _RUN.fullmatch(name)
    if found is None:
        return _load_meta(path, name)
    content, empty = read_text(path, name, KIND)
    if empty.problems and (empty.source.size or found["part"] == "metrics"):
        return (empty,)
    key, empty = found["key"], Log(source=empty.source)
    if found["part"] == "metrics":
        return _metric(content, key, empty)
    if found["part"] == "params":
        return (replace(empty, config={key: read_parameter(_text(content))}),)
    return (replace(empty, texts={f"mlflow/{key}": _text(content)}),)


def _text(content: bytes) -> str:
    return content.decode("utf-8", "backslashreplace")


def _metric(content: bytes, key: str, empty: Log) -> tuple[Log, ...]:
    (source,) = sources_of("mlflow_db")
    plan, offset = TablePlan(step="step", time="time", tag="tag", value="value"), 0
    table = Table(plan=plan, path=empty.source.path, number=as_number, logged=True)
    table.remedy = source.remedy
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip() and offset + len(line) == len(content):
            # MLflow ends every line: any number of this one may be half.
            table.tell_end("has no line end: left out", number, offset)
        elif (row := _row(line)) is not None:
            table.add({"tag": key, **row}, number, offset)
        elif line.strip():
            table.refuse("holds no value with its time and step", number, offset)
        offset += len(line) + 1
    return table.logs(empty)


def _row(line: bytes) -> dict[str, object] | None:
    """Return the point of a line: milliseconds, value, step, and perhaps a data set."""
    cells = line.decode("ascii", "replace").split(" ")
    try:
        time, value, step = int(cells[0]) / 1000, float(cells[1]), int([*cells[2:], "0"][0])
    except (ValueError, OverflowError, IndexError):
        return None
    is_point = len(cells) in {2, 3, 5} and abs(step) < 2**63
    return {"time": time, "value": value, "step": step} if is_point else None


def read_parameter(text: str) -> object:
    """Return a parameter as the program had it: MLflow keeps `str(value)`.

    Example:
        >>> [read_parameter(t) for t in ("1e-05", "True", "None", "adam", "[1, 2]")]
        [1e-05, True, None, 'adam', '[1, 2]']
    """
    return None if text == "None" else read_plain(text)


def _load_meta(path: Path, name: str) -> tuple[Log, ...]:
    content, empty = read_text(path, name, KIND)
    if empty.problems:
        return unless_empty(empty)
    meta, problem = parse_yaml(content, name)
    if problem:
        told = b"experiment_id" in content
        return (replace(empty, problems=(problem,)),) if told else ()
    if not isinstance(meta, dict) or "experiment_id" not in meta:
        return ()
    run = meta.get("run_id") or meta.get("run_uuid")
    if run is None:
        return (Log(source=empty.source, texts={"mlflow/experiment": str(meta.get("name", ""))}),)
    texts = {
        "mlflow/run_name": str(meta.get("run_name") or ""),
        "mlflow/stage": str(meta.get("lifecycle_stage")),
    }
    offset = max(0, content.find(b"lifecycle_stage"))
    problems, ended = tuple(_states(meta, name, offset)), end_of(meta.get("status"))
    return (Log(source=empty.source, texts=texts, problems=problems, ended=ended),)


def _states(meta: dict[str, object], name: str, offset: int) -> Iterator[Problem]:
    if "/" not in name:
        yield Problem(
            path=name,
            message="the folder of one run of MLflow, known by its name: its metrics are not read",
            remedy="pass the folder above it",
        )
    stage = meta.get("lifecycle_stage")
    yield from states(name, "the run", meta.get("status"), stage, offset)


def states(
    path: str, run: str, status: object, stage: object, offset: int | None = None
) -> Iterator[Problem]:
    """Say what MLflow thinks of a run, where that is not that it ended well.

    Its status comes as a number or a name; its stage is `active` or `deleted`.
    """
    if stage == DELETED:
        yield Problem(
            path=path,
            message=f"{run} was deleted in MLflow, and is left out",
            remedy="`mlflow runs restore` brings it back",
            offset=offset,
        )
    elif isinstance(status, int | str) and status in _ENDED:
        message = f"{run} {_ENDED[status]}, says MLflow"
        yield Problem(path=path, message=message, offset=offset)
    elif isinstance(status, int | str) and status in _OPEN:
        message = f"{run} did not end, says MLflow: still running, or stopped from outside"
        yield Problem(path=path, message=message, level="note")


# Stores that are no text: arrays of numpy, and databases of SQLite.

ARRAYS, DATABASE, MLFLOW = "arrays", "database", "mlflow_db"
ARRAYS_LIMIT = 1 << 26
"""Bytes of all arrays of one file, as they are in memory."""

_PACKING = (zipfile.BadZipFile, zlib.error)
"""What is raised of damaged archives; of encrypted ones it is `RuntimeError`."""

ROW_LIMIT = 20_000_000
TEXT_LIMIT = 1 << 20
VALUES = "values"
"""The cut of databases with one value a row, beside which its name stands."""

MARK = b"SQLite format 3\0"
SIZE_LIMIT = 1 << 31

STEPS = 1 << 20
PATIENCE = 1 << 13
"""SQLite is asked to stop after so many times so many steps of its machine."""

INFINITE = 1.7976931348623157e308
"""What MLflow writes for an infinite value."""

_FAULTS = (sqlite3.Error, MemoryError, OverflowError, UnicodeError)
"""A damaged length is more memory than there is, to SQLite, and more than a number can hold; a
damaged schema stands in SQLite's message, which Python decodes."""


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


def load_database(path: Path, name: str) -> tuple[Log, ...]:
    """Read a database of SQLite, which is opened to be read only, and never changed.

    Returns:
        The logs of every run in it; none for databases of other programs.
    """
    return _load(path, name, DATABASE, MLFLOW)


def load_mlflow_db(path: Path, name: str) -> tuple[Log, ...]:
    """Read every run of MLflow's database, which is opened to be read only, and never changed.

    Returns:
        One log a run and session, whose `run_key` is the run's id; one that says why, where
        there is none.
    """
    return _load(path, name, MLFLOW)


def _load(path: Path, name: str, *kinds: str) -> tuple[Log, ...]:
    """Read a database by the first source of some kinds whose tables it has."""
    reader, empty = read_through(path, name, kinds[0])
    expected = kinds[0] == MLFLOW
    if empty.problems:
        return (empty,) if expected or reader.size or reader.problem else ()
    fault = "" if reader.head.startswith(MARK) else "it is no database of SQLite"
    fault = f"larger than {SIZE_LIMIT} bytes; not read" if reader.size > SIZE_LIMIT else fault
    if not fault:
        try:
            with closing(_open_database(path)) as connection:
                tables = _tables_in(connection)
                for source in (one for kind in kinds for one in sources_of(kind, path=name)):
                    if not (missing := [one for one in source.look if one not in tables]):
                        found = _Runs.of(source, empty)
                        found.read(connection, source)
                        if found.has_any or source.kind == MLFLOW:
                            return found.logs(path)
                    fault = f"it has no table {missing[0]!r}" if missing else ""
        except _FAULTS as error:
            fault = _told(error)
    return (replace(empty, problems=(_unreadable(name, fault),)),) if expected else ()


def _unreadable(name: str, fault: str) -> Problem:
    return Problem(path=name, message=f"no store of runs that can be read: {fault}", offset=0)


def _told(error: Exception) -> str:
    return ("" if isinstance(error, UnicodeError) else str(error)) or "it is damaged"


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
    """Return the names of plain tables, and have no other read: no view, nothing virtual."""
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    tables = {str(name) for name, sql in found if "VIRTUAL" not in str(sql).upper()}

    def judge(action: int, table: str | None, _: object, __: object, view: str | None) -> int:
        is_read = action == sqlite3.SQLITE_READ
        legal = action == sqlite3.SQLITE_SELECT or (is_read and table in tables)
        return sqlite3.SQLITE_OK if legal and view is None else sqlite3.SQLITE_DENY

    connection.set_authorizer(judge)
    return tables


@dataclass(slots=True)
class _Runs:
    """What a database holds, by run.

    Attributes:
        empty: A log with its source.
        problems: Run to what is to say of it; of the database itself under an empty name.
        undone: How trials without a result ended, to their names.
    """

    table: Table
    empty: Log
    settings: dict[str, dict[str, object]] = field(default_factory=dict)
    texts: dict[str, dict[str, str]] = field(default_factory=dict)
    problems: dict[str, tuple[Problem, ...]] = field(default_factory=dict)
    results: dict[str, dict[str, float]] = field(default_factory=dict)
    ends: dict[str, str] = field(default_factory=dict)
    undone: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    count: int = 0

    @classmethod
    def of(cls, source: LogSource, empty: Log) -> _Runs:
        """Return no run of a database yet."""
        tag, value = ("tag", "value") if source.cut == VALUES else ("", "")
        plan = TablePlan(step="step", time="time", tag=tag, value=value, runs=("run",))
        table = Table(plan=plan, path=empty.source.path, number=as_number, place="row")
        table.named, table.logged, table.remedy = True, True, source.remedy
        own = replace(empty.source, kind=source.kind)
        return cls(table, replace(empty, source=own, program=source.program))

    @property
    def has_any(self) -> bool:
        """Whether any run has a point or a result."""
        return bool(self.table.used or self.results)

    def read(self, connection: sqlite3.Connection, source: LogSource) -> None:
        """Take what the queries give, as far as they do."""
        path = self.table.path
        for part, query in source.queries.items():
            try:
                for row in islice(connection.execute(query), ROW_LIMIT):
                    _PARTS[part](self, row)
                if self.count >= ROW_LIMIT:
                    self.table.say(f"more than {ROW_LIMIT} rows; the rest is left out")
            except _FAULTS as error:
                # Older versions lack a table of settings.
                if part == "points" or not str(error).startswith("no such"):
                    self._add_problems("", _unreadable(path, _told(error)))

    def _add_problems(self, run: str, *problems: Problem) -> None:
        self.problems[run] = (*self.problems.get(run, ()), *problems)

    def logs(self, path: Path) -> tuple[Log, ...]:
        """Return a log a run and session, and one a run that has results alone."""
        for how, runs in self.undone.items():
            more = f" and {len(runs) - NAMED} more" if len(runs) > NAMED else ""
            message = f"{', '.join(runs[:NAMED])}{more} {how}, says Optuna: no result, left out"
            self._add_problems("", Problem(path=self.table.path, message=message))
        problems = [*self.problems.pop("", ()), *_beside(path, self.table.path)]
        if not self.has_any and not problems:
            problems = [Problem(path=self.table.path, message="no run in it has logged a metric")]
        empty = replace(self.empty, problems=tuple(problems))
        if not self.has_any:
            return (empty,)
        found = [*self.table.logs(empty)] if self.table.used else []
        known = {log.run_key for log in found}
        found += [replace(self.empty, run_key=key) for key in self.results if key not in known]
        if not self.table.used:
            found[0] = replace(found[0], problems=empty.problems)
        last = {log.run_key: number for number, log in enumerate(found)}
        logs = [self._of_run(log, is_last=last[log.run_key] == n) for n, log in enumerate(found)]
        return tuple(sorted(logs, key=lambda log: log.run_key))

    def _of_run(self, log: Log, *, is_last: bool) -> Log:
        """Return a session of a run with what is known of the run."""
        key = log.run_key
        return replace(
            log,
            config=self.settings.get(key, {}),
            texts=self.texts.get(key, {}),
            results=self.results.get(key, {}) if is_last else {},
            ended=self.ends.get(key, "") if is_last else "",
            problems=(*log.problems, *(() if log.session else self.problems.get(key, ()))),
        )

    def take_point(self, row: tuple[Any, ...]) -> None:
        """Take a run, its step, the time, and one value, or an object of JSON with several.

        Of one value it may stand beside it that it is NaN, or that it is infinite in the value.
        """
        run, step, time, *rest = row
        cells: dict[str, object] = {"run": _name(run), "step": step, "time": time}
        if len(rest) == 1:
            cells = {**_object(rest[0]), **cells}
        else:
            tag, value, *is_nan = rest
            number = as_number(value)
            if number is not None and abs(number) >= INFINITE:
                value = number * math.inf
            cells |= {"tag": tag, "value": math.nan if any(is_nan) else value}
        self.count += 1
        self.table.add(cells, self.count, 0)

    def take_setting(self, row: tuple[Any, ...]) -> None:
        """Take a run, a setting, its value, and the choices of which the value is the number.

        Or a run and an object of JSON with all its settings.
        """
        own = self.settings.setdefault(_name(row[0]), {})
        if len(row) == 2:
            own.update((k, v) for k, v in _object(row[1]).items() if not k.startswith("_"))
            return
        _, key, value, *choices = row
        try:
            told = json.loads(str(choices[0])) if choices else {}
            value = told["attributes"]["choices"][int(value)]
        except (ValueError, KeyError, TypeError, IndexError, RecursionError):
            value = read_parameter(value) if isinstance(value, str) else value
        own[str(key)] = value

    def take_text(self, row: tuple[Any, ...]) -> None:
        """Take a run, what a text is called, and the text."""
        run, key, text = row
        if text is not None:
            self.texts.setdefault(_name(run), {})[str(key)] = str(text)

    def take_result(self, row: tuple[Any, ...]) -> None:
        """Take a run, what was measured of it, and the value."""
        run, key, value = row
        number = as_number(value)
        if number is not None:
            self.results.setdefault(_name(run), {})[str(key)] = number

    def take_end(self, row: tuple[Any, ...]) -> None:
        """Take a run, how it ended, and, of MLflow, whether it was deleted."""
        run, status, stage = row
        self.ends[_name(run)] = end_of(status)
        if status in _UNDONE:
            self.undone[_UNDONE[status]].append(str(run))
        if stage is not None:
            # One that was deleted is no log.
            told = states(self.table.path, f"run {run}", status, stage)
            self._add_problems("" if stage == DELETED else _name(run), *told)


_PARTS: dict[str, Callable[[_Runs, tuple[Any, ...]], None]] = {
    "points": _Runs.take_point,
    "settings": _Runs.take_setting,
    "directions": _Runs.take_setting,
    "texts": _Runs.take_text,
    "results": _Runs.take_result,
    "ends": _Runs.take_end,
}


def _object(cell: object) -> dict[str, object]:
    """Return what an object of JSON holds, with nested keys joined."""
    content = cell if isinstance(cell, bytes) else str(cell).encode("utf-8", "replace")
    inside = parsed(content[:TEXT_LIMIT])
    return Objects(FileReader(Path())).flat(inside) if isinstance(inside, dict) else {}


def _name(run: object) -> str:
    return str(run).replace("/", "_")


def _beside(path: Path, name: str) -> Iterator[Problem]:
    """Say so where a server has written what is not yet in the file itself."""
    for suffix in ("-wal", "-journal"):
        beside = path.with_name(path.name + suffix)
        if beside.is_file() and beside.stat().st_size:
            yield Problem(
                path=name,
                message=f"changes in {beside.name} are not read",
                remedy="stop the program that writes it, which puts them into the file",
            )
