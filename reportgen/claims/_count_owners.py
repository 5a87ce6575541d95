"""Whose seeds a number counts: `a2c has only three seeds`."""

from __future__ import annotations

import re

from reportgen.checking.numbers._gated import gated
from reportgen.claims._passages import Passage

_HAS = gated(
    r"(?:^|[,;:.]\s|\b(?:and|but|while|et|mais|tandis\sque)\s)"
    r"(?:(?:the|le)\s(?:group|groupe)\s|(?:group|groupe)\s)?(?P<name>[^\s,;:]{1,60})\s"
    r"(?:has|had|n['’]a\sque|a)\s(?:(?:only|just|seulement)\s)?$",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\s?(?:$|[.;]\s?$|[,;]\s(?:and|but|while|et|mais|tandis)\b)", re.IGNORECASE)
"""What is said of seeds that go on, `three seeds above 100`, is said of some of them."""


def owner_of(passage: Passage, start: int, end: int) -> str:
    """Return the word that may name the group whose seeds are counted, where that is all of them.

    Args:
        passage: What the count stands in.
        start: Where the number begins.
        end: Where the noun ends.
    """
    text, (first, last) = passage.plain.text, passage.sentence(start)
    before = _HAS.search(text[first:start].lstrip())
    return before["name"] if before and _ENDS.match(text[end:last]) else ""
