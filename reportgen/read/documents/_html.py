"""HTML: whole pages, and the tables in Markdown and in the outputs of notebooks."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path

from reportgen.read.documents._blocks import (
    Fence,
    caption_tables,
    display_at,
    fence_blocks,
    split_blocks,
)
from reportgen.read.documents._cut import Draft, cut, joined, replaced, strip
from reportgen.read.documents._inline import clean_lines
from reportgen.read.documents._read import Limits, read_text
from reportgen.read.documents._shapes import caption_of
from reportgen.read.documents._tables import MOST_SPANNED, Spanned, spanned_table
from reportgen.read.documents._vocabulary import words
from reportgen.records.manuscript import Block, Line, Manuscript, Named
from reportgen.records.record import field, record, replace
from reportgen.records.source import Problem

_OPEN = re.compile(r"<table\b", re.IGNORECASE)
_CLOSE = re.compile(r"</table\s{0,9}>", re.IGNORECASE)
_BLANKS = re.compile(r"[\s\u200b]{2,}|[\t\xa0\u200b]")
_LANGUAGE = re.compile(r"(?:language-|sourceCode )([\w+-]{1,30})")

_UNSEEN = words("script style svg nav head template noscript iframe object select button title")
_TABLE = words("table thead tbody tfoot tr td th caption")
_VOID = words("area base br col embed hr img input link meta param source track wbr")
_BREAKS = words(
    """p div section article main header footer aside address blockquote ul ol dl dt dd li
    figure figcaption details summary fieldset form hr body html pre center h1 h2 h3 h4 h5 h6"""
)
_DEEPEST = 200
"""Lists, tables and formulas that lie inside each other."""


def opens_table(text: str) -> bool:
    """Say whether an HTML table begins in a line."""
    return _OPEN.search(text) is not None


def html_reach(lines: Sequence[Line], start: int) -> int | None:
    """Return the index behind the line in which the table of a line is closed, if it is."""
    depth = 0
    for i in range(start, len(lines)):
        depth += len(_OPEN.findall(lines[i].text)) - len(_CLOSE.findall(lines[i].text))
        if depth <= 0:
            return i + 1
    return None


def html_tables(lines: Sequence[Line]) -> list[Block]:
    """Return the tables in some lines of HTML, before each its caption if it has one."""
    blocks = Page(lines).read().blocks
    return [block for block in blocks if block.type in {"table", "caption"}]


@record(kw_only=False, frozen=False)
class _Table:
    """A table that is open.

    Attributes:
        rows: Its cells so far.
        caption: The lines of its caption.
        cell: Name and attributes of the cell that is open; or of the caption.
        in_head: Whether the cells are heads.
        around: The text that was open around it.
    """

    around: dict[int, Draft]
    rows: list[list[Spanned]] = field(default_factory=list)
    caption: list[Line] = field(default_factory=list)
    cell: tuple[str, Mapping[str, str]] | None = None
    in_head: bool = False


class Page(HTMLParser):
    """Reads a page.

    Attributes:
        blocks: Those found.
        named: Numbers that have the id of a number in a built report.
        unclosed: What was opened, is not shown and never closed, or an empty text.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        super().__init__(convert_charrefs=False)
        self.blocks: list[Block] = []
        self.named: list[Named] = []
        self.unclosed = ""
        self._lines = lines
        self._drafts: dict[int, Draft] = {}
        self._kind, self._level = "paragraph", 0
        self._hidden: list[str] = []
        self._lists = 0
        self._tables: list[_Table] = []
        self._figures: list[int] = []
        self._done: set[int] = set()
        self._fence: Fence | None = None
        self._formula: list[Node] = []
        self._script = ""
        self._number = ""

    def read(self) -> Page:
        """Read all lines."""
        self.feed("\n".join(line.text for line in self._lines))
        self.close()
        self.unclosed = self._hidden[0] if self._hidden else ""
        while self._tables:
            self._end_table()
        self._flush()
        return self

    # --- what the parser meets ----------------------------------------------------------

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Meet a tag that opens something."""
        told = {name: value or "" for name, value in attrs}
        if self._hidden:
            if tag == self._hidden[0] and len(self._hidden) < _DEEPEST:
                self._hidden.append(tag)
        elif self._formula:
            if len(self._formula) < _DEEPEST:
                node = Node(tag)
                self._formula[-1].parts.append(node)
                self._formula.append(node)
        elif tag in _UNSEEN or (_is_hidden(told) and tag not in _VOID):
            self._hidden = [tag]
        elif tag == "math":
            self._formula = [Node(told.get("display", ""))]
        elif tag in _TABLE:
            self._start_table(tag, told)
        elif tag in _BREAKS:
            self._start_block(tag, told)
        else:
            self._start_inline(tag, told)

    def handle_endtag(self, tag: str) -> None:
        """Meet a tag that closes something."""
        if self._hidden:
            if tag == self._hidden[0]:
                self._hidden.pop()
        elif self._formula:
            self._end_formula(tag)
        elif tag in _TABLE and self._tables:
            if tag == "table":
                self._end_table()
            else:
                self._end_cell()
                self._tables[-1].in_head &= tag != "thead"
        elif tag in _BREAKS:
            self._end_block(tag)
        elif tag in {"a", "span"}:
            if self._number and tag == "a":
                self._end_number()
            if self._kind == "heading":  # the number before a title is set apart by its style
                self._put(" ")
        elif tag in {"sup", "sub"}:
            self._script = ""

    def handle_data(self, data: str) -> None:
        """Meet text."""
        if self._hidden:
            return
        if self._formula:
            self._formula[-1].parts.append(data.strip() if len(self._formula) > 1 else "")
            return
        row, start = self.getpos()
        for i, piece in enumerate(data.split("\n"), row - 1):
            at = start if i == row - 1 else 0
            if piece and self._may_write(piece, i, at):
                self._draft(i).keep(at, at + len(piece))

    def handle_entityref(self, name: str) -> None:
        """Meet `&name;`."""
        self._character(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """Meet `&#number;`."""
        self._character(f"&#{name};")

    # --- text ---------------------------------------------------------------------------

    def _character(self, written: str) -> None:
        char = html.unescape(written)
        if self._formula:
            self._formula[-1].parts.append(char)
        elif not self._hidden:
            self._put(" " if char.isspace() else char)

    def _draft(self, index: int) -> Draft:
        index = min(index, len(self._lines) - 1)
        if index not in self._drafts:
            self._drafts[index] = Draft(self._lines[index])
        return self._drafts[index]

    def _put(self, text: str) -> None:
        row, at = self.getpos()
        self._draft(row - 1).put(text, at)

    def _tail(self) -> str:
        """Return the two characters written last."""
        draft = self._drafts[next(reversed(self._drafts))] if self._drafts else None
        return "".join(draft.text[-3:])[-2:] if draft else ""

    def _may_write(self, piece: str, index: int, at: int) -> bool:
        """Write the sign before an exponent or index; say whether it is one, and no mark of a note.

        A raised number behind a word is the mark of a footnote.
        """
        kind, self._script = self._script, ""
        if not kind:
            return True
        tail = self._tail()
        last = tail[-1:]
        if kind == "sup" and piece.strip("+-−\u2013").isdigit():
            symbol = last.isalpha() and not tail[:-1].isalpha()
            if not (last.isdigit() or last in {")", "]", "}"} or symbol):
                return False
            self._draft(index).put("^", at)
        elif kind == "sub" and (last.isalnum() or last in {")", "]", "}"}) and last:
            self._draft(index).put("_", at)
        return True

    def _take_lines(self) -> list[Line]:
        """Return the text that is open as lines, and begin anew."""
        drafts, self._drafts = self._drafts, {}
        lines = [drafts[i].line() for i in sorted(drafts)]
        if self._fence is None:
            lines = [strip(replaced(line, _BLANKS, lambda _: " ")) for line in lines]
        return [line for line in lines if line.text.strip()]

    def _break(self) -> None:
        """End a block; inside a cell of a table it is a blank."""
        if self._tables and self._tables[-1].cell:
            self._put(" ")
        else:
            self._flush()

    def _flush(self) -> None:
        """Make a block of the text that is open."""
        lines = self._take_lines()
        if self._fence is not None:
            self.blocks.extend(fence_blocks(self._fence, lines))
            return
        kind = self._kind
        display = display_at(lines, 0) if lines and kind == "paragraph" else None
        if display is not None and display.rest is None and display.end == len(lines):
            kind, lines = "equation", [strip(line) for line in display.lines if line.text.strip()]
        else:
            lines = [strip(line) for line in clean_lines(lines) if line.text.strip()]
        if not any(char.isalnum() for line in lines for char in line.text):
            return
        if kind == "paragraph" and (found := caption_of(lines[0].text)) and found[1]:
            kind = "caption"
        self.blocks.append(Block(type=kind, lines=tuple(lines), level=self._level))
        if kind in {"heading", "item"}:
            self._kind, self._level = "paragraph", 0

    def _start_inline(self, tag: str, told: Mapping[str, str]) -> None:
        if tag == "br":
            self._put(" ")
        elif tag in {"sup", "sub"}:
            self._script = tag
        elif tag == "img" and len(told.get("alt", "").split()) > 2 and not self._tables:
            self._break()
            self._kind = "caption"
            self._put(" ".join(told["alt"].split()))
            self._flush()
            self._kind = "paragraph"
        elif tag == "code" and self._fence is not None and (of := _language(told)):
            self._fence = of
        elif tag == "a" and told.get("id", "").startswith("n:"):
            self._number = told["id"][2:]

    def _end_number(self) -> None:
        row, end = self.getpos()
        source = self._lines[row - 1]
        shown = cut(source, source.text.rfind(">", 0, end) + 1, end)
        text = html.unescape(shown.text)
        self.named.append(Named(id=self._number, text=text, place=shown.place()))
        self._number = ""

    def _end_formula(self, tag: str) -> None:
        """Close an element of a formula; the whole one is an equation, or part of the text."""
        if tag != "math":
            names = [node.name for node in self._formula[1:]]
            if tag in names:
                del self._formula[len(names) - names[::-1].index(tag) :]
            return
        root = self._formula[0]
        self._formula = []
        display, root.name = root.name == "block", "math"
        text = spelled(root).strip()
        if not text:
            return
        if not display or self._tables:
            self._put(f"${' '.join(text.split())}$")
            return
        self._break()
        row, at = self.getpos()
        source = self._lines[min(row, len(self._lines)) - 1]
        place = source.place(at, at + 1).column
        rows = [replace(source, text=t, columns=(place,) * len(t)) for t in text.split("\n")]
        self.blocks.append(Block(type="equation", lines=tuple(rows)))

    # --- blocks -------------------------------------------------------------------------

    def _start_block(self, tag: str, told: Mapping[str, str]) -> None:
        self._break()
        inside = bool(self._tables and self._tables[-1].cell)
        if tag in {"ul", "ol", "dl"}:
            self._lists = min(self._lists + 1, _DEEPEST)
        elif tag in {"li", "dd"} and not inside:
            self._kind, self._level = "item", max(1, self._lists)
        elif tag == "figcaption" and not inside:
            self._kind = "caption"
        elif tag == "figure":
            self._figures.append(len(self.blocks))
        elif tag == "pre" and not inside:
            self._fence = _language(told) or Fence("```", "")
        elif tag[0] == "h" and tag[1:].isdigit():
            self._kind, self._level = "heading", int(tag[1:])
        elif self._kind != "item" or tag not in {"p", "div"}:
            self._kind, self._level = "paragraph", 0

    def _end_block(self, tag: str) -> None:
        self._break()
        self._lists = max(0, self._lists - (tag in {"ul", "ol", "dl"}))
        if tag == "figure" and self._figures:
            first = self._figures.pop()
            caption_tables(self.blocks, first, self._done)
            self._done.update(range(first, len(self.blocks)))
        self._kind, self._level, self._fence = "paragraph", 0, None

    def _start_table(self, tag: str, told: Mapping[str, str]) -> None:
        if tag == "table":
            if not (self._tables and self._tables[-1].cell):
                self._flush()
            around, self._drafts = self._drafts, {}
            if len(self._tables) < _DEEPEST:
                self._tables.append(_Table(around))
            return
        if not self._tables:
            return
        self._end_cell()
        table = self._tables[-1]
        if tag in {"td", "th", "caption"}:
            table.cell = tag, told
            if not table.rows:
                table.rows.append([])
        elif tag == "tr":
            table.rows.append([])
        else:
            table.in_head = tag == "thead"

    def _end_cell(self) -> None:
        """Take the cell that is open, or the caption."""
        table = self._tables[-1]
        if table.cell is None:
            self._drafts = {}
            return
        (name, told), table.cell = table.cell, None
        row, _ = self.getpos()
        lines = [strip(line) for line in clean_lines(self._take_lines())]
        if name == "caption":
            table.caption += lines
            return
        here = self._lines[min(row, len(self._lines)) - 1]
        cell = Spanned(
            line=joined(lines) if lines else replace(here, text="", columns=()),
            columns=_span(told, "colspan"),
            rows=_span(told, "rowspan"),
            head=name == "th" or table.in_head,
        )
        table.rows[-1].append(cell)

    def _end_table(self) -> None:
        self._end_cell()
        table = self._tables.pop()
        self._drafts = table.around
        rows = [row for row in table.rows if row]
        head = next((i for i, row in enumerate(rows) if not all(c.head for c in row)), len(rows))
        caption = " ".join(line.text for line in table.caption)
        if table.caption:
            self.blocks.append(Block(type="caption", lines=tuple(table.caption)))
        block = spanned_table(rows, head=head or None, caption=caption)
        if block is not None:
            self.blocks.append(block)


def _is_hidden(told: Mapping[str, str]) -> bool:
    """Say whether nothing of an element is shown; of our own page, its list of evidence is not."""
    own = told.get("aria-labelledby") == "rg:evidence"
    return "hidden" in told or told.get("aria-hidden") == "true" or own


def _language(told: Mapping[str, str]) -> Fence | None:
    found = _LANGUAGE.search(told.get("class", ""))
    return Fence("```", found[1].lower()) if found else None


def _span(told: Mapping[str, str], name: str) -> int:
    text = told.get(name, "").strip()[:6]
    return max(1, min(int(text), MOST_SPANNED)) if text.isascii() and text.isdigit() else 1


def read_html(path: Path, limits: Limits) -> Manuscript:
    """Read what a page shows without its scripts.

    Raises:
        EvidenceError: The file is missing, too large, or no text.
    """
    # Drawings, which are not read, stand in endless lines.
    text = read_text(path, replace(limits, line=limits.characters))
    page = Page(text.lines).read()
    problems = list(text.problems)
    if page.unclosed:
        message = f"opens a <{page.unclosed}> that is never closed; nothing behind it was read"
        problems.append(Problem(path=text.path, message=message, remedy="close it"))
    return Manuscript(
        path=text.path,
        format="html",
        sha256=text.sha256,
        blocks=split_blocks(page.blocks),
        problems=tuple(problems),
        named=tuple(page.named),
    )


# What stands around the parts of an element, and between them, by its name there or there.
_FORMS: Mapping[str, str] = {
    **dict.fromkeys(("mfrac", "f"), r"\frac{{{0}}}{{{1}}}"),
    **dict.fromkeys(("msup", "sSup", "mover"), "{0}^{{{1}}}"),
    **dict.fromkeys(("msub", "sSub"), "{0}_{{{1}}}"),
    **dict.fromkeys(("msubsup", "sSubSup", "munderover"), "{0}_{{{1}}}^{{{2}}}"),
    **dict.fromkeys(("munder", "limLow", "limUpp", "groupChr", "bar"), "{0}"),
    "nary": "\u2211_{{{0}}}^{{{1}}} {2}",
    "rad": r"\sqrt{{{1}}}",
    "d": "({0})",
}
_FORMULA_ROWS = frozenset({"mtr", "mlabeledtr", "mr", "e"})
_FORMULA_TABLES = frozenset({"mtable", "m", "eqArr"})
_DEEPEST_FORMULA = 60
# Signs that only say what stands between two letters.
_INVISIBLE = str.maketrans({"\u2061": "", "\u2062": " ", "\u2063": " ", "\u2064": " "})


@record(kw_only=False, frozen=False)
class Node:
    """An element of a formula.

    Attributes:
        name: Its name, without that of its language.
        parts: Texts and elements in it, in order.
    """

    name: str
    parts: list[Node | str] = field(default_factory=list)


def spelled(node: Node, depth: int = 0) -> str:
    """Return a formula; the rows of a table in it are lines.

    Example:
        >>> d = Node("mi", ["d"])
        >>> spelled(Node("math", [Node("mn", ["4"]), Node("msup", [d, Node("mn", ["2"])])]))
        '4d^{2}'
    """
    if depth > _DEEPEST_FORMULA:
        return ""
    inner = [part for part in node.parts if isinstance(part, Node) and part.name[-2:] != "Pr"]
    tex = next((part for part in inner if part.name == "annotation"), None)
    if tex is not None:
        return "".join(part for part in tex.parts if isinstance(part, str)).strip()
    if node.name in _FORMULA_TABLES:
        rows = [spelled(part, depth + 1).strip() for part in inner if part.name in _FORMULA_ROWS]
        return "\n".join(row for row in rows if row)
    if node.name in _FORMS:
        parts = [spelled(part, depth + 1).strip() for part in inner]
        return _FORMS[node.name].format(*parts, "", "", "")
    if node.name == "msqrt":
        return rf"\sqrt{{{_joined(node, depth)}}}"
    text = _joined(node, depth)
    return rf"\text{{{text}}}" if node.name == "mtext" and text.strip() else text


def _joined(node: Node, depth: int) -> str:
    parts = (
        part.translate(_INVISIBLE) if isinstance(part, str) else spelled(part, depth + 1)
        for part in node.parts
        if isinstance(part, str) or part.name[-2:] != "Pr"
    )
    return "".join(parts)
