"""A run as the Hugging Face Trainer logs it: `runs/<date>_<host>/` and `trainer_state.json`.

The event file has the clock, the state the digits: together they are read as one run.

Source: `transformers/integrations/integration_utils.py` (`rewrite_logs`),
`transformers/training_args.py` (`default_logdir`), `transformers/trainer_callback.py`
(`TrainerState`), transformers 5.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from reportgen.training._curve import Point
from reportgen.training._events import HOST, Scalar, write_events

_PREFIXES = {"train_inner": "train", "train": "train", "validation": "eval", "test": "test"}
_KNOWN = frozenset({"eval", "test", "predict"})
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def write(
    folders: Mapping[str, str], points: Sequence[Point], folder: Path, about: str
) -> tuple[Path, ...]:
    """Write the event file and the state of a run.

    The Trainer has one curve of training: what was logged inside the epochs, where there is any,
    else their means.

    Args:
        folders: Split to prefix; one that the Trainer does not have gives way to its own.
        points: The curve.
        folder: Of the run.
        about: What made the run.
    """
    prefixes = {
        split: folders[split] if folders.get(split) in _KNOWN else own
        for split, own in _PREFIXES.items()
    }
    inner = {point.metric for point in points if point.split == "train_inner"}
    kept = [point for point in points if point.split != "train" or point.metric not in inner]
    if not kept:
        return ()
    scalars = [
        Scalar(
            tag=f"{prefixes[point.split]}/{point.metric}",
            step=point.step,
            value=point.value,
            wall_time=point.wall_time,
        )
        for point in kept
    ]
    begin = datetime.fromtimestamp(min(point.wall_time for point in kept), tz=UTC)
    # The name of a month is the same in every locale: layouts know a log by it.
    name = f"{_MONTHS[begin.month - 1]}{begin:%d_%H-%M-%S}_{HOST}"
    state = folder / "trainer_state.json"
    events = write_events(folder / "runs" / name, 0, scalars, about)
    state.write_text(json.dumps(_state(kept, prefixes), indent=2) + "\n", encoding="utf-8")
    return events, state


def _state(points: Sequence[Point], prefixes: Mapping[str, str]) -> dict[str, object]:
    """Return the state: one entry of history for each step and prefix, as the Trainer's is."""
    epochs = {point.step: point.value for point in points if point.metric == "epoch"}
    entries: dict[tuple[int, int, str], dict[str, float]] = {}
    order = list(dict.fromkeys(prefixes.values()))
    for point in points:
        prefix = prefixes[point.split]
        entry = entries.setdefault((point.step, order.index(prefix), prefix), {})
        entry[point.metric if prefix == "train" else f"{prefix}_{point.metric}"] = point.value
    history = []
    for (step, _, _), values in sorted(entries.items()):
        epoch = {"epoch": epochs[step]} if step in epochs else {}
        history.append({**epoch, **dict(sorted(values.items())), "step": step})
    last = max(point.step for point in points)
    return {"epoch": epochs.get(last), "global_step": last, "log_history": history}
