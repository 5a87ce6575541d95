"""Smoothing for figures. No number of the report is ever read from a smoothed curve."""

from __future__ import annotations

import math
from collections.abc import Sequence

from reportgen.errors import UsageError


def smooth_values(values: Sequence[float], weight: float) -> tuple[float, ...]:
    """Return TensorBoard's debiased exponential moving average of a curve.

    Args:
        values: The curve, in order of steps.
        weight: Share of the past, from 0 (no smoothing) to below 1.

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
