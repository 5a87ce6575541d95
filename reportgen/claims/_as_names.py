"""Groups called by words or numbers that mean something else too, read as names and nothing else.

In a report on the groups `best` and `worst` a word says no more which of the two it means. Such a
report is read with each of these names put out of sight, and with the words as they stand: what
agrees in one of the readings is no fault of the report.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from typing import Any

from reportgen.claims._heads import read_head, read_text
from reportgen.claims._neutral_words import NEUTRAL
from reportgen.claims._run_names import NUMBER, names_of_groups
from reportgen.records.facts import Facts
from reportgen.records.manuscript import Block, Cell, Line, Manuscript

_FIRST = 0x10D0
"""Letters that have no capitals and stand in no word that anything here knows (Georgian)."""
_LETTERS = 33
_ODD = re.compile(r"[\\{}~^#$&*<>|]")
"""Signs at which a name falls apart where sentences are read."""
_SHORTEST = 3
"""Letters of a part of a name that is a word of its own."""
_NUMBER = re.compile(rf"{NUMBER}[kKMB]?")
_AROUND_NUMBERS = (r"(?<![\w.,+-])", r"(?![\w%]|[.,]\d)")
_COUNTERS = frozenset({"seed", "epoch", "step", "n"})
_CHOICES = frozenset({"selection", "aggregate", "extreme"})
_MEASURES = frozenset({"metric", "split"})
_BEFORE_OTHERS = (
    *("every", "each", "per", "the"),
    *("chaque", "par", "le", "la", "les", "un", "une", "au", "aux", "du", "des"),
)
_NOUNS = "steps?|epochs?|seeds?|runs?|validation|values?|pas|époques?|graines?|exécutions?|valeurs?"
_BEHIND_OTHERS = rf"\s\d+(?![.,]?\d)|[\s-](?:{_NOUNS})\b"
_AROUND_WORDS = (
    r"(?<![\w-])" + "".join(rf"(?i:(?<!\b{word} ))" for word in _BEFORE_OTHERS),
    rf"(?![\w-]|{_BEHIND_OTHERS})",
)
"""Among groups called `step` and `best`, `every step`, `step 3`, `the best step` are no group."""
_ENGLISH = """
    an and any are as at be but by each every for from has have in is its no not of off on one or
    other out over per percent points run runs than that the then to two up down yes with without
"""
_FRENCH = """
    au aux avec ce chaque dans de des du en est et la le les ou par pas plus pour que sans sur un
    une
