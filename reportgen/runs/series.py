"""Points of series: those that two have in common, how far they agree, and both joined."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from typing import Any, TypeVar

import numpy as np

from reportgen.records.record import replace
from reportgen.records.run import Result, Series, decimal_float

BOOKKEEPING = frozenset({"", "epoch", "learning_rate"})
"""Metrics that are rounded at will, and prove nothing."""

CLOSE = 1e-6
"""Relative tolerance of single precision."""

_PRINTED = 200
"""Numbers by which is told how many digits a text prints."""

_FEW = 8
"""Numbers that are looked at before all of them are."""

_FEWEST_DIGITS = 4
"""Digits that a column must have, for numbers of fewer agree by chance."""

_HALF = 0.51
"""Half a unit of the last digit, and a little for the rounding of binary fractions."""

Scalars = Mapping[str, Series]
_Item = TypeVar("_Item")
_Key = TypeVar("_Key", bound=Hashable)


def group_by(items: Iterable[_Item], key: Callable[[_Item], _Key]) -> dict[_Key, list[_Item]]:
    """Group items by a key, in order of first appearance."""
    found: dict[_Key, list[_Item]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found


def first_fit(
    items: Iterable[_Item], fits: Callable[[_Item, list[_Item]], bool]
) -> list[list[_Item]]:
    """Deal items out, each to the first group that it fits, else to one of its own."""
    found: list[list[_Item]] = []
    for item in items:
        host = next((one for one in found if fits(item, one)), None)
        if host is None:
            found.append([item])
        else:
            host.append(item)
    return found


def telling(scalars: Scalars) -> dict[str, Series]:
    """Return the series that measure something: those with points, without bookkeeping."""
    return {key: one for key, one in scalars.items() if len(one) and one.metric not in BOOKKEEPING}


def last_step(scalars: Scalars) -> int:
    """Return the last step of some series, 0 where they have none."""
    return max((int(one.steps[-1]) for one in scalars.values() if len(one)), default=0)


def span_of(series: Iterable[Series]) -> tuple[float, float]:
    """Return the first and the last wall time of some series, NaN where they have none."""
    times = np.concatenate([one.wall_times for one in series] or [np.zeros(0)])
    times = times[np.isfinite(times)]
    return (float(times.min()), float(times.max())) if len(times) else (math.nan, math.nan)


def point_of(tag: str, value: float, metric: str, split: str, path: str) -> Series:
    """Return a number without a step as a series of one point, at step 0."""
    return Series(
        tag=tag,
        steps=np.zeros(1, dtype=np.int64),
        values=np.array([value]),
        wall_times=np.full(1, np.nan),
        metric=metric,
        split=split,
        path=path,
    )


def result_of(series: Series, tag: str, index: int = -1) -> Result:
    """Return one point of a series as a number without a step."""
    return Result(
        tag=tag,
        value=decimal_float(series.values[index]),
        metric=series.metric,
        split=series.split,
        path=series.path,
    )


def shared_values(one: Series, other: Series) -> tuple[Any, Any, Any]:
    """Return the steps that two series share, and the values of each there."""
    if np.array_equal(one.steps, other.steps):
        return one.steps, one.values, other.values
    both, at_one, at_other = np.intersect1d(one.steps, other.steps, return_indices=True)
    return both, one.values[at_one], other.values[at_other]


def are_close(mine: Any, theirs: Any) -> Any:
    """Return which values are the same in single precision."""
    return np.isclose(mine.astype(float), theirs.astype(float), rtol=CLOSE, atol=0, equal_nan=True)


def agreeing_points(one: Scalars, other: Scalars, lost: float = 0.0) -> int | None:
    """Return how many points two sets of series have in common, None where one differs.

    Clock readings and epoch counters do not count: they are rounded at will. A text that rounds
    its numbers agrees as far as it prints them. `lost` is the share of the points of a series that
    may differ, as where two values of one step were logged.
    """
    total = 0
    for key in one.keys() & other.keys():
        if one[key].metric not in BOOKKEEPING:
            both, mine, theirs = shared_values(one[key], other[key])
            apart = len(both) - int(are_close(mine, theirs).sum())
            if apart > lost * len(both) and not agree_as_printed(mine, theirs):
                return None
            total += len(both)
    return total


def agree_as_printed(mine: Any, theirs: Any) -> bool:
    """Tell whether values are the same as far as the second ones are printed."""
    finite = np.isfinite(theirs)
    if theirs.dtype != np.float64 or not np.array_equal(finite, np.isfinite(mine)):
        return False
    shown, apart = theirs[finite], np.abs(mine.astype(float) - theirs)[finite]
    # Of a few the room is as wide or wider: those that are widest apart tell most columns apart.
    for some in (np.argsort(apart)[-_FEW:], slice(None)):
        rooms, digits = printed_rooms(shown[some])
        if not any(bool((apart[some] <= room).all()) for room in rooms):
            return False
    return digits >= _FEWEST_DIGITS


def printed_rooms(values: Any) -> tuple[tuple[Any, Any], int]:
    """Return half a unit of the last place that a column of numbers shows, and its most digits.

    First as if all numbers had as many decimals (`%.3f`), then as if all had as many digits
    (`%.3g`): which of the two a program printed, the numbers alone do not say.

    Example:
        >>> (by_decimals, by_digits), digits = printed_rooms(np.array([0.361, 0.00019]))
        >>> digits, [round(float(room), 8) for room in (by_decimals[0], by_digits[0])]
        (3, [5.1e-06, 0.00051])
    """
    from decimal import Decimal

    shown = [Decimal(f"{one:.7g}").normalize().as_tuple() for one in values[:_PRINTED].tolist()]
    last = min((one.exponent for one in shown if isinstance(one.exponent, int)), default=0)
    digits = max((len(one.digits) for one in shown), default=1)
    by_decimals = np.full(len(values), _HALF * 10.0 ** min(last, 0))
    first = np.floor(np.log10(np.where(values == 0, 1.0, np.abs(values))))
    return (by_decimals, _HALF * np.where(values == 0, 0.0, 10.0 ** (first + 1 - digits))), digits


def join(old: Series | None, new: Series) -> Series:
    """Return the points of both; where both have a step, the new one's."""
    if old is None:
        return new
    values = [old.values, new.values]
    if old.values.dtype != new.values.dtype:
        values = [decimals(one) for one in values]
    steps = np.concatenate([old.steps, new.steps])
    order = np.argsort(steps, kind="stable")
    order = order[np.append(steps[order][1:] != steps[order][:-1], True)]
    return replace(
        new,
        steps=steps[order],
        values=np.concatenate(values)[order],
        wall_times=np.concatenate([old.wall_times, new.wall_times])[order],
    )


