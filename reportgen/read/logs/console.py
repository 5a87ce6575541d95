"""Texts that programs print: lines of JSON, tables, and lines of names and numbers.

Which lines are a log is told by what repeats: a name that stands three times beside a counter
that goes on. Of a program that the table of sources knows, two times are enough.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, islice, pairwise
from pathlib import Path

from reportgen.read.logs.collected import Rows, Table, Tag
from reportgen.read.logs.columns import holds_clock, read_cell, run_of
from reportgen.read.logs.cut import Cut, Unmerged, is_table
from reportgen.read.logs.files import FileReader, find_fault, read_bounded, source_of
from reportgen.read.logs.numbers import as_number, parsed
from reportgen.read.logs.printed import (
    LINE_LIMIT,
    REMEDY,
    End,
    Labels,
    Located,
    Passes,
    lines_of,
    lines_under,
)
from reportgen.read.logs.rows import load_json_lines, load_metrics_csv
from reportgen.read.logs.said import (
    EPOCH,
    FOLD,
    STEP,
    Said,
    columns_of,
    has_decimal_comma,
    is_whole,
    literal_of,
    read_columns,
    read_line,
)
from reportgen.read.logs.settings import NAMESPACE, printed_settings
from reportgen.read.logs.several_runs import text_results, with_results
from reportgen.read.logs.sources import LogSource, sources_of
from reportgen.read.logs.words import (
    SPLIT_WORDS,
    is_measure,
    is_rate,
    is_tested,
    lists,
    metric_of,
    split_in,
    words_of,
)
from reportgen.records.run import Log, Problem
from reportgen.records.study import TablePlan

# What fairseq prints while it trains: progress lines, in text files or saved notebooks.
#
# Several runs may follow one another in one file.

FAIRSEQ = "fairseq_log"
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
_STARTED = re.compile(
    r"Loaded checkpoint (\S+) \(epoch \d+ @ 0 updates\)"
    r"|No existing checkpoint found \S+$(?<!checkpoint_last\.pt)"
)
"""Weights that a run starts from, or that there are none; one that goes on has made updates.

