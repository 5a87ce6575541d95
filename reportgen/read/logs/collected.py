"""Rows of a file, collected by run and tag, and turned into the logs of its sessions."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterator, Mapping

import numpy as np

from reportgen.read.logs import shapes
from reportgen.read.logs.columns import EPOCHS, Numbers, Row, read_time, run_of
from reportgen.read.logs.cut import Cut
from reportgen.read.logs.numbers import OddCells, repeats
from reportgen.read.logs.sessions import ABSENT, EPOCH, Clocked, Points, void_tags
from reportgen.read.logs.wire import name_tags
from reportgen.read.logs.words import plain_word
from reportgen.records.record import field, record, replace
from reportgen.records.run import ELAPSED, Log, Problem, Series
from reportgen.records.study import TablePlan

LISTED = 20

TAG_LIMIT = 10_000
"""More columns than these are no log that somebody reads."""

_CLOCKS = {EPOCH, *ELAPSED, "batch", "progress", "Progress"}
"""Tags that measure nothing."""

Settings = Mapping[str, object]

_SEED = re.compile(r"(?:^|/)seed(\d{1,18})(?:/|$)")


@record(kw_only=False, frozen=False)
class Tag:
    """Points of one tag: the numbers of their rows, and their values."""

    rows: array[int] = field(default_factory=lambda: array("q"))
    values: array[float] = field(default_factory=lambda: array("d"))


@record(kw_only=False, frozen=False)
class Rows:
    """The rows of one run, in the order of the file.

    Attributes:
        begun: Numbers of rows before which the header came again.
        stated: Number of a row to the settings that stood before it.
        last: The last of them.
        results: Numbers without a clock, each with how many rows stood before it.
    """

    steps: array[int] = field(default_factory=lambda: array("q"))
    epochs: array[float] = field(default_factory=lambda: array("d"))
    times: array[float] = field(default_factory=lambda: array("d"))
    tags: dict[str, Tag] = field(default_factory=dict)
    begun: list[int] = field(default_factory=list)
    stated: dict[int, Settings] = field(default_factory=dict)
    last: Settings | None = None
    results: list[tuple[int, str, float]] = field(default_factory=list)

    def state(self, settings: Settings, step: int | None) -> None:
        """Note which settings stand before the next row: a training begins, if its step is back."""
        if settings is not self.last:
            number = len(self.steps)
            if number and step is not None and step <= self.steps[-1]:
                self.begun.append(number)
            self.stated[number] = self.last = settings

    def results_of(self, begin: int, end: int) -> tuple[dict[str, float], list[str]]:
        """Return what the rows of one session state once, and the tags of what is stated anew."""
        stated: dict[str, set[float]] = {}
        for before, tag, value in self.results:
            if begin < before <= end:
                stated.setdefault(tag, set()).add(value)
        once = {tag: min(values) for tag, values in stated.items() if len(values) == 1}
        return once, [tag for tag in stated if tag not in once]


@record(kw_only=False, frozen=False)
class Table:
    """Takes rows in and gives logs out, one a run and session.

    Attributes:
        plan: Which column is what.
        path: The file, as it is reported.
        number: How a cell is read.
        place: What the place of a row is called, as in `line 3`.
        nothing: What to say where there was no row.
        told: Whether columns of names were found that tell its runs apart.
        counted: Whether its step is a column that is called neither step nor epoch.
        paced: Whether its only clock is an epoch with decimals, so that its readings are counted.
        fixed: Tags of columns that have others than their names; of a list, of its places.
        dropped: Beginnings of names of columns that hold no points.
        named: Whether an only run keeps the name that the file has for it.
        trained: Keys of which rows of training have one, and those of validation have none.
        logged: Whether somebody logged each value, so that NaN throughout is no empty column.
        remedy: What to do where several values of a tag have one step.
        runs: Run to its rows; empty for the only run of a file.
        count: Rows that could not be used; the first of them are in `problems`.
        crowded: Whether a run had more tags than are read.
        tags: Column to the tag of its numbers, as far as it was looked up.
        odd: Cells that are no numbers.
        used: Rows that gave a point.
        stated: Settings that stood last between the rows.
    """

    plan: TablePlan
    path: str
    number: Numbers
    place: str = "line"
    nothing: str = ""
    told: bool = False
    counted: bool = False
    paced: bool = False
    fixed: Mapping[str, str] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()
    named: bool = False
    trained: tuple[str, ...] = ()
    logged: bool = False
    remedy: str = "where a column tells them apart, name it in [[logs.tables]]"
    runs: dict[str, Rows] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    count: int = 0
    crowded: bool = False
    tags: dict[str, str] = field(default_factory=dict)
    odd: OddCells = field(init=False)
    used: int = 0
    stated: Settings = field(default_factory=dict)
    _paces: dict[str, tuple[int, float]] = field(default_factory=dict)
    _clock: str = field(init=False)
    _epoch: str = field(init=False)

    def __post_init__(self) -> None:
        plan = self.plan
        self.odd = OddCells(self.path, self.place)
        self._clock = plan.step or plan.epoch
        counts_epochs = plain_word(self._clock) in EPOCHS
        self._epoch = plan.epoch or (self._clock if counts_epochs else EPOCH)

    def take(self, cut: Cut) -> None:
        """Take a row as it was cut out, or what stands in the place of one."""
        if cut.begins:
            self.begin()
        if cut.warning:
            self.say(cut.warning, offset=cut.offset)
        if cut.refused:
            self.refuse(cut.refused, cut.line, cut.offset, "mend the file, or copy it again")
        if cut.cells is not None:
            self.add(cut.cells, cut.line, cut.offset)
        if cut.end:
            self.tell_end(cut.end, cut.line, cut.offset)

    def add(self, row: Row, line: int, offset: int) -> None:
        """Add the numbers of one row, which begins in a line, counted from 1, at an offset."""
        step, epoch = _whole(self.number(row.get(self._clock))), self.number(row.get(self._epoch))
        plan = self.plan
        key = run_of(row, plan, self.number) if plan.runs else ""
        if self.paced and epoch is not None and math.isfinite(epoch):
            count, last = self._paces.get(key, (0, -math.inf))
            step = 1 if epoch < last else count + (epoch > last)
            self._paces[key] = step, epoch
        only_epoch = step is None and _whole(epoch) is not None and plan.step
        if step is None and not only_epoch:
            if not self._take_results(row) and any(cell not in (None, "") for cell in row.values()):
                self.refuse(f"has no {self._clock!r} that is a whole number", line, offset)
            return
        rows = self.runs.get(key)
        if rows is None:
            rows = self.runs[key] = Rows()
        rows.state(self.stated, step)
        rows.steps.append(ABSENT if step is None else step)
        rows.epochs.append(math.nan if epoch is None else epoch)
        rows.times.append(read_time(row.get(plan.time)) if plan.time else math.nan)
        before = str(row.get(plan.split) or "").strip() if plan.split else ""
        if self.trained and not any(key in row for key in self.trained):
            before = "val"
        number, made = len(rows.steps) - 1, False
        for tag, cell in self._cells(row):
            if before and tag != EPOCH:
                tag = f"{before}/{tag}"  # noqa: PLW2901
            value = self.number(cell)
            if value is None:
                self.odd.add(tag, cell, line)
                continue
            column = rows.tags.get(tag)
            if column is None:
                if len(rows.tags) >= TAG_LIMIT:
                    self.crowded = True
                    continue
                column = rows.tags[tag] = Tag()
            column.rows.append(number)
            column.values.append(value)
            made = made or (tag not in _CLOCKS)
        self.used += made

    def _take_results(self, row: Row) -> bool:
        """Take a row without a clock for results, and tell whether it holds any."""
        plan, key = self.plan, run_of(row, self.plan, self.number)
        if self.number(row.get(self._clock)) is not None or (plan.runs and key not in self.runs):
            return False
        before = str(row.get(plan.split) or "").strip() if plan.split else ""
        cells = {f"{before}/{tag}" if before else tag: cell for tag, cell in self._cells(row)}
        results = shapes.results_in(cells, self.number)
        if results:
            rows = self.runs.setdefault(key, Rows())
            rows.results += [(len(rows.steps), tag, one) for tag, one in results.items()]
        return bool(results)

    def begin(self) -> None:
        """Have a session begin with the next row: the header came again."""
        for rows in self.runs.values():
            rows.begun.append(len(rows.steps))

    def _cells(self, row: Row) -> Iterator[tuple[str, object]]:
        """Yield (tag, cell) of a row, for cells that may hold a point."""
        plan = self.plan
        if plan.tag:
            told = str(row.get(plan.tag) or "").strip()
            if told and (not plan.columns or told in plan.columns):
                yield plan.columns.get(told, self.fixed.get(told, told)), row.get(plan.value)
            return
        # What tells the rows apart is a value too, where it is an epoch: it says what steps count.
        if self._epoch != EPOCH or self._clock == EPOCH:
            yield EPOCH, row.get(self._epoch)
        for name, cell in row.items():
            tag = self.tags.get(name)
            if tag is None:
                tag = self.tags[name] = self._tag(name)
            if isinstance(cell, list) and self.fixed:
                named = ((self.fixed.get(f"{name}.{n}"), one) for n, one in enumerate(cell))
                yield from ((own, one) for own, one in named if own)
            elif tag and cell not in (None, ""):
                yield tag, cell

    def _tag(self, name: str) -> str:
        """Return the tag of a column's numbers, empty where they are no points."""
        plan = self.plan
        own = self._epoch if self._epoch != EPOCH else ""
        if name in {self._clock, plan.time, plan.split, own, *plan.runs}:
            return ""
        if plan.columns:
            return plan.columns.get(name, "")
        # A name that begins with an underscore is the program's own.
        hidden = name.startswith(("_", *self.dropped)) and name not in ELAPSED
        return "" if hidden else self.fixed.get(name, name)

    def refuse(self, reason: str, line: int, offset: int, remedy: str = "") -> None:
        """Leave a line out, and say which."""
        self.count += 1
        if self.count <= LISTED:
            self.say(f"{self.place} {line} {reason}; left out", remedy, offset=offset)

    def tell_end(self, what: str, line: int, offset: int) -> None:
        """Say what the matter is with the last line, which has no end."""
        message = f"the last {self.place}, {line}, {what}"
        self.say(message, "normal while training still runs", offset=offset, level="note")

    def say(
        self, message: str, remedy: str = "", *, offset: int | None = None, level: str = "warning"
    ) -> None:
        """Add a problem of the file."""
        told = {"message": message, "remedy": remedy, "level": level}
        self.problems.append(Problem(path=self.path, offset=offset, **told))

    def logs(self, empty: Log) -> tuple[Log, ...]:
        """Return what was read, one log a run and session; the first states what `empty` does."""
        logs = [log for key, rows in self.runs.items() for log in self._logs_of(key, rows, empty)]
        found = logs or [empty]
        problems = [*empty.problems, *self._faults(), *(found[0].problems if logs else ())]
        if not logs and not problems and not empty.results:
            nothing = "only steps and epochs: " if self.runs else self.nothing
            problems.append(Problem(path=self.path, message=f"{nothing}no point was logged"))
        keys = {log.run_key for log in found}
        if len(keys) == 1 and not self.named:
            # One run goes by the place of its file, which others of its group have as well.
            seed = _SEED.search(found[0].run_key)
            stated = {"seed": int(seed[1])} if seed else {}
            found = [replace(log, run_key="", config={**log.config, **stated}) for log in found]
        results = {**empty.results, **found[0].results}
        first = replace(found[0], problems=tuple(problems), results=results)
        return (first, *found[1:])

    def _logs_of(self, key: str, rows: Rows, empty: Log) -> list[Log]:
        points = {
            tag: Points(np.asarray(one.rows, dtype=np.int64), np.asarray(one.values))
            for tag, one in rows.tags.items()
        }
        clock = Clocked(rows.steps, rows.epochs, rows.times, points)
        starts = clock.sessions(points, rows.begun)
        notes = list(clock.notes(self.path))
        void = [] if self.logged else void_tags(points)
        if void:
            told = f"{name_tags(void)}: NaN in every row, and left out"
            notes.append(Problem(path=self.path, message=told, level="note"))
        logs: list[Log] = []
        for begin, end in zip([0, *starts], [*starts, len(rows.steps)], strict=True):
            series = {
                tag: one
                for tag, its in points.items()
                if tag not in void and len(one := clock.series(tag, its, begin, end, self.path))
            }
            results, several = rows.results_of(begin or -1, end)
            if several:
                told = f"{name_tags(several)}: several values without a step, and left out"
                notes.append(Problem(path=self.path, message=told))
            if series.keys() - _CLOCKS or results:
                # What a training that began anew was given, the settings of another do not say.
                own = replace(empty, config={**empty.config, **rows.stated.get(begin, {})})
                log = self._log(key, series, len(logs), own, notes, restarts=clock.restarts)
                logs.append(replace(log, results=results))
                notes = []
        return logs

    def _log(
        self,
        key: str,
        series: dict[str, Series],
        session: int,
        empty: Log,
        notes: list[Problem],
        *,
        restarts: bool,
    ) -> Log:
        told = {} if restarts else {tag: one for tag, one in series.items() if tag != EPOCH}
        lost = repeats(told, self.path, self.remedy, lambda _, one: len(one) > 1)
        points = sum(map(len, series.values()))
        return replace(
            empty,
            source=replace(empty.source, points=points),
            series=series,
            problems=(*notes, *lost),
            run_key=key,
            session=session,
            results={},
            told=self.plan if self.told else None,
            counted=self.plan if self.counted else None,
        )

    def _faults(self) -> list[Problem]:
        numbers: dict[str, int] = {}
        for tag, column in (pair for rows in self.runs.values() for pair in rows.tags.items()):
            numbers[tag] = numbers.get(tag, 0) + len(column.rows)
        odd = list(self.odd.problems(numbers))

        def more(count: int, what: str) -> list[Problem]:
            message = f"{count} more {what}"
            return [Problem(path=self.path, message=message)] if count > 0 else []

        problems = [*self.problems, *more(self.count - LISTED, f"{self.place}s like these")]
        problems += odd[:LISTED]
        problems += more(len(odd) - LISTED, "columns with values that are no numbers")
        if self.crowded:
            message = f"more than {TAG_LIMIT} columns; the rest is left out"
            problems.append(Problem(path=self.path, message=message))
        return problems


def _whole(value: float | None) -> int | None:
    return int(value) if value is not None and value.is_integer() and abs(value) < 2**63 else None
