"""How many optimizer steps make an epoch, as the logs show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import reduce

import numpy as np

from reportgen.languages import message
from reportgen.records.run import Clock, Run, Series
from reportgen.records.study import STEPS_PER_EPOCH as KEY
from reportgen.records.study import Decision

_LISTED = 4
_NONE = message("no epoch is logged beside the steps")
_UNFIT = message("the epochs that are logged fit no number of steps")


def choose_steps_per_epoch(runs: Sequence[Run], headline: str) -> tuple[int, Decision]:
    """Return the steps per epoch of the headline layout, 0 where the logs do not show it.

    Args:
        runs: All runs.
        headline: Layout whose runs decide.
    """
    votes: Counter[tuple[int, str]] = Counter()
    strangers: dict[str, None] = {}
    for run in runs:
        count, reason = steps_per_epoch(run)
        if run.layout != headline and not count:
            strangers[run.layout] = None
        elif run.layout == headline and count:
            votes[count, reason] += 1
    if not votes:
        counted = any(s.metric == "epoch" and len(s) for run in runs for s in run.scalars.values())
        return 0, Decision(key=KEY, value="", reason=_UNFIT if counted else _NONE)
    by_count: Counter[int] = Counter()
    for (number, _), runs_with in votes.items():
        by_count[number] += runs_with
    count = max(by_count, key=lambda number: (by_count[number], -number))
    reason = max((item for item in votes.items() if item[0][0] == count), key=lambda i: i[1])[0][1]
    if strangers:
        # One number holds for all runs; runs that log their epochs do not need it.
        reason = message(
            "{others} shows no epochs; in {layout}, {reason}",
            others=", ".join(strangers),
            layout=headline,
            reason=reason,
        )
        return 0, Decision(key=KEY, value="", reason=reason, alternatives=(str(count),), asks=True)
    rest = sorted(number for number in by_count if number != count)
    if rest:
        reason = message(
            "{difference}{reason}", difference=_difference(by_count, count, rest), reason=reason
        )
    return count, Decision(
        key=KEY,
        value=str(count),
        reason=reason,
        alternatives=tuple(map(str, rest[:_LISTED])),
        asks=bool(rest),
    )


def _difference(by_count: Counter[int], count: int, rest: Sequence[int]) -> str:
    """Say how runs differ that log their epochs, and why one number was taken.

    Each run goes by the epochs it logs itself; the one number is for those that log none.
    """
    told = reduce(
        lambda one, other: message("{one}, {other}", one=one, other=other),
        [
            message("{number} in {runs}", number=number, runs=by_count[number])
            for number in [count, *rest[:_LISTED]]
        ],
    )
    if len(rest) > _LISTED:
        told = message("{told} and {n} other numbers", told=told, n=len(rest) - _LISTED)
    equal = [number for number in rest if by_count[number] == by_count[count]]
    if not equal:
        why = message("where most agree, ")
    elif len(equal) == 1:
        why = message(
            "a tie of {one} and {other}, of which the smaller is taken: ",
            one=count,
            other=equal[0],
        )
    else:
        why = message("a tie of {n} numbers, of which the smallest is taken: ", n=len(equal) + 1)
    return message(
        "runs differ: {told} of {total} runs; {why}", told=told, total=by_count.total(), why=why
    )


def clock_of(run: Run) -> Clock | None:
    """Return the clock of a run from the epochs that it logs itself; None where it logs none.

    A stand-in until the rows of a file fill `Run.clock`; it goes with this module.

    Example:
        >>> run = Run(id="a", group="a", seed=None, layout="hf_trainer", scalars={"e": Series(
        ...     tag="train/epoch", metric="epoch", steps=np.array([100, 450]),
        ...     values=np.array([0.44, 2.0]), wall_times=np.zeros(2))})
        >>> clock = clock_of(run)
        >>> clock.steps_per_epoch, clock.epochs.tolist()
        (225, [0.44, 2.0])
    """
    if run.clock is not None:
        return run.clock
    count, source = steps_per_epoch(run)
    counters = [s for s in run.scalars.values() if s.metric == "epoch" and len(s)]
    if not count and not counters:
        return None
    steps, epochs = np.zeros(0, dtype=np.int64), np.zeros(0)
    if counters:
        logged = counters[0].values
        # A float32 stands for its shortest decimal.
        exact = logged.astype(float) if logged.dtype == "float64" else logged.astype(str)
        steps, epochs = counters[0].steps.astype(np.int64), exact.astype(float)
        if epochs[0] == 0.0:
            # The epoch in progress, numbered from 0, is taken as finished by its evaluation.
            whole = epochs == np.round(epochs)
            epochs = epochs + whole
            kept = np.isfinite(epochs) & ~(whole & bool(count))
        else:
            kept = np.isfinite(epochs)
        steps, epochs = steps[kept], epochs[kept]
    counts_epochs = any(s.tag.startswith("epoch_") for s in run.scalars.values())
    unit = "epoch" if counts_epochs else "step"
    return Clock(unit=unit, steps=steps, epochs=epochs, steps_per_epoch=count, source=source)


def steps_per_epoch(run: Run) -> tuple[int, str]:
    """Return one run's steps per epoch and how they are known; 0 where they are not.

    Example:
        >>> run = Run(id="a", group="a", seed=None, layout="hf_trainer", scalars={"e": Series(
        ...     tag="train/epoch", metric="epoch", steps=np.array([100, 450]),
        ...     values=np.array([0.44, 2.0]), wall_times=np.zeros(2))})
        >>> steps_per_epoch(run)
        (225, 'train/epoch is 2 at step 450')
    """
    if any(series.tag.startswith("epoch_") for series in run.scalars.values()):
        return 1, message("Keras counts its steps in epochs, the first of which is 0")
    counters = [s for s in run.scalars.values() if s.metric == "epoch" and len(s)]
    for series in sorted(counters, key=len, reverse=True):
        count, reason = _from_counter(series)
        if count:
            return count, reason
    if any(_is_fractional(series) for series in counters):
        # A streamed set has no epochs: its counter does not grow with the steps.
        return 0, ""
    return _from_command(run)


def _from_counter(series: Series) -> tuple[int, str]:
    """Compare logged epochs with steps: they grow together, or by one at an epoch's end."""
    values = series.values.astype(float)
    steps = series.steps.astype(float)
    sound = np.isfinite(values) & (values > 0) & (steps > 0)
    values, steps = values[sound], steps[sound]
    whole = np.flatnonzero(values == np.round(values))
    # A whole epoch is not rounded; else the longest stretch is the least rounded one.
    for index in (*whole[-1:], *range(len(values))[-1:]):
        count = round(steps[index] / values[index])
        apart = np.abs(values - steps / max(count, 1))
        if count >= 1 and (apart <= 0.006 + 0.002 * values).all():
            return count, message(
                "{tag} is {value} at step {step}",
                tag=series.tag,
                value=f"{values[index]:g}",
                step=int(steps[index]),
            )
    return _from_index(series.tag, series.values.astype(float), series.steps)


