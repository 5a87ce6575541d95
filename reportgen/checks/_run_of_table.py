"""The run that a table is of, where it does not say so and all but a few of its values tell."""

from __future__ import annotations

from collections import Counter

from reportgen.checks._choices import choices
from reportgen.checks._ladder import compare
from reportgen.checks._logged import Logbook, logbook_of
from reportgen.checks._once import once
from reportgen.checks._subjects import bound_numbers, subject_of
from reportgen.checks._weigh import units_of
from reportgen.records.claim import Claim, Meaning, Printed
from reportgen.records.finding import Case
from reportgen.records.run import Run

_FEWEST, _MOST = 3, 400
"""Values of a table from which its run can be told, and which are tried."""
_ALL_BUT_A_FEW = 0.75


@once
def run_of_table(case: Case, table: int) -> str:
    """Return the id of the one run with nearly all values of a table; empty where none has.

    Args:
        case: The report and its logs.
        table: Index of the table's block.
    """
    book = logbook_of(case)
    told = [
        (claim, meaning, printed)
        for claim, meaning, printed in bound_numbers(case, "metric_value")
        if claim.table == table and not meaning.aggregate and meaning.seed is None
    ][:_MOST]
    if book is None or len(told) < _FEWEST:
        return ""
    having: Counter[str] = Counter()
    for claim, meaning, printed in told:
        subject = subject_of(book, meaning)
        for run in () if subject.reason else subject.runs:
            splits = subject.splits
            having[run.id] += _has(book, run, subject.metric, splits, (claim, meaning, printed))
    (first, most), (_, second) = (*having.most_common(2), ("", 0), ("", 0))[:2]
    sure = most >= max(_FEWEST, _ALL_BUT_A_FEW * len(told)) and most > second
    return first if sure else ""


def _has(
    book: Logbook,
    run: Run,
    metric: str,
    splits: tuple[str, ...],
    told: tuple[Claim, Meaning, Printed],
) -> bool:
    """Say whether a run has a value of a table on any of the splits that may be meant."""
    claim, meaning, printed = told
    return any(
        compare(printed, choice.point.in_unit(unit)).startswith("agrees")
        for split in splits
        for choice in choices(book, run, metric, split, meaning)
        for unit in units_of(claim, choice.point.unit)
    )
