"""The words of `words.ini`: symbols of keys, and what the parts of a model are called."""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.languages import message
from reportgen.records.rows import read_rows

ROWS = read_rows("reportgen.parameters", "words.ini")


def lists(section: str) -> dict[str, tuple[str, ...]]:
    """Return the lists of words of a section, in their order.

    Example:
        >>> lists("names")["routers"]
        ('gate', 'gate_weight', 'wg')
    """
    return {name: tuple(words.split()) for name, words in ROWS[section].items()}


def by_word(section: str) -> dict[str, str]:
    """Return each word of the lists of a section to the name of its list.

    Example:
        >>> by_word("wirings")["bert"]
        'post'
    """
    return {word: name for name, words in lists(section).items() for word in words}


def told(section: str) -> dict[str, str]:
    """Return the messages of a section."""
    return {name: message(text) for name, text in ROWS[section].items()}


# Letter, subscript, meaning, and the keys that spell it. The first spelling is the usual one.
SYMBOLS = tuple(
    (*name.partition(" ")[0].partition("_")[::2], what, lists("keys")[name])
    for name, what in told("symbols").items()
)
NAMES = lists("names")
LABELS, BIASES, SIDES = told("labels"), told("biases"), told("sides")
# Norms a layer, and whether they have biases, to the label; `more` for any other number.
NORMS = told("norms")
HEADS: Mapping[str, str] = by_word("heads")
TIED = message("tied to the word embeddings: counted once, there")


def first_inside(text: str, table: Mapping[str, tuple[str, ...]]) -> str:
    """Return the first list of which a word stands in a text, or an empty text."""
    return next((name for name, words in table.items() if any(w in text for w in words)), "")
