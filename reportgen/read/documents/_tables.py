"""What all tables share, however their cells were found: values, heads, repeats."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise, takewhile

from reportgen.read.documents._cut import cell_of, concat, indent_of
from reportgen.read.documents._shapes import caption_of, heading_of, is_blank
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
    """Say whether a line may be a row: it has a bar."""
    return "|" in text or "│" in text or "┃" in text or "║" in text


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


# Tables whose columns are kept apart by blanks alone, as `pdftotext -layout` prints them.

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
    # Of white space, only the blank can be printed.
    single = body.find("  ", start) < 0 and body.isprintable()
    for gap in () if single else _GAP.finditer(body, start):
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