"""
_SPREADS = frozenset({"population", "sample", "sd", "se"})
_IN_ANY_SENTENCE = frozenset(f"{_ENGLISH} {_FRENCH}".split())
_WORDS = NEUTRAL | _IN_ANY_SENTENCE | {"first", "none", "second", "third", "worst"} | _SPREADS


_GREEK = frozenset({"alpha", "beta", "gamma", "lambda", "epsilon"})
"""Settings by their words and groups by name, where a sentence has them as it has groups."""
_NOT_SET = r"(?!\s?[=≈]\s?[\d.,]+(?!\s?[\d%±\\]))(?!\sof\s\d)"
_OF_A_GROUP = (
    r"(?<!value )(?<!rate )(?<!valeur )(?<!taux )\b(?:(?:of|for|group|de|pour|groupe)\s|d['’])",
    r"(?=[,.;]?(?:$|\s(?!=|[≈~<>≤≥]|of\b|de\b|equal|égal|set\b|fixé|\d)))",
)


@dataclass(frozen=True, slots=True)
class Covered:
    """A report in which names stand as words that mean nothing.

    Attributes:
        manuscript: Each name as a word of as many letters, so that every place stays.
        names: Those words, to the names.
    """

    manuscript: Manuscript
    names: Mapping[str, str]

    def uncovered(self, value: Any) -> Any:
        """Return a record, text or tuple with the names in the place of the words."""
        if not self.names:
            return value
        if isinstance(value, str):
            return re.sub(
                rf"[{chr(_FIRST)}-{chr(_FIRST + _LETTERS - 1)}]+",
                lambda m: self.names.get(m[0], m[0]),
                value,
            )
        if isinstance(value, tuple):
            return tuple(map(self.uncovered, value))
        if isinstance(value, Mapping):
            return {key: self.uncovered(one) for key, one in value.items()}
        if is_dataclass(value) and not isinstance(value, type):
            old = {f.name: getattr(value, f.name) for f in fields(value) if f.init}
            new = {name: self.uncovered(one) for name, one in old.items()}
            return replace(value, **new) if new != old else value
        return value


def names_with_meaning(facts: Facts | None) -> tuple[str, ...]:
    """Return the names of groups that a report may also use as words or numbers, longest first."""
    if facts is None:
        return ()
    names = tuple(names_of_groups(facts))
    # What differs in its capitals alone is not told apart by words either.
    spelled = Counter(name.casefold() for name in names)
    meant = (name for name in names if spelled[name.casefold()] > 1 or _means(name))
    return tuple(sorted(meant, key=lambda name: (-len(name), name)))


def _means(name: str) -> bool:
    if _NUMBER.fullmatch(name) or _ODD.search(name) or _means_in_part(name):
        return True
    if not read_head(name).label:
        return True
    # `random`, `baseline` and a letter are names of groups before all else.
    named = len(name) == 1 or read_text(name).values("group")
    return name.casefold() in _WORDS and not named


def _means_in_part(name: str) -> bool:
    """Say so of `best-lr`, which chooses, and of `mlp+dropout`, which is no rate of dropout."""
    if any(mention.slot in _CHOICES for mention in read_head(name).mentions):
        return True
    # A name of several words may be broken over lines, and is known by its words.
    parts = () if " " in name else re.split(r"[\W_]+", name)
    return any(len(part) >= _SHORTEST and read_head(part).role == "setting" for part in parts)


def is_everywhere(name: str) -> bool:
    """Say whether a name is a number, or a word that no report on runs can do without.

    Example:
        >>> [is_everywhere(name) for name in ("10", "1e-3", "epoch", "loss", "test", "best")]
        [True, True, True, True, True, False]
    """
    slots = {mention.slot for mention in read_head(name).mentions}
    return is_in_every_sentence(name) or bool(slots & _MEASURES)


def is_greek_group(name: str, sentence: str) -> bool:
    """Say whether a sentence has a Greek letter as it has the name of a group.

    Example:
        >>> said = ("The mean of alpha is 3.", "With a value of alpha of 16 it is 3.", "alpha = 16")
        >>> [is_greek_group("alpha", sentence) for sentence in said]
        [True, False, False]
    """
    before, behind = _OF_A_GROUP
    pattern = rf"{before}{re.escape(name)}{behind}"
    # Where it is set as well, no word tells the two apart.
    settings = rf"(?<![\w-]){re.escape(name)}\s?(?:=|≈|of\s\d|de\s\d|\d)"
    return (
        name.casefold() in _GREEK
        and bool(re.search(pattern, sentence))
        and not re.search(settings, sentence)
    )


def is_in_every_sentence(name: str, names: Collection[str] = ()) -> bool:
    """Say whether a name is a number, a counter, or a word that any sentence may have.

    Args:
        name: The name of a group.
        names: Those of all groups: beside `A`, `a` is the article as well as a name.

    Example:
        >>> [is_in_every_sentence(name) for name in ("10", "step", "with", "loss")]
        [True, True, True, False]
        >>> is_in_every_sentence("a", ("a", "b")), is_in_every_sentence("a", ("a", "A"))
        (False, True)
    """
    word = name.casefold() in _IN_ANY_SENTENCE or {"a", "A"} <= {name, *names}
    return word or bool(_NUMBER.fullmatch(name)) or _counts(name)


def _counts(name: str) -> bool:
    return name.casefold() == "n" or read_head(name).role in _COUNTERS


def cover(manuscript: Manuscript, names: tuple[str, ...]) -> Covered:
    """Return a report with names put out of sight, wherever they stand as names."""
    if not names:
        return Covered(manuscript, {})
    words = dict(_words(names))
    exact = [(re.compile(_pattern(name)), word) for name, word in words.items()]
    # A sentence begins with a capital; the head `Epoch` is no group called `epoch`.
    either = [
        (re.compile(_pattern(name, begins=name[:1].upper() + name[1:] not in words)), word)
        for name, word in words.items()
    ]
    blocks = tuple(
        _with_texts(block, partial(_hidden, patterns=exact if block.rows else either))
        for block in manuscript.blocks
    )
    groups = manuscript.group_names - set(names) | set(words.values())
    made = replace(manuscript, blocks=blocks, group_names=groups)
    return Covered(made, {word: name for name, word in words.items()})


def _words(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each name with a word of as many letters that no other has, as far as they go."""
    used: Counter[int] = Counter()
    for name in names:
        number, word = used[len(name)], ""
        for _ in name:
            number, letter = divmod(number, _LETTERS)
            word = chr(_FIRST + letter) + word
        used[len(name)] += 1
        if not number:
            yield name, word


def _pattern(name: str, *, begins: bool = False) -> str:
    before, after = _AROUND_NUMBERS if _NUMBER.fullmatch(name) else _AROUND_WORDS
    if name.casefold() in _GREEK:
        after += _NOT_SET
    first = re.escape(name[:1])
    if begins and name[:1].islower():
        first = f"[{name[:1]}{name[:1].upper()}]"
    return f"{before}{first}{re.escape(name[1:])}{after}"


def _hidden(text: str, patterns: list[tuple[re.Pattern[str], str]]) -> str:
    for pattern, word in patterns:
        text = pattern.sub(word, text)
    return text


def _with_texts(block: Block, change: Callable[[str], str]) -> Block:
    lines = {id(line): replace(line, text=change(line.text)) for line in block.lines}

    def of(line: Line) -> Line:
        return lines.setdefault(id(line), replace(line, text=change(line.text)))

    def in_cell(cell: Cell, *, head: bool) -> Cell:
        text = cell.text if head and _counts(cell.text) else change(cell.text)
        return replace(cell, text=text, line=of(cell.line))

    rows = tuple(
        tuple(in_cell(cell, head=number < block.head) for cell in row)
        for number, row in enumerate(block.rows)
    )
    return replace(
        block,
        lines=tuple(of(line) for line in block.lines),
        rows=rows,
        caption=change(block.caption),
    )
