"""How little, and how much, values can spread when some of them lie in known intervals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product

from reportgen.stats._interval import Interval

MOST_KNOWN = 8
"""Known values up to which every corner is looked at."""


def squares(values: Sequence[Fraction], mean: Fraction) -> Fraction:
    """Return the sum of squared distances from the mean."""
    return sum(((value - mean) ** 2 for value in values), Fraction())


def least_squares(known: Sequence[Interval], free: int, mean: Interval) -> Fraction | None:
    """Return the least sum of squares about the mean that known and free values can have.

    In the optimum all free values are equal, and each known one lies as near to them as its
    interval allows (as water finds its level), so that one number, the level, tells all.

    Args:
        known: Where the known values lie.
        free: How many others there are.
        mean: Where the mean of all lies; known and free values are at least one.

    Returns:
        None where no choice has such a mean.

    Example:
        >>> point = lambda x: Interval(Fraction(x), Fraction(x))
        >>> print(least_squares([point(5)], 2, point(3)))
        6
    """
    count = len(known) + free
    low, high = mean.low * count, mean.high * count
    if free == 0:
        low = max(low, sum((k.low for k in known), Fraction()))
        high = min(high, sum((k.high for k in known), Fraction()))
        if low > high:
            return None
    first, last = _level(known, free, low), _level(known, free, high)
    edges = {e for k in known for e in (k.low, k.high) if first < e < last}
    turns = sorted({first, last, *edges})
    best = min(_squares_at(known, free, level) for level in turns)
    for start, stop in pairwise(turns):
        # Between two edges the sum is a parabola; three points on it tell its lowest one.
        middle = (start + stop) / 2
        left, mid, right = (_squares_at(known, free, x) for x in (start, middle, stop))
        bend = left + right - 2 * mid
        lowest = middle - (stop - start) * (right - left) / (4 * bend) if bend else middle
        if start < lowest < stop:
            best = min(best, _squares_at(known, free, lowest))
    return best


def _level(known: Sequence[Interval], free: int, total: Fraction) -> Fraction:
    """Return the level at which all values add up to `total`."""
    edges = sorted({e for k in known for e in (k.low, k.high)}) or [Fraction()]
    sums = [(edge, _sum_at(known, free, edge)) for edge in edges]
    for edge, reached in sums:
        if reached == total:
            return edge
    if free and not sums[0][1] < total < sums[-1][1]:
        edge, reached = sums[0] if total < sums[0][1] else sums[-1]
        return edge + (total - reached) / free
    start, stop = next(pair for pair in pairwise(sums) if pair[0][1] < total < pair[1][1])
    slope = (stop[1] - start[1]) / (stop[0] - start[0])
    return start[0] + (total - start[1]) / slope


def _sum_at(known: Sequence[Interval], free: int, level: Fraction) -> Fraction:
    return free * level + sum((k.clip(level) for k in known), Fraction())


def _squares_at(known: Sequence[Interval], free: int, level: Fraction) -> Fraction:
    # A report may speak of a million free values: they are counted, not listed.
    values = [k.clip(level) for k in known]
    mean = (sum(values, Fraction()) + free * level) / (len(known) + free)
    return squares(values, mean) + free * (level - mean) ** 2


def most_squares(known: Sequence[Interval], free: int, mean: Interval) -> Fraction | None:
    """Return what the sum of squares cannot exceed; None where there is no such bound.

    Two free values may lie as far apart as one likes. The sum is convex, so that it is
    largest in a corner of what is known; where nothing is free the mean is left aside, which
    can only raise the bound.
    """
    if free > 1 or len(known) > MOST_KNOWN:
        return None
    largest = Fraction()
    for corner in product(*((k.low, k.high) for k in known)):
        inside = sum(corner, Fraction())
        if free == 0:
            largest = max(largest, squares(corner, inside / len(known)))
            continue
        for centre in (mean.low, mean.high):
            last = centre * (len(known) + 1) - inside
            largest = max(largest, squares([*corner, last], centre))
    return largest
