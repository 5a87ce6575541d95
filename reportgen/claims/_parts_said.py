"""How many matrices a report's sentences give to the parts of a layer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._number_words import WORD_VALUES
from reportgen.records.manuscript import Manuscript, Place

FEED_FORWARD, ATTENTION, OUTPUT = "feed-forward network", "attention", "output projection"

_SENTENCE = re.compile(r"[.!?](?=\s)")
_COUNT = (
    r"\b(?P<n>one|two|three|four|un|une|deux|trois|quatre|[1-4])\s(?:sets?\sof\s|ensembles?\sde\s)?"
)
_ABOUT = {
    FEED_FORWARD: gated(r"feed-?\s?forward|\bffn\b|\bmlp\b|position-?\s?wise", re.IGNORECASE),
    ATTENTION: gated(r"attention|\bquer(?:y|ies)\b|\bQ\s?,\s?K", re.IGNORECASE),
}
_COUNTED = {
    FEED_FORWARD: gated(
        rf"{_COUNT}(?:\w+[- ]){{0,2}}(?:linear|lin[ée]aires?|dense|denses|fully[- ]connected"
        r"|feed[- ]?forward|projections?|transformations?|matri)",
        re.IGNORECASE,
    ),
    ATTENTION: gated(
        rf"{_COUNT}(?:\w+[- ]){{0,2}}(?:weight|matri|projection|linear|lin[ée]aires?|poids)",
        re.IGNORECASE,
    ),
}
_OUTPUT = gated(
    r"\b(?:one|an?|the|une?|la)\s(?:\w+\s)?(?:outer|output|final|sortie)\s(?:linear\s)?"
    r"(?:projection|matrix|layer)|projection\sde\ssortie",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PartsSaid:
    """A sentence that counts the matrices of one part of a layer.

    Attributes:
        part: `feed-forward network`, `attention` or `output projection`.
        count: How many it says.
        place: Where.
    """

    part: str
    count: int
    place: Place


def parts_said(manuscript: Manuscript) -> tuple[PartsSaid, ...]:
    """Return what sentences say of the matrices of a layer, the first of each part.

    Example:
        >>> from reportgen.records.manuscript import Block, Line
        >>> text = "The feed-forward network has two linear layers."
        >>> block = Block(type="paragraph", lines=(Line(text=text, number=3),))
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
        >>> [(said.part, said.count) for said in parts_said(report)]
        [('feed-forward network', 2)]
    """
    found: dict[str, PartsSaid] = {}
    for said in _sentences(manuscript):
        found.setdefault(said.part, said)
    return tuple(found.values())


def _sentences(manuscript: Manuscript) -> Iterator[PartsSaid]:
    for block in manuscript.blocks:
        if block.type not in {"paragraph", "item", "caption"}:
            continue
        text, start = block.text, 0
        for stop in [*(m.end() for m in _SENTENCE.finditer(text)), len(text)]:
            sentence, begins, start = text[start:stop], start, stop
            for part, about in _ABOUT.items():
                counted = _COUNTED[part].search(sentence) if about.search(sentence) else None
                other = any(p != part and a.search(sentence) for p, a in _ABOUT.items())
                if counted is None or other:
                    continue
                word = counted["n"].casefold()
                count = int(word) if word.isdecimal() else WORD_VALUES[word]
                place = block.place(begins + counted.start(), begins + counted.end())
                yield PartsSaid(part, count, place)
                output = _OUTPUT.search(sentence)
                if part == ATTENTION and output:
                    yield PartsSaid(OUTPUT, 1, place)
