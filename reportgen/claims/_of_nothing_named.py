"""Numbers that a sentence gives for no run, or for no moment, that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportgen.checking.numbers._gated import gated
from reportgen.claims._mentions import Mention
from reportgen.claims._some_seeds import leaves_out_a_model
from reportgen.records.claim import Printed

_COLLAPSED = gated(
    r"\b(?:collaps\w+|crash\w+|s['’]effondr\w+|s['’]écroul\w+)\s(?:\w+\s)?(?:to|à)\s$",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"[\s%\\]*(?:[^\s\d.;,]+\s){0,3}(?:after|past|beyond|apr[èe]s|passé)\s(?:the\s|l['’]|le\s)?"
    r"(?:steps?|epochs?|pas|époque)\b",
    re.IGNORECASE,
)
"""`collapsed to 0 BLEU after step 4000`: at no moment that is told."""
_BEYOND = gated(
    r"\b(?:below|under|above|over|beyond|sous|(?:dessous|dessus)\sd\w+)\s(?:\w+\s)?$", re.IGNORECASE
)
_NEEDED = gated(
    r"\b(?:needs?|needed|takes?|took|requires?|required|il\sfaut|nécessite\w*|besoin)\b(?:[^.;]|\.\d){0,60}?"
    r"\b(?:to|pour)\s(?:reach|attain|get|go|hit|pass|cross|fall|drop|beat|exceed|atteindre|dépasser"
    r"|passer|descendre|tomber|franchir)\b(?:[^.;]|\.\d){0,160}$",
    re.IGNORECASE,
)
"""`A needs 2,500 steps to get below 20 % (19.3 %), B only 2,000 (18.4 %)`: moments and marks."""
_PASSED = gated(
    r"\b(?:cross(?:es|ed)|franchi\w+|first\s(?:reach|attain|exceed|pass|surpass|get)\w*)\s(?:[^\s\d.;]+\s){0,6}$",
    re.IGNORECASE,
)
"""`crosses a reward of 200 after 90k steps`."""
_OF_SPLITS = gated(
    r"\b(?:gap|differences?|distance|écart|différences?)\s(?:between|from|of|entre)\s(?:the\s|la\s|l['’])?"
    r"(?:train\w*|valid\w*|dev|test|entraînement)\s(?:and|to|et|à)\b(?:[^.;]|\.\d){0,160}$",
    re.IGNORECASE,
)
"""`the gap between validation and test is smallest for A (0.7 points)`: of no two groups."""
_STEPS = gated(r"\b(?:(?:time)?steps|frames|updates|iterations|pas|it[ée]rations)\b", re.IGNORECASE)
_THOUSANDS = "kKM"
_SO_FAR = 240


def is_of_nothing_named(text: str, number: Printed, spoken: Sequence[Mention]) -> bool:
    """Say so of the limit that all but one keep, and of what is passed at some time.

    Args:
        text: What holds the number.
        number: As printed.
        spoken: What the words of its sentence mean.

    Example:
        >>> from reportgen.checking.numbers._numbers import find_numbers
        >>> texts = ("All get below 15 %, but for B", "It crashed to 0 after step 4", "It is 15 %")
        >>> [is_of_nothing_named(text, find_numbers(text)[0], ()) for text in texts]
        [True, True, False]
        >>> text = "A needs 2,500 steps to get to 20 %, B only 2,000"
        >>> is_of_nothing_named(text, find_numbers(text)[-1], ())
        True
    """
    first = max(0, number.start - _SO_FAR)
    if _COLLAPSED.search(text, first, number.start) and _LATER.match(text, number.end):
        return True
    if any(p.search(text, first, number.start) for p in (_NEEDED, _PASSED, _OF_SPLITS)):
        return True
    if number.text[-1:] in _THOUSANDS and _STEPS.search(text, first, number.end + _SO_FAR):
        return True
    groups = [mention for mention in spoken if mention.slot == "group"]
    return bool(
        _BEYOND.search(text, first, number.start)
        and leaves_out_a_model(text, first, number.end + _SO_FAR, groups)
    )
