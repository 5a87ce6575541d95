"""Single readings of a series as quantities, and its steps and epochs by its own clock."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING

from reportgen.languages import MessageRows
from reportgen.records.quantity import Evidence, Missing, Quantity, Reading
from reportgen.records.run import Clock, Run, Series, decimal_float
from reportgen.records.study import STEPS_PER_EPOCH, Study

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Steps = NDArray[np.generic]


# Single readings of a series as quantities, in the unit the report computes in.

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


# Steps and epochs of one run, by its own clock: how many epochs a step has finished.


def stated_steps_per_epoch(study: Study) -> int:
    """Return the steps per epoch that a study states, 0 where it states none.

    What was inferred from some runs holds for no other.
    """
    return study.steps_per_epoch if STEPS_PER_EPOCH in study.stated else 0


def epochs_of(run: Run, series: Series, study: Study) -> Floats:
    """Return how many epochs a run had finished at each step of a series.

    The steps per epoch that a study states count for a run without a clock.

    Shape:
        One value a point.

    Units:
        Epochs, numbered from 1; a step between two ends gives a fraction.

    Missing:
        NaN where the clock does not reach.
    """
    return _epochs_at(run, series, series.steps, stated_steps_per_epoch(study))


def epoch_of_step(run: Run, series: Series, step: int, study: Study) -> float | None:
    """Return how many epochs a run had finished at a step of a series; None where unknown."""
    import numpy as np

    (epoch,) = _epochs_at(run, series, np.array([step]), stated_steps_per_epoch(study)).tolist()
    return None if math.isnan(epoch) else epoch


def epochs_finished(series: Series, step: int, steps_per_epoch: int) -> float:
    """Return how many epochs a number of steps makes, however a series counts its steps.

    Keras numbers epochs 0, 1, 2; Lightning logs the end of an epoch of 50 steps at step
    49. fairseq and the Hugging Face Trainer count finished updates, from 1.

    Example:
        >>> import numpy as np
        >>> series = Series(tag="accuracy", steps=np.array([49, 99, 100]),
        ...                 values=np.zeros(3), wall_times=np.zeros(3))
        >>> [epochs_finished(series, step, 50) for step in (49, 99, 100)]
        [1.0, 2.0, 2.0]
    """
    import numpy as np

    from_zero = _counts_from_zero(series, steps_per_epoch)
    return float(_finished(np.array([step]), steps_per_epoch, from_zero=from_zero)[0])


def _epochs_at(run: Run, series: Series, steps: Steps, stated: int) -> Floats:
    """Return finished epochs: exact rows of the clock first, between them by its even pace."""
    import numpy as np

    clock = run.clock
    exact, told = None, np.zeros(len(steps), dtype=bool)
    if clock is not None and len(clock.steps):
        at = np.minimum(clock.steps.searchsorted(steps), len(clock.steps) - 1)
        exact = clock.epochs[at].astype(np.float64, copy=False)
        told = clock.steps[at] == steps
        if told.all():
            return exact
    counts = clock is not None and clock.counts_epochs
    pace = 1 if counts else stated if clock is None else clock.steps_per_epoch
    paced = np.full(len(steps), np.nan)
    if pace > 0:
        paced = _finished(steps, pace, from_zero=_starts_at_zero(clock, series, pace))
    return paced if exact is None else np.where(told, exact, paced)


def _starts_at_zero(clock: Clock | None, series: Series, pace: int) -> bool:
    """Tell whether step 0 is the first one: by the rows of the clock, else by the series."""
    if clock is None or not len(clock.steps):
        return _counts_from_zero(series, pace)
    ends = clock.epochs * pace
    return int((clock.steps + 1 == ends).sum()) > int((clock.steps == ends).sum())


def _counts_from_zero(series: Series, steps_per_epoch: int) -> bool:
    if steps_per_epoch == 1:
        return len(series) > 0 and int(series.steps[0]) == 0
    ends = series.steps % steps_per_epoch
    return int((ends == steps_per_epoch - 1).sum()) > int((ends == 0).sum())


def _finished(steps: Steps, steps_per_epoch: int, *, from_zero: bool) -> Floats:
    import numpy as np

    closes = ((steps + 1) % steps_per_epoch == 0) & from_zero
    return np.where(closes, steps + 1, steps) / steps_per_epoch


def closes_epochs(epochs: Floats) -> NDArray[np.bool_]:
    """Return which evaluations close an epoch, where those tell the whole story; else all.

    They do if at least half of the evaluations close an epoch, or if every epoch (of two
    or more) is closed by one. Evaluations every so many steps seldom meet the end of an
    epoch; of those all are kept. Epochs that are not known are 0.0.

    Example:
        >>> import numpy as np
        >>> closes_epochs(np.array([1.0, 2.0, 451 / 225])).tolist()
        [True, True, False]
        >>> closes_epochs(np.array([0.5, 0.75, 1.0])).tolist()
        [True, True, True]
    """
    import numpy as np

    whole = (epochs >= 1) & (epochs == np.floor(epochs))
    n = int(whole.sum())
    most = 0 < len(epochs) <= 2 * n
    every = n > 1 and n == int(epochs.max())
    return whole if most or every else np.full(len(epochs), True)
