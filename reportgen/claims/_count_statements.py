"""Sentences on parts of a model: which have parameters, what `+ 2` is for, what one head has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from reportgen.checking.numbers._gated import gated
from reportgen.claims._claiming import claim_at
from reportgen.claims._count_scopes import PARTS_NAMED, named
from reportgen.claims._passages import Passage
from reportgen.claims._setting_words import name_before, words_of
from reportgen.records.claim import Claim, Counted

_NONE = gated(
    r"\b(?:(?:does|do|did)(?:\s?n[o']t|\snot)\s(?:add|have|contain|introduce|include|bring|hold)"
    r"\s(?:any|new|extra|additional)?|(?:has|have|adds?|contains?|introduces?|with)\sno\b|n'a(?:joute)?"
    r"\s(?:pas|aucun)|without\sany)\s{0,2}(?:de\s)?(?:\w{1,14}\s){0,2}(?:parameters?|weights|paramètres?)",
    re.IGNORECASE,
)
_EXTRA = gated(r"(?:\+\s?|\badd(?:ing|ed)?\s|\bajout\w{0,4}\s)(2|two|deux)\b", re.IGNORECASE)
_WHY_EXTRA = gated(
    r"\b(?:eos|sos|bos|pad\w*|start|end|special|offset|début|fin|tokens?)\b", re.IGNORECASE
)
_POSITIONS = gated(r"\bposition|\bsentence|\blength|\btokens?\b|phrase", re.IGNORECASE)
_SIDE = r"(?P<{0}>[A-Za-z]\w{{0,14}}(?:[\s_](?!x\b)[A-Za-z]\w{{0,14}}){{0,2}})"
_SQUARE = gated(
    r"(?P<factor>\d{1,2}|three|four|trois|quatre)\s?(?:×|x|\*|times|fois)\s?\(?\s?"
    + _SIDE.format("left")
    + r"\s?(?:×|x\s|\*|times)\s?"
    + _SIDE.format("right")
    + r"\s?\)?\s(?:parameters?|weights|paramètres)\s(?:for|in|per|of|by|pour|dans|par)\s"
    r"(?:each|every|one|an|a|chaque|une)?\s?(?:single\s)?(?:attention\s)?(?:heads?|têtes?)\b",
    re.IGNORECASE,
)


_FACTORS = {"three": 3, "trois": 3, "four": 4, "quatre": 4}


def statements_of_parts(passage: Passage) -> Iterator[Claim]:
    """Yield a claim for every sentence that says what parts of a model have or are for."""
    yield from _without_parameters(passage)
    yield from _extra_positions(passage)
    yield from _squares_per_head(passage)


def _without_parameters(passage: Passage) -> Iterator[Claim]:
    """Yield `the "Add and norm" sublayer does not add any trainable parameters`."""
    text = passage.plain.text
    for match in _NONE.finditer(text):
        start, _ = passage.sentence(match.start())
        clause = text[max(start, match.start() - 120) : match.start()]
        parts = named(
            clause, {name: PARTS_NAMED[name] for name in ("norm", "position", "embedding")}
        )
        if not parts:
            continue
        first = max(start, text.rfind(",", start, match.start()) + 1)
        yield claim_at(
            passage,
            first,
            match.end(),
            kind="arch_claim",
            content=Counted(what="parameters", scope=("none", parts[0])),
            confidence=0.8,
            hints={"where": f"{parts[0]} layers", "part": parts[0]},
        )


def _extra_positions(passage: Passage) -> Iterator[Claim]:
    """Yield `the +2 comes from the eos and sos tokens`."""
    text = passage.plain.text
    for match in _EXTRA.finditer(text):
        start, end = passage.sentence(match.start())
        sentence = text[start:end]
        if not (_WHY_EXTRA.search(sentence) and _POSITIONS.search(sentence)):
            continue
        number = next((n for n in passage.numbers if n.start == match.start(1)), None)
        yield claim_at(
            passage,
            match.start(),
            match.end(),
            kind="arch_claim",
            number=number,
            content=Counted(what="extra positions"),
            confidence=0.7,
            hints={"where": "positions"},
        )


def _squares_per_head(passage: Passage) -> Iterator[Claim]:
    """Yield `3 x (hidden size x hidden size) parameters for each attention head`."""
    for start, end, factor in squares_per_head(passage.plain.text, passage.symbols):
        yield claim_at(
            passage,
            start,
            end,
            kind="arch_formula",
            content=Counted(what="parameters", scope=("per head", "square"), key="hidden_size"),
            confidence=0.9,
            hints={"where": "attention head", "factor": str(factor)},
        )


def squares_per_head(
    text: str, symbols: Mapping[str, tuple[str, float]] = MappingProxyType({})
) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, factor) of each product of two widths that is said to be one head's.

    Args:
        text: Plain text.
        symbols: What letters stand for: letter to (key, how sure).

    Example:
        >>> list(squares_per_head("3 x (hidden size x hidden size) parameters for each head"))
        [(0, 56, 3)]
    """
    for match in _SQUARE.finditer(text):
        sides = [_width(match[side], symbols) for side in ("left", "right")]
        if sides == ["hidden_size", "hidden_size"]:
            factor = match["factor"].casefold()
            yield match.start(), match.end(), _FACTORS.get(factor) or int(factor)


def _width(text: str, symbols: Mapping[str, tuple[str, float]]) -> str:
    """Return the setting that one side of a product names."""
    words = words_of(text)
    found = name_before(words, len(words) - 1, symbols=symbols) if words else None
    return found.key.name if found and found.first == 0 else ""