By default a run looks for its own last checkpoint, which says nothing of its first weights.
"""
_OWN_LAST = "checkpoint_last.pt"
_UPDATES, _RUN = "num_updates", "run"
_Progress = tuple[str, int, str, dict[str, float]]
"""Split, step, time stamp, and values of a line."""

UNHEARD = 100_000
"""Lines of a text that says nothing of a training after which it is taken for other data."""

_OF_USE = re.compile(rb"num_updates|INFO \||\[INFO\]|tensorboard_logdir|save_dir|model params")
"""Lines with none of these say nothing: long texts that are no logs are passed over quickly."""


def load_fairseq_log(path: Path, name: str) -> tuple[Log, ...]:
    """Read every run of a console log.

    Returns:
        One log a run and session, with tags `valid/accuracy`, `test/loss`, `train/accuracy`, ...;
        none where the file holds no fairseq progress line and nothing kept it from being read.
    """
    reader, console = FileReader(path), _Console()
    plan = TablePlan(step=_UPDATES, time="time", runs=(_RUN,))
    table = Table(plan=plan, path=name, number=as_number, named=True, logged=True, remedy="")
    for number, offset, raw in lines_of(reader, name):
        console.hear(raw, number)
        if _OF_USE.search(raw):
            line = raw.decode("utf-8", "replace").rstrip("\r\n")
            has_end = name.endswith(".ipynb") or raw.endswith((b"\r", b"\n"))
            table.take(console.cut(line, number, offset, has_end=has_end))
        elif number > UNHEARD and not table.used:
            break
    fault = find_fault(reader, name) if reader.size or reader.problem else None
    empty = Log(source=source_of(reader, name, FAIRSEQ), problems=(fault,) if fault else ())
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
        if str(config.get("restore_file")).endswith(_OWN_LAST):
            config.pop("restore_file")
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
        progress = _read_progress(line) if _UPDATES in line else None
        end = "" if has_end or whole else "has no line end: its last number may be half a number"
        if end and progress and progress[1] <= self.last.get(progress[0], -1):
            return Cut(None, number, offset, end="is cut off")
        if progress is None:
            if _UPDATES not in line:
                self._take_settings(line, found)
            return Cut(None, number, offset, end=end if self.used else "")
        if not self.runs:
            self._open()
        split, step, stamp, values = progress
        self.used, self.last[split] = True, step
        self.ends[-1].go_on()
        cells: dict[str, object] = {f"{split}/{key}": value for key, value in values.items()}
        about = {_RUN: str(len(self.runs) - 1), _UPDATES: step, "time": stamp}
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
        if self.runs and not self.used and (started := _STARTED.match(text)):
            self.runs[-1][1]["restore_file"] = started[1] or "none"
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
    step = values.pop(_UPDATES, math.nan)
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
        return printed_settings(text)
    parsed = literal_of(text)
    flat: dict[str, object] = {}
    for section, value in parsed.items() if isinstance(parsed, dict) else ():
        if isinstance(value, dict):
            flat.update({k: v for k, v in value.items() if isinstance(k, str) and k[:1] != "_"})
        elif isinstance(section, str) and not section.startswith("_"):
            flat.setdefault(section, value)
    return flat


KIND, TEXT = "console", "text"
RESULTS_BYTES = 1 << 14
"""A text that is larger holds more than results."""
DICTS = "dicts"
"""The cut of programs that print dictionaries, of which nothing else counts."""

GLANCE = 1 << 13
"""First bytes of a text by which a table is told."""

REPEATS = 3
"""Times that a name must stand beside a counter that goes on."""

_CLOCK = re.compile(
    rb"(?i)epoch|step|iter|update|batch|episode|round|fold|up\. "
    rb"|^\W*(?:train|val|test|\d+: |\d+\]|\d+ *[/,] *\d+ *\])"
)
_STATED = NAMESPACE.encode()

BEHIND = 10
"""Lines that may follow an error with which a program ended before it logged anything."""

_DIGIT = re.compile(rb"\d")
_WORD = re.compile(rb"[^\d\s.,;:+eE-]")
"""What a line holds that has more than numbers; before the first row these are other data."""

_SUMMED_UP = re.compile(rb"\(None, |\b(?:Total|Trainable|Non-trainable) params")
"""What stands in the lines in which Keras and torchsummary sum up a model."""

_MEASURED = re.compile(rb"[A-Za-z)]\s*[:=]\s*[-+]?\d")
_BETWEEN = re.compile(r"[\s,]+")
_HEADINGS = frozenset(lists("text")["headings"])
"""Words that may stand beside a split in a line of its own."""

_SPLIT = re.compile(rb"(?i)%s" % "|".join(sorted(SPLIT_WORDS)).encode())
_COPIED = "copypaste: "
"""What detectron2 prints before results: a task, names, and below them numbers, with commas.

