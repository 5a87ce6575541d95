"""How far a job is: its schedule, curves, best steps, and all that a continuation must know."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from reportgen.records.job import Job
from reportgen.records.study import TrainPlan

if TYPE_CHECKING:
    from torch import Tensor

    from reportgen.train.engine.tasks import Evaluation

SPLITS = ("train_inner", "train", "validation", "test")
"""Where a point may be measured: over a few updates, over an epoch, on the two held-out splits."""


class Point(NamedTuple):
    """One logged value.

    Attributes:
        split: One of `SPLITS`.
        metric: `"loss"` (nats), `"learning_rate"`, `"epoch"`, or what the task measures (shares are
            0 to 1).
        step: Updates done.
        value: In the metric's own unit; NaN and infinities are kept, a diverged run has them.
        wall_time: Seconds since the epoch, when it was measured.
    """

    split: str
    metric: str
    step: int
    value: float
    wall_time: float


@dataclass(slots=True)
class Mean:
    """A mean that is still being taken."""

    total: float = 0.0
    count: int = 0

    def add(self, value: float, count: int) -> None:
        """Count a value `count` times."""
        self.total += value * count
        self.count += count

    def take(self) -> float:
        """Return the mean, and begin a new one."""
        mean = self.total / self.count
        self.total, self.count = 0.0, 0
        return mean


@dataclass(slots=True, kw_only=True)
class Track:
    """One member's way.

    Attributes:
        points: Its curves, in the order in which they were made.
        best_step: Updates done at the best evaluation; None before the first.
        value: The selecting metric there.
        weights: The weights there; empty when none are kept.
        diverged: Update at which the loss was not finite; None while it is.
        inner, epoch: Means of the training loss that are being taken.
    """

    points: list[Point] = field(default_factory=list)
    best_step: int | None = None
    value: float | None = None
    weights: dict[str, Tensor] = field(default_factory=dict)
    diverged: int | None = None
    inner: Mean = field(default_factory=Mean)
    epoch: Mean = field(default_factory=Mean)

    def is_better(self, value: float, job: Job) -> bool:
        """Tell whether an evaluation takes the place of the best."""
        if not math.isfinite(value):
            return False
        if self.value is None:
            return True
        if value == self.value:
            return job.ties == "last"
        return (value > self.value) == (job.direction == "higher")


@dataclass(slots=True, kw_only=True)
class Course:
    """All members' ways, after `step` updates and so many seconds in all attempts.

    A batch is computed in `chunks` parts; the notes are for a reader of the results.
    """

    tracks: list[Track]
    step: int = 0
    chunks: int = 1
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Add a note once."""
        if text not in self.notes:
            self.notes.append(text)

    def live(self) -> list[int]:
        """Return the members whose loss is finite so far."""
        return [s for s, track in enumerate(self.tracks) if track.diverged is None]

    def add_losses(self, losses: Sequence[float], examples: int) -> list[int]:
        """Count the losses of the update just done; return the members that diverged in it."""
        gone = []
        for s in self.live():
            track = self.tracks[s]
            if math.isfinite(losses[s]):
                track.inner.add(losses[s], examples)
                track.epoch.add(losses[s], examples)
            else:
                track.diverged = self.step
                gone.append(s)
        return gone

    def add_means(self, split: str, now: float, **more: float) -> None:
        """Put the mean training losses into the curves, with more of this step for all members.

        Those of `"train_inner"` are since the last such point, those of `"train"` of the epoch.
        """
        for s in self.live():
            track = self.tracks[s]
            mean = track.inner if split == "train_inner" else track.epoch
            if mean.count:
                self._add(track, split, now, loss=mean.take(), **more)

    def add_evaluations(
        self, split: str, found: Sequence[Evaluation], job: Job, now: float
    ) -> None:
        """Put what a job logs of evaluations into the curves; what is not finite is left out."""
        wanted = ("loss", job.metric, *job.metrics)
        for s in self.live():
            values = {name: found[s][name] for name in wanted}
            self._add(self.tracks[s], split, now, **values)

    def _add(self, track: Track, split: str, now: float, **values: float) -> None:
        track.points += [
            Point(split=split, metric=metric, step=self.step, value=value, wall_time=now)
            for metric, value in values.items()
            if math.isfinite(value)
        ]


def updates_per_epoch(examples: int, plan: TrainPlan) -> int:
    """Return the updates of one pass; the last may have fewer examples."""
    return math.ceil(examples / plan.batch_size)


def data_order(seed: int, epoch: int, examples: int) -> list[int]:
    """Return the order of the training examples in an epoch, counted from 0.

    It is the order that transformers' Trainer has by accelerate's seedable sampler
    (`accelerate/data_loader.py`, `SeedableRandomSampler`).

    >>> data_order(1, 0, 5)
    [0, 4, 2, 3, 1]
    """
    import torch

    generator = torch.Generator().manual_seed(seed + epoch)
    return torch.randperm(examples, generator=generator).tolist()


def learning_rate(done: int, total: int, plan: TrainPlan) -> float:
    """Return the rate of the update after `done` of `total`.

    As `get_linear_schedule_with_warmup` and `get_constant_schedule_with_warmup` of transformers
    have it: it rises from 0 at the first update.

    >>> plan = TrainPlan(learning_rate=1.0, warmup=0.2)
    >>> [learning_rate(done, 10, plan) for done in (0, 1, 2, 6, 9)]
    [0.0, 0.5, 1.0, 0.5, 0.125]
    """
    warm = math.ceil(total * plan.warmup)
    if done < warm:
        return plan.learning_rate * (done / max(1, warm))
    if plan.schedule == "constant":
        return plan.learning_rate
    return plan.learning_rate * max(0.0, (total - done) / max(1, total - warm))
