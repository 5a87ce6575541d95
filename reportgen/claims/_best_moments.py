"""Best steps and epochs whose number does not stand right behind the word for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from reportgen.checking.numbers._gated import gated
from reportgen.claims._mentions import Mention
from reportgen.claims._vocabulary import COUNTERS
from reportgen.records.claim import Printed

_REACH = 160
_BEST = gated(
    rf"\b(?:best|optimal|selected|chosen|meilleure?|optimale)\s(?:validation\s)?"
    rf"(?:(?P<epoch>{COUNTERS['epoch']})|(?P<step>{COUNTERS['step']}))\b(?!\s(?:accurac|loss|f1|value|score))"
    r"(?:\s?\([^()\d]{0,80}\))?(?P<gap>(?:[^.;:()\d]|(?<=\w)\d){0,70}?)\s(?:is|was|are|were|est|était|vaut)"
    r"(?:,?\s(?:on\saverage|en\smoyenne|about|around|environ)\b,?)?\s$",
    re.IGNORECASE,
)
"""`the best epoch (by validation accuracy) of A is 7.4`: a number of epochs, and no accuracy."""
_AT_ONE = re.compile(
    r"\b(?:at|of|for|with|from|in|on|after|until|than|à|de|du|des|pour|avec|après)\s"
    r"(?:(?:the|its|their|each|every|la|le|sa|son|leur|chaque)\s)?$|(?:\bl|\bd)['’]$",
    re.IGNORECASE,
)
"""`The accuracy at the best epoch is 79.5`: a value, and the epoch only says when."""
_OF_SOMETHING_ELSE = gated(
    r"['’]s\b|\b(?:gives?|has|have|had|reach\w*|yields?|whose|where|which|that|with|accurac\w+|loss\w*"
    r"|scores?|values?|donne\w*|atteint|avec|dont|exactitudes?|pertes?)\b",
    re.IGNORECASE,
)
_CHOSEN_BY = gated(
    r"\b(?:by|according\sto|based\son|in\sterms\sof|selon|d['’]après)\s", re.IGNORECASE
)
_AND_OF_ANOTHER = re.compile(
    r"\s(?:for|with|pour|avec)\s[^.;:()]{1,40}?(?:,\s|\s)(?:(?:and|et|but|mais)\s)?",
    re.IGNORECASE,
)


def told_moments(
    text: str, numbers: Sequence[Printed], found: Mapping[int, Mention]
) -> Iterator[tuple[int, str]]:
    """Yield the numbers, by their index, that are best epochs or steps, and which of the two.

    Example:
        >>> from reportgen.checking.numbers._numbers import find_numbers
        >>> text = "The best epoch (by validation loss) is 7.4 for A and 9.4 for B."
        >>> list(told_moments(text, find_numbers(text), {}))
        [(0, 'epoch'), (1, 'epoch')]
    """
    slot = ""
    for index, number in enumerate(numbers):
        before = numbers[index - 1] if index else None
        lead = _BEST.search(text, max(0, number.start - _REACH), number.start)
        if lead and _is_subject(text, lead):
            slot = "epoch" if lead["epoch"] else "step"
        elif not (slot and before and _AND_OF_ANOTHER.fullmatch(text, before.end, number.start)):
            slot = ""
        if number.unit or index in found:
            slot = ""
        if slot:
            yield index, slot


def _is_subject(text: str, lead: re.Match[str]) -> bool:
    """Say whether it is the best moment that has the number, and not a value at it."""
    before = text[max(0, lead.start() - 24) : lead.start()]
    other = _OF_SOMETHING_ELSE.search(lead["gap"])
    return not _AT_ONE.search(before) and (not other or bool(_CHOSEN_BY.search(lead["gap"])))
