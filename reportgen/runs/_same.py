"""Whether two logs are of one run: what both measured agrees, and nothing else contradicts.

A value may stand in percent in one log and as a fraction in the other, and with other digits.
Then all that both measured must agree, in one unit a metric, and be more than chance makes equal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from decimal import Decimal

import numpy as np

from reportgen.records.run import Clock, Series
from reportgen.runs._config import contradict, seed_in, settings_of
from reportgen.runs._kinds import is_share
from reportgen.runs._layout import Draft
from reportgen.runs.clock import clock_of
from reportgen.runs.series import (
    BOOKKEEPING,
    CLOSE,
    Scalars,
    agreeing_points,
    last_step,
    shared_values,
    span_of,
    telling,
)

ENOUGH = 3
"""Shared points, to the last digit, by which two logs of a folder are of one run."""

PROOF = 6.0
"""Digits that agree beyond those which two seeds share by chance, where units or digits differ."""

_SEEDS_DIFFER = 0.01
_MOST_DIGITS = 4.0
_LOOKED, _FIRST = 200, 20
_ROUNDED = 1.02
_LATER = 0.05

FACTORS = (1.0, 100.0, 0.01)
"""How many times larger one log may state a share than another."""


@dataclass(slots=True)
class Match:
    """What two logs say of the same.

    Attributes:
        series: The guest's, on the clock of the host.
        twins: Key of the guest to the key of the host that holds the same values.
        factors: Metric to how many times larger the host states it, where that is not once.
        digits: How many digits agree that would not by chance.
        points: How many points agree to the last digit.
    """

    series: Scalars
    twins: dict[str, str] = field(default_factory=dict)
    factors: dict[str, float] = field(default_factory=dict)
    digits: float = 0.0
    points: int = 0

    @property
    def is_proof(self) -> bool:
        """Whether what agrees shows that the two are one run."""
        return self.points >= ENOUGH or self.digits >= PROOF


def match_runs(host: Draft, guest: Draft) -> Match | None:
    """Return what two logs of one place have in common, None where they contradict each other.

    Nothing in common contradicts nothing, where seed, settings, times and clocks allow it.
    """
    series = _on_clock_of(host, guest)
    if series is None and _counts_updates(host, guest):
        series = guest.scalars
    found = None if series is None else match_values(host.scalars, series)
    if found is not None and found.is_proof:
        return found
    in_order = match_in_order(host.scalars, guest.scalars)
    if found is None or in_order is not None:
        return None if differ_in_settings(host, guest) else in_order
    mine, theirs = (span_of(one.scalars.values()) for one in (host, guest))
    apart = mine[0] > theirs[1] or theirs[0] > mine[1]
    may_be_one = not (found.twins or differ_in_settings(host, guest) or apart)
    return found if may_be_one else None


def match_in_order(host: Scalars, guest: Scalars) -> Match | None:
    """Return what two logs hold of the same whose steps count other things, None where they differ.

    Values in their order tell which step is which: epochs from 0 and from 1, epochs and updates.
    """
    at: dict[int, int] = {}
    mine = _by_metric(host)
    for series in telling(guest).values():
        for one in mine.get(series.metric, {}).values():
            if one.split == series.split and len(one) == len(series) >= ENOUGH:
                steps = zip(series.steps.tolist(), one.steps.tolist(), strict=True)
                if any(at.setdefault(step, there) != there for step, there in steps):
                    return None
    moved = {
        key: replace(one, steps=np.array([at[step] for step in one.steps.tolist()]))
        for key, one in guest.items()
        if len(one) and at.keys() >= set(one.steps.tolist())
    }
    same = all(step == there for step, there in at.items())
    if same or not moved.keys() >= telling(guest).keys():
        return None
    found = match_values(host, moved)
    return found if found and found.is_proof else None


def match_values(host: Scalars, guest: Scalars) -> Match | None:
    """Return which series of a guest a host holds as well, None where one has other values."""
    found, unsure = Match(guest), False
    mine, theirs = _by_metric(host), _by_metric(guest)
    for metric, several in theirs.items():
        there = mine.get(metric, {})
        beside = any(_of_one_split(a, b) for a in several.values() for b in there.values())
        factors = FACTORS if is_share(metric) else FACTORS[:1]
        tried = [_matched(there, several, one) for one in factors] if there else []
        best = max((one for one in tried if one.twins), key=lambda one: one.digits, default=None)
        if best is None:
            if beside and any(not one.unsure for one in tried):
                return None
            unsure |= beside
            continue
        found.twins.update(best.twins)
        found.digits += best.digits
        if best.factor == 1.0:
            twins = best.twins.items()
            exact = (agreeing_points({"": there[b]}, {"": several[a]}) or 0 for a, b in twins)
            found.points += sum(exact)
        else:
            found.factors[metric] = best.factor
    return None if unsure and not found.is_proof else found


@dataclass(slots=True)
class _Tried:
    """What agrees of one metric where the host states it so many times larger."""

    factor: float
    twins: dict[str, str] = field(default_factory=dict)
    digits: float = 0.0
    unsure: bool = True


def _matched(host: Scalars, guest: Scalars, factor: float) -> _Tried:
    """Return what agrees; what is beside such may not: `train_loss` is also a mean at the end."""
    tried = _Tried(factor)
    others: list[set[str]] = []
    for key, series in guest.items():
        order = sorted(host, key=lambda k: (host[k].split != series.split, k != key))
        agreeing = ((k, _agreeing(host[k], series, factor)) for k in order)
        twin = next(((k, digits) for k, digits in agreeing if digits is not None), None)
        if twin is not None:
            tried.twins[key] = twin[0]
            tried.digits += twin[1]
            continue
        beside = {k for k, one in host.items() if _of_one_split(one, series)}
        if any(len(np.intersect1d(host[k].steps, series.steps)) for k in beside):
            others.append(beside)
    agreed = set(tried.twins.values())
    return tried if all(beside & agreed for beside in others) else _Tried(factor, unsure=False)


def _agreeing(host: Series, guest: Series, factor: float) -> float | None:
    """Return how many digits agree that would not by chance, None where any value does not."""
    both, own, others = shared_values(host, guest)
    if len(both) < min(ENOUGH, len(host), len(guest)):
        return None
    mine, theirs = _plain(own), _plain(others) * factor
    finite = np.isfinite(mine)
    if not np.array_equal(finite, np.isfinite(theirs)):
        return None
    mine, theirs = mine[finite], theirs[finite]
    near = np.maximum(_half_digit(mine), _half_digit(theirs)) * _ROUNDED
    near = near + CLOSE * np.abs(theirs)
    if (np.abs(mine - theirs) > near).any():
        return None
    shown = np.flatnonzero(theirs)
    _, first = np.unique(np.round(theirs[shown] / near[shown]), return_index=True)
    one_of_each = shown[first]
    digits = np.log10(_SEEDS_DIFFER * np.abs(theirs[one_of_each]) / near[one_of_each])
    return float(np.clip(digits, 0.0, _MOST_DIGITS).sum())


def _plain(values: np.ndarray) -> np.ndarray:
    return np.array([float(f"{value:.7g}") for value in values.tolist()], dtype=np.float64)


def _half_digit(values: np.ndarray) -> np.ndarray:
    """Return half a unit of the last decimal that a column shows."""
    shown = values[:_LOOKED].tolist()
    ends = [Decimal(f"{value:.7g}").normalize().as_tuple().exponent for value in shown]
    last = min((end for end in ends if isinstance(end, int)), default=0)
    return np.full(len(values), 0.5 * 10.0 ** min(last, 0))


def _by_metric(scalars: Scalars) -> dict[str, dict[str, Series]]:
    found: dict[str, dict[str, Series]] = {}
    for key, series in telling(scalars).items():
        found.setdefault(series.metric, {})[key] = series
    return found


def _of_one_split(one: Series, other: Series) -> bool:
    return one.split == other.split or not (one.split and other.split)


# --- clocks, seeds and settings -----------------------------------------------------------


def _on_clock_of(host: Draft, guest: Draft) -> Scalars | None:
    """Return a guest's series on the clock of a host, None where the two count other things."""
    mine, theirs = (clock_of(one.scalars, one.config) for one in (host, guest))
    if mine and theirs and theirs.counts_epochs and not mine.counts_epochs:
        return _moved(guest.scalars, mine, theirs)
    apart = mine and theirs and mine.steps_per_epoch != theirs.steps_per_epoch
    return None if apart or not _end_alike(host, guest) else guest.scalars


