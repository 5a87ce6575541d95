"""Quartiles under every definition in use: those of Hyndman and Fan, of NumPy, and hinges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

from reportgen.claims._quartiles import APART, LOWER, UPPER

QUARTILES = frozenset((LOWER, UPPER, APART))
_QUARTERS = (Fraction(1, 4), Fraction(3, 4))
_HALF = Fraction(1, 2)
_SHIFTS = {
    "4": (Fraction(0), Fraction(0)),
    "5": (_HALF, Fraction(0)),
    "6": (Fraction(0), Fraction(1)),
    "7": (Fraction(1), Fraction(-1)),
    "8": (Fraction(1, 3), Fraction(1, 3)),
    "9": (Fraction(3, 8), Fraction(1, 4)),
}
"""The m of a continuous definition, as (a, b) of a + b p: `7` is the default of NumPy and R."""


def quartiles_of(values: Sequence[Decimal]) -> tuple[tuple[str, str, Decimal], ...]:
    """Return (aggregate, definition, value) of the quartiles of two or more values, and their gap.

    Source: Hyndman and Fan, *Sample quantiles in statistical packages* (1996); Tukey's hinges.

    Example:
        >>> found = quartiles_of([Decimal(v) for v in (1, 2, 3, 4)])
        >>> sorted({float(value) for name, _, value in found if name == "q1"})
        [1.0, 1.25, 1.416..., 1.4375, 1.5, 1.75, 2.0]
    """
    ordered = sorted(Fraction(value) for value in values)
    if len(ordered) < 2:
        return ()
    found: list[tuple[str, str, Decimal]] = []
    for name, (low, high) in {**_by_rank(ordered), **_hinges(ordered)}.items():
        found += [
            (LOWER, f"first quartile ({name})", _decimal(low)),
            (UPPER, f"third quartile ({name})", _decimal(high)),
            (APART, f"distance of the quartiles ({name})", _decimal(high - low)),
        ]
    return tuple(found)


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def _by_rank(ordered: Sequence[Fraction]) -> Mapping[str, tuple[Fraction, Fraction]]:
    """Return both quartiles by the name of each definition that takes them by their rank."""
    ways = [dict(_ranked(ordered, share)) for share in _QUARTERS]
    return {name: (ways[0][name], ways[1][name]) for name in ways[0]}


def _ranked(ordered: Sequence[Fraction], share: Fraction) -> Iterator[tuple[str, Fraction]]:
    """Yield a quantile by the name of its definition, NumPy's default first."""
    n = len(ordered)

    def at(rank: int) -> Fraction:
        return ordered[min(max(rank, 1), n) - 1]

    for number in ("7", "6", "5", "4", "8", "9"):
        constant, slope = _SHIFTS[number]
        place = n * share + constant + slope * share
        rest = place - floor(place)
        value = (1 - rest) * at(floor(place)) + rest * at(floor(place) + 1)
        yield f"definition {number} of Hyndman and Fan", value
    place = n * share
    down, up = floor(place), ceil(place)
    yield "definition 1 of Hyndman and Fan", at(up)
    yield "definition 2 of Hyndman and Fan", (at(down) + at(down + 1)) / 2 if down == up else at(up)
    nearest = place - _HALF
    even = nearest == floor(nearest) and floor(nearest) % 2 == 0
    yield "definition 3 of Hyndman and Fan", at(floor(nearest) + (0 if even else 1))
    index = (n - 1) * share
    low, high = at(floor(index) + 1), at(ceil(index) + 1)
    yield "lower", low
    yield "higher", high
    yield "midpoint", (low + high) / 2
    yield "nearest", at(round(index) + 1)


def _hinges(ordered: Sequence[Fraction]) -> Mapping[str, tuple[Fraction, Fraction]]:
    """Return the medians of both halves, with and without the value in the middle."""
    n = len(ordered)
    found = {}
    for name, size in (("hinges", (n + 1) // 2), ("medians of the halves", n // 2)):
        found[name] = _median(ordered[:size]), _median(ordered[n - size :])
    return found


def _median(ordered: Sequence[Fraction]) -> Fraction:
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2
