"""A number that carries its id against the number of the built report with that id."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal

from reportgen.checking.numbers._digits import NumberStyle
from reportgen.checking.numbers._numbers import find_numbers
from reportgen.checks._ladder import Candidate, judge, sentence, unbound
from reportgen.records.claim import Claim, Printed
from reportgen.records.finding import Case, Finding, Stated

RULE = "named"
_PROSE = re.compile(r"prose\.\d+\.(.+?)(\.\d+)?")
"""An id where the author's words repeat a number: its own is in it."""
_SCALES = tuple(
    Decimal(scale) for scale in (1, 100, *(Decimal(1) / 1024**power for power in range(1, 6)))
)
"""From the value of report.json to its print: as it is, as a percentage, in binary units."""
_STYLES = (NumberStyle(comma=True), NumberStyle(point=True))


def check(case: Case) -> Iterator[Finding]:
    """Hold every number that carries an id against what the id stands for."""
    if not case.stated:
        return
    for claim in case.claims:
        if claim.named:
            stated = _stated(case.stated, claim.named)
            yield _unknown(case.stated, claim) if stated is None else _check(claim, stated)


def _stated(stated: Mapping[str, Stated], name: str) -> Stated | None:
    """Return what an id stands for; of a number that is repeated, what the number does."""
    found = stated.get(name)
    repeated = _PROSE.fullmatch(name)
    if found is None and repeated:
        found = stated.get(repeated[1] + (repeated[2] or "")) or stated.get(repeated[1])
    return found


def _check(claim: Claim, stated: Stated) -> Finding:
    says = f"{stated.source} prints {stated.printed} as {stated.id}"
    value = value_in_print(stated)
    if claim.printed is None or value is None:
        return _as_text(claim, stated, says)
    # Next to a count, a step or a seed stands another one.
    whole = value == value.to_integral_value()
    reading = Candidate(value=value, definition=stated.id)
    # What was read first goes last, so that it is what a disagreement is told of.
    for printed in (*_printed_as(claim.printed.text), claim.printed):
        sure = replace(claim, printed=printed, confidence=1.0)
        finding = judge(RULE, sure, [reading], says=says, exact=whole)
        if finding.verdict != "disagrees":
            break
    return replace(finding, claim=claim)


def _printed_as(text: str) -> tuple[Printed, ...]:
    """Return a number as each style of decimals has it: `26,237` is 26.237 and 26237.

    The evidence knows which is meant, and no text around the number does so as well.

    Example:
        >>> [str(number.value) for number in _printed_as("26,237")]
        ['26.237', '26237']
        >>> [str(number.value) for number in _printed_as("80.63")]
        ['80.63']
    """
    numbers = (find_numbers(text, style)[:1] for style in _STYLES)
    return tuple({number.value: number for found in numbers for number in found}.values())


def value_in_print(stated: Stated) -> Decimal | None:
    """Return the unrounded value in the unit of print; what is printed where that is not clear.

    Example:
        >>> one = Stated(id="a", printed="80.63", value=0.80633333333333, source="", settled=True)
        >>> value_in_print(one) == Decimal("80.633333333333")
        True
        >>> value_in_print(replace(one, printed="\u2014", value=None)) is None
        True
    """
    numbers = find_numbers(stated.printed)
    if stated.value is None or not numbers:
        return None
    exact = Decimal(repr(stated.value))
    scale = scale_of(stated.printed, exact)
    return numbers[0].value if scale is None else exact * scale


def scale_of(printed: str, value: Decimal) -> Decimal | None:
    """Return by what a value was multiplied for print; None where no such factor is known.

    Example:
        >>> scale_of("80.63", Decimal("0.80629")), scale_of("1.50 GiB", Decimal(1610612736)) is None
        (Decimal('100'), False)
    """
    fits = (
        scale
        for number in _printed_as(printed)
        for scale in _SCALES
        if abs(value * scale - number.value) <= number.half_unit
    )
    return next(fits, None)


def _as_text(claim: Claim, stated: Stated, says: str) -> Finding:
    """Judge what is no number on either side: a dash for what is missing."""
    if claim.quote == stated.printed or (claim.printed is None and stated.value is None):
        return Finding(
            rule=RULE, level="none", verdict="agrees", claim=claim, message=sentence(claim, says)
        )
    if claim.printed is None:
        return unbound(RULE, claim, f"it shows no number, and {says}")
    return Finding(
        rule=RULE,
        level="error",
        verdict="disagrees",
        claim=claim,
        message=sentence(claim, says),
    )


def _unknown(stated: Mapping[str, Stated], claim: Claim) -> Finding:
    """Tell of an id that the built report does not have."""
    one = next(iter(stated.values()))
    near = difflib.get_close_matches(claim.named, stated, n=1, cutoff=0.6)
    hint = f"; the nearest is {stated[near[0]].id}" if near else ""
    reason = f"no number of {one.source} is called {claim.named}{hint}"
    return replace(unbound(RULE, claim, reason), level="warning" if one.settled else "none")
