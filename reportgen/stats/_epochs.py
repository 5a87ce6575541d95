"""Steps and epochs: which epoch a logged step closes."""

from __future__ import annotations

import math
from collections.abc import Iterable

from reportgen.records.run import Run, Series, decimal_float
from reportgen.stats._readings import index_of_step


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
    return _finished(step, steps_per_epoch, from_zero=_counts_from_zero(series, steps_per_epoch))


def _counts_from_zero(series: Series, steps_per_epoch: int) -> bool:
    if steps_per_epoch == 1:
        return len(series) > 0 and int(series.steps[0]) == 0
    ends = series.steps % steps_per_epoch
    return int((ends == steps_per_epoch - 1).sum()) > int((ends == 0).sum())


def _finished(step: int, steps_per_epoch: int, *, from_zero: bool) -> float:
    closes = from_zero and (step + 1) % steps_per_epoch == 0
    return (step + 1 if closes else step) / steps_per_epoch


def logged_epoch(run: Run, step: int) -> tuple[float, bool] | None:
    """Return the epoch a run itself logged at a step and whether it counts from 0, or None.

    The Hugging Face Trainer logs finished epochs (0.5, 1.0, ...) beside each evaluation.
    A log that begins with epoch 0 (Lightning) numbers the epoch it is in.
    """
    series = _epoch_series(run)
    if series is None:
        return None
    index = index_of_step(series, step)
    value = math.nan if index is None else decimal_float(series.values[index])
    if not math.isfinite(value):
        return None
    return value, float(series.values[0]) == 0.0 and value.is_integer()


def _epoch_series(run: Run) -> Series | None:
    return next((s for s in run.scalars.values() if s.metric == "epoch" and len(s)), None)


def epochs_of_points(run: Run, series: Series, steps_per_epoch: int) -> tuple[float | None, ...]:
    """Return `epoch_of_step` for every step of a series, in one go.

    Example:
        >>> import numpy as np
        >>> series = Series(tag="accuracy", steps=np.array([225, 450]),
        ...                 values=np.zeros(2), wall_times=np.zeros(2))
        >>> run = Run(id="r", group="g", seed=0, layout="", scalars={"accuracy": series})
        >>> epochs_of_points(run, series, 225), epochs_of_points(run, series, 0)
        ((1.0, 2.0), (None, None))
    """
    if steps_per_epoch <= 0 and _epoch_series(run) is None:
        return (None,) * len(series)
    from_zero = steps_per_epoch > 0 and _counts_from_zero(series, steps_per_epoch)
    return tuple(
        _epoch(run, step, steps_per_epoch, from_zero=from_zero) for step in series.steps.tolist()
    )


def epoch_of_step(run: Run, series: Series, step: int, steps_per_epoch: int) -> float | None:
    """Return how many epochs were finished at a step of a series; None where unknown.

    Args:
        run: The run; the finished epochs it logs itself win over `steps_per_epoch`.
        series: The series the step belongs to; it tells whether steps count from 0.
        step: A step.
        steps_per_epoch: Steps per epoch; 0 is unknown.

    Units:
        Epochs, numbered from 1; a step between two ends gives a fraction.

    Example:
        >>> import numpy as np
        >>> series = Series(tag="accuracy", steps=np.array([225, 450]),
        ...                 values=np.zeros(2), wall_times=np.zeros(2))
        >>> run = Run(id="r", group="g", seed=0, layout="", scalars={"accuracy": series})
        >>> epoch_of_step(run, series, 450, 225), epoch_of_step(run, series, 450, 0)
        (2.0, None)
    """
    from_zero = steps_per_epoch > 0 and _counts_from_zero(series, steps_per_epoch)
    return _epoch(run, step, steps_per_epoch, from_zero=from_zero)


def _epoch(run: Run, step: int, steps_per_epoch: int, *, from_zero: bool) -> float | None:
    own = logged_epoch(run, step)
    if own is not None and not own[1]:
        return own[0]
    if steps_per_epoch > 0:
        return _finished(step, steps_per_epoch, from_zero=from_zero)
    # The epoch in progress, numbered from 0, is taken as finished by its evaluation.
    return None if own is None else own[0] + 1


def at_epoch_ends(
    epochs: Iterable[tuple[int, float]],
) -> tuple[tuple[int, float], ...]:
    """Keep the (step, epoch) pairs that close an epoch, where they tell the whole story.

    They do if at least half of the evaluations close an epoch, or if every epoch (of two
    or more) is closed by one. Evaluations every so many steps seldom meet the end of an
    epoch; of those all are kept, with fractional epochs.

    Example:
        >>> at_epoch_ends([(225, 1.0), (450, 2.0), (451, 451 / 225)])
        ((225, 1.0), (450, 2.0))
        >>> at_epoch_ends([(100, 0.5), (150, 0.75), (200, 1.0)])
        ((100, 0.5), (150, 0.75), (200, 1.0))
    """
    pairs = tuple(epochs)  # an unknown epoch is 0.0, which closes none
    whole = tuple(pair for pair in pairs if pair[1].is_integer() and pair[1] >= 1)
    most = 0 < len(pairs) <= 2 * len(whole)
    every = len(whole) > 1 and len(whole) == int(max(epoch for _, epoch in pairs))
    return whole if most or every else pairs
