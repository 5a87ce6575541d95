"""The blocks of Markdown: what its marks tell is taken here, the rest goes on as clean lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from reportgen.read.documents import _shapes as shapes
from reportgen.read.documents._blocks import (
    Part,
    Scanner,
    display_at,
    fence_blocks,
    fence_of,
    is_code,
    split_blocks,
)
from reportgen.read.documents._cut import cut, indent_of, replaced, strip
from reportgen.read.documents._html import html_reach, html_tables, opens_table
from reportgen.read.documents._inline import clean, clean_lines
from reportgen.read.documents._read import Limits, read_text
from reportgen.read.documents._tables import (
    Spanned,
    heads_above,
    is_delimiter,
    is_pipe_row,
    pipe_intervals,
    spanned_table,
)
from reportgen.records.manuscript import Block, Line, Manuscript
from reportgen.records.record import field, record, replace
from reportgen.records.source import Problem

_HEADING = re.compile(r"\s{0,3}(#{1,6})(?:\s+|$)")
_CLOSING_HASHES = re.compile(r"\s#{1,20}\s{0,20}$")
_HTML_HEADING = re.compile(
    r"\s{0,9}<h([1-6])\b[^<>]{0,500}>(.{0,500}?)</h[1-6]>\s{0,9}$", re.IGNORECASE
)
_BAR = re.compile(r"\\\|")
_SETEXT = re.compile(r"\s{0,3}(={1,200}|-{1,200})\s{0,20}$")
_LONGEST_TITLE = 200
_ESCAPED = re.compile(r"\s{0,3}(?:\\[-+*#>]|\d{1,9}\\[.)])")
_DEFINITION = re.compile(r"\s{0,3}\[[^\[\]^]{1,200}\]:\s{1,9}\S{1,3000}")
_IMAGES = re.compile(
    r"\s{0,9}(?:!\[([^\[\]]{0,3000})\](?:\([^()]{0,3000}\)|\[[^\[\]]{0,200}\])"
    r"|<img\b[^<>]{0,3000}?\balt\s?=\s?\"([^\"<>]{0,3000})\"[^<>]{0,3000}>)(?:\{[^{}]{0,300}\})?"
)
_IGNORED = re.compile(
    r"\s{0,9}(?::::.{0,200}|\\(?:newpage|pagebreak|clearpage|bigskip|medskip|smallskip|vspace"
    r"\{[^{}]{0,40}\}|tableofcontents|hfill|noindent|centering)"
    r"|\[TOC\]|\[toc\]|\[\[_TOC_\]\])\s{0,9}$"
)
# White space of any kind, as above: a mark that is seen and not cut would be seen for ever.
_QUOTATION = re.compile(r"[\s>]*")
_DROPPED_TAG = re.compile(r"\s{0,9}<(script|style|svg)\b", re.IGNORECASE)
_ATTRIBUTES = re.compile(r"\s{0,20}\{[#.-][^{}]{0,200}\}\s{0,20}$")
_TABLE_CAPTION = re.compile(r"\s{0,3}(?:[Tt]able\s?)?:\s{1,9}\S")


def markdown_parts(lines: Sequence[Line], problems: list[Problem], path: str) -> list[Part]:
    """Return what is left of Markdown when its marks are gone: blocks, and lines between them.

    Args:
        lines: As written.
        problems: Gets what could not be read.
        path: The report, for the problems.
    """
    scan = _Scan(lines=list(lines), problems=problems, path=path)
    _skip_front_matter(scan)
    while scan.at < len(scan.lines):
        if not any(take(scan) for take in _TAKERS):
            _take_text(scan)
    scan.end_text()
    return scan.parts


@record(kw_only=False, frozen=False)
class _Scan(Scanner):
    """Where the scan stands and what it has found.

    Attributes:
        lines: All lines; marks of quotations are cut off as it goes.
        problems: What could not be read.
        path: The report.
        at: The next line.
        parts: What was found.
        begins: Index in `parts` of the first line of a paragraph that goes on, else None.
        in_list: Whether a list item has begun since the last line at the margin.
        unclosed: Whether a comment was met that nothing closes.
    """

    lines: list[Line]
    problems: list[Problem]
    path: str
    at: int = 0
    parts: list[Part] = field(default_factory=list)
    begins: int | None = None
    in_list: bool = False
    unclosed: bool = False

    @property
    def line(self) -> Line:
        return self.lines[self.at]

    def tell(self, what: str, remedy: str) -> None:
        """Name a problem of the present line."""
        message = f"line {self.line.number} opens {what}"
        self.problems.append(Problem(path=self.path, message=message, remedy=remedy))

    def end_text(self) -> None:
        """Clean the lines of the paragraph that ends here.

        What an escape keeps from being a list or a heading is a paragraph.
        """
        lines = [] if self.begins is None else self.parts[self.begins :]
        self.begins = None
        if lines:
            del self.parts[-len(lines) :]
            raw = [line for line in lines if isinstance(line, Line)]
            if _ESCAPED.match(raw[0].text):
                self.add("paragraph", clean_lines(raw))
            else:
                self.parts.extend(clean_lines(raw))

    def gap(self) -> None:
        """Leave a blank line where something is taken out."""
        self.end_text()
        self.parts.append(replace(self.line, text="", columns=()))

    def add(self, kind: str, lines: Sequence[Line], level: int = 0) -> None:
        self.end_text()
        kept = tuple(strip(line) for line in lines if line.text.strip())
        if kept:
            self.parts.append(Block(type=kind, lines=kept, level=level))


_FORGOTTEN = re.compile(r"#{2,6}\s\S")
_NAMED_VALUE = re.compile(r"\s{0,40}(?:-\s)?(name|type|value):\s{1,9}(\S.{0,80})$")


def _skip_front_matter(scan: _Scan) -> None:
    """Go behind the front matter: settings of the page between two rules at the top.

    Of a model card it holds results: each `value` becomes an item with the name before it.
    """
    if scan.text().rstrip() not in {"---", "+++"}:
        return
    for i in range(1, min(len(scan.lines), 300)):
        if scan.lines[i].text.rstrip() in {"---", "...", "+++"}:
            if any(":" in line.text or "=" in line.text for line in scan.lines[1:i]):
                scan.at = i + 1
                _add_results(scan, scan.lines[1:i])
            return


def _add_results(scan: _Scan, lines: Sequence[Line]) -> None:
    name = ""
    for line in lines:
        found = _NAMED_VALUE.match(line.text)
        if found is None:
            continue
        if found[1] != "value":
            name = found[2].strip() if found[1] == "name" or not name else name
            continue
        before = f"{name}: " if name else ""
        start = found.start(2)
        columns = (start + 1,) * len(before) + tuple(range(start + 1, start + 1 + len(found[2])))
        scan.add("item", [replace(line, text=before + found[2], columns=columns)], level=1)


def _take_blank(scan: _Scan) -> bool:
    bare = "".join(scan.text()[:300].split())
    rule = len(bare) > 2 and bare in {mark * len(bare) for mark in "-*_"}
    empty = not bare or rule or bare in {"-", "*", "+"}
    if empty or _IGNORED.match(scan.text()) or _DEFINITION.match(scan.text()):
        scan.gap()
        scan.at += 1
        return True
    return False


def _take_quotation(scan: _Scan) -> bool:
    """Cut the marks off a quotation; its lines are then read like all others."""
    if not scan.text().lstrip().startswith(">"):
        return False
    i = scan.at
    scan.gap()
    while i < len(scan.lines) and scan.lines[i].text.lstrip().startswith(">"):
        mark = _QUOTATION.match(scan.lines[i].text)
        scan.lines[i] = cut(scan.lines[i], mark.end() if mark else 0)
        i += 1
    return True


def _take_comment(scan: _Scan) -> bool:
    if not scan.text().lstrip().startswith("<!--") or scan.unclosed:
        return False
    start = scan.text().index("<!--") + 4
    for i in range(scan.at, len(scan.lines)):
        end = scan.lines[i].text.find("-->", start if i == scan.at else 0)
        if end >= 0:
            scan.gap()
            scan.lines[i] = cut(scan.lines[i], end + 3)
            scan.at = i if scan.lines[i].text.strip() else i + 1
            return True
    scan.unclosed = True
    scan.tell("a comment that is never closed; it is read as text", "close it with -->")
    return False


def _take_fence(scan: _Scan) -> bool:
    fence = fence_of(scan.text())
    if fence is None:
        return False
    end = scan.reach(lambda text, _: not fence.closed_by(text), scan.at + 1)
    if end == len(scan.lines):
        end = _end_of_unclosed(scan)
        what = "a listing that is never closed; it is taken to end before the next heading"
        scan.tell(what, f"close it with {fence.mark}")
    scan.end_text()
    scan.parts.extend(fence_blocks(fence, scan.lines[scan.at + 1 : end]))
    closed = end < len(scan.lines) and fence.closed_by(scan.lines[end].text)
    scan.at = end + closed
    return True


def _end_of_unclosed(scan: _Scan) -> int:
    """Return where a listing ends that its author forgot to close: before the next heading.

    Without one it goes to the end, as the standard has it.
    """
    for at in range(scan.at + 2, len(scan.lines)):
        blank = not scan.lines[at - 1].text.strip()
        if blank and _FORGOTTEN.match(scan.lines[at].text):
            return at
    return len(scan.lines)


def _take_display(scan: _Scan) -> bool:
    display = display_at(scan.lines, scan.at)
    if display is None:
        return False
    scan.add("equation", display.lines)
    if display.rest is not None:
        scan.parts.append(clean(display.rest))
    scan.at = display.end
    return True


def _take_html(scan: _Scan) -> bool:
    text = scan.text()
    dropped = _DROPPED_TAG.match(text)
    if dropped:
        close = f"</{dropped[1].lower()}"
        end = scan.reach(lambda text, _: close not in text.lower(), scan.at)
        scan.gap()
        scan.at = end + 1
        return True
    if not opens_table(text) or "`" in text:
        return False
    behind = html_reach(scan.lines, scan.at)
    if behind is None:
        return False
    blocks = html_tables(scan.lines[scan.at : behind])
    scan.end_text()
    scan.parts.extend(blocks)
    if not blocks:
        scan.gap()
    scan.at = behind
    return True


def _take_heading(scan: _Scan) -> bool:
    text = scan.text()
    if shapes.is_display(text) or shapes.is_formula(text):
        return False  # `# Parameters = 4 × 512` counts them
    if found := _HEADING.match(text):
        closing = _CLOSING_HASHES.search(text[-60:])
        end = len(text) - (len(closing[0]) if closing else 0)
        line, level = cut(scan.line, found.end(), max(end, found.end())), len(found[1])
    elif found := _HTML_HEADING.match(text):
        line, level = cut(scan.line, *found.span(2)), int(found[1])
    else:
        return False
    scan.add("heading", [_without_attributes(clean(line))], level)
    scan.gap()
    scan.at += 1
    scan.in_list = False
    return True


def _take_setext(scan: _Scan) -> bool:
    """Take the line below a title, and the lines above it as one."""
    found = _SETEXT.match(scan.text())
    if found is None or scan.begins is None:
        return False
    title = [line for line in scan.parts[scan.begins :] if isinstance(line, Line)]
    if sum(len(line.text) for line in title) > _LONGEST_TITLE or any(map(_is_no_title, title)):
        return False
    del scan.parts[scan.begins :]
    scan.begins = None
    lines = [_without_attributes(line) for line in clean_lines(title)]
    scan.add("heading", lines, 1 if found[1][0] == "=" else 2)
    scan.gap()
    scan.at += 1
    scan.in_list = False
    return True


def _is_no_title(line: Line) -> bool:
    text = line.text
    return shapes.bullet_of(text) is not None or "|" in text or "\t" in text or "  " in text.strip()


def _take_pipes(scan: _Scan) -> bool:
    if not is_pipe_row(scan.text()) or is_delimiter(scan.text()) or not is_delimiter(scan.text(1)):
        return False
    end = scan.reach(lambda text, _: "|" in text, scan.at + 2)
    lines = [scan.line, *scan.lines[scan.at + 2 : end]]
    pieces = ([cut(line, a, b) for a, b in pipe_intervals(line.text)[:400]] for line in lines)
    plain = ([replaced(strip(one), _BAR, lambda _: "|") for one in row] for row in pieces)
    rows = [[Spanned(line=strip(clean(one))) for one in row] for row in plain]
    caption, behind = _pandoc_caption(scan, end)
    table = spanned_table(rows, head=1, caption=" ".join(caption.text.split()) if caption else "")
    if table is not None:
        scan.end_text()
        scan.parts.append(replace(table, head=heads_above(table.rows, 1)))
    if caption is not None:
        scan.add("caption", [caption])
    scan.at = behind
    return True


def _pandoc_caption(scan: _Scan, end: int) -> tuple[Line | None, int]:
    """Return the caption below a table in pandoc's form, and the index behind it."""
    at = end
    while at < min(len(scan.lines), end + 2) and not scan.lines[at].text.strip():
        at += 1
    found = _TABLE_CAPTION.match(scan.lines[at].text) if at < len(scan.lines) else None
    if not found:
        return None, end
    return _without_attributes(clean(cut(scan.lines[at], found.end() - 1))), at + 1


