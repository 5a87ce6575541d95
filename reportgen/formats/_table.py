"""Tables fitted to the page: sizes, wrapped columns, broken heads, aligned decimals.

The same decisions serve LaTeX and Typst, so both print the same table.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from reportgen.formats._widths import BOLD, Ruler, width_of_string
from reportgen.records.document import Strong, Table, TableRow, Text

# Width of the text in points (A4 with margins of 25 mm).
TEXT_WIDTH = 455.0
_NARROWEST = 9.0
_LONG = 34
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

_NUMBER = r"([+\u2212<]?\d[\d,\u202f]*)((?:\.\d+)?)"
_CELL = re.compile(rf"{_NUMBER}(?: \u00b1 {_NUMBER})?([%\u2020\u2021*]{{0,3}})")

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
        long: True where the table may run over several pages.
    """

    columns: tuple[ColumnLayout, ...]
    spans: tuple[Span, ...]
    size: float
    gap: float
    long: bool


def split_decimal(text: str) -> Halves | None:
    """Split a printed number at its point, and `mean ± std` at both.

    Example:
        >>> split_decimal("79.5"), split_decimal("12")
        ((('79', '.5'),), (('12', ''),))
        >>> split_decimal("n/a") is None
        True
    """
    found = _CELL.fullmatch(text.strip())
    if found is None:
        return None
    left, right, second, rest, suffix = found.groups()
    if second is None:
        return ((left, right + suffix),)
    return ((left, right), (second, rest + suffix))


def lay_out(table: Table, ruler: Ruler) -> TableLayout:
    """Choose size, wrapping and boxes so that the table fits the width of the text."""
    count = len(table.columns)
    body = [_body_width(table, i, ruler) for i in range(count)]
    heads = [ruler.width(c.title) for c in table.columns]
    whole: list[tuple[Text, ...]] = [(column.title,) for column in table.columns]
    broken = [_broken_head(c.title, body[i]) for i, c in enumerate(table.columns)]
    narrow = [max(ruler.width(line) for line in head) for head in broken]
    wide = {i for i, column in enumerate(table.columns) if column.wide}
    prose = wide | {
        i for i, c in enumerate(table.columns) if c.align == "left" and body[i] > _NARROWEST
    }
    attempts = [(_SIZES[0], whole, heads, wide)]
    attempts += [(size, broken, narrow, wide) for size in _SIZES]
    attempts += [(size, broken, narrow, prose) for size in (*_SIZES[1:], *_TINY)]
    for size, lines, head_widths, wrapped in attempts:
        natural = [max(pair) * _SAFETY for pair in zip(body, head_widths, strict=True)]
        fitted = _fit(natural, wrapped, TEXT_WIDTH / size.em, size.gap / size.em)
        if fitted is not None:
            return _layout(table, ruler, lines, size, fitted)
    return _layout(table, ruler, broken, _TINY[-1], [0.0] * count)


def _layout(
    table: Table,
    ruler: Ruler,
    heads: Sequence[tuple[Text, ...]],
    size: _Size,
    fitted: Sequence[float],
) -> TableLayout:
    columns = tuple(
        ColumnLayout(
            align=column.align,
            share=fitted[i],
            boxes=_boxes(table, i, ruler) if column.align == "decimal" else (),
            head=heads[i],
        )
        for i, column in enumerate(table.columns)
    )
    ems = [share * TEXT_WIDTH / size.em for share in fitted]
    lines = sum(_lines_of(row, ems, ruler) for row in table.rows)
    return TableLayout(
        columns=columns,
        spans=_spans(table),
        size=size.points,
        gap=size.gap,
        long=lines * size.points / 10 > _LONG,
    )


def _lines_of(row: TableRow, ems: Sequence[float], ruler: Ruler) -> int:
    """Estimate how many lines a row takes; `ems` holds 0 where a column is not wrapped."""
    wrapped = [(cell, width) for cell, width in zip(row.cells, ems, strict=True) if width]
    return max(
        (math.ceil(ruler.width(cell) / width) for cell, width in wrapped),
        default=1,
    )


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
    for row in table.rows:
        halves = split_decimal(ruler.plain(row.cells[index])) or ()
        bold = BOLD if is_bold(row, row.cells[index]) else 1.0
        for position, (left, right) in enumerate(halves):
            widths = (width_of_string(left) * bold, width_of_string(right) * bold)
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
    target = max([width * _SAFETY, *(width_of_string(word) for word in words)])
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
