"""Numbers of an axis: its limits, its ticks and their labels; nothing is drawn here."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportgen.languages import spoken

Point = tuple[float, float]

# Beyond this a difference of two values is no longer a float; such a point is left out as
# an infinity would be.
_LARGEST = 1e300
_SMALLEST = 1e-250  # below this a difference is as good as none


def is_drawable(value: float) -> bool:
    """Tell whether a value has a place on an axis (NaN and infinities have none)."""
    return -_LARGEST < value < _LARGEST


def have_place(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell `is_drawable` of each of many values."""
    return np.abs(values) < _LARGEST


def find_drawable(x: Sequence[float], y: Sequence[float]) -> list[Point]:
    """Return the points of a curve that have a place."""
    low, high = -_LARGEST, _LARGEST
    return [p for p in zip(x, y, strict=True) if low < p[0] < high and low < p[1] < high]


def find_reach(
    x: Sequence[float], y: Sequence[float]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the two ends of what the points of a curve take on either axis; nothing for none.

    Example:
        >>> find_reach((1.0, 2.0, 3.0), (0.5, 0.75, float("nan")))
        ((1.0, 2.0), (0.5, 0.75))
    """
    columns = np.array((x, y), dtype=float)
    seen = columns[:, have_place(columns).all(axis=0)]
    if not seen.size:
        return (), ()
    (left, low), (right, high) = seen.min(axis=1).tolist(), seen.max(axis=1).tolist()
    return (left, right), (low, high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """A map from values to points on the page, straight or logarithmic.

    Attributes:
        low, high: Values at the two ends; `low < high`, and above zero on a logarithmic scale.
        start, end: Their places, in points.
        logarithmic: Whether equal factors take equal room; what is below `low` lies at its place.
    """

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def place(self, value: float) -> float:
        """Return where a value lies."""
        if self.logarithmic:
            share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def places(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where each of many values lies."""
        if self.logarithmic:
            above = np.maximum(values, self.low) / self.low
            shares = np.log(above) / math.log(self.high / self.low)
        else:
            shares = (values - self.low) / (self.high - self.low)
        return self.start + shares * (self.end - self.start)


def find_limits(
    values: Iterable[float], *, pad: float, percent: bool = False
) -> tuple[float, float]:
    """Return the ends of an axis that shows all values with a margin on both sides.

    An axis of values that are never negative does not reach below 0, and one of
    percentages not above 100: there is nothing to see there.

    Example:
        >>> find_limits([50.0, 100.0], pad=0.1, percent=True)
        (45.0, 100.0)
        >>> find_limits([3.0], pad=0.1)
        (2.7, 3.3)
    """
    finite = [v for v in values if -_LARGEST < v < _LARGEST]
    if not finite:
        return 0.0, 1.0
    low, high = min(finite), max(finite)
    margin = (high - low) * pad
    if margin <= max(abs(low), abs(high), _SMALLEST) * 1e-12:
        margin = abs(high) * 0.1 if abs(high) > _SMALLEST else 1.0
    bottom, top = low - margin, high + margin
    if low >= 0:
        bottom = max(bottom, 0.0)
    if percent and low >= 0 and high <= 100:
        top = min(top, 100.0)
    return bottom, top


def find_decades(values: Iterable[float], *, pad: float) -> tuple[float, float]:
    """Return the ends of a logarithmic axis that shows all values above zero, with a margin.

    Example:
        >>> find_decades([0.0, 1.0, 1e6], pad=0.5)
        (0.001, 1000000000.0)
    """
    above = [math.log10(v) for v in values if _SMALLEST < v < _LARGEST]
    if not above:
        return 1.0, 10.0
    low, high = min(above), max(above)
    margin = (high - low) * pad or 0.5
    return 10 ** (low - margin), 10 ** (high + margin)


def find_powers(low: float, high: float, most: int = 6) -> tuple[float, ...]:
    """Return powers of ten between two ends, evenly spread and at most `most` of them.

    Example:
        >>> find_powers(0.5, 2e6, most=4)
        (1.0, 100.0, 10000.0, 1000000.0)
    """
    first = math.ceil(math.log10(low) - 1e-9)
    count = math.floor(math.log10(high) + 1e-9) - first + 1
    gap = max(-(-count // most), 1)
    return tuple(float(f"1e{first + k}") for k in range(0, count, gap)) or (low, high)


def find_ticks(low: float, high: float, most: int = 6) -> tuple[float, ...]:
    """Return round numbers between two ends, at most `most` of them.

    Example:
        >>> find_ticks(47.0, 88.0)
        (50.0, 60.0, 70.0, 80.0)
        >>> find_ticks(0.0, 1.0)
        (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    """
    rough = (high - low) / max(most - 1, 1)
    power = math.floor(math.log10(rough)) if rough > 0 else 0
    for factor, exponent in ((1, 0), (2, 0), (5, 0), (1, 1), (2, 1), (5, 1)):
        digits = power + exponent
        # Below 1 a whole number is divided, so that 0.6 is the float that prints as 0.6.
        step = factor * 10.0**digits if digits >= 0 else factor / 10.0**-digits
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if 0 < last - first + 1 <= most:
            wholes = range(first * factor, last * factor + 1, factor)
            return tuple(k * 10.0**digits if digits >= 0 else k / 10.0**-digits for k in wholes)
    return (low, high)


def label_ticks(ticks: tuple[float, ...]) -> tuple[str, ...]:
    """Write ticks with the same number of decimals, as many as tell them apart.

    The marks are those of the language spoken.

    Example:
        >>> label_ticks((-0.5, 0.0, 0.5))
        ('−0.5', '0.0', '0.5')
        >>> label_ticks((0.0, 5000.0, 10000.0))
        ('0', '5,000', '10,000')
        >>> label_ticks((0.0, 2e-07))
        ('0', '2e−07')
    """
    largest = max((abs(t) for t in ticks), default=0.0)
    if largest and (largest >= 1e7 or largest < 1e-4):
        texts = [f"{t:.3g}" for t in ticks]
        for digits in range(4, 17):
            if len(set(texts)) == len(ticks):
                break
            texts = [f"{t:.{digits}g}" for t in ticks]
    else:
        decimals = next(
            (d for d in range(16) if all(abs(round(t, d) - t) <= 1e-9 * largest for t in ticks)),
            16,
        )
        texts = [f"{t:,.{decimals}f}" for t in ticks]
    marks = str.maketrans({"-": "−", ",": spoken().group_mark, ".": spoken().decimal_mark})
    return tuple(t.translate(marks) for t in texts)
