"""Headers, footers and page numbers: they stand on every page and are no part of the report."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.manuscripts._pdf_library import Box
from reportgen.manuscripts._pdf_rows import Row, joined

_EDGE = 0.15
"""Share of a page, from above and from below, in which furniture stands."""
_MARGIN = 36.0
"""Nobody's text, but browsers' headers, stands this near to the edge of a page."""
_INTEGER = re.compile(r"(?<![\d.,])\d{1,4}(?![\d.,]\d)")
_PAGE = re.compile(
    r"(?:[-–—]\s?)?(?:page|seite|p\.)?\s?(?:\d{1,4}|[ivxl]{1,6})"
    r"(?:\s?(?:/|of|sur|de|von)\s?\d{1,4})?(?:\s?[-–—])?",
    re.IGNORECASE,
)
_PRINTED = re.compile(r"\b\d{1,4}\s?/\s?\d{1,4}$|\d{1,2}/\d{1,2}/\d{2,4},? \d{1,2}[:h]\d{2}")


@dataclass(slots=True)
class Sheet:
    """What is printed on one page.

    Attributes:
        number: From 1.
        height: In points.
        rows: From top to bottom.
        rules: Thin lines.
    """

    number: int
    height: float
    rows: list[Row]
    rules: Sequence[Box] = ()


def drop_furniture(sheets: Sequence[Sheet]) -> None:
    """Take headers, footers and page numbers off the pages.

    A header or footer says the same, but for the number of the page, at the same height of
    several pages. A page number stands alone at an edge, also on a single page.
    """
    edges = [(sheet, row, _text(row)) for sheet in sheets for row in _edge_rows(sheet)]
    seen = Counter(_key(sheet, row, text) for sheet, row, text in edges)
    often = max(2, len(sheets) // 4)
    for sheet, row, text in edges:
        repeated = seen[_key(sheet, row, text)] >= often
        if repeated or _is_page_number(sheet, row, text) or _is_browsers(sheet, row, text):
            sheet.rows.remove(row)


def _text(row: Row) -> str:
    return joined(row.words)


def _edge_rows(sheet: Sheet) -> list[Row]:
    """Return the first and the last two rows, as far as they stand at the edges."""
    low, high = _EDGE * sheet.height, (1 - _EDGE) * sheet.height
    rows = sheet.rows
    last = [row for row in rows[max(2, len(rows) - 2) :] if row.y < low]
    return [row for row in rows[:2] if row.y > high or row.y < low] + last


def _key(sheet: Sheet, row: Row, text: str) -> tuple[str, int, bool]:
    """Return what is equal on pages that share a header or footer."""
    same = _INTEGER.sub("#", text) if "." not in text else text.replace(str(sheet.number), "#")
    return same, round(row.y / 3), row.y > sheet.height / 2


def _is_page_number(sheet: Sheet, row: Row, text: str) -> bool:
    """Say whether a row is a page number: nothing else, and nothing near it."""
    if len(text) > 20 or not _PAGE.fullmatch(text.strip()):
        return False
    near = min((abs(other.y - row.y) for other in sheet.rows if other is not row), default=999.0)
    return near > 1.5 * row.h


def _is_browsers(sheet: Sheet, row: Row, text: str) -> bool:
    """Say whether a browser printed the row around the page: date, address, pages."""
    outside = row.y < _MARGIN or row.y > sheet.height - _MARGIN
    return outside and bool(_PRINTED.search(text))
