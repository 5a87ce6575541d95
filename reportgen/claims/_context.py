"""What stands around a block and counts for it: captions, lead-ins, headings, the section."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._kept import kept_of
from reportgen.claims._conditions import data_sets, narrowing
from reportgen.claims._heads import NOTHING, Head, read_text
from reportgen.claims._mentions import mentions
from reportgen.records.manuscript import Block, Manuscript

_NUMBERED = re.compile(r"\A\s*((?:\d{1,3}|[A-Z])(?:\.\d{1,3}){0,4})\.?\)?\s+(?=\S)")
_CAPTION = re.compile(
    r"\A\s*((?:table|tableau|tab\.|figure|fig\.)\s{0,2}(?:\d{1,3}(?:\.\d{1,3}){0,2}[a-z]?"
    r"|[A-Z]\.?\d{1,2}|[IVX]{1,5}))\s*[:.–—|-]?\s*",
    re.IGNORECASE,
)
_TITLE_END = re.compile(
    r"[.;](?=\s|$)|:\s(?=(?:the|mean|we|each|values|différence|difference)\b)|\bdifference:\s",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?:](?=\s+[A-ZÀ-Ý])")
_POINTS_AHEAD = gated(
    r"\b(?:following|below|table|tableau|shows?|summari[sz]e[sd]?|here\sare|results?"
    r"|suivante?s?|ci-dessous|(?:we|i)\sreport|nous\srapportons|rapportons"
    r"|voici|montre|résume)\b",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"\b(?:we|our|i|is|are|was|were|has|have|had|does|do|did|can|could|may|will|would|shows?|reach\w*|gains?"
    r"|improv\w*|increas\w*|decreas\w*|drops?|grows?|rises?|falls?|beats?|wins?|loses?|gives?|depends?|differs?"
    r"|nous|est|sont|était|étaient|ont|avons|montre\w*|atteint|dépasse\w*|augmente\w*|baisse\w*"
    r"|diminue\w*|gagne\w*|améliore\w*)\b",
    re.IGNORECASE,
)
"""Verbs of sentences that say something of the values, which may be of some of them only."""
_LONGEST_TITLE = 25
_PROSE = frozenset({"heading", "caption", "paragraph", "item"})
_MOST = 0.7
LEAD, CAPTION, HEADING, SECTION = 0.9, 0.95, 0.8, 0.7
"""How sure a meaning is that comes from there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What counts for one block.

    Attributes:
        where: For messages: `Table 1`, `Section 2`.
        title: First sentence of its caption, read.
        caption: The whole caption, read.
        note: The text right behind a table.
        leads: Items and sentences that lead in to it, the nearest first.
        headings: Those it stands under, the innermost first.
        splits: Split that the section around it speaks of alone, and how sure that is.
        metric: The one that most of the report speaks of, or nothing.
        framework: Program its values were made with, where the report has several.
        narrow: Words of its caption or heading that pick out some of the data.
        data_sets: How many well-known data sets the report names.
    """

    where: str = ""
    title: Head = NOTHING
    caption: Head = NOTHING
    note: str = ""
    leads: tuple[Head, ...] = ()
    headings: tuple[Head, ...] = ()
    split: tuple[str, float] = ("", 0.0)
    metric: str = ""
    framework: str = ""
    narrow: str = ""
    data_sets: int = 0

    def layers(self) -> Iterator[tuple[Head, float]]:
        """Yield what counts, the nearest first, each with how sure it is."""
        yield self.title, CAPTION
        for lead in self.leads:
            yield lead, LEAD
        for heading in self.headings:
            yield heading, HEADING


@kept_of
def contexts(manuscript: Manuscript, known: tuple[str, ...] = ()) -> tuple[Context, ...]:
    """Return the context of each block.

    Example:
        >>> from reportgen.records.manuscript import Line
        >>> def block(kind, text, number, level=0):
        ...     return Block(type=kind, lines=(Line(text=text, number=number),), level=level)
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(
        ...     block("heading", "2 Results", 1, 1), block("item", "For the random model:", 2),
        ...     block("item", "seed 1 reaches 62", 3, 1)))
        >>> context = contexts(report)[2]
        >>> context.where, context.leads[0].one("group")
        ('Section 2', 'random model')
    """
    walker = _Walker(manuscript.blocks, known)
    return tuple(walker.context(index) for index in range(len(manuscript.blocks)))


class _Walker:
    """Looks around in a report's blocks; what it has read once it keeps."""

    def __init__(self, blocks: Sequence[Block], known: tuple[str, ...]) -> None:
        self.blocks = blocks
        self.known = known
        self.read: dict[str, Head] = {}
        self.tables = _numbers_of_tables(blocks)
        self.stacks = _heading_stacks(blocks)
        self.several = len(self._frameworks()) > 1
        texts = (block.text for block in blocks if block.type != "reference")
        self.data_sets = len(frozenset().union(*map(data_sets, texts)))
        self.metric = self._metric()

    def head(self, text: str) -> Head:
        if text not in self.read:
            self.read[text] = read_text(text, self.known)
        return self.read[text]

    def _frameworks(self) -> set[str]:
        """Return the programs that headings and lead-ins name."""
        texts = [block.text for block in self.blocks if block.type in _PROSE]
        return {m.value for text in texts for m in mentions(text) if m.slot == "framework"}

    def _metric(self) -> str:
        """Return the metric that most mentions in the report are of, the loss apart."""
        found: Counter[str] = Counter()
        for block in self.blocks:
            if block.type in _PROSE or block.type == "table":
                found.update(m.value for m in mentions(block.text) if m.slot == "metric")
        found.pop("loss", None)
        ((metric, times),) = found.most_common(1) or [("", 0)]
        return metric if times >= _MOST * found.total() else ""

    def context(self, index: int) -> Context:
        """Return what counts for one block."""
        block = self.blocks[index]
        stack = self.stacks[index]
        headings = tuple(self.head(_bare_heading(self.blocks[i].text)) for i in reversed(stack))
        caption = block.caption or (block.text if block.type == "caption" else "")
        leads = tuple(self._leads(index))
        near = (self.head(caption), *headings[:1])
        return Context(
            where=self.tables.get(index) or self._section(stack),
            title=self.head(_title(caption)) if block.type == "table" and caption else NOTHING,
            caption=self.head(_CAPTION.sub("", caption, count=1)) if caption else NOTHING,
            note=self._note(index) if block.type == "table" else "",
            leads=leads,
            headings=headings,
            split=self._split(index, stack),
            metric=self.metric,
            framework=self._framework(caption, leads, headings) if self.several else "",
            narrow=next(filter(None, (narrowing(h.text, 0, len(h.text)) for h in near)), ""),
            data_sets=self.data_sets,
        )

    def _section(self, stack: Sequence[int]) -> str:
        if not stack:
            return ""
        text = self.blocks[stack[-1]].text
        numbered = _NUMBERED.match(text)
        return f"Section {numbered[1]}" if numbered else f"section “{text.strip()[:60]}”"

    def _leads(self, index: int) -> Iterator[Head]:
        """Yield the items above a nested one, and the sentence that leads in to it all."""
        block = self.blocks[index]
        if block.type == "table" and not block.caption:
            yield from self._titles(index)
        level = block.level
        for i in range(index - 1, max(index - 40, -1), -1):
            before = self.blocks[i]
            if before.type == "item" and block.type == "item":
                if before.level < level:
                    level = before.level
                    yield self.head(_bare(before.text))
                continue
            if before.type in {"caption", "output", "code"} or (
                before.type == "table" and block.type == "table" and index - i < 2
            ):
                continue
            if before.type in {"paragraph", "item"}:
                last = last_sentence(before.text)
                if last.rstrip().endswith(":") or (
                    block.type == "table" and _POINTS_AHEAD.search(last)
                ):
                    yield self.head(_bare(last))
            return

    def _titles(self, index: int) -> Iterator[Head]:
        """Yield the paragraph above or below a table that reads like its title.

        One that stands between two tables without captions may be either's, and is taken for none.
        """
        for side in (-1, 1):
            near, far = index + side, index + 2 * side
            if not 0 <= near < len(self.blocks) or self.blocks[near].type != "paragraph":
                continue
            shared = 0 <= far < len(self.blocks) and self.blocks[far].type == "table"
            text = self.blocks[near].text
            if not shared and _reads_like_a_title(text) and self.head(text).one("metric"):
                yield self.head(text)

    def _note(self, index: int) -> str:
        """Return the paragraph right behind a table."""
        for block in self.blocks[index + 1 : index + 3]:
            if block.type == "paragraph":
                return block.text
        return ""

    def _split(self, index: int, stack: Sequence[int]) -> tuple[str, float]:
        """Return the only split that the blocks since the last heading speak of."""
        first = stack[-1] if stack else max(0, index - 6)
        found: Counter[str] = Counter()
        for i in range(first, index):
            if self.blocks[i].type in {"heading", "paragraph", "caption", "item"}:
                found.update(set(self.head(_bare(self.blocks[i].text)).values("split")))
        if len(found) != 1:
            return "", 0.0
        ((split, times),) = found.items()
        return split, HEADING if times > 1 else SECTION

    def _framework(self, caption: str, leads: Sequence[Head], headings: Sequence[Head]) -> str:
        for head in (self.head(caption), *leads, *headings):
            if head.values("framework") and not _is_of_one_group(head):
                return _written(head)
        return ""


