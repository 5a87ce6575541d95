"""Tables fitted to the page: measured words, shared widths, wrapped columns, aligned decimals."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate, groupby, pairwise, takewhile

from reportgen.languages import language_of
from reportgen.records import document as doc
from reportgen.records.formula import Expression
from reportgen.records.record import record, replace
from reportgen.render._context import POINTS, Page
from reportgen.render._escape import CHARACTERS, breakable, clean
from reportgen.render._inline import PlainPrinter, address_behind
from reportgen.render._math import measure, tokens

_ADVANCES: dict[str, float] = {
    chr(32 + index): width / 1000 for index, width in enumerate(CHARACTERS["roman"]["widths"])
}
_TYPEWRITER = 0.53
_OTHER = 0.78
BOLD = 1.15
INDENT_EM = 1.2
CODE_POINT_LENGTH = 8


def width_of_string(text: str) -> float:
    """Estimate the width of words, in em.

    Example:
        >>> round(width_of_string("79.5"), 2)
        1.78
    """
    return sum([_ADVANCES.get(character, _OTHER) for character in text])


def letters_in(width: float) -> int:
    """Return how many letters of typewriter face fit into a width in em."""
    return int(width / _TYPEWRITER)


class Ruler(PlainPrinter):
    """Measures texts of one report, and flattens them as a reader would type them."""

    def _math(self, expression: Expression) -> str:  # noqa: ARG002
        return ""

    def _indent(self, depth: int) -> str:  # noqa: ARG002
        return ""

    def width(self, text: doc.Text) -> float:
        """Estimate the width of a text on one line, in em."""
        return sum(self._width(node) for node in text)

    def _width(self, node: doc.Inline) -> float:
        match node:
            case doc.Math(expression):
                return measure(tokens(expression)) * 0.5
            case doc.Code(text):
                wide = sum(not " " <= c <= "~" for c in clean(text))
                return _TYPEWRITER * (len(clean(text)) + wide * (CODE_POINT_LENGTH - 1))
            case doc.Emphasis(content):
                return self.width(content)
            case doc.Strong(content):
                return self.width(content) * BOLD
            case doc.Indent(depth):
                return depth * INDENT_EM
            case doc.Link(content) if address_behind(node):
                return self.width((*content, " (", doc.Code(address_behind(node)), ")"))
            case doc.Link(content):
                return self.width(content)
        return width_of_string(clean(self.print_inline(node)))


# --- names and paths in narrow columns ------------------------------------------------

_HANGING = 2
_PIECES = re.compile(r"(?<=/)(?=[^/\s])|(?<=\s)(?=\S)")


def path_lines(text: str, room: int) -> tuple[str, ...]:
    """Break a name that is wider than its column, between the folders of a path where that can be.

    Args:
        text: The name.
        room: Characters of a line; a line that goes on is set `_HANGING` characters in.

    Example:
        >>> path_lines("books/RoBERTa_small_lr1e-05/0/valid/events.out.1", 24)
        ('books/', 'RoBERTa_small_lr1e-05/', '0/valid/events.out.1')
    """
    text = clean(text)
    if len(text) <= room:
        return (text,)
    lines = [""]
    for piece in _pieces(text, room - _HANGING):
        left = room - (_HANGING if len(lines) > 1 else 0) - len(lines[-1])
        if lines[-1] and len(piece.rstrip()) > left:
            lines.append(piece)
        else:
            lines[-1] += piece
    return tuple(line.rstrip() for line in lines)


def _pieces(text: str, room: int) -> list[str]:
    """Split a path after its folders, and a folder's name only where it fits no line."""
    pieces: list[str] = []
    for piece in _PIECES.split(text):
        if len(piece.rstrip()) <= room:
            pieces.append(piece)
            continue
        for part in breakable(piece):
            step = max(room, 1)
            pieces += [part[i : i + step] for i in range(0, len(part), step)]
    return pieces


# --- shares of the width --------------------------------------------------------------

# Room for the longest piece of a name that is not broken.
NARROWEST = 12.8


