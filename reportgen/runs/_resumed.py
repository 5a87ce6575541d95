"""Which runs may be one training, stopped and resumed under another name."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from reportgen.records.run import Run

_MOST_BEFORE = 100
"""Runs of a folder that are looked at as those that another may go on with."""


def resumptions(runs: Iterable[Run]) -> dict[str, Run]:
    """Return a run's id to the run that it may go on with: that ended before, where it begins.

    Both lie in one folder, are of one layout, and log a tag in common.
    """
    alike: dict[tuple[str, str], list[_Span]] = {}
    for run in runs:
        if (span := _span_of(run)) is not None:
            alike.setdefault((run.id.rpartition("/")[0], run.layout), []).append(span)
    found: dict[str, Run] = {}
    for several in alike.values():
        # Of runs that end at one moment the first one counts, which comes last here.
        several.reverse()
        spans = sorted(several, key=lambda span: span.ended)
        ends = [span.ended for span in spans]
        for span in spans:
            if span.first > 2 * span.stride:
                until = bisect_right(ends, span.began)
                before = reversed(spans[max(0, until - _MOST_BEFORE) : until])
                if other := next((one for one in before if _goes_on(span, one)), None):
                    found[span.run.id] = other.run
    return found


@dataclass(frozen=True, slots=True)
class _Span:
    """Where a run begins and ends, by its steps and by the clock.

    Attributes:
        stride: How far apart the steps are of the curve that begins first.
    """

    run: Run
    first: int
    stride: float
    last: int
    began: float
    ended: float


def _span_of(run: Run) -> _Span | None:
    """Return where a run begins and ends; None where it has no two points, or no clock."""
    curves = [s for s in run.scalars.values() if len(s)]
    longer = [s for s in curves if len(s) > 1]
    times = np.concatenate([s.wall_times for s in curves] or [np.zeros(0)])
    times = times[np.isfinite(times)]
    if not longer or not len(times):
        return None
    earliest = min(longer, key=lambda s: (int(s.steps[0]), s.tag))
    return _Span(
        run=run,
        first=int(earliest.steps[0]),
        stride=float(np.median(np.diff(earliest.steps))),
        last=max(int(s.steps[-1]) for s in curves),
        began=float(times.min()),
        ended=float(times.max()),
    )


def _goes_on(span: _Span, before: _Span) -> bool:
    met = before.first < span.first <= before.last + 2 * span.stride
    return met and not span.run.scalars.keys().isdisjoint(before.run.scalars)
