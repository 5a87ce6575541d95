"""Steps and epochs of one run, by its own clock: how many epochs a step has finished."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from reportgen.records.run import Clock, Run, Series
from reportgen.records.study import STEPS_PER_EPOCH, Study

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Steps = NDArray[np.generic]


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
