"""Whether a statement holds: margins between values of the evidence under each legal reading."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from reportgen.checking.catalogue import Catalogue, Family, Reading, RunName, Time
from reportgen.checking.context import Claiming
from reportgen.checking.printed import Form
from reportgen.checking.statements._words import FRAMES, Mark
from reportgen.checking.times import moments
from reportgen.checking.words import Words, said, words_of
from reportgen.records.record import record
from reportgen.runs import direction_of

__all__ = ["Margin", "Statement", "groups_of", "holds"]

_MOST, _NEAR = 60, 14
_WINDOWS = ("from", "until", "at")


@record
class Window:
    """The time that a clause gives: `at`, `from` or `until` a step or epoch, or a moment.

    `kind` is empty where none is said, and `unread` where it is not understood.
    """

    kind: str = ""
    at: float = 0.0
    clock: str = ""


def end_of(one: Claiming) -> int:
    """Return where a number ends in its sentence."""
    return one.number.context.offset + one.number.end - one.number.start


def window_of(text: str, marks: Sequence[Mark], numbers: Sequence[Claiming]) -> Window:
    """Return the time that a clause gives: its numbers have their offsets in `text`."""
    found: list[Window] = []
    for clock in said(text):
        inside = [m for m in marks if m.start <= clock.start < m.end]
        if clock.slot != "clock" or any(m.frame == "_always" for m in inside):
            continue
        behind = [n for n in numbers if 0 < n.number.context.offset - clock.end <= 3]
        for one in (behind or [n for n in numbers if 0 < clock.start - end_of(n) <= 8])[:1]:
            start = min(clock.start, one.number.context.offset)
            near = {m.frame for m in marks if 0 <= start - m.end <= _NEAR}
            kind = next((kind for kind in _WINDOWS if f"_{kind}" in near), "unread")
            kind = "until" if "_first" in near and not behind else kind
            value = float(one.number.printed.value)
            found.append(Window(kind=kind, at=value, clock=clock.value))
        if any(m.frame in {"_from", "_until"} and 0 <= clock.start - m.end <= 20 for m in marks):
            found = found or [Window(kind="unread")]
    taken = {at for m in marks if m.frame in FRAMES for at in range(m.start, m.end)}
    free = "".join(" " if at in taken else letter for at, letter in enumerate(text))
    found = found or [Window(kind=kind) for kind in words_of(free).moments]
    return found[0] if len(found) == 1 else Window(kind="unread" if found else "")


def times_of(
    window: Window, family: Family, runs: Sequence[int], catalogue: Catalogue
) -> Iterator[tuple[Time, ...]]:
    """Yield the evaluations that a time means, one tuple for each way to count epochs."""
    curves = [family.curves[run] for run in runs if run in family.curves]
    if not curves or window.kind == "unread":
        return
    shared = sorted(set.intersection(*({int(s) for s in one.steps} for one in curves)) - {0})
    steps = [Time(kind="step", at=float(step)) for step in shared]
    every = max(1, -(-len(steps) // _MOST))
    if family.once or all(len(curve.values) == 1 for curve in curves):
        yield (Time(kind="last"),)
    elif window.kind == "at":
        yield from ((time,) for time in _at(window))
    elif window.kind in _WINDOWS:
        keys = [one.at for one in steps]
        if window.clock != "step":
            clocked = [Time(kind="step", at=at, clock="epoch") for at in keys]
            read = [catalogue.read(family, runs[:1], one) for one in clocked]
            known = [one.value for one in read if one is not None]
            counted = [float(n + 1) for n in range(len(steps))]
            keys = known if window.clock == "epoch" and len(known) == len(steps) else counted
        sign = 1 if window.kind == "from" else -1
        for at in dict.fromkeys((window.at, window.at - (window.clock != "step"))):
            pairs = zip(steps, keys, strict=True)
            kept = [one for one, key in pairs if sign * (key - at) >= 0]
            yield (*kept[:-1:every], *kept[-1:])
    elif window.kind:
        yield tuple(moments(Words(moments=frozenset({window.kind})), family, catalogue))
    else:
        ends = moments(Words(moments=frozenset({"best", "last"})), family, catalogue)
        yield (*ends, *steps[:-1:every], *steps[-1:])


def _at(window: Window) -> Iterator[Time]:
    at = window.at
    yield Time(kind="step", at=at)
    kinds = {"epoch": ("epoch", "step"), "step": ()}.get(window.clock, ())
    yield from (Time(kind=kind, at=one) for kind in kinds for one in (at, at - 1))
    if window.clock != "step":
        yield from (Time(kind="index", at=one) for one in (at - 1, at) if one >= 0)


# Shares of a value by which two may differ and be called equal; standard deviations are rough.
_TIED, _TIED_SPREAD = 0.004, 0.3
# Share of the evaluations of a long curve at which `always` may fail.
_RARE = 0.05
Sides = tuple[tuple[int, ...], tuple[tuple[int, ...], ...], str]
"""Runs of the subject, those that it is held against, and the aggregate of both."""


@record
class Statement:
    """What a clause says of runs, in the terms of the evidence.

    It is held against one of `rivals`, each a reading with one or more sets of runs, or against
    the printed `limit`; else it is of a course. `gap` is a difference that is said to be about so
    large, `spread` says how much runs differ, `always` and `every` are of all evaluations and
    runs. Where runs, metric and time are said it is `bound`, and may be contradicted.
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
    """By how much a statement holds in a reading; `salient` are those that come to mind first."""

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
            sides = list(_sides(one, family, catalogue.runs))
            rows = [[_margin(one, s, family, t, catalogue) for t in moves] for s in sides]
            if one.every:
                rows = [list(column) for column in zip(*rows, strict=True)]
            yield from ([margin for margin in row if margin is not None] for row in rows)


