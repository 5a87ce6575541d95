"""Regions of a page as lines of text whose columns stand below each other."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from reportgen.read.documents._pdf_columns import Fragment, Printed

_APART = 1.32
"""A distance between lines that sets them apart, as a multiple of the usual one."""
_USUAL = 1.2
_FAR = 2.4
_SHORT = 0.55
_BLANK = 1.25
_DEEPEST = 60
"""Characters that a line is set in at most."""


def set_region(lines: Sequence[Printed]) -> list[str]:
    """Return the lines of a region as text, with an empty one where they are set apart.

    Pieces of neighbouring rows keep their order: what ends left of another's beginning on the
    page does so in the text, so that a column of a table is a column of text.
    """
    left = min(line.fragments[0].x0 for line in lines)
    unit = _unit(lines)
    pitch = _pitch(lines)
    texts: list[str] = []
    before: Printed | None = None
    for table in _stanzas(lines, pitch):
        placed = _place([line.fragments for line in table], left, unit)
        apart = _APART * (max(pitch, _row_pitch(table)) if len(table) > 2 else pitch)
        for line, text in zip(table, placed, strict=True):
            if before and (line.footnote or _distance(before, line) > apart):
                texts.append("")
            texts.append(text)
            before = line
    return texts


def _distance(upper: Printed, lower: Printed) -> float:
    """Return how far a line stands below another, in ems."""
    return abs(upper.y - lower.y) / lower.fragments[0].h


def _unit(lines: Sequence[Printed]) -> float:
    """Return the width of a usual character."""
    pieces = [f for line in lines for f in line.fragments]
    width = sum(f.x1 - f.x0 for f in pieces)
    return max(width / max(sum(len(f.text) for f in pieces), 1), 1.0)


def _pitch(lines: Sequence[Printed]) -> float:
    """Return the usual distance of two lines of text; tables and lists are set wider."""
    steps = [
        _distance(upper, lower)
        for upper, lower in pairwise(lines)
        if len(upper.fragments) == len(lower.fragments) == 1
    ]
    usual = sorted(step for step in steps if 0.8 < step < 2.4)
    return usual[len(usual) // 4] if len(usual) > 2 else _USUAL


def _row_pitch(rows: Sequence[Printed]) -> float:
    """Return the usual distance of the rows of a table."""
    return median(_distance(upper, lower) for upper, lower in pairwise(rows))


def _stanzas(lines: Sequence[Printed], pitch: float) -> list[list[Printed]]:
    """Return runs of lines that may be one table, and the others one by one.

    A line of one short piece between rows of several stays with them: it may name the rows
    below it.
    """
    width = max(f.x1 for line in lines for f in line.fragments) - min(
        line.fragments[0].x0 for line in lines
    )
    runs: list[list[Printed]] = []
    waiting: list[Printed] = []
    open_run = False
    before = lines[0]
    for line in lines:
        if open_run and _distance(before, line) > _FAR * pitch:
            runs += [[one] for one in waiting]
            waiting, open_run = [], False
        before = line
        if len(line.fragments) > 1:
            if open_run:
                runs[-1] += [*waiting, line]
            else:
                runs += [[one] for one in waiting]
                title = runs.pop() if runs and _is_title(runs[-1], line, pitch) else []
                runs.append([*title, line])
            waiting, open_run = [], True
        elif open_run and len(waiting) < 2 and _width(line.fragments[0]) < _SHORT * width:
            waiting.append(line)
        else:
            runs += [[one] for one in (*waiting, line)]
            waiting, open_run = [], False
    return runs + [[one] for one in waiting]


def _is_title(run: Sequence[Printed], row: Printed, pitch: float) -> bool:
    """Say whether a run is one piece right above a row, over columns behind the first."""
    above = run[-1]
    if len(run) > 1 or len(above.fragments) > 1 or _distance(above, row) > _APART * pitch:
        return False
    first, *_, last = row.fragments
    piece = above.fragments[0]
    return first.x1 < piece.x0 and piece.x1 < last.x1 + last.h


def _width(fragment: Fragment) -> float:
    return fragment.x1 - fragment.x0


def _place(rows: Sequence[Sequence[Fragment]], left: float, unit: float) -> list[str]:
    """Return rows as text: each piece behind all that end left of it in any of the rows."""
    if len(rows) == 1:
        return [_alone(rows[0], left, unit)]
    order = sorted(
        ((fragment, i) for i, row in enumerate(rows) for fragment in row),
        key=lambda pair: pair[0].x0,
    )
    texts = [""] * len(rows)
    ended: list[tuple[float, int]] = []
    edge = 0
    for fragment, i in order:
        while ended and ended[0][0] <= fragment.x0 + 0.1 * fragment.h:
            edge = max(edge, heapq.heappop(ended)[1] + 2)
        behind = len(texts[i]) + 2 if texts[i] else 0
        start = max(_indent(fragment, left, unit), edge, behind)
        texts[i] = texts[i].ljust(start) + fragment.text
        heapq.heappush(ended, (fragment.x1, len(texts[i])))
    return texts


def _alone(row: Sequence[Fragment], left: float, unit: float) -> str:
    """Return a row that is part of no table: its smaller gaps are blanks of justified text."""
    text, end = " " * _indent(row[0], left, unit), row[0].x0
    for fragment in row:
        if fragment is not row[0]:
            blank = 1 if fragment.x0 - end < _BLANK * fragment.h else 2
            text += " " * max(blank, _indent(fragment, left, unit) - len(text) if blank > 1 else 1)
        text, end = text + fragment.text, fragment.x1
    return text


def _indent(fragment: Fragment, left: float, unit: float) -> int:
    return min(round((fragment.x0 - left) / unit), 4 * _DEEPEST)
