"""Whether a printed mean and spread leave room for a printed value of the same group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reportgen.checks._aggregates import is_spelt_out
from reportgen.checks._printed_runs import (
    Row,
    Shown,
    column_decimals,
    number_of_runs,
    same_group,
    same_measure,
    seeds_of,
    steps_per_epoch,
)
from reportgen.records.claim import Printed
from reportgen.records.finding import Case
from reportgen.stats import (
    EITHER,
    ERROR,
    POPULATION,
    SAMPLE,
    Spread,
    is_possible,
    printed_interval,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """The rows that a value may belong to.

    Attributes:
        own: The row of its epoch, or the only one.
        sure: Whether the report says so; else the epoch is guessed from the step.
        all: Every row of its group.
        n: Number of runs behind a row.
    """

    own: Row | None
    sure: bool
    all: tuple[Row, ...]
    n: int


def rows_beside(case: Case, single: Shown, table: Sequence[Row]) -> Beside | None:
    """Return the rows of a table that a value may belong to, or None where none is."""
    meaning = single.meaning
    same = tuple(
        row
        for row in table
        if same_group(row.meaning, meaning)
        and same_measure(row.meaning, meaning)
        and row.meaning.metric == meaning.metric
    )
    if not same:
        return None
    n = number_of_runs(case, same[0].meaning, same[0].spread.meaning, meaning)
    if n is None or n < 2:
        return None
    timed = tuple(r for r in same if r.meaning.epoch is not None or r.meaning.step is not None)
    if timed:
        own, sure = _row_of(case, single, timed)
        return Beside(own=own, sure=sure, all=timed, n=n)
    # Where every run is printed, the aggregate itself is recomputed.
    if len(same) > 1 or len(seeds_of(case, meaning)) >= n or meaning.epoch is not None:
        return None
    said = {same[0].meaning.selection, meaning.selection} - {""}
    return Beside(own=same[0], sure=False, all=same, n=n) if len(said) < 2 else None


def _row_of(case: Case, single: Shown, timed: Sequence[Row]) -> tuple[Row | None, bool]:
    """Return the row at a value's epoch or step, and whether that is more than a guess."""
    meaning = single.meaning
    for row in timed:
        same_epoch = meaning.epoch is not None and row.meaning.epoch == meaning.epoch
        if same_epoch or (meaning.step is not None and row.meaning.step == meaning.step):
            return row, True
    length, known = steps_per_epoch(case)
    if meaning.step is None or length is None or meaning.step % length:
        return None, False
    epoch = meaning.step // length
    return next((r for r in timed if r.meaning.epoch == epoch), None), known


def spread_of(row: Row, n: int) -> Spread:
    """Return a row as what its mean and its spread may stand for, rounded or cut off."""
    mean, spread = row.mean.printed, row.spread.printed
    return Spread(
        printed_interval(mean.value, mean.decimals, EITHER),
        printed_interval(spread.value, spread.decimals, EITHER),
        n,
    )


def definitions_of(row: Row) -> tuple[str, ...]:
    """Return the definitions that a row's spread may have."""
    kinds = (POPULATION, SAMPLE)
    return kinds if is_spelt_out(row.spread) else (*kinds, ERROR)


def excludes(row: Row, n: int, printed: Printed) -> bool:
    """Say whether no definition of the spread leaves room for a value."""
    known = (printed_interval(printed.value, printed.decimals, EITHER),)
    spread = replace(spread_of(row, n), known=known)
    return not any(is_possible(spread, definition) for definition in definitions_of(row))


def contradicted(case: Case, single: Shown, beside: Beside) -> str:
    """Return how loudly the rows contradict a value: `"error"`, `"warning"`, or empty.

    A value that no row of its group leaves room for is out whichever its epoch is. In its own
    row either of the two may be at fault, the epoch may be another one, `80` may be rounded.
    """
    if len(beside.all) > 1 and all(excludes(r, beside.n, single.printed) for r in beside.all):
        return "error"
    finer = replace(single.printed, decimals=column_decimals(case, single))
    own = beside.own
    return "warning" if own is not None and excludes(own, beside.n, finer) else ""
