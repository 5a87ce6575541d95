"""Which points of a long curve the page keeps, so that it stays small enough to open."""

from __future__ import annotations

import math
from collections.abc import Sequence

MOST_POINTS = 500


def keep_points(values: Sequence[float]) -> list[int]:
    """Return the positions of the points to keep, at most 500, in order.

    A longer curve keeps its two ends, and the lowest and the highest point of each of 249
    stretches of equal numbers of points, as its drawing does.

    Missing: A stretch without any value keeps its first point, which is a gap.

    Example:
        >>> keep_points([0.5, 0.7, 0.6])
        [0, 1, 2]
        >>> kept = keep_points([0.0] * 700 + [9.0] + [0.0] * 700)
        >>> len(kept) <= 500, 700 in kept, kept[0], kept[-1]
        (True, True, 0, 1400)
    """
    count = len(values)
    if count <= MOST_POINTS:
        return list(range(count))
    buckets = MOST_POINTS // 2 - 1
    inner = count - 2
    kept = [0]
    for i in range(buckets):
        first, stop = 1 + i * inner // buckets, 1 + (i + 1) * inner // buckets
        bucket = values[first:stop]
        finite = [value for value in bucket if math.isfinite(value)] or bucket[:1]
        kept += sorted({first + bucket.index(end(finite)) for end in (min, max)})
    return [*kept, count - 1]