def share_out(
    natural: Sequence[float],
    wrapped: set[int],
    room: float,
    gap: float,
    weights: Sequence[float] = (),
) -> list[float] | None:
    """Return the part of the room every wrapped column takes, 0 elsewhere; None where none fits.

    Columns that are not wrapped are as wide as they are. The others share what is left, evenly or
    by weight; what a narrow one does not need goes to the others.

    Args:
        natural: Width of each column on one line, in em.
        wrapped: Columns whose cells may have several lines.
        room: Width that is there, in em.
        gap: Space between two columns, in em.
        weights: Of each column; none where all are alike.
    """
    left = room - gap * (len(natural) - 1)
    left -= sum(width for column, width in enumerate(natural) if column not in wrapped)
    shares = [0.0] * len(natural)
    if sum(min(natural[column], NARROWEST) for column in wrapped) > left:
        return None
    if sum(natural[column] for column in wrapped) <= left:
        return shares
    weigh = weights or [1.0] * len(natural)
    waiting = sorted(wrapped, key=lambda column: natural[column] / weigh[column])
    for place, column in enumerate(waiting):
        rest = waiting[place:]
        least = min(natural[column], NARROWEST)
        most = left - sum(min(natural[other], NARROWEST) for other in rest[1:])
        own = left * weigh[column] / sum(weigh[other] for other in rest)
        width = min(natural[column], most, max(least, own))
        shares[column] = width / room
        left -= width
    return shares


# --- parts of a long table ------------------------------------------------------------

Part = tuple[int, int]


def split_rows(rows: Sequence[float], most: float, first: float = math.inf) -> tuple[Part, ...]:
    """Part a table into pieces of at most `most` lines; (first row, last row + 1) of each.

    The pieces are about as high as each other, so that none is a row or two. Where there are
    several, the first has at most `first` lines, to stand below another table of its page.

    Args:
        rows: Height of each row in lines.
        most: Lines that a page holds.
        first: Lines that are left for the first piece.

    Example:
        >>> split_rows([1, 1, 1, 1, 1, 1], 4), split_rows([1, 1, 1, 1, 1, 1], 4, 2)
        (((0, 3), (3, 6)), ((0, 2), (2, 6)))
    """
    if first >= most or sum(rows) <= most:
        return _even_parts(rows, most, 0)
    within = takewhile(lambda used: used <= first, accumulate(rows))
    start = max(1, sum(1 for _ in within))
    return ((0, start), *_even_parts(rows[start:], most, start))


def _even_parts(rows: Sequence[float], most: float, offset: int) -> tuple[Part, ...]:
    """Part rows evenly; `offset` rows stand before them."""
    count = math.ceil(sum(rows) / max(most, 1.0))
    target = sum(rows) / count if count else 0.0
    starts, used = [0], 0.0
    for index, height in enumerate(rows):
        if used + height > min(target * 1.05, most) and len(starts) < count and index > starts[-1]:
            starts.append(index)
            used = 0.0
        used += height
    return tuple((offset + start, offset + stop) for start, stop in pairwise([*starts, len(rows)]))


# --- words as they are drawn ----------------------------------------------------------

Spelling = Callable[[str], str]
"""Names the characters that a font lacks, by their code points."""


def drawn_table(table: doc.Table, spelling: Spelling) -> doc.Table:
    """Return a table in which every character that cannot be drawn is named by its code point."""
    columns = tuple(
        replace(column, title=_drawn(column.title, spelling), group=_drawn(column.group, spelling))
        for column in table.columns
    )
    rows = tuple(
        replace(row, cells=tuple(_drawn(cell, spelling) for cell in row.cells))
        for row in table.rows
    )
    return replace(table, columns=columns, rows=rows)


def _drawn(text: doc.Text, spelling: Spelling) -> doc.Text:
    """Return a text as it is drawn.

    Example:
        >>> _drawn(("a \u65e5",), lambda text: text.replace("\u65e5", "[U+65E5]"))
        ('a [U+65E5]',)
    """
    return tuple(_node(node, spelling) for node in text)


def _node(node: doc.Inline, spelling: Spelling) -> doc.Inline:
    match node:
        case str():
            return node if node.isascii() else spelling(clean(node))
        case doc.Code(text):
            return node if text.isascii() else doc.Code(spelling(clean(text)))
        case doc.Emphasis(content) | doc.Strong(content) | doc.Link(content):
            return replace(node, content=_drawn(content, spelling))
    return node


