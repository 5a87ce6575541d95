"""Formulas that columns and rows of a table may follow, as rows of a table, and their words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt
from statistics import fmean, median

_WORD = re.compile(r"[^\W\d_]+|[%Δ∆±σμΣ]")
WORDS = {
    "mean": "mean average avg averaged moyenne moyen mittelwert durchschnitt среднее media μ",
    "spread": "std sd stdev deviation stddev écart ecart type σ ± se sem",
    "sum": "total sum all overall somme totaux итого всего gesamt summe tous σ",
    "difference": "δ ∆ delta diff difference gain gains improvement change drop gap increase decrease "
    "différence gagné margin points reduction loss vs delta",
    "ratio": "% percent percentage ratio relative rel share fraction proportion speedup speed part "
    "pourcentage rapport gain improvement change reduction increase overhead δ rate",
    "f1": "f1 f dice",
    "least": "min minimum worst",
    "most": "max maximum best",
    "median": "median médiane",
}
WORD_SETS = {name: frozenset(words.split()) for name, words in WORDS.items()}


def words_of(text: str) -> frozenset[str]:
    """Return the words of a label, in small letters."""
    return frozenset(word.casefold() for word in _WORD.findall(text))


def says(text: str, kind: str) -> bool:
    """Say whether a label holds a word of a kind of formula.

    Example:
        >>> says("Δ (points)", "difference"), says("Accuracy", "mean")
        (True, False)
    """
    return bool(WORD_SETS[kind] & words_of(text))


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula of two numbers.

    Attributes:
        name: As it is printed, of `a` and `b`.
        kind: Which words speak of it.
        of: What it comes to.
    """

    name: str
    kind: str
    of: Callable[[float, float], float]


PAIRS = (
    Formula("{a} - {b}", "difference", lambda a, b: a - b),
    Formula("{a} + {b}", "sum", lambda a, b: a + b),
    Formula("{a} × {b}", "ratio", lambda a, b: a * b),
    Formula("{a} / {b}", "ratio", lambda a, b: a / b),
    Formula("100 × {a} / {b}", "ratio", lambda a, b: 100 * a / b),
    Formula("({a} - {b}) / {b}", "ratio", lambda a, b: (a - b) / b),
    Formula("100 × ({a} - {b}) / {b}", "ratio", lambda a, b: 100 * (a - b) / b),
    Formula("100 × ({b} - {a}) / {b}", "ratio", lambda a, b: 100 * (b - a) / b),
    Formula("the distance of {a} and {b}", "difference", lambda a, b: abs(a - b)),
    Formula("the mean of {a} and {b}", "mean", lambda a, b: (a + b) / 2),
    Formula("2 × {a} × {b} / ({a} + {b})", "f1", lambda a, b: 2 * a * b / (a + b)),
)
"""What a column may be of two others."""
SYMMETRIC = frozenset({1, 2, 8, 9, 10})
"""Positions in `PAIRS` of those in which the order says nothing."""


def _deviation(values: Sequence[float], less: int) -> float:
    mean = fmean(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - less))


@dataclass(frozen=True, slots=True)
class Summary:
    """A formula of many numbers.

    Attributes:
        name: As it is printed.
        kind: Which words speak of it.
        of: What it comes to.
        reach: By how much it moves at most where each number moves by one.
    """

    name: str
    kind: str
    of: Callable[[Sequence[float]], float]
    reach: Callable[[int], float] = lambda _: 1.0


SUMMARIES = (
    Summary("mean", "mean", fmean),
    Summary("sum", "sum", sum, float),
    Summary("sample standard deviation", "spread", lambda v: _deviation(v, 1), lambda _: 1.3),
    Summary("population standard deviation", "spread", lambda v: _deviation(v, 0)),
    Summary("standard error", "spread", lambda v: _deviation(v, 1) / sqrt(len(v))),
    Summary("least", "least", min),
    Summary("greatest", "most", max),
    Summary("median", "median", median),
)
"""What a column or row may be of several others."""


def corners(
    of: Callable[[float, float], float], a: float, b: float, da: float, db: float
) -> tuple[float, float]:
    """Return the least and the greatest value where both numbers are rounded.

    Raises:
        ZeroDivisionError: The second may be nought.
    """
    found = [of(a + s * da, b + t * db) for s, t in product((-1, 1), repeat=2)]
    return min(found), max(found)
