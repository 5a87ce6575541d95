"""Sentences that subtract: `from 70.4 % to 79.9 %, so 9.5 points more`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from reportgen.checking.numbers._gated import gated
from reportgen.claims._bind import START, Draft
from reportgen.claims._scene import Scene
from reportgen.records.claim import Printed, Statement

_FROM = re.compile(r"\b(?:from|de|d')\s?$", re.IGNORECASE)
_TO = re.compile(r"\b(?:to|à|jusqu'à)\s?$", re.IGNORECASE)
_HENCE = re.compile(
    r"^[^.;:]{0,60}?(?:\b(?:so|i\.e\.|that\sis|which\sis|which\smakes|thus|hence|soit|donc|c'est-à-dire"
    r"|(?:gain|increase|rise|improvement|drop|fall|loss|decrease|difference|hausse|baisse|augmentation)\s(?:of|de))"
    r",?\s(?:an?\s|une?\s)?(?:(?:gain|increase|rise|improvement|drop|fall|loss|decrease|difference|hausse|baisse"
    r"|augmentation)\s(?:of|de)\s)?(?:(?:about|around|roughly|environ)\s)?|\(\s?)$",
    re.IGNORECASE,
)
_OTHER = gated(r"\b(?:while|whereas|but|tandis|alors\sque|mais)\b", re.IGNORECASE)
_ELSEWHERE = gated(
    r"^\s*(?:percentage\s)?(?:points?|pts|pp)?\s*(?:of\s\w+\s|d[e']\s?\w+\s|de\s)?(?:more|less|higher|lower|better|plus|moins)?\s*"
    r"(?:than|over|above|below|behind|que|compared|par\srapport|between|entre|per|par|std|standard|spread|écart)\b",
    re.IGNORECASE,
)
"""What is said of another model, or of each epoch, is no difference of the two numbers."""


def gains(scene: Scene, start: int, end: int) -> Iterator[Draft]:
    """Yield the differences that a sentence takes of the two numbers before them."""
    numbers = scene.numbers_in(start, end)
    for (first, last), amount in zip(pairwise(numbers), numbers[2:], strict=False):
        if _is_difference(scene, start, end, (first, last, amount)):
            statement = Statement(
                predicate="gains",
                subjects=(),
                amounts=(first, last, amount),
                vague=bool(amount.approximate),
            )
            yield Draft(
                kind="trend",
                start=first.start,
                end=amount.end,
                statement=statement,
                confidence=START,
            )


def _is_difference(
    scene: Scene, start: int, end: int, numbers: tuple[Printed, Printed, Printed]
) -> bool:
    first, last, amount = numbers
    text = scene.text
    if amount.unit != "points" or first.unit != last.unit or first.approximate or last.approximate:
        return False
    return bool(
        _FROM.search(text, max(start, first.start - 8), first.start)
        and last.start - first.end <= 60
        and _TO.search(text, first.end, last.start)
        and not _OTHER.search(text, last.end, amount.start)
        and not scene.of(last.end, amount.start, "group")
        and _HENCE.match(text[last.end : amount.start])
        and not _ELSEWHERE.match(text[amount.end : end])
    )
