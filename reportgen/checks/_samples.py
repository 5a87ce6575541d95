"""Samples of logged values, one a run, that a mean or a spread may have been taken of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations, product
from math import comb

from reportgen.checks._choices import AT_THE_END, Choice, choices
from reportgen.checks._logged import Curve, Logbook, Point
from reportgen.records.claim import Meaning
from reportgen.records.run import Run

MOST_TIES = 64
MOST_SUBSETS = 60
EVERY_GROUP = "every group"
"""Name of what the runs of all groups are taken together in."""
_FEWEST = 4
"""Twice as many runs as a mean is of."""
WITH_RESULT = ", the runs with a value at that very step"
WITH_VALUE = ", the runs that have one"
WITH_LAST = ", the runs that do not end in NaN"
WITH_END = ", the runs that reach it"


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

    @property
    def rule(self) -> str:
        """By which rule the points were taken, whichever runs were left out."""
        for some in (WITH_RESULT, WITH_LAST, WITH_END):
            if self.words.endswith(some):
                return self.words.removesuffix(some)
        return self.words

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
    named: Callable[[Run], bool] | None = None,
) -> Iterator[Sample]:
    """Yield the samples of a group that a claim may speak of, the likeliest first.

    Under every rule for the step and every tie rule; over all runs, without those that were
    trained again, and, where the report says that it has fewer, over so many of them.
    """
    runs = [run for run in book.runs(group) if book.curve(run, metric, split) is not None]
    runs = [run for run in runs if named is None or named(run)]
    found = [choices(book, run, metric, split, meaning, zero=zero) for run in runs]
    rules = dict.fromkeys(choice.rule for one in found for choice in one)
    for rule in rules:
        options = [tuple(c for c in one if c.rule == rule) for one in found]
        if all(options):
            words = f"{split} {metric} {rule}".strip()
            yield from _under_rule(group, runs, options, words, meaning.n)
            results = [book.has_result(run) for run in runs]
            yield from _without(group, options, f"{words}{WITH_RESULT}", results)
            if rule == AT_THE_END:
                yield from _at_the_end(book, group, runs, options, words)
        elif any(options) and (meaning.step is not None or meaning.epoch is not None):
            # Runs that were taken up again, or stopped early, have no value at every step.
            words = f"{split} {metric} {rule}{WITH_VALUE}".strip()
            yield from _without(group, options, words, [bool(one) for one in options])
    worst = "max" if book.lower(metric) else "min"
    if meaning.aggregate == worst and not _says_when(meaning):
        every = (book.curve(run, metric, split) for run in runs)
        logged = [curve for curve in every if curve is not None]
        yield from _of_all_moments(group, logged, f"{split} {metric}".strip(), meaning.aggregate)


def _at_the_end(
    book: Logbook,
    group: str,
    runs: Sequence[Run],
    options: Sequence[tuple[Choice, ...]],
    words: str,
) -> Iterator[Sample]:
    """Yield the last values without those that are NaN, and without those of runs that broke off.

    Where most runs broke off, as under early stopping, the last step of each is its end.
    """
    series = [one[0].point.series for one in options]
    curves = [book.curve(run, one.metric, one.split) for run, one in zip(runs, series, strict=True)]
    finite = [curve is not None and curve.ends_finite for curve in curves]
    yield from _without(group, options, f"{words}{WITH_LAST}", finite)
    ends = [int(one.steps[-1]) for one in series]
    whole = [end == max(ends) for end in ends]
    if 2 * sum(whole) >= max(len(whole), _FEWEST):
        yield from _without(group, options, f"{words}{WITH_END}", whole)


def _says_when(meaning: Meaning) -> bool:
    return meaning.step is not None or meaning.epoch is not None or bool(meaning.selection)


def _of_all_moments(
    group: str, curves: Sequence[Curve], words: str, aggregate: str
) -> Iterator[Sample]:
    """Yield the worst of all values: `the minimum accuracy of A` may be that of a training."""
    lower = aggregate == "min"
    ends = [point for curve in curves for point in curve.extremes(lower=lower)[:1]]
    if ends:
        chosen = (min if lower else max)(ends, key=lambda point: point.value)
        yield Sample(points=(chosen,), words=f"{words} at any step", group=group)


def _without(
    group: str, options: Sequence[tuple[Choice, ...]], words: str, kept: Sequence[bool]
) -> Iterator[Sample]:
    """Yield samples of some runs only, where there are others.

    They are those that were evaluated at the very step that was chosen, or those that do not end
    in NaN, which some programs leave out of a mean and others replace by the value before.
    """
    if 0 < sum(kept) < len(kept):
        some = [one for one, there in zip(options, kept, strict=True) if there]
        for points in _combined(some):
            yield Sample(points=points, words=words, group=group, whole=False)


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


def pooled(found: Sequence[Sample], groups: Sequence[str]) -> tuple[Sample, ...]:
    """Return the samples of the runs of all groups together, one a rule that each group has.

    Args:
        found: Samples of single groups.
        groups: All of them.
    """
    by_rule: dict[str, dict[str, Sample]] = {}
    for sample in found:
        by_rule.setdefault(sample.words, {}).setdefault(sample.group, sample)
    return tuple(
        Sample(
            points=tuple(point for sample in same.values() for point in sample.points),
            words=words,
            group=EVERY_GROUP,
            whole=all(sample.whole for sample in same.values()),
        )
        for words, same in by_rule.items()
        if set(same) == set(groups)
    )
