"""Fewer points for drawing: what the eye could tell apart stays, spikes included."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reportgen.figures._scale import Point, find_drawable, have_place, is_drawable

MOST_POINTS = 500


def split_runs(x: Sequence[float], y: Sequence[float]) -> list[list[Point]]:
    """Return the stretches of a curve between its gaps (NaN, infinities).

    A long curve keeps its two ends, and the lowest and the highest point of each of 249
    stretches of equal numbers of points, so that a spike of one step is still seen at its
    place. This concerns the picture alone.

    Example:
        >>> split_runs([1, 2, 3], [0.5, float("nan"), 0.7])
        [[(1, 0.5)], [(3, 0.7)]]
    """
    if len(x) > MOST_POINTS:
        kept = _thin(x, y)
        x, y = [x[k] for k in kept], [y[k] for k in kept]
    drawable = find_drawable(x, y)
    if drawable and len(drawable) == len(x):
        return [drawable]
    stretches: list[list[Point]] = [[]]
    for point in zip(x, y, strict=True):
        if is_drawable(point[0]) and is_drawable(point[1]):
            stretches[-1].append(point)
        elif stretches[-1]:
            stretches.append([])
    return [s for s in stretches if s]


def _thin(x: Sequence[float], y: Sequence[float]) -> list[int]:
    """Return where the extremes of each bucket are; one without any value stays a gap."""
    buckets = MOST_POINTS // 2 - 1
    inner = len(x) - 2
    ends = 1 + np.arange(buckets + 1) * inner // buckets
    # One row a bucket; a shorter one ends in places that are of no other and count for nothing.
    places = ends[:-1, None] + np.arange(int(np.diff(ends).max()))
    values = np.array(y, dtype=float)
    seen = have_place(np.array(x, dtype=float)) & have_place(values)
    absent = (places >= ends[1:, None]) | ~seen[places]
    lows, highs = (
        (ends[:-1] + choose(np.where(absent, nowhere, values[places]), axis=1)).tolist()
        for choose, nowhere in ((np.argmin, np.inf), (np.argmax, -np.inf))
    )
    kept = [0]
    for low, high in zip(lows, highs, strict=True):
        kept += (low,) if low == high else (low, high) if low < high else (high, low)
    return [*kept, len(x) - 1]
