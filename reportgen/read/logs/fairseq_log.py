"""What fairseq prints while it trains: progress lines, in text files or saved notebooks.

Several runs may follow one another in one file.
"""

from __future__ import annotations

import ast
import json
import math
import re
import warnings
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from reportgen.read.logs._columns import Columns
from reportgen.read.logs._files import FileReader, count_points, find_fault, read_bounded, source_of
from reportgen.read.logs._lines import notebook_lines, text_lines
from reportgen.records.run import Log, Problem

KIND = "fairseq_log"
_TIME = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?: \| |,\d+\])")
_LOGGER = re.compile(r"(?:(?:^|\| )INFO \| |\]\[)([\w.]+)(?: \| |\]\[INFO\] - )(.*)$")
"""Its own form, and that of Hydra: `[time][logger][INFO] - text`."""

_EPOCH = re.compile(r"(?:^|\| )epoch (\d+)\b")
_SUBSET = re.compile(r"valid on '([^']+)' subset")
_PAIR = re.compile(r"\| +([A-Za-z_][\w.]*) +(-?(?:\d[\d.,]*(?:e[-+]?\d+)?|inf|nan))(?= *(?:\||$))")
_FOLDER = re.compile(r"(?:tensorboard_logdir|save_dir)['\"]?[ :=]+['\"]?([^\s'\",]+)")
_PARAMETERS = re.compile(r"num\. (shared |expert )?model params: (\d[\d,]{0,29})(?![\d,])")
_TRAINED = re.compile(r"num\. trained: (\d[\d,]{0,29})(?![\d,])")
_NAMESPACE = re.compile(r"(\w+)=('[^']*'|\"[^\"]*\"|\[[^\]]*\]|[^,()]+)")
_CLOCK = "num_updates"
_OF_USE = re.compile(rb"num_updates|INFO \||\[INFO\]|tensorboard_logdir|save_dir|model params")
"""Lines with none of these say nothing: long texts that are no logs are passed over quickly."""


@dataclass(slots=True)
class _Printed:
    """One run of the file, as far as it has been read."""

    offset: int
    key: str = ""
    columns: Columns = field(default_factory=Columns)
    config: dict[str, object] = field(default_factory=dict)
    last: dict[str, int] = field(default_factory=dict)


def load_fairseq_log(path: Path, name: str) -> tuple[Log, ...]:
    """Read every run of a console log.

    Args:
        path: A text file, or a notebook whose saved outputs hold the text.
        name: POSIX path relative to the root.

    Returns:
        One log a run, with tags `valid/accuracy`, `test/loss`, `train/accuracy`, ...; none
        where the file holds no fairseq progress line and nothing kept it from being read.
    """
    reader = FileReader(path)
    notebook = name.endswith(".ipynb")
    head = read_bounded(reader) if notebook else b""
    lines = notebook_lines(head) if notebook else text_lines(reader)
    runs: list[_Printed] = []
    doubts: list[Problem] = []
    for _, offset, raw in lines:
        head = head or raw
        if not _OF_USE.search(raw):
            continue
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        if notebook or raw.endswith((b"\r", b"\n")):
            _take(line, offset, runs)
        elif doubt := _take_last(line, offset, runs):
            doubts.append(_end_problem(doubt, offset, name))
    runs = [run for run in runs if run.columns]
    fault = find_fault(reader, head, name) if reader.size or reader.problem else None
    problems = (*([fault] if fault else []), *doubts)
    if fault and not runs:
        return (Log(source=source_of(reader, name, KIND), problems=problems),)
    logs: list[Log] = []
    for run in runs:
        series = run.columns.series(name)
        logs.append(
            Log(
                source=source_of(reader, name, KIND, count_points(series)),
                series=series,
                config=run.config,
                problems=problems,
                run_key=run.key or (f"run{len(logs) + 1}" if len(runs) > 1 else ""),
            )
        )
    return tuple(logs)


def _take(line: str, offset: int, runs: list[_Printed]) -> None:
    """Use one line: a progress line, a folder that names the next run, or its settings."""
    if _CLOCK in line:
        _take_progress(line, offset, runs)
        return
    found = _LOGGER.search(line)
    text = found[2] if found else line
    if found and found[1].endswith("train") and text.startswith(("{", "Namespace(")):
        _open(runs, offset).config.update(_settings(text))
    folder = _FOLDER.search(line)
    if folder and (not found or "'" in text[:40] or text.startswith("Namespace(")):
        run = _open(runs, offset)
        run.key = run.key or folder[1].strip("/")
    parameters = _PARAMETERS.search(line)
    if parameters and runs:
        runs[-1].config[f"num_{(parameters[1] or '').strip()}_model_params".replace("__", "_")] = (
            int(parameters[2].replace(",", ""))
        )
        trained = _TRAINED.search(line)
        if trained:
            runs[-1].config["num_trained"] = int(trained[1].replace(",", ""))


