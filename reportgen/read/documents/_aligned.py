"""Tables whose columns are kept apart by blanks alone, as `pdftotext -layout` prints them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from reportgen.read.documents._cut import cell_of, indent_of
from reportgen.read.documents._shapes import caption_of, heading_of, is_blank
from reportgen.read.documents._tables import Row, is_rule, is_value, repeat
from reportgen.records.manuscript import Cell, Line
from reportgen.records.record import replace

Interval = tuple[int, int]

_GAP = re.compile(r"\s{2,}|\t")
_DIGIT = re.compile(r"\d")
_LONG_CELL = 12
"""Words from which on a cell is running text."""
_MOST_COLUMNS = 60
_MOST_HEAD_LINES = 3
_FAR_IN = 4
"""Characters that a title over columns is set in at least."""
_INSET = 2
"""Characters by which a head may begin beside its first column."""
_BROKEN = ("_", "/")
"""Where a name of a group or a path may be broken in two without a hyphen."""


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

    A drawn rule and a short line of one piece (the name of the rows below it) belong to the
    table; what follows a blank line does where it has values below those above.
    """
    end, i, rows, loose = start, start, 0, 0
    edge, gap = 0, False
    margin: int | None = None
    values: list[Interval] = []
    while i < len(lines) and lines[i].page == lines[start].page and loose <= 2:
        text = lines[i].text
        pieces = intervals(text)
        found = [(a, b) for a, b in pieces if is_value(text[a:b])]
        if is_blank(text):
            loose, gap = loose + 1, True
        elif is_rule(text):
            end = i + 1
        elif text.lstrip()[0] in "|+" or caption_of(text) is not None:
            break
        elif is_row(text):
            if gap and values and not _below(found, values):
                break
            if margin is not None and pieces[0][1] < margin and heading_of(text):
                break
            margin = pieces[0][0] if margin is None else min(margin, pieces[0][0])
            rows, end, loose, gap = rows + 1, i + 1, 0, False
            edge, values = max(edge, len(text.rstrip())), found or values
        elif _may_name_rows(text, edge):
            loose += 1
        else:
            break
        i += 1
    return end, rows > 1 and _is_table(lines[start:end])


def lowest_title(lines: Sequence[Line], start: int) -> int | None:
    """Return the index of the last line of titles that stand above a row, from a line on.

    Above a drawn rule, a blank line in the text of a PDF, they stand over columns behind the first.
    None where no row follows.
    """
    end = start
    while end - start < _MOST_HEAD_LINES and _is_far_in(_text_at(lines, end)):
        end += 1
    row = end + (end > start and is_blank(_text_at(lines, end)))
    return end - 1 if end > start and is_row(_text_at(lines, row)) else None


def _text_at(lines: Sequence[Line], i: int) -> str:
    return lines[i].text if i < len(lines) else ""


def _is_far_in(text: str) -> bool:
    """Say whether a line is one piece that begins far from the margin."""
    return indent_of(text) >= _FAR_IN and not is_blank(text) and not is_row(text)


def _below(found: Sequence[Interval], values: Sequence[Interval]) -> bool:
    """Say whether at least half of a row's values stand below those of the row above."""
    hits = sum(any(_overlap(one, other) > 0 for other in values) for one in found)
    return bool(found) and hits * 2 >= len(found)


def _may_name_rows(text: str, edge: int) -> bool:
    """Say whether a line of one piece may stand inside a table (or, with no edge, above)."""
    words = text.split()
    inside = not edge or len(text.rstrip()) <= edge
    # `Test,` is the beginning of a head in two lines.
    ended = text.rstrip().endswith((".", ":", ",") if edge else (".", ":"))
    return inside and len(words) <= 6 and not ended


def _is_table(lines: Sequence[Line]) -> bool:
    """Say whether rows have values below each other, apart from their first piece."""
    rows = [
        (line.text, intervals(line.text))
        for line in lines
        if is_row(line.text) and not is_rule(line.text)
    ]
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
    body = next((i for i, (line, pieces) in enumerate(rows) if _has_values(line, pieces)), 0)
    columns = _columns(rows)
    placed: list[Row] = []
    for i, (line, pieces) in enumerate(rows):
        below = rows[i + 1][1] if i + 1 < body else ()
        shared = _shared(pieces, columns, below) if i < body else 0
        placed.append(
            _even(line, pieces, columns, shared) if shared else _place(line, pieces, columns)
        )
    return tuple(_unwrapped(placed, body - len(rows) + len(placed)))


def _unwrapped(rows: Sequence[Row], body: int) -> Iterator[Row]:
    """Yield rows with the labels whole that run over into a line of their own."""
    held: Row | None = None
    for i, row in enumerate(rows):
        if held is not None and i > body and _goes_on(held, row):
            held = tuple(
                replace(above, text=_run_on(above.text, cell.text)) if cell.text else above
                for above, cell in zip(held, row, strict=True)
            )
            continue
        if held is not None:
            yield held
        held = row
    if held is not None:
        yield held


def _goes_on(above: Row, row: Row) -> bool:
    """Say whether a row only holds the rest of the words in the cells above it."""
    said = [(one.text, two.text) for one, two in zip(above, row, strict=True) if two.text]
    if not said or not any(is_value(cell.text) for cell in above[1:]):
        return False
    return all(one and not _DIGIT.search(two) and _is_rest(one, two) for one, two in said)


def _is_rest(above: str, text: str) -> bool:
    open_ended = above.endswith(("_", "-", "/", ",")) or above.count("(") > above.count(")")
    return open_ended or text[0].islower()


def _run_on(above: str, text: str) -> str:
    return f"{above}{text}" if above.endswith(_BROKEN) else f"{above} {text}"


def _has_values(line: Line, pieces: Sequence[Interval]) -> bool:
    return any(is_value(line.text[a:b]) for a, b in pieces[1:])


def _shared(
    pieces: Sequence[Interval], columns: Sequence[Interval], below: Sequence[Interval]
) -> int:
    """Return how many columns each head covers where all cover as many, else 0.

    The heads stand over all columns but the first, each over the middle or the beginning of its
    own: the first line of a head that is broken over two stands over the end of them.
    """
    each, left = divmod(len(columns) - 1, len(pieces))
    if each < 2 or left:
        return 0
    for i, (start, end) in enumerate(pieces):
        first, last = columns[1 + i * each], columns[(i + 1) * each]
        aside = _distance((start, end), (first[0], last[1]))
        nearest = min((_distance((start, end), head) for head in below), default=aside)
        if aside > nearest + _INSET and abs(start - first[0]) > _INSET:
            return 0
        if aside > (last[1] - first[0]) / 4 and abs(start - first[0]) > _INSET:
            return 0
    return each


def _even(line: Line, pieces: Sequence[Interval], columns: Sequence[Interval], each: int) -> Row:
    """Return a row of heads that cover as many columns each."""
    cells = [Cell(text="", line=line, start=min(columns[0][0], len(line.text)))]
    for piece in pieces:
        cells.extend(repeat(cell_of(line, *piece), each))
    return tuple(cells)


def _columns(rows: Sequence[tuple[Line, list[Interval]]]) -> list[Interval]:
    """Return the columns: what rows with values cover together."""
    body = [pieces for line, pieces in rows if len(pieces) > 1 and _has_values(line, pieces)]
    body = body or [pieces for _, pieces in rows if len(pieces) > 1]
    merged: list[Interval] = []
    for start, end in sorted(piece for pieces in body for piece in pieces):
        # Cells of two columns have a blank between them; the print of one may be off by one.
        if merged and start <= merged[-1][1]:
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
