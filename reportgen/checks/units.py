"""Percent, fractions and points of one metric side by side."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from reportgen.checks._ladder import level_of, sentence
from reportgen.checks._printed_runs import Shown, shown
from reportgen.checks._weigh import SPREADS, quieter
from reportgen.records.finding import Case, Finding
from reportgen.runs import is_share

RULE = "units"
KINDS = ("metric_value", "aggregate_mean", "aggregate_std", "aggregate_other")
TOO_SMALL = Decimal(1)
LARGE = Decimal(10)


def check(case: Case) -> Iterator[Finding]:
    """Name percent signs on fractions; note mixed units, and percent for points."""
    numbers = [s for s in shown(case, *KINDS) if is_share(s.meaning.metric)]
    values = [s for s in numbers if s.meaning.aggregate not in {*SPREADS, "difference"}]
    yield from _fractions_with_a_sign(values)
    yield from _mixed(values)
    for number in numbers:
        if number.meaning.aggregate == "difference" and number.printed.unit == "percent":
            reason = "a difference of percentages is in points; percent may be read as relative"
            yield _note(number, reason)


def _unit(number: Shown) -> str:
    """Return the unit of a value, where its print leaves no doubt."""
    if number.printed.unit == "percent":
        return "percent"
    if number.meaning.unit in {"percent", "fraction"}:
        return number.meaning.unit
    return "percent" if abs(number.printed.value) > TOO_SMALL else ""


def _fractions_with_a_sign(values: list[Shown]) -> Iterator[Finding]:
    """Name `0.80 %` where the other values of its metric and split are those of a percentage."""
    for number in values:
        if number.printed.unit != "percent" or not 0 < number.printed.value <= TOO_SMALL:
            continue
        if number.printed.decimals < 2:
            continue
        meaning = number.meaning
        others = [
            other
            for other in values
            if other is not number
            and (other.meaning.metric, other.meaning.split) == (meaning.metric, meaning.split)
        ]
        large = [other for other in others if other.printed.value >= LARGE]
        if large and all(o.printed.value >= LARGE or o.printed.value <= TOO_SMALL for o in others):
            says = f"the others are as {large[0].printed.text} % ({large[0].claim.place})"
            cause = "it is a fraction with a percent sign"
            yield Finding(
                rule=RULE,
                level=quieter(level_of("disagrees", number.claim.confidence), "warning"),
                verdict="disagrees",
                claim=number.claim,
                message=sentence(number.claim, says, cause),
                likely_cause=cause,
            )


def _mixed(values: list[Shown]) -> Iterator[Finding]:
    """Note the first fraction of a metric that the report prints in percent, or the reverse."""
    for metric in dict.fromkeys(number.meaning.metric for number in values):
        of_metric = [n for n in values if n.meaning.metric == metric and _tells(n)]
        percent = [n for n in of_metric if _unit(n) == "percent"]
        fraction = [n for n in of_metric if _unit(n) == "fraction"]
        if percent and fraction:
            rare, usual = sorted((percent, fraction), key=len)
            words = "in percent" if rare is percent else "as a fraction"
            reason = f"{metric} is printed {words} here, and otherwise as {usual[0].printed.text}"
            yield _note(rare[0], f"{reason} ({usual[0].claim.place})")


def _tells(number: Shown) -> bool:
    """Whether a number shows its unit: a bare 0 or 1 is the same in both, or counts something."""
    bare = number.printed.decimals == 0 and number.printed.unit != "percent"
    return bool(_unit(number)) and not (bare and abs(number.printed.value) <= 1)


def _note(number: Shown, reason: str) -> Finding:
    return Finding(
        rule=RULE,
        level="note",
        verdict="not checkable",
        claim=number.claim,
        message=sentence(number.claim, reason),
        reason=reason,
    )
