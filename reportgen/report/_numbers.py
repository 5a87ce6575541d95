"""How numbers are printed.

What is decided here is which number is printed with how many decimals. How it is spelt is
decided by the formats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal

from reportgen.languages import message, say, spoken, tell
from reportgen.records.document import Number, Text
from reportgen.records.facts import GroupResult, Summary
from reportgen.records.quantity import Evidence, Quantity, Reading
from reportgen.report._decimals import SMALL, are_apart, are_small, decimals_of, worth_printing
from reportgen.report._evidence import of_values
from reportgen.stats import decimal_of

_WIDE = Context(prec=800)  # room for every float: a diverged loss of 1e30 is rounded too
FIXED_FROM = 1e-6  # of values apart, a smaller one is printed with a power of ten
_WITH_POWER = {"plain": "scientific", "signed": "signed_scientific"}
MOST_LISTED = 100  # pieces of evidence of one count


@dataclass(frozen=True, slots=True, kw_only=True)
class Printing:
    """How the values of the metric are printed throughout the report.

    Attributes:
        style: Number style of a value (`"percent"` or `"plain"`).
        difference: Number style of a difference (`"points"` or `"signed"`).
        value: Decimals of a single logged value.
        spread: Decimals of means, standard deviations and differences.
        sign: What follows a value in a sentence (`"%"`, as the language writes it, or nothing).
        gap: What follows a difference in a sentence (`" points"` or nothing).
        apart: Whether values are so many orders of magnitude apart that no number of decimals
            suits them all: each then has those of its own magnitude.
        small: Whether all values are so small that they are printed with powers of ten, as many
            digits as their decimals leave.
    """

    style: str
    difference: str
    value: int
    spread: int
    sign: str
    gap: str
    apart: bool = False
    small: bool = False

    def one(self, identifier: str, reading: Reading) -> Number:
        """Return a single logged value."""
        return self._number(identifier, reading, self.style, self.value)

    def mean(self, identifier: str, reading: Reading) -> Number:
        """Return a mean, a spread or the half width of an interval."""
        return self._number(identifier, reading, self.style, self.spread)

    def delta(self, identifier: str, reading: Reading) -> Number:
        """Return a signed difference of means."""
        return self._number(identifier, reading, self.difference, self.spread)

    def change(self, identifier: str, reading: Reading) -> Number:
        """Return a signed change from one logged value to another."""
        return self._number(identifier, reading, self.difference, self.value)

    def _number(self, identifier: str, reading: Reading, style: str, decimals: int) -> Number:
        value = reading.value if isinstance(reading, Quantity) else 0
        places = self._decimals(value, decimals) if value or not self.small else 0
        digits = places + Decimal(value).adjusted()
        if self._has_power(value) and digits >= 0 and style in _WITH_POWER:
            # As many digits as `places` leaves, for `rounded` has to see the same value.
            style, places = _WITH_POWER[style], digits
        return Number(id=identifier, quantity=reading, style=style, decimals=places)

    def _has_power(self, value: float) -> bool:
        """Say whether a value is printed with a power of ten."""
        if self.apart:
            return 0 < abs(value) < FIXED_FROM
        return self.small and 0 < abs(value) < SMALL

    def _decimals(self, value: float, decimals: int) -> int:
        if not self.apart:
            return decimals
        worth = worth_printing(abs(value))
        return worth if 0 < abs(value) < FIXED_FROM else min(decimals, worth)

    def rounded(self, quantity: Quantity, decimals: int | None = None) -> Decimal:
        """Return a number as it is printed: sentences compare what their reader sees.

        Args:
            quantity: A value, a mean, a spread or a difference.
            decimals: Those it is printed with; without, those of a mean.

        Example:
            >>> percent = Printing(style="percent", difference="points", value=1, spread=1,
            ...                    sign="%", gap=" points")
            >>> percent.rounded(Quantity(value=0.9925)), percent.rounded(Quantity(value=-0.0004))
            (Decimal('99.3'), Decimal('0.0'))
        """
        shown = decimal_of(quantity.value).scaleb(2 if self.style == "percent" else 0)
        places = self._decimals(quantity.value, self.spread if decimals is None else decimals)
        unit = Decimal(1).scaleb(-places)
        rounded = shown.quantize(unit, rounding=ROUND_HALF_UP, context=_WIDE)
        return _WIDE.add(rounded, Decimal(0))  # turns -0.0 into 0.0


def printing_of(groups: Sequence[GroupResult], *only: GroupResult) -> Printing:
    """Return how values are printed, from what was logged and how much it varies.

    A standard deviation gets two significant digits and at most one decimal more than the
    logged metric; means and differences get the same decimals. One choice holds for all
    groups, so that means of a column have fixed decimals and look the same everywhere;
    single values keep the decimals they were logged with. Values that are more than six orders
    of magnitude apart each have the decimals of their own magnitude. Where all are below 0.0001,
    they are printed with powers of ten.

    Args:
        groups: All groups of the report.
        only: The groups whose single values are printed; all where none is named.
    """
    percent, values, most, spread = decimals_of(tuple(groups))
    value = max((values[id(group)] for group in only), default=most)
    return Printing(
        style="percent" if percent else "plain",
        difference="points" if percent else "signed",
        value=value,
        spread=value if spread is None else spread,
        sign=spoken().percent_mark if percent else "",
        gap=f" {tell('points')}" if percent else "",
        apart=are_apart(tuple(groups)),
        small=are_small(tuple(groups)),
    )


def counted(identifier: str, value: int, method: str, sources: Sequence[Evidence]) -> Number:
    """Return a whole number that was counted, with what it counts."""
    return Number(id=identifier, quantity=count_of(value, method, sources), style="count")


def seed_number(identifier: str, seed: int, sources: Sequence[Evidence]) -> Number:
    """Return a seed with where it was read."""
    quantity = Quantity(value=seed, method=message("seed of the run"), sources=tuple(sources))
    return Number(id=identifier, quantity=quantity, decimals=0)


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
        return say("{first} and {last}", first=first, last=second)
    return (printing.one(f"{identifier}.mean", summary.mean),)


def summary_beside(identifier: str, summary: Summary, printing: Printing, stated: Summary) -> Text:
    """Return a summary with its own n, unless it is one of the runs whose n is stated beside."""
    text = mean_and_std(identifier, summary, printing)
    if summary.n == 0 or same_runs(summary, stated):
        return text
    n = counted(f"{identifier}.n", summary.n, message("runs with this value"), of_values(summary))
    return (*text, " (n = ", n, ")")


def same_runs(first: Summary, second: Summary) -> bool:
    """Return whether two summaries are over the same runs."""
    runs = ({(e.run or e.path) for e in of_values(summary)} for summary in (first, second))
    return first.n == second.n and next(runs) == next(runs)


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
            method=message("value of a single run"),
            sources=(sources[i],) if per_value else sources,
        )
        for i, value in enumerate(summary.values)
    )


def count_of(value: int, method: str, sources: Sequence[Evidence]) -> Quantity:
    """Return a whole number that was counted, with at most 100 pieces of its evidence.

    Example:
        >>> many = [Evidence(path=f"{i}.log") for i in range(101)]
        >>> count = count_of(101, "files read", many)
        >>> len(count.sources), count.method
        (100, 'files read; the first 100 of 101 pieces of evidence are listed')
    """
    kept = tuple(dict.fromkeys(sources))
    if len(kept) > MOST_LISTED:
        method = message(
            "{what}; the first {listed} of {count} pieces of evidence are listed",
            what=method,
            listed=MOST_LISTED,
            count=len(kept),
        )
    return Quantity(value=value, unit="count", method=method, sources=kept[:MOST_LISTED])
