"""Numbers of epochs and steps that tell of a part of a training, and not how long it was."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportgen.checking.numbers._gated import gated

_WITHIN = frozenset(
    {
        *("after", "first", "last", "every", "each", "within", "past", "until", "than"),
        *("these", "those", "ces", "between", "entre", "any"),
        *("remaining", "chaque", "chacun", "chacune"),
        *("next", "early", "beyond", "another", "before", "by", "in", "only", "final", "some"),
        *("après", "premières", "dernières", "premiers", "derniers", "toutes", "en", "avant"),
    }
)
_WAITING = gated(
    r"\b(?:patience|early[\s-]stopp\w*|wait\w*|consecutive|(?:not|no|n't|pas|aucune?)\s(?:\w+\s){0,3}"
    r"(?:improv|am[ée]lior|progress)\w*|stagnat\w*|stagne\w*|plateaus?)\b[^.;]{0,60}$",
    re.IGNORECASE,
)
_OF_SOME = gated(
    r"\b(?:improv|progress|worse|ris|fall|above|below|higher|lower|sup[ée]rieur|inf[ée]rieur|augment|diminu)\w*"
    r"\b[^.;]{0,80}\s(?:(?:out\s)?of|fois\ssur|sur|des)\s(?:the\s|les\s)?$",
    re.IGNORECASE,
)
"""`improves at 9 of 14 epochs`: of so many pairs of evaluations, one less than epochs."""
_SHOWN = gated(
    r"\b(?:plot\w*|show\w*|display\w*|drawn?|depict\w*|visuali[sz]\w*|averaged?|averaging|smoothed|inspect\w*"
    r"|montr\w+|affich\w+|trac(?:e|é|ons|ées?)\b|moyennée?s?|lissée?s?)\s(?:[^\W\d]\S*\s){0,4}(?:for|over|of|at|pour|sur|de|à)\s$",
    re.IGNORECASE,
)
"""`We plot the matrices for two epochs`."""
_BEFORE = re.compile(r"\s(?:before|after|avant|après)\b", re.IGNORECASE)
"""`comes three epochs before the maximum`."""
_TRAINED = gated(r"\b(?:\w*train\w*|\w*tun(?:e|ed|ing)|runs?|\w*entra[iî]n\w*)\b", re.IGNORECASE)
_IN_VAIN = re.compile(
    r"[^.;,]{0,20}\b(?:without|sans|(?:of|de)\spatience|cons[ée]cutiv\w+)\b"
    r"|\s(?:with\sthe|avec\sl[ae]s?|between|apart|later|earlier|entre|plus\s(?:t[ôo]t|tard))\b"
    r"|[^.;,]{0,40}\b(?:to|pour)\s(?:reach|get|fall|drop|pass|cross|exceed|beat|match|attain|converge|achieve|hit"
    r"|atteindre|passer|descendre|tomber|dépasser|converger|franchir)\b",
    re.IGNORECASE,
)


def is_of_a_part(before: Sequence[str], lead: str, text: str, end: int) -> bool:
    """Say whether epochs or steps that a sentence counts are not all that a run was trained for.

    Args:
        before: The words right before the number.
        lead: The sentence up to the number.
        text: The text.
        end: Where the words that count end in it.

    Example:
        >>> text = "There are three epochs between both."
        >>> is_of_a_part(["There", "are"], "There are ", text, 22)
        True
        >>> is_of_a_part(["trained", "for"], "trained for ", "trained for 5 epochs.", 20)
        False
    """
    words = [word.casefold() for word in before]
    # `We evaluate at two epochs` is of two moments.
    if _BEFORE.match(text, end) and words[-1:] not in (["for"], ["pendant"], ["durant"]):
        return True
    if words[-1:] in (["at"], ["à"]) or _WITHIN & set(words):
        return True
    shown = _SHOWN.search(lead)
    if shown is not None and not _TRAINED.search(lead, shown.start()):
        return True
    return bool(_WAITING.search(lead) or _OF_SOME.search(lead) or _IN_VAIN.match(text, end))
