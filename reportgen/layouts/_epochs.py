"""How many optimizer steps make an epoch, as the logs show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from reportgen.records.run import Run, Series
from reportgen.records.study import Decision

KEY = "epochs.steps_per_epoch"


def choose_steps_per_epoch(runs: Sequence[Run], headline: str) -> tuple[int, Decision]:
    """Return the steps per epoch of the headline layout, 0 where the logs do not show it.

    Args:
        runs: All runs.
        headline: Layout whose runs come first where layouts differ.
    """
    votes: Counter[tuple[int, str]] = Counter()
    other: Counter[int] = Counter()
    for run in runs:
        count, reason = steps_per_epoch(run)
        if not count:
            continue
        if run.layout == headline:
            votes[count, reason] += 1
        other[count] += 1
    if not other:
        return 0, Decision(key=KEY, value="0", reason="no epoch is logged beside the steps")
    if votes:
        (count, reason), _ = max(votes.items(), key=lambda item: (item[1], -item[0][0]))
    else:
        count, reason = other.most_common(1)[0][0], "as the runs of another layout logged it"
    rest = tuple(str(number) for number in sorted(other) if number != count)
    return count, Decision(key=KEY, value=str(count), reason=reason, alternatives=rest)


def steps_per_epoch(run: Run) -> tuple[int, str]:
    """Return one run's steps per epoch and how they are known; 0 where they are not."""
    for reading in (_from_keras, _from_epochs, _from_command, _from_spacing):
        count, reason = reading(run)
        if count:
            return count, reason
    return 0, ""


def _from_keras(run: Run) -> tuple[int, str]:
    if any(series.tag.startswith("epoch_") for series in run.scalars.values()):
        return 1, "Keras counts its steps in epochs"
    return 0, ""


def _from_epochs(run: Run) -> tuple[int, str]:
    """Compare logged epochs with steps; they count up to an epoch's end, or name it from 0."""
    epochs = [s for s in run.scalars.values() if s.metric == "epoch" and len(s)]
    for series in sorted(epochs, key=len, reverse=True):
        values = series.values.astype(float)
        steps = series.steps.astype(float)
        sound = np.isfinite(values) & (values > 0) & (steps > 0)
        ratio = steps[sound] / values[sound]
        if not len(ratio):
            continue
        # The longest stretch is the least rounded; a whole epoch is not rounded at all.
        whole = values[sound] == np.round(values[sound])
        best = float(ratio[whole][-1] if whole.any() else ratio[-1])
        spread = np.ptp(ratio[whole]) if whole.any() else 0.0
        if spread <= 1 and best >= 1:
            return round(
                best
            ), f"{series.tag} is {values[sound][-1]:g} at step {int(steps[sound][-1])}"
        count = _spacing(series)
        if count and _counts_from_zero(series):
            return count, f"{series.tag} grows by one every {count} steps"
    return 0, ""


def _counts_from_zero(series: Series) -> bool:
    return bool(len(series) > 1 and (np.diff(series.values.astype(float)) == 1).all())


def _from_command(run: Run) -> tuple[int, str]:
    epochs = run.config.get("max_epoch")
    train = run.find("loss", "train")
    if not isinstance(epochs, int) or epochs < 1 or train is None or not len(train):
        return 0, ""
    last = int(train.steps[-1])
    if last % epochs or len(train) != epochs:
        return 0, ""
    return last // epochs, f"{epochs} epochs end at step {last}"


def _from_spacing(run: Run) -> tuple[int, str]:
    """Take even spacing from the start on, as of a validation after every epoch."""
    for split in ("validation", "train"):
        counts = {
            _spacing(s)
            for s in run.scalars.values()
            if s.split == split and s.metric not in {"", "epoch"} and len(s) > 1
        }
        if len(counts) == 1 and (count := counts.pop()):
            return count, f"{split} was logged every {count} steps from step {count} on"
    return 0, ""


def _spacing(series: Series) -> int:
    """Return the distance between points where it is even, else 0.

    A count from 0 (781, 1563, 2345) has its first point one step early.
    """
    gaps = np.diff(series.steps)
    if not len(gaps) or (gaps != gaps[0]).any() or gaps[0] < 1:
        return 0
    gap, first = int(gaps[0]), int(series.steps[0])
    return gap if first in {gap, gap - 1} else 0
