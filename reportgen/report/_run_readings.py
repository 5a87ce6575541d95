"""What runs tell of themselves beside their curves: settings, lengths, learning rates, times."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from reportgen.languages import message
from reportgen.records.facts import Facts, GroupResult, RunResult
from reportgen.records.quantity import Evidence, Quantity
from reportgen.records.run import Run, Series, decimal_float
from reportgen.report._clock import count_updates
from reportgen.report._evidence import of_last_step, of_point, of_series
from reportgen.stats import finite_mask

_UPDATES = ("total_num_update", "max_update", "max_steps")
_EPOCHS = ("max_epoch", "num_train_epochs", "max_epochs", "epochs")
_RATES = ("lr", "learning_rate")
_CLOCKS = frozenset({"wall", "train_runtime", "TimeSinceStart"})
_LONGEST = 32
_CLASSES = ("num_classes", "num_labels", "n_classes")
_OF_EQUAL_CLASSES = frozenset({"accuracy", "top1", "balanced_accuracy"})


def runs_of(group: GroupResult) -> Iterable[tuple[RunResult, Run]]:
    """Yield the cells of a group that have a run."""
    for cell in group.cells:
        if cell.run is not None:
            yield cell, cell.run


def made(
    value: float, words: str, sources: Iterable[Evidence], unit: str = "", formula: str = ""
) -> Quantity:
    """Return a number that was read or computed here.

    Args:
        value: The number.
        words: A marked message that says what it is.
        sources: What it rests on.
        unit: As that of a quantity.
        formula: The computation written out.
    """
    return Quantity(value=value, unit=unit, method=words, formula=formula, sources=tuple(sources))


def setting(run: Run, *keys: str) -> Quantity | None:
    """Return the first positive number under some keys of a run's settings."""
    path = next((source.path for source in run.sources), run.id)
    for key in keys:
        value = run.config.get(key)
        if isinstance(value, list | tuple) and len(value) == 1:
            value = value[0]
        if not isinstance(value, bool) and isinstance(value, int | float) and value > 0:
            source = Evidence(path=path, tag=key, value=value, run=run.id)
            return made(value, message("setting of the run"), (source,))
    return None


def shared_setting(runs: Sequence[Run], keys: Sequence[str]) -> str:
    """Return a setting that all runs share under one of some keys; empty where they do not.

    A key may stand below others (`optimizer.lr`); its last part counts.

    Example:
        >>> run = Run(id="a", group="a", seed=0, layout="x", scalars={}, config={"o.lr": 1e-5})
        >>> shared_setting([run], ("lr",))
        '1e-5'
    """
    found = {_first(run, keys) for run in runs}
    return found.pop() if len(found) == 1 else ""


def settings_of(config: Mapping[str, object]) -> dict[str, object]:
    """Return settings by the last part of their keys.

    Example:
        >>> settings_of({"o.lr": 1e-5, "warmup_steps": 0.06})
        {'lr': 1e-05, 'warmup_ratio': 0.06}
    """
    keys = {
        str(key).strip("-").replace("-", "_").rpartition(".")[2]: value
        for key, value in config.items()
    }
    steps = keys.get("warmup_steps")
    # Under this name the Hugging Face Trainer takes a share of the steps as well.
    if isinstance(steps, float) and 0 < steps < 1:
        del keys["warmup_steps"]
        keys["warmup_ratio"] = keys.get("warmup_ratio") or steps
    return keys


def _first(run: Run, keys: Sequence[str]) -> str:
    named = settings_of(run.config)
    for key in keys:
        value = named.get(key)
        if isinstance(value, list | tuple) and len(value) == 1:
            value = value[0]
        if isinstance(value, bool) or value is None:
            continue
        if value in (0, "0", ""):
            continue
        if isinstance(value, float):
            return re.sub(r"e([-+])0*", r"e\1", f"{value:g}")
        if isinstance(value, int | str) and 0 < len(str(value)) <= _LONGEST:
            return str(value).strip("[]")
    return ""


def length_of(run: Run) -> tuple[Quantity, Quantity] | None:
    """Return the updates, else the epochs, that a run was planned for, and those it made."""
    points = of_last_step(run)
    updates = setting(run, *_UPDATES)
    if updates is not None and points and points[0].step is not None:
        steps = made(points[0].step, message("last logged step"), points, "step")
        return (updates, steps) if count_updates([run]) else None
    epochs = setting(run, *_EPOCHS)
    if epochs is None or run.clock is None or not len(run.clock.epochs):
        return None
    last = float(run.clock.epochs[-1])
    return epochs, made(last, message("last logged epoch"), points, "epoch")


def rates_of(run: Run) -> tuple[Quantity, Quantity] | None:
    """Return the last learning rate and the highest; None where it did not come down at all."""
    series = run.find("learning_rate", "train") or run.find("learning_rate", "")
    if series is None or len(series) < 2 or not finite_mask(series).all():
        return None
    end, top = (_rate_at(run, series, at) for at in (-1, int(series.values.argmax())))
    asked = setting(run, *_RATES)
    # A log that begins in the warm-up, or writes seldom, misses the peak by little.
    if asked is not None and top.value < asked.value < 2 * top.value:
        top = asked
    return (end, top) if 0 < end.value < top.value else None


def _rate_at(run: Run, series: Series, at: int) -> Quantity:
    points = of_point(run, series, int(series.steps[at]))
    return made(decimal_float(series.values[at]), message("learning rate"), points)


def seconds_of(run: Run) -> Quantity | None:
    """Return the seconds that a run took: as it logged them, else between its ends.

    None where its points have no times.
    """
    for series in run.scalars.values():
        if series.tag.rpartition("/")[2] in _CLOCKS and len(series):
            points = of_point(run, series, int(series.steps[-1]))
            words = message("seconds as the run logged them")
            return made(decimal_float(series.values[-1]), words, points, "seconds")
    longest = max(run.scalars.values(), key=len, default=None)
    if longest is None or len(longest) < 2:
        return None
    span = float(longest.wall_times[-1] - longest.wall_times[0])
    words = message("seconds between the first and the last point")
    return made(span, words, (of_series(run, longest),), "seconds") if span > 0 else None


def chance_of(facts: Facts, group: GroupResult) -> Quantity | None:
    """Return what guessing reaches: as the study says, else one over the number of classes."""
    metric = facts.study.metric
    if metric.chance is not None:
        # Of a share both 0.5 and 50 are one half, whichever the logs write.
        percent = group.unit in {"percent", "fraction"} and metric.chance > 1
        value = metric.chance / 100 if percent else metric.chance
        cited = facts.study.cite("metric.chance", metric.chance)
        return made(value, message("chance"), (cited,))
    found = [setting(run, *_CLASSES) for _, run in runs_of(group)]
    first = next(iter(found), None)
    if metric.name not in _OF_EQUAL_CLASSES or first is None:
        return None
    if any(one is None or one.value != first.value for one in found):
        return None
    words, formula = message("one over the number of classes"), f"1 / {first.value!r}"
    return made(1 / first.value, words, first.sources, "fraction", formula)
