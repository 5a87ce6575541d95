"""Logged or recomputed readings in the unit of print, and the verdict on them in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from reportgen.checks._ladder import Candidate, Cause, compare, judge, unbound
from reportgen.checks._logged import HUNDREDFOLD
from reportgen.records.claim import LIKELY, Claim, Meaning, Printed
from reportgen.records.finding import LEVELS, VERDICTS, Finding
from reportgen.records.metrics import known_metric
from reportgen.records.quantity import Evidence

SINGLE_PRECISION = Decimal("1e-6")
"""Relative difference that a float32 log may have from what its program printed."""
UNSURE = "what it belongs to is not sure enough"
_SOFTER = {"none": "agrees within rounding", "note": "borderline"}
SIGNIFICANT = 7
RATIO_UNITS = ("percent", "fraction")
SPREADS = frozenset(("std", "se", "interval"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One legal reading of the evidence, in the unit of the printed number.

    Attributes:
        value: The value.
        what: What it is and where it stands (`pretrained/seed 1, test accuracy, step 675`).
        evidence: The points behind it.
        slack: How far it may be from the truth because the log itself was rounded.
        says: A whole clause to say instead of value and place.
    """

    value: Decimal
    what: str
    evidence: tuple[Evidence, ...] = ()
    slack: Decimal = Decimal(0)
    says: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A simple change that may explain a disagreement.

    Attributes:
        value: What it gives, in the printed unit.
        text: A clause (`it is the validation accuracy at that step`).
        soft: Whether a report that leaves open what it means may mean this.
        unit: Whether it is a change of the unit alone.
    """

    value: Decimal
    text: str
    soft: bool = False
    unit: bool = False


def units_of(claim: Claim, logged: str) -> tuple[str, ...]:
    """Return the units in which a claim may print a ratio, the likeliest first.

    Args:
        claim: With a printed number and a `Meaning`.
        logged: Unit of the logged values; what is no ratio has its own, and a share that logs
            and their reports give as it is (an nDCG) may be printed in percent.
    """
    if claim.printed is None:
        return (logged,)
    meaning = claim.content if isinstance(claim.content, Meaning) else Meaning()
    if logged not in RATIO_UNITS:
        known = known_metric(meaning.metric)
        share = known is not None and known.most == 1.0
        # A small spread or difference is small in either unit; a value is not.
        either = meaning.aggregate in {*SPREADS, "difference"}
        in_percent = either or claim.printed.unit or abs(claim.printed.value) > 1
        return (logged, HUNDREDFOLD) if share and in_percent else (logged,)
    if claim.printed.unit or meaning.unit in {"percent", "points"}:
        return ("percent",)
    if meaning.unit == "fraction":
        return ("fraction",)
    # A small spread is small in either unit; a value is not.
    small = abs(claim.printed.value) <= 1 and meaning.aggregate not in SPREADS
    return RATIO_UNITS[::-1] if small else RATIO_UNITS


def rounding_of(decimals: int | None, logged: str, unit: str) -> Decimal:
    """Return how far a logged value may be from what was measured, in the unit of print.

    Args:
        decimals: To which the log was rounded; None where it was not.
        logged: Unit of the log.
        unit: Unit of print.

    Example:
        >>> rounding_of(1, "percent", "percent"), rounding_of(3, "fraction", "percent")
        (Decimal('0.05'), Decimal('0.05'))
    """
    if decimals is None:
        return Decimal(0)
    shift = {("percent", "fraction"): -2, ("fraction", "percent"): 2}.get((logged, unit), 0)
    shift = 2 if unit == HUNDREDFOLD else shift
    return Decimal(5).scaleb(shift - decimals - 1)


def spell(value: Decimal) -> str:
    """Return a value as messages print it, without noise behind the seventh digit.

    Example:
        >>> spell(Decimal("78.50")), spell(Decimal("79.93333333333"))
        ('78.5', '79.93333')
    """
    if not value:
        return "0"
    rounded = round(value, SIGNIFICANT - 1 - value.adjusted())
    return f"{rounded.normalize():f}"


def weigh(
    rule: str,
    claim: Claim,
    readings: Sequence[Reading],
    *,
    source: str = "the logs have",
    changes: Iterable[Change] = (),
    loudest: str = "error",
    exact: bool = False,
    within_slack: str = "note",
) -> Finding:
    """Return the verdict on a claim's number, in one sentence.

    What disagrees, or nearly, with a number whose meaning is a guess is none.

    Args:
        rule: Name of the check.
        claim: With a printed number.
        readings: Every legal reading, the likeliest first; at least one.
        source: Words before the value and its place.
        changes: What may explain a disagreement; the first that hits is named. They are not
            asked for where nothing disagrees.
        loudest: Highest level allowed.
        exact: Whether the number is one of an order, as an epoch is, and next to it is another.
        within_slack: Level of a disagreement that the rounding of the evidence explains:
            `"none"` makes it agree within rounding, `"note"` borderline.
    """
    printed = claim.printed
    if printed is None:
        raise ValueError(f"{claim.kind} in {claim.place} has no printed number to judge")
    settled = [_settled(printed, reading) for reading in readings]
    best = max(settled, key=lambda r: VERDICTS.index(compare(printed, r.value, exact=exact)))
    explained = any(_within_slack(printed, reading) for reading in settled)
    softer = _SOFTER.get(within_slack, "") if explained else ""
    hit = None
    if compare(printed, best.value, exact=exact) == "disagrees" and not softer:
        hit = next((c for c in changes if compare(printed, c.value).startswith("agrees")), None)
    if explained or (hit is not None and hit.soft):
        loudest = quieter(loudest, within_slack if explained else "warning")
    finding = judge(
        rule,
        claim,
        [Candidate(value=r.value, definition=r.what, evidence=r.evidence) for r in settled],
        says=best.says or f"{source} {spell(best.value)} at {best.what}",
        causes=() if hit is None else (Cause(value=hit.value, text=hit.text),),
        loudest=loudest,
        exact=exact,
    )
    if finding.verdict == "disagrees" and softer:
        finding = replace(finding, verdict=softer)
    if finding.verdict in {"disagrees", "borderline"} and claim.confidence < LIKELY:
        return unbound(rule, claim, UNSURE)
    return replace(finding, level=quieter(finding.level, loudest))


def _within_slack(printed: Printed, reading: Reading) -> bool:
    gap = abs(reading.value - printed.value)
    return bool(reading.slack) and gap <= reading.slack + printed.half_unit


def quieter(level: str, other: str) -> str:
    """Return the quieter of two levels.

    Example:
        >>> quieter("error", "warning"), quieter("note", "warning")
        ('warning', 'note')
    """
    return max(level, other, key=LEVELS.index)


def _settled(printed: Printed, reading: Reading) -> Reading:
    """Let a float32 log stand for the number that its program printed."""
    near = abs(printed.value - reading.value) <= SINGLE_PRECISION * abs(reading.value)
    return replace(reading, value=printed.value) if near else reading


def transposed(printed: Printed, value: Decimal) -> bool:
    """Say whether two neighbouring digits of a number are exchanged in print.

    Example:
        >>> transposed(Printed(text="97.9", value=Decimal("97.9"), decimals=1), Decimal("79.9"))
        True
    """
    digits = list(f"{abs(printed.value):f}")
    places = [i for i, char in enumerate(digits) if char != "."]
    for first, second in pairwise(places):
        swapped = digits.copy()
        swapped[first], swapped[second] = swapped[second], swapped[first]
        number = Decimal("".join(swapped)).copy_sign(printed.value)
        if number != printed.value and abs(number - value) <= printed.half_unit:
            return True
    return False
