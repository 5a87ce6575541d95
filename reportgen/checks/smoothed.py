"""A result read off a smoothed curve, which TensorBoard shows unless it is told not to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from reportgen.checks._changes import WEIGHTS, smoothed
from reportgen.checks._choices import Choice, choices
from reportgen.checks._ladder import compare, level_of, sentence
from reportgen.checks._logged import Curve, Logbook, logbook_of
from reportgen.checks._settled import settled
from reportgen.checks._subjects import bound_numbers, counts_from_zero, subject_of
from reportgen.checks._weigh import Change, quieter, spell, units_of
from reportgen.records.claim import LIKELY, Claim, Meaning, Printed
from reportgen.records.finding import Case, Expected, Finding
from reportgen.stats import smooth_values

RULE = "smoothed"
_SAID = re.compile(r"\bsmooth|\bliss", re.IGNORECASE)


def check(case: Case) -> Iterator[Finding]:
    """Name each value of a run that is one of its smoothed curve and none of the raw one."""
    book = logbook_of(case)
    if book is None:
        return
    zero = counts_from_zero(case)
    for claim, meaning, printed in bound_numbers(case, "metric_value"):
        curve, found = _meant(book, meaning, zero=zero)
        if meaning.aggregate or curve is None or not found:
            continue
        if claim.confidence >= LIKELY:
            yield from _check(book, claim, meaning, curve, found)
        elif _says_so(case, claim):
            yield from _confirmed(book, claim, printed, curve, found)


def without_raw(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings of a claim; what agrees with the curve that is meant need be no other's.

    Example:
        >>> without_raw([])
        []
    """
    confirmed = any(f.rule == RULE and f.verdict.startswith("agrees") for f in findings)
    return [f for f in findings if f.rule == RULE or not confirmed]


def _meant(
    book: Logbook, meaning: Meaning, *, zero: bool
) -> tuple[Curve | None, tuple[Choice, ...]]:
    """Return the one curve that a value may be read off, and its points that may be meant."""
    subject = subject_of(book, meaning)
    if subject.reason or len(subject.runs) != 1 or len(subject.splits) != 1:
        return None, ()
    (run,), (split,) = subject.runs, subject.splits
    found = choices(book, run, subject.metric, split, meaning, zero=zero)
    return book.curve(run, subject.metric, split), found


def _says_so(case: Case, claim: Claim) -> bool:
    """Say whether the passage of a value speaks of smoothed curves."""
    blocks = case.manuscript.blocks
    return claim.block < len(blocks) and bool(_SAID.search(blocks[claim.block].text))


def _confirmed(
    book: Logbook, claim: Claim, printed: Printed, curve: Curve, found: Sequence[Choice]
) -> Iterator[Finding]:
    """Say of a value that is said to be smoothed that it is so; else nothing is known of it."""
    for unit in units_of(claim, curve.series.unit):
        for choice in found:
            for change in smoothed(curve, choice.point, unit):
                verdict = compare(printed, change.value)
                if verdict.startswith("agrees"):
                    where = f"{book.where(choice.point)}, {change.text}"
                    yield settled(RULE, claim, verdict, where)
                    return


def _check(
    book: Logbook, claim: Claim, meaning: Meaning, curve: Curve, found: Sequence[Choice]
) -> Iterator[Finding]:
    """Name a value that the smoothed curve has and the raw one has not."""
    printed = claim.printed
    if printed is None:
        return
    for unit in units_of(claim, curve.series.unit):
        # What any point of the raw curve has was not read off the smoothed one.
        if any(compare(printed, p.in_unit(unit)) != "disagrees" for p in curve.points):
            return
        changes = (*smoothed(curve, found[0].point, unit), *_peak(book, curve, meaning, unit))
        for change in changes:
            if compare(printed, change.value).startswith("agrees"):
                raw = found[0].point.in_unit(unit)
                yield _finding(claim, printed, change, raw, book.where(found[0].point))
                return


def _peak(book: Logbook, curve: Curve, meaning: Meaning, unit: str) -> Iterator[Change]:
    """Yield the best point of each smoothed curve, where the best one is said."""
    if meaning.selection not in {"best", "oracle"}:
        return
    values = [float(point.in_unit(unit)) for point in curve.points]
    pick = min if book.lower(curve.series.metric) else max
    for weight in WEIGHTS:
        best = pick(smooth_values(values, weight))
        text = f"it is the best value of the curve smoothed with weight {weight:g}"
        yield Change(value=Decimal(repr(best)), text=text)


def _finding(claim: Claim, printed: Printed, change: Change, raw: Decimal, where: str) -> Finding:
    return Finding(
        rule=RULE,
        level=quieter("warning", level_of("disagrees", claim.confidence)),
        verdict="disagrees",
        claim=claim,
        message=sentence(claim, f"the logs have {spell(raw)} at {where}", change.text),
        expected=Expected(value=float(raw), definition=where),
        delta=printed.value - raw,
        likely_cause=change.text,
    )
