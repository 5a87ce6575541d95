"""Copies of runs: the same files in several folders are one run, and counted once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reportgen.languages import message
from reportgen.records.natural import natural_key
from reportgen.records.run import Problem
from reportgen.runs._config import seed_in
from reportgen.runs._layout import Draft, leaf
from reportgen.runs._seeds import read_path

_POINTS, _VALUES = 8, 5
"""Points and different values of which two runs do not have the same by chance."""


def without_copies(drafts: Sequence[Draft]) -> list[Draft]:
    """Return the runs without those that hold what another one holds, to the last digit.

    That which lies less deep is kept, and of equally deep ones the first; it is told of the
    others, whose files are counted as its own.
    """
    kept: dict[tuple[object, ...], Draft] = {}
    for draft in sorted(drafts, key=lambda one: (one.id.count("/"), natural_key(one.id))):
        content = _content(draft) or (id(draft),)
        first = kept.setdefault(content, draft)
        if first is not draft:
            first.sources.extend(draft.sources)
            first.problems.append(_told(draft.id, first.id))
    left = {id(draft) for draft in kept.values()}
    return [draft for draft in drafts if id(draft) in left]


def _content(draft: Draft) -> tuple[object, ...]:
    """Return the files of a run and every point, empty for a run of too few to tell.

    Rows without a clock may be the same for two seeds; what two processes wrote at one time not.
    """
    series = draft.scalars.values()
    if sum(map(len, series)) < _POINTS:
        return ()
    values = np.sort(np.concatenate([one.values.astype(float) for one in series]))
    # `np.unique` would import `numpy.ma`.
    if 1 + np.count_nonzero(values[1:] > values[:-1]) < _VALUES:
        return ()
    files = sorted((leaf(s.path), s.size, s.sha256) for s in draft.sources if s.points)
    points = (
        (key, one.steps.tobytes(), one.values.tobytes(), one.wall_times.tobytes())
        for key, one in sorted(draft.scalars.items())
    )
    timed = any(np.isfinite(one.wall_times).any() for one in series)
    seed = None if timed else seed_in(draft.config) or read_path(draft.place).seed
    return draft.layout, tuple(files), seed, hash(tuple(points))


def _told(copy: str, first: str) -> Problem:
    text = message("{copy} holds the same as {run}, to the last digit: it is counted once",
                   copy=copy, run=first)  # fmt: skip
    return Problem(path=copy, message=text, remedy=message("remove the copy"))
