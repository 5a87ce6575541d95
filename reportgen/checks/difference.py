"""A difference of two groups against the values it is of: logged, else printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from reportgen.checks._choices import choices
from reportgen.checks._ladder import unbound
from reportgen.checks._logged import Logbook, convert, logbook_of
from reportgen.checks._lost_runs import Ends, is_within, lost_seeds, reach
from reportgen.checks._own_differences import of_own_row
from reportgen.checks._printed_runs import Shown, same_group, same_measure, shown
from reportgen.checks._ratios import ratios
from reportgen.checks._samples import WITH_VALUE, Sample, samples
from reportgen.checks._statistics import mean_of, spreads_of
from reportgen.checks._subjects import Subject, bound_numbers, counts_from_zero, subject_of
from reportgen.checks._together import placed, why_open
from reportgen.checks._weigh import (
    Change,
    Reading,
    quieter,
    rounding_of,
    spell,
    units_of,
    weigh,
)
from reportgen.claims.together import RATIO, RELATIVE
from reportgen.records.claim import CONFIDENT, Claim, Meaning, Printed
from reportgen.records.facts import Comparison, GroupResult
from reportgen.records.finding import Case, Finding
from reportgen.records.quantity import Quantity
from reportgen.stats import compare_pair, group_of_values

RULE = "difference"
KINDS = ("aggregate_other", "aggregate_std", "metric_value")
MOST_PAIRS = 100
_BOTH = re.compile(
    r"\b(?:two|both|deux)\s(?:\w+\s){0,3}(?:means?|models?|groups?|methods?|systems?|averages?|networks?"
    r"|accuracies|scores?|moyennes?|modèles?|groupes?|méthodes?|systèmes?|réseaux|exactitudes?)\b",
    re.IGNORECASE,
)
_SETBACK = re.compile(r"\b(?:setbacks?|reculs?)\b", re.IGNORECASE)
"""What lies between two moments of one run, whichever groups its sentence names."""
_SPLITS = re.compile(r"\b(?:train|val|test|entra[iî]n|apprentissage)")
_MOMENTS = re.compile(r"\b(?:first|last|final|second|third|premi[eè]re?|derni[eè]re?|epoch\s\d+)")


def check(case: Case) -> Iterator[Finding]:
    """Hold every difference of two groups against what it is the difference of."""
    book = logbook_of(case)
    for claim, meaning, printed in bound_numbers(case, *KINDS):
        if _SETBACK.search(claim.hints.get("sentence", "")):
            continue
        if book is not None and claim.hints.get("over") in {RELATIVE, RATIO}:
            yield _compared(case, book, claim, meaning, printed)
            continue
        unnamed = meaning.aggregate == "difference" and not meaning.group
        if unnamed and (own := of_own_row(RULE, case, claim)) is not None:
            yield own
            continue
        between_two = _between_the_two(book, claim, meaning)
        if not (meaning.against or between_two is not None) or not meaning.aggregate:
            continue
        about = Shown(claim=claim, meaning=between_two or meaning, printed=printed)
        if between_two is not None and book is not None:
            finding = _from_logs(case, book, about)
            if finding.verdict == "disagrees" and not _BOTH.search(claim.hints.get("sentence", "")):
                finding = unbound(RULE, claim, "it is not said of what it is the difference")
            yield replace(finding, level=quieter(finding.level, "warning"))
            continue
        if book is not None:
            yield _from_logs(case, book, about)
        elif meaning.aggregate == "difference":
            yield from _from_report(case, about)


def _compared(
    case: Case, book: Logbook, claim: Claim, meaning: Meaning, printed: Printed
) -> Finding:
    """Hold a ratio of two groups, or a relative difference, against the logs."""
    meaning = placed(book, claim, meaning)
    reason = why_open(book, claim, meaning)
    if reason:
        return unbound(RULE, claim, reason)
    finding = _from_logs(case, book, Shown(claim=claim, meaning=meaning, printed=printed))
    group = meaning.run_group
    for split in () if meaning.split else book.splits(group, book.metric(meaning.metric)):
        if finding.verdict == "disagrees":
            # Of which split it is, is not said: a loss may well be that of the training.
            about = Shown(claim=claim, meaning=replace(meaning, split=split), printed=printed)
            finding = next((f for f in [_from_logs(case, book, about)] if _holds(f)), finding)
    return replace(finding, level=quieter(finding.level, "warning"))


def _holds(finding: Finding) -> bool:
    return finding.verdict not in {"disagrees", "not checkable"}


def _between_the_two(book: Logbook | None, claim: Claim, meaning: Meaning) -> Meaning | None:
    """Return a difference of nothing named as one of the only two groups there are.

    Where two splits or moments are named it is theirs.
    """
    groups = book.groups() if book is not None else ()
    words = claim.hints.get("sentence", "")
    if meaning.aggregate != "difference" or meaning.against or len(groups) != 2:
        return None
    if meaning.group or meaning.seed is not None or len(set(_SPLITS.findall(words.lower()))) > 1:
        return None
    if len(set(_MOMENTS.findall(words.lower()))) > 1:
        return None
    return replace(meaning, run_group=groups[0], run_against=groups[1])


def _other(meaning: Meaning) -> Meaning:
    """Return the meaning of what is subtracted."""
    return replace(meaning, group=meaning.against, run_group=meaning.run_against, against="")


def _from_logs(case: Case, book: Logbook, about: Shown) -> Finding:
    zero = counts_from_zero(case)
    one, other = about.meaning, _other(about.meaning)
    left, right = subject_of(book, one), subject_of(book, other)
    if left.reason or right.reason:
        return unbound(RULE, about.claim, left.reason or right.reason)
    pairs = tuple(_pairs(book, (left, one), (right, other), zero=zero))
    if one.aggregate == "difference":
        readings = tuple(_differences(book, about, pairs))
    else:
        readings = tuple(_spreads(case, about, left, right, pairs))
    if not readings:
        return unbound(RULE, about.claim, f"the logs give no {one.aggregate} of this difference")
    finding = weigh(
        RULE,
        about.claim,
        readings,
        changes=_changes(about, readings),
        # Intervals of differences have many makers.
        loudest="error" if one.aggregate == "difference" and one.split else "warning",
        within_slack="warning",
    )
    if finding.verdict != "disagrees":
        return finding
    return _without_lost(case, book, about, pairs, finding)


def _without_lost(
    case: Case,
    book: Logbook,
    about: Shown,
    pairs: Sequence[tuple[Sample, Sample]],
    finding: Finding,
) -> Finding:
    """Return a disagreement as it is left where seeds that the logs lack may explain it."""
    sides = (about.meaning, _other(about.meaning))
    lost = {
        sample.group: lost_seeds(case, book, sample.group, side)
        for pair in pairs
        for sample, side in zip(pair, sides, strict=True)
        if side.seed is None
    }
    if not any(lost.values()):
        return finding
    for one, other in pairs:
        for unit in units_of(about.claim, one.points[0].unit):
            ends = [_ends_of(book, sample, about, unit, lost) for sample in (one, other)]
            if any(is_within(about.printed, found) for found in _between(about, *ends)):
                seeds = ", ".join(str(s) for found in lost.values() for s in found)
                return unbound(RULE, about.claim, f"the logs lack seed {seeds}")
    return replace(finding, level=quieter(finding.level, "warning"))


def _ends_of(
    book: Logbook, sample: Sample, about: Shown, unit: str, lost: Mapping[str, tuple[int, ...]]
) -> Ends | None:
    """Return what the mean of a side may be with the runs that the logs lack of it."""
    if lost.get(sample.group):
        return reach(book, sample, about.meaning, unit)
    mean = mean_of(sample.values(unit))
    return mean, mean


def _between(about: Shown, left: Ends | None, right: Ends | None) -> Iterator[list[Decimal]]:
    """Yield the values that a difference may have between the ends of both sides."""
    if left is None or right is None:
        yield [about.printed.value]
        return
    corners = [
        [reading.value for reading in _signed(about, one, other, "")]
        for one in left
        for other in right
    ]
    # Every corner gives the same readings, each in its place, unless two of them are equal.
    yield from map(list, zip(*corners, strict=False))


def _pairs(
    book: Logbook, left: tuple[Subject, Meaning], right: tuple[Subject, Meaning], *, zero: bool
) -> Iterator[tuple[Sample, Sample]]:
    """Yield samples of both groups that were taken by one rule."""
    sides = []
    for subject, meaning in (left, right):
        if meaning.seed is not None:
            sides.append(tuple(_single(book, subject, meaning, zero=zero)))
        else:
            split, metric = subject.splits[0], subject.metric
            groups = subject.groups
            taken = (s for g in groups for s in samples(book, g, metric, split, meaning, zero=zero))
            sides.append(tuple(s for s in taken if not s.words.endswith(WITH_VALUE)))
    count = 0
    for one in sides[0]:
        for other in sides[1]:
            if one.rule == other.rule and count < MOST_PAIRS:
                count += 1
                yield one, other


def _single(book: Logbook, subject: Subject, meaning: Meaning, *, zero: bool) -> Iterator[Sample]:
    for run in subject.runs:
        for choice in choices(book, run, subject.metric, subject.splits[0], meaning, zero=zero):
            words = f"{subject.splits[0]} {subject.metric} {choice.rule}"
            yield Sample(points=(choice.point,), words=words, group=book.group_of(run))


def _differences(
    book: Logbook, about: Shown, pairs: Sequence[tuple[Sample, Sample]]
) -> Iterator[Reading]:
    for one, other in pairs:
        unit = one.points[0].unit
        for wanted in units_of(about.claim, unit):
            left, right = mean_of(one.values(wanted)), mean_of(other.values(wanted))
            names = f"{book.study.label(one.group)} less {book.study.label(other.group)}"
            decimals = [
                curve.decimals
                for point in (one.points[0], other.points[0])
                if (curve := book.curve(point.run, point.series.metric, point.series.split))
            ]
            known = [d for d in decimals if d is not None]
            slack = 2 * rounding_of(min(known), unit, wanted) if known else Decimal(0)
            what = f"{names}, {one.words}"
            yield from _signed(about, left, right, what, evidence=(one, other), slack=slack)
            if about.claim.hints.get("over") == RATIO:
                yield from ratios(one, other, wanted, about.claim.hints.get("sentence", ""))


def _signed(
    about: Shown,
    left: Decimal,
    right: Decimal,
    what: str,
    *,
    evidence: Sequence[Sample] = (),
    slack: Decimal = Decimal(0),
    source: str = "the logs give",
) -> Iterator[Reading]:
    """Yield a difference in both directions; in percent also the relative one.

    `10 % better` may be ten points, or a tenth of the other value.
    """
    points = tuple(point.evidence for sample in evidence for point in sample.points)
    over = about.claim.hints.get("over")
    readings = [] if over in {RELATIVE, RATIO} else [(left - right, "difference")]
    if about.printed.unit == "percent" and right and left:
        readings.append(((left - right) / right * 100, "relative difference in percent"))
        readings.append(((left - right) / left * 100, "relative difference in percent"))
    for value, word in readings:
        for signed in dict.fromkeys((value, -value)):
            yield Reading(
                value=signed,
                what=f"{word} of {what}",
                evidence=points,
                slack=slack,
                says=f"{source} {spell(signed)}, the {word} of {what}",
            )


def _spreads(
    case: Case,
    about: Shown,
    left: Subject,
    right: Subject,
    pairs: Sequence[tuple[Sample, Sample]],
) -> Iterator[Reading]:
    """Yield interval ends, half widths, and spreads of the differences seed by seed."""
    for one, other in pairs:
        seeds = {point.run.seed: point for point in other.points}
        matched = [(p, seeds[p.run.seed]) for p in one.points if p.run.seed in seeds]
        for unit in units_of(about.claim, one.points[0].unit):
            values = [a.in_unit(unit) - b.in_unit(unit) for a, b in matched]
            for name, words, value in spreads_of(values):
                if about.meaning.aggregate in {name, "interval"}:
                    yield Reading(value=value, what=f"{words} of {len(values)} differences")
                    if name == "interval":
                        for end in (mean_of(values) - value, mean_of(values) + value):
                            yield Reading(value=end, what=f"end of the interval, by {words}")
    if case.facts is not None and about.meaning.aggregate == "interval":
        level = case.facts.study.statistics.confidence
        first, second = case.facts.group(left.groups[0]), case.facts.group(right.groups[0])
        yield from _ends(about, compare_pair(first, second, confidence=level))
        for one, other in pairs:
            unit = one.points[0].unit
            sides = (_numbered(sample, unit, start) for start, sample in enumerate((one, other)))
            yield from _ends(about, compare_pair(*sides, confidence=level), unit)


def _numbered(sample: Sample, unit: str, start: int) -> GroupResult:
    """Return a sample as a group: odd seeds or even ones, so that none is one of the other's."""
    numbered = enumerate(map(float, sample.values(unit)))
    return group_of_values(sample.group, {2 * n + start: value for n, value in numbered})


