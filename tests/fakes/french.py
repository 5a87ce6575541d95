"""What a reader of a French report sees or is read, and the English words in it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass

from fakes.rows import rows_beside
from fakes.spelling import spell_formula

from reportgen.records import document as doc
from reportgen.records.formula import Symbol, symbols

ROWS = rows_beside(__file__)

# Words of English sentences that are no words of French ones. Not among them: "on", "or", "a",
# "an", "as", "but", "me", "if", "plus", "base" and the like, which French has too, words that both
# spell alike ("validation", "distribution"), and names of modules ("key").
SENTENCES = ROWS["sentences"]
ENGLISH = frozenset(SENTENCES.split())
# A word alone: not a part of a path, an identifier, a key, a formula's symbol or a compound.
WORD = re.compile(r"(?<![\w/.\-_’`])[A-Za-z]+(?![\w/\-_`]|\.\w)")


def visible(blocks: Sequence[doc.Block]) -> Iterator[tuple[str, str]]:
    """Yield (where, words) for everything a reader of some blocks sees or is read.

    Left out are code (names from logs, keys, what the program said of a file), and the
    bibliography, whose titles are in the language of the works.
    """
    for block in doc.walk(tuple(blocks)):
        place = getattr(block, "id", "") or type(block).__name__
        if isinstance(block, doc.References):
            continue
        if isinstance(block, doc.Section):
            yield place, block.title
        for text in doc.texts(block):
            yield place, plain(text)
        if isinstance(block, doc.Figure):
            yield place, block.alt
            yield from (
                (place, words) for words in _drawn((block.chart.panels, block.chart.diagram))
            )
        if isinstance(block, doc.EquationGroup):
            yield place, _spoken(block)


def plain(text: doc.Text) -> str:
    """Return the words of a text; what is no word is a gap."""
    return "".join(
        node if isinstance(node, str) else "" if isinstance(node, doc.Code) else "·"
        for node in doc.inlines(text)
    )


def english(
    said: Iterable[tuple[str, str]], names: Sequence[str] = ()
) -> list[tuple[str, list[str], str]]:
    """Return the places and texts that hold English words, with the words; names are left out."""
    found = []
    for place, words in said:
        for name in names:
            words = words.replace(name, "·")  # noqa: PLW2901 - what is left of them
        if hits := {word.lower() for word in WORD.findall(words)} & ENGLISH:
            found.append((place, sorted(hits), words))
    return found


def _drawn(part: object) -> Iterator[str]:
    """Yield every text of a chart or a diagram, from the records that it is drawn from."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, tuple):
        for each in part:
            yield from _drawn(each)
    elif is_dataclass(part):
        for field in fields(part):
            if field.name != "kind":
                yield from _drawn(getattr(part, field.name))


def _spoken(group: doc.EquationGroup) -> str:
    """Return the alternative text of equations, without the names of their symbols."""
    said = spell_formula(group, "speech", "fr")
    named = {e.left for e in group.equations}
    for equation in group.equations:
        named |= set(symbols(equation.right))
    for symbol in sorted(named, key=lambda s: -len(s.subscript)):
        assert isinstance(symbol, Symbol)
        said = said.replace(f"{symbol.name} indice {symbol.subscript}", "·")
    return said
