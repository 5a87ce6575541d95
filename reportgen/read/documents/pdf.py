"""PDF: the text of its pages, with exponents, fractions, columns and tables put back.

A PDF is characters at places. Rows are built from baselines, what hangs on a word as exponent or
index is written so (`512^2`, `d_model`), and rows become lines of text in which columns of a
table stand apart, as the reader of plain text expects them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path

from reportgen.errors import EvidenceError
from reportgen.read.documents._blocks import split_blocks
from reportgen.read.documents._limits import Limits
from reportgen.read.documents._pdf_columns import read_columns
from reportgen.read.documents._pdf_drawn import with_drawn
from reportgen.read.documents._pdf_figures import without_figures
from reportgen.read.documents._pdf_fractions import resolve_fractions
from reportgen.read.documents._pdf_furniture import Sheet, drop_furniture
from reportgen.read.documents._pdf_hyphens import join_words
from reportgen.read.documents._pdf_layout import set_region
from reportgen.read.documents._pdf_letters import count_unknown
from reportgen.read.documents._pdf_library import LOCK, Document, Page, PageError, open_document
from reportgen.read.documents._pdf_rows import build_rows
from reportgen.read.documents._pdf_words import read_words
from reportgen.read.documents._source import digest, read_bytes
from reportgen.records.manuscript import Line, Manuscript
from reportgen.records.source import Problem

_TABLE = 80
"""Characters on their side from which on they are more than labels."""
_UNKNOWN = 0.05
"""Share of characters without a meaning from which on numbers may be missing."""


@dataclass(slots=True)
class _Found:
    """What the pages held."""

    sheets: list[Sheet] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)
    characters: int = 0
    unknown: int = 0
    turned: int = 0
    cut: int = 0
    unread: int = 0
    figures: int = 0


def read_pdf(path: Path, limits: Limits) -> Manuscript:
    """Read the text of a PDF.

    Lines are counted from the top of each page, column by column, without empty ones, headers
    and footers.

    Args:
        path: The file.
        limits: How much of it is read; more pages or lines are an error, not a part of a report.

    Raises:
        EvidenceError: It is missing, too large, encrypted, damaged, or has no text.
    """
    content = read_bytes(path, limits)
    deadline = time.monotonic() + limits.seconds
    with LOCK, open_document(content, str(path)) as document:
        if document.pages > limits.pages:
            raise _refused(path, f"more than {limits.pages:,} pages")
        found = _read_pages(document, path, limits, deadline)
        pages = document.pages
    if not found.sheets:
        raise _without_text(path, found)
    drop_furniture(found.sheets)
    lines = list(_lines(found, limits))
    if len(lines) > limits.lines:
        raise _refused(path, f"more than {limits.lines:,} lines")
    return Manuscript(
        path=str(path),
        format="pdf",
        sha256=digest(content),
        blocks=split_blocks(lines),
        pages=pages,
        problems=tuple(_problems(str(path), found, limits)),
    )


def _without_text(path: Path, found: _Found) -> EvidenceError:
    why = "scanned, or printed as images"
    if found.unknown:
        why = "its fonts do not tell which characters they show"
    elif found.figures or found.turned:
        why = "there is some inside figures alone"
    elif found.broken:
        why = "its pages are damaged"
    return EvidenceError(
        f"{path} has no text that can be read: {why}",
        remedy="export the report as a PDF with text that can be copied, or hand in its source",
    )


def _refused(path: Path, reason: str) -> EvidenceError:
    return EvidenceError(
        f"{path} could not be read: {reason}", remedy="hand in the report without its appendices"
    )


def _read_pages(document: Document, path: Path, limits: Limits, deadline: float) -> _Found:
    found = _Found()
    for index in range(document.pages):
        if time.monotonic() > deadline:
            raise _refused(path, f"it took more than {limits.seconds:g} s")
        try:
            with document.page(index, limits.characters - found.characters) as page:
                if page.too_long and not found.sheets:
                    raise _refused(path, f"more than {limits.characters:,} characters")
                if page.too_long:
                    found.unread = index + 1
                    break
                _read_page(page, index + 1, found)
        except PageError:
            found.broken.append(index + 1)
    return found


def _read_page(page: Page, number: int, found: _Found) -> None:
    found.characters += len(page.text)
    found.unknown += count_unknown(page.text)
    turned = _read_side(page, number, found)
    # A table on its side is read as a page of its own; a label at an axis is not.
    quarters, characters = max(turned.items(), key=itemgetter(1), default=(0, 0))
    if quarters and characters >= _TABLE:
        page.turn(4 - quarters)
        del turned[quarters]
        _read_side(page, number, found)
    found.turned += turned.total()


def _read_side(page: Page, number: int, found: _Found) -> Counter[int]:
    """Read what is upright on a page; return how much is not."""
    drawings = page.drawings()
    read = read_words(page)
    words, figures = without_figures(read.upright, drawings, (page.width, page.height))
    words = with_drawn(words, drawings)
    words, rules = resolve_fractions(words, drawings.rules, page.width)
    found.figures += figures
    if words:
        found.sheets.append(Sheet(number, page.height, build_rows(words), rules))
    return read.turned


def _lines(found: _Found, limits: Limits) -> Iterator[Line]:
    """Yield the lines of all pages, with an empty one between the regions of a page."""
    texts: list[str] = []
    pages: list[int] = []
    gutter: float | None = None
    for sheet in found.sheets:
        regions, gutter = read_columns(sheet.rows, sheet.rules, gutter)
        for region in regions:
            for text in set_region(region):
                found.cut += len(text) > limits.line
                texts.append(text[: limits.line])
            texts.append("")
            pages += [sheet.number] * (len(texts) - len(pages))
    number = page = 0
    for text, here in zip(join_words(texts), pages, strict=True):
        number, page = (number if here == page else 0) + bool(text), here
        yield Line(text=text, number=max(number, 1), page=page)


def _problems(name: str, found: _Found, limits: Limits) -> Iterator[Problem]:
    if found.broken:
        pages = ", ".join(map(str, found.broken[:20]))
        yield Problem(
            path=name,
            message=f"page {pages} cannot be read",
            remedy="open the PDF in a viewer and save it again",
        )
    if found.unknown > _UNKNOWN * found.characters:
        share = 100 * found.unknown / found.characters
        yield Problem(
            path=name,
            message=f"{share:.0f}% of the characters are in fonts that do not tell what they are",
            remedy="export the PDF with text that can be copied, or hand in its source",
        )
    if found.unread:
        yield Problem(
            path=name,
            message=f"has more than {limits.characters:,} characters: pages from {found.unread} on "
            "were not read, and so are not checked",
            remedy="check its parts one by one",
        )
    if found.cut:
        yield Problem(
            path=name,
            message=f"lines of more than {limits.line:,} characters were cut off there, "
            f"{found.cut} in all; what follows in them was not checked",
        )
    if found.turned >= _TABLE:
        yield Problem(
            path=name,
            message=f"{found.turned:,} characters stand on their side and were not read",
            level="note",
        )
    if found.figures:
        yield Problem(
            path=name,
            message=f"text inside figures was left out, {found.figures} in all",
            level="note",
        )
