"""Collecting points by tag, in 24 bytes a point, and turning them into series."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from reportgen.records.run import Series


@dataclass(slots=True)
class Column:
    """The points of one tag, in the order in which they were written.

    Attributes:
        wide: True where a value came in more than single precision; the whole tag is then
            kept in double precision, which changes no value.
    """

    steps: array[int] = field(default_factory=lambda: array("q"))
    values: array[float] = field(default_factory=lambda: array("d"))
    wall_times: array[float] = field(default_factory=lambda: array("d"))
    wide: bool = False

    def add(self, step: int, value: float, wall_time: float = float("nan")) -> None:
        """Append one point."""
        self.steps.append(step)
        self.values.append(value)
        self.wall_times.append(wall_time)

    def purge(self, step: int) -> None:
        """Forget the points from `step` on, as a writer that starts again there asks for."""
        kept = [i for i, found in enumerate(self.steps) if found < step]
        if len(kept) < len(self.steps):
            self.steps = array("q", (self.steps[i] for i in kept))
            self.values = array("d", (self.values[i] for i in kept))
            self.wall_times = array("d", (self.wall_times[i] for i in kept))


class Columns(dict[str, Column]):
    """Tag to its points; a tag is made when it is first asked for."""

    def __missing__(self, tag: str) -> Column:
        column = self[tag] = Column()
        return column

    def series(self, path: str, *, single: bool = False) -> dict[str, Series]:
        """Return every tag as a series; `single` keeps float32 where no value was wider."""
        return {
            tag: series_of(
                tag,
                column.steps,
                np.array(column.values, dtype=_width(column, single=single)),
                column.wall_times,
                path,
            )
            for tag, column in self.items()
            if len(column.steps)
        }


def _width(column: Column, *, single: bool) -> type[np.floating[Any]]:
    return np.float32 if single and not column.wide else np.float64


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

    Example:
        >>> one = series_of("loss", [2, 1, 2], [0.5, 0.9, 0.4], [0.0, 0.0, 1.0], "run/log")
        >>> list(one.points())
        [(1, 0.9), (2, 0.4)]
    """
    found, stored = np.asarray(steps, dtype=np.int64), np.asarray(values)
    clock = np.asarray(wall_times, dtype=np.float64)
    replaced = 0
    if not (found[1:] > found[:-1]).all():
        order = np.argsort(found, kind="stable")
        last = np.append(np.diff(found[order]) != 0, True)
        replaced = _count_replaced(stored[order], last)
        order = order[last]
        found, stored, clock = found[order], stored[order], clock[order]
    return Series(
        tag=tag, steps=found, values=stored, wall_times=clock, path=path, replaced=replaced
    )


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
