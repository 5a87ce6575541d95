"""A block's text with everything that was recognised in it, for finders of sentences."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.checking.numbers._digits import NumberStyle
from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._numbers import find_numbers
from reportgen.claims._heads import read_text
from reportgen.claims._labels import group_key
from reportgen.claims._mentions import Mention
from reportgen.claims._plain import Plain, plain
from reportgen.records.claim import Meaning, Printed, Statement
from reportgen.records.manuscript import Block

_COUNTED = frozenset({"seed", "epoch", "step", "n", "level", "length", "setting", "ddof"})
_OPTIMISERS = gated(r"(?:adam\w?|sgd|rmsprop|adagrad|adafactor)", re.IGNORECASE)
_ON_SPLIT = gated(
    r"\b(?:on|sur)\s(?:le\s|la\s)?(?P<split>test|validation|train(?:ing)?)"
    r"(?=\s?(?:[,.;:)]|$|and\son\b|et\ssur\b|(?:is|are|was|were|lies|stays|est|sont)\b))",
    re.IGNORECASE,
)
_DURING = gated(
    r"(?:\b(?:cours|lors|fin|début|long|terme)\sde\s(?:l['’]|son\s)|\b(?:pendant|durant)\s(?:l['’]|tout\sl['’]))$",
    re.IGNORECASE,
)
_MORE = (
    (
        gated(
            r"\b(?:pre-?training|pré-?entra[iî]nement)\b(?=\s(?:always\s|clearly\s)?(?:gains?|improves?|out"
            r"|beats?|is|gives?|brings?|yields?|performs?|leads|apporte|améliore|gagne|donne|est)\w*\b)",
            re.IGNORECASE,
        ),
        "group",
        "",
    ),
    (re.compile(r"\bécarts?\b(?![-\s]types?)", re.IGNORECASE), "aggregate", "difference"),
)
"""Mentions that only sentences have: (pattern, slot, value; empty takes the words themselves)."""
MASK = "Ǥ"
"""Stands for each character of a group's name: labels may hold commas and any word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What was spoken of before a block, in its section.

    Attributes:
        split: The split that the heading names.
        metric: The metric last named.
        groups: The groups that the heading names.
        subject: What the last statement was said of.
        statement: That statement.
    """

    split: str = ""
    metric: str = ""
    groups: tuple[str, ...] = ()
    subject: Meaning | None = None
    statement: Statement | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One block, read.

    Attributes:
        index: Of the block in the manuscript.
        block: The block.
        plain: Its text without markup.
        text: The same with the names of groups masked.
        mentions: Everything recognised in it, in order.
        numbers: Numbers in it that are no labels of runs and moments.
        labels: Labels of groups that the report's tables and sentences use.
        around: What the headings above and the text before it speak of.
    """

    index: int
    block: Block
    plain: Plain
    text: str
    mentions: tuple[Mention, ...]
    numbers: tuple[Printed, ...]
    labels: tuple[str, ...] = ()
    around: Around = Around()

    def of(self, start: int, end: int, *slots: str) -> list[Mention]:
        """Return the mentions of some slots that lie inside a span, in order."""
        first = bisect_left(self.mentions, start, key=lambda mention: mention.start)
        found = []
        for mention in self.mentions[first:]:
            if mention.start >= end:
                break
            if mention.slot in slots and mention.end <= end:
                found.append(mention)
        return found

    def values(self, start: int, end: int, slot: str) -> tuple[str, ...]:
        """Return the different values of a slot inside a span, in order."""
        return tuple(dict.fromkeys(m.value for m in self.of(start, end, slot)))

    def numbers_in(self, start: int, end: int) -> list[Printed]:
        """Return the numbers inside a span that are no labels of runs and moments."""
        first = bisect_left(self.numbers, start, key=lambda number: number.start)
        last = bisect_left(self.numbers, end, key=lambda number: number.start)
        return [number for number in self.numbers[first:last] if number.end <= end]


def read_scene(
    index: int,
    block: Block,
    labels: Sequence[str],
    around: Around,
    style: NumberStyle | None = None,
) -> Scene:
    """Read a block; its report writes decimals in some style, by default in that of the block.

    Example:
        >>> from reportgen.records.manuscript import Line
        >>> line = Line(text="the small, old net is best", number=1)
        >>> block = Block(type="paragraph", lines=(line,))
        >>> scene = read_scene(0, block, ("small, old net",), Around())
        >>> scene.values(0, 99, "group"), scene.text[4:18]
        (('small, old net',), 'ǤǤǤǤǤǤǤǤǤǤǤǤǤǤ')
    """
    text = plain(block.text)
    mentions = _mentions(text.text, labels)
    masked = text.text
    for group in (m for m in mentions if m.slot == "group"):
        masked = masked[: group.start] + MASK * (group.end - group.start) + masked[group.end :]
    return Scene(
        index=index,
        block=block,
        plain=text,
        text=masked.replace("’", "'"),
        mentions=mentions,
        numbers=_values(find_numbers(text.text, style), mentions),
        labels=tuple(labels),
        around=around,
    )


def _values(numbers: Sequence[Printed], mentions: Sequence[Mention]) -> tuple[Printed, ...]:
    """Return the numbers that neither count runs or moments nor stand in a group's name."""
    labels = {m.start for m in mentions if m.slot in _COUNTED}
    groups = [(m.start, m.end) for m in mentions if m.slot == "group"]
    found = []
    for number in numbers:
        while groups and groups[0][1] <= number.start:
            groups.pop(0)
        inside = bool(groups) and groups[0][0] <= number.start
        if number.start not in labels and not inside:
            found.append(number)
    return tuple(found)


def _mentions(text: str, labels: Sequence[str]) -> tuple[Mention, ...]:
    """Return what is recognised in a text, without optimisers that name no group of the report."""
    known = {label.lower() for label in labels}
    found = [m for m in read_text(text, labels).mentions if not _is_stray(text, m, known)]
    taken = {m.start for m in found}
    for pattern, slot, value in _MORE:
        for match in pattern.finditer(text):
            if not any(m.start < match.end() and match.start() < m.end for m in found):
                found.append(Mention(match.start(), match.end(), slot, value or match[0]))
    for match in _ON_SPLIT.finditer(text):
        start, end = match.span("split")
        if start not in taken:
            value = match["split"].lower()
            found.append(Mention(start, end, "split", "train" if value == "training" else value))
    return tuple(sorted(found))


def _is_stray(text: str, mention: Mention, known: set[str]) -> bool:
    """Say whether a mention is none here: `randomness of Adam`, `au cours de l'entraînement`."""
    if mention.slot == "group":
        optimiser = _OPTIMISERS.fullmatch(mention.value) is not None
        return optimiser and mention.value.lower() not in known
    lead = text[max(0, mention.start - 24) : mention.start]
    return mention.slot == "split" and bool(_DURING.search(lead))


def keys_of(labels: Sequence[str]) -> dict[frozenset[str], str]:
    """Return the different groups among labels: key to its first spelling."""
    found: dict[frozenset[str], str] = {}
    for label in labels:
        found.setdefault(group_key(label), label)
    return found
