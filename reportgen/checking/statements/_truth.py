"""Whether a statement holds: margins between values of the evidence under each legal reading."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from reportgen.checking.catalogue import Catalogue, Family, Reading, Time
from reportgen.checking.printed import Form
from reportgen.checking.statements._times import Window, times_of
from reportgen.records.record import record, replace
from reportgen.runs import direction_of

__all__ = ["Margin", "Statement", "groups_of", "holds"]

_TIED = 0.004
"""Share of a value by which two may differ and still be called equal, above or below."""
_TIED_SPREAD = 0.08
_RARE = 0.05
"""Share of the evaluations of a long curve at which `always` may fail."""
_MOST_PAIRS = 30

Sides = tuple[tuple[int, ...], tuple[tuple[int, ...], ...], str]
"""Runs of the subject, those that it is held against, and the aggregate of both."""


@record
class Statement:
    """What a clause says of runs, in the terms of the evidence.

    Attributes:
        sense: `higher`, `lower`, `better` or `worse`.
        left: Runs of the subject.
        rivals: Whom it is held against: one reading each; empty for a bound or a course.
        families: Those that metric and split leave open.
        window: When.
        limit: The printed number of a bound.
        gap: A difference that is said to be about so large.
        spread: Whether it is of how much the runs differ.
        always: Whether it is of every evaluation.
        every: Whether it is of every run.
        bound: Whether runs, metric and time are said, so that it may be contradicted.
    """

    sense: str
    left: tuple[int, ...]
    rivals: tuple[tuple[tuple[int, ...], ...], ...] = ()
    families: tuple[Family, ...] = ()
    window: Window = Window()
    limit: Form | None = None
    gap: Form | None = None
    spread: bool = False
    always: bool = False
    every: bool = False
    bound: bool = False

    @property
    def course(self) -> bool:
        """Whether it is of how a curve goes."""
        return not self.rivals and self.limit is None


class Margin(NamedTuple):
    """By how much a statement holds in one reading, as a share of its values.

    `salient` are readings that a person would take first: the mean, at the time that is said.
    """

    value: float
    readings: tuple[Reading, ...]
    salient: bool = False

    @property
    def fails(self) -> bool:
        """Whether it fails by more than a tie."""
        return self.value < -_TIED


def holds(group: Sequence[Margin], one: Statement) -> bool:
    """Say whether a statement holds in one reading: somewhere, or all over."""
    failing = sum(margin.fails for margin in group)
    if one.every or (one.always and one.window.kind != "at"):
        return failing == 0 or (not one.every and failing < _RARE * len(group))
    return failing < len(group)


def groups_of(one: Statement, catalogue: Catalogue) -> Iterator[list[Margin]]:
    """Yield the margins of each reading: a family, a way to count time, the mean or runs."""
    for family in one.families:
        runs = (*one.left, *(run for rivals in one.rivals[:1] for side in rivals for run in side))
        for times in times_of(one.window, family, runs, catalogue):
            moves = [(time, time) for time in times]
            if one.course:
                steps = [time for time in times if time.kind == "step"]
                ends = steps if one.always or not one.window.kind else [*steps[:1], *steps[-1:]]
                moves = list(pairwise(ends))
            sides = list(_sides(one, family, catalogue))
            rows = [[_margin(one, s, family, t, catalogue) for t in moves] for s in sides]
            if one.every:
                rows = [list(column) for column in zip(*rows, strict=True)]
            yield from ([margin for margin in row if margin is not None] for row in rows)


def _sign(one: Statement, family: Family) -> int:
    way = 1 if direction_of(family.metric) == "higher" else -1
    return {"higher": 1, "lower": -1, "better": way, "worse": -way}[one.sense]


def _sides(one: Statement, family: Family, catalogue: Catalogue) -> Iterator[Sides]:
    """Yield the legal readings of the two sides: means, then single runs."""
    left = tuple(run for run in one.left if run in family.curves)
    for rivals in one.rivals or ((),):
        right = tuple(tuple(r for r in runs if r in family.curves) for runs in rivals)
        if not left or not all(right):
            continue
        if one.spread:
            yield from ((left, right, how) for how in ("std", "pstd", "range"))
        else:
            if not one.every:
                yield left, right, "mean"
            if len(right) > 1:
                yield from ((left, right, how) for how in ("max", "min"))
            yield from (((run,), right, "mean") for run in left if len(right) != 1)
            yield from _pairs(left, right[0], catalogue) if len(right) == 1 else ()


def _pairs(left: Sequence[int], right: Sequence[int], catalogue: Catalogue) -> Iterator[Sides]:
    """Yield single runs, each against that of its seed, or each other where no seed is shared."""
    pairs = list(product(left, right))
    seeds = [(a, b) for a, b in pairs if catalogue.runs[a].seed == catalogue.runs[b].seed]
    yield from (((a,), ((b,),), "mean") for a, b in (seeds or pairs)[:_MOST_PAIRS])


def _margin(
    one: Statement,
    sides: Sides,
    family: Family,
    times: tuple[Time, Time],
    catalogue: Catalogue,
) -> Margin | None:
    left, right, how = sides
    sign = _sign(one, family)
    best = "max" if direction_of(family.metric) == "higher" else "min"
    timed = bool(one.window.kind) or one.course or times[0].kind in {"last", best}
    salient = (
        timed and how in {"mean", "std"} and (len(left) > 1 or len(one.left) == 1 or one.every)
    )
    mine = _read(family, left, times[-1], how, catalogue)
    theirs = [_read(family, runs, times[0], how, catalogue) for runs in right]
    if one.course:
        theirs = [_read(family, left, times[0], how, catalogue)]
    known = [reading for reading in theirs if reading is not None]
    if mine is None or len(known) < len(theirs):
        return None
    if one.limit is not None:
        return Margin(_beyond(mine.value, one.limit, family, sign), (mine,), salient)
    least = min(known, key=lambda reading: sign * (mine.value - reading.value))
    if one.gap is not None:
        return Margin(_gap(mine.value, least.value, one.gap), (mine, least), salient)
    value = sign * _share(mine.value, least.value)
    return Margin(value * (_TIED / _TIED_SPREAD if one.spread else 1), (mine, least), salient)


def _read(
    family: Family, runs: tuple[int, ...], time: Time, how: str, catalogue: Catalogue
) -> Reading | None:
    if how != "range":
        return catalogue.read(family, runs, time, how)
    high, low = (catalogue.read(family, runs, time, end) for end in ("max", "min"))
    if high is None or low is None or len(runs) < 2:
        return None
    return replace(high, value=high.value - low.value)


def _share(left: float, right: float) -> float:
    size = max(abs(left), abs(right))
    return (left - right) / size if size else 0.0


def _beyond(value: float, limit: Form, family: Family, sign: int) -> float:
    """Return by how much a value is beyond a printed number, in the likeliest unit."""
    scales = (1.0, 100.0) if family.fraction else (1.0, 0.01)
    ratio = abs(limit.value / value) if value else 1.0
    scale = min(scales, key=lambda one: abs(math.log(ratio / one)))
    return sign * _share(value * scale + sign * 2 * limit.half, limit.value)


def _gap(left: float, right: float, gap: Form) -> float:
    """Return above zero where a difference is within half of what is said, in any unit."""
    points = abs(left - right)
    sizes = (points, 100 * points, 100 * points / abs(right) if right else points)
    return 0.5 - min(abs(size - gap.value) / gap.value for size in sizes)
