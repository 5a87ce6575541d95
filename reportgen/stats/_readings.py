"""Single readings of a series as quantities, in the unit the report computes in."""

from __future__ import annotations

import math
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING

from reportgen.records.quantity import Evidence, Missing, Quantity, Reading
from reportgen.records.run import Run, Series

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def computing_unit(unit: str) -> str:
    """Return the unit that values logged in `unit` have inside the program.

    Example:
        >>> computing_unit("percent"), computing_unit("fraction"), computing_unit("")
        ('fraction', 'fraction', '')
    """
    return "fraction" if unit == "percent" else unit


def in_computing_unit(value: float, unit: str) -> float:
    """Return a logged value in its computing unit; percent becomes a fraction exactly.

    Division by 100 in binary would turn 79.9 into 0.7990000000000002 now and then; the
    shortest decimal that the log stands for is shifted by two places instead.

    Example:
        >>> in_computing_unit(79.9, "percent"), in_computing_unit(0.25, "fraction")
        (0.799, 0.25)
    """
    if unit != "percent":
        return value
    return float(Decimal(repr(float(value))).scaleb(-2))


def subtract(left: float, right: float) -> float:
    """Return `left - right` of the shortest decimals that both floats stand for.

    Differences of logged decimals that are equal on paper stay equal, so that their
    spread is exactly zero and not 1e-17.

    Example:
        >>> subtract(0.8, 0.7), 0.8 - 0.7
        (0.1, 0.10000000000000009)
    """
    return float(Decimal(repr(float(left))) - Decimal(repr(float(right))))


def finite_mask(series: Series) -> NDArray[np.bool_]:
    """Return which points of a series are neither NaN nor infinite."""
    import numpy as np

    return np.isfinite(series.values.astype(np.float64))


def count_not_finite(series: Series) -> int:
    """Return how many points of a series are NaN or infinite.

    Example:
        >>> import numpy as np
        >>> count_not_finite(Series(tag="loss", steps=np.array([1, 2]),
        ...     values=np.array([0.5, np.nan]), wall_times=np.zeros(2)))
        1
    """
    return len(series) - int(finite_mask(series).sum())


def index_of_step(series: Series, step: int) -> int | None:
    """Return the position of a step in a series (its steps are sorted), or None."""
    index = int(series.steps.searchsorted(step))
    return index if index < len(series) and int(series.steps[index]) == step else None


def nearest_step(series: Series, step: int) -> int:
    """Return the logged step nearest to `step`; the earlier of two at equal distance."""
    return min((int(s) for s in series.steps), key=lambda s: (abs(s - step), s))


def reading_at(run: Run, series: Series, index: int, *, method: str) -> Reading:
    """Return one point as a quantity with its evidence, or why it has no value.

    Args:
        run: The run the series belongs to.
        series: The series.
        index: Position of the point in the series.
        method: What the reading is, in words.

    Missing:
        The point is NaN or infinite.
    """
    step = int(series.steps[index])
    raw = float(str(series.values[index]))
    evidence = Evidence(path=series.path, tag=series.tag, step=step, value=raw, run=run.id)
    if not math.isfinite(raw):
        reason = f"{run.id} logged {raw} for {series.tag} at step {step}"
        return Missing(reason=reason, details={"path": series.path, "tag": series.tag})
    return Quantity(
        value=in_computing_unit(raw, series.unit),
        unit=computing_unit(series.unit),
        method=method,
        sources=(evidence,),
    )


def is_one_run_per_seed(seeds: tuple[int | None, ...]) -> bool:
    """Return whether every seed is known and no seed comes twice."""
    known = sorted(s for s in seeds if s is not None)
    return len(known) == len(seeds) and all(a != b for a, b in pairwise(known))
