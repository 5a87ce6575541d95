"""Tables of LaTeX: rows and cells, what spans, which rows are heads."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportgen.read.documents._cut import concat, joined, strip
from reportgen.read.documents._tables import (
    MOST_SPANNED,
    Spanned,
    count_heads,
    heads_above,
    is_value,
    spanned_table,
)
from reportgen.read.documents._tex_inline import Inline
from reportgen.read.documents._vocabulary import MIDDLE_RULES, TABLE_HEADS
from reportgen.records.manuscript import Block, Line
from reportgen.records.record import field, record, replace

_TOKEN = re.compile(r"\\(?:([A-Za-z@]{1,60})\*?|(.))|[{&]", re.DOTALL)
_COLUMNS = re.compile(r"\\multicolumn\s{0,3}\{\s{0,3}(\d{1,3})\s{0,3}\}")
_ROWS = re.compile(r"\\multirow\s{0,3}(?:\[[^\]]{0,20}\])?\s{0,3}\{\s{0,3}(-?\d{1,3})\*?\s{0,3}\}")
_SET_CELL = re.compile(r"\\SetCell\s{0,3}\[([^\]]{0,80})\]")
_SIZE = re.compile(r"\b([rc])\s{0,3}=\s{0,3}(\d{1,3})")
_WIDE = frozenset({"tabular*", "tabularx", "tabulary", "xltabular", "NiceTabularX", "NiceTabular*"})
_ROW_END = frozenset({"tabularnewline", "cr"})


@record(kw_only=False, frozen=False)
class Rows:
    """The cells of a table, by where they stand.

    Attributes:
        rows: Start and end of each cell.
        rules: Before which row a rule is drawn.
        marks: Before which row a heading of a long table ends.
        captions: Start and end of the captions inside.
    """

    rows: list[list[tuple[int, int]]] = field(default_factory=list)
    rules: list[int] = field(default_factory=list)
    marks: dict[str, int] = field(default_factory=dict)
    captions: list[tuple[int, int]] = field(default_factory=list)


def tex_table(
    inline: Inline, name: str, start: int, end: int
) -> tuple[Block | None, list[tuple[int, int]]]:
    """Return a table, and where the captions inside it stand.

    Args:
        inline: What renders the cells.
        name: The environment.
        start: Position behind its `begin`.
        end: Position of its `end`.
    """
    at = inline.behind_options(start)
    if name in _WIDE:
        at = inline.skip(at, 1)
    columns = inline.stream.group(at) or inline.stream.group(inline.stream.text.find("{", at, end))
    between: dict[int, Line] = {}
    if columns is not None and columns[2] <= end:
        at = inline.behind_options(columns[2]) if name.startswith("Nice") else columns[2]
        if not name.startswith(("tblr", "longtblr", "talltblr")):
            between = separators(inline, columns[0], columns[1])
    found = _rows(inline, at, end)
    kept = _kept(found)
    cells = [[_cell(inline, a, b) for a, b in found.rows[i]] for i in kept]
    if between:
        cells = [_merged(row, between) for row in cells]
    shown = [i for i, row in enumerate(cells) if any(cell.line.text for cell in row)]
    cells = [cells[i] for i in shown]
    rules = [sum(kept[i] < rule for i in shown) for rule in found.rules]
    table = spanned_table(cells, held_open=True)
    if table is not None:
        table = replace(table, head=_heads(table, rules))
    return table, found.captions


def _rows(inline: Inline, at: int, end: int) -> Rows:
    """Return where the cells of a table stand."""
    stream = inline.stream
    found = Rows()
    row: list[tuple[int, int]] = []
    start = at
    while (token := _TOKEN.search(stream.text, at, end)) is not None:
        at = token.end()
        if token[0] == "{":
            at = min(stream.braces.get(token.start(), token.start()) + 1, end)
        elif token[0] == "&":
            row.append((start, token.start()))
            start = at
        elif token[2] == "\\" or token[1] in _ROW_END:
            row.append((start, token.start()))
            found.rows.append(row)
            row, start = [], inline.behind_options(at + stream.text.startswith("*", at))
            at = start
        elif token[1] == "begin" and token.start() in stream.environments:
            at = min(stream.environments[token.start()][1], end)
        elif token[1] == "caption":
            group = stream.group(inline.behind_options(at))
            if group:
                found.captions.append((group[0], group[1]))
                at = start = min(group[2], end)
        elif token[1] in MIDDLE_RULES and not row:
            found.rules.append(len(found.rows))
        elif token[1] in TABLE_HEADS and not row:
            found.marks[token[1]] = len(found.rows)
    row.append((start, end))
    found.rows.append(row)
    return found


def _kept(found: Rows) -> list[int]:
    """Return which rows are shown once: a long table repeats its heads and feet."""
    first, head = found.marks.get("endfirsthead"), found.marks.get("endhead")
    feet = [found.marks[name] for name in ("endfoot", "endlastfoot") if name in found.marks]
    begins = max([*(mark for mark in (first, head) if mark is not None), 0])
    dropped: set[int] = set()
    if first is not None and head is not None:
        dropped |= set(range(min(first, head), max(first, head)))
    if feet:
        dropped |= set(range(begins, max(feet)))
    return [i for i in range(len(found.rows)) if i not in dropped]


def _cell(inline: Inline, start: int, end: int) -> Spanned:
    """Return one cell, clean, with what it spans."""
    text = inline.stream.text[start : min(end, start + 2000)]
    columns, rows = _COLUMNS.search(text), _ROWS.search(text)
    sizes = dict(_SIZE.findall(set_cell[1])) if (set_cell := _SET_CELL.search(text)) else {}
    lines = inline.render(start, end).lines()
    if not lines:
        index = inline.origin.index(inline.stream.places[min(start, len(inline.stream.places) - 1)])
        lines = [replace(inline.origin.lines[index], text="", columns=())]
    return Spanned(
        line=joined(lines),
        columns=min(int(columns[1]) if columns else int(sizes.get("c", 1)), MOST_SPANNED),
        # A negative number reaches up, which a bottom-set label of a group does: as it stands.
        rows=max(1, min(int(rows[1]) if rows else int(sizes.get("r", 1)), MOST_SPANNED)),
    )


def _merged(row: Sequence[Spanned], between: dict[int, Line]) -> list[Spanned]:
    """Return a row whose columns with a sign between them (`r@{ ± }l`) are one cell."""
    done: list[Spanned] = []
    column = 0
    for cell in row:
        sign = between.get(column)
        last = done[-1] if done else None
        if sign is not None and last is not None and last.columns == cell.columns == 1:
            one_line = last.line.number == cell.line.number and last.line.file == cell.line.file
            if last.line.text and cell.line.text and one_line:
                done[-1] = replace(last, line=concat([last.line, cell.line], sign.text))
            elif cell.line.text:
                # They stand in two lines of the file.
                before = replace(
                    sign, text=sign.text.strip(), number=last.line.number, file=last.line.file
                )
                done[-1] = replace(last, line=joined([last.line, before, cell.line]))
        else:
            # What spans merged columns covers fewer of them.
            inner = sum(column < at < column + cell.columns for at in between)
            done.append(replace(cell, columns=max(1, cell.columns - inner)))
        column += cell.columns
    return done


def _heads(table: Block, rules: Sequence[int]) -> int:
    """Return how many rows are heads: those above the first rule inside, if it says so."""
    counted = count_heads(table.rows)
    ruled = next((rule for rule in rules if 0 < rule < len(table.rows)), 0)
    above = [cell.text for row in table.rows[:ruled] for cell in row[1:]]
    if not ruled or ruled > 4 or any(is_value(text) and not text.isdigit() for text in above):
        return counted
    return heads_above(table.rows, ruled)


_MOST_COLUMNS = 200
_WITH_ARGUMENT = frozenset("pmbPMBw")


def separators(inline: Inline, start: int, end: int) -> dict[int, Line]:
    r"""Return the texts set between columns, by the column behind them: `r@{\,$\pm$\,}l`.

    Args:
        inline: What renders them.
        start: Where the description of the columns begins.
        end: Where it ends.
    """
    text = inline.stream.text
    found: dict[int, Line] = {}
    column, at = 0, start
    while at < end and column < _MOST_COLUMNS:
        char = text[at]
        at += 1
        if char in "@!" and (group := inline.stream.group(at)):
            lines = inline.render(group[0], group[1]).lines()
            sign = strip(lines[0]) if lines else None
            if sign is not None and sign.text and column:
                spaced = sign.text if sign.text == "." else f" {sign.text} "
                found[column] = Line(text=spaced, number=sign.number, file=sign.file)
            at = group[2]
        elif char in "><*" or char in _WITH_ARGUMENT:
            group = inline.stream.group(at)
            repeats = text[group[0] : group[1]].strip() if group and char == "*" else ""
            at = group[2] if group else at
            if repeats.isascii() and repeats.isdigit() and (body := inline.stream.group(at)):
                # A repeated description holds no sign worth having; only its width counts.
                letters = sum(c.isalpha() for c in text[body[0] : body[1]])
                column += min(int(repeats[:3]), _MOST_COLUMNS) * max(letters, 1)
                at = body[2]
            elif char in _WITH_ARGUMENT:
                column += 1
        elif char == "[":
            option = inline.stream.option(at - 1)
            at = option[2] if option else at
        elif char.isalpha():
            column += 1
    return found
