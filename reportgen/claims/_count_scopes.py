"""What a count of parameters leaves out and takes in, in the words around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from reportgen.checking.numbers._gated import Pattern, gated

_LEFT_OUT = gated(
    r"\b(?:omit\w*|without|exclud\w+|ignor\w+|except|neglect\w*|leav\w+ out|left out|disregard\w*"
    r"|(?:not|don't|do not|doesn't|won't) (?:count|includ|consider|tak)\w*|nor|sans|hors|omet\w*"
    r"|exclu\w*|ne (?:compt|pren|consid)\w+ pas)\b|\bno\s|\bnon-",
    re.IGNORECASE,
)
_TAKEN_IN = gated(
    r"\b(?:includ\w+|counting|with|plus|avec|y compris|incluant|inclus\w*)\b", re.IGNORECASE
)
_TURN = gated(r"[.;]|\bbut\b|\bonly\b|\bmais\b|\bwhile\b|\binclud\w+|\bwith\b(?!out)")
_PARTS: Mapping[str, Pattern] = {
    "biases": gated(r"\bbias|\bbiais", re.IGNORECASE),
    "norms": gated(r"\bnorm|layer-?\s?norm|batch-?\s?norm", re.IGNORECASE),
    "head": gated(r"\bheads?\b|\blm\b|classifier|output layer|\btête|sortie", re.IGNORECASE),
    "embeddings": gated(r"\bembedding|plongement", re.IGNORECASE),
    "positions": gated(r"\bposition", re.IGNORECASE),
}
_ATTENTION_HEADS = gated(r"\battention heads?\b|têtes? d'attention", re.IGNORECASE)
_WORDS: Mapping[str, Pattern] = {
    "trainable": gated(
        r"(?<!non-)(?<!non )\b(?:trainable|learnable|entraînables?|updated|fine-tuned)\b",
        re.IGNORECASE,
    ),
    "total": gated(r"\b(?:total|totaux|all|overall|whole|entire|in all|tous)\b", re.IGNORECASE),
    "adapter": gated(r"\b(?:lora|adapters?|peft|adaptateurs?|low-rank)\b", re.IGNORECASE),
    "quantised": gated(r"\b(?:4|8)[- ]?bits?\b|quanti[sz]|\bqlora\b", re.IGNORECASE),
    "per layer": gated(
        r"\b(?:per|each|one|every|single|a) (?:\w+ )?(?:layer|block)\b|par couche|chaque couche",
        re.IGNORECASE,
    ),
    "per head": gated(
        r"\b(?:per|each|one|every|single|an) (?:attention )?head\b|par tête|chaque tête",
        re.IGNORECASE,
    ),
}
PARTS_NAMED: Mapping[str, Pattern] = {
    "position": gated(r"\bposition", re.IGNORECASE),
    "embedding": gated(r"\b(?:word |token |input )?embedding|plongement", re.IGNORECASE),
    "attention": gated(r"\battention|projections?\b|\bq,? ?k,? ?v\b", re.IGNORECASE),
    "feed-forward": gated(
        r"\bfeed-?\s?forward|\bffn\b|\bmlp\b|\bpropagation\savant\b", re.IGNORECASE
    ),
    "norm": gated(r"\b(?:layer|batch)?-?\s?norm", re.IGNORECASE),
    "bias": gated(r"\bbias|\bbiais", re.IGNORECASE),
    "head": gated(
        r"\b(?:lm|language[- ]model|classification|output|pooler) ?(?:head)?\b"
        r"|\b(?:the|its|this|that|our|task|new) head\b(?! (?:dim|size|width))"
        r"|\btête\sde\s(?:modèle\sde\slangue|classification)\b|\b(?:sa|la|notre) tête\b",
        re.IGNORECASE,
    ),
}


_FAR = 140
"""Characters behind `without` in which the parts are named."""


def exclusions(text: str) -> tuple[str, ...]:
    """Return what the sentences of a text say is left out of a count, or is in it.

    Example:
        >>> exclusions("We omit the biases, the normalization layers and the language model head.")
        ('without biases', 'without norms', 'without head')
        >>> exclusions("the total with biases, but no embeddings")
        ('with biases', 'without embeddings')
    """
    found: dict[str, None] = {}
    for pattern, word in ((_TAKEN_IN, "with"), (_LEFT_OUT, "without")):
        for match in pattern.finditer(text):
            turn = _TURN.search(text, match.end(), match.end() + _FAR)
            stop = turn.start() if turn else match.end() + _FAR
            said = _ATTENTION_HEADS.sub("", text[match.end() : stop])
            found |= {f"{word} {part}": None for part in named(said, _PARTS)}
    return tuple(found)


def named(text: str, patterns: Mapping[str, Pattern]) -> tuple[str, ...]:
    """Return the names of the patterns that are found in a text."""
    return tuple(name for name, pattern in patterns.items() if pattern.search(text))


def scope_words(near: str) -> tuple[str, ...]:
    """Return which words of scope stand near a count.

    Example:
        >>> scope_words("1.5M trainable parameters with LoRA")
        ('trainable', 'adapter')
    """
    return named(near, _WORDS)


def section_exclusions(texts: Iterable[tuple[int, str]]) -> dict[int, tuple[str, ...]]:
    """Return what each section leaves out of its counts, from pairs (section, text of a block)."""
    found: dict[int, list[str]] = {}
    for section, text in texts:
        found.setdefault(section, []).extend(exclusions(text))
    return {section: tuple(dict.fromkeys(words)) for section, words in found.items()}
