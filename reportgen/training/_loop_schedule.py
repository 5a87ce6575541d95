"""What is due at an update: its examples and its learning rate."""

from __future__ import annotations

import math

import torch

from reportgen.records.training import TrainPlan


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
