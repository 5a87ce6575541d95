"""Markdown, the common one, GitHub's, Quarto's and R's; and plain text, which is read as such."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from reportgen.read.documents._blocks import split_blocks
from reportgen.read.documents._cut import cut
from reportgen.read.documents._limits import Limits
from reportgen.read.documents._markdown import markdown_parts
from reportgen.read.documents._source import read_text
from reportgen.records.manuscript import Line, Manuscript


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
