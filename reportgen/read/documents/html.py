"""Pages of HTML: our own reports, and simple ones that others wrote or exported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from reportgen.read.documents._blocks import split_blocks
from reportgen.read.documents._html import Page
from reportgen.read.documents._limits import Limits
from reportgen.read.documents._source import read_text
from reportgen.records.manuscript import Manuscript
from reportgen.records.source import Problem


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
