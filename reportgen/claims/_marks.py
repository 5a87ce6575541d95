"""Values that something passes, and has not: `exceeds a mean test accuracy of 85 %`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from reportgen.checking.numbers._gated import gated
from reportgen.claims._mentions import Mention
from reportgen.records.claim import Printed

_WHAT = (
    r"\s(?:an?\s|the\s|une?\s|les?\s)?(?:(?:[^\s\d.;:,()]+\s){1,5}(?:of|de)\s)?"
    # `of 80 % at epoch 3 and of 88 % at epoch 5`
    r"(?:\d[\d.,]*\s?(?:\\?%\s)?(?:[^\s.;,()]+\s){0,4}(?:and|et)\s(?:(?:of|de)\s)?)?$"
)
_OVER = gated(
    r"\b(?:exceed(?:s|ed)?|surpass(?:es|ed)?|pass(?:es|ed)|dépasse(?:nt)?"
    r"|(?:gets?|got|ris(?:es?)|rose|climbs?|climbed|goes|went)\s(?:above|over|beyond|past)"
    rf"|(?:monte|passe)(?:nt)?\sau[\s-]dessus\sd['’e])(?:{_WHAT})",
    re.IGNORECASE,
)
_UNDER = gated(
    r"\b(?:(?:gets?|got|falls?|fell|drops?|dropped|goes|went)\s(?:below|under)"
    rf"|(?:tombe|descend|passe)(?:nt)?\s(?:sous|(?:en[\s-])?dessous\sd['’e]))(?:{_WHAT})",
    re.IGNORECASE,
)
_FAR = 120


def as_mark(text: str, number: Printed, spoken: Sequence[Mention]) -> Printed:
    """Return a number, known as one that a value lies beyond where a verb says that it is passed.

    Args:
        text: What holds the number.
        number: As printed.
        spoken: What the words of its sentence mean: no mark is the value of a group named there.

    Example:
        >>> from reportgen.checking.numbers._numbers import find_numbers
        >>> text = "A surpasses an accuracy of 80 % at epoch 3 and of 88 % at epoch 5, with 88.5 %."
        >>> numbers = [n for n in find_numbers(text) if n.unit]
        >>> [as_mark(text, number, ()).approximate for number in numbers]
        ['over', 'over', '']
    """
    if number.approximate:
        return number
    for word, pattern in (("over", _OVER), ("under", _UNDER)):
        verb = pattern.search(text, max(0, number.start - _FAR), number.start)
        named = (m for m in spoken if m.slot == "group")
        if verb and not any(verb.start() <= m.start < number.start for m in named):
            return replace(number, approximate=word)
    return number
