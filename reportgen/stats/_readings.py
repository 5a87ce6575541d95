"""Single readings of a series as quantities, in the unit the report computes in."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING

from reportgen.languages import MessageRows
from reportgen.records.quantity import Evidence, Missing, Quantity, Reading
from reportgen.records.run import Run, Series, decimal_float

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


SETTLED_DIGITS = 12
MEAN_DIGITS = 14  # more than those of a difference, so that two means may be subtracted

told = MessageRows("reportgen.stats")


def computed(value: float, unit: str) -> tuple[float, str]:
    """Return a logged value in the unit it is computed in: percent becomes a fraction exactly.

    Division by 100 in binary would turn 79.9 into 0.7990000000000002 now and then; the
    shortest decimal that the log stands for is shifted by two places instead.

    Example:
        >>> computed(79.9, "percent"), computed(0.25, "")
        ((0.799, 'fraction'), (0.25, ''))
    """
    return (float(decimal_of(value).scaleb(-2)), "fraction") if unit == "percent" else (value, unit)


def decimal_of(value: float) -> Decimal:
    """Return the shortest decimal that a float stands for."""
    return Decimal(repr(float(value)))


def settle(
    value: float | Decimal, scale: float | Decimal = 0, *, digits: int = SETTLED_DIGITS
) -> float:
    """Return a computed value at so many significant digits that no noise of binary is left.

    A value that is 0.245 on paper is then 0.245 and not 0.24499999999999997, and is printed
    and compared as such. Noise begins below the largest number it was computed from, `scale`.

    Example:
        >>> settle(0.24499999999999997), settle(1e-16, scale=0.8), settle(1e-16)
        (0.245, 0.0, 1e-16)
    """
    exact = value if isinstance(value, Decimal) else decimal_of(value)
    largest = max(abs(exact), abs(scale if isinstance(scale, Decimal) else decimal_of(scale)))
    if not largest.is_finite() or not largest:
        return float(exact)
    # Half-even is unbiased; what is printed is rounded half-up by the formats alone.
    return float(round(exact, digits - 1 - largest.adjusted())) + 0.0


def subtract(left: float, right: float) -> float:
    """Return `left - right` of the shortest decimals that both floats stand for, settled.

    Differences that are equal on paper stay equal, so that their spread is zero and not 1e-17.
    Means have thirds: 61.333333333333336 less 56.33333333333333 is 5 as well.

    Example:
        >>> subtract(0.8, 0.7), 0.8 - 0.7, subtract(61.333333333333336, 56.33333333333333)
        (0.1, 0.10000000000000009, 5.0)
    """
    first, second = decimal_of(left), decimal_of(right)
    return settle(first - second, max(abs(first), abs(second)))


def finite_mask(series: Series) -> NDArray[np.bool_]:
    """Return which points of a series are neither NaN nor infinite."""
    import numpy as np

    return np.isfinite(series.values)


def index_of_step(series: Series, step: int) -> int | None:
    """Return the position of a step in a series (its steps are sorted), or None."""
    index = int(series.steps.searchsorted(step))
    return index if index < len(series) and int(series.steps[index]) == step else None


def nearest_step(series: Series, step: int) -> int:
    """Return the logged step nearest to `step`; the earlier of two at equal distance."""
    import numpy as np

    steps = series.steps.astype(np.int64)
    return int(steps[np.abs(steps - step).argmin()])


def reading_at(run: Run, series: Series, index: int, *, method: str) -> Reading:
    """Return one point as a quantity with its evidence, or why it has no value.

    Missing:
        The point is NaN or infinite.
    """
    step = int(series.steps[index])
    raw = decimal_float(series.values[index])
    evidence = Evidence(path=series.path, tag=series.tag, step=step, value=raw, run=run.id)
    if not math.isfinite(raw):
        places = {"run": called(run), "value": str(raw), "step": step}
        reason = told("logged_no_number", tag=series.tag, **places)
        return Missing(reason=reason, details={"path": series.path, "tag": series.tag})
    value, unit = computed(raw, series.unit)
    return Quantity(value=value, unit=unit, method=method, sources=(evidence,))


def called(run: Run) -> str:
    """Return what a run is called in a reason: its path, unless it is the loaded folder itself."""
    return run.id if run.id not in {"", "."} else told("the_run")


def never_logged(run: Run, metric: str, split: str) -> str:
    """Return the reason why a run has no value at all.

    Example:
        >>> never_logged(Run(id="a/0", group="a", seed=0, layout="", scalars={}), "wer", "test")
        'a/0 never logged WER on test'
    """
    if not metric:
        return told("never_logged_any", run=called(run), split=split)
    return told.of_split("never_logged", metric, split, run=called(run))


def never_finite(run: Run, metric: str, split: str) -> str:
    """Return the reason why no value of a run can be used, though there are some."""
    return told.of_split("never_finite", metric, split, name=called(run))