def _without_attributes(line: Line) -> Line:
    """Return a title without the attributes behind it: `{#results .unnumbered}`."""
    found = _ATTRIBUTES.search(line.text[-300:])
    return strip(cut(line, 0, len(line.text) - len(found[0])) if found else line)


def _take_images(scan: _Scan) -> bool:
    """Take images that stand alone in their line: what is said of them is a caption."""
    at, texts = 0, []
    while found := _IMAGES.match(scan.text(), at):
        texts.append(found.span(1) if found[1] is not None else found.span(2))
        at = found.end()
    if not texts or scan.text()[at:].strip():
        return False
    for start, end in texts:
        alt = strip(clean(cut(scan.line, start, end)))
        if len(alt.text.split()) > 2:
            scan.add("caption", [alt])
    scan.gap()
    scan.at += 1
    return True


def _take_indented(scan: _Scan) -> bool:
    """Take code that is only set in: four blanks behind a blank line, outside a list."""
    if scan.in_list or indent_of(scan.text()) < 4 or scan.text(-1).strip() or "\t" in scan.text():
        return False
    end = scan.reach(lambda text, _: indent_of(text) >= 4, scan.at)
    lines = scan.lines[scan.at : end]
    if is_code([line.text for line in lines]):
        scan.add("code", lines)
        scan.at = end
        return True
    return False


