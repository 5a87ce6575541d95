"""How alike values are: nobody has defined `similar`, so only what is plainly not alike counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from reportgen.checks._known import Known, is_ratio, shown
from reportgen.checks._margins import TIE, Reading, tolerance_of
from reportgen.checks._pairs import Comparison
from reportgen.checks._series import CLOCKS, by_moment

LIKE_POINTS = Decimal(5)
"""Accuracies that lie within so many points may be called similar."""
LIKE_SHARE = Decimal("0.2")
"""Of other metrics, values within this share of the larger one."""


def allowed(values: Sequence[Known], spread: Decimal = Decimal(0)) -> Decimal:
    """Return how far values may lie apart and still be called similar.

    Args:
        values: The values.
        spread: What else may stand between them, twice the standard deviation over seeds.
    """
    if is_ratio(values[0].metric):
        return max(LIKE_POINTS, spread)
    return max(LIKE_SHARE * max(abs(known.value) for known in values), spread)


def among(values: Sequence[Known], *, exactly: bool, what: str) -> Iterator[Reading]:
    """Yield whether the runs of a group are alike at each moment that a sentence may mean."""
    for moment, members in by_moment(values).items():
        if len(members) < 2 or (moment[0] in CLOCKS and exactly):
            continue
        low, high = (pick(members, key=lambda known: known.value) for pick in (min, max))
        apart = high.value - low.value
        room = tolerance_of(members) if exactly else allowed(members)
        yield Reading(
            name=f"{what} of all runs at {members[0].where}",
            margin=room - apart or TIE,
            slack=low.slack + high.slack,
            tolerance=room,
            witness=f"values from {shown(low.value)} to {shown(high.value)} at {members[0].where} "
            f"({what})",
            evidence=tuple(e for known in members for e in known.evidence),
        )


def between(comparison: Comparison, *, exactly: bool, spread: Decimal) -> Reading:
    """Read whether two sides are alike: for half of the pairs at least."""
    ranked = sorted(comparison.pairs, key=lambda pair: abs(pair[0].value - pair[1].value))
    one, other = ranked[(len(ranked) - 1) // 2]
    room = tolerance_of((one, other)) if exactly else allowed((one, other), spread)
    return Reading(
        name=comparison.name,
        margin=room - abs(one.value - other.value) or TIE,
        slack=one.slack + other.slack,
        tolerance=room,
        witness=f"{shown(one.value)} for {one.group} and {shown(other.value)} for {other.group} "
        f"({comparison.name})",
        evidence=(*one.evidence, *other.evidence),
    )
