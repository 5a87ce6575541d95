"""The seeds that two groups share, where each has others besides."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from reportgen.languages import message
from reportgen.records.facts import Comparison, GroupResult, RunResult
from reportgen.records.quantity import Missing, Quantity
from reportgen.records.study import StatisticsPlan
from reportgen.stats._readings import is_one_run_per_seed
from reportgen.stats.compare import compare_pair
from reportgen.stats.summarise import summarise_values


def shared_seeds(first: GroupResult, second: GroupResult) -> tuple[int, ...]:
    """Return the seeds for which both groups have a reported value, in order.

    Missing:
        None is shared where a group's seeds are unknown or repeated.

    Example:
        >>> from reportgen.stats.groups import group_of_values
        >>> shared_seeds(group_of_values("a", {0: 0.1, 1: 0.2}), group_of_values("b", {1: 0.3}))
        (1,)
    """
    seeds = [tuple(cell.seed for cell in _cells(group)) for group in (first, second)]
    if not all(map(is_one_run_per_seed, seeds)):
        return ()
    return tuple(sorted(seed for seed in set(seeds[0]) & set(seeds[1]) if seed is not None))


def only_seeds(group: GroupResult, seeds: Collection[int], *, confidence: float) -> GroupResult:
    """Return a group of which only the runs with these seeds are left.

    Shape:
        Its cells and the summary of its reported value; everything else is the whole group's.

    Units:
        Those of the values.

    Example:
        >>> from reportgen.stats.groups import group_of_values
        >>> group = group_of_values("a", {0: 0.25, 1: 0.5, 2: 0.75})
        >>> only_seeds(group, (1, 2), confidence=0.95).report.values
        (0.5, 0.75)
    """
    cells = tuple(cell for cell in _cells(group) if cell.seed in seeds)
    report = summarise_values(
        [cell.report_value for cell in cells],
        StatisticsPlan(confidence=confidence),
        what=message("value at the best step of the runs with shared seeds"),
    )
    return replace(group, cells=cells, report=report)


def compare_shared(
    first: GroupResult, second: GroupResult, *, confidence: float = 0.95
) -> Comparison | None:
    """Compare two groups over their shared seeds alone, where one of them has others besides.

    What stands beside Welch's test of all runs: that one takes the groups for independent of
    each other, this one leaves out runs.

    Units:
        Those of the values; a difference of fractions is printed in points.

    Missing:
        None where all seeds are shared, for then `compare_pair` pairs them itself; and where
        fewer than three are, for then there is no interval.

    Source:
        Student 1908, as for `compare_pair`.

    Example:
        >>> from reportgen.stats.groups import group_of_values
        >>> a = group_of_values("a", {0: 0.799, 1: 0.785, 2: 0.801, 3: 0.9})
        >>> b = group_of_values("b", {0: 0.654, 1: 0.667, 2: 0.674})
        >>> shared = compare_shared(a, b)
        >>> [round(100 * q.value, 1) for q in (shared.difference, shared.low, shared.high)]
        [13.0, 9.6, 16.4]
    """
    seeds = shared_seeds(first, second)
    if len(seeds) < 3 or len(seeds) == first.report.n == second.report.n:
        return None
    kept = [only_seeds(group, seeds, confidence=confidence) for group in (first, second)]
    comparison = compare_pair(*kept, confidence=confidence)
    return None if isinstance(comparison.difference, Missing) else comparison


def _cells(group: GroupResult) -> tuple[RunResult, ...]:
    return tuple(cell for cell in group.cells if isinstance(cell.report_value, Quantity))
