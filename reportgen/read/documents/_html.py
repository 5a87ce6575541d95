"""Tables written in HTML: in Markdown, and in the outputs of notebooks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from reportgen.read.documents._cut import cut, joined, strip
from reportgen.read.documents._inline import clean
from reportgen.read.documents._spans import MOST_SPANNED, Spanned, spanned_table
from reportgen.records.manuscript import Block, Line

_TAG = re.compile(
    r"<(/?)(table|thead|tbody|tfoot|tr|t[hd]|caption)\b([^<>]{0,4000})>", re.IGNORECASE
)
_SPAN = re.compile(r"\b(col|row)span\s{0,3}=\s{0,3}[\"']?(\d{1,4})", re.IGNORECASE)
_OPEN = re.compile(r"<table\b", re.IGNORECASE)
_CLOSE = re.compile(r"</table\s{0,9}>", re.IGNORECASE)


def opens_table(text: str) -> bool:
    """Say whether an HTML table begins in a line."""
    return _OPEN.search(text) is not None


def html_reach(lines: Sequence[Line], start: int) -> int:
    """Return the index behind the line in which the table of a line is closed."""
    depth = 0
    for i in range(start, len(lines)):
        depth += len(_OPEN.findall(lines[i].text)) - len(_CLOSE.findall(lines[i].text))
        if depth <= 0:
            return i + 1
    return len(lines)


@dataclass(slots=True)
class _Found:
    """What was found of a table so far."""

    rows: list[list[Spanned]] = field(default_factory=list)
    pieces: list[Line] = field(default_factory=list)
    caption: list[Line] = field(default_factory=list)
    cell: tuple[str, str] | None = None
    in_head: bool = False

    def close(self) -> None:
        """Take the cell that is open, or the caption."""
        if self.cell is None:
            return
        name, attributes = self.cell
        self.cell = None
        cleaned = [strip(clean(piece)) for piece in self.pieces]
        self.pieces = []
        if not cleaned:
            return
        if name == "caption":
            self.caption.extend(piece for piece in cleaned if piece.text)
            return
        spans = {kind.lower(): int(count) for kind, count in _SPAN.findall(attributes)}
        told = Spanned(
            line=joined(cleaned),
            columns=min(spans.get("col", 1), MOST_SPANNED) or 1,
            rows=min(spans.get("row", 1), MOST_SPANNED) or 1,
            head=name == "th" or self.in_head,
        )
        if not self.rows:
            self.rows.append([])
        self.rows[-1].append(told)

    def tag(self, closing: bool, name: str, attributes: str) -> None:
        """Meet a tag."""
        if name in {"td", "th", "caption"}:
            self.close()
            self.cell = None if closing else (name, attributes)
        elif name == "tr":
            self.close()
            if not closing:
                self.rows.append([])
        else:
            self.close()
            self.in_head = name == "thead" and not closing


def html_table(lines: Sequence[Line]) -> tuple[Block, ...]:
    """Return the table in some lines of HTML, behind it its caption if it has one."""
    found = _Found()
    for line in lines:
        at = 0
        for tag in _TAG.finditer(line.text):
            if found.cell is not None:
                found.pieces.append(cut(line, at, tag.start()))
            found.tag(bool(tag[1]), tag[2].lower(), tag[3])
            at = tag.end()
        if found.cell is not None and at < len(line.text):
            found.pieces.append(cut(line, at))
    found.close()
    rows = [row for row in found.rows if row]
    head = 0
    while head < len(rows) and all(cell.head for cell in rows[head]):
        head += 1
    caption = " ".join(line.text for line in found.caption)
    table = spanned_table(rows, head=head or None, caption=caption)
    above = (Block(type="caption", lines=tuple(found.caption)),) if found.caption else ()
    return (*above, *((table,) if table is not None else ()))