def _take_last(line: str, offset: int, runs: list[_Printed]) -> str:
    """Use a line that the file ends in; return what is doubtful about it, or nothing.

    It may stop in the middle of a number. Text that somebody copied ends so too, and is whole; so
    it is left out only where half a step is what it looks like: one that goes back.
    """
    found = _LOGGER.search(line)
    if found and found[2].startswith("{") and _json_values(found[2], ""):
        _take(line, offset, runs)
        return ""
    progress = _read_progress(line) if _CLOCK in line else None
    if progress and runs and progress[1] <= runs[-1].last.get(progress[0], -1):
        return "is cut off"
    _take(line, offset, runs)
    return "has no line end: its last number may be half a number"


def _end_problem(doubt: str, offset: int, name: str) -> Problem:
    return Problem(
        path=name,
        message=f"the last line {doubt}",
        remedy="normal while training still runs",
        offset=offset,
        level="note",
    )


def _open(runs: list[_Printed], offset: int) -> _Printed:
    """Return the run that a line before training belongs to: a new one after any progress."""
    if not runs or runs[-1].columns:
        runs.append(_Printed(offset=offset))
    return runs[-1]


def _take_progress(line: str, offset: int, runs: list[_Printed]) -> None:
    progress = _read_progress(line)
    if progress is None:
        return
    split, step, wall_time, values = progress
    if not runs:
        runs.append(_Printed(offset=offset))
    run = runs[-1]
    if step < run.last.get(split, -1):
        # Updates never go back inside a run: another one has begun.
        run = _Printed(offset=offset)
        runs.append(run)
    run.last[split] = step
    for key, value in values.items():
        run.columns[f"{split}/{key}"].add(step, value, wall_time)


def _read_progress(line: str) -> tuple[str, int, float, dict[str, float]] | None:
    """Return (split, step, wall time, values) of a progress line, None for any other.

    Example:
        >>> _read_progress("| epoch 001 | valid on 'valid' subset | loss 0.9 | num_updates 225")
        ('valid', 225, nan, {'epoch': 1.0, 'loss': 0.9})
    """
    found = _LOGGER.search(line)
    logger, text = (found[1], found[2]) if found else ("", line)
    values = _json_values(text, logger) if text.startswith("{") else _pair_values(line)
    subset = _SUBSET.search(line)
    split = subset[1] if subset else logger or "train"
    step = values.pop(_CLOCK, math.nan)
    if not 0 <= step < 2**63 or not values or "." in split:
        return None
    return split, int(step), _read_clock(line), values


def _read_clock(line: str) -> float:
    """Return the seconds of a line's time stamp; the zone is not printed, UTC is assumed."""
    stamp = _TIME.search(line)
    try:
        return datetime.fromisoformat(f"{stamp[1]}+00:00").timestamp() if stamp else math.nan
    except ValueError:
        return math.nan


def _pair_values(line: str) -> dict[str, float]:
    values: dict[str, float] = {}
    epoch = _EPOCH.search(line)
    if epoch:
        values["epoch"] = float(epoch[1])
    for key, number in _PAIR.findall(line.rstrip()):
        if key != "epoch":
            values[key] = _as_number(number)
    return values


def _json_values(text: str, logger: str) -> dict[str, float]:
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    values: dict[str, float] = {}
    for key, value in entry.items():
        number = _as_number(str(value))
        if not math.isnan(number) or str(value) == "nan":
            values[key.removeprefix(f"{logger}_")] = number
    return values


def _as_number(text: str) -> float:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return math.nan


def _settings(text: str) -> dict[str, object]:
    """Return printed settings: a nested dict by leaf name, or a Namespace."""
    if text.startswith("Namespace("):
        return {key: _literal(value) for key, value in _NAMESPACE.findall(text[10:])}
    parsed = _literal(text)
    flat: dict[str, object] = {}
    for section, value in parsed.items() if isinstance(parsed, dict) else ():
        if isinstance(value, dict):
            flat.update({k: v for k, v in value.items() if isinstance(k, str) and k[:1] != "_"})
        elif isinstance(section, str) and not section.startswith("_"):
            flat.setdefault(section, value)
    return flat


def _literal(text: str) -> object:
    try:
        with warnings.catch_warnings():
            # A stranger's backslash is no concern of the person who reads the report.
            warnings.simplefilter("ignore")
            return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return text.strip()