def _sides(one: Statement, family: Family, named: Sequence[RunName]) -> Iterator[Sides]:
    """Yield the legal readings of the two sides: means, then single runs."""
    left = tuple(run for run in one.left if run in family.curves)
    for rivals in one.rivals or ((),):
        right = tuple(tuple(r for r in runs if r in family.curves) for runs in rivals)
        if not left or not all(right):
            continue
        if one.spread:
            yield from ((left, right, how) for how in ("std", "pstd"))
        else:
            if not one.every:
                yield left, right, "mean"
            if len(right) > 1:
                yield from ((left, right, how) for how in ("max", "min"))
            pairs = [(run, right) for run in left]
            if len(right) == 1:
                every = [(a, b) for a in left for b in right[0]]
                alike = [(a, b) for a, b in every if named[a].seed == named[b].seed] or every
                pairs = [(a, ((b,),)) for a, b in alike]
            yield from (((run,), other, "mean") for run, other in pairs[:30])


def _margin(
    one: Statement, sides: Sides, family: Family, times: tuple[Time, Time], catalogue: Catalogue
) -> Margin | None:
    left, right, how = sides
    best = "max" if direction_of(family.metric) == "higher" else "min"
    way = 1 if best == "max" else -1
    sign = {"higher": 1, "lower": -1, "better": way, "worse": -way}[one.sense]
    timed = one.window.kind or one.course or times[0].kind in {"last", best}
    whole = len(left) > 1 or len(one.left) == 1 or one.every
    salient = bool(timed and whole and how in {"mean", "std"})
    mine = catalogue.read(family, left, times[1], how)
    others = (left,) if one.course else right
    theirs = [catalogue.read(family, runs, times[0], how) for runs in others]
    known = [reading for reading in theirs if reading is not None]
    if mine is None or len(known) < len(theirs):
        return None
    if one.limit is not None:
        return Margin(_beyond(mine.value, one.limit, family, sign), (mine,), salient)
    least = min(known, key=lambda reading: sign * (mine.value - reading.value))
    value = sign * _share(mine.value, least.value) * (_TIED / _TIED_SPREAD if one.spread else 1)
    if one.gap is not None:
        points = abs(mine.value - least.value)
        sizes = (points, 100 * points, 100 * points / abs(least.value or 1.0))
        value = 0.5 - min(abs(size / one.gap.value - 1) for size in sizes)
    return Margin(value, (mine, least), salient)


def _share(left: float, right: float) -> float:
    size = max(abs(left), abs(right))
    return (left - right) / size if size else 0.0


def _beyond(value: float, limit: Form, family: Family, sign: int) -> float:
    """Return by how much a value is beyond a printed number, in the likeliest unit."""
    scales = (1.0, 100.0) if family.fraction else (1.0, 0.01)
    ratio = abs(limit.value / value) if value else 1.0
    scale = min(scales, key=lambda one: abs(math.log(ratio / one)))
    return sign * _share(value * scale + sign * 2 * limit.half, limit.value)
