r"""Sentences that explain a LoRA key, and the formula of its scaling."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportgen.checking.numbers._gated import gated
from reportgen.claims._claiming import claim_at
from reportgen.claims._passages import Passage
from reportgen.claims._setting_keys import ADAPTER, SettingKey
from reportgen.claims._setting_words import Named, name_before
from reportgen.records.claim import Claim, Setting

_EXPLAINS = gated(
    r"'s\b|\b(?:is|are|means?|controls?|determines?|represents?|specif\w+|defines?|tells?|scales?|captures?"
    r"|refers?|stands? for|corresponds?|describes?|indicates?|sets?|est|sont|signifie|contrôle"
    r"|détermine|représente|définit|indique|correspond)\b",
    re.IGNORECASE,
)
_VALUE_AT_START = re.compile(
    r"\s{0,3}(?:=|:)?\s{0,3}(?:\[[^\]]{0,200}\]|\"[^\"]{0,60}\"|'[^']{0,60}'|[\w.]+)?\s{0,3}"
)
_SHORTEST = 8
_ALPHA = r"(?:lora[_ ]?)?(?:alpha|α)(?:_?lora)?"
_RANK = r"(?:lora[_ ]?)?(?:rank|r)\b"
_OVER = r"\s?\)?\s?(?:/|÷|\bover\b|\bdivided by\b|\bsur\b|\bdivisé par\b)\s?(?:the\s)?\(?\s?"
_SCALING = gated(
    rf"(?<![\w/])(?:(?P<alpha>{_ALPHA}{_OVER}(?P<root>√|sqrt)?\s?\(?\s?{_RANK})"
    rf"|(?P<inverse>{_RANK}{_OVER}{_ALPHA}(?!\w))"
    rf"|(?P<product>{_ALPHA}\s?[×*·]\s?{_RANK})|(?P<lost>α\s?r\b))",
    re.IGNORECASE,
)


def sentences_of_keys(passage: Passage) -> Iterator[Claim]:
    """Yield a claim for what a passage says that a LoRA key does or means."""
    if not passage.adapter or passage.block.type not in {"item", "paragraph"}:
        return
    text = passage.plain.text
    opening = _opening(passage)
    if opening:
        value = _VALUE_AT_START.match(text, passage.words[opening.last].end)
        start = passage.body if passage.head or value is None else value.end()
        if len(text) - start > _SHORTEST and (passage.head or _EXPLAINS.search(text)):
            yield _claim(passage, opening.key, start, len(text))
        return
    position = 0
    while position < len(text):
        start, end = passage.sentence(position)
        named = _key_in(passage, start, end)
        if named and _EXPLAINS.search(text, passage.words[named.last].end, end):
            yield _claim(passage, named.key, start, end)
        position = max(end, position + 1)


def _opening(passage: Passage) -> Named | None:
    """Return the LoRA key that a passage begins with."""
    if passage.head:
        return passage.head if passage.head.key.scope == ADAPTER else None
    named = _key_in(passage, 0, 40)
    return named if named and named.first == 0 else None


def _key_in(passage: Passage, start: int, end: int) -> Named | None:
    """Return the first LoRA key that is named between two places."""
    for last in range(passage.word_at(start), len(passage.words)):
        if passage.words[last].end > end:
            return None
        named = name_before(passage.words, last, adapter=True)
        if named and named.key.scope == ADAPTER and _spelled(passage, named):
            return named
    return None


def _spelled(passage: Passage, named: Named) -> bool:
    """Say whether a word is surely the key: `bias`, `target`, `task` are words of their own."""
    words = passage.words[named.first : named.last + 1]
    if any("_" in word.text for word in words) or len(words) > 1 or named.first == 0:
        return True
    return words[0].text.casefold() in {"rank", "alpha", "r", "α", "rang"}


def _claim(passage: Passage, key: SettingKey, start: int, end: int) -> Claim:
    said = passage.plain.text[start:end].strip()
    return claim_at(
        passage,
        start,
        end,
        kind="lora_semantics",
        content=Setting(name=key.name, key=key.name, value=said, scope=ADAPTER),
        confidence=0.9,
        hints={"where": key.name},
    )


def scalings(passage: Passage) -> Iterator[Claim]:
    r"""Yield a claim for every formula of LoRA's scaling: `$\frac{\alpha}{r}$`."""
    if not passage.adapter:
        return
    for match in _SCALING.finditer(passage.plain.text):
        form = next(name for name in ("alpha", "inverse", "product", "lost") if match[name])
        if match["root"]:
            form = "root"
        yield claim_at(
            passage,
            *match.span(),
            kind="lora_formula",
            content=Setting(name="scaling", key="scaling", value=form, scope=ADAPTER),
            confidence=0.9,
            hints={"where": "scaling"},
        )