def _take_text(scan: _Scan) -> None:
    """Take one line of text; it is cleaned with the others of its paragraph."""
    line = scan.line
    if scan.begins is not None and shapes.bullet_of(line.text):
        scan.end_text()
    if scan.begins is None:
        scan.begins = len(scan.parts)
    if indent_of(line.text) == 0 and not scan.text(-1).strip():
        scan.in_list = False
    scan.in_list = scan.in_list or shapes.bullet_of(line.text) is not None
    hard_break = line.text.endswith("  ")
    scan.parts.append(cut(line, 0, len(line.text.rstrip(" "))) if hard_break else line)
    scan.at += 1


_TAKERS: tuple[Callable[[_Scan], bool], ...] = (
    _take_setext,
    _take_blank,
    _take_quotation,
    _take_comment,
    _take_fence,
    _take_display,
    _take_html,
    _take_images,
    _take_pipes,
    _take_heading,
    _take_indented,
)


def read_markdown(path: Path, limits: Limits) -> Manuscript:
    """Read a report in Markdown; form feeds in it begin new pages.

    Raises:
        EvidenceError: The file is missing, too large, or no text.
    """
    text = read_text(path, limits)
    problems = list(text.problems)
    lines = list(_paged(text.lines))
    return Manuscript(
        path=text.path,
        format="markdown",
        sha256=text.sha256,
        blocks=split_blocks(markdown_parts(lines, problems, text.path)),
        pages=max((line.page or 0 for line in lines), default=0),
        problems=tuple(problems),
    )


def read_plain(path: Path, limits: Limits) -> Manuscript:
    """Read a plain text as what it nearly always is: Markdown, with tables set in columns.

    Raises:
        EvidenceError: The file is missing, too large, or no text.
    """
    return replace(read_markdown(path, limits), format="plain")


def _paged(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield lines with their pages, where there is a form feed."""
    if not any("\f" in line.text for line in lines):
        yield from lines
        return
    page = 1
    for line in lines:
        start = 0
        for i, piece in enumerate(line.text.split("\f")):
            page += i > 0
            # A form feed at the end of a file begins no page.
            if piece or i == 0:
                yield replace(cut(line, start, start + len(piece)), page=page)
            start += len(piece) + 1
