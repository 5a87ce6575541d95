"""MLflow's file store: a folder a run, in it a file for each metric, parameter and tag.

Source: `mlflow/store/tracking/file_store.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from reportgen.read.logs._collected import Table
from reportgen.read.logs._numbers import as_number
from reportgen.read.logs._words import end_of
from reportgen.read.logs._yaml import parse_yaml, read_plain
from reportgen.read.logs.files import read_text, unless_empty
from reportgen.read.logs.sources import sources_of
from reportgen.records.record import replace
from reportgen.records.run import Log, Problem
from reportgen.records.study import TablePlan

KIND = "mlflow_store"

_RUN = re.compile(r"(?:.*/)?[0-9a-f]{32}/(?P<part>metrics|params|tags)/(?P<key>.+)", re.DOTALL)
_ENDED = {4: "failed", 5: "was killed", "FAILED": "failed", "KILLED": "was killed"}
_OPEN = (1, 2, "RUNNING", "SCHEDULED")
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
