"""Moments and seeds picked out by their values: `the epochs with the best values are 7 and 8`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from reportgen.checking.numbers._gated import gated
from reportgen.claims._mentions import Mention
from reportgen.records.claim import Printed

_MOMENTS = gated(
    r"\b(?:(?P<epoch>epochs|[ée]poques)|(?P<step>steps|[ée]tapes))\s(?:with|where|at\swhich|avec|o[ùu])\b"
    r"[^.;:()\d]{0,120}\b(?:are|were|sont|[ée]taient)\s$",
    re.IGNORECASE,
)
_OF_MOMENTS = gated(
    r"\b(?:epochs|[ée]poques|steps|[ée]tapes)\s(?:with|avec)\s(?:the|l[ae]s?)\s", re.IGNORECASE
)
_JOINS = re.compile(r"\s?(?:,|,?\s(?:and|et)|&)\s")
_OTHER_RANK = gated(
    r"\b(?:best|worst|second|third|pire|meilleure?|deuxième)\s(?:one\s)?(?:is|was|est|était)\s$",
    re.IGNORECASE,
)


def take_picked(text: str, numbers: Sequence[Printed], found: dict[int, Mention]) -> None:
    """Take the numbers of the moments that are picked out by their values.

    Args:
        text: A block's text.
        numbers: Its numbers.
        found: What those count that are known already; the others are put in.

    Example:
        >>> from reportgen.checking.numbers._numbers import find_numbers
        >>> text = "The two epochs with the highest accuracy are 7 and 8."
        >>> found = {}
        >>> take_picked(text, find_numbers(text), found)
        >>> [(mention.slot, mention.value) for mention in found.values()]
        [('epoch', '7'), ('epoch', '8')]
    """
    slot, end = "", 0
    for index, number in enumerate(numbers):
        match = _MOMENTS.search(text, max(0, number.start - 180), number.start)
        if match is not None:
            slot = "epoch" if match["epoch"] else "step"
        elif not (slot and _JOINS.fullmatch(text, end, number.start)):
            slot = ""
        if slot and number.decimals <= 0 and not number.unit:
            value = f"{number.value.normalize():f}"
            found.setdefault(index, Mention(number.start, number.end, slot, value))
        end = number.end


def picks_moments(text: str) -> bool:
    """Say whether a sentence tells of several moments with the highest values.

    Example:
        >>> picks_moments("The two epochs with the highest accuracy are 7 and 8.")
        True
    """
    return bool(_OF_MOMENTS.search(text))


def other_rank(number: Printed, lead: str, found: Mapping[int, Mention]) -> str:
    """Return `seed` where a number is that of a seed with another rank than one before it.

    `The best seed is 4 with 82.1 %, the worst is 0 with 79.9 %`.

    Args:
        number: The number.
        lead: The words before it.
        found: What the numbers before it count.
    """
    seeded = bool(found) and "seed" in {mention.slot for mention in found.values()}
    return "seed" if seeded and number.decimals <= 0 and _OTHER_RANK.search(lead) else ""
