"""What is said of some of the moments: `above it at 41 of the 100 evaluations`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._numbers import find_numbers
from reportgen.checks._margins import Reading
from reportgen.checks._pairs import Comparison

_OF = re.compile(r"\s(?:(?:out\s)?of|des?|sur)\s(?:the\s|its\s|their\s|all\s|les\s|ses\s)?")
_MOMENTS = re.compile(
    r"\s(?:\w+\s)?(?:evaluations?|epochs?|steps?|points?|[ée]valuations?|[ée]poques?|pas)\b",
    re.IGNORECASE,
)


_HIGHER = gated(
    r"\b(?:above|higher|exceeds?|au-dessus|sup[ée]rieure?s?|d[ée]passe)\b", re.IGNORECASE
)
_LOWER = gated(r"\b(?:below|lower|under|au-dessous|inf[ée]rieure?s?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Some:
    """At how many moments something holds, and of how many.

    Attributes:
        count: At how many.
        total: Of how many.
        higher: Whether the words before call it higher, lower (False) or neither (None).
    """

    count: int
    total: int
    higher: bool | None = None


def some_moments(clause: str) -> tuple[Some, ...]:
    """Return at how many moments a clause says that something holds, in order.

    Example:
        >>> some_moments("A lies above B at 41 of the 100 evaluations, below it at 58 of 100 steps")
        (Some(count=41, total=100, higher=True), Some(count=58, total=100, higher=False))
        >>> some_moments("A l'emporte sur B à deux des dix époques")
        (Some(count=2, total=10, higher=None),)
        >>> some_moments("A is above B in 3 of 5 seeds")
        ()
    """
    numbers = find_numbers(clause)
    found, last = [], 0
    for one, other in pairwise(numbers):
        joined = _OF.fullmatch(clause, one.end, other.start)
        if joined and _MOMENTS.match(clause, other.end) and not one.decimals and not other.decimals:
            up = bool(_HIGHER.search(clause, last, one.start))
            down = bool(_LOWER.search(clause, last, one.start))
            found.append(Some(int(one.value), int(other.value), None if up == down else up))
            last = other.end
    return tuple(found)


def held_at(comparison: Comparison, some: Some, *, higher: bool) -> Reading:
    """Read whether the first side lies above (or below) the second at so many moments.

    Whoever counts one more or less may have counted a tie.

    Args:
        comparison: Of each moment.
        some: At how many it is said to.
        higher: Whether the first is said to be the higher one.
    """
    sign = 1 if higher else -1
    gaps = [sign * (one.value - other.value) for one, other in comparison.pairs]
    found = sum(gap > 0 for gap in gaps)
    off = abs(found - some.count) + abs(len(gaps) - some.total)
    return Reading(
        name=f"{comparison.name}, counted",
        margin=Decimal(-off) if off else Decimal(1),
        tolerance=Decimal(1),
        witness=f"that at {found} of {len(gaps)} ({comparison.name})",
    )
