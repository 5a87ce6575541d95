"""A column of differences against the two other values of each row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reportgen.checks._once import once
from reportgen.checks._subjects import bound_numbers
from reportgen.checks._weigh import Reading, spell, weigh
from reportgen.records.claim import LIKELY, Claim, Printed
from reportgen.records.finding import Case, Finding

_VALUES = ("metric_value", "aggregate_mean")
_TWO = 2


def of_own_row(rule: str, case: Case, claim: Claim) -> Finding | None:
    """Return the verdict on a difference by its row; None where it may be one of anything else.

    `Δ` may be what a row has more than the first one. It is one of the row's own two values
    where the same column is so in most of the other rows.

    Args:
        rule: Name of the check.
        case: The report.
        claim: A difference of no groups that are named.
    """
    if claim.table is None or claim.column is None:
        return None
    column = _of_column(case, rule, claim.kind, claim.table, claim.column)
    finding = column.get(claim.id)
    if finding is None or finding.verdict != "disagrees":
        return finding
    agreeing = sum(one.verdict != "disagrees" for one in column.values())
    return finding if len(column) > 1 and _TWO * agreeing >= len(column) else None


@once
def _of_column(case: Case, rule: str, kind: str, table: int, column: int) -> Mapping[str, Finding]:
    """Return what each row says of its difference in a column, by the claim's id."""
    found = {}
    for claim, meaning, printed in bound_numbers(case, kind):
        here = (claim.table, claim.column) == (table, column)
        if here and meaning.aggregate == "difference" and claim.confidence >= LIKELY:
            values = _by_row(case).get((table, claim.row), {})
            if len(values) == _TWO:
                readings = tuple(_readings(printed, [*values.values()]))
                found[claim.id] = weigh(
                    rule, claim, readings, loudest="warning", within_slack="none"
                )
    return found


@once
def _by_row(case: Case) -> Mapping[tuple[int | None, int | None], Mapping[int | None, Printed]]:
    """Return the values of each row of a table by their column."""
    found: dict[tuple[int | None, int | None], dict[int | None, Printed]] = {}
    for claim, _, printed in bound_numbers(case, *_VALUES):
        found.setdefault((claim.table, claim.row), {}).setdefault(claim.column, printed)
    return found


def _readings(difference: Printed, values: list[Printed]) -> Iterator[Reading]:
    first, second = values
    told = f"{second.text} less {first.text} of its row"
    slack = 2 * (first.half_unit + second.half_unit) + difference.half_unit
    for value in (second.value - first.value, first.value - second.value):
        # In which order they are subtracted is not said; a fraction may be told in points.
        for shift in (0, 2):
            yield Reading(
                value=value.scaleb(shift),
                what=told,
                slack=slack.scaleb(shift),
                says=f"{told} is {spell(value)}",
            )
