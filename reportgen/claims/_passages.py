"""The blocks of a report, with what its reader knows by then: section, adapter, letters."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reportgen.checking.numbers._digits import NumberStyle
from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._kept import kept_of
from reportgen.checking.numbers._no_claim import non_claim_spans
from reportgen.checking.numbers._numbers import find_numbers
from reportgen.claims._plain import Plain, plain
from reportgen.claims._setting_words import Named, Word, name_at, name_before, words_of
from reportgen.claims._symbols import defined_symbols
from reportgen.claims._whole import style_of
from reportgen.records.claim import Printed
from reportgen.records.manuscript import Block, Manuscript

SILENT = frozenset({"reference"})
"""Types of blocks that claim nothing."""
_ADAPTER = gated(
    r"\b(?:q-?lora|lora|dora|rslora|peft|adapters?|low[- ]rank|adaptateurs?)(?=\b|_|config)",
    re.IGNORECASE,
)
_IN_MIND = 600
_AHEAD = 3
"""Blocks that a reader of a list sees at a glance: `r` may come before `lora_alpha`."""
_HEAD = re.compile(
    r"\s{0,3}([A-Za-zα-ω_][\w' -]{0,40}?)\s{0,3}(?:\([^()]{0,40}\)\s{0,3})?(?::|\s[-–—]\s)"
)
_END = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\b[Ff]ig)(?<!\bvs)(?<!\bal)(?<!\bresp)[.!?](?=\s)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One block, ready for finders of settings and counts.

    Attributes:
        index: Of the block in the manuscript.
        block: The block.
        plain: Its text without markup.
        words: Words of the plain text.
        numbers: Numbers of the plain text, with their places in it.
        section: Index of the heading it stands under, -1 before the first.
        heading: Plain text of that heading.
        adapter: Whether the section speaks of LoRA or another adapter.
        head: The setting that an item begins with (`lora_dropout: ...`), or None.
        head_text: What stands before the colon of an item, also where it names no setting.
        body: Where the text behind the item's head begins.
        symbols: What single letters stand for: letter to (key, how sure).
        style: How the report writes decimals.
        stops: Where sentences end in the plain text.
        starts: Where each word begins.
        names: What the logs call their groups and runs.
    """

    index: int
    block: Block
    plain: Plain
    words: tuple[Word, ...]
    numbers: tuple[Printed, ...]
    section: int
    heading: str
    adapter: bool
    head: Named | None
    head_text: str
    body: int
    symbols: Mapping[str, tuple[str, float]]
    style: NumberStyle
    stops: tuple[int, ...]
    starts: tuple[int, ...]
    names: frozenset[str] = frozenset()

    def word_at(self, place: int) -> int:
        """Return the index of the first word that begins at a place or behind it."""
        return bisect_left(self.starts, place)

    def sentence(self, place: int) -> tuple[int, int]:
        """Return where the sentence around a place of the plain text begins and ends.

        Of a text without full stops it is what a reader keeps in mind.
        """
        after = bisect_right(self.stops, place)
        start = self.stops[after - 1] if after else 0
        end = self.stops[after] if after < len(self.stops) else len(self.plain.text)
        return max(start, place - _IN_MIND), min(end, place + _IN_MIND)


@kept_of
def passages(manuscript: Manuscript) -> tuple[Passage, ...]:
    """Return the blocks that may claim something, in reading order."""
    return tuple(_passages(manuscript))


def _passages(manuscript: Manuscript) -> Iterator[Passage]:
    texts = [plain(block.text) for block in manuscript.blocks]
    style = style_of(manuscript)
    symbols = defined_symbols([words_of(text.text, manuscript.run_names) for text in texts])
    near = _near_adapters(manuscript, texts)
    section, heading = -1, ""
    for index, (block, text) in enumerate(zip(manuscript.blocks, texts, strict=True)):
        if block.type == "heading":
            section, heading = index, text.text
        adapter = near[index]
        if block.type in SILENT:
            continue
        words = words_of(text.text, manuscript.run_names)
        head, head_text, body = _head(text.text, words, adapter=adapter)
        yield Passage(
            index=index,
            block=block,
            plain=text,
            words=words,
            numbers=_numbers(block, text, style),
            section=section,
            heading=heading,
            adapter=adapter,
            head=head,
            head_text=head_text,
            body=body,
            symbols=symbols,
            style=style,
            stops=tuple(match.end() for match in _END.finditer(text.text)),
            starts=tuple(word.start for word in words),
            names=manuscript.run_names,
        )


def _numbers(block: Block, text: Plain, style: NumberStyle) -> tuple[Printed, ...]:
    """Return the numbers of a block but those of headings and behind a formula: `16N  (7)`."""
    if block.type == "heading":
        return ()
    found = find_numbers(text.text, style)
    if block.type != "equation":
        return found
    tags = [(start, end) for start, end, kind in non_claim_spans(block) if kind == "equation"]
    places = [text.span(number.start, number.end)[0] for number in found]
    return tuple(
        number
        for number, place in zip(found, places, strict=True)
        if not any(start <= place < end for start, end in tags)
    )


def _near_adapters(manuscript: Manuscript, texts: Sequence[Plain]) -> list[bool]:
    """Return of each block whether its section speaks of an adapter, up to a little behind it."""
    said = [bool(_ADAPTER.search(text.text)) for text in texts]
    above: list[tuple[int, bool]] = []
    near: list[bool] = []
    inside = False
    for index, block in enumerate(manuscript.blocks):
        if block.type == "heading":
            above = [(level, there) for level, there in above if level < block.level]
            above.append((block.level, said[index]))
            inside = any(there for _, there in above)
        inside = inside or said[index]
        ahead = index + 1
        while not inside and ahead < min(len(said), index + _AHEAD):
            if manuscript.blocks[ahead].type == "heading":
                break
            inside = said[ahead]
            ahead += 1
        near.append(inside)
    return near


def _head(text: str, words: Sequence[Word], *, adapter: bool) -> tuple[Named | None, str, int]:
    """Return the setting that a text begins with, its words, and where what follows begins."""
    match = _HEAD.match(text)
    if match is None:
        return None, "", 0
    count = sum(word.end <= match.end(1) for word in words)
    named = name_before(words, count - 1, adapter=adapter) if count else None
    if named is None or named.first:
        named = name_at(words, 0, adapter=adapter) if count else None
        named = named if named and named.last == count - 1 else None
    return named, match[1], match.end()
