"""By how much a comparison says that one thing is higher than another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from reportgen.checking.numbers._gated import gated
from reportgen.claims._clauses import Clause
from reportgen.claims._predicates import Said
from reportgen.claims._scene import MASK, Scene
from reportgen.records.claim import Printed

_POINTS_OF = re.compile(
    r"\s?%?\s?(?:percentage\s)?(?:points?|pts|pp)?\s?(?:of|in|de|d'|en)?\s?(?:the\s|l'|la\s|le\s)?",
    re.IGNORECASE,
)
_BY = gated(
    r"(?:\bby|\bde|\bd'|\bof|\bgains?|\bgagnent|\bgagne|\bloses?|\blost|\bperd(?:ent)?)\s(?:about\s|around\s|roughly\s|only\s|environ\s|nearly\s|over\s"
    r"|at\sleast\s|more\sthan\s|au\smoins\s|plus\sde\s|between\s)*$",
    re.IGNORECASE,
)
_CLOSED = re.compile(
    rf"[.;,)\]{MASK}]|\b(?:is|are|was|were|has|have|had|est|sont|était)\b", re.IGNORECASE
)
"""Between a number and the word of comparison: it is a value, and not by how much."""
_SIGNED = re.compile(r"\(\s?$")
_UP_TO = re.compile(r"\s?%?\s?(?:points?|pts)?\s?(?:to|à|[-–—]{1,3})\s?", re.IGNORECASE)
_LISTED = re.compile(r"\s?%?\s?(?:,\s?(?:and\s|et\s)?|and\s|et\s|/\s?)", re.IGNORECASE)
_IS_BETWEEN = re.compile(r"\b(?:between|entre)\s$", re.IGNORECASE)
_AND = re.compile(r"\s?%?\s?(?:and|et)\s", re.IGNORECASE)
_OR_MORE = re.compile(
    r"\s?%?\s?(?:percentage\s)?(?:points?|pts)?\s?(?:or|ou)\s(?:more|above|plus|davantage)\b",
    re.IGNORECASE,
)
ON_AVERAGE = gated(r"\b(?:on\saverage|averag\w+|en\smoyenne)\b", re.IGNORECASE)
"""Said of an amount, it is that of the means, also where each seed is named."""


def amounts_of(scene: Scene, clause: Clause, said: Said) -> tuple[Printed, ...]:
    """Return the number that says by how much, the two ends of `by 1 to 3 points`, or nothing.

    Of a list (`by 3.1, 2.8 and 0.9 points`) nothing says which of them is of what.
    """
    found: list[Printed] = []
    numbers = scene.numbers_in(clause.start, clause.end)
    for number in numbers:
        before = scene.text[max(clause.start, number.start - 24) : number.start]
        apart = scene.text[number.end : said.start] if number.end <= said.start else None
        near = apart is not None and len(apart) <= 14 and not _CLOSED.search(apart)
        behind = number.start >= said.end
        by = bool(_BY.search(before)) and (number.unit in {"percent", "points"} or behind)
        bracket = _SIGNED.search(before) and (number.unit == "points" or number.text[0] in "+−")
        if (number.unit in {"percent", "points"} and (near or by or bracket)) or (
            not number.unit and not number.word and (bracket or (by and behind))
        ):
            found.append(number)
    return _with_its_end(scene, numbers, found[0]) if found else ()


def _with_its_end(scene: Scene, numbers: Sequence[Printed], amount: Printed) -> tuple[Printed, ...]:
    later = next((number for number in numbers if number.start >= amount.end), None)
    before = next((n for n in reversed(numbers) if n.end <= amount.start), None)
    if before is not None and _LISTED.fullmatch(scene.text, before.end, amount.start):
        return ()
    if _OR_MORE.match(scene.text, amount.end):
        return (replace(amount, approximate="at least"),)
    if later is None or later.text[0] in "+-−":
        return (amount,)
    between = _IS_BETWEEN.search(scene.text[: amount.start])
    if not between and _LISTED.fullmatch(scene.text, amount.end, later.start):
        return ()
    joined = _AND if between else _UP_TO
    if joined.fullmatch(scene.text, amount.end, later.start) and amount.value <= later.value:
        return replace(amount, unit=amount.unit or later.unit), later
    return (amount,)


def metric_of(scene: Scene, amounts: tuple[Printed, ...], end: int) -> str:
    """Return the metric that an amount is of: `5.6 points of F1 and 4.4 points of recall`."""
    if not amounts:
        return ""
    metrics = scene.of(amounts[0].end, end, "metric")
    between = scene.text[amounts[0].end : metrics[0].start] if metrics else ""
    return metrics[0].value if metrics and _POINTS_OF.fullmatch(between) else ""
