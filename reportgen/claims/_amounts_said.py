"""By how much a comparison says that one thing is higher than another."""

from __future__ import annotations

import re

from reportgen.claims._clauses import Clause
from reportgen.claims._gated import gated
from reportgen.claims._predicates import Said
from reportgen.claims._scene import MASK, Scene
from reportgen.records.claim import Printed

_POINTS_OF = re.compile(
    r"\s?%?\s?(?:percentage\s)?(?:points?|pts|pp)?\s?(?:of|in|de|d'|en)?\s?(?:the\s|l'|la\s|le\s)?",
    re.IGNORECASE,
)
_BY = gated(
    r"(?:\bby|\bde|\bd'|\bof|\bgains?|\bgagnent|\bgagne|\bloses?|\blost|\bperd(?:ent)?)\s(?:about\s|around\s|roughly\s|only\s|environ\s|nearly\s|over\s)*$",
    re.IGNORECASE,
)
_CLOSED = re.compile(
    rf"[.;,)\]{MASK}]|\b(?:is|are|was|were|has|have|had|est|sont|était)\b", re.IGNORECASE
)
"""Between a number and the word of comparison: it is a value, and not by how much."""
_SIGNED = re.compile(r"\(\s?$")


def amounts_of(scene: Scene, clause: Clause, said: Said) -> tuple[Printed, ...]:
    """Return the numbers that say by how much."""
    found = []
    for number in scene.numbers_in(clause.start, clause.end):
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
    return tuple(found[:1])


def metric_of(scene: Scene, amounts: tuple[Printed, ...], end: int) -> str:
    """Return the metric that an amount is of: `5.6 points of F1 and 4.4 points of recall`."""
    if not amounts:
        return ""
    metrics = scene.of(amounts[0].end, end, "metric")
    between = scene.text[amounts[0].end : metrics[0].start] if metrics else ""
    return metrics[0].value if metrics and _POINTS_OF.fullmatch(between) else ""