def _from_index(tag: str, values: np.ndarray, steps: np.ndarray) -> tuple[int, str]:
    """Read a counter from 0: epoch 0 ends with step n - 1, or with n where steps count from 1.

    What is logged once training has ended bears the number of epochs and of steps.
    """
    if len(steps) < 2 or values[0] != 0 or (np.diff(values) != 1).any():
        return 0, ""
    from_zero, from_one = int(steps[0]) + 1, int(steps[0])
    if ((steps + 1 == from_zero * (values + 1)) | (steps == from_zero * values)).all():
        count = from_zero
    elif (steps == from_one * (values + 1)).all():
        count = from_one
    else:
        return 0, ""
    if count <= 1:
        return 0, ""
    return count, message("{tag} counts from 0 and grows by one every {n} steps", tag=tag, n=count)


def _is_fractional(series: Series) -> bool:
    values = series.values.astype(float)
    return bool((values != np.round(values)).any())


def _from_command(run: Run) -> tuple[int, str]:
    """Compare the epochs asked for with what was logged once an epoch.

    Even spacing alone proves nothing: many validate every so many steps.
    """
    epochs = run.config.get("max_epoch")
    if not isinstance(epochs, int) or isinstance(epochs, bool) or epochs < 1:
        return 0, ""
    train = run.find("loss", "train")
    if train is not None and len(train) == epochs and not int(train.steps[-1]) % epochs:
        last = int(train.steps[-1])
        return last // epochs, message("{n} epochs end at step {step}", n=epochs, step=last)
    counts = {
        _spacing(s) if epochs > 1 else int(s.steps[0])
        for s in run.scalars.values()
        if s.split == "validation" and s.metric not in {"", "epoch"} and len(s) == epochs
    }
    count = counts.pop() if len(counts) == 1 else 0
    if count <= 1:
        return 0, ""
    return count, message(
        "{n} epochs were asked for and {n} validations lie {steps} steps apart",
        n=epochs,
        steps=count,
    )


def _spacing(series: Series) -> int:
    """Return the distance between points where it is even and over one, else 0.

    A count from 0 (781, 1563, 2345) has its first point one step early.
    """
    gaps = np.diff(series.steps)
    if not len(gaps) or (gaps != gaps[0]).any() or gaps[0] < 1:
        return 0
    gap, first = int(gaps[0]), int(series.steps[0])
    return gap if gap > 1 and first in {gap, gap - 1} else 0
