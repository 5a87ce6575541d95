"""How numbers are printed, and under which ids.

What is decided here is which number is printed with how many decimals. How it is spelt is
decided by the formats.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from reportgen.records.document import Number, Text
from reportgen.records.facts import Facts, GroupResult, RunResult, Summary
from reportgen.records.quantity import Evidence, Quantity, Reading

# Values with more decimals than this were not rounded by the program that logged them.
MOST_PERCENT_DECIMALS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Printing:
    """How the values of the metric are printed throughout the report.

    Attributes:
        style: Number style of a value (`"percent"` or `"plain"`).
        difference: Number style of a difference (`"points"` or `"signed"`).
        value: Decimals of a single logged value.
        spread: Decimals of means, standard deviations and differences.
        sign: What follows a value in a sentence (`"%"` or nothing).
        gap: What follows a difference in a sentence (`" points"` or nothing).
    """

    style: str
    difference: str
    value: int
    spread: int
    sign: str
    gap: str

    def one(self, identifier: str, reading: Reading) -> Number:
        """Return a single logged value."""
        return Number(id=identifier, quantity=reading, style=self.style, decimals=self.value)

    def mean(self, identifier: str, reading: Reading) -> Number:
        """Return a mean, a spread or the half width of an interval."""
        return Number(id=identifier, quantity=reading, style=self.style, decimals=self.spread)

    def delta(self, identifier: str, reading: Reading) -> Number:
        """Return a signed difference."""
        return Number(id=identifier, quantity=reading, style=self.difference, decimals=self.spread)


def printing_of(groups: Sequence[GroupResult], *only: GroupResult) -> Printing:
    """Return how values are printed, from what was logged and how much it varies.

    A standard deviation gets two significant digits and at most one decimal more than the
    logged metric; means and differences get the same decimals. One choice holds for all
    groups, so that a column has fixed decimals and a number looks the same everywhere;
    single values keep the decimals they were logged with.

    Args:
        groups: All groups of the report.
        only: The groups whose single values are printed; all where none is named.
    """
    percent = any(q.unit == "fraction" for g in groups for q in _singles_of(g))
    values = {id(g): _logged_decimals(_singles_of(g), percent=percent) for g in groups}
    spreads = [
        min(_two_digits(std.value, percent=percent), values[id(group)] + 1)
        for group in groups
        for std in (group.report.std, group.last.std, group.select.std)
        if isinstance(std, Quantity) and std.value > 0
    ]
    value = max((values[id(group)] for group in only or groups), default=0)
    return Printing(
        style="percent" if percent else "plain",
        difference="points" if percent else "signed",
        value=value,
        spread=max(spreads, default=value),
        sign="%" if percent else "",
        gap=" points" if percent else "",
    )


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


def slug(name: str) -> str:
    """Return a name as it stands inside the id of a number.

    Example:
        >>> slug("RoBERTa small (fr)")
        'RoBERTa_small_fr'
    """
    return re.sub(r"[^\w-]+", "_", name).strip("_") or "group"


def group_key(facts: Facts, group: GroupResult) -> str:
    """Return the part of an id that stands for a group, unique in the report."""
    key = slug(group.name)
    same = [g.name for g in facts.groups if slug(g.name) == key]
    return key if len(same) == 1 else f"{key}-{same.index(group.name)}"


def cell_key(group: GroupResult, cell: RunResult) -> str:
    """Return the part of an id that stands for a cell: its seed, where seeds are unique."""
    if cell.seed is not None and [c.seed for c in group.cells].count(cell.seed) == 1:
        return str(cell.seed)
    return f"run{next(i for i, c in enumerate(group.cells) if c is cell)}"


def counted(identifier: str, value: int, method: str) -> Number:
    """Return a whole number that was counted."""
    quantity = Quantity(value=value, unit="count", method=method)
    return Number(id=identifier, quantity=quantity, style="count")


def step_number(identifier: str, reading: Reading) -> Number:
    """Return a step."""
    return Number(id=identifier, quantity=reading, style="count")


def epoch_number(identifier: str, reading: Reading) -> Number:
    """Return an epoch: whole where it is whole, else with two decimals."""
    whole = isinstance(reading, Quantity) and float(reading.value).is_integer()
    return Number(id=identifier, quantity=reading, decimals=0 if whole else 2)


def mean_and_std(identifier: str, summary: Summary, printing: Printing) -> Text:
    """Return `mean ± std`, both values of two runs, the value of one, or what is missing."""
    if summary.n >= 3:
        mean = printing.mean(f"{identifier}.mean", summary.mean)
        return (mean, " ± ", printing.mean(f"{identifier}.std", summary.std))
    if summary.n == 2:
        first, second = (
            printing.one(f"{identifier}.value{i}", reading)
            for i, reading in enumerate(_singles(summary))
        )
        return (first, " and ", second)
    return (printing.one(f"{identifier}.mean", summary.mean),)


def _singles(summary: Summary) -> tuple[Quantity, ...]:
    """Return the values of a summary as quantities, each with its share of the evidence."""
    mean = summary.mean
    sources: tuple[Evidence, ...] = mean.sources if isinstance(mean, Quantity) else ()
    unit = mean.unit if isinstance(mean, Quantity) else ""
    per_value = len(sources) == len(summary.values)
    return tuple(
        Quantity(
            value=value,
            unit=unit,
            method="value of a single run",
            sources=(sources[i],) if per_value else sources,
        )
        for i, value in enumerate(summary.values)
    )
