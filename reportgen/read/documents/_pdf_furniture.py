"""Headers, footers and page numbers: they stand on every page and are no part of the report."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.read.documents._pdf_library import Box
from reportgen.read.documents._pdf_rows import Row, joined
from reportgen.read.documents._pdf_words import Word

_EDGE = 0.15
"""Share of a page, from above and from below, in which furniture stands."""
_MARGIN = 36.0
"""Nobody's text, but browsers' headers, stands this near to the edge of a page."""
_NUMBERED, _STEP, _SENTENCE, _FLUSH = 3, 10, 7, 1.5
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
    for sheet in sheets:
        _drop_line_numbers(sheet)
    edges = [(sheet, row, _text(row)) for sheet in sheets for row in _edge_rows(sheet)]
    seen = Counter(key for sheet, row, text in edges for key in _keys(sheet, row, text))
    often = max(2, len(sheets) // 4)
    for sheet, row, text in edges:
        repeated = any(seen[key] >= often for key in _keys(sheet, row, text))
        if repeated or _is_page_number(sheet, row, text) or _is_browsers(sheet, row, text):
            sheet.rows.remove(row)


def _drop_line_numbers(sheet: Sheet) -> None:
    """Take the numbers of lines off, in the margins of templates for reviewers and of code."""
    for side in (0, -1):
        ends = [(row, row.words[side]) for row in sheet.rows if row.words[side].text.isdecimal()]
        # They end at one place, as numbers set flush right do.
        place = Counter(round(word.x1) for _, word in ends).most_common(1)
        ends = [(row, word) for row, word in ends if abs(word.x1 - place[0][0]) < _FLUSH]
        text = any(len(row.words) >= _SENTENCE for row in sheet.rows)
        if len(ends) < _NUMBERED or not text or not _outside(sheet, ends, side):
            continue
        for row, word in _counted(ends):
            row.words.remove(word)
        sheet.rows = [row for row in sheet.rows if row.words]


def _counted(ends: Sequence[tuple[Row, Word]]) -> list[tuple[Row, Word]]:
    """Return the numbers that count up evenly, three of them or more."""
    runs: list[list[tuple[Row, Word]]] = []
    for end in ends:
        value = int(end[1].text[:6])
        last = [int(word.text[:6]) for _, word in runs[-1][-2:]] if runs else []
        step = value - last[-1] if last else 0
        if 0 < step <= _STEP and (len(last) < 2 or step == last[1] - last[0]):
            runs[-1].append(end)
        else:
            runs.append([end])
    return [end for run in runs if len(run) >= _NUMBERED for end in run]


def _outside(sheet: Sheet, ends: Sequence[tuple[Row, Word]], side: int) -> bool:
    """Say whether numbers stand beside everything else on the page."""
    numbers = {id(word) for _, word in ends}
    others = [w for row in sheet.rows for w in row.words if id(w) not in numbers]
    if not others:
        return False
    if side == 0:
        return max(w.x1 for _, w in ends) < min(w.x0 for w in others) - 2
    return min(w.x0 for _, w in ends) > max(w.x1 for w in others) + 2


def _text(row: Row) -> str:
    return joined(row.words)


def _edge_rows(sheet: Sheet) -> list[Row]:
    """Return the first and the last two rows, as far as they stand at the edges."""
    low, high = _EDGE * sheet.height, (1 - _EDGE) * sheet.height
    rows = sheet.rows
    last = [row for row in rows[max(2, len(rows) - 2) :] if row.y < low]
    return [row for row in rows[:2] if row.y > high or row.y < low] + last


def _keys(sheet: Sheet, row: Row, text: str) -> set[tuple[str, int]]:
    """Return what is equal on pages that share a header or footer.

    Its first or its last number may be that of the page, counted from anywhere: `Seed 1` and
    `Seed 2` at the top of pages 3 and 4 would be one, but not at those of pages 3 and 5.
    """
    same = {text}
    found = list(_INTEGER.finditer(text))
    for number in found[:1] + found[-1:]:
        shift = int(number[0]) - sheet.number
        same.add(f"{text[: number.start()]}#{shift}{text[number.end() :]}")
    return {(key, round(row.y / 3)) for key in same}


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
