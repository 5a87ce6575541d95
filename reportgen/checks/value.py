"""A value of a metric against the logged one: same run, same split, same step."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.checks._changes import Logged, changes_of
from reportgen.checks._choices import Choice, choices
from reportgen.checks._ladder import unbound
from reportgen.checks._logged import Logbook, logbook_of
from reportgen.checks._subjects import Subject, bound_numbers, counts_from_zero, subject_of
from reportgen.checks._weigh import Reading, rounding_of, units_of, weigh
from reportgen.records.claim import Claim, Meaning
from reportgen.records.finding import Case, Finding

RULE = "value"


def check(case: Case) -> Iterator[Finding]:
    """Hold every value of a single run against the logs."""
    book = logbook_of(case)
    if book is None:
        return
    zero = counts_from_zero(case)
    for claim, meaning, _ in bound_numbers(case, "metric_value"):
        if not meaning.aggregate:
            yield _check(book, claim, meaning, zero=zero)


def _check(book: Logbook, claim: Claim, meaning: Meaning, *, zero: bool) -> Finding:
    subject = subject_of(book, meaning)
    if subject.reason:
        return unbound(RULE, claim, subject.reason)
    found = [
        (split, choice)
        for split in subject.splits
        for run in subject.runs
        for choice in choices(book, run, subject.metric, split, meaning, zero=zero)
    ]
    if not found:
        return unbound(RULE, claim, _nothing(book, subject, meaning))
    readings = [
        _reading(book, choice, unit)
        for _, choice in found
        for unit in units_of(claim, choice.point.unit)
    ]
    split, first = found[0]
    logged = Logged(
        claim=claim,
        choice=first,
        metric=subject.metric,
        split=split,
        unit=units_of(claim, first.point.unit)[0],
    )
    one = len(subject.runs) == 1
    return weigh(
        RULE,
        claim,
        readings,
        changes=changes_of(book, logged) if one else (),
        # Of several runs that may be meant, none can be said to disagree for sure.
        loudest="error" if one else "warning",
    )


def _reading(book: Logbook, choice: Choice, unit: str) -> Reading:
    point = choice.point
    curve = book.curve(point.run, point.series.metric, point.series.split)
    decimals = curve.decimals if curve is not None else None
    return Reading(
        value=point.in_unit(unit),
        what=book.where(point) + (f" ({choice.how})" if choice.how else ""),
        evidence=(point.evidence,),
        slack=rounding_of(decimals, point.unit, unit),
    )


def _nothing(book: Logbook, subject: Subject, meaning: Meaning) -> str:
    """Say why the runs have no point that could be meant."""
    run, split = subject.runs[0], subject.splits[0]
    curve = book.curve(run, subject.metric, split)
    which = "the run" if len(subject.runs) == 1 else "any run"
    if curve is None:
        return f"{run.id} has no finite {split} {subject.metric}"
    if meaning.step is not None:
        near = min((p.step for p in curve.points), key=lambda s: abs(s - (meaning.step or 0)))
        return (
            f"no {split} {subject.metric} of {which} at step {meaning.step}; next to it is {near}"
        )
    if meaning.epoch is not None:
        return f"no {split} {subject.metric} of {which} at epoch {meaning.epoch:g}"
    return f"no best step of {which}: its selection split was not logged"
