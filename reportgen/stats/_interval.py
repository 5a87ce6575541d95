"""Closed intervals of exact numbers: what a printed number may stand for."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import isqrt

ROUNDED, TRUNCATED, EITHER, ONE_UNIT = "rounded", "truncated", "either", "one unit"
"""How a printed number came about: rounded, cut off, one of both, or anything within a unit."""


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from `low` to `high`, both included."""

    low: Fraction
    high: Fraction

    def __contains__(self, value: Fraction) -> bool:
        return self.low <= value <= self.high

    def clip(self, value: Fraction) -> Fraction:
        """Return the number of the interval that is nearest to a value."""
        return min(max(value, self.low), self.high)


def printed_interval(value: Decimal, decimals: int, how: str = ROUNDED) -> Interval:
    """Return what a number printed with so many decimals may stand for.

    Args:
        value: The number.
        decimals: Digits behind its point; negative for thousands.
        how: `ROUNDED`, `TRUNCATED` (cut off towards zero), `EITHER` or `ONE_UNIT`.

    Example:
        >>> shown = printed_interval(Decimal("0.46"), 2)
        >>> float(shown.low), float(shown.high)
        (0.455, 0.465)
        >>> float(printed_interval(Decimal("0.46"), 2, TRUNCATED).high)
        0.47
    """
    exact, unit = Fraction(value), Fraction(10) ** -decimals
    if how == ROUNDED:
        return Interval(exact - unit / 2, exact + unit / 2)
    rest = {TRUNCATED: Fraction(), EITHER: unit / 2, ONE_UNIT: unit}[how]
    if exact < 0:
        return Interval(exact - unit, exact + rest)
    return Interval(exact - rest, exact + unit)


def root_above(square: Fraction, places: int = 6) -> Fraction:
    """Return the square root, rounded up at so many decimal places.

    Example:
        >>> float(root_above(Fraction(2), 3)), float(root_above(Fraction(9, 4)))
        (1.415, 1.5)
    """
    scale = 10**places
    scaled = square * scale * scale
    root = isqrt(scaled.numerator // scaled.denominator)
    return Fraction(root + (root * root < scaled), scale)
