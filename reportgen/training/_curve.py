"""What a fine-tune logs: points of its curve, in units that no layout has a say in."""

from __future__ import annotations

from dataclasses import dataclass

SPLITS = ("train_inner", "train", "validation", "test")
"""Where a point may be measured: over a few updates, over an epoch, on the two held-out splits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One logged value.

    Attributes:
        split: One of `SPLITS`.
        metric: `"loss"` (nats), `"accuracy"` (0 to 1), `"learning_rate"`, `"grad_norm"`, `"epoch"`.
        step: Updates done.
        value: In the metric's own unit; NaN and infinities are kept, a diverged run has them.
        wall_time: Seconds since the epoch, when it was measured.
    """

    split: str
    metric: str
    step: int
    value: float
    wall_time: float
