"""Tables fitted to the page: sizes, wrapped columns, broken heads, aligned decimals.

The same decisions serve LaTeX and Typst, so both print the same table.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from reportgen.formats._widths import BOLD, Ruler, width_of_string
from reportgen.languages import language_of
from reportgen.records.document import Strong, Table, TableRow, Text

# Width of the text in points (A4 with margins of 25 mm).
TEXT_WIDTH = 455.0
_NARROWEST = 9.0
_LONG = 36
_SAFETY = 1.02


@dataclass(frozen=True, slots=True)
class _Size:
    """A font size with the gap between columns that goes with it, in points.

    Small fonts of the Computer Modern family are drawn wider: `em` is one em.
    """

    points: float
    em: float
    gap: float = 12.0


_SIZES = (_Size(10, 10), _Size(9, 9.25), _Size(8, 8.5, 9))
_TINY = (_Size(7, 8, 8), _Size(6, 7.35, 6), _Size(5, 6.85, 5))

MARKS = "\u2020\u2021*"

Halves = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnLayout:
    """How one column is set.

    Attributes:
        align: `"left"`, `"center"`, `"right"` or `"decimal"`.
        share: Part of the text width a wrapped column takes; 0 for a column set as wide as
            it is.
        boxes: For decimal columns, width in em before and after the point of each of the
            numbers in a cell (one, or two around ±).
        head: Lines of the head.
    """

    align: str
    share: float = 0.0
    boxes: tuple[tuple[float, float], ...] = ()
    head: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A head above neighbouring columns `start` to `stop - 1`."""

    text: Text
    start: int
    stop: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLayout:
    """How a table is set.

    Attributes:
        columns: One layout a column.
        spans: Heads above columns, with empty texts between; empty without groups.
        size: Font size in points.
        gap: Space between columns in points.
        lines: Its height in lines of ten points, estimated.
    """

    columns: tuple[ColumnLayout, ...]
    spans: tuple[Span, ...]
    size: float
    gap: float
    lines: float

    @property
    def long(self) -> bool:
        """True where the table does not fit on one page."""
        return self.lines > _LONG

    @property
    def wrapped(self) -> bool:
        """True where a column is wrapped, so that rows have several lines."""
        return any(column.share for column in self.columns)


@cache
def _cell_pattern(lang: str) -> re.Pattern[str]:
    """Return what a cell with a number looks like in a language."""
    language = language_of(lang)
    point, group = re.escape(language.decimal_mark), re.escape(language.group_mark)
    number = rf"([+\u2212<]?\d[\d{group}]*)((?:{point}\d+)?)"
    signs = rf"(?:{re.escape(language.percent_mark)}|[{MARKS}]){{0,3}}"
    return re.compile(rf"{number}(?: \u00b1 {number})?({signs})")


def split_decimal(text: str, lang: str = "en") -> Halves | None:
    """Split a printed number at its point, and `mean ± std` at both.

    Example:
        >>> split_decimal("79.5"), split_decimal("12")
        ((('79', '.5'),), (('12', ''),))
        >>> split_decimal("79,5", "fr")
        (('79', ',5'),)
        >>> split_decimal("n/a") is None
        True
    """
    found = _cell_pattern(lang).fullmatch(text.strip())
    if found is None:
        return None
    left, right, second, rest, suffix = found.groups()
    if second is None:
        return ((left, right + suffix),)
    return ((left, right), (second, rest + suffix))


def lay_out(table: Table, ruler: Ruler) -> TableLayout:
    """Choose size, wrapping and boxes so that the table fits the width of the text.

    Of the ways that fit, the one that takes the least height is taken; a smaller font has to
    save clearly more than it costs the reader.
    """
    body = [_body_width(table, index, ruler) for index in range(len(table.columns))]
    heads = _head_choices(table, body)
    wide = {i for i, column in enumerate(table.columns) if column.wide}
    prose = wide | {
        i for i, c in enumerate(table.columns) if c.align == "left" and body[i] > _NARROWEST
    }
    choices = [(size, head, wide) for size in _SIZES for head in heads]
    crowded = [(size, heads[1], prose) for size in (*_SIZES[1:], *_TINY)]
    layouts = [found for choice in choices if (found := _try(table, ruler, body, choice))]
    if not layouts:
        tried = (_try(table, ruler, body, choice) for choice in crowded)
        layouts = [next((layout for layout in tried if layout), _last_resort(table, ruler, heads))]
    return min(layouts, key=lambda layout: layout.lines * _cost(layout.size))


def _cost(size: float) -> float:
    return 1 + 0.27 * (10 - size)


_Heads = Sequence[tuple[Text, ...]]


def _head_choices(table: Table, body: Sequence[float]) -> tuple[_Heads, _Heads]:
    """Return the heads on one line each, and broken into lines."""
    whole: _Heads = [(column.title,) for column in table.columns]
    pairs = zip(table.columns, body, strict=True)
    return whole, [_broken_head(column.title, width) for column, width in pairs]


