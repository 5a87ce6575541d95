"""Ends of the values that a metric can have: no band and no whisker goes beyond them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from reportgen.languages import say
from reportgen.records.document import Dot, Panel, Text
from reportgen.records.metrics import known_metric
from reportgen.report._metric_names import spelled
from reportgen.runs import direction_of

_PERCENT = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Ends of the values of a metric, in the unit of its axis.

    Attributes:
        least: The smallest value; minus infinity where there is none.
        most: The largest; infinity where there is none.
        known: Whether the metric is known to have them, or only nothing was logged beyond.
    """

    least: float = -math.inf
    most: float = math.inf
    known: bool = True


def bounds_of(metric: str, values: Iterable[float], *, percent: bool = False) -> Bounds:
    """Return the ends of the values of a metric.

    A value that was logged beyond an end shows that the name means something else here, and
    there is none. A loss of densities may be below 0; of one that never was, 0 is the end.

    Args:
        metric: Its name.
        values: All that was logged, in the unit of the axis.
        percent: Whether that is percent; a share of which some values are above 1 is, too.

    Example:
        >>> bounds_of("wer", [90.0, 3.1]).least, bounds_of("mean_iou", [0.7], percent=True).most
        (0.0, 100.0)
        >>> bounds_of("psnr", [30.0]).least, bounds_of("loss", [0.2, -0.1]).least
        (-inf, -inf)
    """
    logged = [value for value in values if math.isfinite(value)]
    low, high = min(logged, default=0.0), max(logged, default=0.0)
    known = known_metric(metric)
    if known is None or known.better != direction_of(metric):
        is_loss = "loss" in metric.lower().split("_") and direction_of(metric) == "lower"
        return Bounds(least=0.0 if is_loss and low >= 0 else -math.inf, known=False)
    above = known.most is not None and high > known.most
    scale = _PERCENT if percent or above else 1.0
    least = -math.inf if known.least is None else known.least * scale
    most = math.inf if known.most is None else known.most * scale
    return Bounds(least=least, most=most) if least <= low and high <= most else Bounds()


def cut_off(panel: Panel, bounds: Bounds) -> tuple[Panel, bool]:
    """Return a panel whose bands end where values end, and whether one went beyond."""
    cut = [
        replace(
            band,
            low=tuple(max(value, bounds.least) for value in band.low),
            high=tuple(min(value, bounds.most) for value in band.high),
        )
        for band in panel.bands
    ]
    # NaN, which is drawn as a gap, is equal to nothing.
    went = any(
        low < bounds.least or high > bounds.most
        for band in panel.bands
        for low, high in zip(band.low, band.high, strict=True)
    )
    return (replace(panel, bands=tuple(cut)) if went else panel), went


def cut_whiskers(dots: Sequence[Dot], bounds: Bounds) -> tuple[tuple[Dot, ...], bool]:
    """Return rows of dots whose whiskers end where values end, and whether one went beyond."""
    cut = tuple(
        dot
        if dot.low is None or dot.high is None
        else replace(dot, low=max(dot.low, bounds.least), high=min(dot.high, bounds.most))
        for dot in dots
    )
    return cut, cut != tuple(dots)


def whisker_words(metric: str, bounds: Bounds) -> Text:
    """Say where a whisker was cut off, and why."""
    if bounds.known:
        return say("A whisker is cut off where no {metric} can lie.", metric=spelled(metric))
    name = spelled(metric)
    return say("A whisker is cut off at zero: no {metric} below it was logged.", metric=name)


def cut_words(metric: str, bounds: Bounds) -> Text:
    """Say where a band was cut off, and why."""
    if bounds.known:
        return say("It is cut off where no {metric} can lie.", metric=spelled(metric))
    return say("It is cut off at zero: no {metric} below it was logged.", metric=spelled(metric))
