"""Two groups as the sentences about them see them, and the words for moments and runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from reportgen.languages import message, say, tell
from reportgen.languages._language import Place
from reportgen.records.document import Text
from reportgen.records.facts import Comparison, EpochRow, Facts, GroupResult, RunResult
from reportgen.records.quantity import Quantity
from reportgen.records.run import Run
from reportgen.report._numbers import Printing, printing_of
from reportgen.report._phrases import (
    in_words,
    joined,
    metric_words,
)
from reportgen.report._points import in_points
from reportgen.stats import index_of_step, reading_of

MOST_NAMED = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """What every sentence may look at.

    Attributes:
        facts: Everything.
        first: First group.
        second: Second group.
        rows: Epochs that both groups have, aligned.
        printing: How values are printed.
        prefix: Start of the ids of the numbers.
    """

    facts: Facts
    first: GroupResult
    second: GroupResult
    rows: tuple[tuple[EpochRow, EpochRow], ...]
    printing: Printing
    prefix: str

    @property
    def metric(self) -> str:
        """The metric as a word."""
        return metric_words(self.facts.study)

    @property
    def groups(self) -> tuple[tuple[str, GroupResult], ...]:
        """Both groups with their part of an id."""
        return (("first", self.first), ("second", self.second))

    @property
    def splits(self) -> tuple[str, ...]:
        """The reporting split, then the selection split where it is another one."""
        return tuple(dict.fromkeys((self.first.report_split, self.facts.study.metric.select_on)))


def pair_of(facts: Facts, comparison: Comparison, prefix: str) -> Pair:
    """Return the two groups of a comparison, their epochs aligned.

    Where two evaluations close the same epoch, rows are told apart by their steps alone.
    """
    first, second = facts.group(comparison.first), facts.group(comparison.second)
    printing = printing_of(facts.groups, first, second)
    if not all(len({row.epoch for row in g.epochs}) == len(g.epochs) for g in (first, second)):
        first, second = _by_step(first), _by_step(second)
    return Pair(
        facts=facts,
        first=first,
        second=second,
        rows=aligned(first, second),
        printing=printing,
        prefix=f"{prefix}.comment",
    )


def _by_step(group: GroupResult) -> GroupResult:
    return replace(group, epochs=tuple(replace(row, epoch=0.0) for row in group.epochs))


def aligned(first: GroupResult, second: GroupResult) -> tuple[tuple[EpochRow, EpochRow], ...]:
    """Return the rows that both groups have: the same epoch, or step where epochs are unknown."""
    by_key = {(row.epoch, 0 if row.epoch else row.step): row for row in second.epochs}
    found = []
    for row in first.epochs:
        other = by_key.get((row.epoch, 0 if row.epoch else row.step))
        if other is not None:
            found.append((row, other))
    return tuple(found)


def is_epoch(row: EpochRow) -> bool:
    """Return whether a row stands at the end of a known epoch."""
    return row.epoch > 0 and float(row.epoch).is_integer()


def moment(row: EpochRow) -> str:
    """Return the name of a row: its epoch where that is whole, else its step."""
    if is_epoch(row) or row.steps:
        return tell("epoch {epoch}", epoch=f"{row.epoch:g}")
    return tell("step {step}", step=row.step)


def row_key(row: EpochRow) -> str:
    """Return what evidence calls a row, in English as all evidence is."""
    if is_epoch(row) or row.steps:
        return message("epoch {epoch}", epoch=f"{row.epoch:g}")
    return message("step {step}", step=row.step)


def moments(rows: Sequence[EpochRow]) -> str:
    """Return the names of several rows in one enumeration."""
    if len(rows) == 1:
        return moment(rows[0])
    whole = all(is_epoch(row) for row in rows)
    names = [f"{row.epoch:g}" if whole else str(row.step) for row in rows]
    listed = tell("{first} and {last}", first=", ".join(names[:-1]), last=names[-1])
    return tell("epochs {epochs}", epochs=listed) if whole else tell("steps {steps}", steps=listed)


def each_of(rows: Sequence[EpochRow]) -> str:
    """Return how many epochs, or evaluations, some rows are."""
    count = in_words(len(rows))
    if all(is_epoch(row) for row in rows):
        return tell("{count} epochs", count=count)
    return tell("{count} evaluations", count=count)


def enumerated(parts: list[str]) -> str:
    """Return an enumeration of at most six parts, and how many more there are."""
    if len(parts) <= MOST_NAMED:
        return tell("; ").join(parts)
    shown = tell("; ").join(parts[: MOST_NAMED - 1])
    return tell("{shown}; and {count} more", shown=shown, count=len(parts) - MOST_NAMED + 1)


def when(rows: Sequence[EpochRow], every: Sequence[EpochRow]) -> str:
    """Return the names of some rows, or of many how many of all they are."""
    if len(rows) <= MOST_NAMED:
        return moments(rows)
    return tell("{some} of the {every}", some=len(rows), every=each_of(every))


def evaluations_of(
    pair: Pair, group: GroupResult, cell: RunResult, split: str
) -> list[tuple[EpochRow, Quantity | None]]:
    """Return what one run logged at the epochs of its group, None where that is not finite."""
    metric = pair.facts.study.metric.name
    series = cell.run.find(metric, split) if cell.run is not None else None
    if cell.run is None or series is None:
        return []
    steps = {id(row): row.step_of(cell.run) for row in group.epochs}
    rows = [row for row in group.epochs if index_of_step(series, steps[id(row)]) is not None]
    readings = [(row, reading_of(cell.run, metric, split, steps[id(row)])) for row in rows]
    return [(row, r if isinstance(r, Quantity) else None) for row, r in readings]


def is_complete(pair: Pair, group: GroupResult, row: EpochRow, split: str) -> bool:
    """Return whether a row holds a value of every run of the group that logged the split.

    Means of rows that are not complete are over other runs, and are not compared.
    """
    metric = pair.facts.study.metric.name
    runs = [cell.run for cell in group.cells if cell.run is not None]
    logged = [run for run in runs if len(run.find(metric, split) or ())]
    return split in row.splits and row.splits[split].n == len(logged) > 0


def last_step(run: Run, metric: str, split: str) -> int | None:
    """Return the last step at which a metric was evaluated on a split."""
    series = run.find(metric, split)
    return int(series.steps[-1]) if series is not None and len(series) else None


def course_of(pair: Pair, key: str, what: str, stds: Sequence[tuple[EpochRow, Quantity]]) -> Text:
    """Return how a standard deviation goes; nothing for one that stays, as printed.

    "Shrinks" and "grows" are said of a series that never turns, as printed; of any other, where
    it is largest and how it ends.

    Args:
        pair: The two groups; rounds and prints.
        key: Part of the ids, that of the group.
        what: The standard deviation, with which the sentence begins.
        stds: Two or more rows with their standard deviations, in order.
    """
    printed = [pair.printing.rounded(std) for _, std in stds]
    if len(set(printed)) == 1:
        return ()
    (start, first), (end, last) = stds[0], stds[-1]
    number, name = pair.printing.mean, f"{pair.prefix}.{key}"
    falls = all(b <= a for a, b in pairwise(printed))
    if falls or all(b >= a for a, b in pairwise(printed)):
        return say(
            "{what} shrinks from {first} at {start} to {last} at {end}."
            if falls
            else "{what} grows from {first} at {start} to {last} at {end}.",
            what=what,
            first=in_points(pair.printing, number(f"{name}.std_first", first)),
            start=moment(start),
            last=number(f"{name}.std_last", last),
            end=moment(end),
        )
    tied = [row for (row, _), size in zip(stds, printed, strict=True) if size == max(printed)]
    largest = stds[printed.index(max(printed))][1]
    places: dict[str, Place] = {
        "what": what,
        "when": when(tied, [row for row, _ in stds]),
        "largest": in_points(pair.printing, number(f"{name}.std_largest", largest)),
    }
    ends = (("std_first", *stds[0]), ("std_last", *stds[-1]))
    others = [
        say("{std} at {moment}", std=number(f"{name}.{which}", std), moment=moment(row))
        for which, row, std in ends
        if not any(row is one for one in tied)
    ]
    if not others:
        return say("{what} is largest at {when} ({largest}).", **places)
    return say(
        "{what} is largest at {when} ({largest}); it is {others}.", others=joined(others), **places
    )
