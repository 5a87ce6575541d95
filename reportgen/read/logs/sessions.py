"""The clock of the rows of one run, and the sessions in which they were written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from reportgen.records.record import record, replace
from reportgen.records.run import Problem, Series

if TYPE_CHECKING:
    from numpy.typing import NDArray


# Sessions of one file: where a training began again in what another had written.
#
# A session is what one process wrote. The records of a file say where one ends, by these rules.
#
# 1. A tag whose steps rise all along says nothing; where all tags do, a file is one session.
# 2. A tag *goes back* where a step lies below the one before it, and *repeats* where it equals it.
# 3. To go back starts a session where half of the steps that follow were written before, or where
#    at least three points lie behind it; any other is a writer that is out of order.
# 4. A tag that goes back in small more often than in earnest is out of order by habit: its
#    going back says nothing.
# 5. A tag that repeats a step more than twice, and at more than every fourth point, does so by
#    habit: its repeats say nothing.
# 6. A session starts over all tags: where more tags pass what they should have gone back over than
#    go back, there is none, and the tag that went back is not asked again: it counts by itself.
# 7. A repeat starts a session only where a tag had gone several steps, and time has passed.
# 8. It does where nothing but that step, or the last one of another tag, follows to the end of the
#    file: something was measured again after training.
# 9. It does where all tags that have half as many points as any repeat that step, and go on.
# 10. A tag *begins anew* where it goes back to its start, each time from as far, while another goes
#    on by a count of its own: in every epoch, say. Where no more tags do so than go on beside them,
#    their going back says nothing.
# 11. What has the order of a session's first record, or a later one, is of that session.
#
# Nothing is decided here of what a session is good for: whether it goes on with another, replaces
# it, or stands apart.

EARNEST = 3
"""Points that a tag goes back over, and is not merely out of order."""

TWICE = 2
"""Repeats that are no habit, however few points a tag has."""

HABIT = 4
"""A tag that repeats one of so many points does so all along."""

FALLS = 64
"""A tag that goes back more often does so by habit; no file is searched for more sessions."""

VOICES = 64
"""Tags that are asked, of those that fall, and of the others with the most points."""


class Track(NamedTuple):
    """When the points of one tag were written, and at which steps.

    Attributes:
        order: What orders the records of all tags: numbers of lines, or a clock.
        steps: int64.

    Shape: both have one length; points come in the order in which they were written.
    """

    order: NDArray[Any]
    steps: NDArray[Any]


def told_once(track: Track, values: NDArray[Any]) -> Track:
    """Return a track without points that repeat step and value of the one before."""
    before, after = values[:-1], values[1:]
    is_same = (after == before) | (np.isnan(after) & np.isnan(before))
    kept = np.append(True, ~(is_same & (track.steps[1:] == track.steps[:-1])))
    return Track(track.order[kept], track.steps[kept])


class _Fall(NamedTuple):
    """A point whose step does not lie above the one before it."""

    order: float
    tag: str
    place: int
    is_repeat: bool


def rises(steps: NDArray[Any]) -> bool:
    """Tell whether every step lies above the one before it."""
    return bool((steps[1:] > steps[:-1]).all())


def find_sessions(tracks: Mapping[str, Track]) -> tuple[float, ...]:
    """Return the order of the first record of each session but the first.

    Example:
        >>> order, steps = np.arange(6), np.array([1, 2, 3, 2, 3, 4])
        >>> find_sessions({"loss": Track(order, steps)})
        (3.0,)
    """
    uneven = [tag for tag, one in tracks.items() if not rises(one.steps)]
    if not uneven:
        return ()
    dense = sorted(tracks, key=lambda tag: -len(tracks[tag].steps))
    asked = dict.fromkeys(sorted(uneven, key=dense.index)[:VOICES] + dense[:VOICES])
    search = _Search({tag: tracks[tag] for tag in asked})
    for fall in sorted(search.falls):
        search.hear(fall)
        if len(search.found) > FALLS:
            return ()
    return tuple(search.found)


def cut(track: Track, begins: float) -> int:
    """Return which point of a tag is the first of a session; the number of points where none is.

    Of points written at the very moment, those from where the tag falls on.

    Example:
        >>> cut(Track(np.array([0, 1, 1, 2]), np.array([1, 2, 1, 2])), 1.0)
        2
    """
    order = np.maximum.accumulate(track.order)
    first, last = np.searchsorted(order, begins, "left"), np.searchsorted(order, begins, "right")
    begin = max(int(first), 1)
    falls = np.flatnonzero(track.steps[begin:last] <= track.steps[begin - 1 : max(last - 1, 0)])
    return begin + int(falls[0]) if len(falls) else int(first)


class _Search:
    """Goes through the falls of a file in order.

    Attributes:
        falls: Those that may start a session.
        found: Order of the first records of sessions so far.
    """

    def __init__(self, tracks: Mapping[str, Track]) -> None:
        self._tracks = tracks
        self._begins = dict.fromkeys(tracks, 0)
        most = max(len(one.steps) for one in tracks.values())
        self._dense = [tag for tag, one in tracks.items() if 2 * len(one.steps) >= most]
        self._refused = _begin_anew(tracks)
        self.found: list[float] = []
        self.falls: list[_Fall] = []
        for tag, one in tracks.items():
            self.falls += _falls_of(tag, one)

    def hear(self, fall: _Fall) -> None:
        """Start a session at a fall, if all tags together say so."""
        if fall.place <= self._begins[fall.tag] or fall.tag in self._refused:
            return
        if fall.is_repeat and not self._may_repeat(fall):
            return
        cuts = self._cuts(fall, self._tracks)
        if not (self._is_repeated(fall, cuts) if fall.is_repeat else self._is_shared(fall, cuts)):
            self._refused |= set() if fall.is_repeat else {fall.tag}
            return
        self.found.append(float(fall.order))
        self._begins = {tag: max(begin, cuts[tag]) for tag, begin in self._begins.items()}

    def _cuts(self, fall: _Fall, tags: Iterable[str]) -> dict[str, int]:
        """Return which point of each tag is the first of a session that begins at a fall."""
        return {
            tag: fall.place if tag == fall.tag else cut(self._tracks[tag], fall.order)
            for tag in tags
        }

    def _may_repeat(self, fall: _Fall) -> bool:
        """Tell whether a tag repeats its last step, or tags that have many points go on from it."""
        steps = self._tracks[fall.tag].steps
        return bool(steps[-1] == steps[fall.place]) or self._go_on(self._cuts(fall, self._dense))

    def _go_on(self, cuts: Mapping[str, int]) -> bool:
        """Tell whether all tags that have many points repeat a step, and go on."""
        sides = [self._sides(tag, cuts) for tag in self._dense]
        return all(
            len(before) and len(after) > 1 and before[-1] == after[0] for before, after in sides
        )

    def _sides(self, tag: str, cuts: Mapping[str, int]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the steps of a tag in this session, up to a place and from there on."""
        steps = self._tracks[tag].steps
        return steps[self._begins[tag] : cuts[tag]], steps[cuts[tag] :]

    def _is_shared(self, fall: _Fall, cuts: Mapping[str, int]) -> bool:
        """Tell whether as many tags go back as pass what they should have gone back over."""
        step, votes = self._tracks[fall.tag].steps[fall.place], 0
        for tag in cuts.keys() - self._refused:
            before, after = self._sides(tag, cuts)
            if not len(before) or not len(after):
                continue
            highest = before.max()
            if after[0] <= highest:
                votes += 1
            elif highest >= step:
                votes -= 1
        return votes >= 0

    def _is_repeated(self, fall: _Fall, cuts: Mapping[str, int]) -> bool:
        """Tell whether a repeat ends the file, or the tags with the most points repeat as well."""
        own, _ = self._sides(fall.tag, cuts)
        if not rises(own):
            return False
        sides = [self._sides(tag, cuts) for tag in cuts]
        past = [self._tracks[tag].steps[:end] for tag, end in cuts.items()]
        if not any(len(steps) and steps.min() < steps.max() for steps in past):
            return False
        if all(_is_again(before, after, own[-1]) for before, after in sides):
            return True
        return self._go_on(cuts)


