"""A printed calculation gives the result that is printed beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial

from reportgen.checks._byte_units import scales_of, unit_in
from reportgen.checks._computed import (
    FLAT,
    Side,
    candidates,
    changes,
    computed_sides,
    decimal_of,
    is_exact,
    is_scaled,
    may_have_lost_brackets,
    may_have_lost_power,
    result_of,
    spelled,
)
from reportgen.checks._ladder import Candidate, Cause, judge, other_reading, unbound
from reportgen.checks._raised import raised_above
from reportgen.checks._symbols import Stated, formula_value, stated_values
from reportgen.claims._math_text import readable
from reportgen.records.claim import Claim, Equation, Printed
from reportgen.records.finding import LEVELS, Case, Finding

RULE = "arithmetic"
_MOST_TRIES = 60
"""Calculations of one report for which lost brackets are looked for: that takes its time."""


def check(case: Case) -> Iterator[Finding]:
    """Yield the verdict on every calculation with a result.

    A missing bracket that was put back is said; where rounding in the numbers, a whole quotient
    or a percent sign explains the result, it agrees.
    """
    stated = cache(partial(stated_values, case))
    tries = iter(range(_MOST_TRIES))
    for claim in case.claims:
        content = claim.content
        if claim.kind != "equation" or not isinstance(content, Equation) or not claim.printed:
            continue
        sides = list(computed_sides(content))
        if sides:
            findings = [_judged(case, claim, side, stated, tries) for side in sides]
            yield min(findings, key=lambda finding: LEVELS.index(finding.level))
        elif content.fault:
            yield unbound(RULE, claim, content.fault)


def _judged(
    case: Case, claim: Claim, side: Side, stated: Callable[[], Stated], tries: Iterator[int]
) -> Finding:
    """Return the verdict on one side."""
    if claim.printed is None:
        raise ValueError("an equation without a result has nothing to judge")
    printed = result_of(side, claim.printed)
    mended = claim.content.repaired if isinstance(claim.content, Equation) else ""
    repaired = f", {mended}" if mended else ""
    says = f"“{_short(side.text)}” comes to {spelled(side.value)}{repaired}"
    flat = case.manuscript.format in FLAT

    def verdict(number: Printed, causes: Sequence[Cause] = ()) -> Finding:
        return judge(
            RULE,
            replace(claim, printed=number),
            candidates(side, number, flat=flat),
            says=says,
            causes=causes,
            exact=is_exact(side, number),
        )

    finding = verdict(printed)
    other = other_reading(printed)
    if finding.verdict == "disagrees" and other is not None:
        finding = verdict(other)
    if not finding.verdict.startswith("agrees") and is_scaled(side):
        return unbound(RULE, claim, "its numbers are rounded to thousands or millions")
    if finding.verdict == "disagrees":
        if "unit" in claim.hints:
            return _in_unit(claim, side, printed)
        if flat and next(tries, -1) >= 0 and may_have_lost_brackets(side, printed):
            return unbound(RULE, claim, "its brackets may be lost in the text")
        raised = raised_above(claim, case.manuscript) if flat else frozenset[str]()
        if may_have_lost_power(side, printed, raised):
            return unbound(RULE, claim, "an exponent may have moved to the line above")
        finding = verdict(
            printed, [*_own_formula(case, claim, side, stated), *changes(side, printed)]
        )
    return replace(finding, claim=claim)


def _in_unit(claim: Claim, side: Side, printed: Printed) -> Finding:
    """Return the verdict on a result in another unit than its numbers: bytes as gigabytes."""
    scales = scales_of(claim.hints["unit"])
    if not scales:
        return unbound(RULE, claim, "its result has another unit than its numbers")
    found = [
        Candidate(value=decimal_of(side.value / scale), definition=f"{side.text} / {scale}")
        for scale in scales
    ]
    shown = spelled(found[0].value.quantize(printed.half_unit / 5))
    unit = unit_in(claim.hints["unit"])
    says = f"“{_short(side.text)}” comes to {spelled(side.value)} bytes, {shown} {unit}"
    return judge(RULE, replace(claim, printed=printed), found, says=says, loudest="warning")


def _short(text: str) -> str:
    """Return a side as a message quotes it."""
    words = readable(text)
    return words if len(words) <= 80 else f"{words[:79]}…"


def _own_formula(
    case: Case, claim: Claim, side: Side, stated: Callable[[], Stated]
) -> Iterator[Cause]:
    """Yield the cause that a formula of the same name gives the result and the numbers do not."""
    printed = claim.printed
    if printed is None:
        return
    for formula, value in formula_value(case, claim, stated):
        if value != printed.value or value == side.value:
            continue
        swaps = [cause.text for cause in changes(side, printed) if "in place of" in cause.text]
        where = f"the report's own formula ({formula.place}) gives {spelled(value)}"
        text = f"{where}: {swaps[0]}" if swaps else where
        yield Cause(value=printed.value, text=text)
