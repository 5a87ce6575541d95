"""Two groups as the sentences about them see them, and the words for moments and runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from reportgen.records.document import Text
from reportgen.records.facts import Comparison, EpochRow, Facts, GroupResult, RunResult
from reportgen.records.quantity import Quantity
from reportgen.records.run import Run
from reportgen.sections._numbers import (
    Printing,
    printing_of,
)
from reportgen.sections._phrases import (
    in_words,
    joined,
    metric_words,
    plural,
)
from reportgen.stats._readings import index_of_step
from reportgen.stats.evaluations import reading_of

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
    return f"epoch {row.epoch:g}" if is_epoch(row) else f"step {row.step}"


def moments(rows: Sequence[EpochRow]) -> str:
    """Return the names of several rows in one enumeration."""
    whole = all(is_epoch(row) for row in rows)
    names = [f"{row.epoch:g}" if whole else str(row.step) for row in rows]
    word = plural("epoch" if whole else "step", len(names))
    return f"{word} {', '.join(names[:-1])} and {names[-1]}" if names[1:] else f"{word} {names[0]}"


def each_of(rows: Sequence[EpochRow]) -> str:
    """Return how many epochs, or evaluations, some rows are."""
    whole = all(is_epoch(row) for row in rows)
    return f"{in_words(len(rows))} {'epochs' if whole else 'evaluations'}"


def enumerated(parts: list[str]) -> str:
    """Return an enumeration of at most six parts, and how many more there are."""
    shown = parts if len(parts) <= MOST_NAMED else parts[: MOST_NAMED - 1]
    more = len(parts) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more else "")


def when(rows: Sequence[EpochRow], every: Sequence[EpochRow]) -> str:
    """Return the names of some rows, or of many how many of all they are."""
    return moments(rows) if len(rows) <= MOST_NAMED else f"{len(rows)} of the {each_of(every)}"


def evaluations_of(
    pair: Pair, group: GroupResult, cell: RunResult, split: str
) -> list[tuple[EpochRow, Quantity | None]]:
    """Return what one run logged at the epochs of its group, None where that is not finite."""
    metric = pair.facts.study.metric.name
    series = cell.run.find(metric, split) if cell.run is not None else None
    if cell.run is None or series is None:
        return []
    rows = [row for row in group.epochs if index_of_step(series, row.step) is not None]
    readings = [(row, reading_of(cell.run, metric, split, row.step)) for row in rows]
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


def course_of(pair: Pair, key: str, stds: Sequence[tuple[EpochRow, Quantity]]) -> Text:
    """Return the end of a sentence; nothing for a standard deviation that stays, as printed.

    "Shrinks" and "grows" are said of a series that never turns, as printed; of any other, where
    it is largest and how it ends.

    Args:
        pair: The two groups; rounds and prints.
        key: Part of the ids, that of the group.
        stds: Two or more rows with their standard deviations, in order.
    """
    printed = [pair.printing.rounded(std) for _, std in stds]
    if len(set(printed)) == 1:
        return ()
    (start, first), (end, last) = stds[0], stds[-1]
    number, name = pair.printing.mean, f"{pair.prefix}.{key}"
    falls = all(b <= a for a, b in pairwise(printed))
    if falls or all(b >= a for a, b in pairwise(printed)):
        return (
            f"{'shrinks' if falls else 'grows'} from ",
            number(f"{name}.std_first", first),
            f"{pair.printing.gap} at {moment(start)} to ",
            number(f"{name}.std_last", last),
            f" at {moment(end)}.",
        )
    tied = [row for (row, _), size in zip(stds, printed, strict=True) if size == max(printed)]
    largest = stds[printed.index(max(printed))][1]
    ends = (("std_first", *stds[0]), ("std_last", *stds[-1]))
    others: list[Text] = [
        (number(f"{name}.{which}", std), f" at {moment(row)}")
        for which, row, std in ends
        if not any(row is one for one in tied)
    ]
    return (
        f"is largest at {when(tied, [row for row, _ in stds])} (",
        number(f"{name}.std_largest", largest),
        f"{pair.printing.gap}){'; it is ' if others else ''}",
        *joined(others),
        ".",
    )
