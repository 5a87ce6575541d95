"""Tables whose columns are kept apart by blanks alone, as `pdftotext -layout` prints them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from reportgen.manuscripts._cut import cell_of
from reportgen.manuscripts._pipes import is_rule
from reportgen.manuscripts._shapes import is_blank
from reportgen.manuscripts._tables import Row, is_value, repeat
from reportgen.records.manuscript import Cell, Line

Interval = tuple[int, int]

_GAP = re.compile(r"\s{2,}|\t")
_LONG_CELL = 12
"""Words from which on a cell is running text."""
_MOST_COLUMNS = 60


def intervals(text: str) -> list[Interval]:
    """Return where the pieces of a line begin and end that two blanks or more separate.

    Example:
        >>> intervals("  Random    67.5%   68 %")
        [(2, 8), (12, 17), (20, 24)]
    """
    body = text.rstrip()
    start = len(body) - len(body.lstrip())
    found: list[Interval] = []
    for gap in _GAP.finditer(body, start):
        if gap.start() > start:
            found.append((start, gap.start()))
        start = gap.end()
    if start < len(body):
        found.append((start, len(body)))
    return found


def is_row(text: str) -> bool:
    """Say whether a line looks like a row: several short pieces."""
    pieces = intervals(text)
    if not 1 < len(pieces) <= _MOST_COLUMNS:
        return False
    return all(text[a:b].count(" ") < _LONG_CELL for a, b in pieces)


def reach(lines: Sequence[Line], start: int) -> tuple[int, bool]:
    """Return the index behind the rows that begin at a line, and whether they are a table.

    One blank line between two rows, a drawn rule and a short line of one piece (the name of
    the rows below it) belong to the table.
    """
    rows, end, i, loose = 0, start, start, 0
    edge = 0
    while i < len(lines):
        text = lines[i].text
        if is_rule(text):
            end = i + 1
        elif is_row(text):
            rows, end, loose = rows + 1, i + 1, 0
            edge = max(edge, len(text.rstrip()))
        elif is_blank(text):
            loose += 1
        elif not _may_name_rows(text, edge):
            break
        else:
            loose += 1
        if loose > 2 or lines[i].page != lines[start].page:
            break
        i += 1
    return end, rows > 1 and _is_table(lines[start:end])


def _is_cells(text: str) -> bool:
    return is_row(text) and not is_rule(text)


def _may_name_rows(text: str, edge: int) -> bool:
    """Say whether a line of one piece may stand inside a table (or, with no edge, above)."""
    words = text.split()
    inside = not edge or len(text.rstrip()) <= edge
    return inside and len(words) <= 6 and not text.rstrip().endswith((".", ":", ","))


def _is_table(lines: Sequence[Line]) -> bool:
    """Say whether rows have values below each other, apart from their first piece."""
    rows = [(line.text, intervals(line.text)) for line in lines if _is_cells(line.text)]
    columns: list[list[Interval]] = [
        [(a, b) for a, b in pieces[1:] if is_value(text[a:b])] for text, pieces in rows
    ]
    with_values = [found for found in columns if found]
    if len(with_values) < 2:
        # One row of values is a table where another row (its heads) has as many pieces.
        sizes = [len(pieces) for _, pieces in rows]
        one = next((len(p) for (_, p), found in zip(rows, columns, strict=True) if found), 0)
        return one > 2 and sizes.count(one) + sizes.count(one - 1) > 1
    aligned = sum(
        any(_overlap(one, other) > 0 for one in upper for other in lower)
        for upper, lower in pairwise(with_values)
    )
    return aligned * 2 >= len(with_values) - 1


def _overlap(one: Interval, other: Interval) -> int:
    """Return by how many columns two intervals overlap; touching with one blank between counts."""
    return min(one[1], other[1]) - max(one[0], other[0]) + 1


def aligned_rows(lines: Sequence[Line]) -> tuple[Row, ...]:
    """Return the cells of a table's lines; blank lines and drawn rules give no row."""
    rows = [
        (line, intervals(line.text))
        for line in lines
        if not is_blank(line.text) and not is_rule(line.text)
    ]
    columns = _columns(rows)
    return tuple(_place(line, pieces, columns) for line, pieces in rows)


def _columns(rows: Sequence[tuple[Line, list[Interval]]]) -> list[Interval]:
    """Return the columns: what rows with values cover together."""
    body = [
        pieces
        for line, pieces in rows
        if len(pieces) > 1 and any(is_value(line.text[a:b]) for a, b in pieces[1:])
    ]
    body = body or [pieces for _, pieces in rows if len(pieces) > 1]
    merged: list[Interval] = []
    for start, end in sorted(piece for pieces in body for piece in pieces):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    widest = max(body, key=len, default=[])
    # Cells that drift over each other's columns: trust the row with the most cells.
    return merged if len(merged) >= len(widest) else widest


def _place(line: Line, pieces: Sequence[Interval], columns: Sequence[Interval]) -> Row:
    """Return one row with a cell in every column."""
    held: list[Interval | None] = [None] * len(columns)
    spans: dict[int, int] = {}
    for piece in pieces:
        covered = [i for i, column in enumerate(columns) if _overlap(piece, column) > 1]
        if not covered:
            covered = [min(range(len(columns)), key=lambda i: _distance(piece, columns[i]))]
        free = [i for i in covered if held[i] is None]
        if not free:
            before = held[covered[0]] or piece
            held[covered[0]] = (min(before[0], piece[0]), max(before[1], piece[1]))
            continue
        held[free[0]] = piece
        spans[free[0]] = len(free)
        for i in free[1:]:
            held[i] = piece
    return _cells(line, held, spans, columns)


def _cells(
    line: Line,
    held: Sequence[Interval | None],
    spans: dict[int, int],
    columns: Sequence[Interval],
) -> Row:
    cells: list[Cell] = []
    while len(cells) < len(columns):
        i = len(cells)
        piece = held[i]
        if piece is None:
            at = min(columns[i][0], len(line.text))
            cells.append(Cell(text="", line=line, start=at))
        else:
            cells.extend(repeat(cell_of(line, *piece), spans.get(i, 1)))
    return tuple(cells[: len(columns)])


def _distance(one: Interval, other: Interval) -> float:
    return abs((one[0] + one[1]) - (other[0] + other[1])) / 2
