"""A mean over the last points of a run against the logs, under every way to count them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal

from reportgen.checks._ladder import unbound
from reportgen.checks._logged import Curve, Logbook, Point, logbook_of
from reportgen.checks._statistics import mean_of
from reportgen.checks._subjects import Subject, bound_numbers, subject_of
from reportgen.checks._weigh import Reading, spell, units_of, weigh
from reportgen.claims._tails import SOME, TENTH
from reportgen.records.claim import Claim, Meaning
from reportgen.records.finding import Case, Finding

RULE = "tail"
_MOST = 100
"""Points that our own reports take for the end of a run at most."""


def check(case: Case) -> Iterator[Finding]:
    """Hold every mean over the last points of a run against the logged points."""
    book = logbook_of(case)
    if book is None:
        return
    for claim, meaning, _ in bound_numbers(case, "tail"):
        yield _check(book, claim, meaning)


def _check(book: Logbook, claim: Claim, meaning: Meaning) -> Finding:
    subject = subject_of(book, meaning)
    if subject.reason:
        return unbound(RULE, claim, subject.reason)
    size, _, what = claim.hints["tail"].partition(" ")
    if size == SOME:
        return unbound(RULE, claim, "it is not said over how many of the last points")
    if meaning.aggregate not in {"", "mean"}:
        return unbound(RULE, claim, "of the last points of a run only the mean is computed")
    readings = tuple(_readings(book, claim, subject, claim.hints["tail"]))
    if not readings:
        return unbound(RULE, claim, "the logs have not so many points that are finite")
    finding = weigh(RULE, claim, readings, loudest="warning")
    if finding.verdict == "disagrees" and what == "others":
        return unbound(RULE, claim, "the logs do not say how many of them a logged point is of")
    if finding.verdict == "disagrees" and len(subject.groups) > 1:
        return unbound(RULE, claim, "it is not said of which runs it is")
    return finding


def _readings(book: Logbook, claim: Claim, subject: Subject, tail: str) -> Iterator[Reading]:
    """Yield the means over the end of each run that may be meant, then those of the groups."""
    size, _, what = tail.partition(" ")
    for split in subject.splits:
        for group in subject.groups:
            runs = [run for run in book.runs(group) if run in subject.runs]
            curves = [c for run in runs if (c := book.curve(run, subject.metric, split))]
            if not curves:
                continue
            for unit in units_of(claim, curves[0].series.unit):
                ends = [tuple(_ends(curve, size, what)) for curve in curves]
                yield from (_of_run(book, end, unit) for one in ends for end in one)
                yield from _of_group(book.study.label(group), curves, ends, unit)


def _ends(curve: Curve, size: str, what: str) -> Iterator[tuple[Point, ...]]:
    """Yield the sets of points that may be the end of a run, without those that are not finite.

    They are counted among all points or the finite ones; a number of episodes or of steps may
    be one of points, or of what the logs call a step.
    """
    whole = len(curve.series)
    if size == TENTH:
        part = whole / 10
        counts = [min(_MOST, math.ceil(part)), math.ceil(part), math.floor(part), round(part)]
    else:
        counts = [int(size)]
    by_steps = what == "others"
    found: dict[tuple[int, ...], tuple[Point, ...]] = {}
    for count in counts:
        if count == 0:
            continue
        enough = count <= whole
        last = {int(step) for step in curve.series.steps[-count:]}
        since = int(curve.series.steps[-1]) - count
        for points in (
            tuple(point for point in curve.points if enough and point.step in last),
            curve.points[-count:] if enough else (),
            tuple(point for point in curve.points if by_steps and point.step > since),
        ):
            if points:
                found.setdefault(tuple(point.step for point in points), points)
    yield from found.values()


def _of_run(book: Logbook, end: Sequence[Point], unit: str) -> Reading:
    value = mean_of([point.in_unit(unit) for point in end])
    what = f"the mean of {len(end)} points up to {book.where(end[-1])}"
    says = f"the logs give {spell(value)}, {what}"
    return Reading(value=value, what=what, evidence=(end[-1].evidence,), says=says)


def _of_group(
    label: str, curves: Sequence[Curve], ends: Sequence[Sequence[Sequence[Point]]], unit: str
) -> Iterator[Reading]:
    """Yield the mean over the runs of a group, all of them or those that do not end in NaN."""
    if len(curves) < 2 or not all(ends):
        return
    finite = [one for curve, one in zip(curves, ends, strict=True) if curve.ends_finite]
    for kept in (ends, finite):
        for place in range(max(map(len, kept), default=0)):
            chosen = [one[min(place, len(one) - 1)] for one in kept]
            values = [[point.in_unit(unit) for point in points] for points in chosen]
            each = mean_of([mean_of(one) for one in values])
            pooled = mean_of([value for one in values for value in one])
            yield from (_mean(label, len(kept), value) for value in (each, pooled))


def _mean(label: str, runs: int, value: Decimal) -> Reading:
    what = f"the mean of the ends of {runs} runs of {label}"
    return Reading(value=value, what=what, says=f"the logs give {spell(value)}, {what}")
