"""Which values can stand behind a printed mean and standard deviation.

A table with the mean and the spread of a few runs says a lot about the runs: how far one of
them can lie from the mean at all, and, where values lie on a grid (accuracies of N examples,
logs with one decimal), often every value. All arithmetic is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product

from reportgen.stats._interval import (
    EITHER,
    ONE_UNIT,
    ROUNDED,
    TRUNCATED,
    Interval,
    printed_interval,
    root_above,
)
from reportgen.stats._sums import Exhausted, Search
from reportgen.stats._water import least_squares, most_squares

__all__ = [
    "BORDERLINE",
    "DEFINITIONS",
    "EITHER",
    "ERROR",
    "FITS",
    "IMPOSSIBLE",
    "ONE_UNIT",
    "OPEN",
    "POPULATION",
    "ROUNDED",
    "SAMPLE",
    "TRUNCATED",
    "Interval",
    "Row",
    "Solutions",
    "Spread",
    "exclude_cells",
    "fit_row",
    "is_possible",
    "largest_distance",
    "printed_interval",
    "select_definition",
    "solve_spread",
]

POPULATION, SAMPLE, ERROR = "population", "sample", "standard error"
DEFINITIONS = (POPULATION, SAMPLE, ERROR)
"""Standard deviation with ddof 0 or 1, and the sample one over the root of n."""

FITS, BORDERLINE, IMPOSSIBLE, OPEN = "fits", "borderline", "impossible", "open"
"""Of a row: values exist within rounding; within one unit; none; too many to search."""

MOST_SOLUTIONS = 1000


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean with a spread, and what is known of some of the values behind them.

    Attributes:
        mean: Where the mean lies.
        spread: Where the spread lies; what of it is below zero does not count.
        n: Number of values.
        known: Where values that are known lie, each a different one of the n.
    """

    mean: Interval
    spread: Interval
    n: int
    known: tuple[Interval, ...] = ()

    def squares(self, definition: str) -> Interval:
        """Return where the sum of squared distances from the mean lies."""
        n = self.n
        factor = {POPULATION: n, SAMPLE: n - 1, ERROR: n * (n - 1)}[definition]
        low = max(self.spread.low, Fraction())
        return Interval(low * low * factor, self.spread.high * self.spread.high * factor)

    def exists(self, definition: str) -> bool:
        """Return whether there is anything to look for."""
        several = self.n > 1 or definition == POPULATION
        return several and 0 < self.n >= len(self.known) and self.spread.high >= 0


