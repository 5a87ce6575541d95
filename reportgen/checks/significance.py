"""What a test of two groups gives against the logged values, and its t against its p."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import permutations

from reportgen.checks._ladder import level_of, sentence, unbound
from reportgen.checks._logged import Logbook, logbook_of
from reportgen.checks._samples import Sample, samples
from reportgen.checks._subjects import counts_from_zero, subject_of
from reportgen.checks._tests_of_means import MeanTest, is_meant, mean_tests, p_range
from reportgen.checks._weigh import Reading, weigh
from reportgen.claims._test_words import DEGREES, FLOOR, P, T
from reportgen.records.claim import Claim, Meaning, Printed
from reportgen.records.finding import Case, Expected, Finding

RULE = "significance"
KIND = "test_statistic"
_MOST_GROUPS, _MOST_PAIRS = 6, 200
_BELOW, _ABOVE = frozenset({"<", "<=", "≤"}), frozenset({">", ">=", "≥"})
_UNIT = "percent"
_HALVED = ", one-sided"
_ONE_SIDED = re.compile(r"\b(?:one|single)[-\s](?:sided|tailed)\b|\bunilat[ée]ral", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Stated:
    """A number of a test with what it is."""

    claim: Claim
    meaning: Meaning
    printed: Printed

    @property
    def sign(self) -> str:
        """The sign of inequality before it, or nothing."""
        return self.claim.hints.get("sign", "")


def check(case: Case) -> Iterator[Finding]:
    """Hold every t, p and number of degrees against the logs, and p against t beside it.

    Paired, Welch's and Student's tests are legal, of one or of two sides, at the best step and
    at the last one; where the sentence names its test, that one alone.
    """
    found = [
        _Stated(claim, claim.content, claim.printed)
        for claim in case.claims
        if claim.kind == KIND and isinstance(claim.content, Meaning) and claim.printed is not None
    ]
    book = logbook_of(case)
    for stated in found:
        beside = _beside(stated, found)
        if stated.meaning.aggregate == P and beside is not None:
            yield from _by_t(stated, *beside)
        if book is not None:
            yield _by_logs(case, book, stated)


def _beside(stated: _Stated, others: Sequence[_Stated]) -> tuple[_Stated, _Stated] | None:
    """Return the t and the degrees of freedom that stand beside a p, and no other ones."""
    near = [
        other
        for other in others
        if other.claim.block == stated.claim.block
        and other.claim.hints.get("sentence") == stated.claim.hints.get("sentence")
        and (stated.claim.column == other.claim.column or stated.claim.row == other.claim.row)
    ]
    statistics = [other for other in near if other.meaning.aggregate == T]
    degrees = [other for other in near if other.meaning.aggregate == DEGREES]
    return (statistics[0], degrees[0]) if len(statistics) == len(degrees) == 1 else None


def _by_t(stated: _Stated, t: _Stated, degrees: _Stated) -> Iterator[Finding]:
    """Recompute p from the t and the degrees of freedom that are printed with it."""
    if degrees.printed.value <= 0:
        return
    value, half = t.printed.value, t.printed.half_unit
    free = degrees.printed
    # A whole number is exact; one with decimals was rounded.
    apart = free.half_unit if free.decimals > 0 else Decimal()
    low, high = p_range(
        (float(value - half), float(value + half)),
        (float(free.value - apart), float(free.value + apart)),
    )
    p, slack = stated.printed.value, stated.printed.half_unit
    ranges = ((low, high, "two-sided"), (low / 2, high / 2, "one-sided"))
    agrees = any(_fits(stated, Decimal(repr(a)), Decimal(repr(b)), slack) for a, b, _ in ranges)
    says = (
        f"t({degrees.printed.text}) = {t.printed.text} gives p between {low:.3g} and {high:.3g}"
        if low != high
        else f"t({degrees.printed.text}) = {t.printed.text} gives p = {low:.3g}"
    )
    verdict = "agrees" if agrees else "disagrees"
    yield Finding(
        rule=RULE,
        level="none" if agrees else level_of("disagrees", 0.75),
        verdict=verdict,
        claim=stated.claim,
        message=sentence(stated.claim, says),
        expected=Expected(value=low, low=low, high=high, definition="two-sided p of the printed t"),
        delta=p - Decimal(repr(low)),
        readings=tuple(f"{name}: {a:.3g} to {b:.3g}" for a, b, name in ranges),
    )


def _fits(stated: _Stated, low: Decimal, high: Decimal, slack: Decimal) -> bool:
    """Say whether a printed p, or a bound of it, allows a value between two ends."""
    p = stated.printed.value
    if stated.sign in _BELOW:
        return low <= p + slack
    if stated.sign in _ABOVE:
        return high >= p - slack
    # `p = 0.000` is what programs print of a small one.
    return low - 2 * slack <= p <= high + 2 * slack


def _by_logs(case: Case, book: Logbook, stated: _Stated) -> Finding:
    readings = list(_readings(case, book, stated))
    if not readings:
        return unbound(RULE, stated.claim, "the logs have no two groups that could be tested")
    named = bool(stated.meaning.run_group and stated.meaning.run_against)
    if stated.sign:
        return _bound(stated, readings, named=named)
    return weigh(
        RULE,
        stated.claim,
        readings,
        loudest="error" if named else "warning",
        within_slack="none",
        exact=stated.meaning.aggregate == DEGREES and stated.printed.decimals <= 0,
    )


def _bound(stated: _Stated, readings: Sequence[Reading], *, named: bool) -> Finding:
    """Return the verdict on `p < 0.05`, which any of the tests may keep.

    A test of one side gives half the p of the usual one, and is doubtful where nobody names it.
    """
    kept = [r for r in readings if _fits(stated, r.value, r.value, Decimal(0))]
    told = _ONE_SIDED.search(stated.claim.hints.get("sentence", ""))
    hit = next((r for r in kept if told or not r.what.endswith(_HALVED)), None)
    shown = hit or readings[0]
    verdict = "agrees" if hit else "borderline" if kept else "disagrees"
    level = "none" if hit else level_of(verdict, stated.claim.confidence)
    return Finding(
        rule=RULE,
        level="warning" if level == "error" and not named else level,
        verdict=verdict,
        claim=stated.claim,
        message=sentence(stated.claim, f"the logs give {shown.value:.3g}, {shown.what}"),
        expected=Expected(value=float(shown.value), definition=shown.what, evidence=shown.evidence),
        delta=stated.printed.value - shown.value,
        readings=tuple(f"{r.what}: {r.value:.3g}" for r in readings[:20]),
    )


def _readings(case: Case, book: Logbook, stated: _Stated) -> Iterator[Reading]:
    """Yield what every test of every pair of groups that may be meant gives."""
    seen: set[Decimal] = set()
    said = stated.claim.hints.get("sentence", "")
    for one, other in _pairs(case, book, stated.meaning):
        points = {point.run.seed: point for point in other.points}
        pairs = [
            (p.in_unit(_UNIT), points[p.run.seed].in_unit(_UNIT))
            for p in one.points
            if p.run.seed in points and p.run.seed is not None
        ]
        for test in mean_tests(one.values(_UNIT), other.values(_UNIT), pairs):
            if not is_meant(test, said):
                continue
            names = f"{book.study.label(one.group)} and {book.study.label(other.group)}"
            for value, side in _values(stated, test):
                if value in seen:
                    continue
                seen.add(value)
                what = f"by {test.name} of {names}, {one.words}{side}"
                yield Reading(
                    value=value,
                    what=what,
                    says=f"the logs give {value:.4g} {what}",
                    evidence=tuple(p.evidence for p in (*one.points, *other.points)),
                )


def _values(stated: _Stated, test: MeanTest) -> Iterator[tuple[Decimal, str]]:
    """Yield what a claim may mean of a test, each with the words for its side."""
    kind, p = stated.meaning.aggregate, test.p()
    if kind == T and test.t is not None:
        yield Decimal(repr(test.t)), ""
        yield Decimal(repr(-test.t)), ""
    elif kind == DEGREES:
        exact = round(Decimal(repr(test.degrees)), 10)
        # Tables of t want whole numbers.
        whole = (Decimal(round(exact)), Decimal(int(exact)))
        yield from ((value, "") for value in dict.fromkeys((exact, *whole)))
    elif kind == P and p is not None:
        yield Decimal(repr(p)), ""
        yield Decimal(repr(p / 2)), _HALVED
    elif kind == FLOOR:
        yield Decimal(repr(test.floor)), ""
        yield Decimal(repr(test.floor / 2)), _HALVED


def _pairs(case: Case, book: Logbook, meaning: Meaning) -> Iterator[tuple[Sample, Sample]]:
    """Yield samples of two groups that were taken by one rule."""
    zero = counts_from_zero(case)
    count = 0
    for first, second in _group_pairs(book, meaning):
        both = []
        for group in (first, second):
            subject = subject_of(
                book, Meaning(metric=meaning.metric, split=meaning.split, run_group=group)
            )
            split = subject.splits[0] if subject.splits else ""
            both.append(
                tuple(samples(book, group, subject.metric, split, Meaning(), zero=zero))
                if not subject.reason
                else ()
            )
        for one in both[0]:
            for other in both[1]:
                if one.rule == other.rule and count < _MOST_PAIRS:
                    count += 1
                    yield one, other


def _group_pairs(book: Logbook, meaning: Meaning) -> Iterator[tuple[str, str]]:
    if meaning.run_group and meaning.run_against:
        yield meaning.run_group, meaning.run_against
    elif not meaning.group and not meaning.against and len(book.groups()) <= _MOST_GROUPS:
        yield from permutations(book.groups(), 2)
