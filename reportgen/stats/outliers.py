"""Runs that lie far from the others of their group, and whether a test calls one an outlier."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from reportgen.languages import message
from reportgen.records.facts import GroupResult, RunResult
from reportgen.records.quantity import Missing, Quantity, Reading
from reportgen.stats._readings import settle, subtract
from reportgen.stats._student import t_quantile
from reportgen.stats.summary import mean_of, std_of

MIN_RUNS_OF_GRUBBS = 7
"""The handbook advises against the test for six values and fewer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Farthest:
    """The run of a group that lies farthest from the mean of its other runs.

    Attributes:
        cells: That run; several where they lie equally far.
        differences: What each of them is less the mean of the others.
        statistic: Grubbs' G; missing for fewer than seven runs.
        critical: Value that G has to exceed; missing likewise.
    """

    cells: tuple[RunResult, ...]
    differences: tuple[Quantity, ...]
    statistic: Reading
    critical: Reading

    @property
    def is_outlier(self) -> bool:
        """Whether the test calls it one."""
        g, limit = self.statistic, self.critical
        return isinstance(g, Quantity) and isinstance(limit, Quantity) and g.value > limit.value


def grubbs_statistic(values: Sequence[float]) -> float:
    """Return Grubbs' G: the largest distance from the mean, in sample standard deviations.

    Source:
        F. E. Grubbs 1969, Technometrics 11 (1), section 4; NIST/SEMATECH e-Handbook of
        Statistical Methods, section 1.3.5.17.1.

    Example:
        >>> grubbs_statistic([1.0, 2.0, 3.0])
        1.0
    """
    spread = std_of(values, 1)
    if not spread:
        raise ValueError("all values are equal: none lies apart")
    mean = mean_of(values)
    return settle(max(abs(value - mean) for value in values) / spread)


def grubbs_critical(n: int, confidence: float) -> float:
    """Return what G exceeds with probability 1 - confidence if all n values are of one kind.

    Source:
        NIST/SEMATECH e-Handbook, section 1.3.5.17.1 (two-sided), with Student's t at n - 2
        degrees of freedom and a tail of (1 - confidence) / 2n.

    Example:
        >>> [round(grubbs_critical(n, 0.95), 3) for n in (7, 10, 20)]
        [2.02, 2.29, 2.708]
    """
    if n < 3:
        raise ValueError(f"no value of {n} can be an outlier")
    t = t_quantile(1 - (1 - confidence) / n, n - 2)
    return (n - 1) / math.sqrt(n) * math.sqrt(t * t / (n - 2 + t * t))


def find_farthest(group: GroupResult, confidence: float) -> Farthest | None:
    """Return the run of a group that lies farthest from its others, tested where n allows it.

    Missing:
        None for fewer than three values, and where all are equal. The test for fewer than
        seven, of which it would call the one or the other an outlier too easily.

    Source:
        `grubbs_statistic`, `grubbs_critical`.

    Example:
        >>> from reportgen.stats import group_of_values
        >>> found = find_farthest(group_of_values("a", {0: 0.5, 1: 0.6, 2: 0.8}), 0.95)
        >>> [cell.seed for cell in found.cells], found.differences[0].value
        ([2], 0.25)
    """
    cells = [c for c in group.cells if isinstance(c.report_value, Quantity)]
    found = [c.report_value for c in cells if isinstance(c.report_value, Quantity)]
    values = [one.value for one in found]
    if len(values) < 3 or len(set(values)) == 1:
        return None
    means = [mean_of([*values[:i], *values[i + 1 :]]) for i in range(len(values))]
    gaps = [subtract(value, mean) for value, mean in zip(values, means, strict=True)]
    largest = max(map(abs, gaps))
    farthest = [i for i, gap in enumerate(gaps) if abs(gap) == largest]
    part = partial(Quantity, n=len(values), sources=tuple(e for one in found for e in one.sources))
    statistic, critical = _test(values, confidence, part)
    return Farthest(
        cells=tuple(cells[i] for i in farthest),
        differences=tuple(
            part(
                value=gaps[i],
                unit=found[0].unit,
                method=message("value of a run less the mean of the others of its group"),
                formula=f"{values[i]!r} - {means[i]!r}",
            )
            for i in farthest
        ),
        statistic=statistic,
        critical=critical,
    )


def _test(
    values: Sequence[float], confidence: float, part: Callable[..., Quantity]
) -> tuple[Reading, Reading]:
    """Return Grubbs' statistic and its critical value, or why there are none."""
    n = len(values)
    if n < MIN_RUNS_OF_GRUBBS:
        why = Missing(reason=message("Grubbs' test needs {n} runs", n=MIN_RUNS_OF_GRUBBS))
        return why, why
    method = message("largest distance from the mean in sample standard deviations")
    limit = message(
        "critical value of Grubbs' G, the two-sided test at {confidence}",
        confidence=f"{confidence:g}",
    )
    return (
        part(value=grubbs_statistic(values), ddof=1, method=method),
        part(value=settle(grubbs_critical(n, confidence)), method=limit),
    )
