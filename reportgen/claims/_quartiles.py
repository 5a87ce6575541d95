"""Quartiles in running text: `the first quartile is 69.1`, `median 70.2 (IQR 69.1-71.3)`."""

from __future__ import annotations

import re

from reportgen.checking.numbers._gated import gated
from reportgen.records.claim import Printed

LOWER, UPPER, APART = "q1", "q3", "iqr"
"""Aggregates: the first quartile, the third, and how far they lie apart."""
_FIRST = (
    r"(?:(?:first|1st|lower|bottom)\squartile|25\s?th[\s-](?:per)?centile|premier\squartile|1er\squartile"
    r"|quartile\sinférieur|25\s?e\s(?:per)?centile|Q_?1)"
)
_THIRD = (
    r"(?:(?:third|3rd|upper|top)\squartile|75\s?th[\s-](?:per)?centile|troisième\squartile|3e\squartile"
    r"|quartile\ssupérieur|75\s?e\s(?:per)?centile|Q_?3)"
)
_BOTH = (
    r"(?:IQR|EIQ|inter-?quartile\s(?:range|interval|spread)|(?:écart|intervalle|étendue)\sinter-?quartiles?|quartiles"
    r"|25\s?th\sand\s75\s?th\s(?:per)?centiles|Q_?1\s?(?:and|et|,|-|–|/)\s?Q_?3)"
)
_WORD = gated(rf"(?<![^\W_])(?:{_FIRST}|{_THIRD}|{_BOTH})(?![^\W_])", re.IGNORECASE)
_NEAR = r"[^.;:!?\d]{0,90}"
_IS = (
    r"(?:\s(?:is|are|was|were|of|at|from|lies?\sat|est\sde|sont\sde|était\sde|vaut|valent|est|sont|de|à|between|entre)"
    r"|\s?[=:≈]|\s?)\s?[(\[$]?\s?(?:(?:about|around|roughly|environ)\s)?$"
)
_LEADS = tuple(
    (name, gated(rf"(?<![^\W_]){words}(?![^\W_]){_NEAR}{_IS}", re.IGNORECASE))
    for name, words in ((LOWER, _FIRST), (UPPER, _THIRD), ("", _BOTH))
)
_JOIN = r"\s?\\?%?\$?\s?(?:[-–—]{1,3}|to|à|and|et|,|;)\s?\$?"
_GOES_ON = re.compile(rf"{_JOIN}(?=[-−]?\d)", re.IGNORECASE)
_SECOND = gated(r"\d\s?\\?%?\$?\s?(?:[-–—]{1,3}|to|à|and|et|,|;)\s?\$?$", re.IGNORECASE)
_OTHERS = gated(
    r"\b(?:epochs?|époques?|steps?|pas|evaluations?|examples?|exemples?|samples?|class(?:e?s)?|tokens?|episodes?|épisodes?"
    r"|documents?|sentences?|phrases?|images?|bootstrap\w*|lengths?|longueurs?|durations?|tasks?|tâches?|data\s?sets?)\b",
    re.IGNORECASE,
)
"""Quartiles of something else than the runs of a group."""
_PART = gated(
    r"\b(?:mean|average|half|semi|moyenne|moitié|demi)(?:\s(?:of|in|du|de|dans)|-)?\s?(?:the\s|le\s|la\s|l['’])?"
    r"(?:\w+\s)?(?:inter-?)?quartiles?\b"
    r"|\bquartiles?\s(?:of|de)\s(?:the\s|l['’]|la\s)?(?:training|entraînement|run|time|temps)\b(?!\s(?:loss|acc|err|f1|set))",
    re.IGNORECASE,
)
"""What is said of the runs or the time in a quarter, and of half a distance."""
_AND_THE_THIRD = gated(
    rf"(?<![^\W_])(?:first\sand\sthird|lower\sand\supper|premier\set\s(?:le\s)?troisième)\squartiles?(?![^\W_]){_NEAR}{_IS}",
    re.IGNORECASE,
)


def names_quartiles(text: str) -> bool:
    """Say whether a text speaks of quartiles.

    Example:
        >>> names_quartiles("median 70.2 (IQR 69.1-71.3)"), names_quartiles("the mean is 70.2")
        (True, False)
    """
    return bool(_WORD.search(text))


def quartile_of(text: str, start: int, end: int, number: Printed) -> str:
    """Return which quartile a number is, by the words before it; empty where it is none.

    Args:
        text: The text.
        start: Where the sentence of the number begins.
        end: The position behind the sentence.
        number: The number.

    Example:
        >>> from reportgen.checking.numbers._numbers import find_numbers
        >>> text = "The median is 70.2 (IQR 69.1-71.3)."
        >>> [quartile_of(text, 0, len(text), number) for number in find_numbers(text)]
        ['', 'q1', 'q3']
    """
    if _OTHERS.search(text, start, end) or _PART.search(text, start, end):
        return ""
    place = number.start
    second = _SECOND.search(text, max(start, place - 8), place)
    if second is not None:
        before = _number_before(text, start, second.start())
        return UPPER if _name_before(text, start, before) == "" else ""
    name = _name_before(text, start, place)
    if name == "":
        return LOWER if _GOES_ON.match(text, number.end) else APART
    return name or ""


def _name_before(text: str, start: int, place: int) -> str | None:
    """Return which quartile the words before a place name, empty for both, None for none."""
    if _AND_THE_THIRD.search(text, start, place):
        return ""
    found = [(m.start(), name) for name, lead in _LEADS if (m := lead.search(text, start, place))]
    return max(found)[1] if found else None


def _number_before(text: str, start: int, place: int) -> int:
    """Return where the number begins whose last digit stands at a place."""
    while place > start and (text[place - 1].isdigit() or text[place - 1] in ".,"):
        place -= 1
    return place
