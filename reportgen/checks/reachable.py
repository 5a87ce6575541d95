"""An accuracy is a number of examples out of N: k/N for a whole k."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from reportgen.checks._ladder import level_of, sentence
from reportgen.checks._logged import logbook_of
from reportgen.checks._printed_runs import Shown, shown
from reportgen.checks._subjects import is_logged
from reportgen.checks._weigh import SINGLE_PRECISION, quieter, spell, units_of
from reportgen.records.claim import CONFIDENT, Claim, Counted
from reportgen.records.finding import Case, Expected, Finding

RULE = "reachable"
COUNTED = frozenset(("accuracy", "exact_match", "top5", "top_5", "error_rate"))
"""Metrics that are a share of examples, each right or not."""
SPLITS = ("validation", "test")


def check(case: Case) -> Iterator[Finding]:
    """Hold every accuracy of one run against the number of examples it was measured on."""
    sizes = {split: size for split in SPLITS if (size := _size(case, split)) is not None}
    if not sizes:
        return
    book = logbook_of(case)
    for number in shown(case, "metric_value"):
        meaning = number.meaning
        size = sizes.get(meaning.split)
        if meaning.aggregate or meaning.metric not in COUNTED or size is None:
            continue
        if number.printed.approximate or (
            book is not None and is_logged(case, book, number.meaning)
        ):
            continue
        finding = _check(number, *size)
        if finding is not None:
            yield finding


def _size(case: Case, split: str) -> tuple[int, str] | None:
    """Return the number of examples of a split, and who says so; None where it is not sure."""
    if case.facts is not None and case.facts.study.split_sizes.get(split):
        return case.facts.study.split_sizes[split], "the study"
    stated = {
        int(claim.printed.value): claim
        for claim in case.claims
        if claim.printed is not None
        and isinstance(claim.content, Counted)
        and claim.content.key == f"{split}_examples"
        and claim.confidence >= CONFIDENT
        and claim.printed.decimals == 0
        and not claim.printed.approximate
        and claim.printed.value > 0
    }
    if len(stated) != 1:
        return None
    ((size, claim),) = stated.items()
    return size, f"{claim.place}"


def _check(number: Shown, size: int, source: str) -> Finding | None:
    """Return a finding where no whole number of examples gives what is printed."""
    claim, printed = number.claim, number.printed
    # `79.90` may be a log's 79.9 in a format of two decimals.
    shown_digits = printed.value.normalize()
    exponent = shown_digits.as_tuple().exponent
    unit = Decimal(1).scaleb(min(exponent, 0)) if isinstance(exponent, int) else Decimal(1)
    for kind in units_of(claim, "percent"):
        whole = Decimal(100 if kind == "percent" else 1)
        if not 0 <= printed.value <= whole:
            continue
        if _holds(printed.value, unit / 2, size, whole):
            return None
        rounded = _holds(printed.value, unit, size, whole)
        below, above = (
            (printed.value * size / whole).to_integral_value(r) * whole / size
            for r in (ROUND_FLOOR, ROUND_CEILING)
        )
        shares = f"{spell(below)} and {spell(above)}"
        says = f"of {size} examples ({source}) the nearest shares are {shares}"
        return _finding(claim, says, float(below), float(above), rounded=rounded)
    return None


def _holds(value: Decimal, slack: Decimal, size: int, whole: Decimal) -> bool:
    """Say whether a multiple of whole / size lies within the slack, that of float32 at least."""
    slack = max(slack, SINGLE_PRECISION * value)
    low = ((value - slack) * size / whole).to_integral_value(ROUND_CEILING)
    return low * whole <= (value + slack) * size


def _finding(claim: Claim, says: str, below: float, above: float, *, rounded: bool) -> Finding:
    verdict = "borderline" if rounded else "disagrees"
    return Finding(
        rule=RULE,
        level=quieter(level_of(verdict, claim.confidence), "warning"),
        verdict=verdict,
        claim=claim,
        message=sentence(claim, says),
        expected=Expected(low=below, high=above, definition="a whole number of examples"),
    )
