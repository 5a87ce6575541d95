"""What single letters of a report stand for, where it says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from reportgen.claims._setting_words import Named, Word, name_at, name_before

USUAL: Mapping[str, tuple[str, float]] = {
    "h": ("num_attention_heads", 0.45),
    "d": ("hidden_size", 0.45),
    "L": ("num_hidden_layers", 0.45),
    "N": ("num_hidden_layers", 0.45),
    "V": ("vocab_size", 0.45),
    "B": ("batch_size", 0.45),
}
"""What letters mean in most papers; too weak to carry a warning."""
_DEFINED, _DISPUTED = 0.9, 0.45
_SYMBOL = re.compile(r"[A-Za-zα-ωΑ-Ω](?:_\w{1,3})?")
_LONGEST = 5
_WORDS = frozenset(("a", "A", "I", "y", "à"))
_VERBS = frozenset(
    {
        *("is", "denotes", "represents", "being", "stands", "means", "=", ":", "the", "for"),
        *("est", "désigne", "représente", "le", "la", "our", "a", "are"),
    }
)
_NOUNS = {
    **dict.fromkeys(("heads", "têtes"), "num_attention_heads"),
    **dict.fromkeys(("layers", "couches", "blocks", "stacks"), "num_hidden_layers"),
}
_FAR = 6


def defined_symbols(texts: Sequence[Sequence[Word]]) -> dict[str, tuple[str, float]]:
    """Return what letters stand for in a report: letter to (key, how sure).

    A letter that is defined twice, as two things, is hardly known.

    Example:
        >>> from reportgen.claims._setting_words import words_of
        >>> defined_symbols([words_of("where N is the number of transformer unit layers")])["N"]
        ('num_hidden_layers', 0.9)
    """
    found: dict[str, tuple[str, float]] = {}
    for words in texts:
        for letter, key in _definitions(words):
            known = found.get(letter)
            disputed = known is not None and known[0] != key
            found[letter] = (known[0] if known else key, _DISPUTED if disputed else _DEFINED)
    return {**USUAL, **found}


def _definitions(words: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """Yield (letter, key) for every letter that a text explains."""
    for index, word in enumerate(words):
        if len(word.text) > _LONGEST or not _SYMBOL.fullmatch(word.text) or word.text in _WORDS:
            continue
        named = _said_behind(words, index) or _said_before(words, index)
        key = named.key.name if named else _employed(words, index)
        if key:
            yield word.text, key


def _said_behind(words: Sequence[Word], index: int) -> Named | None:
    """Read `where T is the maximum length of a sentence`."""
    first = index + 1
    while first < len(words) and first - index < _FAR and words[first].text.casefold() in _VERBS:
        first += 1
    if first == index + 1 or first >= len(words) or words[first - 1].text in {"=", ":"}:
        return None
    return name_at(words, first)


def _said_before(words: Sequence[Word], index: int) -> Named | None:
    """Read `the number of layers N` and `vocabulary size (V)`, but not `d_model (T + 2)`."""
    last = index - 1
    behind = words[index + 1].text if index + 1 < len(words) else ""
    bracket = last >= 0 and words[last].text == "("
    if bracket:
        last -= 1
    if last < 0 or (bracket and behind not in {")", "="}):
        return None
    named = name_before(words, last)
    if named is None or any("_" in word.text for word in words[named.first : named.last + 1]):
        return None
    return named if bracket or not named.assigned else None


def _employed(words: Sequence[Word], index: int) -> str:
    """Read `we employ h parallel attention layers, or heads`."""
    nouns = [
        _NOUNS[word.text.casefold()]
        for word in words[index + 1 : index + 1 + _FAR]
        if word.text.casefold() in _NOUNS
    ]
    usual = USUAL.get(words[index].text, ("", 0.0))[0]
    follows = index + 1 < len(words) and words[index + 1].text[0].isalpha()
    if not nouns or not follows:
        return ""
    return usual if usual in nouns else ""
