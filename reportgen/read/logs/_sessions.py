"""Where in the rows of one file another process begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

MOST = 1000
"""More places than these where steps go back are a habit of the writer."""

FEW = 3
"""So many places are believed however short what lies between them is."""

SHORT = 3
"""Steps that a session has, at the median, where there are more places."""


NEAR = 20
"""So many times the first steps are what a run goes that counts anew."""


@dataclass(frozen=True, slots=True)
class Points:
    """The points of one tag, in the order of the file.

    Attributes:
        rows: Numbers of their rows, which rise.
        values: Their values.
    """

    rows: Array
    values: Array


def session_starts(
    steps: Array, order: Array, tags: Sequence[Points], begun: Sequence[int]
) -> list[int]:
    """Return the numbers of the rows in which another process begins.

    In the values of a tag a step that goes back is one; so is one that comes again with another
    value. Where most steps come again, or steps go back all the time, it is how the program
    writes, and no other process.

    Args:
        steps: Step of every row.
        order: The same, where some rows count otherwise, in what the others count.
        tags: Points of all tags but the clocks.
        begun: Rows before which the header came again.

    Example:
        >>> steps = np.array([1, 2, 3, 2, 3, 4])
        >>> session_starts(steps, steps, [Points(np.arange(6), np.arange(6.0))], [])
        [3]
    """
    back, again = _turns(steps, tags)
    starts = _evident(_pierce(back, order), order)
    if len(starts) > FEW and _is_habit(order, starts):
        starts = []
    starts = sorted({*starts, *begun})
    open_ = _unpierced(again, starts)
    more = _pierce(open_, None)
    distinct = len(np.unique(steps))
    if 2 * len(more) <= distinct and len(more) <= MOST:
        starts = sorted({*starts, *more})
    return starts


def _turns(steps: Array, tags: Sequence[Points]) -> tuple[Array, Array]:
    """Return pairs of rows between which a tag's steps go back, and come again."""
    back, again = [], []
    for one in tags:
        change = np.diff(steps[one.rows])
        values = one.values
        pairs = np.stack((one.rows[:-1], one.rows[1:]), axis=1)
        other = (values[1:] != values[:-1]) & ~(np.isnan(values[1:]) & np.isnan(values[:-1]))
        back.append(pairs[change < 0])
        again.append(pairs[(change == 0) & other])
    nothing = np.empty((0, 2), dtype=np.int64)
    return (
        np.unique(np.concatenate([nothing, *back]), axis=0),
        np.unique(np.concatenate([nothing, *again]), axis=0),
    )


def _pierce(pairs: Array, steps: Array | None) -> list[int]:
    """Return the fewest rows of which one lies between the rows of every pair.

    Of several that would do, the one before which the steps of the file go back farthest.
    """
    found: list[int] = []
    left = pairs[np.argsort(pairs[:, 1], kind="stable")]
    while len(left) and len(found) <= MOST:
        end = int(left[0, 1])
        together = left[left[:, 0] < end]
        start = end
        if steps is not None:
            begin = int(together[:, 0].max())
            change = steps[begin + 1 : end + 1] - steps[begin:end]
            start = begin + 1 + int(np.argmin(change))
        found.append(start)
        left = left[left[:, 0] >= start]
    return found


def _evident(starts: list[int], order: Array) -> list[int]:
    """Return those rows from which on steps come again, or are counted from the start.

    Where rows are merely out of order, every step is there once.
    """
    if not starts:
        return []
    _, first, which = np.unique(order, return_index=True, return_inverse=True)
    early = order[0] + (order.max() - order[0]) / NEAR
    found: list[int] = []
    for begin, end in zip(starts, [*starts[1:], len(order)], strict=True):
        again = (first[which[begin:end]] < begin).any()
        anew = order[begin] <= early and len(np.unique(order[begin:end])) >= SHORT
        if again or anew:
            found.append(begin)
    return found


def _unpierced(pairs: Array, starts: Sequence[int]) -> Array:
    """Return the pairs between whose rows no session begins."""
    places = np.asarray(starts, dtype=np.int64)
    before = np.searchsorted(places, pairs[:, 0], side="right")
    kept: Array = pairs[before == np.searchsorted(places, pairs[:, 1], side="right")]
    return kept


def _is_habit(steps: Array, starts: Sequence[int]) -> bool:
    if len(starts) > MOST:
        return True
    parts = np.split(steps, starts)
    return bool(np.median([len(np.unique(part)) for part in parts]) < SHORT)
