"""How many decimals the values of groups are printed with."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from itertools import chain
from statistics import median_low

from reportgen.records.facts import GroupResult
from reportgen.records.quantity import Quantity
from reportgen.report._same import once

# Values with more decimals than this were not rounded by the program that logged them.
MOST_PERCENT_DECIMALS = 2
# Of groups further apart in magnitude, no number of decimals suits both.
MOST_ORDERS = 6
# Digits that a computed value has for certain: 0.83 may be logged as 0.8300000000000001.
_EXACT = 14
# Values that are all below are printed with powers of ten.
SMALL = 1e-4
# A value so many times the median of its group went astray, and shall not round the others away.
_ASTRAY = 100.0


@once
def decimals_of(groups: tuple[GroupResult, ...]) -> tuple[bool, dict[int, int], int, int | None]:
    """Return whether values are percentages, and with how many decimals they are printed.

    Every row of a table asks this of the same groups. They are looked at once: else the time of a
    report grew with the square of their number.

    Returns:
        The flag; the decimals of single values by the `id` of each group, and the most of
        them; those of means and spreads, or None where nothing varies.
    """
    percent = any(q.unit == "fraction" for g in groups for q in _singles_of(g))
    values = {id(g): _logged_decimals(g, percent=percent) for g in groups}
    if not percent:
        values = _as_neighbours(groups, values)
    most = MOST_PERCENT_DECIMALS if percent else 99
    spreads = [
        min(_two_digits(std.value, percent=percent), values[id(group)] + 1, most)
        for group in groups
        for std in (group.report.std, group.last.std, group.select.std)
        if isinstance(std, Quantity) and std.value > 0
    ]
    spread = max(spreads, default=None)
    if spread is not None and not percent:
        # One digit more than the mean shows how values lie about it; others would be noise.
        values = {key: min(decimals, spread + 1) for key, decimals in values.items()}
    return percent, values, max(values.values(), default=0), spread


@once
def are_apart(groups: tuple[GroupResult, ...]) -> bool:
    """Return whether values differ by orders no column can show.

    They do where the largest values of two groups are far from each other, and where a run went
    astray. Percentages never do: what is far below one is none worth a report.
    """
    found = [q for group in groups for q in [_singles_of(group)] if q]
    if any(one.unit == "fraction" for group in found for one in group):
        return False
    sizes = [_sizes_of(group) for group in found]
    if any(size[-1] > _largest_of(size) for size in sizes):
        return True
    orders = [math.log10(size[-1]) for size in sizes if size[-1]]
    return bool(orders) and max(orders) - min(orders) > MOST_ORDERS


@once
def are_small(groups: tuple[GroupResult, ...]) -> bool:
    """Return whether values are so small that a row of zeros would hide them.

    One that went astray is none of them; percentages are never small.
    """
    found = [q for group in groups for q in [_singles_of(group)] if q]
    if any(one.unit == "fraction" for group in found for one in group):
        return False
    largest = [_largest_of(_sizes_of(group)) for group in found]
    return 0 < max(largest, default=0.0) < SMALL


def _sizes_of(singles: list[Quantity]) -> list[float]:
    return sorted(abs(float(one.value)) for one in singles)


def _largest_of(sizes: list[float]) -> float:
    """Return the largest of some sizes, in order, that did not go astray.

    Example:
        >>> _largest_of([0.4, 0.5, 718380.0]), _largest_of([0.0, 0.0, 7.0]), _largest_of([])
        (0.5, 7.0, 0.0)
    """
    above = [size for size in sizes if size]
    if not above:
        return 0.0
    return max(size for size in above if size <= _ASTRAY * median_low(above))


def _singles_of(group: GroupResult) -> list[Quantity]:
    """Return every single value of a group that a table prints."""
    readings = [r for c in group.cells for r in (c.select_value, c.report_value, c.last_value)]
    return [r for r in readings if isinstance(r, Quantity)]


def _logged_decimals(group: GroupResult, *, percent: bool) -> int:
    """Return the decimals the values were logged with, up to what is worth printing."""
    singles = [float(q.value) for q in _singles_of(group)]
    shift = 2 if percent else 0
    largest = _largest_of(_sizes_of(_singles_of(group)))
    most = MOST_PERCENT_DECIMALS if percent else worth_printing(largest)
    decimals = 0
    for value in chain(singles, _evaluations_of(group)):
        exponent = Decimal(f"{value:.{_EXACT}g}").scaleb(shift).normalize().as_tuple().exponent
        decimals = max(decimals, -exponent if isinstance(exponent, int) else 0)
        if decimals >= most:
            return most
    return decimals


def _as_neighbours(groups: tuple[GroupResult, ...], values: dict[int, int]) -> dict[int, int]:
    """Return decimals that groups share, as long as each keeps three digits of its own."""
    fewest = min(values.values(), default=0)
    found = {}
    for group in groups:
        largest = _largest_of(_sizes_of(_singles_of(group)))
        needed = 2 - math.floor(math.log10(largest)) if largest else 0
        found[id(group)] = min(values[id(group)], max(fewest, needed))
    return found


def _evaluations_of(group: GroupResult) -> Iterator[float]:
    """Yield the values of evaluations: a best value of 80 may stand among 50.1 and 79.9.

    What training logged is left out. It is an average, with more digits than anybody measured.
    """
    for row in group.epochs:
        for split, summary in row.splits.items():
            if split != "train":
                yield from map(float, summary.values)


def worth_printing(largest: float) -> int:
    """Return the most decimals worth printing of plain values, by the largest of them.

    Example:
        >>> worth_printing(126356792.0), worth_printing(0.79), worth_printing(3e-14)
        (0, 4, 17)
    """
    magnitude = math.floor(math.log10(largest)) if largest else 0
    return max(0, 4 - magnitude) if magnitude >= 0 else 3 - magnitude


def _two_digits(std: float, *, percent: bool) -> int:
    """Return the decimals that show two significant digits of a positive number."""
    printed = 100 * std if percent else std
    return max(0, 1 - math.floor(math.log10(printed)))
