"""Rows of a page in reading order: columns of text one after the other, tables kept whole."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from reportgen.manuscripts._pdf_library import Box
from reportgen.manuscripts._pdf_rows import Row, joined
from reportgen.manuscripts._pdf_words import Word

_GAP, _SURE_GAP = 0.7, 1.5
"""A gap that may part two columns, and one that does, in heights of the font."""
_LOOSE = 1.8
_WIDE = (0.26, 0.58)
"""Share of the page that a line of one of two columns takes."""
_LINES = 5


@dataclass(slots=True)
class Fragment:
    """Words of one row without a wide gap between them: a line of a column, or a cell."""

    y: float
    x0: float
    x1: float
    h: float
    text: str


@dataclass(slots=True)
class Printed:
    """One line as it is printed, in its region of the page.

    Attributes:
        fragments: From left to right.
        footnote: Whether it begins a footnote.
    """

    fragments: list[Fragment]
    footnote: bool = False

    @property
    def y(self) -> float:
        """Baseline of its first fragment."""
        return self.fragments[0].y


def read_columns(
    rows: Sequence[Row], rules: Sequence[Box], gutter: float | None = None
) -> tuple[list[list[Printed]], float | None]:
    """Return the regions of a page in reading order, and where its two columns part.

    Args:
        rows: From top to bottom.
        rules: Thin lines of the page: those of a wide table keep it whole.
        gutter: Where the columns parted on the page before.
    """
    lines = [Printed(split_row(row), row.footnote) for row in rows]
    found = _find_gutter(lines, gutter)
    if found is None:
        return [lines] if lines else [], None
    lines = [Printed(_split_at(row, line.fragments, found), line.footnote)
             for row, line in zip(rows, lines, strict=True)]  # fmt: skip
    return _regions(lines, _wide_tables(lines, rules, found), found), found


def split_row(row: Row) -> list[Fragment]:
    """Return the pieces of a row that wide gaps part.

    A gap of a line of justified text may be as wide as one between columns of a table; there
    it is no wider than the others of the line.
    """
    words = row.words
    gaps = [b.x0 - a.x1 for a, b in itertools.pairwise(words)]
    if not gaps or max(gaps) < _GAP * row.h:
        return [_fragment(words, row.h)]
    usual = median(gaps) if len(gaps) > 3 else 0.0
    edge = _GAP * row.h
    if usual < edge:
        edge = max(edge, min(_LOOSE * usual, _SURE_GAP * row.h))
    pieces: list[Fragment] = []
    start = 0
    for i, gap in enumerate(gaps, 1):
        if gap >= edge:
            pieces.append(_fragment(words[start:i], row.h))
            start = i
    pieces.append(_fragment(words[start:], row.h))
    return pieces


def _fragment(words: Sequence[Word], h: float) -> Fragment:
    first = words[0]
    return Fragment(first.y, first.x0, words[-1].x1, h, joined(words))


def _find_gutter(lines: Sequence[Printed], known: float | None) -> float | None:
    """Return the middle of the blank strip between two columns of text, if there are two."""
    fragments = [fragment for line in lines for fragment in line.fragments]
    if not fragments:
        return None
    left, right = min(f.x0 for f in fragments), max(f.x1 for f in fragments)
    width = right - left
    wide = [f for f in fragments if _WIDE[0] * width < f.x1 - f.x0 < _WIDE[1] * width]
    ones = sorted(f.x1 for f in wide if f.x1 < left + 0.62 * width)
    others = sorted(f.x0 for f in wide if f.x0 > left + 0.38 * width)
    if len(ones) < _LINES or len(others) < _LINES:
        return known if known is not None and not _crossing(fragments, known) else None
    # A few lines may stick out of their column.
    low, high = ones[-1 - len(ones) // 20], others[len(others) // 20]
    middle = (low + high) / 2
    if high - low < 0.5 * wide[0].h:
        return None
    crossing = len(_crossing(fragments, middle))
    return middle if len(ones) + len(others) > crossing else None


def _crossing(fragments: Sequence[Fragment], x: float) -> list[Fragment]:
    return [f for f in fragments if f.x0 < x - 0.3 * f.h and f.x1 > x + 0.3 * f.h]


def _split_at(row: Row, fragments: list[Fragment], gutter: float) -> list[Fragment]:
    """Split a fragment that runs over the gutter although no word of it does."""
    if not _crossing(fragments, gutter):
        return fragments
    out: list[Fragment] = []
    for fragment in fragments:
        words = [w for w in row.words if fragment.x0 <= w.x0 < fragment.x1]
        left = [word for word in words if word.x1 <= gutter]
        right = [word for word in words if word.x0 >= gutter]
        parted = left and right and len(left) + len(right) == len(words)
        if parted and right[0].x0 - left[-1].x1 > _GAP * row.h:
            out += [_fragment(left, row.h), _fragment(right, row.h)]
        else:
            out.append(fragment)
    return out


def _wide_tables(
    lines: Sequence[Printed], rules: Sequence[Box], gutter: float
) -> list[tuple[float, float]]:
    """Return from where to where tables reach whose rules run over the gutter."""
    ys = sorted(
        (
            (rule[1] + rule[3]) / 2
            for rule in rules
            if rule[0] < gutter - 20 < gutter + 20 < rule[2]
        ),
        reverse=True,
    )
    found: list[tuple[float, float]] = []
    for top, bottom in itertools.pairwise(ys):
        inside = [line for line in lines if bottom <= line.y <= top]
        pieces = sum(len(line.fragments) for line in inside)
        # Between a rule below the head of a page and one above its footnotes stands the text.
        if inside and pieces > 1.5 * len(inside) and not _is_text(inside, gutter):
            found.append((bottom, top))
    return found


def _is_text(lines: Sequence[Printed], gutter: float) -> bool:
    """Say whether lines are two columns of text: long pieces on both sides."""
    pieces = [f for line in lines for f in line.fragments]
    width = max(f.x1 for f in pieces) - min(f.x0 for f in pieces)
    long = [f for f in pieces if f.x1 - f.x0 > 0.3 * width]
    sides = {f.x0 > gutter for f in long}
    return len(long) > len(lines) / 2 or (len(sides) > 1 and len(long) > 6)


def _regions(
    lines: Sequence[Printed], tables: Sequence[tuple[float, float]], gutter: float
) -> list[list[Printed]]:
    """Return the regions: lines over the whole page, or the two columns below each other."""
    regions: list[list[Printed]] = []
    whole: list[Printed] = []
    left: list[Printed] = []
    right: list[Printed] = []

    def flush(*parts: list[Printed]) -> None:
        for part in parts:
            if part:
                regions.append(part.copy())
            part.clear()

    for line in lines:
        table = any(bottom <= line.y <= top for bottom, top in tables)
        if table or _crossing(line.fragments, gutter):
            flush(left, right)
            whole.append(line)
            continue
        flush(whole)
        here = [f for f in line.fragments if f.x0 + f.x1 <= 2 * gutter]
        there = line.fragments[len(here) :]
        if here:
            left.append(Printed(here, line.footnote))
        if there:
            right.append(Printed(there, line.footnote and not here))
    flush(whole, left, right)
    return regions
