"""Shares of parameters that an adapter trains, and counts whose noun was said before."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportgen.checking.numbers._gated import gated
from reportgen.claims._claiming import claim_at
from reportgen.claims._count_parameters import SHARE
from reportgen.claims._passages import Passage
from reportgen.records.claim import Claim, Counted

_OF_ALL = re.compile(
    r"\s?%?\s(?:of|des?)\s(?:the\s|all\s|its\s|les\s)?(?:[\d,.\u202f]{4,20}\s)?"
    r"(?:parameters|weights|paramètres|poids)\b",
    re.IGNORECASE,
)
_TRAINS = gated(r"\b(?:adapters?|lora|train\w*|adaptateurs?|entraîn\w*)\b", re.IGNORECASE)
_PARAMETERS = gated(r"\b(?:parameters|paramètres)\b", re.IGNORECASE)
_OWNER = re.compile(
    r"\b(?:model|backbone|encoder|network|adapter|modèle|réseau|adaptateur)"
    r"\s(?:(?:alone|itself|seul)\s)?(?:has|holds|counts|compte|a)\s$",
    re.IGNORECASE,
)
_LEAST = 100_000
_SURE, _ELLIPTIC = 0.7, 0.6


def shares_counted(passage: Passage) -> Iterator[Claim]:
    """Yield `0.28% of the 560,787,456 parameters`, and `the base model alone has 559,214,592`.

    Args:
        passage: Running text.
    """
    text = passage.plain.text
    for number in passage.numbers:
        start, end = passage.sentence(number.start)
        sentence, what = text[start:end], ""
        if number.unit == "percent" and passage.adapter:
            told = _OF_ALL.match(text, number.end) and _TRAINS.search(sentence)
            what = SHARE if told else ""
        elif not number.unit and number.value >= _LEAST and number.decimals == 0:
            owned = _OWNER.search(text[max(start, number.start - 40) : number.start])
            what = "parameters" if owned and _PARAMETERS.search(sentence) else ""
        if what:
            share = what != "parameters"
            yield claim_at(
                passage,
                number.start,
                number.end,
                kind="param_count",
                content=Counted(what=what),
                number=number,
                confidence=_SURE if share else _ELLIPTIC,
                hints={"where": what} | ({"adapter": "yes"} if passage.adapter else {}),
            )
