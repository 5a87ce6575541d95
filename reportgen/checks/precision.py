"""One number of a column with fewer decimals than all the others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from reportgen.checks._ladder import sentence
from reportgen.checks._printed_runs import Shown, column_of, shown
from reportgen.records.finding import Case, Finding

RULE = "precision"
KINDS = ("metric_value", "aggregate_mean", "aggregate_std", "aggregate_other")
FEWEST = 4
"""Numbers that make a column a custom."""


def check(case: Case) -> Iterator[Finding]:
    """Note the numbers that print fewer decimals than their column does."""
    cells = [s for s in shown(case, *KINDS) if s.claim.table is not None]
    for _, found in groupby(sorted(cells, key=_column), key=_column):
        yield from _check(tuple(found))


def _column(cell: Shown) -> tuple[tuple[int, str, str, str, str], bool]:
    """Return what cells of one custom share: differences of runs are none of their mean."""
    return column_of(cell), cell.meaning.seed is None


def _check(column: tuple[Shown, ...]) -> Iterator[Finding]:
    custom = max(cell.printed.decimals for cell in column)
    odd = [cell for cell in column if cell.printed.decimals < custom]
    # Where many end in a zero that is left out, leaving it out is the custom.
    if len(column) < FEWEST or 4 * len(odd) > len(column):
        return
    for cell in odd:
        decimals = f"{custom} decimal{'s' if custom > 1 else ''}"
        reason = f"its column prints {decimals} and it {cell.printed.decimals or 'none'}"
        yield Finding(
            rule=RULE,
            level="note",
            verdict="not checkable",
            claim=cell.claim,
            message=sentence(cell.claim, reason),
            reason=reason,
        )
