"""What fairseq prints while it trains: progress lines, in text files or saved notebooks.

Several runs may follow one another in one file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from reportgen.read.logs._collected import Table
from reportgen.read.logs._files import FileReader, find_fault, source_of
from reportgen.read.logs._lines import lines_of
from reportgen.read.logs._numbers import as_number, parsed
from reportgen.read.logs._said import literal_of
from reportgen.read.logs._table import read_cell
from reportgen.records.run import Log
from reportgen.records.study import TablePlan

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
_Progress = tuple[str, int, str, dict[str, float]]
"""Split, step, time stamp, and values of a line."""

_OF_USE = re.compile(rb"num_updates|INFO \||\[INFO\]|tensorboard_logdir|save_dir|model params")
"""Lines with none of these say nothing: long texts that are no logs are passed over quickly."""


@dataclass(slots=True)
class _Printed:
    """One run of the file, as far as it has been read."""

    table: Table
    key: str = ""
    config: dict[str, object] = field(default_factory=dict)


def load_fairseq_log(path: Path, name: str) -> tuple[Log, ...]:
    """Read every run of a console log.

    Returns:
        One log a run and session, with tags `valid/accuracy`, `test/loss`, `train/accuracy`, ...;
        none where the file holds no fairseq progress line and nothing kept it from being read.
    """
    reader = FileReader(path)
    notebook = name.endswith(".ipynb")
    console = _Console(name)
    for number, offset, raw in lines_of(reader, name):
        if not _OF_USE.search(raw):
            continue
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        if notebook or raw.endswith((b"\r", b"\n")):
            console.take(line, number, offset)
        else:
            console.take_last(line, number, offset)
    fault = find_fault(reader, name) if reader.size or reader.problem else None
    empty = Log(source=source_of(reader, name, KIND), problems=(fault,) if fault else ())
    return console.logs(empty) or ((empty,) if fault else ())


@dataclass(slots=True)
class _Console:
    """What fairseq printed, run by run."""

    path: str
    runs: list[_Printed] = field(default_factory=list)
    last: dict[str, int] = field(default_factory=dict)

    def logs(self, empty: Log) -> tuple[Log, ...]:
        """Return a log a run and session."""
        runs = [run for run in self.runs if run.table.used]
        logs: list[Log] = []
        for place, run in enumerate(runs, start=1):
            key = run.key or (f"run{place}" if len(runs) > 1 else "")
            found = run.table.logs(replace(empty, config=run.config))
            logs += (replace(log, run_key=key) for log in found)
        return tuple(logs)

    def take(self, line: str, number: int, offset: int) -> None:
        """Use one line: a progress line, a folder that names the next run, or its settings."""
        if _CLOCK in line:
            self._take_progress(_read_progress(line), number, offset)
            return
        found = _LOGGER.search(line)
        text = found[2] if found else line
        if found and found[1].endswith("train") and text.startswith(("{", "Namespace(")):
            self._open().config.update(_settings(text))
        folder = _FOLDER.search(line)
        if folder and (not found or "'" in text[:40] or text.startswith("Namespace(")):
            run = self._open()
            run.key = run.key or folder[1].strip("/")
        parameters = _PARAMETERS.search(line)
        if parameters and self.runs:
            config = self.runs[-1].config
            kind = f"num_{(parameters[1] or '').strip()}_model_params".replace("__", "_")
            config[kind] = int(parameters[2].replace(",", ""))
            if trained := _TRAINED.search(line):
                config["num_trained"] = int(trained[1].replace(",", ""))

    def take_last(self, line: str, number: int, offset: int) -> None:
        """Use a line that the file ends in, and say what is doubtful about it.

        It may stop in the middle of a number. Text that somebody copied ends so too, and is whole;
        so it is left out only where half a step is what it looks like: one that goes back.
        """
        found = _LOGGER.search(line)
        if found and found[2].startswith("{") and _json_values(found[2], ""):
            self.take(line, number, offset)
            return
        progress = _read_progress(line) if _CLOCK in line else None
        doubt = "has no line end: its last number may be half a number"
        if progress and progress[1] <= self.last.get(progress[0], -1):
            doubt = "is cut off"
        else:
            self.take(line, number, offset)
        if self.runs:
            self.runs[-1].table.tell_end(doubt, number, offset)

    def _open(self) -> _Printed:
        """Return the run that a line before training belongs to: a new one after any progress."""
        if not self.runs or self.runs[-1].table.used:
            plan = TablePlan(step=_CLOCK, time="time")
            table = Table(plan=plan, path=self.path, number=as_number, logged=True, remedy="")
            self.runs.append(_Printed(table))
            self.last = {}
        return self.runs[-1]

    def _take_progress(self, progress: _Progress | None, number: int, offset: int) -> None:
        if progress is None:
            return
        split, step, stamp, values = progress
        cells = {f"{split}/{key}": value for key, value in values.items()}
        run = self.runs[-1] if self.runs else self._open()
        run.table.add({_CLOCK: step, "time": stamp, **cells}, number, offset)
        self.last[split] = step


def _read_progress(line: str) -> _Progress | None:
    """Return (split, step, time stamp, values) of a progress line, None for any other.

    Example:
        >>> _read_progress("| epoch 001 | valid on 'valid' subset | loss 0.9 | num_updates 225")
        ('valid', 225, '', {'epoch': 1.0, 'loss': 0.9})
    """
    found = _LOGGER.search(line)
    logger, text = (found[1], found[2]) if found else ("", line)
    values = _json_values(text, logger) if text.startswith("{") else _pair_values(line)
    subset = _SUBSET.search(line)
    split = subset[1] if subset else logger or "train"
    step = values.pop(_CLOCK, math.nan)
    if not 0 <= step < 2**63 or not values or "." in split:
        return None
    # The zone is not printed, UTC is assumed.
    stamp = _TIME.search(line)
    return split, int(step), stamp[1] if stamp else "", values


def _pair_values(line: str) -> dict[str, float]:
    epoch = _EPOCH.search(line)
    values = {"epoch": float(epoch[1])} if epoch else {}
    pairs = ((key, number) for key, number in _PAIR.findall(line.rstrip()) if key != "epoch")
    return values | _numbers(pairs)


def _json_values(text: str, logger: str) -> dict[str, float]:
    entry = parsed(text)
    found = entry.items() if isinstance(entry, dict) else ()
    return _numbers((key.removeprefix(f"{logger}_"), str(value)) for key, value in found)


def _numbers(pairs: Iterable[tuple[str, str]]) -> dict[str, float]:
    found = ((key, read_cell(text.replace(",", ""))) for key, text in pairs)
    return {key: number for key, number in found if number is not None}


def _settings(text: str) -> dict[str, object]:
    """Return printed settings: a nested dict by leaf name, or a Namespace."""
    if text.startswith("Namespace("):
        return {key: literal_of(value) for key, value in _NAMESPACE.findall(text[10:])}
    parsed = literal_of(text)
    flat: dict[str, object] = {}
    for section, value in parsed.items() if isinstance(parsed, dict) else ():
        if isinstance(value, dict):
            flat.update({k: v for k, v in value.items() if isinstance(k, str) and k[:1] != "_"})
        elif isinstance(section, str) and not section.startswith("_"):
            flat.setdefault(section, value)
    return flat