def _counts_updates(host: Draft, guest: Draft) -> bool:
    """Tell whether one of two logs holds losses of updates alone, and the other the epochs."""
    mine, theirs = (telling(one.scalars).values() for one in (host, guest))
    shared = {one.metric for one in mine} & {one.metric for one in theirs}
    inner = [{one.split for one in several} == {"train"} for several in (mine, theirs)]
    return not shared and inner[0] != inner[1]


def _moved(scalars: Scalars, steps: Clock, epochs: Clock) -> Scalars | None:
    """Return series that count epochs at the steps at which these ended."""
    ends = {float(e): int(s) for s, e in zip(steps.steps, steps.epochs, strict=True)}
    numbers = {int(s): float(e) for s, e in zip(epochs.steps, epochs.epochs, strict=True)}
    found = {}
    for key, series in scalars.items():
        at = [ends.get(numbers.get(int(step), math.nan)) for step in series.steps]
        if None in at:
            return None
        found[key] = replace(series, steps=np.array(at, dtype=np.int64))
    return {key: one for key, one in found.items() if one.metric != "epoch"}


def _end_alike(host: Draft, guest: Draft) -> bool:
    """Tell whether two logs count to about the same number: one gap between points apart.

    Where they measure the same, that decides: a log may count updates beside its epochs.
    """
    ends, gaps = [], []
    mine, theirs = ({one.metric for one in draft.scalars.values()} for draft in (host, guest))
    shared = (mine & theirs) - BOOKKEEPING
    for draft in (host, guest):
        counted = {k: s for k, s in draft.scalars.items() if not shared or s.metric in shared}
        ends.append(last_step(counted))
        gaps += [float(np.median(np.diff(s.steps))) for s in counted.values() if len(s) > 1]
    return abs(ends[0] - ends[1]) <= max(gaps, default=0.0) + _LATER * max(ends)


def differ_in_settings(one: Draft, other: Draft) -> bool:
    """Tell whether two logs state other seeds, or another value of a setting."""
    seeds = {seed_in(one.config), seed_in(other.config)} - {None}
    return len(seeds) > 1 or contradict(settings_of(one.config), settings_of(other.config))


def is_timed(draft: Draft) -> bool:
    """Tell whether a log says when it was written."""
    return not math.isnan(span_of(draft.scalars.values())[0])


def kinds_of(draft: Draft) -> set[str]:
    """Return the kinds of the files that hold points of a run."""
    return {source.kind for source in draft.sources if source.points}


def precision(draft: Draft) -> int:
    """Return how many digits the numbers of a run show."""
    several = telling(draft.scalars).values()
    values = [value for one in several for value in one.values[:_FIRST].tolist()]
    texts = (f"{abs(value):.6e}".partition("e")[0] for value in values if math.isfinite(value))
    return max((len(text.replace(".", "").rstrip("0")) for text in texts), default=0)
