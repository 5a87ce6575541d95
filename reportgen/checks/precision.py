"""One number of a column with fewer decimals than all the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from reportgen.checks._ladder import sentence
from reportgen.checks._printed_runs import Shown, column_of, shown
from reportgen.records.finding import Case, Finding

RULE = "precision"
KINDS = ("metric_value", "aggregate_mean", "aggregate_std", "aggregate_other")
FEWEST = 4
"""Numbers that make a column a custom."""
_FAR = 10
"""Of a value so many times as large as all others nobody expects their decimals."""


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
    usual = [cell for cell in column if cell.printed.decimals == custom]
    fewer = [cell for cell in column if cell.printed.decimals < custom]
    odd = [cell for cell in fewer if not _is_long(cell, usual)]
    # What most do not print is no custom: each value may have as many digits, not decimals.
    if len(column) < FEWEST or 2 * len(usual) <= len(column):
        return
    # Where many end in a zero that is left out, leaving it out is the custom.
    if 4 * len(odd) > len(column):
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


def _is_long(cell: Shown, usual: Sequence[Shown]) -> bool:
    """Say whether a number has as many digits as the others: 10.607 beside 0.5056, 239460.

    Beside 440.27 stands 1000, with the one zero left out that it would have.
    """
    largest = max(abs(other.printed.value) for other in usual)
    digits = max(len(other.printed.value.as_tuple().digits) for other in usual)
    value = cell.printed.value
    own = len(value.as_tuple().digits)
    whole = not cell.printed.decimals and own > len(str(int(largest)))
    return abs(value) > _FAR * largest or own + whole >= digits
