"""Whether a printed number is a value of the evidence: rounded, cut off, in percent or not."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from reportgen.records.verdict import Printed

__all__ = ["SCALES", "Form", "chance", "ends_of", "form_of", "is_close", "is_printed", "spell"]

SCALES = (1.0, 100.0, 0.01)
"""Printed value over value of the evidence: as it is, in percent, as a fraction."""


class Form(NamedTuple):
    """A printed number for comparing: its value, and half a unit of its last place."""

    value: float
    half: float
    decimals: int
    percent: bool


def form_of(printed: Printed) -> Form:
    """Return the form of a printed number.

    Example:
        >>> from decimal import Decimal
        >>> form_of(Printed(text="0.81", value=Decimal("0.81"), decimals=2))
        Form(value=0.81, half=0.005, decimals=2, percent=False)
    """
    return Form(
        value=float(printed.value),
        half=0.5 * 10.0**-printed.decimals,
        decimals=printed.decimals,
        percent=printed.unit == "percent",
    )


def is_printed(form: Form, value: float) -> bool:
    """Say whether a value is printed so: rounded, or cut off.

    Example:
        >>> is_printed(Form(0.81, 0.005, 2, False), 0.8149), is_printed(
        ...     Form(0.81, 0.005, 2, False), 0.8198)
        (True, True)
        >>> is_printed(Form(0.81, 0.005, 2, False), 0.8049)
        False
    """
    slack = 1e-9 + 2e-7 * abs(value)
    if abs(form.value - value) <= form.half + slack:
        return True
    over = abs(value) - abs(form.value)
    same_sign = value * form.value >= 0
    return same_sign and -slack <= over < 2 * form.half and form.decimals > 0


@lru_cache(maxsize=16_384)
def ends_of(form: Form, scale: float) -> tuple[float, float]:
    """Return the least and the largest value that may be printed so in a unit.

    Example:
        >>> low, high = ends_of(Form(81.0, 0.05, 1, True), 100.0)
        >>> round(low, 4), round(high, 4)
        (0.8095, 0.8115)
    """
    value, half = form.value / scale, form.half / scale
    low, high = value - half, value + half
    if form.decimals > 0:
        # Cut off, the value lies up to a whole unit further from zero.
        low, high = low - 2 * half * (form.value < 0), high + 2 * half * (form.value >= 0)
    slack = 1e-9 * max(1.0, 1 / scale) + 2e-7 * (abs(value) + 3 * half)
    return low - slack, high + slack


def is_close(form: Form, value: float) -> bool:
    """Say whether a number differs from a value by no more than one in its last place.

    Example:
        >>> is_close(Form(0.81, 0.005, 2, False), 0.7957), is_close(
        ...     Form(0.81, 0.005, 2, False), 0.79)
        (True, False)
    """
    return abs(form.value - value) <= 3 * form.half + 1e-9 + 2e-7 * abs(value)


def chance(form: Form, low: float, high: float, count: int = 1) -> float:
    """Return how likely a number of this form and range is one of so many values by chance.

    Example:
        >>> round(chance(Form(0.81, 0.005, 2, False), 0.5, 1.0, 3), 3)
        0.06
    """
    width = high - low
    if width <= 0:
        return 1.0 if form.decimals <= 0 else min(1.0, 0.1 * count)
    return min(1.0, 2 * form.half * count / width)


def spell(value: float, decimals: int) -> str:
    """Return a value with as many decimals as the number it is held against.

    Example:
        >>> spell(0.81449, 2), spell(4714.6, 0), spell(22_812_672, -5)
        ('0.81', '4715', '22800000')
    """
    return f"{round(value, decimals):.{max(decimals, 0)}f}"