# --- the layout -----------------------------------------------------------------------

# Width of the text in points (A4 with margins of 25 mm).
TEXT_WIDTH = 453.5
_LONG = 0.62
_SAFETY = 1.02
_TALLER = 2.2
_LOOSE = 0.2
# Widths in em of columns below long names, where the page has room for them.
_ROOMY = (8.0, 12.0, 16.0, 20.0)
# A broken head may be this much wider than what stands below it.
_LAX = 1.15


@record(kw_only=False)
class _Size:
    """A font size with the gap between columns that goes with it, in points.

    Small fonts of the Computer Modern family are drawn wider: `em` is one em.
    """

    points: float
    em: float
    gap: float = 12.0


_SIZES = (_Size(10, 10), _Size(9, 9.25), _Size(8, 8.5, 10))
_CROWDED = (_SIZES[1], _SIZES[2], _Size(7, 8, 9))
_TINY = (_Size(6, 7.35, 7), _Size(5, 6.85, 5))

MARKS = "\u2020\u2021*"

Halves = tuple[tuple[str, str], ...]


@record
class ColumnLayout:
    """How one column is set.

    Attributes:
        align: `"left"`, `"center"`, `"right"` or `"decimal"`.
        share: Part of the text width a wrapped column takes; 0 for a column set as wide as
            it is.
        letters: Letters of typewriter face in a line of a wrapped column.
        boxes: For decimal columns, width in em before and after the point of each of the
            numbers in a cell (one, or two around ±).
        head: Lines of the head.
    """

    align: str
    share: float = 0.0
    letters: int = 0
    boxes: tuple[tuple[float, float], ...] = ()
    head: tuple[doc.Text, ...] = ()


@record
class Span:
    """A head of some lines above neighbouring columns `start` to `stop - 1`."""

    lines: tuple[doc.Text, ...]
    start: int
    stop: int


@record
class TableLayout:
    """How a table is set.

    Attributes:
        columns: One layout a column.
        spans: Heads above columns, with empty texts between; empty without groups.
        size: Font size in points.
        gap: Space between columns in points.
        lines: Its height in lines of ten points, estimated.
        rows: The same of each row.
        page: Lines of ten points that a page holds.
    """

    columns: tuple[ColumnLayout, ...]
    spans: tuple[Span, ...]
    size: float
    gap: float
    lines: float
    rows: tuple[float, ...]
    page: float

    @property
    def long(self) -> bool:
        """True where the table would take most of a page, and may run over pages."""
        return self.lines > _LONG * self.page

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


@record
class Room:
    """What a table is fitted into.

    Attributes:
        width: In points.
        lines: Lines of ten points that a page holds.
        largest: Size of the largest type, in points.
    """

    width: float = TEXT_WIDTH
    lines: float = 58.0
    largest: float = 10.0


def lay_out(table: doc.Table, ruler: Ruler, room: Room | None = None) -> TableLayout:
    """Choose size, wrapping and boxes so that the table fits the room.

    Of the ways that fit, the one that takes the least height is taken; a smaller font has to
    save clearly more than it costs the reader.
    """
    fitter = _Fitter(table, ruler, room or Room())
    return fitter.comfortable() or fitter.crowded()


def lay_out_on(table: doc.Table, ruler: Ruler, page: Page) -> tuple[TableLayout, bool]:
    """Lay a table out on a page; the flag tells whether it spans two columns.

    It spans them where it does not fit one without being crowded, or would be much higher there.
    """
    rooms = [
        Room(width=width * POINTS, lines=page.lines, largest=min(10, page.size - 1))
        for width in (page.text, page.column)
    ]
    whole = lay_out(table, ruler, rooms[0])
    narrow = _Fitter(table, ruler, rooms[1]).comfortable() if page.columns > 1 else whole
    if narrow is None or narrow.lines > _TALLER * whole.lines:
        return whole, True
    return narrow, False


def _cost(size: float) -> float:
    return 1 + 0.27 * (10 - size)


_Heads = Sequence[tuple[doc.Text, ...]]


