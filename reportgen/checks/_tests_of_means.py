"""Tests of two means, under every definition that reports use."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from reportgen.checks._statistics import mean_of, variance_of
from reportgen.stats import two_sided_p

_FEWEST = 2
_PAIRED, _WELCH, _STUDENT = "the paired t test", "Welch's t test", "Student's t test"
_NAMED = {
    _PAIRED: re.compile(
        r"(?<!un)(?<!not )(?<!non )(?<!non-)(?:\bpaired\b|\bappari(?:é|ée|és|ées)\b)"
        r"|\brelated\ssamples\b|\bttest_rel\b|\béchantillons\sliés\b",
        re.IGNORECASE,
    ),
    _WELCH: re.compile(r"\bwelch\b", re.IGNORECASE),
}
"""Words that name a test; `Student's t-test` is said of each of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanTest:
    """One test of two samples.

    Attributes:
        name: Its name (`the paired t test`).
        t: The statistic; None where nothing varies.
        degrees: Degrees of freedom.
        floor: Smallest p that an exact test of the kind allows.
    """

    name: str
    t: float | None
    degrees: float
    floor: float

    def p(self) -> float | None:
        """Return the two-sided p."""
        return None if self.t is None else two_sided_p(self.t, self.degrees)


def mean_tests(
    left: Sequence[Decimal], right: Sequence[Decimal], pairs: Sequence[tuple[Decimal, Decimal]]
) -> Iterator[MeanTest]:
    """Yield the paired test of matched values, then Welch's and Student's of all.

    Args:
        left: Values of the first group.
        right: Values of the second.
        pairs: Values of runs with one seed.

    Example:
        >>> left = [Decimal(v) for v in ("79.9", "78.5", "80.1")]
        >>> right = [Decimal(v) for v in ("65.4", "66.7", "67.4")]
        >>> found = list(mean_tests(left, right, list(zip(left, right))))
        >>> [(round(test.t, 2), round(test.degrees, 1)) for test in found]
        [(16.38, 2.0), (16.83, 3.9), (16.83, 4.0)]
    """
    if len(pairs) >= _FEWEST:
        yield _paired([a - b for a, b in pairs])
    n, m = len(left), len(right)
    if n < _FEWEST or m < _FEWEST:
        return
    gap = float(mean_of(left) - mean_of(right))
    u, v = (float(variance_of(values, 1)) / len(values) for values in (left, right))
    floor = (2 if n == m else 1) / math.comb(n + m, n)
    error = math.sqrt(u + v)
    welch = (u + v) ** 2 / (u * u / (n - 1) + v * v / (m - 1)) if error else float(n + m - 2)
    yield _test(_WELCH, gap, error, welch, floor)
    pooled = (u * n * (n - 1) + v * m * (m - 1)) / (n + m - 2)
    error = math.sqrt(pooled * (1 / n + 1 / m))
    yield _test(_STUDENT, gap, error, float(n + m - 2), floor)


def is_meant(test: MeanTest, said: str) -> bool:
    """Say whether a sentence may speak of a test: of any, where it names none or several.

    Example:
        >>> paired, welch, _ = mean_tests(*[[Decimal(1), Decimal(2)]] * 2, [(Decimal(1),) * 2] * 2)
        >>> [is_meant(paired, said) for said in ("t-test", "paired t-test", "Welch's t-test")]
        [True, True, False]
        >>> is_meant(welch, "a paired t-test (Welch's gives less)")
        True
    """
    named = {name for name, words in _NAMED.items() if words.search(said)}
    return len(named) != 1 or test.name in named


def _paired(differences: Sequence[Decimal]) -> MeanTest:
    n = len(differences)
    error = math.sqrt(float(variance_of(differences, 1)) / n)
    return _test(_PAIRED, float(mean_of(differences)), error, n - 1.0, 2 / 2**n)


def _test(name: str, gap: float, error: float, degrees: float, floor: float) -> MeanTest:
    return MeanTest(
        name=name, t=gap / error if error else None, degrees=degrees, floor=min(1.0, floor)
    )


def p_range(t: tuple[float, float], degrees: tuple[float, float]) -> tuple[float, float]:
    """Return the smallest and the largest two-sided p of a t that is known within bounds.

    Args:
        t: The least and the largest that it may be.
        degrees: The least and the largest number of degrees of freedom: Welch's are rounded.

    Example:
        >>> low, high = p_range((2.195, 2.205), (28, 28))
        >>> round(low, 4), round(high, 4)
        (0.0358, 0.0366)
    """
    ends = sorted(abs(value) for value in t)
    smallest = 0.0 if t[0] * t[1] < 0 else ends[0]
    return two_sided_p(ends[1], degrees[1]), two_sided_p(smallest, degrees[0])
