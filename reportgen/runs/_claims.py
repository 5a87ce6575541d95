"""Runs that say they are one another: copies, and starts that were given up.

A copy inside a group counts once; one in another group stays there, and both are named. Of starts
with one name, one seed and the same settings, of which one alone came to the end, that one counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from reportgen.languages import message
from reportgen.records.natural import natural_key
from reportgen.records.run import Problem, Run, Series
from reportgen.runs._config import seed_in, settings_of
from reportgen.runs._layout import Draft, leaf
from reportgen.runs._seeds import read_path, without_clock
from reportgen.runs.sessions import AS_FAR

_POINTS, _VALUES = 8, 5
"""Points and different values of which two runs do not have the same by chance."""
_ATTEMPT = re.compile(r"#\d+$")
"""What is added to the name of a run for each start in its folder."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A run that holds what another one holds, to the last digit.

    Attributes:
        draft: The copy.
        run: The run that counts.
    """

    draft: Draft
    run: Draft

    def settle(self) -> None:
        """Give its files to the run that counts, and say so there."""
        text = message("{copy} holds the same as {run}, to the last digit: it is counted once",
                       copy=self.draft.id, run=self.run.id)  # fmt: skip
        remedy = message("remove the copy")
        self.run.sources += self.draft.sources
        self.run.problems.append(Problem(path=self.draft.id, message=text, remedy=remedy))


def copies_among(drafts: Iterable[Draft]) -> list[Copy]:
    """Return the copies among some runs.

    Of equal ones that counts which lies less deep, and of equally deep ones the first by name.
    """
    first: dict[tuple[object, ...], Draft] = {}
    found = []
    several = sorted(drafts, key=lambda one: (one.id.count("/"), natural_key(one.id)))
    for draft in several if len(several) > 1 else ():
        run = first.setdefault(_content(draft) or (id(draft),), draft)
        if run is not draft:
            found.append(Copy(draft, run))
    return found


def settle_copies(grouped: Sequence[tuple[Draft, str]]) -> set[int]:
    """Return the `id` of each copy inside a group, or below what it copies, and say so there.

    Of others, which are of two groups, both are named, and both stay.
    """
    groups: dict[str, list[Draft]] = {}
    for draft, group in grouped:
        groups.setdefault(group, []).append(draft)
    copies = [copy for own in groups.values() for copy in copies_among(own)]
    gone = {id(copy.draft) for copy in copies}
    home = {id(draft): group for draft, group in grouped}
    for copy in copies_among(draft for draft, _ in grouped if id(draft) not in gone):
        draft, run = copy.draft, copy.run
        if draft.place.startswith(f"{run.place}/"):
            copies.append(copy)
            continue
        told = message(
            "{copy} holds the same as {run}, to the last digit: it counts in {group} and in "
            "{other}, which are not independent",
            copy=draft.id, run=run.id, group=home[id(draft)], other=home[id(run)],
        )  # fmt: skip
        draft.problems.append(Problem(path=draft.id, message=told))
    for copy in copies:
        copy.settle()
    return {id(copy.draft) for copy in copies}


def _content(draft: Draft) -> tuple[object, ...]:
    """Return the files of a run and every point, empty for a run of too few to tell.

    Rows without a clock may be the same for two seeds; what two processes wrote at one time not.
    """
    series = [one for one in draft.scalars.values() if len(one)]
    timed = bool(series) and all(np.isfinite(one.wall_times).all() for one in series)
    read = [source for source in draft.sources if source.points]
    if sum(map(len, series)) < _POINTS or _different(series) < _VALUES:
        # So few may be the same by chance; whole event files are not.
        digests = tuple(sorted(one.sha256 for one in read if one.kind == "tfevents"))
        return (draft.layout, digests) if len(digests) == len(read) and all(digests) else ()
    files = sorted((leaf(one.path), one.size, one.sha256) for one in read)
    points = (
        (key, one.steps.tobytes(), one.values.tobytes(), one.wall_times.tobytes())
        for key, one in sorted(draft.scalars.items())
    )
    seed = None if timed else seed_in(draft.config) or read_path(draft.place).seed
    return draft.layout, tuple(files), seed, hash(tuple(points))


def _different(series: Sequence[Series]) -> int:
    values = np.sort(np.concatenate([one.values.astype(float) for one in series]))
    # `np.unique` would import `numpy.ma`.
    return 1 + int(np.count_nonzero(values[1:] > values[:-1]))


def given_up(runs: Iterable[tuple[Draft | Run, int | None]]) -> dict[str, str]:
    """Return starts that ended early to the one start, of the same name and seed, that did not.

    Their settings are the same. What ran at the same time is no start of the same run.

    Args:
        runs: Runs with their seeds.

    Returns:
        Id to id.
    """
    alike: dict[tuple[object, ...], list[Draft | Run]] = {}
    for run, seed in runs:
        if seed is not None:
            name = getattr(run, "name", "") or _ATTEMPT.sub("", run.id)
            alike.setdefault((run.layout, without_clock(name), seed), []).append(run)
    found: dict[str, str] = {}
    for starts in alike.values():
        if len(starts) > 1 and (whole := _whole_of(starts)) is not None:
            found |= {one.id: whole.id for one in starts if one is not whole}
    return found


def _whole_of(starts: Sequence[Draft | Run]) -> Draft | Run | None:
    """Return the one of some starts that came to the end; None where they are no such starts."""
    spans = [(*_time_of(one), _end_of(one)) for one in starts]
    last = max(end for *_, end in spans)
    whole = [run for run, (*_, end) in zip(starts, spans, strict=True) if end >= AS_FAR * last]
    apart = all(one[1] <= other[0] for one, other in pairwise(sorted(spans)))
    settings = [settings_of(one.config) for one in starts]
    alike = settings.count(settings[0]) == len(settings)
    return whole[0] if len(whole) == 1 and apart and alike else None


def _end_of(run: Draft | Run) -> int:
    return max((int(one.steps[-1]) for one in run.scalars.values() if len(one)), default=0)


def _time_of(run: Draft | Run) -> tuple[float, float]:
    """Return when a run began and ended; of one without a clock, nothing that meets another."""
    times = np.concatenate([one.wall_times for one in run.scalars.values()] or [np.zeros(0)])
    times = times[np.isfinite(times)]
    return (float(times.min()), float(times.max())) if len(times) else (-math.inf, -math.inf)
