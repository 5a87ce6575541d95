"""The words of `words.ini`: symbols of keys, and what the parts of a model are called."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from reportgen.languages import message
from reportgen.parameters._expressions import number
from reportgen.records.formula import Symbol
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


# Symbols of a model: each configuration key that a formula uses gets one, and only one.

SUBSCRIPTED = re.compile(r"(.+)\[(\d+)\]")


@cache
def rows_by_key() -> Mapping[str, tuple[str, str, str]]:
    """Return the last part of a key to letter, subscript and meaning."""
    return {key: (name, sub, what) for name, sub, what, keys in SYMBOLS for key in keys}


@cache
def keys_of_symbols() -> Mapping[str, tuple[str, ...]]:
    """Return symbol key to the configuration keys that spell it, the usual one first.

    Example:
        >>> keys_of_symbols()["L"][:2]
        ('num_hidden_layers', 'n_layer')
    """
    found: dict[str, tuple[str, ...]] = {}
    for name, subscript, what, keys in SYMBOLS:
        key = Symbol(name, subscript, meaning=what).key
        found[key] = (*found.get(key, ()), *keys)
    return found


class Symbols:
    """The symbols of one model, as its formulas are drawn.

    Args:
        values: Dotted key to value.
        family: The model type.

    Example:
        >>> symbols = Symbols({"hidden_size": 8, "vision_config.hidden_size": 4})
        >>> symbols.named("hidden_size").key, symbols.named("vision_config.hidden_size").key
        ('d', 'd_vision')
        >>> symbols.values
        {'d': 8, 'd_vision': 4}
    """

    def __init__(self, values: Mapping[str, object], family: str = "") -> None:
        self.known = values
        self.family = family
        self.values: dict[str, int | float] = {}
        self.keys: dict[str, str] = {}
        self.drawn: dict[str, Symbol] = {}

    @property
    def last(self) -> int:
        """The number behind the last layer, where layers are numbered from 1."""
        return int(self.values.get("L", 0)) + 1

    def named(self, key: str) -> Symbol:
        """Return the symbol of a dotted key, with the number of a list's entry."""
        if key not in self.drawn:
            self.bind(key, self.proposed(key), self.value_of(key))
        return self.drawn[key]

    def counted(self, name: str, subscript: str, meaning: str, value: int) -> Symbol:
        """Return a symbol for a number of layers that no key says."""
        key = f"{name} {subscript} {value}"
        if key not in self.drawn:
            self.bind(key, Symbol(name, subscript, meaning=meaning), value)
        return self.drawn[key]

    def bind(self, key: str, symbol: Symbol, value: float) -> None:
        """Give a key its symbol; one that stands for another number already gets a mark."""
        taken, mark = symbol, 1
        while taken.key in self.values and self.values[taken.key] != value:
            mark += 1
            subscript = f"{symbol.subscript},{mark}" if symbol.subscript else str(mark)
            taken = Symbol(symbol.name, subscript, meaning=symbol.meaning)
        self.drawn[key] = taken
        self.values[taken.key] = value
        self.keys.setdefault(taken.key, key)

    def proposed(self, key: str) -> Symbol:
        """Return the symbol of the table of words, or the key's own name."""
        found = SUBSCRIPTED.fullmatch(key)
        plain, place = (found[1], found[2]) if found else (key, "")
        head, _, last = plain.rpartition(".")
        row = rows_by_key().get(last)
        name, subscript, meaning = row or (last, "", message("{key}", key=last))
        part = head.rsplit(".", 1)[-1].removesuffix("_config")
        for word in NAMES["side words"]:
            part = part.removesuffix(word)
        part = part.replace("_", " ")
        marks = ",".join(filter(None, (subscript, part, place)))
        return Symbol(name, marks, meaning=meaning)

    def value_of(self, key: str) -> int | float:
        """Return the value of a dotted key or of a list's entry."""
        found = SUBSCRIPTED.fullmatch(key)
        if not found:
            return number(self.known[key])
        held = self.known[found[1]]
        if not isinstance(held, list):
            raise TypeError(f"{found[1]} is no list")
        return number(held[int(found[2])])
