"""Sentences that say how many steps an epoch has: `one epoch is 180 updates`."""

from __future__ import annotations

import re

from reportgen.checking.numbers._gated import gated
from reportgen.records.claim import Printed

_STEPS = re.compile(
    r"\s{0,2}(?:training\s|gradient\s|optimi[sz]er\s|parameter\s|weight\s)?"
    r"(?:steps?|updates?|iterations?|it[ée]rations?|batch(?:es)?|pas|[ée]tapes?|mises\s[àa]\sjour)"
    r"(?![^\W_])",
    re.IGNORECASE,
)
_AN_EPOCH_IS = gated(
    r"(?:\b(?:an|one|each|every|1|une|chaque)\s(?:\w+\s)?(?:epoch|[ée]poque)\s"
    r"(?:is|was|has|had|takes?|took|lasts?|equals?|means?|contains?|comprises?|represents?"
    r"|consists\sof|corresponds\sto|amounts\sto|compte|comprend|contient|comporte|fait|dure|vaut"
    r"|représente|correspond\sà|équivaut\sà|est|=)"
    r"|\b(?:epochs|[ée]poques)\s(?:of|with|de|à))\s(?:about\s|environ\s|exactly\s)?$",
    re.IGNORECASE,
)
_LEAD = 60


def end_of_epoch_length(text: str, number: Printed) -> int | None:
    """Return where the words end by which a number says how long an epoch is, else None.

    Example:
        >>> from reportgen.checking.numbers._numbers import find_numbers
        >>> text = "An epoch is 180 updates; 5 epochs of 1100 updates, 900 updates."
        >>> [n.text for n in find_numbers(text) if end_of_epoch_length(text, n)]
        ['180', '1100']
    """
    steps = _STEPS.match(text, number.end)
    if steps is None:
        return None
    lead = _AN_EPOCH_IS.search(text[max(0, number.start - _LEAD) : number.start])
    return steps.end() if lead else None
