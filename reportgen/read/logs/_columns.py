"""Collecting points by tag, in 24 bytes a point, and turning them into series."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from reportgen.records.run import Series


@dataclass(slots=True)
class Column:
    """The points of one tag, in the order in which they were written."""

    steps: array[int] = field(default_factory=lambda: array("q"))
    values: array[float] = field(default_factory=lambda: array("d"))
    wall_times: array[float] = field(default_factory=lambda: array("d"))

    def add(self, step: int, value: float, wall_time: float = float("nan")) -> None:
        """Append one point."""
        self.steps.append(step)
        self.values.append(value)
        self.wall_times.append(wall_time)


class Columns(dict[str, Column]):
    """Tag to its points; a tag is made when it is first asked for."""

    def __missing__(self, tag: str) -> Column:
        column = self[tag] = Column()
        return column

    def series(self, path: str) -> dict[str, Series]:
        """Return every tag of a whole file as a series.

        Args:
            path: The file.
        """
        # From Python 3.14 on a signalling NaN of a log is still one here; numpy would warn of it.
        with np.errstate(invalid="ignore"):
            return settled(
                {
                    tag: series_of(tag, one.steps, np.array(one.values), one.wall_times, path)
                    for tag, one in self.items()
                    if len(one.steps)
                }
            )


def is_step(value: object) -> bool:
    """Tell whether a value is a whole number of 64 bits.

    Example:
        >>> is_step(225), is_step(2**63), is_step(True), is_step("225")
        (True, False, False, False)
    """
    return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63


def series_of(
    tag: str,
    steps: Sequence[int] | np.ndarray[Any, Any],
    values: Sequence[float] | np.ndarray[Any, Any],
    wall_times: Sequence[float] | np.ndarray[Any, Any],
    path: str,
) -> Series:
    """Sort points by step; of several points with the same step the one written last stays.

    Where the steps never go back, and none but the last one comes twice, its first point stays
    and the second one is `again`, as of an evaluation after training: `settled` has the last
    word, which knows the other tags of the file.

    Example:
        >>> one = series_of("loss", [2, 1, 2], [0.5, 0.9, 0.4], [0.0, 0.0, 1.0], "run/log")
        >>> list(one.points())
        [(1, 0.9), (2, 0.4)]
        >>> one = series_of("loss", [1, 2, 2], [0.5, 0.9, 0.4], [0.0, 1.0, 2.0], "run/log")
        >>> list(one.points()), one.again
        ([(1, 0.5), (2, 0.9)], (0.4, 2.0))
    """
    found, stored = np.asarray(steps, dtype=np.int64), np.asarray(values)
    clock = np.asarray(wall_times, dtype=np.float64)
    replaced, again = 0, None
    if _ends_twice(found):
        if not _is_same(stored[-2], stored[-1]):
            again = float(stored[-1]), float(clock[-1])
        # A value that is there twice has the later clock, like any other.
        kept = slice(-1) if again else np.append(np.arange(len(found) - 2), len(found) - 1)
        found, stored, clock = found[kept], stored[kept], clock[kept]
    elif not (found[1:] > found[:-1]).all():
        order = np.argsort(found, kind="stable")
        last = np.append(np.diff(found[order]) != 0, True)
        replaced = _count_replaced(stored[order], last)
        order = order[last]
        found, stored, clock = found[order], stored[order], clock[order]
    return Series(
        tag=tag,
        steps=found,
        values=stored,
        wall_times=clock,
        path=path,
        replaced=replaced,
        again=again,
    )


def _ends_twice(steps: np.ndarray[Any, Any]) -> bool:
    """Tell whether steps in the order of writing rise, but for the last, which comes twice."""
    if len(steps) < 2 or steps[-1] != steps[-2]:
        return False
    return bool((steps[1:-1] > steps[:-2]).all())


def _is_same(one: float, other: float) -> bool:
    return bool(one == other or (np.isnan(one) and np.isnan(other)))


def settled(series: Mapping[str, Series]) -> dict[str, Series]:
    """Return the series of a whole file; they know whether it ends in an evaluation after training.

    A second point of a last step is of one where training has gone several steps, up to that one,
    it was written later than the first, and nothing of an earlier step later than it. Any other
    is what every repeated step is: the point written later counts.

    Example:
        >>> one = series_of("acc", [1, 2, 2], [0.5, 0.9, 0.4], [0.0, 1.0, 2.0], "run/log")
        >>> more = series_of("loss", [1, 2, 3], [3.0, 2.0, 1.0], [0.0, 1.0, 3.0], "run/log")
        >>> [list(each["acc"].points())[-1] for each in (settled({"acc": one}),
        ...     settled({"acc": one, "loss": more}))]
        [(2, 0.9), (2, 0.4)]
    """
    if all(one.again is None for one in series.values()):
        return dict(series)
    last = max(int(one.steps[-1]) for one in series.values())
    is_curve = any(int(one.steps[0]) < last for one in series.values())
    before = [one.wall_times[np.less(one.steps, last)] for one in series.values()]
    times = np.concatenate(before)
    trained = np.max(times, initial=-np.inf, where=np.isfinite(times))

    def is_after(one: Series, wall: float) -> bool:
        takes_time = not wall <= float(one.wall_times[-1])
        return is_curve and takes_time and int(one.steps[-1]) == last and not wall < trained

    return {
        tag: one if one.again is None or is_after(one, one.again[1]) else _with_later(one)
        for tag, one in series.items()
    }


def _with_later(one: Series) -> Series:
    """Return a series whose last step has the point written later."""
    if one.again is None:
        return one
    values, wall_times = np.array(one.values), np.array(one.wall_times)
    values[-1], wall_times[-1] = one.again
    return replace(one, values=values, wall_times=wall_times, replaced=one.replaced + 1, again=None)


def _count_replaced(values: np.ndarray[Any, Any], last: np.ndarray[Any, Any]) -> int:
    """Count the values that differ from the last one of their step.

    Args:
        values: In order of step.
        last: Which of them is the last one of its step.
    """
    if last.all():
        return 0
    kept = values[last][np.cumsum(last) - last]
    return int(np.count_nonzero((values != kept) & ~(np.isnan(values) & np.isnan(kept))))