class _Fitter:
    """Tries sizes and wrappings of one table; every cell is measured once."""

    def __init__(self, table: doc.Table, ruler: Ruler, room: Room) -> None:
        self.table, self.ruler, self.room = table, ruler, room
        self.boxes = [
            _boxes(table, index, ruler) if column.align == "decimal" else ()
            for index, column in enumerate(table.columns)
        ]
        self.cells = [[ruler.width(cell) for cell in row.cells] for row in table.rows]
        self.body = [self._body_width(index) for index in range(len(table.columns))]
        self.amounts = [1.0 + sum(column) for column in zip(*self.cells, strict=True)]
        whole: _Heads = [(column.title,) for column in table.columns]
        pairs = zip(table.columns, self.body, strict=True)
        self.heads = (whole, [_broken_head(column.title, width) for column, width in pairs])
        self.narrow = self._named(0.0)
        self.wide = {i for i, column in enumerate(table.columns) if column.wide}

    def comfortable(self) -> TableLayout | None:
        """Return the lowest layout of the usual sizes that wraps nothing but prose, if one fits."""
        sizes = [size for size in _SIZES if size.points <= self.room.largest]
        tried = [self._try(size, head, self.wide) for size in sizes for head in self.heads]
        names = [self.narrow, *map(self._named, _ROOMY)]
        named = [self._try(size, heads, self.wide) for size in sizes for heads in names]
        return _lowest(tried) or _lowest(named)

    def crowded(self) -> TableLayout:
        """Return a layout with wrapped names; tiny type where nothing else fits."""
        columns = enumerate(self.table.columns)
        prose = {i for i, c in columns if c.align == "left" and self.body[i] > NARROWEST}
        tries = [self._try(size, self.heads[1], self.wide | prose) for size in _CROWDED]
        sizes = (*_CROWDED, *_TINY)
        small = (self._try(size, self.narrow, self.wide | prose) for size in sizes)
        found = _lowest(tries) or next((layout for layout in small if layout), None)
        return found or self._layout(_TINY[-1], self.narrow, self.body, [0.0] * len(self.body))

    def _named(self, least: float) -> _Heads:
        """Return heads whose names are broken, in lines of at least so many em."""
        pairs = zip(self.heads[1], self.body, strict=True)
        return [_broken_names(lines, max(width, least)) for lines, width in pairs]

    def _try(self, size: _Size, heads: _Heads, wrapped: set[int]) -> TableLayout | None:
        """Return the layout of one choice of size, heads and wrapped columns, if it fits."""
        widths = [max(self.ruler.width(line) for line in head) for head in heads]
        room, gap = self.room.width / size.em, size.gap / size.em
        own = [max(pair) for pair in zip(self.body, widths, strict=True)]
        natural = [width * _SAFETY for width in _under_spans(self.table, own, gap)]
        shares = share_out(natural, wrapped, room, gap)
        if shares is None:
            return None
        layout = self._layout(size, heads, natural, shares)
        if sum(map(bool, shares)) < 2:
            return layout
        by_text = share_out(natural, wrapped, room, gap, self.amounts)
        other = self._layout(size, heads, natural, by_text or shares)
        return other if other.lines < layout.lines else layout

    def _layout(
        self, size: _Size, heads: _Heads, natural: Sequence[float], shares: Sequence[float]
    ) -> TableLayout:
        ems = [share * self.room.width / size.em for share in shares]
        widths = [em or width for em, width in zip(ems, natural, strict=True)]
        spans = _spans(self.table, widths, size.gap / size.em)
        columns = tuple(
            ColumnLayout(
                align=column.align,
                share=shares[i],
                letters=letters_in(ems[i]),
                boxes=self.boxes[i],
                head=heads[i],
            )
            for i, column in enumerate(self.table.columns)
        )
        loose = _LOOSE if any(shares) else 0.0
        lines = [self._lines_of(index, ems) + loose for index in range(len(self.cells))]
        head = max((len(column.head) for column in columns), default=0)
        head += max((len(span.lines) for span in spans), default=0)
        return TableLayout(
            columns=columns,
            spans=spans,
            size=size.points,
            gap=size.gap,
            lines=(sum(lines) + head) * size.points / 10,
            rows=tuple(line * size.points / 10 for line in lines),
            page=self.room.lines,
        )

    def _lines_of(self, index: int, ems: Sequence[float]) -> int:
        """Estimate how many lines a row takes; `ems` holds 0 where a column is not wrapped."""
        cells = zip(self.table.rows[index].cells, self.cells[index], ems, strict=True)
        return max((_lines_in(*cell) for cell in cells if cell[2]), default=1)

    def _body_width(self, index: int) -> float:
        boxes = self.boxes[index]
        widths = [sum(map(sum, boxes)) + 1.3 * (len(boxes) - 1)] if boxes else [0.0]
        for row, cells in zip(self.table.rows, self.cells, strict=True):
            widths.append(cells[index] * (BOLD if row.kind == "summary" else 1.0))
        return max(widths)


