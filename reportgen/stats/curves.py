"""Curves of figures: smoothed, and many at once. No number of a report is read from them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reportgen.records.errors import UsageError
from reportgen.records.record import record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]
    Curve = tuple[Column, Column]


def smooth_values(values: Sequence[float], weight: float) -> tuple[float, ...]:
    """Return TensorBoard's debiased exponential moving average of a curve.

    `weight` is the share of the past, from 0 (no smoothing) to below 1.

    Shape:
        As many values as came in.

    Units:
        Those of `values`.

    Missing:
        NaN and infinities pass through at their place and leave the average untouched.

    Raises:
        UsageError: `weight` is not in [0, 1).

    Source:
        TensorBoard, `vz_line_chart2/line-chart.ts`, `resmoothDataset`: the average starts
        at 0 and is divided by 1 - weight^k after k finite values (the bias correction of
        Kingma and Ba 2015, section 3); a constant curve is left alone.

    Example:
        >>> [round(v, 4) for v in smooth_values([1.0, 2.0, 3.0], 0.5)]
        [1.0, 1.6667, 2.4286]
    """
    if not 0 <= weight < 1:
        raise UsageError(
            f"a smoothing weight of {weight} is not in [0, 1)",
            remedy="set statistics.smoothing to 0 (raw curve) up to 0.99",
        )
    if len(set(values)) <= 1:
        return tuple(values)
    smoothed: list[float] = []
    average, correction = 0.0, 1.0
    for value in values:
        if math.isfinite(value):
            average = weight * average + (1 - weight) * value
            correction *= weight
            smoothed.append(average / (1 - correction))
        else:
            smoothed.append(value)
    return tuple(smoothed)


# --- many curves at once ------------------------------------------------------------------

MAX_PLACES = 60
"""Places along a curve that are told apart; of more, stretches of like length are."""
OUTSIDE = 0.05
"""Share of the curves that lies below the range, and above it."""


@record
class Course:
    """Where most of some curves run.

    Attributes:
        x: Place of each value.
        low, middle, high: Quantile 0.05, median and quantile 0.95 of the curves there, or the
            smallest, the mean and the largest.
        n: How many of the curves have a value there.
    """

    x: tuple[float, ...]
    low: tuple[float, ...]
    middle: tuple[float, ...]
    high: tuple[float, ...]
    n: tuple[int, ...]


@record
class Places:
    """How the axis of several curves is divided.

    Attributes:
        centres: One value a stretch.
        edges: Upper end of each stretch but the last.
        exact: Whether each stretch holds one place alone.
    """

    centres: Column
    edges: Column
    exact: bool


def divide(curves: Sequence[Curve]) -> Places:
    """Divide the axis at each place of the curves, or where they are many into like stretches.

    Example:
        >>> import numpy as np
        >>> divide([(np.array([1.0, 3.0]), np.array([0.5, 0.7]))]).edges
        array([2.])
    """
    import numpy as np

    found = np.unique(np.concatenate([x for x, _ in curves]))
    if len(found) <= MAX_PLACES:
        return Places(centres=found, edges=(found[1:] + found[:-1]) / 2, exact=True)
    bounds = np.linspace(found[0], found[-1], MAX_PLACES + 1)
    return Places(centres=(bounds[1:] + bounds[:-1]) / 2, edges=bounds[1:-1], exact=False)


def course_of(curves: Sequence[Curve], places: Places, *, whole: bool = False) -> Course:
    """Return middle and range over some curves, of the mean of each curve in each stretch.

    `whole` asks for mean, smallest and largest value, not for median and quantiles.

    Shape:
        One value a stretch in which half of the curves have a value, or more.

    Missing:
        NaN and infinities are left out.

    Source:
        Linear interpolation between order statistics (Hyndman and Fan 1996, definition 7),
        which is numpy's default.

    Example:
        >>> import numpy as np
        >>> steps = np.array([1.0, 2.0])
        >>> curves = [(steps, np.array([v, 2 * v])) for v in (1.0, 2.0, 6.0)]
        >>> course_of(curves, divide(curves)).middle
        (2.0, 4.0)
    """
    import numpy as np

    kept, table = _by_stretch(curves, places)
    if not table.size:
        # Nowhere do half of the curves have a value.
        return Course(x=(), low=(), middle=(), high=(), n=())
    if whole:
        rows = [of(table, axis=0) for of in (np.nanmin, np.nanmean, np.nanmax)]
    else:
        rows = list(np.nanquantile(table, (OUTSIDE, 0.5, 1 - OUTSIDE), axis=0))
    low, middle, high = (tuple(row.tolist()) for row in rows)
    n = tuple(np.isfinite(table).sum(axis=0).tolist())
    return Course(x=kept, low=low, middle=middle, high=high, n=n)


def _by_stretch(
    curves: Sequence[Curve], places: Places
) -> tuple[tuple[float, ...], NDArray[np.float64]]:
    """Return the stretches in which half of the curves have a value, and the mean of each there."""
    import numpy as np

    table = np.full((len(curves), len(places.centres)), np.nan)
    for row, (x, y) in zip(table, curves, strict=True):
        finite = np.isfinite(y)
        where = np.searchsorted(places.edges, x[finite], side="right")
        count = np.bincount(where, minlength=len(row))
        total = np.bincount(where, weights=y[finite], minlength=len(row))
        row[count > 0] = total[count > 0] / count[count > 0]
    kept = 2 * np.isfinite(table).sum(axis=0) >= max(len(curves), 1)
    return tuple(places.centres[kept].tolist()), table[:, kept]
