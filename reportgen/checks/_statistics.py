"""Means and spreads of exact decimals, under every definition that reports use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from reportgen.stats import t_quantile

MEAN, STD = "mean", "std"
NORMAL = Decimal("1.96")
_LEVELS = (0.95, 0.9, 0.99)
_MOST_SAMPLES = 8192
"""Samples whose statistics are kept: every cell of a table is held against the same ones."""


def mean_of(values: Sequence[Decimal]) -> Decimal:
    """Return the mean, exact to the digits that a Decimal carries."""
    return sum(values, Decimal()) / len(values)


def variance_of(values: Sequence[Decimal], ddof: int) -> Decimal:
    """Return the variance; it is exact before the last division.

    Example:
        >>> variance_of([Decimal("79.9"), Decimal("79.5"), Decimal("80.4")], 1)
        Decimal('0.2033333333333333333333333333')
    """
    return _as_decimal(_squares_of(values) / (len(values) - ddof))


def _squares_of(values: Sequence[Decimal]) -> Fraction:
    """Return the sum of the squared distances from the mean."""
    exact = [Fraction(value) for value in values]
    centre = sum(exact, Fraction()) / len(exact)
    return sum(((value - centre) ** 2 for value in exact), Fraction())


def _as_decimal(exact: Fraction) -> Decimal:
    return Decimal(exact.numerator) / Decimal(exact.denominator)


def spreads_of(values: Sequence[Decimal]) -> Iterator[tuple[str, str, Decimal]]:
    """Yield (aggregate, definition, value) of every spread of a sample of two or more.

    The aggregate is that of `Meaning`: `"std"`, `"se"`, `"interval"`.

    Example:
        >>> found = spreads_of([Decimal(v) for v in ("79.9", "79.5", "80.4")])
        >>> [(name, round(value, 4)) for _, name, value in found][:2]
        [('population standard deviation', Decimal('0.3682')),
         ('sample standard deviation', Decimal('0.4509'))]
    """
    n = len(values)
    if n < 2:
        return
    squares = _squares_of(values)
    population, sample = (_as_decimal(squares / (n - ddof)).sqrt() for ddof in (0, 1))
    yield STD, "population standard deviation", population
    yield STD, "sample standard deviation", sample
    root = Decimal(n).sqrt()
    yield "se", "standard error", sample / root
    yield "se", "standard error with ddof 0", population / root
    for level in _LEVELS:
        half = Decimal(repr(t_quantile(level, n - 1))) * sample / root
        yield "interval", f"half width of the {level:.0%} t interval", half
    yield "interval", "1.96 standard errors", NORMAL * sample / root
    yield "interval", "two standard errors", 2 * sample / root


def median_of(values: Sequence[Decimal]) -> Decimal:
    """Return the median."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def others_of(values: Sequence[Decimal]) -> dict[str, Decimal]:
    """Return the statistics that are neither a mean nor a spread, by their aggregate."""
    low, high = min(values), max(values)
    return {"min": low, "max": high, "median": median_of(values), "width": high - low}


def statistics_of(values: Sequence[Decimal]) -> tuple[tuple[str, str, Decimal], ...]:
    """Return (aggregate, definition, value) of everything that may be said of a sample."""
    return _statistics_of(tuple(values))


@lru_cache(maxsize=_MOST_SAMPLES)
def _statistics_of(values: tuple[Decimal, ...]) -> tuple[tuple[str, str, Decimal], ...]:
    words = {"min": "lowest", "max": "highest", "width": "highest less lowest"}
    others = [(name, words.get(name, name), value) for name, value in others_of(values).items()]
    return ((MEAN, "mean", mean_of(values)), *spreads_of(values), *others)
