"""Lines of clean text to blocks: what every reader does once its markup is gone."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from itertools import groupby, islice

from reportgen.read.documents import _shapes as shapes
from reportgen.read.documents._cut import Draft, cut, indent_of, strip
from reportgen.read.documents._tables import (
    aligned_rows,
    heads_above,
    is_delimiter,
    is_pipe_row,
    is_row,
    is_rule,
    lowest_title,
    pipe_reach,
    pipe_rows,
    reach,
    tab_rows,
    table_block,
)
from reportgen.read.documents._vocabulary import words
from reportgen.records.manuscript import Block, Line
from reportgen.records.record import field, record, replace

_MOST_ROWS = 10_000


def split_blocks(parts: Sequence[Part]) -> tuple[Block, ...]:
    """Return the blocks of lines from which the markup is gone, in reading order.

    Blocks among the lines, which a reader told by its markup, pass through.

    Headings, list items (their marks are cut off), captions, display equations, tables with
    TABs or with columns kept apart by two blanks or more, entries of the bibliography; what
    is left are paragraphs. Lines keep their indentation before they come here: it tells
    lists and columns. Page numbers are dropped where lines know their page. A table gets the
    text of the caption above or below it; the caption stays a block of its own.

    Example:
        >>> text = ["1 Results", "", "       Seed 0   Seed 1", "Random    67.5%    68.1%", "",
        ...         "Table 1: Test accuracy", "", "• r = 16"]
        >>> blocks = split_blocks([Line(text=t, number=i) for i, t in enumerate(text, 1)])
        >>> [(block.type, block.level) for block in blocks]
        [('heading', 1), ('table', 0), ('caption', 0), ('item', 1)]
        >>> blocks[1].caption, blocks[1].head, blocks[1].rows[1][2].text
        ('Table 1: Test accuracy', 1, '68.1%')
    """
    scan = _Scan()
    for block, run in groupby(without_page_numbers(parts), lambda part: isinstance(part, Block)):
        if block:
            for part in run:
                scan.pass_on(part)
        else:
            scan.read([part for part in run if isinstance(part, Line)])
    return attach_captions(join_blocks(scan.blocks))


class Scanner:
    """Lines, and where a scan of them stands."""

    __slots__ = ()
    lines: Sequence[Line]
    at: int

    def text(self, ahead: int = 0) -> str:
        """Return the text of a line before or after the present one, empty outside."""
        i = self.at + ahead
        return self.lines[i].text if 0 <= i < len(self.lines) else ""

    def reach(self, goes_on: Callable[[str, int], bool], start: int) -> int:
        """Return the index of the first line, from one on, whose text and index end something."""
        end = start
        while end < len(self.lines) and goes_on(self.lines[end].text, end):
            end += 1
        return end


@record(kw_only=False, frozen=False)
class _Scan(Scanner):
    """Where the scan stands and what it has found.

    Attributes:
        lines: Those between two blocks that a reader told by its markup.
        at: The next one.
        blocks: Those found.
        open_indents: How far the open list items are set in, outermost first.
        in_references: Whether the last heading opened the bibliography.
        depth: Level of the last numbered heading.
        no_table_before: Index of the line up to which rows were looked at and are no table.
    """

    lines: Sequence[Line] = ()
    at: int = 0
    blocks: list[Block] = field(default_factory=list)
    open_indents: list[int] = field(default_factory=list)
    in_references: bool = False
    depth: int = 0
    no_table_before: int = 0

    def alone(self, count: int = 1) -> bool:
        """Say whether blank lines surround the present line (or the `count` next)."""
        new_page = self.at == 0 or self.lines[self.at - 1].page != self.lines[self.at].page
        before = new_page or shapes.is_blank(self.text(-1))
        return before and shapes.is_blank(self.text(count))

    def take(self, end: int) -> list[Line]:
        """Return the lines up to an index, and go there."""
        taken = [line for line in self.lines[self.at : end] if not shapes.is_blank(line.text)]
        self.at = max(end, self.at + 1)
        return taken

    def add(self, kind: str, lines: Sequence[Line], level: int = 0) -> None:
        """Add a block of lines without the blanks at their ends."""
        kept = tuple(strip(line) for line in lines if not shapes.is_blank(line.text))
        if kept:
            self.blocks.append(Block(type=kind, lines=kept, level=level))

    def read(self, lines: Sequence[Line]) -> None:
        """Take all blocks of some lines."""
        self.lines, self.at, self.no_table_before = lines, 0, 0
        while self.at < len(self.lines):
            if shapes.is_blank(self.text()):
                self.at += 1
            elif not any(take(self) for take in _TAKERS):
                _take_paragraph(self)

    def pass_on(self, part: Part) -> None:
        """Take a block as it is."""
        if not isinstance(part, Block):
            return
        if part.type == "heading":
            self.in_references = shapes.is_references(part.text)
            self.depth = part.level
            self.open_indents.clear()
        elif self.in_references and part.type in {"paragraph", "item"}:
            part = replace(part, type="reference")
        self.blocks.append(part)


def _take_heading(scan: _Scan) -> bool:
    text = scan.text()
    references = shapes.is_references(text)
    level = shapes.heading_of(text)
    if references and (scan.alone() or level or shapes.is_blank(scan.text(-1))):
        level = level or 1
    elif level:
        # `1. First` is a heading only where no sentence and no second entry follows it.
        ordered = shapes.is_ordered(text)
        if not shapes.is_blank(scan.text(-1)) and ordered:
            return False
        if ordered and not (scan.alone() and not shapes.is_ordered(_next_text(scan))):
            return False
    elif scan.alone() and shapes.is_title(text) and not scan.in_references:
        level = scan.depth + 1
    elif scan.in_references and scan.alone() and shapes.is_appendix(text):
        level = 1
    else:
        return False
    if shapes.heading_of(text):
        scan.depth = level
    scan.in_references = references
    scan.open_indents.clear()
    scan.add("heading", scan.take(scan.at + 1), level)
    return True


def _next_text(scan: _Scan) -> str:
    for i in range(scan.at + 1, min(len(scan.lines), scan.at + 20)):
        if not shapes.is_blank(scan.lines[i].text):
            return scan.lines[i].text
    return ""


def _take_reference(scan: _Scan) -> bool:
    if not scan.in_references:
        return False

    def goes_on(text: str, _: int) -> bool:
        opens = text.lstrip().startswith("[") or shapes.bullet_of(text) is not None
        return not (shapes.is_blank(text) or opens)

    scan.add("reference", scan.take(scan.reach(goes_on, scan.at + 1)))
    return True


def _take_caption(scan: _Scan) -> bool:
    found = shapes.caption_of(scan.text())
    if found is None or (not found[1] and not shapes.is_blank(scan.text(-1))):
        return False

    def goes_on(text: str, i: int) -> bool:
        opens = is_row(text) or _has_tabs(text) or shapes.caption_of(text) or _is_bullet(scan, i)
        return not (shapes.is_blank(text) or opens)

    scan.add("caption", scan.take(scan.reach(goes_on, scan.at + 1)))
    # What follows is of a table or a figure, which may float between the items of a list.
    scan.open_indents.clear()
    return True


def _take_equation(scan: _Scan) -> bool:
    end = scan.reach(lambda _, i: _is_equation_line(scan, i), scan.at)
    if end == scan.at:
        return False
    lines = scan.take(end)
    if all(":" in line.text.partition("=")[0] for line in lines):
        # Each is a statement of its own: `From scratch:   accuracy = 63 %  (2)`.
        for line in lines:
            scan.add("item", [line], 1)
    else:
        scan.add("equation", with_exponents(lines))
    return True


def _is_equation_line(scan: _Scan, i: int) -> bool:
    text = scan.lines[i].text
    if shapes.is_display(text):
        return True
    before = shapes.is_blank(scan.lines[i - 1].text) if i else True
    if shapes.is_formula(text) and before and i == scan.at and not shapes.bullet_of(text):
        after = scan.lines[i + 1].text if i + 1 < len(scan.lines) else ""
        return shapes.is_blank(after) or shapes.is_display(after)
    # The first line of an equation over several lines has no number; the next begins with `+`.
    after = scan.lines[i + 1].text if i + 1 < len(scan.lines) else ""
    opens = "=" in text and not text.rstrip().endswith((".", ":")) and len(text.split()) < 30
    if opens and shapes.is_display(after) and shapes.starts_as_continuation(after):
        return True
    # A raised exponent that the layout set on a line of its own.
    raised = len(text.strip()) < 3 and i > scan.at
    return raised and shapes.is_display(after)


def _has_tabs(text: str) -> bool:
    return "\t" in text.strip() or text.count("\t") > 1


def _take_tabs(scan: _Scan) -> bool:
    end = scan.reach(lambda _, i: _is_tab_row(scan, i), scan.at)
    if end - scan.at < 2:
        return False
    lines = scan.take(end)
    scan.blocks.append(table_block(lines, tab_rows(lines)))
    return True


def _is_tab_row(scan: _Scan, i: int) -> bool:
    text = scan.lines[i].text
    if _has_tabs(text):
        return True
    after = scan.lines[i + 1].text if i + 1 < len(scan.lines) else ""
    short = not shapes.is_blank(text) and len(text.split()) < 6 and len(text) < 60
    return short and _has_tabs(after) and (i > scan.at or text.startswith("\t"))


def _take_pipes(scan: _Scan) -> bool:
    if not _opens_pipes(scan, scan.at) or scan.at < scan.no_table_before:
        return False
    block = [line.text for line in islice(scan.lines, scan.at, scan.at + _MOST_ROWS)]
    size, is_table = pipe_reach(block)
    if not is_table:
        scan.no_table_before = scan.at + size
        return False
    lines = [line for line in scan.take(scan.at + size) if not is_rule(line.text)]
    rows = pipe_rows(lines)
    head = heads_above(rows, 1) if is_delimiter(block[1]) else None
    scan.blocks.append(table_block(lines, rows, head=head))
    return True


def _take_aligned(scan: _Scan) -> bool:
    end = _aligned_end(scan, scan.at)
    if end == scan.at:
        return False
    lines = [line for line in scan.take(end) if not is_rule(line.text)]
    scan.blocks.append(table_block(lines, aligned_rows(lines)))
    return True


def _aligned_end(scan: _Scan, start: int) -> int:
    """Return the index behind the aligned table that begins at a line, or `start`."""
    if start < scan.no_table_before:
        return start
    first = start
    if not is_row(scan.lines[start].text):  # a head over several columns, in a line or more
        titles = None if scan.open_indents else lowest_title(scan.lines, start)
        if titles is None:
            return start
        first = titles
    end, is_table = reach(scan.lines, first)
    if not is_table:
        # What was looked at in vain is not looked at again from each of its lines.
        scan.no_table_before = end
        return start
    return end


def _take_item(scan: _Scan) -> bool:
    text = scan.text()
    found = shapes.bullet_of(text)
    if found is None:
        return False
    indent = indent_of(text)
    while scan.open_indents and scan.open_indents[-1] > indent:
        scan.open_indents.pop()
    if not scan.open_indents or scan.open_indents[-1] < indent:
        scan.open_indents.append(indent)
    first, depth = cut(scan.lines[scan.at], found[1]), len(scan.open_indents)
    while (inner := shapes.bullet_of(first.text)) is not None and inner[0] == 0 and depth < 9:
        first, depth = cut(first, inner[1]), depth + 1  # `- - a`: the first of a list inside
    scan.at += 1
    rest = _continuation(scan, indent)
    scan.add("item", [first, *rest], depth)
    return True


def _continuation(scan: _Scan, indent: int) -> list[Line]:
    """Take the further lines of an item: none that opens something, or stands farther out.

    Where bullets stand at the margin, a sentence that begins there behind the end of another may
    be the item's or a paragraph's: who reads it as a paragraph mixes up no two lists.
    """

    def goes_on(text: str, i: int) -> bool:
        if shapes.is_blank(text):
            return False
        ended = indent or shapes.ends_sentence(scan.lines[i - 1].text)
        return not (ended and indent_of(text) <= indent) and not _opens_something(scan, i)

    end = scan.reach(goes_on, scan.at)
    return scan.take(end) if end > scan.at else []


def _opens_something(scan: _Scan, i: int) -> bool:
    text = scan.lines[i].text
    if _is_bullet(scan, i) or _has_tabs(text) or _is_equation_line(scan, i):
        return True
    caption = shapes.caption_of(text)
    if caption is not None and caption[1]:
        return True
    return _opens_pipes(scan, i) or (is_row(text) and _aligned_end(scan, i) > i)


def _is_bullet(scan: _Scan, i: int) -> bool:
    """Say whether a line inside a text begins an item: the rest of `(n -` in `1) over` does not."""
    text, before = scan.lines[i].text, scan.lines[i - 1].text
    if shapes.bullet_of(text) is None or shapes.closes_bracket(before, text):
        return False
    return not shapes.goes_on([line.text for line in scan.lines[max(0, i - 40) : i]], text)


def _opens_pipes(scan: _Scan, i: int) -> bool:
    text = scan.lines[i].text
    after = scan.lines[i + 1].text if i + 1 < len(scan.lines) else ""
    return (is_pipe_row(text) or is_rule(text)) and (is_pipe_row(after) or is_rule(after))


def _take_settings(scan: _Scan) -> bool:
    """Take named values that stand one a line: each is an item of its own."""
    end = scan.reach(lambda text, _: shapes.is_setting(text), scan.at)
    if end - scan.at < 2:
        return False
    for line in scan.take(end):
        scan.add("item", [line], 1)
    return True


def _take_paragraph(scan: _Scan) -> bool:

    def goes_on(text: str, i: int) -> bool:
        blank = shapes.is_blank(text)
        return not (blank or _opens_something(scan, i) or shapes.heading_of(text))

    end = scan.reach(goes_on, scan.at + 1)
    if indent_of(scan.text()) == 0:
        scan.open_indents.clear()
    scan.add("paragraph", scan.take(end))
    return True


_TAKERS: tuple[Callable[[_Scan], bool], ...] = (
    _take_heading,
    _take_reference,
    _take_caption,
    _take_equation,
    _take_tabs,
    _take_pipes,
    _take_item,
    _take_aligned,
    _take_settings,
)


Part = Line | Block


def page_of(part: Part) -> int | None:
    """Return the page on which a line or block begins."""
    return part.page if isinstance(part, Line) else part.lines[0].page


def without_page_numbers(parts: Sequence[Part]) -> list[Part]:
    """Return lines without the numbers that stand alone at the ends of pages."""
    kept: list[Part] = []
    for i, part in enumerate(parts):
        following = page_of(parts[i + 1]) if i + 1 < len(parts) else None
        kept.append(part)
        if page_of(part) is None or page_of(part) == following:
            continue
        while _is_line_of(kept, part) and shapes.is_blank(kept[-1].text):
            kept.pop()
        if _is_line_of(kept, part) and shapes.is_page_number(kept[-1].text):
            kept.pop()
        if _is_line_of(kept, part) and isinstance(part, Line):
            kept.append(replace(part, text="", columns=()))
    return kept


def _is_line_of(kept: Sequence[Part], part: Part) -> bool:
    last = kept[-1] if kept else None
    return isinstance(last, Line) and last.page == page_of(part)


def join_blocks(blocks: Sequence[Block]) -> list[Block]:
    """Return blocks with the pieces of one sentence, and of one equation, in one block."""
    joined: list[tuple[Block, list[Line]]] = []
    for block in blocks:
        lines = list(block.lines)
        if joined:
            last, before = joined[-1]
            open_text = _open_text(joined, block)
            if open_text is not None:
                open_text.extend(lines)
                continue
            above = before[-1].text if last.type == "paragraph" else ""
            if block.type == "equation" and above.endswith(("=", "≈")) and len(above) < 80:
                # `Number of parameters =` above the display belongs to the equation.
                lines.insert(0, before.pop())
                if not before:
                    joined.pop()
        joined.append((block, lines))
    return [
        block if len(lines) == len(block.lines) else replace(block, lines=tuple(lines))
        for block, lines in joined
    ]


def _open_text(joined: Sequence[tuple[Block, list[Line]]], block: Block) -> list[Line] | None:
    """Return the lines of the block that another one continues, or None.

    What a page puts at its head or foot, a figure or a table, may stand between the two.
    """
    for place in reversed(range(len(joined))):
        last, before = joined[place]
        if _goes_on(last, before[-1], block):
            return before
        if last.type not in _FLOATS or block.type != "paragraph":
            return None
    return None


_FLOATS = frozenset(("caption", "table"))


def _goes_on(last: Block, line: Line, block: Block) -> bool:
    """Say whether a block continues an earlier one, which ends in a line."""
    first = block.lines[0]
    if last.type == "equation":
        near = line.file == first.file and (
            first.number - line.number <= 4 or line.page != first.page
        )
        if block.type == "equation":
            return near and shapes.starts_as_continuation(first.text)
        return near and block.type == "paragraph" and shapes.is_tag(block.text)
    texts = last.type in {"paragraph", "item"} and block.type == "paragraph"
    cut_by_page = texts and line.page != first.page
    return cut_by_page and not line.text.endswith((*".:!?;",)) and first.text[:1].islower()


def with_exponents(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of an equation with exponents that stood on lines of their own.

    A layout of columns prints `512²` as a lone `2` above and to the right of `512`.

    Example:
        >>> above = Line(text="            2", number=4)
        >>> line = Line(text="  = 2 × 512    (3)", number=5)
        >>> [line.text.strip() for line in with_exponents([above, line])]
        ['= 2 × 512^2    (3)']
    """
    done: list[Line] = []
    raised: Line | None = None
    for line in lines:
        alone = line.text.strip()
        if raised is not None:
            base = _base_below(raised, line)
            if base is None:
                done.append(raised)
            else:
                draft = Draft(line)
                draft.keep(0, base)
                draft.put("^" + raised.text.strip(), base)
                draft.keep(base, len(line.text))
                line = draft.line()  # noqa: PLW2901
            raised = None
        if alone.isalnum() and len(alone) < 3:
            raised = line
        else:
            done.append(line)
    return [*done, raised] if raised is not None else done


