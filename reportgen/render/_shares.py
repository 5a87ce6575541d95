"""How the columns of a table share the width that is there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

# Room for the longest piece of a name that is not broken.
NARROWEST = 12.8
_ROUNDS = 24
_SAMPLE = 60


def share_out(
    natural: Sequence[float],
    wrapped: set[int],
    room: float,
    gap: float,
    rows: Sequence[Sequence[float]],
) -> list[float] | None:
    """Return the part of the room every wrapped column takes, 0 elsewhere; None where none fits.

    Columns that are not wrapped are as wide as they are. The others share what is left: evenly,
    then so that the table has the fewest lines.

    Args:
        natural: Width of each column on one line, in em.
        wrapped: Columns whose cells may have several lines.
        room: Width that is there, in em.
        gap: Space between two columns, in em.
        rows: Width of each cell of the wrapped columns (in the order of their numbers), in em.
    """
    count = len(natural)
    left = room - gap * (count - 1) - sum(w for i, w in enumerate(natural) if i not in wrapped)
    shares = [0.0] * count
    if sum(min(natural[i], NARROWEST) for i in wrapped) > left:
        return None
    if sum(natural[i] for i in wrapped) <= left:
        return shares
    order = sorted(wrapped)
    widths = _balanced(_even([natural[i] for i in order], left), rows[:: len(rows) // _SAMPLE + 1])
    for column, width in zip(order, widths, strict=True):
        shares[column] = width / room
    return shares


def _even(natural: Sequence[float], left: float) -> list[float]:
    """Give every column the same, and what a narrow one does not need to the others."""
    widths = [0.0] * len(natural)
    waiting = sorted(range(len(natural)), key=lambda i: natural[i])
    while waiting:
        fair = left / len(waiting)
        column = waiting.pop(0)
        widths[column] = min(natural[column], fair)
        left -= widths[column]
    return widths


def _balanced(widths: list[float], rows: Sequence[Sequence[float]]) -> list[float]:
    """Move width from one column to another as long as that saves lines."""
    pairs = list(permutations(range(len(widths)), 2))
    step, best = sum(widths) / 12, _lines(widths, rows)
    for _ in range(_ROUNDS):
        moved = [_move(widths, *pair, step) for pair in pairs]
        tried = [(_lines(new, rows), new) for new in moved if new]
        least, new = min(tried, default=(best, widths))
        if least < best:
            best, widths = least, new
        else:
            step /= 2
        if step < 1:
            break
    return widths


def _move(widths: list[float], giver: int, taker: int, step: float) -> list[float] | None:
    if widths[giver] - step < NARROWEST:
        return None
    new = list(widths)
    new[giver] -= step
    new[taker] += step
    return new


def _lines(widths: Sequence[float], rows: Sequence[Sequence[float]]) -> int:
    return sum(
        max(math.ceil(cell / (width or 1)) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
