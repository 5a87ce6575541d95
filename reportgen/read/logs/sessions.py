"""Sessions of one file: where a training began again in what another had written.

A session is what one process wrote. The records of a file say where one ends, by these rules.

1. A tag whose steps rise all along says nothing; where all tags do, a file is one session.
2. A tag *goes back* where a step lies below the one before it, and *repeats* where it equals it.
3. To go back starts a session where half of the steps that follow were written before, or where
   at least three points lie behind it; any other is a writer that is out of order.
4. A tag that goes back in small more often than in earnest is out of order by habit: its
   going back says nothing.
5. A tag that repeats a step more than twice, and at more than every fourth point, does so by
   habit: its repeats say nothing.
6. A session starts over all tags: where more tags pass what they should have gone back over than
   go back, there is none, and the tag that went back is not asked again: it has a count of its own.
7. A repeat starts a session only where a tag had gone several steps, and time has passed.
8. It does where nothing but that step, or the last one of another tag, follows to the end of the
   file: something was measured again after training.
9. It does where all tags that have half as many points as any repeat that step, and go on.
10. A tag *begins anew* where it goes back to its start, each time from as far, while another goes
   on by a count of its own: in every epoch, say. Where no more tags do so than go on beside them,
   their going back says nothing.
11. What has the order of a session's first record, or a later one, is of that session.

Nothing is decided here of what a session is good for: whether it goes on with another, replaces
it, or stands apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
