"""What a number in brackets behind a value is: as a caption says, else a guess by its form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from reportgen.checking.numbers._gated import gated
from reportgen.claims._cells import Part
from reportgen.claims._heads import understood
from reportgen.claims._mentions import Mention
from reportgen.claims._table import Spot
from reportgen.claims._vocabulary import SPREADS
from reportgen.runs import direction_of

_IN_BRACKETS = (
    r"(?:in|within|between|entre)\s(?:the\s)?(?:parenthes[ei]s|parenthèses|(?:round\s)?brackets)"
)
_BEFORE = gated(rf"([^.,;:()]{{3,80}}?)\s{_IN_BRACKETS}", re.IGNORECASE)
_BEHIND = gated(
    rf"\b{_IN_BRACKETS}\s?(?:are|is|gives?|shows?|denotes?|sont|est|donnent|:|,)\s?([^.;()]{{3,80}})",
    re.IGNORECASE,
)
_ASIDE = gated(r"\(([^()\d]{3,40})\)")
_CHANGE = gated(
    r"\b(?:gains?|improve\w*|relative\w*|changes?|increases?|decreases?|drops?|margins?|over\sthe|ranks?"
    r"|rangs?|last\sdigits?|dernier\schiffre|relati\w+|améliorations?|hausses?|baisses?)\b",
    re.IGNORECASE,
)
"""What is no value of a metric, nor how far values lie from each other in its unit."""
_GUESS = {"aggregate": "std"}
_ENDS = {"max": "min", "min": "max"}
_HALF = 2


def bracketed(spot: Spot, whole: Part, part: Part, metric: str) -> Mapping[str, str] | None:
    """Return the slots that a number in brackets fills; None where it cannot be told.

    Args:
        spot: The cell.
        whole: The value before the brackets.
        part: The number in them.
        metric: Of the value.
    """
    for words in _told(spot):
        if _CHANGE.search(words):
            return None
        return _slots(understood(words, head=True), metric) or None
    number = part.number
    between = spot.entry.cell.text[whole.number.end : number.start]
    last_digits = number.decimals <= 0 < whole.number.decimals and not between.strip("($")
    last_digits &= not between[:1].isspace()
    alone = number.unit and not whole.number.unit
    if number.text[:1] in "+-−" or last_digits or alone:
        return None
    if _HALF * abs(number.value) < abs(whole.number.value):
        return _GUESS
    for words in _asides(spot):
        slots = _slots(understood(words, head=True), metric)
        if slots and slots.get("aggregate") not in SPREADS:
            return slots
    return _GUESS if not whole.number.value else None


def _told(spot: Spot) -> Iterator[str]:
    """Yield what is said to stand in brackets."""
    for text in _around(spot):
        for pattern in (_BEHIND, _BEFORE):
            for match in pattern.finditer(text):
                yield match[1]


def _asides(spot: Spot) -> Iterator[str]:
    """Yield what the words around have in brackets, as cells have their numbers."""
    for text in _around(spot):
        for match in _ASIDE.finditer(text):
            yield match[1]


def _around(spot: Spot) -> Iterator[str]:
    yield from (head.text for head in spot.sources())
    yield from spot.table.around


def _slots(mentions: tuple[Mention, ...], metric: str) -> dict[str, str]:
    """Return what words say that a number is: an aggregate, a split, a metric."""
    found: dict[str, str] = {}
    for mention in mentions:
        slot = "aggregate" if mention.slot == "extreme" else mention.slot
        if slot not in {"aggregate", "split", "metric"} or mention.value == "difference":
            continue
        low = mention.slot == "extreme" and direction_of(metric) == "lower"
        found.setdefault(slot, _ENDS[mention.value] if low else mention.value)
    return found
