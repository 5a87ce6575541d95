"""Steps and epochs: which epoch a logged step closes."""

from __future__ import annotations

from collections.abc import Iterable

from reportgen.records.run import Run, Series
from reportgen.stats._readings import finite_mask, index_of_step


def counts_from_zero(series: Series, steps_per_epoch: int) -> bool:
    """Return whether a series numbers its steps from 0, so that epoch 1 ends one earlier.

    Keras numbers epochs 0, 1, 2; Lightning logs the end of an epoch of 50 steps at step
    49. fairseq and the Hugging Face Trainer count finished updates, from 1.
    """
    if steps_per_epoch < 1 or len(series) == 0:
        return False
    first = int(series.steps[0])
    if steps_per_epoch == 1:
        return first == 0
    ends = [int(s) % steps_per_epoch for s in series.steps]
    return 0 not in ends and steps_per_epoch - 1 in ends


def logged_epoch(run: Run, step: int) -> float | None:
    """Return how many epochs a run itself says were finished at a step, or None.

    The Hugging Face Trainer logs finished epochs (0.5, 1.0, ...) beside each evaluation.
    A log that begins with epoch 0 after its first update (Lightning) numbers the epoch it
    is in; that epoch is finished where the number is whole, so one is added.
    """
    series = next((s for s in run.scalars.values() if s.metric == "epoch" and len(s)), None)
    if series is None:
        return None
    index = index_of_step(series, step)
    if index is None or not bool(finite_mask(series)[index]):
        return None
    value = float(str(series.values[index]))
    numbers_from_zero = float(series.values[0]) == 0.0 and value.is_integer()
    return value + 1 if numbers_from_zero else value


def epoch_of_step(run: Run, series: Series, step: int, steps_per_epoch: int) -> float | None:
    """Return how many epochs were finished at a step of a series; None where unknown.

    Args:
        run: The run; the epochs it logs itself win over `steps_per_epoch`.
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
    own = logged_epoch(run, step)
    if own is not None:
        return own
    if steps_per_epoch < 1:
        return None
    finished = step + 1 if counts_from_zero(series, steps_per_epoch) else step
    return finished / steps_per_epoch


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