def _is_of_one_group(head: Head) -> bool:
    """Say whether the program stands in brackets behind one of the groups that a text names."""
    mention = next(m for m in head.mentions if m.slot == "framework")
    bracket = head.text[: mention.start].rstrip().endswith("(")
    return bracket and len(head.values("group")) > 1


def _written(head: Head) -> str:
    """Return the only program a text names, as it is written there; empty for two."""
    if not head.one("framework"):
        return ""
    mention = next(m for m in head.mentions if m.slot == "framework")
    return head.text[mention.start : mention.end]


def _reads_like_a_title(text: str) -> bool:
    """Say whether a paragraph is one short sentence that names and does not tell."""
    words = text.split()
    return (
        3 <= len(words) <= _LONGEST_TITLE
        and not any(character.isdigit() for character in text)
        and not _SENTENCE_END.search(text.rstrip()[:-1])
        and not _TELLS.search(text)
    )


def last_sentence(text: str) -> str:
    """Return the last sentence of a paragraph.

    Example:
        >>> last_sentence("We trained. The test accuracies are as follows:")
        'The test accuracies are as follows:'
    """
    ends = [match.end() for match in _SENTENCE_END.finditer(text.rstrip()[:-1])]
    return text[ends[-1] if ends else 0 :].strip()


def _bare(text: str) -> str:
    return _CAPTION.sub("", text, count=1)


def _bare_heading(text: str) -> str:
    return _NUMBERED.sub("", text, count=1)


def _title(caption: str) -> str:
    """Return the first sentence of a caption without `Table 1:`."""
    bare = _bare(caption)
    end = _TITLE_END.search(bare)
    return bare[: end.start()] if end else bare


def _numbers_of_tables(blocks: Sequence[Block]) -> dict[int, str]:
    """Return the name of each table: as its caption says, else by its order."""
    found: dict[int, str] = {}
    tables = [i for i, block in enumerate(blocks) if block.type == "table"]
    for order, index in enumerate(tables, start=1):
        named = _CAPTION.match(blocks[index].caption)
        found[index] = " ".join(named[1].split()) if named else f"table {order} of the report"
    return found


def _heading_stacks(blocks: Sequence[Block]) -> list[tuple[int, ...]]:
    """Return, for each block, the headings it stands under, outermost first."""
    stacks: list[tuple[int, ...]] = []
    stack: tuple[int, ...] = ()
    for index, block in enumerate(blocks):
        if block.type == "heading":
            stack = (*(i for i in stack if blocks[i].level < block.level), index)
        stacks.append(stack)
    return stacks