Source: `detectron2/evaluation/testing.py` (`print_csv_format`).
"""
_BESIDE = re.compile(r"\x1b\[[\d;]*m|\([^)]*\)")
LONGEST_HEADING = 100
"""Bytes of a line that may be a heading."""

OFTEN = 10
"""Of so many rows, one at least has what stands in lines without a clock: others are settings."""

UNNAMED = "value"
"""What is measured where a text names the splits alone."""

SEARCHED = 5_000
"""Lines of a text that is no log in which is looked for what it measures."""

NAMED = 4
"""Names of it that are told."""

LOOKED = 500
"""Lines by which it is told how numbers are written."""

_LOOKED = 50
"""Lines that begin as JSON by which it is told whether a text holds rows of it."""


def load_console(path: Path, name: str) -> tuple[Log, ...]:
    """Read what a program printed, or another table under the name of a text.

    Returns:
        One log a run and session; none where no line holds a number with its step or epoch.
    """
    found = load_fairseq_log(path, name)
    if found:
        return found
    notebook = name.endswith(".ipynb")
    if not notebook:
        with path.open("rb", buffering=0) as stream:
            if is_table(stream.read(GLANCE)):
                # Programs write tables where they are told, most often to training.log.
                return load_metrics_csv(path, name)
    reader = FileReader(path)
    screen = _Screen.of(name)
    if screen.read(lines_of(reader, name), has_ends=not notebook):
        return load_json_lines(path, name)
    labels = screen.labels.found()
    named = tuple(log for label in labels for log in _logs_under(label, labels, path, name))
    return named or _logs_of(screen, reader, path, name)


def _logs_under(label: str, labels: Sequence[str], path: Path, name: str) -> Iterator[Log]:
    """Yield the logs of one of several trainings whose lines begin with their names."""
    reader, screen = FileReader(path), _Screen.of(name)
    lines = lines_under(lines_of(reader, name), labels, label)
    screen.read(lines, has_ends=not name.endswith(".ipynb"))
    for log in _logs_of(screen, reader, path, name):
        if log.series:
            yield replace(log, run_key="/".join(filter(None, (label, log.run_key))))


def _logs_of(screen: _Screen, reader: FileReader, path: Path, name: str) -> tuple[Log, ...]:
    """Return the logs of what was printed, or what else is to be said of it."""
    is_log = screen.is_log()
    screen.tell(is_log=is_log)
    if not is_log and (screen.doubtful or screen.end.error):
        return (Log(source=source_of(reader, name, KIND), problems=tuple(screen.table.problems)),)
    if not is_log:
        results = _told_results(path, name) or _listed(path, name)
        return results or (() if screen.table.runs else _unclocked(path, name))
    if screen.half is not None:
        screen.table.tell_end("has no line end: its last number may be half a number", *screen.half)
    source = source_of(reader, name, KIND)
    fault = find_fault(reader, name)
    empty = Log(source=source, program=screen.source.program, problems=(fault,) if fault else ())
    *logs, last = screen.table.logs(empty)
    return (*logs, replace(last, ended=screen.end.ended))


def _told_results(path: Path, name: str) -> tuple[Log, ...]:
    """Return the results of a text that is called as results are, and holds nothing else."""
    if not sources_of(TEXT, path=name) or path.stat().st_size > RESULTS_BYTES:
        return ()
    reader = FileReader(path)
    lines = read_bounded(reader).decode("utf-8", "replace").splitlines()
    results = text_results(lines, name, read_cell)
    empty = Log(source=source_of(reader, name, KIND))
    return (with_results(empty, results),) if results else ()


def _listed(path: Path, name: str) -> tuple[Log, ...]:
    """Return the curve of a text that is a list of numbers, whose name says what: `train_loss.txt`.

    There is one a line, or all stand in one line or in brackets. A comment above them says it as
    well: `% mean class accuracy (test set)` in `test.log`.

    Source: `optim/Logger.lua` of Torch 7.
    """
    reader = FileReader(path)
    text = read_bounded(reader).decode("utf-8", "replace").strip()
    head, _, rest = text.partition("\n")
    tag = name.rpartition("/")[2].partition(".")[0]
    if head.startswith(("%", "#")):
        measure, text = metric_of(head).strip("_").removesuffix("_set"), rest.strip()
        tag = f"{split_in(head) or split_in(tag)}/{measure}"
    measured = is_measure(tag) and split_in(tag) and "score" not in metric_of(tag)
    if not measured and "loss" not in tag.lower():
        return ()
    words = _BETWEEN.split(text.strip("[]"))
    values = [one for word in words if (one := read_cell(word)) is not None]
    lines = [line for line in text.splitlines() if line.strip()]
    alone = text.startswith("[") or len(lines) in {1, len(words)}
    if not alone or not REPEATS <= len(values) == len(words):
        return ()
    table = Table(plan=TablePlan(step=STEP), path=name, number=as_number)
    for count, value in enumerate(values, start=1):
        table.add({STEP: count, tag: value}, count, 0)
    return table.logs(Log(source=source_of(reader, name, KIND)))


def _unclocked(path: Path, name: str) -> tuple[Log, ...]:
    """Read what a text without a clock says once of a test, else name what it prints often."""
    reader, found = FileReader(path), defaultdict[str, set[float]](set)
    for *_, raw in islice(lines_of(reader, name), SEARCHED):
        if _MEASURED.search(raw):
            said = read_line(raw.decode("utf-8", "replace").rstrip())
            for tag, value in said.cells.items() if said else ():
                found[tag].add(value)
    finite = {tag: [*filter(math.isfinite, one)] for tag, one in found.items() if is_tested(tag)}
    # What ends with the split, `SCORE_THRESH_TEST`, is a setting for it; many words are a sentence.
    results = {
        tag: values[0]
        for tag, values in finite.items()
        if len(values) == 1 and tag.count("_") < 3 and not split_in(tag.rpartition("_")[2])
    }
    # Notebooks also show what other files hold.
    if results and not name.endswith(".ipynb"):
        return (with_results(Log(source=source_of(reader, name, KIND)), results),)
    several = (tag for tag, values in found.items() if len(values) >= REPEATS)
    shown = [repr(tag) for tag in several if is_measure(tag) and "." not in tag][:NAMED]
    if not shown:
        return ()
    told = f"prints {', '.join(shown)} without a step or an epoch: not read"
    remedy = "print the epoch as well: `epoch 3: loss 0.5`"
    problem = Problem(path=name, message=told, remedy=remedy, level="note")
    return (Log(source=source_of(reader, name, KIND), problems=(problem,)),)


@dataclass(slots=True)
class _Screen:
    """What was printed, as far as its lines are rows.

    Attributes:
        sources: Programs that may have printed it, each with those of its marks not yet seen.
        row: Cells of the open row, with its place.
        clock: Epoch and step that were stated last.
        has_folds: Whether folds are stated before what they hold; None where none is stated.
        seen: Where epochs alone are stated, in parts: how many were, and the last.
        in_parts: Whether they are.
        inherited: Tags of lines that state no clock, so that the line before them gave it.
        comma: Whether numbers have a decimal comma.
        passes: What was told of passes over the data, beside the open row.
        heading: Split that a line of its own names, for the lines below it.
        columns: Splits that a line names over columns.
        in_batches: Whether the steps of an evaluation count its batches.
        doubtful: Numbers that may be read in two ways, and are not read.
        sums_up: Whether the line that stated an epoch last holds what was measured in it.
        is_behind: Whether the epoch is stated behind its batches.
        end: How the program ended.
        half: Place of a last line without an end.
        labels: What stands before the epochs.
        heads: Whether the open row is the first, and its line names numbers, and no measure.
        task: What the results are of that are copied.
        copied: Their tags.
        before: Those that stand before the step that they are of.
    """

    table: Table
    sources: list[tuple[LogSource, set[str]]]
    row: tuple[dict[str, object], int, int] | None = None
    clock: dict[str, float] = field(default_factory=dict)
    has_folds: bool | None = None
    seen: tuple[int, float] = (0, float("-inf"))
    in_parts: bool = False
    inherited: set[str] = field(default_factory=set)
    comma: bool = False
    passes: Passes = field(default_factory=Passes)
    heading: str = ""
    columns: Sequence[str] = ()
    in_batches: bool = False
    doubtful: list[str] = field(default_factory=list)
    sums_up: bool = False
    is_behind: bool = False
    end: End = field(default_factory=End)
    half: tuple[int, int] | None = None
    heads: bool = False
    labels: Labels = field(default_factory=Labels)
    task: str = ""
    copied: Sequence[str] = ()
    before: dict[str, object] = field(default_factory=dict)

    @classmethod
    def of(cls, path: str) -> _Screen:
        """Return a screen with nothing on it."""
        table = Table(plan=TablePlan(step=STEP, runs=(FOLD,)), path=path, number=as_number)
        sources = [(source, set(source.look)) for source in sources_of(KIND, path=path)]
        return cls(table, sources)

    @property
    def source(self) -> LogSource:
        """The first program of which all marks were seen."""
        return next(source for source, unseen in self.sources if not unseen)

    def read(self, lines: Iterator[Located], *, has_ends: bool = False) -> bool:
        """Use lines, and tell whether they are rows of JSON instead, which are left to others.

        Args:
            lines: All of a text.
            has_ends: Whether each brings its line end along, and may be JSON.
        """
        begun = [*islice(lines, LOOKED)]
        shown = [raw.decode("utf-8", "replace") for *_, raw in begun if _CLOCK.search(raw)]
        self.comma = has_decimal_comma(shown)
        sides, looked = Unmerged(), 0
        for number, offset, line in self._spoken(chain(begun, lines)):
            raw = sides.line(line)
            if has_ends and raw.lstrip()[:1] == b"{" and looked < _LOOKED:
                looked += 1
                row = parsed(raw)
                if isinstance(row, dict) and holds_clock(row, as_number):
                    return True
            text = raw[:LINE_LIMIT].decode("utf-8", "replace").rstrip("\r\n")
            if _STATED in raw:
                self.state(printed_settings(text))
                continue
            self.end.finished = self.end.finished or _tells_end(raw)
            self.end.hear(raw, number)
            self.labels.hear(raw)
            if _COPIED in text:
                self._copy(text.rpartition(_COPIED)[2])
                continue
            if len(raw) < LONGEST_HEADING and _SPLIT.search(raw) and (split := _heads(text)):
                self.heading = split
                continue
            if b"|" in raw and (columns := columns_of(text)):
                self.columns = columns
                continue
            if not _DIGIT.search(raw) or not (self.row or _CLOCK.search(raw)):
                continue
            if _SUMMED_UP.search(raw):
                continue
            if self.take(text, number, offset):
                whole = not has_ends or raw.endswith((b"\n", b"\r"))
                self.half = None if whole else (number, offset)
        return False

    def _spoken(self, lines: Iterator[Located]) -> Iterator[Located]:
        """Yield lines that may say something, until a text is taken for other data."""
        for number, offset, line in lines:
            if number > UNHEARD and self.row is None and not self.table.used:
                return
            if self.row is not None or self.end.error or _WORD.search(line):
                yield number, offset, line

    def _copy(self, told: str) -> None:
        """Take what results are of, their names, or the results, which stand before their step."""
        values = [*map(read_cell, told.split(","))]
        if told.startswith("Task: "):
            self.task = told[6:]
        elif None in values:
            self.copied = [f"{self.task}/{name}" for name in told.split(",")]
        else:
            self.before |= dict(zip(self.copied, values, strict=False))

    def state(self, settings: dict[str, object]) -> None:
        """Take settings that stand before the rows of a training."""
        if settings:
            self._end()
            self.row = None
            self.table.stated = settings

    def take(self, text: str, number: int, offset: int) -> bool:
        """Use one line, and tell whether it said anything."""
        for source, unseen in self.sources:
            if unseen:
                unseen -= {mark for mark in unseen if mark in text}
                self.table.dropped = self.table.dropped if unseen else source.dropped
        said = read_columns(text, self.columns) or read_line(text, comma=self.comma)
        source = self.source
        if said is None or (source.cut == DICTS and not said.is_dict):
            return False
        self.doubtful += said.doubtful
        moved = {key for key, one in said.clock.items() if self.clock.get(key) != one}
        if moved - ({STEP} if self.heading in {"train", "training"} else set()):
            self.heading = ""
        if said.clock and said.cells:
            self.end.go_on(finished=_tells_end(text.encode()))
        self._open_fold(said)
        self._turn(said, number, offset)
        if EPOCH in said.clock:
            self.sums_up = STEP not in said.clock and any(map(is_measure, said.cells))
        if self.row is not None:
            cells = said.tagged(source.tags)
            if self.heading and not said.split:
                cells = {
                    tag if split_in(tag) or is_rate(tag) else f"{self.heading}/{tag}": one
                    for tag, one in cells.items()
                }
            kept = self.passes.take(said, cells, self.row[0])
            self.row[0].update(kept)
            if not said.clock:
                self.inherited.update(kept.keys())
        return True

    def _open_fold(self, said: Said) -> None:
        """Begin with another fold, where folds are stated before their epochs."""
        if FOLD not in said.clock:
            return
        if self.has_folds is None:
            self.has_folds = self.row is None
        fold = said.clock.pop(FOLD)
        if self.has_folds and fold != self.clock.get(FOLD):
            self._end()
            self.row, self.clock = None, {FOLD: fold}

    def _turn(self, said: Said, number: int, offset: int) -> None:
        """Begin another row where the clock says another time."""
        step = self.clock.get(STEP)
        if said.held is not None and step is not None:
            self.in_batches = self.in_batches or said.held < step
            said.clock |= {} if self.in_batches else {STEP: said.held}
        elif said.clock:
            self.in_batches = False
        if not said.clock:
            return
        epoch, before = said.clock.get(EPOCH), self.clock.get(EPOCH)
        clock = {**self.clock, **said.clock}
        if epoch is not None and before is not None and epoch < before and STEP not in said.clock:
            clock.pop(STEP, None)
        if self.sums_up and said.clock.keys() == {STEP} and said.clock[STEP] < (step or 0):
            clock.pop(EPOCH, None)
            self.is_behind = True
        if clock == self.clock and self.row is not None:
            return
        other = self.clock.keys() == {STEP} and said.clock.keys() == {EPOCH}
        if self.heads and (other or (epoch or 0) < (before or 0)):
            # Settings, `epoch=100, batch=32`, stood before the first epoch.
            self.row, clock = None, {**said.clock}
        is_first = not self.table.used and bool(said.cells)
        self.heads = is_first and not any(map(is_measure, said.cells))
        self.before, copied = {}, self.before
        self._end(goes_on=STEP in said.clock or (epoch or 0) > (before or 0))
        self.clock = clock
        self.in_parts = self.in_parts or said.is_dict or not is_whole(clock.get(EPOCH, 0.0))
        row: dict[str, object] = {**clock, **copied}
        if STEP not in clock:
            row[STEP] = self._count(clock[EPOCH]) if self.in_parts else clock[EPOCH]
        self.row = row, number, offset

    def _count(self, epoch: float) -> int:
        """Return which of the epochs that were stated this is: it stands for the step."""
        count, last = self.seen
        count = 1 if epoch < last else count + (epoch > last)
        self.seen = count, epoch
        return count

    def _end(self, *, goes_on: bool = False) -> None:
        """Close the open row; what was measured once behind it is a result, if nothing goes on."""
        if self.row is None:
            return
        self.row[0].update({**self.passes.ended(self.row[0]), **self.before})
        if len(self.row[0].keys() - {STEP, EPOCH, FOLD}):
            self.table.add(*self.row)
        rows = self.table.runs.get(run_of(self.row[0], self.table.plan, as_number))
        after = self.passes.measured(goes_on=goes_on)
        if rows is not None:
            rows.results += [(len(rows.steps), tag, value) for tag, value in after.items()]

    def tell(self, *, is_log: bool) -> None:
        """Say what is left out, and of a program whether it ended with an error."""
        if not is_log and self.end.behind > BEHIND:
            self.end.error = ""
        for told in self.passes.left_out():
            self.table.say(told)
        if self.end.error:
            self.table.say(self.end.told, REMEDY, level="warning" if is_log else "note")
        if self.doubtful:
            shown, kind = self.doubtful[0][:20], "comma" if not self.comma else "point"
            many = f"{len(self.doubtful)} numbers such as {shown!r} are"
            count = many if len(self.doubtful) > 1 else f"the number {shown!r} is"
            self.table.say(
                f"{count} left out: whether the {kind} is a decimal one cannot be told",
                "write every number with a decimal point",
            )

    def is_log(self) -> bool:
        """Tell whether names repeat beside a counter that goes on, and leave out all others."""
        self._end()
        told = [self._is_log(rows) for rows in self.table.runs.values()]
        return any(told)

    def _is_log(self, rows: Rows) -> bool:
        for row in reversed(range(len(rows.epochs) - 1)) if self.is_behind else ():
            if math.isnan(rows.epochs[row]):
                rows.epochs[row] = rows.epochs[row + 1]
        # What was told once may speak of an earlier epoch, whose weights it has loaded.
        several = [one.rows for tag, one in rows.tags.items() if tag != EPOCH and len(one.rows) > 1]
        shown = sorted({row for its in several for row in its}) or range(len(rows.steps))

        def rises_in(its: Iterable[int]) -> int:
            own = [*its]
            return max(_rises([c[row] for row in own]) for c in (rows.steps, rows.epochs))

        rises = rises_in(shown)
        # Of a program that is known one line is no accident, where it is the only one.
        wanted = min(REPEATS - 1, rises + 1) if self.source.program else REPEATS
        # Neither is one of which an error cut the rest off, or that is one of several.
        wanted = min(REPEATS - 1, wanted) if self.end.error or self.has_folds else wanted
        often = max(wanted, len(set(rows.epochs) or rows.steps) // OFTEN)
        for tag, one in [] if self.source.cut == DICTS else [*rows.tags.items()]:
            is_said = tag not in self.inherited or is_measure(tag)
            few = len(one.rows) < (wanted if is_said else often) and tag not in self.copied
            if few and is_tested(tag) and tag in self.inherited:
                after = zip(one.rows, one.values, strict=True)
                rows.results += [(row + 1, tag, value) for row, value in after]
            if few and not (is_tested(tag) and tag not in self.inherited):
                del rows.tags[tag]
        _name_bare(rows.tags)
        # In a text that is no log the counters may be of one thing, and the measures of another.
        named = {tag: one for tag, one in rows.tags.items() if metric_of(tag) == UNNAMED}
        measured = [one.rows for tag, one in rows.tags.items() if is_measure(tag) or tag in named]
        told = any(rises_in(its) + 1 >= wanted for its in measured)
        return rises + 1 >= wanted and (told or bool(self.source.program))


@cache
def _ends() -> re.Pattern[bytes]:
    """Return what programs print when training is over; anything may stand for an asterisk."""
    ends = (end.encode().split(b"*") for one in sources_of(KIND) for end in one.ends)
    return re.compile(b"|".join(b".*".join(map(re.escape, parts)) for parts in ends))


def _tells_end(raw: bytes) -> bool:
    """Tell whether a line is one that a program prints when training is over."""
    return _ends().search(raw) is not None


def _heads(text: str) -> str:
    """Return the split that a line names which says nothing else, empty where it says more.

    Example:
        >>> [_heads(line) for line in ("EVAL SCORES", "Train (3 of 9):", "Running test...", "best")]
        ['eval', 'train', 'test', '']
        >>> _heads("Checking accuracy on the validation set"), _heads("train or test")
        ('validation', '')
    """
    said = words_of(_BESIDE.sub("", text).strip("-=*#:. \t>"))
    splits = [word for word in said if word in SPLIT_WORDS]
    return splits[0] if len(splits) == 1 and _HEADINGS.issuperset({*said} - {*splits, ""}) else ""


def _name_bare(tags: dict[str, Tag]) -> None:
    """Name what the splits alone name, `train 2.3 val 2.4`, as the only measure of the text.

    Where the text names none, or one without a split beside them, nobody knows what they are.
    """
    bare = [tag for tag in tags if tag.lower() in SPLIT_WORDS]
    measures = {metric_of(tag) if split_in(tag) else UNNAMED for tag in tags if is_measure(tag)}
    measures = measures or {UNNAMED}
    if len(bare) > 1 and len(measures) == 1:
        names = {tag: f"{tag}_{min(measures)}" for tag in bare}
        for tag in bare if tags.keys().isdisjoint(names.values()) else ():
            tags[names[tag]] = tags.pop(tag)


def _rises(counter: Sequence[float]) -> int:
    """Return how often a counter goes on; never, where it goes back as the best of many runs do.

    To go back to 0 or 1 is to begin anew.
    """
    rises = sum(before < after for before, after in pairwise(counter))
    falls = sum(before > after > 1 for before, after in pairwise(counter))
    return rises if 3 * falls <= rises else 0
