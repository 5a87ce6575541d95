"""Which counter is the clock of the rows of one run, and its series by that clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from reportgen.read.logs.sessions import Track, find_sessions, told_once
from reportgen.records.record import record, replace
from reportgen.records.run import Problem, Series

Array = np.ndarray[Any, Any]

EPOCH = "epoch"
MOST_EPOCHS = 2**53
ABSENT = -(2**63)
"""Stands for the step of a row that states only an epoch."""


@record(kw_only=False)
class Points:
    """The points of one tag, in the order of the file: numbers of their rows, and values."""

    rows: Array
    values: Array


def restarts_in_every_epoch(steps: Array, epochs: Array, tags: Iterable[Points]) -> bool:
    """Tell whether a counter begins anew whenever the epoch goes on.

    Example:
        >>> rows = np.arange(6)
        >>> points = Points(rows, np.ones(6))
        >>> steps, epochs = np.array([50, 100, 50, 100, 50, 100]), np.repeat([1.0, 2, 3], 2)
        >>> restarts_in_every_epoch(steps, epochs, [points])
        True
        >>> restarts_in_every_epoch(np.arange(6), epochs, [points])
        False
    """
    back_on = on = back_within = within = 0
    # Where the epoch itself goes back, another training begins.
    trainings = np.append(0, np.cumsum(np.diff(epochs) < 0)) if len(epochs) else epochs
    for one in tags:
        at = one.rows[np.isfinite(epochs[one.rows]) & (steps[one.rows] != ABSENT)]
        if len(at) < 2:
            continue
        rise, step = np.diff(epochs[at]), np.diff(steps[at])
        on += int((rise > 0).sum())
        back_on += int(((rise > 0) & (step <= 0)).sum())
        inside = (rise == 0) & (np.diff(trainings[at]) == 0)
        within += int(inside.sum())
        back_within += int((inside & (step < 0)).sum())
    return on > 0 and 10 * back_on >= 9 * on and 10 * back_within <= within


def void_tags(points: Mapping[str, Points]) -> list[str]:
    """Return the tags that are NaN throughout, beside others that are not.

    Keras' CSVLogger writes columns so that it has no values of.
    """
    void = [tag for tag, one in points.items() if np.isnan(one.values).all()]
    many = [tag for tag in void if len(points[tag].rows) > 1]
    return many if len(void) < len(points.keys() - {EPOCH}) else []


class Clocked:
    """The rows of one run under the clock that its columns give.

    Attributes:
        steps: Of every row.
        restarts: Whether the step begins anew in every epoch, so that the epoch is the clock.
        counts_epochs: Of every row whether its step is an epoch, unlike those of others.
    """

    def __init__(
        self,
        steps_read: Sequence[int],
        epochs_read: Sequence[float],
        times: Sequence[float],
        points: Mapping[str, Points],
    ) -> None:
        steps = np.asarray(steps_read, dtype=np.int64)
        epochs = np.asarray(epochs_read, dtype=np.float64)
        self._times = np.asarray(times, dtype=np.float64)
        measured = [one for tag, one in points.items() if tag != EPOCH]
        absent = steps == ABSENT
        whole = bool((np.isfinite(epochs) & (epochs == np.floor(epochs))).all())
        whole = whole and bool((np.abs(epochs) < MOST_EPOCHS).all())
        # Where the clock is the epoch there is no other.
        apart = not np.array_equal(steps, epochs)
        self.restarts = whole and apart and restarts_in_every_epoch(steps, epochs, measured)
        if self.restarts:
            steps, absent = epochs.astype(np.int64), absent & False
        self.counts_epochs = absent | _echo_epochs(steps, epochs, measured)
        self.steps = steps.copy()
        self.steps[absent] = epochs[absent].astype(np.int64)

    def sessions(self, points: Mapping[str, Points], begun: Iterable[int]) -> list[int]:
        """Return the numbers of the rows with which another process begins."""
        own = {tag: self._own(one) for tag, one in points.items() if tag != EPOCH}
        tracks = {
            tag: told_once(Track(its.rows, self.steps[its.rows]), its.values)
            for tag, its in own.items()
        }
        found = find_sessions(tracks) if tracks else ()
        return sorted({*map(int, found), *(() if self.restarts else begun)})

    def _own(self, its: Points) -> Points:
        """Return the points of a tag whose steps count alike, as most of them do."""
        of_epochs = self.counts_epochs[its.rows]
        if not of_epochs.any() or of_epochs.all():
            return its
        own = of_epochs == bool(2 * of_epochs.sum() > len(of_epochs))
        return Points(its.rows[own], its.values[own])

    def series(self, tag: str, its: Points, begin: int, end: int, path: str) -> Series:
        """Return the points of a tag in the rows of one session."""
        its = self._own(its)
        first, last = np.searchsorted(its.rows, (begin, end))
        rows, values = its.rows[first:last], its.values[first:last]
        clock = EPOCH if len(rows) and tag != EPOCH and self.counts_epochs[rows].all() else ""
        one = tabled_series(tag, self.steps[rows], values, self._times[rows], path)
        if self.restarts:
            one = replace(one, replaced=0)
        return replace(one, clock=clock) if clock else one

    def notes(self, path: str) -> Iterator[Problem]:
        """Say what was taken for the clock, where that is not the step."""
        if self.restarts:
            message = "the step begins anew in every epoch: the epoch counts, and of several rows "
            yield Problem(path=path, message=f"{message}in one epoch the last", level="note")


def _echo_epochs(steps: Array, epochs: Array, measured: list[Points]) -> Array:
    """Tell of every row whether its step is the epoch that the row before it stated.

    In `scalars.json` of mmengine rows of training count iterations, and those of validation,
    which state no epoch, count epochs. It must hold of every point of a tag.
    """
    found = np.zeros(len(steps), dtype=bool)
    stated = np.isfinite(epochs)
    if not stated.any() or stated.all() or np.array_equal(steps[stated], epochs[stated]):
        return found
    places = np.maximum.accumulate(np.where(stated, np.arange(len(steps)), -1))
    before = np.where(places >= 0, epochs[places], np.nan)
    echo = ~stated & (steps == before)
    for one in measured:
        if not stated[one.rows].any() and echo[one.rows].all():
            found[one.rows] = True
    return found


def tabled_series(tag: str, steps: Array, values: Array, wall_times: Array, path: str) -> Series:
    """Sort points by step; of several with the same step the last one stays.

    Example:
        >>> zeros = np.zeros(3)
        >>> one = tabled_series("loss", np.array([2, 1, 2]), np.array([3.0, 2.0, 1.0]), zeros, "a")
        >>> list(one.points()), one.replaced
        ([(1, 2.0), (2, 1.0)], 1)
    """
    replaced = 0
    if not (steps[1:] > steps[:-1]).all():
        order = np.argsort(steps, kind="stable")
        last = np.append(np.diff(steps[order]) != 0, True)
        sorted_ = values[order]
        kept = sorted_[last][np.cumsum(last) - last]
        replaced = int(((sorted_ != kept) & ~(np.isnan(sorted_) & np.isnan(kept))).sum())
        order = order[last]
        steps, values, wall_times = steps[order], values[order], wall_times[order]
    return Series(
        tag=tag, steps=steps, values=values, wall_times=wall_times, path=path, replaced=replaced
    )
