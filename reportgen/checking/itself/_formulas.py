"""Formulas that columns and rows of a table may follow, and the words that speak of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import sqrt
from statistics import fmean, median

_WORD = re.compile(r"[^\W\d_]+|[%Δ∆±σμΣ]")
_SPOKEN = {
    "mean": "mean average avg averaged moyenne moyen mittelwert durchschnitt среднее media μ",
    "spread": "std sd stdev deviation stddev écart ecart type σ ± se sem",
    "sum": "total sum all overall somme totaux итого всего gesamt summe tous",
    "difference": "δ ∆ delta diff difference gain gains improvement change drop gap increase "
    "decrease différence margin points reduction vs",
    "ratio": "% percent percentage ratio relative rel share fraction proportion speedup speed part "
    "pourcentage rapport gain improvement change reduction increase overhead δ rate",
    "f1": "f1 f dice",
    "least": "min minimum worst",
    "most": "max maximum best",
    "median": "median médiane",
}
WORDS = {name: frozenset(words.split()) for name, words in _SPOKEN.items()}
SUMMING = ("mean", "spread", "sum", "least", "most", "median")
"""Kinds of formulas of many numbers."""


@lru_cache(maxsize=4096)
def words_of(text: str) -> frozenset[str]:
    """Return the words of a label, in small letters."""
    return frozenset(word.casefold() for word in _WORD.findall(text))


def says(text: str, *kinds: str) -> bool:
    """Say whether a label holds a word of one of some kinds of formulas."""
    words = words_of(text)
    return any(WORDS[kind] & words for kind in kinds)


PAIRS: tuple[tuple[str, str, Callable[[float, float], float], bool], ...] = (
    ("{a} - {b}", "difference", lambda a, b: a - b, False),
    ("{a} + {b}", "sum", lambda a, b: a + b, True),
    ("{a} × {b}", "ratio", lambda a, b: a * b, True),
    ("{a} / {b}", "ratio", lambda a, b: a / b, False),
    ("100 × {a} / {b}", "ratio", lambda a, b: 100 * a / b, False),
    ("({a} - {b}) / {b}", "ratio", lambda a, b: (a - b) / b, False),
    ("100 × ({a} - {b}) / {b}", "ratio", lambda a, b: 100 * (a - b) / b, False),
    ("100 × ({b} - {a}) / {b}", "ratio", lambda a, b: 100 * (b - a) / b, False),
    ("the distance of {a} and {b}", "difference", lambda a, b: abs(a - b), True),
    ("the mean of {a} and {b}", "mean", lambda a, b: (a + b) / 2, True),
    ("2 × {a} × {b} / ({a} + {b})", "f1", lambda a, b: 2 * a * b / (a + b), True),
)
"""What a column may be of two others: name, kind, function, whether their order says nothing."""


def deviation(values: Sequence[float], less: int) -> float:
    """Return the standard deviation, where the squares are divided by their number less some."""
    mean = fmean(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - less))


SUMMARIES = (
    ("mean", "mean", fmean),
    ("sum", "sum", sum),
    ("sample standard deviation", "spread", lambda values: deviation(values, 1)),
    ("population standard deviation", "spread", lambda values: deviation(values, 0)),
    ("standard error", "spread", lambda values: deviation(values, 1) / sqrt(len(values))),
    ("least", "least", min),
    ("greatest", "most", max),
    ("median", "median", median),
)
"""What a column or row may be of several others: name, kind, function."""
