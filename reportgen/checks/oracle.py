"""The best value of the reporting split quoted as a result, though validation chose another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from reportgen.checks._choices import choices
from reportgen.checks._ladder import compare, level_of, sentence
from reportgen.checks._logged import Logbook, logbook_of
from reportgen.checks._samples import samples
from reportgen.checks._statistics import mean_of
from reportgen.checks._subjects import Subject, bound_numbers, subject_of
from reportgen.checks._weigh import quieter, spell, units_of
from reportgen.records.claim import LIKELY, Claim, Meaning
from reportgen.records.finding import Case, Expected, Finding

RULE = "oracle"
KINDS = ("metric_value", "aggregate_mean")


def check(case: Case) -> Iterator[Finding]:
    """Name each result on the reporting split that is its best value and no chosen one."""
    book = logbook_of(case)
    if book is None:
        return
    noted = False
    for claim, meaning, _ in bound_numbers(case, *KINDS):
        if not _is_result(book, meaning) or claim.confidence < LIKELY:
            continue
        if meaning.selection == "oracle":
            # The report says so itself; once is enough.
            if not noted:
                noted = True
                yield _note(claim)
            continue
        found = _oracle(book, claim, meaning)
        if found is not None:
            yield found


def _is_result(book: Logbook, meaning: Meaning) -> bool:
    """Say whether a number may be a result that validation should have chosen."""
    plan = book.study.metric
    open_ended = meaning.step is None and meaning.epoch is None
    told = meaning.aggregate in {"", "mean"} and meaning.selection in {"", "oracle"}
    return open_ended and told and meaning.split == plan.report_on != plan.select_on


def _note(claim: Claim) -> Finding:
    says = "the best value on the reporting split is no result: validation chooses the step"
    return Finding(
        rule=RULE,
        level="note",
        verdict="not checkable",
        claim=claim,
        message=sentence(claim, says),
        reason=says,
    )


def _oracle(book: Logbook, claim: Claim, meaning: Meaning) -> Finding | None:
    """Return a warning on a number that only the best value of its own split explains."""
    subject = subject_of(book, meaning, one_run=not meaning.aggregate)
    if subject.reason or len(subject.groups) != 1 or claim.printed is None:
        return None
    if not meaning.aggregate and len(subject.runs) != 1:
        return None
    for unit in units_of(claim, _unit(book, subject)):
        best, last, oracle = (
            _values(book, subject, replace(meaning, selection=rule), unit)
            for rule in ("best", "last", "oracle")
        )
        if not best or any(compare(claim.printed, v) != "disagrees" for v in (*best, *last)):
            return None
        if any(compare(claim.printed, v).startswith("agrees") for v in oracle):
            return _finding(claim, subject, meaning, best[0])
    return None


def _unit(book: Logbook, subject: Subject) -> str:
    curves = (book.curve(run, subject.metric, subject.splits[0]) for run in subject.runs)
    return next((curve.series.unit for curve in curves if curve is not None), "")


def _values(book: Logbook, subject: Subject, meaning: Meaning, unit: str) -> list[Decimal]:
    """Return what one rule gives: of a run under every tie, of a group the means."""
    metric, split = subject.metric, subject.splits[0]
    if meaning.aggregate:
        found = samples(book, subject.groups[0], metric, split, meaning)
        return [mean_of(sample.values(unit)) for sample in found]
    (run,) = subject.runs
    return [c.point.in_unit(unit) for c in choices(book, run, metric, split, meaning)]


def _finding(claim: Claim, subject: Subject, meaning: Meaning, best: Decimal) -> Finding:
    """Say what the number is, and what validation would have chosen."""
    split, metric = subject.splits[0], subject.metric
    means = (
        f"the mean of the best {split} values" if meaning.aggregate else f"the best {split} value"
    )
    of_choice = f"the best validation step gives {spell(best)}"
    cause = (
        f"it is {means} of {metric} themselves" if meaning.aggregate else f"it is {means} itself"
    )
    return Finding(
        rule=RULE,
        level=quieter("warning", level_of("disagrees", claim.confidence)),
        verdict="disagrees",
        claim=claim,
        message=sentence(claim, of_choice, cause),
        expected=Expected(
            value=float(best), definition=f"{split} {metric} at the best validation step"
        ),
        delta=claim.printed.value - best if claim.printed is not None else None,
        likely_cause=cause,
    )
