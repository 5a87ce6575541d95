"""A value of a metric against the logged one: same run, same split, same step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportgen.checks._changes import Logged, changes_of
from reportgen.checks._choices import Choice, choices
from reportgen.checks._ladder import BOUNDS, compare, unbound
from reportgen.checks._logged import Logbook, logbook_of
from reportgen.checks._run_of_table import run_of_table
from reportgen.checks._samples import samples
from reportgen.checks._statistics import mean_of
from reportgen.checks._subjects import (
    Subject,
    bound_numbers,
    counts_from_zero,
    meant_by,
    steps_of_every_run,
    subject_of,
)
from reportgen.checks._weigh import Reading, quieter, rounding_of, spell, units_of, weigh
from reportgen.records.claim import CONFIDENT, Claim, Meaning
from reportgen.records.finding import Case, Finding

RULE = "value"
_SOME = "it is a bound that some runs keep and some do not"


def check(case: Case) -> Iterator[Finding]:
    """Hold every value of a single run against the logs."""
    book = logbook_of(case)
    if book is None:
        return
    zero = counts_from_zero(case)
    every = steps_of_every_run(case)
    for claim, meaning, _ in bound_numbers(case, "metric_value"):
        if not meaning.aggregate:
            finding = _check(book, claim, meant_by(meaning, every), zero=zero)
            run = _run_beside(case, finding, meaning)
            if run:
                own = _check(book, claim, meant_by(replace(meaning, run=run), every), zero=zero)
                finding = replace(own, level=quieter(own.level, finding.level))
            yield _of_the_first(finding) if meaning.selection == "first" else finding


def _run_beside(case: Case, finding: Finding, meaning: Meaning) -> str:
    """Return the run of the values beside one of no named run that none of them has."""
    table = finding.claim.table
    if finding.verdict != "disagrees" or table is None or meaning.seed is not None or meaning.run:
        return ""
    return run_of_table(case, table)


def _check(book: Logbook, claim: Claim, meant: tuple[Meaning, ...], *, zero: bool) -> Finding:
    meaning = meant[0]
    subject = subject_of(book, meaning)
    if subject.reason:
        return unbound(RULE, claim, subject.reason)
    found = [
        (split, choice)
        for split in subject.splits
        for run in subject.runs
        for one in meant
        for choice in choices(book, run, subject.metric, split, one, zero=zero)
    ]
    if not found:
        return unbound(RULE, claim, _nothing(book, subject, meaning))
    one = len(subject.runs) == 1
    units = [(c, unit) for _, c in found for unit in units_of(claim, c.point.unit)]
    readings = [
        *(() if one else _means(book, claim, meaning, subject, zero=zero)),
        *(_reading(book, choice, unit) for choice, unit in units),
    ]
    if not one and _divides(claim, readings):
        return unbound(RULE, claim, _SOME)
    (split, first), unit = found[0], units[0][1]
    logged = Logged(claim=claim, choice=first, metric=subject.metric, split=split, unit=unit)
    # Of several runs that may be meant, none can be said to disagree for sure.
    several = "warning" if claim.confidence >= CONFIDENT else "note"
    return weigh(
        RULE,
        claim,
        readings,
        changes=changes_of(book, logged) if one else (),
        loudest=subject.loudest if one else several,
    )


def _divides(claim: Claim, readings: Sequence[Reading]) -> bool:
    """Say whether a number is a bound that some of the runs that may be meant do not keep."""
    printed = claim.printed
    if printed is None or printed.approximate not in BOUNDS:
        return False
    kept = {compare(printed, reading.value).startswith("agrees") for reading in readings}
    return len(kept) > 1


def _of_the_first(finding: Finding) -> Finding:
    """Return what is left of a disagreement where a report may speak of what no log has."""
    evidence = finding.expected.evidence if finding.expected is not None else ()
    step = max((one.step or 0 for one in evidence), default=0)
    if finding.verdict == "disagrees" and step > 1:
        return unbound(RULE, finding.claim, f"what came before step {step} was not logged")
    return replace(finding, level=quieter(finding.level, "warning"))


def _means(
    book: Logbook, claim: Claim, meaning: Meaning, subject: Subject, *, zero: bool
) -> Iterator[Reading]:
    """Yield the means of the groups that may be meant, where no run is said."""
    for group in subject.groups:
        for split in subject.splits:
            for sample in samples(book, group, subject.metric, split, meaning, zero=zero):
                for unit in units_of(claim, sample.points[0].unit):
                    value = mean_of(sample.values(unit))
                    label = f"{len(sample.points)} runs of {book.study.label(group)}"
                    what = f"the mean of {label}, {sample.words}"
                    yield Reading(
                        value=value,
                        what=what,
                        evidence=tuple(point.evidence for point in sample.points),
                        says=f"the logs give {spell(value)}, {what}",
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