def _base_below(raised: Line, line: Line) -> int | None:
    """Return the end of the word that an exponent stands right above of, or None."""
    at = len(raised.text) - len(raised.text.lstrip())
    end = len(line.text[:at].rstrip())
    free = not line.text[at : at + len(raised.text.strip())].strip()
    return end if free and end and at - end < 5 and line.text[end - 1].isalnum() else None


def caption_tables(blocks: list[Block], first: int, done: Collection[int] = ()) -> None:
    """Give the tables of a float, whose blocks are the last ones, its caption, or each its own.

    Those blocks are left out that are done: of floats inside of it.
    """
    inside = [i for i in range(first, len(blocks)) if i not in done]
    captions = [blocks[i].text for i in inside if blocks[i].type == "caption"]
    tables = [i for i in inside if blocks[i].type == "table" and not blocks[i].caption]
    own = captions if len(captions) == len(tables) else captions[:1] * len(tables)
    for i, caption in zip(tables, own, strict=False):
        blocks[i] = replace(blocks[i], caption=" ".join(caption.split()))


def attach_captions(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Give every table the caption above or below it: the one that no other table claims."""
    done = list(blocks)
    taken: set[int] = set()
    # Where captions stand in this report is one habit: below, unless more stand above.
    for near in _habits(blocks):
        for i, block in enumerate(done):
            j = i + near
            if block.type != "table" or block.caption or not 0 <= j < len(done) or j in taken:
                continue
            if _is_table_caption(done[j]):
                done[i] = replace(block, caption=" ".join(done[j].text.split()))
                taken.add(j)
    return tuple(done)


def _is_table_caption(block: Block) -> bool:
    found = shapes.caption_of(block.text) if block.type == "caption" else None
    return found is not None and found[0] == "table"


def _habits(blocks: Sequence[Block]) -> tuple[int, int]:
    """Return where to look for captions first: +1 below the table, -1 above."""

    def count(near: int) -> int:
        return sum(
            block.type == "table"
            and 0 <= i + near < len(blocks)
            and _is_table_caption(blocks[i + near])
            for i, block in enumerate(blocks)
        )

    return (1, -1) if count(1) >= count(-1) else (-1, 1)


# Listings between fences: code, what a program printed, and mathematics that hides there.

_FENCE = re.compile(r"\s{0,80}(`{3,80}|~{3,80})\s{0,9}([^`]{0,300})$")
_OUTPUTS = words("text txt output out console log logs plain plaintext stdout shell-session none")
_MATHS = words("math latex tex katex asciimath")
_FORMULA = re.compile(r"_\{|\^\{|\\(?:frac|times|cdot|left|sum|text|mathrm|mathbb|sqrt)\b|[_^]\\")
_CODE = re.compile(
    r"[;{\[(]\s{0,9}$|\w\(.{0,200}\)\s{0,9}$|\w\s?=\s?[\"'\[{]|==|\s--\w"
    r"|^\s{0,80}(?:def |class |import |from \w+ import|for .{1,80}:$|if .{1,80}:$|return\b|print\("
    r"|>>>|\$ |# |//|pip |python|fairseq-|git |!)"
)


@record(kw_only=False)
class Fence:
    """What opens a listing.

    Attributes:
        mark: The fence itself.
        info: First word behind it, in small letters.
    """

    mark: str
    info: str

    def closed_by(self, text: str) -> bool:
        """Say whether a line closes the listing: at least as many of the same marks, alone."""
        bare = text.strip()
        return bare.startswith(self.mark) and not bare.strip(self.mark[0])


def fence_of(text: str) -> Fence | None:
    """Return the fence that a line opens, or None.

    Example:
        >>> fence_of("```{python} x = 1"), fence_of("`code`")
        (Fence(mark='```', info='python'), None)
    """
    found = _FENCE.match(text)
    if found is None:
        return None
    info = found[2].strip().lstrip("{.").split()
    return Fence(found[1], re.sub(r"[^\w+-].*", "", info[0].lower()) if info else "")


def is_formula(text: str) -> bool:
    """Say whether a listing without a language is a formula in LaTeX's spelling."""
    return bool(_FORMULA.search(text)) and "=" in text and not is_code(text.split("\n"))


def is_code(texts: Sequence[str]) -> bool:
    """Say whether lines look like a program, not like what it printed."""
    seen = [text for text in texts if text.strip()][:200]
    return sum(bool(_CODE.search(text[:300])) for text in seen) * 3 > len(seen)


def fence_blocks(fence: Fence, lines: Sequence[Line]) -> list[Block]:
    """Return the blocks of a listing."""
    kept = tuple(line for line in lines if line.text.strip())
    if not kept:
        return []
    texts = [line.text for line in kept]
    text = "\n".join(texts)
    if fence.info in _MATHS or (not fence.info and is_formula(text)):
        return [Block(type="equation", lines=kept)]
    if fence.info in _OUTPUTS or (not fence.info and not is_code(texts)):
        return printed_blocks(lines)
    return [Block(type="code", lines=kept)]


def printed_blocks(lines: Sequence[Line]) -> list[Block]:
    """Return what a program printed: its tables, and all else as output."""
    blocks = split_blocks(lines)
    if not any(block.type == "table" for block in blocks):
        kept = tuple(line for line in lines if line.text.strip())
        return [Block(type="output", lines=kept)] if kept else []
    return [
        block if block.type == "table" else Block(type="output", lines=block.lines)
        for block in blocks
    ]


_BEGIN = re.compile(
    r"\s{0,9}\\begin\{((?:equation|align|gather|multline|eqnarray|displaymath"
    r"|flalign|aligned)\*?)\}"
)
_BRACKETED = re.compile(r"\s{0,80}\\\[[^\]]{0,40}\\\]\S")
_NUMBER = re.compile(r"\s{0,20}\(\d{1,3}[a-z]?\)\s{0,20}[.,;]?\s{0,20}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_LONGEST = 400


@record(kw_only=False)
class Display:
    """A display equation.

    Attributes:
        lines: Its lines, without what opens and closes it.
        rest: What stands behind it in its last line, or None.
        end: Index of the line behind it.
    """

    lines: tuple[Line, ...]
    rest: Line | None
    end: int


def display_at(lines: Sequence[Line], at: int) -> Display | None:
    """Return the display equation that a line opens, or None."""
    opening = _opening(lines[at].text)
    if opening is None:
        return None
    start, close, is_environment = opening
    found = _closing(lines, at, close, start)
    if found is None:
        return None
    end, stop = found
    body = [cut(lines[at], start, stop if end == at else None)]
    if end > at:
        body.extend([*lines[at + 1 : end], cut(lines[end], 0, stop)])
    rest = cut(lines[end], stop + len(close))
    if not is_environment and end == at and len(_WORD.findall(rest.text[:_LONGEST])) > 3:
        # A sentence goes on behind it: mathematics inside a text.
        return None
    if _NUMBER.fullmatch(rest.text):
        return Display((*body, rest), None, end + 1)
    over = rest if rest.text.strip(" \t.,;") else None
    return Display(tuple(body), over, end + 1)


def _opening(text: str) -> tuple[int, str, bool] | None:
    """Return where a display begins, what closes it, and whether it is an environment."""
    bare = text.lstrip()
    shift = len(text) - len(bare)
    if found := _BEGIN.match(text):
        return found.end(), f"\\end{{{found[1]}}}", True
    if bare.startswith("$$"):
        return shift + 2, "$$", False
    if bare.startswith("\\[") and not _BRACKETED.match(text):
        return shift + 2, "\\]", False
    return None


def _closing(lines: Sequence[Line], at: int, close: str, start: int) -> tuple[int, int] | None:
    """Return the line in which a display ends, and where in it."""
    for i in range(at, min(len(lines), at + _LONGEST)):
        text = lines[i].text
        found = text.find(close, start if i == at else 0)
        if found >= 0:
            return i, found
        if text.lstrip().startswith(("```", "~~~", "# ", "## ", "### ")):
            break
    return None
