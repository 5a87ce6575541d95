"""Where a table is parted that no page holds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate, pairwise, takewhile

Part = tuple[int, int]


def split_rows(rows: Sequence[float], most: float, first: float = math.inf) -> tuple[Part, ...]:
    """Part a table into pieces of at most `most` lines; (first row, last row + 1) of each.

    The pieces are about as high as each other, so that none is a row or two. Where there are
    several, the first has at most `first` lines, to stand below another table of its page.

    Args:
        rows: Height of each row in lines.
        most: Lines that a page holds.
        first: Lines that are left for the first piece.

    Example:
        >>> split_rows([1, 1, 1, 1, 1, 1], 4), split_rows([1, 1, 1, 1, 1, 1], 4, 2)
        (((0, 3), (3, 6)), ((0, 2), (2, 6)))
    """
    if first >= most or sum(rows) <= most:
        return _even(rows, most, 0)
    within = takewhile(lambda used: used <= first, accumulate(rows))
    start = max(1, sum(1 for _ in within))
    return ((0, start), *_even(rows[start:], most, start))


def _even(rows: Sequence[float], most: float, offset: int) -> tuple[Part, ...]:
    """Part rows evenly; `offset` rows stand before them."""
    count = math.ceil(sum(rows) / max(most, 1.0))
    target = sum(rows) / count if count else 0.0
    starts, used = [0], 0.0
    for index, height in enumerate(rows):
        if used + height > min(target * 1.05, most) and len(starts) < count and index > starts[-1]:
            starts.append(index)
            used = 0.0
        used += height
    return tuple((offset + start, offset + stop) for start, stop in pairwise([*starts, len(rows)]))
