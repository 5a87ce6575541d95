"""The text of a report as HTML, every claim in it a link to what was found."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence

from reportgen.checking.projections._html_marks import Mark, Painter
from reportgen.checking.projections._plain import running_text, words
from reportgen.records.manuscript import Block, Cell, Manuscript

_TONES = {
    "error": "disagrees",
    "warning": "may disagree",
    "note": "worth a look",
    "borderline": "borderline",
    "disagrees": "disagrees",
    "agrees": "agrees",
    "open": "not checkable",
}
_DEEPEST = 6


def escape(text: str) -> str:
    """Return words on one line as HTML, safe in content and in quoted attributes.

    Example:
        >>> escape('<b a="1">')
        '&lt;b a=&quot;1&quot;&gt;'
    """
    return html.escape(words(text))


def entry_id(mark: Mark) -> str:
    """Return the anchor of what was found at a mark."""
    return f"{mark.id}e"


class TextWriter:
    """Writes the blocks of one report.

    Args:
        manuscript: The report.
        marks: Its marks.
        level: Of the page's heading that the text stands under.
    """

    def __init__(self, manuscript: Manuscript, marks: Sequence[Mark], level: int) -> None:
        self.manuscript = manuscript
        self.level = level
        self.written: set[str] = set()
        self._marks: dict[int, list[Mark]] = {}
        for mark in marks:
            self._marks.setdefault(mark.block, []).append(mark)
        self._captions = {
            block.text.strip() for block in manuscript.blocks if block.type == "caption"
        }

    def blocks(self) -> Iterator[str]:
        """Yield the blocks in reading order; items of one list stand together."""
        inside = False
        for index, block in enumerate(self.manuscript.blocks):
            if inside != (block.type == "item"):
                yield "<ul>" if not inside else "</ul>"
                inside = not inside
            yield self.block(block, self._marks.get(index, ()))
        if inside:
            yield "</ul>"

    def block(self, block: Block, marks: Sequence[Mark]) -> str:
        """Return one block; marks that its text does not show stand behind it."""
        painter = Painter(block, marks)
        inner = (
            "".join(self.table(block, painter))
            if block.type == "table" and block.rows
            else self.marked(painter.stretches())
        )
        left = "".join(self.anchor(mark, "◆") for mark in marks if mark.id not in self.written)
        return self.framed(block, inner, f' <span class="left">{left}</span>' if left else "")

    def framed(self, block: Block, inner: str, left: str) -> str:
        """Return marked text in the element of its block."""
        line = block.lines[0].number if block.lines else 0
        at = f' data-line="{line}" dir="auto"'
        match block.type:
            case "heading":
                depth = min(_DEEPEST, self.level + max(1, block.level))
                return f"<h{depth}{at}>{inner}{left}</h{depth}>"
            case "item":
                return f'<li class="depth{min(3, max(1, block.level))}"{at}>{inner}{left}</li>'
            case "table" if block.rows:
                return f'<div class="scroll"{at} tabindex="0">{inner}</table></div>{left}'
            case "code" | "output" | "table":
                return f'<pre class="{block.type}"{at} tabindex="0">{inner}</pre>{left}'
            case "equation":
                return f'<p class="equation"{at}><code>{inner}</code>{left}</p>'
            case "caption" | "reference":
                return f'<p class="{block.type}"{at}>{inner}{left}</p>'
        return f"<p{at}>{inner}{left}</p>"

    def table(self, block: Block, painter: Painter) -> Iterator[str]:
        """Yield caption and rows of a table."""
        if block.caption and block.caption.strip() not in self._captions:
            yield f'<p class="caption">{escape(block.caption)}</p>'
        yield "<table>"
        for number, row in enumerate(block.rows):
            if number == 0 and block.head:
                yield "<thead>"
            if number == block.head:
                yield "</thead><tbody>" if block.head else "<tbody>"
            tag = "th" if number < block.head else "td"
            yield f"<tr>{''.join(self.cells(row, number, tag, painter))}</tr>"
        yield "</thead>" if block.head >= len(block.rows) else "</tbody>"

    def cells(self, row: Sequence[Cell], number: int, tag: str, painter: Painter) -> Iterator[str]:
        """Yield the cells of a row; those that a wider one reaches over are part of it."""
        covered = 0
        for column, cell in enumerate(row):
            if covered and cell.span == 0:
                covered -= 1
                continue
            covered = max(0, cell.span - 1)
            wide = f' colspan="{cell.span}"' if cell.span > 1 else ""
            again = ' class="again"' if cell.span == 0 else ""
            inner = self.marked(painter.cell(cell, number, column))
            yield f"<{tag}{wide}{again}>{inner}</{tag}>"

    def marked(self, stretches: Iterator[tuple[str, Mark | None]]) -> str:
        """Return stretches of text, those with a mark as links."""
        return "".join(
            self.anchor(mark, text) if mark and text.strip() else html.escape(running_text(text))
            for text, mark in stretches
        )

    def anchor(self, mark: Mark, text: str) -> str:
        """Return a link to what was found; the first one of a mark is what links lead to."""
        first = "" if mark.id in self.written else f' id="{mark.id}"'
        self.written.add(mark.id)
        form = "number" if mark.number else "sentence"
        shown = html.escape(running_text(text))
        said = f'<span class="unseen"> ({_TONES[mark.tone]})</span>' if first else ""
        classes = f"mark {form} t-{mark.tone} v-{mark.verdict}"
        return f'<a class="{classes}"{first} href="#{entry_id(mark)}">{shown}{said}</a>'
