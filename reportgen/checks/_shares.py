"""`Two of the three runs`: how many of the runs something holds for."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from reportgen.checks._margins import TIE, Reading


def share_reading(readings: Sequence[Reading], share: tuple[int, int], name: str) -> Reading | None:
    """Read whether a thing holds for as many runs as it is said; None where their number differs.

    Args:
        readings: One a run, in order.
        share: How many of how many.
        name: What is read.

    Example:
        >>> runs = [Reading(name="a", margin=Decimal(1)), Reading(name="b", margin=Decimal(-3))]
        >>> share_reading(runs, (1, 2), "runs").margin, share_reading(runs, (2, 2), "runs").margin
        (Decimal('1'), Decimal('-1'))
        >>> share_reading(runs, (2, 3), "runs") is None
        True
    """
    some, every = share
    if len(readings) != every:
        return None
    sure = sum(r.margin > r.slack + r.tolerance for r in readings)
    possible = sum(r.charity + r.tolerance >= 0 for r in readings)
    alone, count = (sum(r.margin > edge for r in readings) for edge in (TIE, 0))
    margin = Decimal(-1)
    if alone <= some <= count:
        margin = Decimal(1)  # Which of two equal values is the best one is a matter of rule.
    elif sure <= some <= possible:
        margin = Decimal(0)  # Rounding may have turned it round.
    failing = [r for r in readings if r.margin <= 0]
    told = f", as {failing[0].witness} shows" if failing and count < some else ""
    return Reading(
        name=name,
        margin=margin,
        witness=f"{count} of {every} runs for which it holds{told}",
        evidence=tuple(e for r in readings for e in r.evidence),
    )


def least(readings: Sequence[Reading]) -> Reading:
    """Return the reading that holds least: of all runs that decides."""
    return min(readings, key=lambda reading: reading.charity + reading.tolerance)
