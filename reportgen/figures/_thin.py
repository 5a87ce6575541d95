"""Fewer points for drawing: what the eye could tell apart stays, spikes included."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.figures._scale import is_drawable

MOST_POINTS = 500

Point = tuple[float, float]


def split_runs(x: Sequence[float], y: Sequence[float]) -> list[list[Point]]:
    """Return the stretches of a curve between its gaps (NaN, infinities).

    A long curve keeps its two ends, and the lowest and the highest point of each of 249
    stretches of equal numbers of points, so that a spike of one step is still seen at its
    place. This concerns the picture alone.

    Example:
        >>> split_runs([1, 2, 3], [0.5, float("nan"), 0.7])
        [[(1, 0.5)], [(3, 0.7)]]
    """
    points = list(zip(x, y, strict=True))
    if len(points) > MOST_POINTS:
        points = _thin(points)
    stretches: list[list[Point]] = [[]]
    for point in points:
        if is_drawable(point[0]) and is_drawable(point[1]):
            stretches[-1].append(point)
        elif stretches[-1]:
            stretches.append([])
    return [s for s in stretches if s]


def _thin(points: list[Point]) -> list[Point]:
    """Keep the extremes of each bucket, in order; a bucket without any value stays a gap."""
    buckets = MOST_POINTS // 2 - 1
    inner = points[1:-1]
    kept = [points[0]]
    for i in range(buckets):
        bucket = inner[i * len(inner) // buckets : (i + 1) * len(inner) // buckets]
        drawable = [p for p in bucket if is_drawable(p[0]) and is_drawable(p[1])]
        if not drawable:
            kept.append(bucket[0])
            continue
        low = min(range(len(drawable)), key=lambda k: drawable[k][1])
        high = max(range(len(drawable)), key=lambda k: drawable[k][1])
        kept.extend(drawable[k] for k in sorted({low, high}))
    return [*kept, points[-1]]
