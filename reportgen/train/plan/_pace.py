"""How long an update took, by the clock of the logs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median, quantiles

from reportgen.records.run import Run, Series
from reportgen.train.plan._logged import logged_device
from reportgen.train.plan._steps import last_step

PAUSE = 10
"""So many times the usual time of a step is a pause (a night, a queue), not training."""

_RUNTIME = "train_runtime"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Seconds of an update, evaluations included.

    Attributes:
        seconds: Median over runs.
        low, high: Quartiles over runs; of a single one over its stretches between two points.
        runs: Number of runs.
        devices: Devices that their logs name (`"cpu"`, `"cuda"`); empty text for those that
            name none.
    """

    seconds: float
    low: float
    high: float
    runs: int
    devices: tuple[str, ...]


def pace_of(runs: Sequence[Run], metric: str) -> Pace | None:
    """Return the pace of some runs, None where no log tells it.

    Args:
        runs: Runs that were trained alike.
        metric: The metric of the study.
    """
    timed = [(run, _stretches(run, metric)) for run in runs]
    timed = [(run, stretches) for run, stretches in timed if stretches]
    if not timed:
        return None
    paces = [_overall(stretches) for _, stretches in timed]
    spread = paces if len(paces) > 1 else [seconds / steps for seconds, steps in timed[0][1]]
    middle = median(paces)
    low, _, high = quantiles(spread, n=4, method="inclusive") if len(spread) > 1 else spread * 3
    return Pace(
        seconds=middle,
        low=min(low, middle),
        high=max(high, middle),
        runs=len(timed),
        devices=tuple(sorted({logged_device(run) for run, _ in timed})),
    )


def _overall(stretches: Sequence[tuple[float, int]]) -> float:
    return sum(seconds for seconds, _ in stretches) / sum(steps for _, steps in stretches)


def _stretches(run: Run, metric: str) -> list[tuple[float, int]]:
    """Return (seconds, steps) between logged points, without pauses."""
    clocks = [
        series
        for series in run.scalars.values()
        if series.metric in {"loss", metric} and series.split in {"train", "validation", "test"}
    ]
    # The train loss is logged most often; of equally long ones any has the same clock.
    found = [_between(s) for s in sorted(clocks, key=lambda s: (s.split != "train", s.tag))]
    best = max(found, key=len, default=[])
    return best or _runtime(run, metric)


def _between(series: Series) -> list[tuple[float, int]]:
    times = [float(time) for time in series.wall_times]
    points = [
        (time, int(step))
        for time, step in zip(times, series.steps, strict=True)
        if math.isfinite(time)
    ]
    # Where a clock stands still or runs back, several writers (or a converter) were at work.
    gaps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
    gaps = [(seconds, steps) for seconds, steps in gaps if seconds > 0 and steps > 0]
    if not gaps:
        return []
    usual = median(seconds / steps for seconds, steps in gaps)
    return [(seconds, steps) for seconds, steps in gaps if seconds / steps <= PAUSE * usual]


def _runtime(run: Run, metric: str) -> list[tuple[float, int]]:
    """Return the whole time that the Hugging Face Trainer sums up at the end of training."""
    last = last_step(run, metric)
    if not last:
        return []
    for series in run.scalars.values():
        if series.tag.endswith(_RUNTIME):
            seconds = [value for _, value in series.points() if math.isfinite(value) and value > 0]
            return [(seconds[-1], last)] if seconds else []
    return []
