"""What all tables share, however their cells were found: values, heads, repeats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby, pairwise, takewhile

from reportgen.read.documents._cut import cell_of, concat
from reportgen.read.documents._vocabulary import UNITS
from reportgen.records.manuscript import Block, Cell, Line
from reportgen.records.record import record, replace

Row = tuple[Cell, ...]

_COMMAND = re.compile(r"\\[A-Za-z]{1,30}")
_WORD = re.compile(r"[^\W\d_]{3,}")
_BEGIN = re.compile(r"[\s$~≈<>≤≥±+\-−–(\[{*|↑↓]*\.?\d")
_TORN_NAME = re.compile(r"\d-\d{1,40}[-_]\d|\d_\d{1,40}-\d")
"""Three numbers joined by dashes: a date or a time, as the names of runs end in them."""
_MOST_CELLS = 400_000


def is_value(text: str) -> bool:
    """Say whether a cell holds a number (with its sign, unit, spread), not words.

    Example:
        >>> [is_value(t) for t in ("79.9%", "80.63 ± 0.68", "Seed 1", "$1e{-}5$", "2.08 GiB", "")]
        [True, True, False, True, True, False]
        >>> is_value("2024_11-53-19")
        False
    """
    plain = _COMMAND.sub(" ", text)
    if not _BEGIN.match(plain) or _TORN_NAME.search(plain):
        return False
    words = _WORD.findall(plain)
    return all(word.lower() in UNITS for word in words)


def is_group(row: Sequence[Cell]) -> bool:
    """Say whether a row names those below it: a text in its first cell and no other.

    Example:
        >>> line = Line(text="Random Model", number=1)
        >>> first, empty = Cell(text="Random Model", line=line), Cell(text="", line=line)
        >>> is_group((first, empty)), is_group((empty, first))
        (True, False)
    """
    texts = {cell.text for cell in row if cell.text}
    return bool(row) and bool(row[0].text) and len(texts) == 1 and not is_value(row[0].text)


def count_heads(rows: Sequence[Row]) -> int:
    """Return how many of a table's first rows are heads, where no syntax tells.

    The first row is one unless it holds values; whole numbers that count up (`Epoch | 1 | 2`)
    are heads as well. More rows follow it as `heads_above` says.
    """
    if _counts_up(rows):
        return 1
    if len(rows) < 2 or _holds_values(rows[0]) or is_group(rows[0]):
        return 0
    return heads_above(rows, 1)


def heads_above(rows: Sequence[Row], head: int) -> int:
    """Return how many heads a table has whose first `head` rows are heads for certain.

    A further row without values belongs to them where its first cell is empty, or where
    the row above left that to it, or covers several columns with one cell.
    """
    while head < len(rows) - 1:
        above, row = rows[head - 1], rows[head]
        refines = not row[0].text or not above[0].text or any(cell.span > 1 for cell in above)
        if not refines or _holds_values(row) or is_group(row):
            break
        head += 1
    return head


def _holds_values(row: Row) -> bool:
    """Say whether a row belongs to the body: values, or nothing at all."""
    return any(is_value(cell.text) for cell in row[1:]) or not any(cell.text for cell in row)


def _counts_up(rows: Sequence[Row]) -> bool:
    """Say whether the first row numbers the columns and the next does not."""

    def numbers(row: Row) -> list[int]:
        texts = [cell.text for cell in row[1:]]
        return [int(t) for t in texts if t.isascii() and t.isdigit() and len(t) < 7]

    if len(rows) < 2 or len(rows[0]) < 3 or is_value(rows[0][0].text):
        return False
    first, second = numbers(rows[0]), numbers(rows[1])
    up = all(a < b for a, b in pairwise(first))
    return len(first) == len(rows[0]) - 1 and up and len(second) < len(first)


def rectangular(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return rows of one length, the short ones filled with empty cells at their end."""
    width = max((len(row) for row in rows), default=0)
    # One endless row must not fill all others.
    width = min(width, max(1, _MOST_CELLS // max(1, len(rows))))
    full: list[Row] = []
    for row in rows:
        last = row[-1]
        blank = Cell(text="", line=last.line, start=last.start + len(last.text))
        full.append((*row[:width], *(blank for _ in range(width - len(row)))))
    return tuple(full)


def _without_empty_ends(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Return rows without the columns behind the last that holds something."""
    width = max((i + 1 for row in rows for i, cell in enumerate(row) if cell.text), default=0)
    return tuple(row[: max(width, 1)] for row in rows)


def repeat(cell: Cell, span: int) -> Row:
    """Return a cell that covers several columns: itself, then repeats of span 0."""
    return (replace(cell, span=span), *(replace(cell, span=0) for _ in range(span - 1)))


def table_block(
    lines: Sequence[Line], rows: Sequence[Row], *, head: int | None = None, caption: str = ""
) -> Block:
    """Return a table; where no syntax says how many heads it has, its cells do."""
    filled = _without_empty_ends(rectangular([row for row in rows if row]))
    return Block(
        type="table",
        lines=tuple(lines),
        rows=filled,
        head=count_heads(filled) if head is None else head,
        caption=caption,
    )


def tab_rows(lines: Sequence[Line]) -> tuple[Row, ...]:
    """Return the cells of lines whose columns are separated by TABs.

    Where the heads lack the empty cell above the row labels, it is put back.
    """
    rows = [_tab_cells(line) for line in lines]
    width = max(len(row) for row in rows)
    used = [max((i + 1 for i, c in enumerate(row) if c.text), default=0) for row in rows]
    body = [i for i, row in enumerate(rows) if any(is_value(c.text) for c in row[1:])]
    if not body:
        return tuple(rows)
    full = max(used[i] for i in body)
    labelled = all(not is_value(rows[i][0].text) for i in body)
    for i in range(body[0]):
        if labelled and len(rows[i]) < width and used[i] == full - 1 > 1 and rows[i][0].text:
            rows[i] = (replace(rows[i][0], text=""), *rows[i])
    return tuple(rows)


def _tab_cells(line: Line) -> Row:
    cells: list[Cell] = []
    start = 0
    for piece in line.text.split("\t"):
        cells.append(cell_of(line, start, start + len(piece)))
        start += len(piece) + 1
    return tuple(cells)


_BARS = "|│┃║"
_RULE = re.compile(r"[\s|│┃║+:=\-─━═┼╪╬├┤╞╡╠╣┌┐└┘┬┴╒╕╘╛╤╧╔╗╚╝╦╩╟╢╫┏┓┗┛┳┻┡┩╇╋┯┷]{3,}")
_DRAWN = re.compile(r"[-─━═=]{2,}|:-+:?|-+:")


def is_rule(text: str) -> bool:
    """Say whether a line only draws a rule of a table.

    Example:
        >>> [is_rule(t) for t in ("| --- | :-: |", "+----+----+", "-----   ----", "| a |", "- 3")]
        [True, True, True, False, False]
    """
    return len(text) < 5000 and bool(_RULE.fullmatch(text)) and bool(_DRAWN.search(text))


def is_delimiter(text: str) -> bool:
    """Say whether a line is the rule that makes a Markdown table of the line above.

    Example:
        >>> is_delimiter("| :--- | ---: |"), is_delimiter("---"), is_delimiter("| a | - |")
        (True, False, False)
    """
    pieces = [text[a:b].strip() for a, b in pipe_intervals(text)]
    drawn = all(piece.strip(":") and not piece.strip(":").strip("-") for piece in pieces)
    return "|" in text and bool(pieces) and drawn and "-" in text


def pipe_intervals(text: str) -> list[tuple[int, int]]:
    r"""Return where the cells of a line begin and end; `\|` does not end one.

    Example:
        >>> pipe_intervals(r"| a | b \| c |")
        [(1, 4), (5, 13)]
    """
    body = text.rstrip()
    start = len(body) - len(body.lstrip())
    if body[start : start + 1] and body[start] in _BARS:
        start += 1
    found: list[tuple[int, int]] = []
    escaped = False
    for i in range(start, len(body)):
        if body[i] in _BARS and not escaped:
            found.append((start, i))
            start = i + 1
        escaped = body[i] == "\\" and not escaped
    if start < len(body):
        found.append((start, len(body)))
    return found


def is_pipe_row(text: str) -> bool:
    """Say whether a line may be a row: it begins with a bar, or has one inside."""
    body = text.strip()
    return body[:1] in {*_BARS} or any(bar in body for bar in _BARS)


def pipe_reach(texts: Sequence[str]) -> tuple[int, bool]:
    """Return how many of the first lines are drawn with bars, and whether they are a table.

    A table has a rule below its heads, or two rows and more that begin with a bar or have
    equal numbers of cells with values among them.
    """
    block = list(takewhile(lambda text: is_pipe_row(text) or is_rule(text), texts))
    rows = [found for text in block if not is_rule(text) and (found := pipe_intervals(text))]
    if len(rows) > 1 and not any(is_delimiter(text) for text in block[1:2]):
        opened = all(text.lstrip()[:1] in {*_BARS, "+"} or is_rule(text) for text in block)
        same = len({len(row) for row in rows}) == 1 and len(rows[0]) > 1
        values = any(is_value(t[a:b].strip()) for t in block for a, b in pipe_intervals(t)[1:])
        return len(block), opened or (same and values)
    return len(block), len(rows) > 1


def pipe_rows(lines: Sequence[Line]) -> tuple[Row, ...]:
    """Return the cells of a table's lines, without those that only draw rules."""
    return tuple(
        tuple(cell_of(line, a, b) for a, b in pipe_intervals(line.text))
        for line in lines
        if not is_rule(line.text) and pipe_intervals(line.text)
    )


MOST_SPANNED = 100
_BAR = " | "


@record
class Spanned:
    """One cell as its markup tells it.

    Attributes:
        line: Its clean text, without blanks at its ends.
        columns: Columns it covers.
        rows: Rows it covers.
        head: Whether it is marked as a head.
    """

    line: Line
    columns: int = 1
    rows: int = 1
    head: bool = False


def spanned_table(
    rows: Sequence[Sequence[Spanned]],
    *,
    head: int | None = None,
    caption: str = "",
    held_open: bool = False,
) -> Block | None:
    """Return a table of cells, or None where there are none.

    The cells of a row that stand in one line of the file come to one line of the block, with
    bars between them.

    Args:
        rows: The cells as they are written, row by row.
        head: How many rows are heads; None where their cells tell.
        caption: Text of the caption.
        held_open: Whether the place below a cell over several rows is written, and empty
            (LaTeX), or left out (HTML).
    """
    lines: list[Line] = []
    grid: list[Row] = []
    carried: dict[int, tuple[Cell, int]] = {}
    for row in rows:
        if not row:
            continue
        row_lines, cells = _laid_out(row)
        lines.extend(row_lines)
        grid.append(_with_carried(row, cells, carried, held_open=held_open))
    if not any(cell.text for row in grid for cell in row):
        return None
    return table_block(lines, rectangular(grid), head=head, caption=caption)


def _laid_out(row: Sequence[Spanned]) -> tuple[list[Line], list[Cell]]:
    """Return the lines of a row, and its cells as pieces of them."""
    lines: list[Line] = []
    cells: list[Cell] = []
    for _, run in groupby(row, key=lambda cell: (cell.line.file, cell.line.number)):
        pieces = [cell.line for cell in run]
        line = concat(pieces, _BAR)
        lines.append(line)
        start = 0
        for piece in pieces:
            cells.append(Cell(text=piece.text, line=line, start=start))
            start += len(piece.text) + len(_BAR)
    return lines, cells


def _with_carried(
    row: Sequence[Spanned],
    cells: Sequence[Cell],
    carried: dict[int, tuple[Cell, int]],
    *,
    held_open: bool,
) -> Row:
    """Return a row with the cells that reach into it from above."""
    full: list[Cell] = []

    def take_carried() -> None:
        while len(full) in carried:
            cell, left = carried.pop(len(full))
            if left > 1:
                carried[len(full)] = (cell, left - 1)
            full.append(cell)

    for cell, told in zip(cells, row, strict=True):
        if not held_open:
            take_carried()
        elif not cell.text and len(full) in carried and told.columns == 1:
            above, left = carried.pop(len(full))
            if left > 1:
                carried[len(full)] = (above, left - 1)
            full.append(above)
            continue
        columns = max(1, min(told.columns, MOST_SPANNED))
        if told.rows > 1:
            below = replace(cell, span=0)
            for at in range(len(full), len(full) + columns):
                carried[at] = (below, min(told.rows, MOST_SPANNED) - 1)
        full.extend(repeat(cell, columns))
    if not held_open:
        take_carried()
    return tuple(full)
