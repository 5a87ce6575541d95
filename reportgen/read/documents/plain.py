"""Plain text: what an editor, or a program that takes the text out of a PDF, writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from reportgen.read.documents._blocks import split_blocks
from reportgen.read.documents._cut import cut
from reportgen.read.documents._limits import Limits
from reportgen.read.documents._source import read_text
from reportgen.records.manuscript import Line, Manuscript


def read_plain(path: Path, limits: Limits) -> Manuscript:
    """Read a plain text; form feeds in it begin new pages.

    Raises:
        EvidenceError: The file is missing, too large, or no text.
    """
    text = read_text(path, limits)
    lines = list(_paged(text.lines))
    return Manuscript(
        path=text.path,
        format="plain",
        sha256=text.sha256,
        blocks=split_blocks(lines),
        pages=max((line.page or 0 for line in lines), default=0),
        problems=text.problems,
    )


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
            part = cut(line, start, start + len(piece))
            # A form feed at the end of a file begins no page.
            if piece or i == 0:
                yield Line(
                    text=part.text,
                    number=line.number,
                    page=page,
                    file=line.file,
                    columns=part.columns,
                )
            start += len(piece) + 1
