"""MLflow's file store: a folder a run, in it a file for each metric, parameter and tag.

Source: `mlflow/store/tracking/file_store.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from reportgen.read.logs._columns import Column, Columns, is_step
from reportgen.read.logs._files import count_points, read_text
from reportgen.read.logs._mlflow import read_parameter, repeats, states
from reportgen.read.logs._yaml import YamlError, read_yaml
from reportgen.records.run import Log, Problem, Source

KIND = "mlflow_store"
LISTED = 20

_RUN = re.compile(r"(?:.*/)?[0-9a-f]{32}/(?P<part>metrics|params|tags)/(?P<key>.+)", re.DOTALL)


def load_mlflow_store(path: Path, name: str) -> tuple[Log, ...]:
    """Read one file of a store; layouts put those of a run together.

    Args:
        path: The file.
        name: POSIX path relative to the root. Below the folder of a run, whose name is its id,
            it tells metric, parameter and tag, which may have slashes in their names.

    Returns:
        One log: a series, a setting, or a text; none for a `meta.yaml` of other programs.
    """
    found = _RUN.fullmatch(name)
    if found is None:
        return _load_meta(path, name)
    content, empty = read_text(path, name, KIND)
    if empty.problems and empty.source.size:
        return (empty,)
    loaders: dict[str, Callable[[bytes, str, Log], Log]] = {
        "metrics": _metric,
        "params": _parameter,
        "tags": _tag,
    }
    return (loaders[found["part"]](content, found["key"], empty),)


def _parameter(content: bytes, key: str, log: Log) -> Log:
    return Log(source=log.source, config={key: read_parameter(_text(content))})


def _tag(content: bytes, key: str, log: Log) -> Log:
    return Log(source=log.source, texts={f"mlflow/{key}": _text(content)})


def _text(content: bytes) -> str:
    return content.decode("utf-8", "backslashreplace")


def _metric(content: bytes, key: str, log: Log) -> Log:
    if log.problems:
        return log
    columns = Columns()
    problems: list[Problem] = []
    bad = 0
    # The program ends every line: one without an end is half a line, whose last number may be half.
    whole = content[: content.rfind(b"\n") + 1]
    for number, offset, line in _lines(content):
        if offset >= len(whole) or not _add(columns[key], line):
            bad += 1
            if bad <= LISTED:
                problems.append(_unread(log.source.path, number, offset))
    if bad > LISTED:
        message = f"{bad - LISTED} more lines like it"
        problems.append(Problem(path=log.source.path, message=message))
    series = columns.series(log.source.path)
    for one in series.values():
        problems.extend(repeats(log.source.path, key, one))
    source = Source(
        path=log.source.path,
        kind=KIND,
        size=log.source.size,
        sha256=log.source.sha256,
        points=count_points(series),
    )
    return Log(source=source, series=series, problems=tuple(problems))


def _lines(content: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield (number, offset, content) of each line that holds something."""
    offset = 0
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            yield number, offset, line
        offset += len(line) + 1


def _add(column: Column, line: bytes) -> bool:
    """Add the point of a line: milliseconds, value, step, and perhaps a data set."""
    try:
        clock, value, *rest = line.decode("ascii", "replace").split(" ")
        step = int(rest[0]) if rest else 0
        point = step, float(value), int(clock) / 1000
    except (ValueError, OverflowError):
        return False
    if len(rest) not in {0, 1, 3} or not is_step(step):
        return False
    column.add(*point)
    return True


def _unread(path: str, number: int, offset: int) -> Problem:
    return Problem(
        path=path,
        message=f"line {number} holds no value with its time and step; left out",
        remedy="normal while training still runs, for the last line; else copy the file again",
        offset=offset,
    )


def _load_meta(path: Path, name: str) -> tuple[Log, ...]:
    content, empty = read_text(path, name, KIND)
    if empty.problems:
        return () if empty.problems[0].message.startswith("the file is empty") else (empty,)
    try:
        meta = read_yaml(content)
    except YamlError as error:
        told = b"experiment_id" in content
        problem = Problem(path=name, message=str(error))
        return (Log(source=empty.source, problems=(problem,)),) if told else ()
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
    return (Log(source=empty.source, texts=texts, problems=tuple(_states(meta, name, offset))),)


def _states(meta: dict[str, object], name: str, offset: int) -> Iterator[Problem]:
    if "/" not in name:
        yield Problem(
            path=name,
            message="the folder of one run of MLflow, known by its name: its metrics are not read",
            remedy="pass the folder above it",
        )
    stage = meta.get("lifecycle_stage")
    yield from states(name, "the run", meta.get("status"), stage, offset)