def _begin_anew(tracks: Mapping[str, Track]) -> set[str]:
    """Return the tags that begin anew while others go on, if they are not more than those."""
    steady = {tag: one for tag, one in tracks.items() if len(one.steps) > 1 and rises(one.steps)}
    beside = {
        tag: [other for other, its in steady.items() if _goes_on(its, one)]
        for tag, one in tracks.items()
        if tag not in steady
    }
    anew = {tag for tag, others in beside.items() if others}
    return (
        anew if len(anew) <= len({one for others in beside.values() for one in others}) else set()
    )


def _goes_on(track: Track, beside: Track) -> bool:
    """Tell whether a tag goes on by its own count while another begins anew, each time as far."""
    steps = beside.steps.astype(float)
    falls = np.flatnonzero(steps[1:] < steps[:-1]) + 1
    if not len(falls):
        return False
    gap = float(np.diff(steps).max())
    begins, ends = steps[[0, *falls]], steps[[*(falls - 1), -1]]
    # The last time may have been cut short, unless it is the only other one.
    whole = ends if len(falls) == 1 else ends[:-1]
    if np.ptp(begins) > gap or np.ptp(whole) > gap or ends[-1] > whole.max() + gap:
        return False
    at = np.searchsorted(np.maximum.accumulate(beside.order), track.order, "right") - 1
    part = np.searchsorted(falls, at, "right")
    later = part > 0
    apart = np.abs(track.steps[later] - steps[at[later]]) > gap
    return bool(part[0] < part[-1] and apart.all())


def _is_again(before: NDArray[Any], after: NDArray[Any], step: int) -> bool:
    """Tell whether all that a tag has behind a place is of one step, or of its own last one."""
    last = before.max() if len(before) else step
    return bool(((after == step) | (after == last)).all())


def _falls_of(tag: str, track: Track) -> list[_Fall]:
    """Return where a tag falls that has no habit of it."""
    steps = track.steps
    places = np.flatnonzero(steps[1:] <= steps[:-1]) + 1
    if not len(places):
        return []
    order = np.maximum.accumulate(track.order)
    is_repeat = steps[places] == steps[places - 1]
    # Of two points of one moment, a step written twice, nobody can have begun between them.
    repeats = places[is_repeat & (order[places] > order[places - 1])]
    falls = [_Fall(order[i], tag, int(i), is_repeat=True) for i in repeats]
    if len(repeats) > max(TWICE, len(steps) // HABIT):
        falls = []
    drops = places[~is_repeat]
    if len(drops) > FALLS:
        return falls[:FALLS]
    ends = [*places[1:], len(steps)]
    written, far = [], []
    for begin, end in zip(places, ends, strict=True):
        if begin not in drops:
            continue
        before, run = steps[:begin], steps[begin:end]
        over = run[run <= before.max()]
        if 2 * int(np.isin(over, before).sum()) >= len(over):
            written.append(begin)
        elif int((before >= run[0]).sum()) >= EARNEST:
            far.append(begin)
    small = len(drops) - len(written) - len(far)
    earnest = (written if small <= len(written) else []) + ([] if small else far)
    return falls[:FALLS] + [_Fall(order[i], tag, int(i), is_repeat=False) for i in earnest]


# Which counter is the clock of the rows of one run, and its series by that clock.

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