def _try(
    table: Table, ruler: Ruler, body: Sequence[float], choice: tuple[_Size, _Heads, set[int]]
) -> TableLayout | None:
    """Return the layout of one choice of size, heads and wrapped columns, if it fits."""
    size, heads, wrapped = choice
    widths = [max(ruler.width(line) for line in head) for head in heads]
    natural = [max(pair) * _SAFETY for pair in zip(body, widths, strict=True)]
    shares = _fit(natural, wrapped, TEXT_WIDTH / size.em, size.gap / size.em)
    return None if shares is None else _layout(table, ruler, heads, size, shares)


def _last_resort(table: Table, ruler: Ruler, heads: tuple[_Heads, _Heads]) -> TableLayout:
    return _layout(table, ruler, heads[1], _TINY[-1], [0.0] * len(table.columns))


def _layout(
    table: Table, ruler: Ruler, heads: _Heads, size: _Size, shares: Sequence[float]
) -> TableLayout:
    columns = tuple(
        ColumnLayout(
            align=column.align,
            share=shares[i],
            boxes=_boxes(table, i, ruler) if column.align == "decimal" else (),
            head=heads[i],
        )
        for i, column in enumerate(table.columns)
    )
    ems = [share * TEXT_WIDTH / size.em for share in shares]
    lines = sum(_lines_of(row, ems, ruler) for row in table.rows)
    lines += max(len(column.head) for column in columns)
    return TableLayout(
        columns=columns,
        spans=_spans(table),
        size=size.points,
        gap=size.gap,
        lines=lines * size.points / 10,
    )


def _lines_of(row: TableRow, ems: Sequence[float], ruler: Ruler) -> int:
    """Estimate how many lines a row takes; `ems` holds 0 where a column is not wrapped."""
    wrapped = [(cell, width) for cell, width in zip(row.cells, ems, strict=True) if width]
    return max((math.ceil(ruler.width(cell) / width) for cell, width in wrapped), default=1)


def _fit(
    natural: Sequence[float], wrapped: set[int], room: float, gap: float
) -> list[float] | None:
    """Return the share of every wrapped column, 0 elsewhere; None where it cannot fit."""
    count = len(natural)
    left = room - gap * (count - 1) - sum(w for i, w in enumerate(natural) if i not in wrapped)
    shares = [0.0] * count
    waiting = sorted(wrapped, key=lambda i: natural[i])
    if sum(min(natural[i], _NARROWEST) for i in waiting) > left:
        return None
    if sum(natural[i] for i in waiting) <= left:
        return shares
    while waiting:
        fair = left / len(waiting)
        column = waiting.pop(0)
        given = min(natural[column], fair)
        shares[column] = given / room
        left -= given
    return shares


def _body_width(table: Table, index: int, ruler: Ruler) -> float:
    if table.columns[index].align == "decimal":
        boxes = _boxes(table, index, ruler)
        widths = [sum(map(sum, boxes)) + 1.3 * (len(boxes) - 1)]
    else:
        widths = [0.0]
    for row in table.rows:
        bold = BOLD if row.kind == "summary" else 1.0
        widths.append(ruler.width(row.cells[index]) * bold)
    return max(widths)


def _boxes(table: Table, index: int, ruler: Ruler) -> tuple[tuple[float, float], ...]:
    """Return the widest halves of the numbers of a column, in em."""
    boxes: list[tuple[float, float]] = []
    cells = [ruler.plain(row.cells[index]) for row in table.rows]
    found = [split_decimal(cell, ruler.lang) or () for cell in cells]
    paired = any(len(halves) > 1 for halves in found)
    for row, halves in zip(table.rows, found, strict=True):
        bold = BOLD if is_bold(row, row.cells[index]) else 1.0
        for position, (left, right) in enumerate(halves):
            # The mark of a number alone hangs in the room that others take for ± and spread.
            shown = right.rstrip(MARKS) if paired and len(halves) == 1 else right
            widths = (width_of_string(left) * bold, width_of_string(shown) * bold)
            if position == len(boxes):
                boxes.append(widths)
            else:
                before = boxes[position]
                boxes[position] = (max(before[0], widths[0]), max(before[1], widths[1]))
    return tuple(boxes)


def is_bold(row: TableRow, cell: Text) -> bool:
    """Tell whether a cell is set in bold."""
    return row.kind == "summary" or any(isinstance(node, Strong) for node in cell)


def _broken_head(title: Text, width: float) -> tuple[Text, ...]:
    """Break a head of plain words into lines not much wider than the column's body."""
    if len(title) != 1 or not isinstance(title[0], str):
        return (title,)
    words = title[0].split(" ")
    target = 1.15 * max([width, *(width_of_string(word) for word in words)])
    lines = [words[0]] if words else [""]
    for word in words[1:]:
        longer = f"{lines[-1]} {word}"
        if width_of_string(longer) <= target:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple((line,) for line in lines)


def _spans(table: Table) -> tuple[Span, ...]:
    if not any(column.group for column in table.columns):
        return ()
    spans = []
    start = 0
    for text, members in groupby(table.columns, key=lambda column: column.group):
        stop = start + len(list(members))
        spans.append(Span(text=text, start=start, stop=stop))
        start = stop
    return tuple(spans)
