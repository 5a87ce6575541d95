"""The numbers of a report, each with what stands around it: the document is read once."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count

from reportgen.checking.numbers import (
    NumberStyle,
    find_numbers,
    no_claim_spans,
    number_style,
    spreads,
)
from reportgen.checking.words import words_of
from reportgen.records.manuscript import Block, Cell, Manuscript
from reportgen.records.record import record
from reportgen.records.verdict import Context, Number

__all__ = ["Claiming", "Table", "numbers_of", "read_table", "sentence_spans"]

_LETTERS = re.compile(r"[^\W\d_]")
_NAME = re.compile(r"[^\W\d_][\w@-]*")
"""One word that begins with a letter (`F1`, `P@10`): no value does."""
_BREAK = re.compile(r"[.?!;][)\]\"”»*_]{0,3}\s+(?=[\"“«(\[*_]{0,3}[^\W\d_a-z])|\n(?=\s*\n)")
_DOTTED = re.compile(r"((?:[^\W\d_]+\.)+)$")
_SHORT = frozenset(
    (
        *("e.g", "i.e", "cf", "vs", "fig", "figs", "eq", "eqs", "sec", "tab"),
        *("approx", "resp", "no", "al", "etc", "std", "acc", "val", "av"),
    )
)
"""Words that are written with a dot behind them; a single letter is too."""


@record(kw_only=False)
class Claiming:
    """A number, and why it claims nothing where it does not.

    Attributes:
        number: With its context.
        reason: Empty for one that claims something; else what it is (`year`, `citation`).
    """

    number: Number
    reason: str = ""


@record(kw_only=False)
class Table:
    """A table as its reader sees it: which rows are heads, what each row and column is called.

    Attributes:
        block: Index of its block.
        cells: Rows of cells, heads included; all of one length.
        head: How many of the first rows are heads.
        heads: What each column is called, the outermost head first, joined by ` | `.
        labels: What each row is called: its cells of words, and the heads of groups of rows.
        caption: Its caption, or the line before it.
    """

    block: int
    cells: tuple[tuple[Cell, ...], ...]
    head: int
    heads: tuple[str, ...]
    labels: tuple[str, ...]
    caption: str


def numbers_of(manuscript: Manuscript) -> tuple[Claiming, ...]:
    """Return every number of a report in reading order, with its context.

    Example:
        >>> from reportgen.records.manuscript import Line
        >>> text = "We reach 79.9 % after 12 epochs (Table 2)."
        >>> block = Block(type="paragraph", lines=(Line(text=text, number=1),))
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
        >>> [(one.number.printed.text, one.reason) for one in numbers_of(report)]
        [('79.9', ''), ('12', ''), ('2', 'table')]
    """
    style = number_style("\n".join(block.text for block in manuscript.blocks))
    found: list[Claiming] = []
    ids = (f"n{position}" for position in count(1))
    headings: list[tuple[int, str]] = []
    above_items: list[tuple[int, str]] = []
    before = ""
    for index, block in enumerate(manuscript.blocks):
        if block.type == "heading":
            level = block.level or 1
            headings = [one for one in headings if one[0] < level]
            headings.append((level, block.text))
        above = tuple(text for _, text in headings)
        if block.type == "table" and block.rows:
            table = read_table(block, index, _caption(manuscript.blocks, index, before))
            found += _in_table(table, above, style, ids)
        else:
            depth = _depth(block) if block.type == "item" else 0
            above_items = [one for one in above_items if one[0] < depth]
            told = block.caption or " ".join(text for _, text in above_items)
            above_items.append((depth, _lead(block)))
            found += _in_text(block, index, Context(headings=above, caption=told), style, ids)
        before = block.text if block.type in {"paragraph", "caption"} else ""
    return tuple(found)


def _lead(block: Block) -> str:
    """Return the sentence that leads to a list (`On the test set it reaches:`), or nothing.

    An item of a name leads to the items below it.
    """
    text = block.text.rstrip()
    last = text[sentence_spans(text)[-1][0] :]
    return last if text.endswith(":") or (block.type == "item" and len(text) <= _NAMING) else ""


_NAMING = 60


def _depth(block: Block) -> int:
    """Return how far an item is indented, from 1."""
    return block.level or next(iter(block.lines[0].columns), 1)


_SHORT_TEXT = 120


def _caption(blocks: Sequence[Block], index: int, before: str) -> str:
    """Return what stands below or above a table that says what its numbers are.

    A caption, or else the paragraph above; where that names no metric, a short one below
    without numbers.
    """
    for at in (index + 1, index - 1):
        if 0 <= at < len(blocks) and blocks[at].type == "caption":
            return blocks[at].text
    behind = next(iter(blocks[index + 1 : index + 2]), None)
    text = behind.text if behind is not None and behind.type == "paragraph" else ""
    plain = len(text) <= _SHORT_TEXT and not any(map(str.isdigit, text))
    if plain and words_of(text).metrics and not words_of(before[-300:]).metrics:
        return f"{before} {text}"
    return before


_REFERENCES = re.compile(
    r"[\dA-Z.\s]{0,8}(?:references|bibliography|works cited|literature|citation|"
    r"références|bibliographie|literatur|литература|参考文献)\s*",
    re.IGNORECASE,
)


_DATED = re.compile(r"\b(?:19|20)\d\d\b")


def _of_references(number: Number) -> str:
    """Return that a number stands under the heading of the bibliography, or nothing."""
    last = number.context.headings[-1:]
    under = number.row is None and last and _REFERENCES.fullmatch(last[0])
    return "reference" if under and _DATED.search(number.context.sentence) else ""


def read_table(block: Block, index: int, before: str = "") -> Table:
    """Read which rows of a table are heads, and what its rows and columns are called.

    Example:
        >>> from reportgen.records.manuscript import Line
        >>> rows = [["Model", "F1"], ["base", "0.81"]]
        >>> line = Line(text="", number=1)
        >>> cells = tuple(tuple(Cell(text=text, line=line) for text in row) for row in rows)
        >>> table = read_table(Block(type="table", lines=(), rows=cells), 0)
        >>> table.head, table.heads, table.labels
        (1, ('Model', 'F1'), ('Model | F1', 'base'))
    """
    rows = block.rows
    head = block.head or int(_is_head(rows))
    head = min(head, len(rows) - 1) if len(rows) > 1 else 0
    width = max((len(row) for row in rows), default=0)
    heads = []
    for column in range(width):
        texts = (row[column].text for row in rows[:head] if column < len(row))
        heads.append(" | ".join(dict.fromkeys(text for text in texts if text)))
    return Table(
        block=index,
        cells=rows,
        head=head,
        heads=tuple(heads),
        labels=tuple(_labels(rows, head)),
        caption=f"{block.caption or before[-300:]} {_corner(rows, head, heads)}".strip(),
    )


def _corner(rows: Sequence[Sequence[Cell]], head: int, heads: Sequence[str]) -> str:
    """Return the head over the labels of rows, which speaks of all numbers (`test accuracy`)."""
    labels = [row[0].text for row in rows[head:] if row and row[0].text]
    told = heads and labels and all(map(_is_words, labels)) and words_of(heads[0]).metrics
    return heads[0] if told else ""


def _is_head(rows: Sequence[Sequence[Cell]]) -> bool:
    """Say whether the first row of a table without a marked head names its columns."""
    first = [cell.text for cell in rows[0] if cell.text]
    words = [text for text in first if _is_words(text)]
    below = [cell.text for row in rows[1:3] for cell in row if cell.text]
    numbers = [text for text in below if not _is_words(text)]
    return len(words) > len(first) / 2 and bool(numbers)


def _is_words(text: str) -> bool:
    """Say whether a cell holds words and no value: a number is at most a part of a name."""
    if _NAME.fullmatch(text):
        return True
    bare = re.sub(r"(?<![^\W\d_])[eE][-+]?\d+|NaN|nan|inf|±", "", text)
    letters = len(_LETTERS.findall(bare))
    digits = sum(map(str.isdigit, bare))
    return letters > digits or not digits


def _labels(rows: Sequence[Sequence[Cell]], head: int) -> Iterator[str]:
    """Yield what each row is called; a row of one text names the rows below it."""
    section = ""
    for position, row in enumerate(rows):
        texts = [cell.text for cell in row if cell.text and cell.span != 0]
        lone = len(texts) == 1 and len(row) > 1 and row[0].text == texts[0]
        if position >= head and lone and _is_words(texts[0]):
            section = texts[0]
            yield section
            continue
        words = [cell.text for cell in row if cell.text and _LETTERS.search(cell.text)]
        named = [text for text in words if _is_words(text)]
        yield " | ".join(dict.fromkeys(text for text in (section, *named) if text))


def _in_table(
    table: Table, headings: tuple[str, ...], style: NumberStyle, ids: Iterator[str]
) -> Iterator[Claiming]:
    for position, row in enumerate(table.cells):
        for column, cell in enumerate(row):
            if not cell.span or not cell.text:
                continue
            numbers = find_numbers(cell.text, style)
            spread = {second for _, second in spreads(cell.text, numbers)}
            head = table.heads[column] if position >= table.head else ""
            for part, printed in enumerate(numbers):
                number = Number(
                    id=next(ids),
                    printed=printed,
                    place=cell.place(printed.start, printed.end),
                    block=table.block,
                    type="table",
                    start=printed.start,
                    end=printed.end,
                    context=Context(
                        row=table.labels[position],
                        head=head,
                        caption=table.caption,
                        headings=headings,
                        sentence=cell.text,
                        offset=printed.start,
                    ),
                    row=position,
                    column=column,
                    part=part,
                    spread=part in spread,
                )
                reason = "head" if position < table.head else _of_references(number)
                # `Two layer norms` is what a row is called.
                named = printed.word and len(cell.text) > len(printed.text)
                yield Claiming(number, reason or ("label" if named else ""))


def _in_text(
    block: Block, index: int, around: Context, style: NumberStyle, ids: Iterator[str]
) -> Iterator[Claiming]:
    text = block.text
    numbers = find_numbers(text, style)
    if not numbers:
        return
    spans = no_claim_spans(block)
    spread = {second for _, second in spreads(text, numbers)}
    sentences = sentence_spans(text, lines=block.type in {"code", "output", "equation"})
    starts = [start for start, _ in sentences]
    for position, printed in enumerate(numbers):
        start, end = sentences[bisect_right(starts, printed.start) - 1]
        reason = next((kind for a, b, kind in spans if a <= printed.start and printed.end <= b), "")
        number = Number(
            id=next(ids),
            printed=printed,
            place=block.place(printed.start, printed.end),
            block=index,
            type=block.type,
            start=printed.start,
            end=printed.end,
            context=Context(
                headings=around.headings,
                caption=around.caption,
                sentence=text[start:end],
                offset=printed.start - start,
            ),
            spread=position in spread,
        )
        yield Claiming(number, reason or _of_references(number))


@lru_cache(maxsize=1024)
def sentence_spans(text: str, *, lines: bool = False) -> tuple[tuple[int, int], ...]:
    """Return where the sentences of a text begin and end; of a listing, its lines.

    Example:
        >>> text = "It is 0.81 (cf. Fig. 2). The loss is 0.4."
        >>> [text[a:b] for a, b in sentence_spans(text)]
        ['It is 0.81 (cf. Fig. 2). ', 'The loss is 0.4.']
    """
    if lines:
        ends = [match.end() for match in re.finditer(r"\n", text)]
    else:
        ends = [
            match.end()
            for match in _BREAK.finditer(text)
            if not _is_abbreviated(text, match.start() + (match[0][0] != "\n"))
        ]
    starts = [0, *ends]
    return tuple(zip(starts, [*ends, len(text)], strict=True))


def _is_abbreviated(text: str, end: int) -> bool:
    """Say whether a text up to a place ends with the dot of an abbreviation, or of an initial."""
    match = _DOTTED.search(text[max(0, end - 12) : end])
    if match is None:
        return False
    word = match[1][:-1].lower()
    return word in _SHORT or len(word.rpartition(".")[2]) == 1
