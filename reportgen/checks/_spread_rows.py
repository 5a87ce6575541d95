"""Whether a printed mean and spread leave room for a printed value of the same group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from math import gcd

from reportgen.checks._aggregates import is_spelt_out
from reportgen.checks._once import once
from reportgen.checks._printed_runs import (
    Shown,
    column_decimals,
    same_group,
    same_measure,
    seeds_of,
    shown,
)
from reportgen.checks._weigh import SPREADS
from reportgen.records.claim import Meaning, Printed
from reportgen.records.finding import Case
from reportgen.stats import largest_distance


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A mean with its spread.

    Attributes:
        mean: The mean.
        spread: The spread beside it.
        n: Number of runs behind both, as stated, else as many as have values; at least two.
    """

    mean: Shown
    spread: Shown
    n: int

    @property
    def meaning(self) -> Meaning:
        """What both belong to."""
        return self.mean.meaning

    @property
    def room(self) -> tuple[Decimal, Decimal]:
        """The least and the largest value that a run can have, whatever the spread is."""
        low, high = _interval(self.mean.printed)
        spread = max(_interval(self.spread.printed)[1], Decimal())
        kinds = ("population", "sample", "standard error")
        possible = kinds[:2] if is_spelt_out(self.spread) else kinds
        reach = max(largest_distance(spread, self.n, kind) for kind in possible)
        return low - reach, high + reach

    def excludes(self, printed: Printed, decimals: int) -> bool:
        """Say whether nothing that is printed so at so many decimals has room in the row."""
        (low, high), (least, largest) = _interval(printed, decimals), self.room
        return high < least or low > largest


def _interval(printed: Printed, decimals: int | None = None) -> tuple[Decimal, Decimal]:
    """Return what a printed number may stand for, be it rounded or cut off towards zero."""
    unit = Decimal(1).scaleb(-(printed.decimals if decimals is None else decimals))
    value = printed.value
    if value < 0:
        return value - unit, value + unit / 2
    return value - unit / 2, value + unit


@once
def _rows(case: Case) -> tuple[Row, ...]:
    """Return every mean with the spread that is printed beside it."""
    means = shown(case, "aggregate_mean")
    found: list[Row] = []
    for spread in shown(case, "aggregate_std", "aggregate_other"):
        if spread.meaning.aggregate not in SPREADS:
            continue
        near = [mean for mean in means if _beside(mean, spread)]
        if near:
            best = min(near, key=lambda mean: abs(mean.claim.start - spread.claim.start))
            n = best.meaning.n or spread.meaning.n or len(seeds_of(case, best.meaning))
            found += [Row(mean=best, spread=spread, n=n)] if n > 1 else []
    return tuple(found)


def _beside(mean: Shown, spread: Shown) -> bool:
    """Say whether a mean stands in the row or in the passage of a spread, and means the same."""
    a, b = mean.claim, spread.claim
    if a.block != b.block or a.table != b.table:
        return False
    one, other = mean.meaning, spread.meaning
    same = (one.epoch, one.step, one.selection) == (other.epoch, other.step, other.selection)
    return same and same_group(one, other) and same_measure(one, other)


def contradicted(case: Case, single: Shown) -> tuple[Row, str] | None:
    """Return the row that leaves no room for a value, and how loud that is; None where all do.

    A value that no row of its group leaves room for is out whichever its epoch is: an
    `"error"`. In its own row either of the two may be at fault, the epoch may be another one,
    `80` may be rounded: a `"warning"`.
    """
    own, rows = _rows_of(case, single)
    printed = single.printed
    if len(rows) > 1 and all(row.excludes(printed, printed.decimals) for row in rows):
        return own or min(rows, key=lambda r: abs(r.mean.printed.value - printed.value)), "error"
    if own is not None and own.excludes(printed, column_decimals(case, single)):
        return own, "warning"
    return None


def _rows_of(case: Case, single: Shown) -> tuple[Row | None, tuple[Row, ...]]:
    """Return the row that a value belongs to, where it is known, and all those of its group."""
    meaning = single.meaning
    same = tuple(
        row
        for row in _rows(case)
        if same_group(row.meaning, meaning)
        and same_measure(row.meaning, meaning)
        and row.meaning.metric == meaning.metric
    )
    timed = tuple(r for r in same if r.meaning.epoch is not None or r.meaning.step is not None)
    if timed:
        return _row_at(case, meaning, timed), timed
    # Where every run is printed, the aggregate itself is recomputed.
    if len(same) != 1 or len(seeds_of(case, meaning)) >= same[0].n or meaning.epoch is not None:
        return None, ()
    said = {same[0].meaning.selection, meaning.selection} - {""}
    return (same[0], same) if len(said) < 2 else (None, ())


def _row_at(case: Case, meaning: Meaning, timed: Sequence[Row]) -> Row | None:
    """Return the row at a value's epoch or step."""
    for row in timed:
        same_epoch = meaning.epoch is not None and row.meaning.epoch == meaning.epoch
        if same_epoch or (meaning.step is not None and row.meaning.step == meaning.step):
            return row
    length = _steps_per_epoch(case)
    if meaning.step is None or length is None or meaning.step % length:
        return None
    return next((r for r in timed if r.meaning.epoch == meaning.step // length), None)


def _steps_per_epoch(case: Case) -> int | None:
    """Return how many steps an epoch has.

    The logs know it. A report that lists as many epochs as its largest step has times the
    greatest divisor of all its steps lets it be guessed.
    """
    if case.facts is not None and case.facts.study.steps_per_epoch:
        return case.facts.study.steps_per_epoch
    numbers = shown(case, "best_step", "metric_value", "aggregate_mean")
    steps = {s.meaning.step for s in numbers if s.meaning.step}
    epochs = {s.meaning.epoch for s in numbers if s.meaning.epoch}
    if len(steps) < 2 or not epochs:
        return None
    common = reduce(gcd, sorted(steps))
    return common if common > 1 and max(steps) // common == max(epochs) else None
