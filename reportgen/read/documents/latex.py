r"""LaTeX, with the files that `\input` and `\include` bring in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from reportgen.read.documents import _vocabulary as vocabulary
from reportgen.read.documents._blocks import caption_tables, split_blocks
from reportgen.read.documents._cut import concat, joined, strip
from reportgen.read.documents._read import Limits
from reportgen.read.documents._tables import (
    MOST_SPANNED,
    Spanned,
    count_heads,
    heads_above,
    is_value,
    spanned_table,
)
from reportgen.read.documents._tex_inline import Inline, named
from reportgen.read.documents._tex_stream import (
    MARK,
    Expander,
    Origin,
    Stream,
    TexFiles,
    with_marks,
)
from reportgen.records.manuscript import Block, Line, Manuscript, Named, Place
from reportgen.records.record import field, record, replace

# Tables of LaTeX: rows and cells, what spans, which rows are heads.

_ROW_TOKEN = re.compile(r"\\(?:([A-Za-z@]{1,60})\*?|(.))|[{&]", re.DOTALL)
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
    while (token := _ROW_TOKEN.search(stream.text, at, end)) is not None:
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
        elif token[1] in vocabulary.MIDDLE_RULES and not row:
            found.rules.append(len(found.rows))
        elif token[1] in vocabulary.TABLE_HEADS and not row:
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


_BEGIN = re.compile(r"\\begin\s?\{document\}")


def read_latex(path: Path, limits: Limits) -> Manuscript:
    r"""Read a report in LaTeX: what `\begin{document}` opens, or all where nothing does.

    The author's own commands are put in, comments and the preamble are left out, and files
    that are brought in are read if they lie in the report's folder or below.

    Raises:
        EvidenceError: The file is missing, too large, or no text.
    """
    files = TexFiles(folder=path.parent, limits=limits)
    text = files.read(path)
    lines, listings = with_marks(files.pieces)
    origin = Origin.of(lines)
    expander = Expander(limits)
    stream = expander.expand(Stream(origin.text(), origin.places))
    if expander.exhausted:
        files.tell(
            text.path,
            "defines commands that use each other too deeply or too often; some were left out "
            "and not checked",
            "write these places out",
        )
    begin = _BEGIN.search(stream.text)
    start = begin.end() if begin else 0
    blocks = tex_blocks(stream, origin, listings, start, len(stream.text))
    return Manuscript(
        path=text.path,
        format="latex",
        sha256=text.sha256,
        blocks=split_blocks(blocks),
        problems=tuple(files.problems),
        named=tuple(named_numbers(stream, origin, start)),
    )


# What it may begin with is looked for at once, and which of these it is where it stands.
_TOKEN = re.compile(
    rf"(?=[\\\n${MARK}])(?:\\(?:([A-Za-z@]{{1,60}})\*?|(.))|(\n[ \t]{{0,200}}\n\s{{0,200}})"
    rf"|(\$\$?)|({MARK}))",
    re.DOTALL,
)
_DISPLAY_END = re.compile(r"\\\]|\$\$|\n[ \t]{0,200}\n")
_MATH_END = re.compile(r"\\.|(\$)|\n[ \t]{0,200}\n", re.DOTALL)
_VERB = re.compile(r"([^A-Za-z\s*]).{0,2000}?\1", re.DOTALL)


def tex_blocks(
    stream: Stream, origin: Origin, listings: Mapping[int, Block], start: int, end: int
) -> list[Block]:
    """Return the blocks of a piece of LaTeX.

    Args:
        stream: The report, the author's commands put in.
        origin: Its lines.
        listings: Listings, by the line that holds their mark.
        start: Where the document begins.
        end: Where it ends.
    """
    walk = _Walk(Inline(stream, origin), listings, end, text_from=start)
    at = start
    while (found := _TOKEN.search(stream.text, at, end)) is not None:
        at = min(max(walk.meet(found), found.end()), end)
    walk.flush(end)
    return walk.blocks


@record(kw_only=False, frozen=False)
class _Walk:
    """Where the walk stands and what it has found.

    Attributes:
        inline: What renders text.
        listings: By the line that holds their mark.
        end: Where the document ends.
        text_from: Where the text begins that is not yet in a block.
        blocks: Those found.
        kind: What that text will be.
        label: Start and end of an item's own label.
        lists: Open lists.
        floats: Open tables and figures: environment, and how many blocks there were before.
        open_until: Up to where nothing closes a display equation, by what would.
    """

    inline: Inline
    listings: Mapping[int, Block]
    end: int
    text_from: int = 0
    blocks: list[Block] = field(default_factory=list)
    kind: str = "paragraph"
    label: tuple[int, int] | None = None
    lists: list[str] = field(default_factory=list)
    floats: list[tuple[str, int]] = field(default_factory=list)
    open_until: dict[str, int] = field(default_factory=dict)

    @property
    def stream(self) -> Stream:
        return self.inline.stream

    def meet(self, found: re.Match[str]) -> int:
        """Meet a token; return where the search goes on."""
        if found[1] is not None:
            return self._command(found[1], found)
        if found[2] is not None:
            return self._display(found, found.end(), "\\]") if found[2] == "[" else found.end()
        if found[3] is not None:
            self.flush(found.start())
            self.text_from = found.end()
            return found.end()
        if found[5] is not None:
            return self._listing(found)
        if found[4] == "$$":
            return self._display(found, found.end(), "$$")
        for close in _MATH_END.finditer(self.stream.text, found.end(), self.end):
            if close[1] or close[0][0] == "\n":
                return close.end() if close[1] else close.start()
        return found.end()

    def flush(self, upto: int) -> None:
        """Make a block of the text that was passed."""
        start, label = self.text_from, self.label
        self.text_from, self.label = upto, None
        ink = self.inline.render(start, upto)
        if label is not None:
            whole = self.inline.render(*label)
            ends = whole.text().rstrip()[-1:]
            place = self.stream.places[min(label[1], len(self.stream.places) - 1)]
            whole.put(" " if ends in {":", ".", "—", "–"} else ": ", place)
            whole.extend(ink)
            ink = whole
        self._add(self.kind, ink.lines(), len(self.lists) if self.kind == "item" else 0)
        self._notes()
        if self.kind == "item":
            self.kind = "paragraph"

    def _notes(self) -> None:
        """Make a paragraph of every footnote that was met."""
        for _ in range(20):
            if not self.inline.notes:
                return
            notes, self.inline.notes = self.inline.notes, []
            for start, end in notes:
                self._add("paragraph", self.inline.render(start, end).lines())

    def _add(self, kind: str, lines: Sequence[Line], level: int = 0) -> None:
        if any(char.isalnum() for line in lines for char in line.text):
            self.blocks.append(Block(type=kind, lines=tuple(lines), level=level))

    def _command(self, name: str, found: re.Match[str]) -> int:
        at = found.end()
        if name == "begin":
            return self._begin(found)
        if name == "end":
            return self._end(found)
        if name in vocabulary.HEADINGS:
            return self._heading(found, vocabulary.HEADINGS[name])
        if name in {"item", "bibitem"}:
            return self._item(name, found)
        if name in {"caption", "captionof"}:
            return self._caption(name, found)
        if name == "par":
            self.flush(found.start())
            self.text_from = at
        elif name in {"footnote", "footnotetext"}:
            return self.inline.skip(at, 1)
        elif name in vocabulary.DROPPED:
            return self.inline.skip(at, vocabulary.DROPPED[name])
        elif name in vocabulary.KEPT:
            return self.inline.skip(at, vocabulary.KEPT[name])
        elif name == "verb" and (literal := _VERB.match(self.stream.text, at)):
            return literal.end()
        return at

    def _listing(self, found: re.Match[str]) -> int:
        self.flush(found.start())
        self.text_from = found.end()
        block = self.listings.get(self.inline.origin.index(self.stream.places[found.start()]))
        if block is not None:
            self.blocks.append(block)
        return found.end()

    def _display(self, found: re.Match[str], at: int, close: str) -> int:
        if at < self.open_until.get(close, 0):
            return at
        stop = self.end
        for end in _DISPLAY_END.finditer(self.stream.text, at, self.end):
            if end[0] == close:
                self._equation(found.start(), at, end.start(), end.end())
                return end.end()
            if end[0][0] == "\n":
                stop = end.start()
                break
        # Nothing closes it in its paragraph: what follows is read as text.
        self.open_until[close] = stop
        return at

    def _equation(self, begin: int, start: int, end: int, behind: int) -> None:
        self.flush(begin)
        self._add("equation", self.inline.mathematics(start, end).lines())
        self.text_from = behind

    def _heading(self, found: re.Match[str], level: int) -> int:
        group = self.stream.group(self.inline.behind_options(found.end()))
        if group is None:
            return found.end()
        self.flush(found.start())
        self.kind = "paragraph"
        self._add("heading", self.inline.render(group[0], group[1]).lines(), level)
        self.text_from = group[2]
        return group[2]

    def _item(self, name: str, found: re.Match[str]) -> int:
        self.flush(found.start())
        at = found.end()
        if name == "bibitem":
            self.text_from = self.inline.skip(at, 1)
            return self.text_from
        self.kind = "item"
        option = self.stream.option(at)
        if option:
            self.label = (option[0], option[1])
        self.text_from = option[2] if option else at
        return self.text_from

    def _caption(self, name: str, found: re.Match[str]) -> int:
        at = self.inline.skip(found.end(), 1) if name == "captionof" else found.end()
        group = self.stream.group(self.inline.behind_options(at))
        if group is None:
            return at
        self.flush(found.start())
        self._add("caption", self.inline.render(group[0], group[1]).lines())
        self._notes()
        self.text_from = group[2]
        if not self.floats:
            caption_tables(self.blocks, max(0, len(self.blocks) - 2))
        return group[2]

    def _begin(self, found: re.Match[str]) -> int:
        group = self.stream.group(found.end())
        if group is None:
            return found.end()
        name = self.stream.text[group[0] : group[1]].strip()
        at = self.inline.skip(group[2], vocabulary.ARGUMENTS.get(name, 0))
        ends = self.stream.environments.get(found.start())
        stop = min(ends[0], self.end) if ends else self.end
        behind = min(ends[1], self.end) if ends else self.end
        if name in vocabulary.EQUATIONS and ends:
            self._equation(found.start(), at, stop, behind)
            return behind
        self.flush(found.start())
        self.text_from = at
        if name in vocabulary.TABLES and ends:
            self._table(name, group[2], stop)
            self.text_from = at = behind
        elif name in vocabulary.DRAWINGS and ends:
            self.text_from = at = behind
        elif name in vocabulary.FLOATS:
            self.floats.append((name, len(self.blocks)))
        elif name in vocabulary.LISTS:
            self.lists.append(name)
        elif name == "thebibliography":
            self.kind = "reference"
        return at

    def _table(self, name: str, start: int, end: int) -> None:
        table, captions = tex_table(self.inline, name, start, end)
        first = len(self.blocks)
        for caption in captions:
            self._add("caption", self.inline.render(*caption).lines())
        if table is not None:
            self.blocks.append(table)
        self._notes()
        if captions:
            caption_tables(self.blocks, first)

    def _end(self, found: re.Match[str]) -> int:
        group = self.stream.group(found.end())
        if group is None:
            return found.end()
        name = self.stream.text[group[0] : group[1]].strip()
        self.flush(found.start())
        self.text_from = group[2]
        if self.lists and self.lists[-1] == name:
            self.lists.pop()
            self.kind = "paragraph"
        elif self.floats and self.floats[-1][0] == name:
            caption_tables(self.blocks, self.floats.pop()[1])
        elif name == "thebibliography":
            self.kind = "paragraph"
        return group[2]


def named_numbers(stream: Stream, origin: Origin, start: int = 0) -> Iterator[Named]:
    r"""Yield the named numbers of a report, each with what its reader sees.

    Args:
        stream: The report, the author's commands put in.
        origin: Its lines.
        start: Where the document begins.

    Example:
        >>> from reportgen.records.manuscript import Line
        >>> lines = [Line(text=r"It is \rgnum{best.mean}{\textbf{79.9}\%}.", number=7)]
        >>> text = lines[0].text
        >>> [n] = named_numbers(Stream(text, range(len(text))), Origin.of(lines))
        >>> n.id, n.text, n.place.line, n.place.column
        ('best.mean', '79.9%', 7, 33)
    """
    for _, name, shown in named(stream, start, len(stream.text)):
        ink = Inline(stream, origin).render(shown[0], shown[1])
        lines = ink.lines()
        yield Named(
            id=stream.text[name[0] : name[1]].strip(),
            text=" ".join(ink.text().split()),
            place=lines[0].place() if lines else Place(line=1),
        )
