"""The text of a report as HTML, every number in it a link to what was found."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from functools import lru_cache

from reportgen.checking.projections._records import Record, Row
from reportgen.checking.projections._words import point_words, running_text, words
from reportgen.records.manuscript import Block, Cell
from reportgen.records.source import shorten

_TONES = {
    "error": "contradicted",
    "warning": "may be contradicted",
    "note": "worth a look",
    "traced": "traced",
    "untraced": "untraced",
}
_DEEPEST = 6
_LONGEST_TITLE = 300


@lru_cache(4096)
def escape(text: str) -> str:
    """Return words on one line as HTML, safe in content and in quoted attributes.

    Example:
        >>> escape('<b a="1">')
        '&lt;b a=&quot;1&quot;&gt;'
    """
    return html.escape(words(text))


class ReportWriter:
    """Writes the blocks of one report.

    Args:
        record: The report with its verdicts.
        prefix: Of every anchor.
        level: Of the page's heading that the text stands under.
    """

    def __init__(self, record: Record, prefix: str, level: int) -> None:
        self.manuscript = record.manuscript
        self.prefix = prefix
        self.level = level
        self.written: set[str] = set()
        self._rows: dict[int, list[Row]] = {}
        for row in record.rows:
            self._rows.setdefault(row.stretch.block, []).append(row)
        blocks = self.manuscript.blocks
        self._captions = {block.text.strip() for block in blocks if block.type == "caption"}

    def blocks(self) -> Iterator[str]:
        """Yield the blocks in reading order; items of one list stand together."""
        inside = False
        for index, block in enumerate(self.manuscript.blocks):
            if inside != (block.type == "item"):
                yield "<ul>" if not inside else "</ul>"
                inside = not inside
            yield self.block(block, self._rows.get(index, ()))
        if inside:
            yield "</ul>"

    def block(self, block: Block, rows: Sequence[Row]) -> str:
        """Return one block; signs for what its text does not show stand behind it."""
        if block.type == "table" and block.rows:
            inner = "".join(self.table(block, rows))
        else:
            inner = self.marked(block.text, [row for row in rows if row.stretch.row is None])
        left = self.lost(rows)
        return self.framed(block, inner, f' <span class="left">{left}</span>' if left else "")

    def lost(self, rows: Sequence[Row]) -> str:
        """Return signs for rows that are not marked yet, for links to lead to."""
        return "".join(self.anchor(row, "◆") for row in rows if row.id not in self.written)

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

    def table(self, block: Block, rows: Sequence[Row]) -> Iterator[str]:
        """Yield caption and rows of a table."""
        if block.caption and block.caption.strip() not in self._captions:
            yield f'<p class="caption">{escape(block.caption)}</p>'
        marks: dict[tuple[int | None, int | None], list[Row]] = {}
        for one in rows:
            marks.setdefault((one.stretch.row, one.stretch.column), []).append(one)
        yield "<table>"
        for number, row in enumerate(block.rows):
            if number == 0 and block.head:
                yield "<thead>"
            if number == block.head:
                yield "</thead><tbody>" if block.head else "<tbody>"
            tag = "th" if number < block.head else "td"
            cells = [(cell, marks.get((number, column), ())) for column, cell in enumerate(row)]
            yield f"<tr>{''.join(self.cells(cells, tag))}</tr>"
        yield "</thead>" if block.head >= len(block.rows) else "</tbody>"

    def cells(self, cells: Sequence[tuple[Cell, Sequence[Row]]], tag: str) -> Iterator[str]:
        """Yield the cells of a row; those that a wider one reaches over are part of it."""
        covered = 0
        for cell, rows in cells:
            if covered and cell.span == 0:
                covered -= 1
                continue
            covered = max(0, cell.span - 1)
            wide = f' colspan="{cell.span}"' if cell.span > 1 else ""
            again = ' class="again"' if cell.span == 0 else ""
            yield f"<{tag}{wide}{again}>{self.marked(cell.text, rows)}</{tag}>"

    def marked(self, text: str, rows: Sequence[Row]) -> str:
        """Return a text whose numbers and statements are links."""
        return "".join(
            self.anchor(row, piece) if row and piece.strip() else html.escape(running_text(piece))
            for piece, row in _pieces(text, rows)
        )

    def anchor(self, row: Row, text: str) -> str:
        """Return a link to what was found; the first one of a row is what links lead to.

        What claims nothing is no link, for there is nothing more to say of it.
        """
        first = "" if row.id in self.written else f' id="{self.prefix}{row.id}"'
        self.written.add(row.id)
        shown = html.escape(running_text(text))
        form = "sentence" if row.printed is None else "number"
        classes = f"mark {form} t-{row.tone} v-{row.outcome}"
        if row.outcome == "no_claim":
            why = f"claims nothing: {row.reason}" if row.reason else "claims nothing"
            return f'<span class="{classes}"{first} title="{escape(why)}">{shown}</span>'
        said = f'<span class="unseen"> ({_TONES[row.tone]})</span>' if first else ""
        title, leads = escape(shorten(_title(row), _LONGEST_TITLE)), f"#{self.prefix}{row.id}e"
        return f'<a class="{classes}"{first} href="{leads}" title="{title}">{shown}{said}</a>'


def _pieces(text: str, rows: Sequence[Row]) -> Iterator[tuple[str, Row | None]]:
    """Yield a text cut up, each piece with the innermost row on it."""
    if not rows:
        if text:
            yield text, None
        return
    owner: list[Row | None] = [None] * len(text)
    # Longer ones first: what lies inside is painted over them.
    for row in sorted(rows, key=lambda one: one.stretch.start - one.stretch.end):
        start, end = row.stretch.start, min(row.stretch.end, len(text))
        if 0 <= start < end:
            owner[start:end] = [row] * (end - start)
    ends = {end for row in rows for end in (row.stretch.start, row.stretch.end)}
    start = 0
    for position in (*sorted(end for end in ends if 0 < end < len(text)), len(text)):
        if start < position and (position == len(text) or owner[position] is not owner[start]):
            yield text[start:position], owner[start]
            start = position


def _title(row: Row) -> str:
    """Return what a mark says where no script shows it."""
    told = row.told if row.outcome == "contradicted" else row.message or row.reason
    evidence = "; ".join(map(point_words, row.evidence))
    return f"{_TONES[row.tone]}: {told or evidence or row.rule}"
