"""Runs that several logs tell: in a file of another kind, in percent or not, or rounded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reportgen.languages import message
from reportgen.records.natural import natural_key
from reportgen.records.run import Problem
from reportgen.runs._config import seed_in
from reportgen.runs._layout import Draft
from reportgen.runs._same import (
    PROOF,
    differ_in_settings,
    is_timed,
    kinds_of,
    match_values,
    precision,
)
from reportgen.runs._seeds import read_path
from reportgen.runs.sessions import BOOKKEEPING

_HUNDRED, _NEAR = 2.0, 5e-4
"""How far apart the logarithms of sums may lie of values that are rounded."""


def without_retold(drafts: Sequence[Draft]) -> list[Draft]:
    """Return the runs without those of which another of one seed says the same in other words.

    That is in a file of another kind, in another unit, or rounded. Kept is that with the most
    digits, and of such that show as many, that which lies less deep, and then the first by name.
    It is told of the others, whose files are counted as its own.
    """
    alike: dict[tuple[object, ...], list[Draft]] = {}
    ordered = sorted(drafts, key=lambda one: (one.id.count("/"), natural_key(one.id)))
    for draft in ordered:
        alike.setdefault(_look(draft) or (id(draft),), []).append(draft)
    order = {id(draft): place for place, draft in enumerate(ordered)}
    gone: set[int] = set()
    for several in alike.values():
        # Runs of about the same values lie side by side, in percent or not.
        sides = sorted(map(_side_of, several), key=lambda one: one.place) if several[1:] else []
        for at, one in enumerate(sides):
            for other in reversed(sides[:at]):
                if one.place - other.place > _NEAR:
                    break
                if id(other.draft) not in gone and _is_retold(one, other):
                    pair = sorted((one, other), key=lambda o: (-o.digits, order[id(o.draft)]))
                    first, copy = (side.draft for side in pair)
                    first.sources.extend(copy.sources)
                    first.problems.append(_told(copy.id, first.id))
                    gone.add(id(copy))
                    break
    return [draft for draft in drafts if id(draft) not in gone]


@dataclass(frozen=True, slots=True)
class _Side:
    """A run with what tells in short that another may say the same.

    Attributes:
        sizes: Logarithms of the sums of its series, in the order of their metrics.
        digits: How many its numbers show.
    """

    draft: Draft
    sizes: tuple[float, ...]
    digits: int

    @property
    def place(self) -> float:
        """Its first sum, but for a factor of a hundred."""
        return self.sizes[0] % _HUNDRED


def _side_of(draft: Draft) -> _Side:
    several = [s for s in draft.scalars.values() if s.metric not in BOOKKEEPING and len(s)]
    several.sort(key=lambda one: (one.metric, one.split, len(one)))
    sums = [abs(float(one.values[np.isfinite(one.values)].sum())) for one in several]
    sizes = tuple(math.log10(size) if 0 < size < math.inf else 0.0 for size in sums)
    return _Side(draft, sizes, precision(draft))


def _look(draft: Draft) -> tuple[object, ...]:
    """Return what two tellings of a run share at least, empty where no seed is stated."""
    seed = seed_in(draft.config)
    seed = read_path(draft.place).seed if seed is None else seed
    shown = sorted(
        (one.metric, one.split, len(one), int(one.steps[0]), int(one.steps[-1]))
        for one in draft.scalars.values()
        if one.metric not in BOOKKEEPING and len(one)
    )
    return (seed, *shown) if seed is not None and shown else ()


def _is_retold(one: _Side, other: _Side) -> bool:
    """Tell whether a run repeats another in a file of another kind, in percent, or rounded.

    Two trainings of one seed may give the same values, where what tells them apart does nothing.
    """
    host, guest = one.draft, other.draft
    same = kinds_of(host) == kinds_of(guest) and one.digits == other.digits
    apart = [abs(a - b) for a, b in zip(one.sizes, other.sizes, strict=True)]
    near = all(min(size, abs(size - _HUNDRED)) <= _NEAR for size in apart)
    if not near or (same and max(apart) < 1) or (is_timed(host) and is_timed(guest)):
        return False
    match = match_values(host.scalars, guest.scalars)
    if match is None or match.digits < 2 * PROOF or (same and not match.factors):
        return False
    told = {k for k, series in guest.scalars.items() if series.metric not in BOOKKEEPING}
    return told <= match.twins.keys() and not differ_in_settings(host, guest)


def _told(copy: str, first: str) -> Problem:
    text = message("{copy} holds the same as {run}, written otherwise: it is counted once",
                   copy=copy, run=first)  # fmt: skip
    return Problem(path=copy, message=text, remedy=message("remove the copy"))