def _ends(about: Shown, found: Comparison, unit: str = "") -> Iterator[Reading]:
    """Yield the ends of the interval of a test, by default in the unit of its own."""
    for bound in (found.low, found.high):
        if isinstance(bound, Quantity):
            yield from _end(about, replace(bound, unit=unit or bound.unit), found.method)


def _end(about: Shown, bound: Quantity, method: str) -> Iterator[Reading]:
    for unit in units_of(about.claim, bound.unit):
        value = convert(Decimal(repr(bound.value)), bound.unit, unit)
        for signed in (value, -value):
            yield Reading(value=signed, what=f"end of the interval of {method}")


def _changes(about: Shown, readings: Sequence[Reading]) -> Iterator[Change]:
    if about.printed.unit != "percent":
        return
    for reading in readings:
        text = f"it is the {reading.what} as a fraction, printed with a percent sign"
        yield Change(value=reading.value.scaleb(-2), text=text)


def _from_report(case: Case, about: Shown) -> Iterator[Finding]:
    """Recompute a difference from the values that the report prints of both groups."""
    numbers = shown(case, "aggregate_mean", "metric_value")
    left = [n for n in numbers if _is_side(n, about.meaning)]
    right = [n for n in numbers if _is_side(n, _other(about.meaning))]
    pairs = [(a, b) for a in left for b in right if _alike(a, b)]
    if not pairs or len(pairs) > MOST_PAIRS:
        return
    near = min(abs(a.claim.block - about.claim.block) for a, _ in pairs)
    readings = [
        # All three may be cut off and not rounded: a unit of each, not half of one.
        replace(
            reading,
            slack=2 * (a.printed.half_unit + b.printed.half_unit) + about.printed.half_unit,
        )
        for a, b in pairs
        for reading in _signed(
            about,
            a.printed.value,
            b.printed.value,
            f"{a.printed.text} and {b.printed.text} ({a.claim.place})",
            source="the report's own values give",
        )
    ]
    together = any(
        a.claim.table == b.claim.table == about.claim.table is not None for a, b in pairs
    )
    sure = all(min(a.claim.confidence, b.claim.confidence) >= CONFIDENT for a, b in pairs)
    if near <= 2 or len(pairs) == 1:
        yield weigh(
            RULE,
            about.claim,
            readings,
            changes=_changes(about, readings),
            loudest="error" if together and sure and len(pairs) == 1 else "warning",
            within_slack="none",
        )


def _is_side(number: Shown, side: Meaning) -> bool:
    """Say whether a printed number may be one side of a difference."""
    meaning = number.meaning
    if meaning.aggregate not in {"", "mean"} or not same_group(meaning, side):
        return False
    if (meaning.seed is None) != (side.seed is None) or meaning.seed != side.seed:
        return False
    timed = side.epoch is not None or side.step is not None
    same_time = (meaning.epoch, meaning.step) == (side.epoch, side.step)
    return same_measure(meaning, side) and (same_time or not timed)


def _alike(one: Shown, other: Shown) -> bool:
    """Say whether two numbers may be subtracted: one rule, one epoch, one unit."""
    a, b = one.meaning, other.meaning
    units = {one.printed.unit or a.unit, other.printed.unit or b.unit}
    same = (a.aggregate, a.epoch, a.selection, a.split) == (
        b.aggregate, b.epoch, b.selection, b.split,
    )  # fmt: skip
    steps = a.step == b.step or a.selection == "best"
    return same and steps and len(units) == 1
