"""Markdown: the common one, GitHub's tables and mathematics, Quarto's and R's chunks."""

from __future__ import annotations

from pathlib import Path

from reportgen.read.documents._blocks import split_blocks
from reportgen.read.documents._limits import Limits
from reportgen.read.documents._markdown import markdown_parts
from reportgen.read.documents._source import read_text
from reportgen.records.manuscript import Manuscript


def read_markdown(path: Path, limits: Limits) -> Manuscript:
    """Read a report in Markdown.

    Raises:
        EvidenceError: The file is missing, too large, or no text.
    """
    text = read_text(path, limits)
    problems = list(text.problems)
    parts = markdown_parts(text.lines, problems, text.path)
    return Manuscript(
        path=text.path,
        format="markdown",
        sha256=text.sha256,
        blocks=split_blocks(parts),
        problems=tuple(problems),
    )
