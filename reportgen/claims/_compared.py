"""How many times, or by what share, a sentence says that one of two values is the other."""

from __future__ import annotations

import re

from reportgen.checking.numbers._gated import gated
from reportgen.claims._conditions import narrowing
from reportgen.claims._heads import Head
from reportgen.claims._order_topics import OTHER_TOPIC
from reportgen.records.claim import Printed

_ABOUT = r"(?:(?:only|merely|just|about|around|roughly|some|seulement|environ)\s)?"
_RELATIVE_BEHIND = re.compile(
    r"\s?%?\s?(?:\w+\s)?(?:relative(?:ly)?\b|in\srelative\sterms\b|en\s(?:valeur\s|termes\s)?relati\w+"
    r"|relativement\b)",
    re.IGNORECASE,
)
_RELATIVE_BEFORE = gated(
    r"\brelative\s(?:\w+\s)?(?:reduction|improvement|gain|decrease|increase|drop|difference)\s(?:\S+\s){0,6}?(?:of|is|was)\s$"
    r"|\b(?:réduction|amélioration|baisse|hausse|différence)\srelative\s(?:[^\s\d.;:]+\s){0,6}?(?:est\s)?de\s$",
    re.IGNORECASE,
)
_CHANGED = gated(
    rf"(?:\b(?:by|of|is|was|has|de|est|est\sde|vaut)\s{_ABOUT}|\()$",
    re.IGNORECASE,
)
_TIMES_OF = re.compile(
    r"\s?(?:times|[x×])\s(?:that|those|the)\b|\sfois\s(?:celle|celui|l[ea])\b", re.IGNORECASE
)
_TIMES_MORE = re.compile(
    r"(?:\s?(?:times|[x×])|-fold)\s(?:(?:as\s)?(?:high|low|large|small|great|big|higher|lower|larger|smaller|greater|bigger))\b"
    r"|\sfois\s(?:(?:plus|moins)\s(?:élevée?|haute?|basse?|bas|faible|grande?|petite?|importante?|forte?)s?"
    r"|inférieure?s?|supérieure?s?)\b",
    re.IGNORECASE,
)
_FACTOR = gated(
    rf"\b(?:(?:a|by|the)\sfactor\s(?:of\s)?|(?:un|le)\sfacteur\s(?:de\s|d['’])?){_ABOUT}$",
    re.IGNORECASE,
)
_TWO = gated(
    r"\b(?:lower|higher|larger|smaller|greater|exceeds?|differs?|between|apart|separates?|than|above|below"
    r"|inférieure?s?|supérieure?s?|dépasse(?:nt)?|diffèrent?|sépare(?:nt)?|entre|plus|moins)\b",
    re.IGNORECASE,
)
_SAME = gated(
    r"\b(?:same|equal|similar|at\sno\scost|faster|slower|même|égale?|semblable|rapide|lente?)\b",
    re.IGNORECASE,
)
_NO_VALUE = gated(
    r"\b(?:scales?|spreads?|gaps?|ranges?|variances?|deviations?|widths?|dispersion|écarts?|échelle|étendue|amplitude)\b",
    re.IGNORECASE,
)
"""What has a size of its own, and no ratio of values."""
_OF = re.compile(
    r"(?:\b(?:of|for|with|on|by|de|du|pour|avec|par|chez)\s(?:the\s|le\s|la\s|les\s)?|\bd['’]|\bl['’])$",
    re.IGNORECASE,
)


def is_relative(number: Printed, text: str, start: int, end: int) -> bool:
    """Say whether a percentage is a share of the other of two values.

    Args:
        number: The percentage.
        text: Its text.
        start: Where its sentence begins.
        end: Where the number begins.
    """
    changed = _CHANGED.search(text, start, end) is not None
    relative = changed and _RELATIVE_BEHIND.match(text, number.end)
    return bool(relative or _RELATIVE_BEFORE.search(text, start, end))


def is_ratio(number: Printed, head: Head, text: str, start: int, end: int) -> bool:
    """Say whether a number is how many times one value of a metric is another.

    Args:
        number: Without a unit.
        head: What is understood of its sentence.
        text: The text, the names of groups masked.
        start: Where the sentence begins.
        end: The position behind it.
    """
    lead = text, start, number.start
    factor = _FACTOR.search(*lead) is not None
    changed = _CHANGED.search(*lead) is not None
    times_of = changed and _TIMES_OF.match(text, number.end)
    times = times_of or (changed and _TIMES_MORE.match(text, number.end))
    if not times and not (factor and _TWO.search(text, start, end)):
        return False
    if any(p.search(text, start, end) for p in (OTHER_TOPIC, _SAME, _NO_VALUE)):
        return False
    if narrowing(text, start, end) or head.values("seed") or head.values("extreme"):
        return False
    if set(head.values("aggregate")) - {"mean"}:
        return False
    return bool(factor or times_of) or _is_of_a_metric(number, head, text)


def _is_of_a_metric(number: Printed, head: Head, text: str) -> bool:
    """Say whether a metric is the subject, and not the model: `A is three times larger`."""
    before = [m for m in head.mentions if m.end <= number.start and m.slot in {"metric", "group"}]
    if not any(m.slot == "metric" for m in before):
        return False
    last = before[-1]
    return last.slot == "metric" or bool(_OF.search(text, max(0, last.start - 12), last.start))
