"""A class in numbers: one row a submission."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from reportgen.checking.projections._coverage import loudest
from reportgen.checking.projections._record import Record, make_records
from reportgen.checking.projections._rendering import Rendering
from reportgen.checking.projections._score import score
from reportgen.records.finding import Judgement

_TOP = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassRow:
    """One submission in numbers.

    Attributes:
        status: The loudest level, `agrees`, or `could not be checked`.
        earned, most: Points; None without a rubric, or where nothing is scored.
        top: Messages of the loudest findings.
    """

    record: Record
    status: str
    earned: Decimal | None
    most: Decimal | None
    top: tuple[str, ...]

    def count(self, level: str) -> int:
        """Return how many findings of a level there are."""
        return len(self.record.of_level(level))


def class_rows(judgements: Sequence[Judgement], options: Rendering) -> tuple[ClassRow, ...]:
    """Return the rows, in the order of the judgements."""
    records = make_records(judgements, options)
    return tuple(
        _class_row(record, judgement, options)
        for record, judgement in zip(records, judgements, strict=True)
    )


def _class_row(record: Record, judgement: Judgement, options: Rendering) -> ClassRow:
    earned = most = None
    if options.rubric is not None:
        scored = [line.earned for line in score(judgement, options.rubric)]
        known = [one for one in scored if one is not None]
        if len(known) == len(scored):
            earned, most = sum(known, Decimal(0)), options.rubric.points
    loud = (*record.of_level("error"), *record.of_level("warning"))
    top = tuple(row.message for row in loud[:_TOP])
    return ClassRow(
        record=record,
        status=loudest(record),
        earned=earned,
        most=most,
        top=(record.fault,) if record.fault else top,
    )
