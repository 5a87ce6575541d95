"""Runs that say they are one another: copies, and starts that were given up.

A copy inside a group counts once; one in another group stays there, and both are named. Of starts
with one name, one seed and the same settings, of which one alone came to the end, that one counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from reportgen.languages import message
from reportgen.records.run import Problem, Run
from reportgen.runs._config import seed_of, settings_of
from reportgen.runs._layout import Draft, by_depth, count_once, leaf
from reportgen.runs._seeds import without_clock
from reportgen.runs.series import group_by, last_step, span_of
from reportgen.runs.sessions import AS_FAR

_POINTS, _VALUES = 8, 5
"""Points and different values of which two runs do not have the same by chance."""
_ATTEMPT = re.compile(r"#\d+$")
"""What is added to the name of a run for each start in its folder."""

Copy = tuple[Draft, Draft]
"""A run that holds what another one holds, to the last digit, and that one, which counts."""


EXACTLY = message("{copy} holds the same as {run}, to the last digit: it is counted once")


def copies_among(drafts: Iterable[Draft]) -> list[Copy]:
    """Return the copies among some runs.

    Of equal ones that counts which lies less deep, and of equally deep ones the first by name.
    """
    several = sorted(drafts, key=by_depth)
    alike = group_by(several if several[1:] else (), lambda one: _content(one) or (id(one),))
    return [(copy, run) for run, *copies in alike.values() for copy in copies]


def settle_copies(grouped: Sequence[tuple[Draft, str]]) -> set[int]:
    """Return the `id` of each copy inside a group, or below what it copies, and say so there.

    Of others, which are of two groups, both are named, and both stay.
    """
    home = {id(draft): group for draft, group in grouped}
    groups = group_by((draft for draft, _ in grouped), lambda one: home[id(one)])
    copies = [copy for own in groups.values() for copy in copies_among(own)]
    gone = {id(copy) for copy, _ in copies}
    for draft, run in copies_among(draft for draft, _ in grouped if id(draft) not in gone):
        if draft.place.startswith(f"{run.place}/"):
            copies.append((draft, run))
            continue
        told = message(
            "{copy} holds the same as {run}, to the last digit: it counts in {group} and in "
            "{other}, which are not independent",
            copy=draft.id, run=run.id, group=home[id(draft)], other=home[id(run)],
        )  # fmt: skip
        draft.problems.append(Problem(path=draft.id, message=told))
    for copy, run in copies:
        count_once(run, copy, EXACTLY)
    return {id(copy) for copy, _ in copies}


def _content(draft: Draft) -> tuple[object, ...]:
    """Return the files of a run and every point, empty for a run of too few to tell.

    Rows without a clock may be the same for two seeds; what two processes wrote at one time not.
    """
    series = [one for one in draft.scalars.values() if len(one)]
    timed = bool(series) and all(np.isfinite(one.wall_times).all() for one in series)
    read = [source for source in draft.sources if source.points]
    values = np.sort(np.concatenate([one.values.astype(float) for one in series] or [np.zeros(0)]))
    # `np.unique` would import `numpy.ma`.
    if len(values) < _POINTS or 1 + np.count_nonzero(values[1:] > values[:-1]) < _VALUES:
        # So few may be the same by chance; whole event files are not.
        digests = tuple(sorted(one.sha256 for one in read if one.kind == "tfevents"))
        return (draft.layout, digests) if len(digests) == len(read) and all(digests) else ()
    files = sorted((leaf(one.path), one.size, one.sha256) for one in read)
    points = (
        (key, one.steps.tobytes(), one.values.tobytes(), one.wall_times.tobytes())
        for key, one in sorted(draft.scalars.items())
    )
    return draft.layout, tuple(files), None if timed else seed_of(draft), hash(tuple(points))


def given_up(runs: Iterable[tuple[Draft | Run, int | None]]) -> dict[str, str]:
    """Return starts that ended early to the one start, of the same name and seed, that did not.

    Their settings are the same. What ran at the same time is no start of the same run.

    Args:
        runs: Runs with their seeds.

    Returns:
        Id to id.
    """
    seeded = [(run, seed) for run, seed in runs if seed is not None]
    found: dict[str, str] = {}
    for starts in group_by(seeded, lambda one: (one[0].layout, _called(one[0]), one[1])).values():
        several = [run for run, _ in starts]
        if len(several) > 1 and (whole := _whole_of(several)) is not None:
            found |= {one.id: whole.id for one in several if one is not whole}
    return found


def _called(run: Draft | Run) -> str:
    """Return the name of a run without its clock and the number of its start."""
    return without_clock(getattr(run, "name", "") or _ATTEMPT.sub("", run.id))


def _whole_of(starts: Sequence[Draft | Run]) -> Draft | Run | None:
    """Return the one of some starts that came to the end; None where they are no such starts."""
    ends = [last_step(one.scalars) for one in starts]
    whole = [run for run, end in zip(starts, ends, strict=True) if end >= AS_FAR * max(ends)]
    spans = sorted(_time_of(one) for one in starts)
    apart = all(one[1] <= other[0] for one, other in pairwise(spans))
    settings = [settings_of(one.config) for one in starts]
    alike = settings.count(settings[0]) == len(settings)
    return whole[0] if len(whole) == 1 and apart and alike else None


def _time_of(run: Draft | Run) -> tuple[float, float]:
    """Return when a run began and ended; of one without a clock, nothing that meets another."""
    span = span_of(run.scalars.values())
    return (-math.inf, -math.inf) if math.isnan(span[0]) else span
