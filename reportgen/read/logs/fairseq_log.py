"""What fairseq prints while it trains: progress lines, in text files or saved notebooks.

Several runs may follow one another in one file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from reportgen.read.logs.collected import Table
from reportgen.read.logs.columns import read_cell
from reportgen.read.logs.cut import Cut
from reportgen.read.logs.files import FileReader, find_fault, source_of
from reportgen.read.logs.numbers import as_number, parsed
from reportgen.read.logs.printed import REMEDY, End, lines_of
from reportgen.read.logs.said import literal_of
from reportgen.records.run import Log
from reportgen.records.study import TablePlan

KIND = "fairseq_log"
_TIME = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?: \| |,\d+\])")
_LOGGER = re.compile(r"(?:(?:^|\| )INFO \| |\]\[)([\w.]+)(?: \| |\]\[INFO\] - )(.*)$")
"""Its own form, and that of Hydra: `[time][logger][INFO] - text`."""

_EPOCH = re.compile(r"(?:^|\| )epoch (\d+)\b")
_SUBSET = re.compile(r"valid on '([^']+)' subset")
_PAIR = re.compile(r"\| +([A-Za-z_][\w.]*) +(-?(?:\d[\d.,]*(?:e[-+]?\d+)?|inf|nan))(?= *(?:\||$))")
_DONE = "done training in "
"""What it prints when training is over, also where it stops early."""

_FOLDER = re.compile(r"(?:tensorboard_logdir|save_dir)['\"]?[ :=]+['\"]?([^\s'\",]+)")
_PARAMETERS = re.compile(r"num\. (shared |expert )?model params: (\d[\d,]{0,29})(?![\d,])")
_TRAINED = re.compile(r"num\. trained: (\d[\d,]{0,29})(?![\d,])")
_NAMESPACE = re.compile(r"(\w+)=('[^']*'|\"[^\"]*\"|\[[^\]]*\]|[^,()]+)")
_CLOCK, _RUN = "num_updates", "run"
_Progress = tuple[str, int, str, dict[str, float]]
"""Split, step, time stamp, and values of a line."""

_OF_USE = re.compile(rb"num_updates|INFO \||\[INFO\]|tensorboard_logdir|save_dir|model params")
"""Lines with none of these say nothing: long texts that are no logs are passed over quickly."""


def load_fairseq_log(path: Path, name: str) -> tuple[Log, ...]:
    """Read every run of a console log.

    Returns:
        One log a run and session, with tags `valid/accuracy`, `test/loss`, `train/accuracy`, ...;
        none where the file holds no fairseq progress line and nothing kept it from being read.
    """
    reader, console = FileReader(path), _Console()
    plan = TablePlan(step=_CLOCK, time="time", runs=(_RUN,))
    table = Table(plan=plan, path=name, number=as_number, named=True, logged=True, remedy="")
    for number, offset, raw in lines_of(reader, name):
        console.hear(raw, number)
        if _OF_USE.search(raw):
            line = raw.decode("utf-8", "replace").rstrip("\r\n")
            has_end = name.endswith(".ipynb") or raw.endswith((b"\r", b"\n"))
            table.take(console.cut(line, number, offset, has_end=has_end))
    fault = find_fault(reader, name) if reader.size or reader.problem else None
    empty = Log(source=source_of(reader, name, KIND), problems=(fault,) if fault else ())
    if not table.used:
        return (empty,) if fault else ()
    for end in console.ends:
        if end.error:
            table.say(end.told, REMEDY)
    return tuple(console.named(log) for log in table.logs(empty))


@dataclass(slots=True)
class _Console:
    """What fairseq printed, line by line.

    Attributes:
        runs: Of every run what it is called, and its settings.
        used: Whether the last of them has logged anything.
        last: Split to the step that its last line told.
        ends: How each run ended.
    """

    runs: list[tuple[str, dict[str, object]]] = field(default_factory=list)
    used: bool = False
    last: dict[str, int] = field(default_factory=dict)
    ends: list[End] = field(default_factory=list)

    def named(self, log: Log) -> Log:
        """Return a log of a run by its own name, with its settings."""
        key, config = self.runs[int(log.run_key)]
        several = len(self.runs) - (not self.used) > 1
        place = f"run{int(log.run_key) + 1}" if several else ""
        ended = self.ends[int(log.run_key)].ended
        return replace(log, run_key=key or place, config=config, ended=ended)

    def hear(self, raw: bytes, number: int) -> None:
        """Note what a line behind progress says of the end of its run."""
        if self.used:
            self.ends[-1].hear(raw, number)

    def cut(self, line: str, number: int, offset: int, *, has_end: bool) -> Cut:
        """Cut a line of progress; of others take a folder that names the next run, or settings.

        A line that the file ends in may stop in the middle of a number. Text that somebody copied
        ends so too, and is whole; so it is left out only where half a step is what it looks like:
        one that goes back.
        """
        found = _LOGGER.search(line)
        whole = found and found[2].startswith("{") and _json_values(found[2], "")
        progress = _read_progress(line) if _CLOCK in line else None
        end = "" if has_end or whole else "has no line end: its last number may be half a number"
        if end and progress and progress[1] <= self.last.get(progress[0], -1):
            return Cut(None, number, offset, end="is cut off")
        if progress is None:
            if _CLOCK not in line:
                self._take_settings(line, found)
            return Cut(None, number, offset, end=end if self.used else "")
        if not self.runs:
            self._open()
        split, step, stamp, values = progress
        self.used, self.last[split] = True, step
        self.ends[-1].go_on()
        cells: dict[str, object] = {f"{split}/{key}": value for key, value in values.items()}
        about = {_RUN: str(len(self.runs) - 1), _CLOCK: step, "time": stamp}
        return Cut({**about, **cells}, number, offset, end=end)

    def _take_settings(self, line: str, found: re.Match[str] | None) -> None:
        text = found[2] if found else line
        if self.used and text.startswith(_DONE):
            self.ends[-1].finished = True
        if found and found[1].endswith("train") and text.startswith(("{", "Namespace(")):
            self._open()[1].update(_settings(text))
        folder = _FOLDER.search(line)
        if folder and (not found or "'" in text[:40] or text.startswith("Namespace(")):
            key, config = self._open()
            self.runs[-1] = key or folder[1].strip("/"), config
        parameters = _PARAMETERS.search(line)
        if parameters and self.runs:
            config = self.runs[-1][1]
            kind = f"num_{(parameters[1] or '').strip()}_model_params".replace("__", "_")
            config[kind] = int(parameters[2].replace(",", ""))
            if trained := _TRAINED.search(line):
                config["num_trained"] = int(trained[1].replace(",", ""))

    def _open(self) -> tuple[str, dict[str, object]]:
        """Return the run that a line before training belongs to: a new one after any progress."""
        if not self.runs or self.used:
            self.runs.append(("", {}))
            self.ends.append(End())
            self.used, self.last = False, {}
        return self.runs[-1]


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