def _lowest(layouts: Sequence[TableLayout | None]) -> TableLayout | None:
    found = [layout for layout in layouts if layout]
    return min(found, key=lambda layout: layout.lines * _cost(layout.size), default=None)


def _lines_in(cell: doc.Text, width: float, room: float) -> int:
    """Return how many lines a cell takes in a wrapped column."""
    match cell:
        case (doc.Code(text),):
            return len(path_lines(text, letters_in(room)))
    return math.ceil(width / room)


def _boxes(table: doc.Table, index: int, ruler: Ruler) -> tuple[tuple[float, float], ...]:
    """Return the widest halves of the numbers of a column, in em."""
    boxes: list[tuple[float, float]] = []
    cells = [ruler.print_text(row.cells[index]) for row in table.rows]
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


def is_bold(row: doc.TableRow, cell: doc.Text) -> bool:
    """Tell whether a cell is set in bold."""
    return row.kind == "summary" or any(isinstance(node, doc.Strong) for node in cell)


def _broken_head(title: doc.Text, width: float) -> tuple[doc.Text, ...]:
    """Break a head of plain words into lines not much wider than the column's body."""
    if len(title) != 1 or not isinstance(title[0], str):
        return (title,)
    words = title[0].split(" ")
    target = _LAX * max([width, *(width_of_string(word) for word in words)])
    lines = [words[0]] if words else [""]
    for word in words[1:]:
        longer = f"{lines[-1]} {word}"
        if width_of_string(longer) <= target:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple((line,) for line in lines)


def _under_spans(table: doc.Table, widths: Sequence[float], gap: float) -> list[float]:
    """Widen the last column below each head that has a word wider than its columns."""
    carrying = list(widths)
    for span in _spans(table, widths, gap):
        room = sum(widths[span.start : span.stop]) + gap * (span.stop - span.start - 1)
        words = [line[0] for line in span.lines if len(line) == 1 and isinstance(line[0], str)]
        widest = max(map(width_of_string, words), default=0.0)
        carrying[span.stop - 1] += max(0.0, widest - room)
    return carrying


def _broken_names(lines: tuple[doc.Text, ...], width: float) -> tuple[doc.Text, ...]:
    """Break the lines of a head that are long names, such as a path, where a name may end."""
    broken: list[doc.Text] = []
    for line in lines:
        match line:
            case (str(name),) if width_of_string(name) > width:
                broken += [(part,) for part in _joined(breakable(name), width)]
            case _:
                broken.append(line)
    return tuple(broken)


def _joined(pieces: Sequence[str], width: float) -> list[str]:
    """Put pieces of a name on lines of a width; a piece that is wider has a line of its own."""
    lines = [""]
    for piece in pieces:
        if lines[-1] and width_of_string(lines[-1] + piece) > width:
            lines.append(piece)
        else:
            lines[-1] += piece
    return lines


def _spans(table: doc.Table, widths: Sequence[float], gap: float) -> tuple[Span, ...]:
    """Return the heads above columns, broken so that they are not wider than these are."""
    if not any(column.group for column in table.columns):
        return ()
    spans = []
    start = 0
    for text, members in groupby(table.columns, key=lambda column: column.group):
        stop = start + len(list(members))
        room = sum(widths[start:stop]) + gap * (stop - start - 1)
        lines = _broken_names(_broken_head(text, room / _LAX), room)
        spans.append(Span(lines=lines, start=start, stop=stop))
        start = stop
    return tuple(spans)