def join_all(old: Scalars, new: Scalars) -> dict[str, Series]:
    """Return all series of both, joined where both have one."""
    return {**old, **{key: join(old.get(key), series) for key, series in new.items()}}


def overlay(clocked: Series | None, exact: Series) -> Series:
    """Return the points of both: values of the exact one, wall times of the clocked one."""
    if clocked is None:
        return exact
    joined = join(clocked, exact)
    _, at_joined, at_clocked = np.intersect1d(joined.steps, clocked.steps, return_indices=True)
    wall_times = joined.wall_times.copy()
    wall_times[at_joined] = clocked.wall_times[at_clocked]
    return replace(joined, wall_times=wall_times)


def supersede(
    old: Scalars, new: Scalars, first: int, start: float, *, files: Collection[str] = ()
) -> tuple[dict[str, Series], int]:
    """Put a later session in the place of what was logged at its first step or after it.

    Args:
        old: What was logged before.
        new: What the session logged.
        first: Step from which on it counts.
        start: Wall time of its start: what was written after it stays; NaN where there is none.
        files: Files that show no second start; what the session has not passed there stays.

    Returns:
        The series of both, and how many points are superseded.
    """
    last = max(int(s.steps[-1]) for s in new.values())
    lost, found = 0, dict(old)
    for key, series in old.items():
        void = np.greater_equal(series.steps, first)
        if not math.isnan(start):
            void &= ~np.greater_equal(series.wall_times, start)
        elif files and key not in new and series.path not in files:
            void &= np.greater(series.steps, last)
        lost += int(void.sum())
        if void.all():
            del found[key]
        elif void.any():
            found[key] = select_points(series, ~void)
    return join_all(found, new), lost


def select_points(series: Series, keep: Any) -> Series:
    """Return a series with some of its points."""
    steps, values, times = series.steps[keep], series.values[keep], series.wall_times[keep]
    return replace(series, steps=steps, values=values, wall_times=times)


def decimals(values: np.ndarray) -> np.ndarray:
    """Return a column in double width; a float32 is the shortest decimal it stands for."""
    widened = values.astype(np.float64)
    if values.dtype == np.float64:
        return widened
    # Whole numbers are known to their last digit, which the shortest decimal may lack.
    return np.where(widened == np.round(widened), widened, values.astype(str).astype(np.float64))
