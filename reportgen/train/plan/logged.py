"""What runs say of their own training, in the terms of `[train]`."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping

from reportgen.records.run import Run
from reportgen.records.training import TrainPlan

_RATE = ("lr", "learning_rate")
_BATCH = ("batch_size", "max_sentences", "per_device_train_batch_size")
_ACCUMULATION = ("update_freq", "gradient_accumulation_steps")
_DEVICES = ("distributed_world_size", "world_size", "n_gpu")
_EPOCHS = ("max_epoch", "num_train_epochs", "max_epochs")
_STEPS = ("max_steps", "max_update")
_WARMUP_STEPS = ("warmup_updates", "warmup_steps")
_DECAY_END = "total_num_update"
_NOT_ON_A_GPU = ("use_cpu", "no_cuda", "cpu")


def number_of(config: Mapping[str, object], keys: tuple[str, ...]) -> float | None:
    """Return the first finite number under one of the keys; a list of one number counts.

    Example:
        >>> number_of({"lr": [1e-05]}, ("lr",)), number_of({"lr": "[1e-05]"}, ("lr",))
        (1e-05, 1e-05)
        >>> number_of({"lr": True, "learning_rate": "1e-4"}, ("lr", "learning_rate"))
        0.0001
    """
    values = (_number(config.get(key)) for key in keys)
    return next((value for value in values if value is not None), None)


def _number(value: object) -> float | None:
    if isinstance(value, str) and len(value) < 40:
        try:
            value = ast.literal_eval(value.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return None
    if isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 1e18 else None


def planned_steps(run: Run, steps_per_epoch: int) -> int | None:
    """Return the updates that a run itself was started for, None where its log does not tell.

    A limit in steps goes before one in epochs. fairseq's `total_num_update` is the end of the
    schedule, not of the run, and is not looked at.
    """
    steps = number_of(run.config, _STEPS)
    if steps is not None and steps > 0:
        return math.ceil(steps)
    epochs = number_of(run.config, _EPOCHS)
    if epochs is None or epochs <= 0 or steps_per_epoch < 1:
        return None
    return math.ceil(epochs * steps_per_epoch)


def logged_device(run: Run) -> str:
    """Return `"cpu"` or `"cuda"` where a run's log tells on which it ran, else empty."""
    if any(run.config.get(key) is True for key in _NOT_ON_A_GPU):
        return "cpu"
    # fairseq logs free memory on a CUDA device only.
    return "cuda" if any(series.tag == "gb_free" for series in run.scalars.values()) else ""


def contradictions(
    run: Run, train: TrainPlan, *, steps_per_epoch: int, examples: int
) -> tuple[str, ...]:
    """Say in which settings a found run was clearly trained otherwise than `[train]` says.

    Args:
        run: A run that was found.
        train: What its group would be trained with now.
        steps_per_epoch: Its own; 0 where unknown.
        examples: Size of the training split; 0 where unknown.

    Example:
        >>> run = Run(id="a", group="a", seed=0, layout="", scalars={}, config={"lr": [1e-4]})
        >>> contradictions(run, TrainPlan(learning_rate=1e-5), steps_per_epoch=0, examples=0)
        ('logged learning rate 0.0001, [train] says 1e-05',)
    """
    batch = _batch(run.config, train.batch_size, steps_per_epoch, examples)
    pairs = (
        ("learning rate", number_of(run.config, _RATE), train.learning_rate),
        ("batch size", batch, float(train.batch_size)),
        ("epochs", _epochs(run.config, steps_per_epoch), float(train.epochs)),
    )
    notes = [
        f"logged {name} {logged:g}, [train] says {now:g}"
        for name, logged, now in pairs
        if logged is not None and not math.isclose(logged, now, rel_tol=1e-6)
    ]
    return (*notes, *_schedule(run, train, steps_per_epoch))


def _batch(
    config: Mapping[str, object], now: int, steps_per_epoch: int, examples: int
) -> float | None:
    """Return the examples of one update; None where that is not clear.

    A log names the batch of one device and seldom how many devices there were; only the
    updates that an epoch took tell.
    """
    own = number_of(config, _BATCH)
    if own is None or own < 1:
        return None
    devices = number_of(config, _DEVICES)
    size = own * (number_of(config, _ACCUMULATION) or 1) * (devices or 1)
    if steps_per_epoch and examples:
        if math.ceil(examples / now) == steps_per_epoch:
            return None
        return size if math.ceil(examples / size) == steps_per_epoch else None
    return None if devices is None and size < now and not now % size else size


def _epochs(config: Mapping[str, object], steps_per_epoch: int) -> float | None:
    """Return the epochs asked for; None where a limit in steps overrules them."""
    epochs, steps = number_of(config, _EPOCHS), number_of(config, _STEPS)
    if epochs is None or epochs <= 0:
        return None
    limited = steps is not None and steps > 0
    return None if limited and steps != math.ceil(epochs * steps_per_epoch) else epochs


def _schedule(run: Run, train: TrainPlan, steps_per_epoch: int) -> tuple[str, ...]:
    """Say where warm-up or the end of a linear schedule differ."""
    notes = []
    total = planned_steps(run, steps_per_epoch)
    ratio, steps = number_of(run.config, ("warmup_ratio",)), number_of(run.config, _WARMUP_STEPS)
    # The Hugging Face Trainer takes a share under this name as well.
    share = steps if steps is not None and 0 < steps < 1 else None if steps else ratio
    if share is not None and not math.isclose(share, train.warmup, rel_tol=1e-6):
        notes.append(f"logged warm-up share {share:g}, [train] says {train.warmup:g}")
    if steps is not None and steps >= 1 and total and abs(steps - train.warmup * total) > 1:
        notes.append(
            f"logged warm-up of {steps:g} of {total} steps, [train] says {train.warmup:g} of them"
        )
    end = number_of(run.config, (_DECAY_END,))
    falls = run.config.get("lr_scheduler") == "polynomial_decay" and train.schedule == "linear"
    if falls and end is not None and total and end > total:
        notes.append(f"logged rate falls to 0 at step {end:g}, that of [train] at its last")
    return tuple(notes)
