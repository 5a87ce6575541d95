"""Cells that a markup tells one by one, with what they span, laid out as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from reportgen.read.documents._cut import concat
from reportgen.read.documents._tables import Row, rectangular, repeat, table_block
from reportgen.records.manuscript import Block, Cell, Line

MOST_SPANNED = 100
_BAR = " | "


@dataclass(frozen=True, slots=True, kw_only=True)
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