@dataclass(frozen=True, slots=True)
class Solutions:
    """Every set of values that has the printed mean and spread.

    Attributes:
        values: The sets, each in ascending order.
        complete: Whether the search came to its end.
    """

    values: tuple[tuple[Fraction, ...], ...]
    complete: bool = True

    @property
    def only(self) -> tuple[Fraction, ...] | None:
        """The one set there is, or None."""
        return self.values[0] if self.complete and len(self.values) == 1 else None


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table with mean and spread: as rounded, and as anything within a unit."""

    rounded: Spread
    one_unit: Spread


def is_possible(spread: Spread, definition: str) -> bool:
    """Return whether any real values, the known ones among them, have this mean and spread.

    Where all values are known, or more than eight, the answer may be yes in doubt.

    Args:
        spread: Mean, spread and what is known.
        definition: One of `DEFINITIONS`.

    Source:
        Samuelson 1968, "How Deviant Can You Be?": no value is farther from the mean than
        sqrt(n - 1) population standard deviations. Here for several values at once, with
        the rounding of everything.

    Example:
        >>> from decimal import Decimal
        >>> def beside(text):
        ...     mean = printed_interval(Decimal("79.2"), 1)
        ...     spread = printed_interval(Decimal("0.61"), 2)
        ...     return Spread(mean, spread, 3, (printed_interval(Decimal(text), 1),))
        >>> is_possible(beside("80.1"), POPULATION), is_possible(beside("83.5"), POPULATION)
        (True, False)
    """
    if not spread.exists(definition):
        return False
    free = spread.n - len(spread.known)
    sought = spread.squares(definition)
    least = least_squares(spread.known, free, spread.mean)
    if least is None or least > sought.high:
        return False
    most = most_squares(spread.known, free, spread.mean)
    return most is None or most >= sought.low


def largest_distance(spread: Spread, definition: str) -> Fraction:
    """Return how far from the ends of the mean's interval a single value can lie at most.

    Example:
        >>> from decimal import Decimal
        >>> mean, std = printed_interval(Decimal("79.2"), 1), printed_interval(Decimal("0.61"), 2)
        >>> row = Spread(mean, std, 3)
        >>> [round(float(mean.high + largest_distance(row, d)), 2) for d in (POPULATION, SAMPLE)]
        [80.12, 79.96]
    """
    return root_above(spread.squares(definition).high * Fraction(spread.n - 1, spread.n))


def solve_spread(spread: Spread, definition: str, grid: Fraction) -> Solutions:
    """Return every set of values on a grid that has a printed mean and spread.

    The sum S and the sum of squares Q of n whole numbers tell both: n Q - S^2 is n^2 times
    the population variance. So whole numbers are sought, by `_sums.Search`.

    Args:
        spread: Mean, spread and what is known.
        definition: One of `DEFINITIONS`.
        grid: Distance of neighbouring values: 1/10 for one decimal, 100/N for the percentage
            of N examples.

    Source:
        Brown and Heathers 2017, the GRIM test (means); Heathers et al. 2018, SPRITE, and
        Wilner et al. 2018, CORVIDS (mean and standard deviation together).

    Example:
        >>> from decimal import Decimal
        >>> row = Spread(printed_interval(Decimal("79.1"), 1), printed_interval(Decimal("0.46"), 2),
        ...              3, (printed_interval(Decimal("78.5"), 1),))
        >>> [float(v) for v in solve_spread(row, POPULATION, Fraction(1, 10)).only]
        [78.5, 79.3, 79.6]
        >>> solve_spread(row, SAMPLE, Fraction(1, 10)).values
        ()
    """
    if not spread.exists(definition):
        return Solutions(())
    found: set[tuple[int, ...]] = set()
    complete = True
    try:
        for values in _whole_numbers(spread, definition, grid):
            found.add(values)
            if len(found) >= MOST_SOLUTIONS:
                raise Exhausted  # noqa: TRY301 - one way out, whoever ends the search
    except Exhausted:
        complete = False
    return Solutions(tuple(tuple(v * grid for v in values) for values in sorted(found)), complete)


def _whole_numbers(spread: Spread, definition: str, grid: Fraction) -> Iterator[tuple[int, ...]]:
    """Yield sorted multiples of the grid; the same set may come more than once."""
    n, free, search = spread.n, spread.n - len(spread.known), Search()
    sought = spread.squares(definition)
    low, high = _ceil(sought.low * n / grid**2), sought.high * n // grid**2
    # Counted from a point near the mean, the numbers stay small.
    origin = round(spread.mean.low / grid)
    totals = range(
        _ceil(spread.mean.low * n / grid) - n * origin,
        spread.mean.high * n // grid - n * origin + 1,
    )
    cells = [range(_ceil(k.low / grid) - origin, k.high // grid - origin + 1) for k in spread.known]
    for known in product(*cells):
        inside, used = sum(known), sum(value * value for value in known)
        for total in totals:
            least, most = _ceil(Fraction(low + total**2, n)), (high + total**2) // n
            for others in search.choose(free, total - inside, least - used, most - used):
                yield tuple(sorted(origin + value for value in (*known, *others)))


def _ceil(value: Fraction) -> int:
    return -(-value.numerator // value.denominator)


def fit_row(row: Row, definition: str, grid: Fraction | None) -> str:
    """Return how well a row fits a definition: one of `FITS`, `BORDERLINE`, `IMPOSSIBLE`, `OPEN`.

    Args:
        row: The row.
        definition: One of `DEFINITIONS`.
        grid: As in `solve_spread`; None where values may be any real numbers.
    """
    for spread, verdict in ((row.rounded, FITS), (row.one_unit, BORDERLINE)):
        if not is_possible(spread, definition):
            continue
        if grid is None:
            return verdict
        solutions = solve_spread(spread, definition, grid)
        if solutions.values:
            return verdict
        if not solutions.complete:
            return OPEN
    return IMPOSSIBLE


def exclude_cells(spread: Spread, definition: str, grid: Fraction | None) -> tuple[int, ...]:
    """Return the fewest known values without which the rest is possible, by position.

    Args:
        spread: Mean, spread and what is known.
        definition: One of `DEFINITIONS`.
        grid: As in `solve_spread`; None where values may be any real numbers.

    Returns:
        Empty where all are possible together, and where several sets of this size would do,
        so that none is singled out.

    Example:
        >>> from decimal import Decimal
        >>> def shown(text):
        ...     return printed_interval(Decimal(text), len(text.partition(".")[2]))
        >>> row = Spread(shown("79.1"), shown("0.46"), 3, (shown("79.3"), shown("80.0")))
        >>> exclude_cells(row, POPULATION, Fraction(1, 10))
        (1,)
    """
    cells = range(len(spread.known))
    for size in range(len(spread.known) + 1):
        hits = [
            out
            for out in combinations(cells, size)
            if _solvable(
                replace(spread, known=tuple(spread.known[i] for i in cells if i not in out)),
                definition,
                grid,
            )
        ]
        if hits:
            return hits[0] if len(hits) == 1 else ()
    return ()


def _solvable(spread: Spread, definition: str, grid: Fraction | None) -> bool:
    if not is_possible(spread, definition):
        return False
    if grid is None:
        return True
    solutions = solve_spread(spread, definition, grid)
    return bool(solutions.values) or not solutions.complete


def select_definition(
    rows: Sequence[Row], grid: Fraction | None, definitions: Sequence[str] = DEFINITIONS
) -> tuple[str | None, Mapping[str, tuple[str, ...]]]:
    """Return the one definition that a table used, if its rows tell, and how each row fits.

    Rows of one table share their definition. One that leaves a row impossible is out, unless
    the row is so under all of them: then the row has something else. A borderline row is
    tolerated where more rows fit than are borderline.

    Args:
        rows: Rows with their known values.
        grid: As in `solve_spread`.
        definitions: Those that are considered.

    Units:
        Those of the rows; only which definition fits is returned.

    Missing:
        None where no definition, or more than one, is left.

    Source:
        `solve_spread`, row by row.
    """
    fits = {name: tuple(fit_row(row, name, grid) for row in rows) for name in definitions}
    telling = [
        index
        for index in range(len(rows))
        if any(found[index] != IMPOSSIBLE for found in fits.values())
    ]
    left = [name for name, found in fits.items() if _is_left([found[i] for i in telling])]
    return (left[0] if len(left) == 1 else None), fits


def _is_left(found: Sequence[str]) -> bool:
    if not found or IMPOSSIBLE in found:
        return False
    return found.count(BORDERLINE) < max(1, len(found) - found.count(BORDERLINE))
