"""How many decimals the values of groups are printed with."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache

from reportgen.records.facts import GroupResult
from reportgen.records.quantity import Quantity

# Values with more decimals than this were not rounded by the program that logged them.
MOST_PERCENT_DECIMALS = 2


class _Same:
    """Groups as a key: equal to the very same groups alone, for to compare values takes long."""

    __slots__ = ("groups", "identity")

    def __init__(self, groups: tuple[GroupResult, ...]) -> None:
        self.groups = groups
        self.identity = tuple(map(id, groups))

    def __hash__(self) -> int:
        return hash(self.identity)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.identity == other.identity


def decimals_of(groups: tuple[GroupResult, ...]) -> tuple[bool, dict[int, int], int | None]:
    """Return whether values are percentages, and with how many decimals they are printed.

    Every row of a table asks this of the same groups. They are looked at once: else the time of a
    report grew with the square of their number.

    Returns:
        The flag; the decimals of single values by the `id` of each group; those of means and
        spreads, or None where nothing varies.
    """
    return _decimals_of(_Same(groups))


@lru_cache(maxsize=8)
def _decimals_of(same: _Same) -> tuple[bool, dict[int, int], int | None]:
    groups = same.groups
    percent = any(q.unit == "fraction" for g in groups for q in _singles_of(g))
    values = {id(g): _logged_decimals(_singles_of(g), percent=percent) for g in groups}
    spreads = [
        min(_two_digits(std.value, percent=percent), values[id(group)] + 1)
        for group in groups
        for std in (group.report.std, group.last.std, group.select.std)
        if isinstance(std, Quantity) and std.value > 0
    ]
    return percent, values, max(spreads, default=None)


def _singles_of(group: GroupResult) -> list[Quantity]:
    """Return every single value of a group that a table prints."""
    readings = [r for c in group.cells for r in (c.select_value, c.report_value, c.last_value)]
    return [r for r in readings if isinstance(r, Quantity)]


def _logged_decimals(readings: Iterable[Quantity], *, percent: bool) -> int:
    """Return the decimals the values were logged with, up to what is worth printing."""
    shift = 2 if percent else 0
    decimals, largest = 0, 0.0
    for value in (float(reading.value) for reading in readings):
        exponent = Decimal(repr(value)).scaleb(shift).normalize().as_tuple().exponent
        decimals = max(decimals, -exponent if isinstance(exponent, int) else 0)
        largest = max(largest, abs(value))
    if percent:
        return min(decimals, MOST_PERCENT_DECIMALS)
    magnitude = math.floor(math.log10(largest)) if largest else 0
    return min(decimals, max(0, 4 - magnitude) if magnitude >= 0 else 3 - magnitude)


def _two_digits(std: float, *, percent: bool) -> int:
    """Return the decimals that show two significant digits of a positive number."""
    printed = 100 * std if percent else std
    return max(0, 1 - math.floor(math.log10(printed)))
