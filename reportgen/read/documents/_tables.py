"""What all tables share, however their cells were found: values, heads, repeats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from reportgen.read.documents._cut import cell_of
from reportgen.read.documents._vocabulary import MARKS, UNITS
from reportgen.records.manuscript import Block, Cell, Line

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


def is_mark(text: str) -> bool:
    """Say whether a cell says that there is no value, or ticks something off."""
    return text.strip("$ ").lower() in MARKS


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
    """Say whether a row belongs to the body: values, marks of missing ones, nothing at all."""
    return any(is_value(cell.text) or is_mark(cell.text) for cell in row[1:]) or not any(
        cell.text for cell in row
    )


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
