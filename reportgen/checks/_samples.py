"""Samples of logged values, one a run, that a mean or a spread may have been taken of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations, product
from math import comb

from reportgen.checks._choices import Choice, choices
from reportgen.checks._logged import Logbook, Point
from reportgen.records.claim import Meaning
from reportgen.records.run import Run

MOST_TIES = 64
MOST_SUBSETS = 60
WITH_RESULT = ", the runs with a value at that very step"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One value a run.

    Attributes:
        points: The points, in order of runs.
        words: Which they are (`test accuracy at the highest validation accuracy`).
        group: Name of the group.
        whole: Whether every run of the group is in it.
    """

    points: tuple[Point, ...]
    words: str
    group: str
    whole: bool = True

    def values(self, unit: str) -> tuple[Decimal, ...]:
        """Return the values in a unit."""
        return tuple(point.in_unit(unit) for point in self.points)


def samples(
    book: Logbook,
    group: str,
    metric: str,
    split: str,
    meaning: Meaning,
    *,
    zero: bool = False,
) -> Iterator[Sample]:
    """Yield the samples of a group that a claim may speak of, the likeliest first.

    Under every rule for the step and every tie rule; over all runs, without those that were
    trained again, and, where the report says that it has fewer, over so many of them.
    """
    runs = [run for run in book.runs(group) if book.curve(run, metric, split) is not None]
    found = [choices(book, run, metric, split, meaning, zero=zero) for run in runs]
    rules = dict.fromkeys(choice.rule for one in found for choice in one)
    for rule in rules:
        options = [tuple(c for c in one if c.rule == rule) for one in found]
        if all(options):
            words = f"{split} {metric} {rule}"
            results = [book.has_result(run) for run in runs]
            yield from _under_rule(group, runs, options, words, meaning.n)
            yield from _with_results(group, options, words, results)


def _with_results(
    group: str, options: Sequence[tuple[Choice, ...]], words: str, results: Sequence[bool]
) -> Iterator[Sample]:
    """Yield samples without runs that were not evaluated at the very step that was chosen."""
    if 0 < sum(results) < len(results):
        for combined in _combined(options):
            points = tuple(point for point, there in zip(combined, results, strict=True) if there)
            yield Sample(points=points, words=f"{words}{WITH_RESULT}", group=group, whole=False)


def _under_rule(
    group: str,
    runs: Sequence[Run],
    options: Sequence[tuple[Choice, ...]],
    words: str,
    n: int | None,
) -> Iterator[Sample]:
    everything = tuple(_combined(options))
    for combined in everything:
        yield Sample(points=combined, words=words, group=group)
    originals = [index for index, run in enumerate(runs) if run.rerun is None]
    if len(originals) < len(runs):
        for combined in everything:
            points = tuple(combined[index] for index in originals)
            if points:
                yield Sample(
                    points=points, words=f"{words}, without re-run cells", group=group, whole=False
                )
    if n is not None and 0 < n < len(runs) and comb(len(runs), n) <= MOST_SUBSETS:
        for points in combinations(everything[0], n):
            seeds = ", ".join(str(point.run.seed) for point in points)
            told = f"{words}, seeds {seeds} only"
            yield Sample(points=points, words=told, group=group, whole=False)


def _combined(options: Sequence[tuple[Choice, ...]]) -> Iterator[tuple[Point, ...]]:
    """Yield one point a run: the first and the last of equal ones, and every mixture of few."""
    seen = set()
    count = 1
    for one in options:
        count *= len(one)
    chosen = product(*options) if count <= MOST_TIES else iter(())
    ends = [tuple(one[0] for one in options), tuple(_latest(one) for one in options)]
    for picked in (*ends, *chosen):
        points = tuple(choice.point for choice in picked)
        key = tuple(point.step for point in points)
        if key not in seen:
            seen.add(key)
            yield points


def _latest(one: tuple[Choice, ...]) -> Choice:
    return max(one, key=lambda choice: choice.point.step)
