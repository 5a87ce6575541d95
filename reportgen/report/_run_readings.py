"""What runs tell of themselves beside their curves: settings, lengths, learning rates, times."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from reportgen.languages import message, tell
from reportgen.records.facts import EpochRow, Facts, GroupResult, RunResult
from reportgen.records.quantity import Evidence, Quantity
from reportgen.records.record import record
from reportgen.records.run import Run, Series, decimal_float
from reportgen.records.study import MetricPlan
from reportgen.report.numbers import of_last_step, of_point, of_series
from reportgen.report.phrases import grouped, in_words, lists_of
from reportgen.stats import finite_mask

EPOCHS, UPDATES = (lists_of("settings")[name] for name in ("Epochs", "Total updates"))
_RATES = ("lr", "learning_rate")
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


def path_of(run: Run) -> str:
    """Return the first file that a run was read from."""
    return next((source.path for source in run.sources), run.id)


def setting(run: Run, *keys: str) -> Quantity | None:
    """Return the first positive number under some keys of a run's settings."""
    for key, value in _stated(run, keys):
        if not isinstance(value, bool) and isinstance(value, int | float) and value > 0:
            source = Evidence(path=path_of(run), tag=key, value=value, run=run.id)
            return made(value, message("setting of the run"), (source,))
    return None


def _stated(run: Run, keys: Sequence[str]) -> Iterator[tuple[str, object]]:
    """Yield keys with what a run states under them; a list of one value is that value."""
    named = settings_of(run.config)
    for key in keys:
        value = named.get(key)
        yield key, value[0] if isinstance(value, list | tuple) and len(value) == 1 else value


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
    """Return settings by the last part of their keys, without those of −1: none is set.

    Example:
        >>> settings_of({"o.lr": 1e-5, "warmup_steps": 0.06, "max_steps": -1})
        {'lr': 1e-05, 'warmup_ratio': 0.06}
    """
    keys = {
        str(key).strip("-").replace("-", "_").rpartition(".")[2]: value
        for key, value in config.items()
        if value not in (-1, "-1")
    }
    steps = keys.get("warmup_steps")
    # Under this name the Hugging Face Trainer takes a share of the steps as well.
    if isinstance(steps, float) and 0 < steps < 1:
        del keys["warmup_steps"]
        keys["warmup_ratio"] = keys.get("warmup_ratio") or steps
    return keys


def _first(run: Run, keys: Sequence[str]) -> str:
    for _, value in _stated(run, keys):
        if isinstance(value, bool) or value in (None, 0, "0", ""):
            continue
        if isinstance(value, float):
            return re.sub(r"e([-+])0*", r"e\1", f"{value:g}")
        if isinstance(value, int | str) and 0 < len(str(value)) <= _LONGEST:
            return str(value).strip("[]")
    return ""


def length_of(run: Run) -> tuple[Quantity, Quantity] | None:
    """Return the updates, else the epochs, that a run was planned for, and those it made."""
    points = of_last_step(run)
    updates = setting(run, *UPDATES) if count_updates([run]) else None
    if updates is not None and points and points[0].step is not None:
        return updates, made(points[0].step, message("last logged step"), points, "step")
    epochs = setting(run, *EPOCHS)
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
    if asked is not None and top.value <= asked.value < 2 * top.value:
        top = asked
    return (end, top) if 0 < end.value < top.value else None


def _rate_at(run: Run, series: Series, at: int) -> Quantity:
    points = of_point(run, series, int(series.steps[at]))
    return made(decimal_float(series.values[at]), message("learning rate"), points)


PAUSE = 10
"""So many times all other seconds between points: nothing was trained in such a gap."""


def seconds_of(run: Run) -> Quantity | None:
    """Return the seconds that a run took: as it logged them, else between its ends.

    None where its points have no times.
    """
    elapsed = run.elapsed()
    if elapsed is not None:
        points = of_point(run, elapsed, int(elapsed.steps[-1]))
        words = message("seconds as the run logged them")
        return made(decimal_float(elapsed.values[-1]), words, points, "seconds")
    longest = max(run.scalars.values(), key=len, default=None)
    if longest is None or len(longest) < 2:
        return None
    times = longest.wall_times.astype(float)
    steps = times[1:] - times[:-1]
    words, span = message("seconds between the first and the last point"), float(steps.sum())
    while len(steps) > 2 and steps.max() > PAUSE * (span - steps.max()):
        steps = steps[steps < steps.max()]
        span = float(steps.sum())
        words = message("seconds between the first and the last point, without pauses")
    return made(span, words, (of_series(run, longest),), "seconds") if span > 0 else None


@record(kw_only=False)
class Lost:
    """A curve that ends in NaN or infinite values, and its first step from which on it does."""

    series: Series
    step: int


def lost_curve(run: Run, metric: MetricPlan) -> Lost | None:
    """Return the first of a run's curves that is lost: the metric, else a loss."""
    places = ((metric.name, metric.select_on), ("loss", metric.select_on), ("loss", "train"))
    for series in (run.find(*place) for place in places):
        finite = finite_mask(series) if series is not None and len(series) else None
        if series is not None and finite is not None and finite.any() and not finite[-1]:
            return Lost(series, int(series.steps[finite.nonzero()[0][-1] + 1]))
    return None


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


# --- what steps count -----------------------------------------------------------------


_OF_UPDATES = frozenset({"fairseq", "fairseq_console", "hf_trainer"})
"""Layouts of programs that log every value at the number of updates."""

_OF_LIGHTNING = re.compile(r"(?:^|/)version_\d+/")
"""Folders of Lightning's loggers, which log at `global_step`; a `metrics.csv` may be anyone's."""


def count_updates(runs: Iterable[Run]) -> bool:
    """Return whether the steps of all these runs are updates by an optimizer, for certain.

    What wrote other logs may count steps of an environment, epochs, batches or examples.

    Example:
        >>> a, b = (
        ...     Run(id=layout, group="a", seed=None, layout=layout, scalars={})
        ...     for layout in ("fairseq", "plain")
        ... )
        >>> count_updates([a]), count_updates([a, b])
        (True, False)
    """
    return all(_counts_updates(run) for run in runs)


def _counts_updates(run: Run) -> bool:
    if run.layout == "lightning":
        return any(_OF_LIGHTNING.search(source.path) for source in run.sources)
    return run.layout in _OF_UPDATES


# --- how often runs were judged -------------------------------------------------------


def judged_once(facts: Facts, groups: Sequence[GroupResult]) -> bool:
    """Return whether what could be chosen from was evaluated once a run: nothing was chosen."""
    select, runs = facts.study.metric.select_on, _reported(groups)
    chose = not facts.selection.is_last and any(_points(facts, c.run, select) for _, c in runs)
    splits = [(select if chose else g.report_split, c) for g, c in runs]
    once = all(
        _points(facts, c.run, split) == 1 or (c.report_from == "result" and not chose)
        for split, c in splits
    )
    return bool(runs) and once and not any(split == "train" for split, _ in splits)


def once_after(facts: Facts, groups: Sequence[GroupResult]) -> bool:
    """Return whether what is reported was measured once a run, when its training was over."""
    select, name = facts.study.metric.select_on, facts.study.metric.name
    runs = [(g.report_split, c, c.run) for g, c in _reported(groups) if c.run is not None]
    return bool(runs) and all(
        cell.report_from == "result"
        or (
            split != select
            and _points(facts, run, split) == 1
            and _points(facts, run, select) > 1
            and (last_step(run, name, split) or 0) >= (last_step(run, name, select) or 0)
        )
        for split, cell, run in runs
    )


def _reported(groups: Sequence[GroupResult]) -> list[tuple[GroupResult, RunResult]]:
    return [
        (group, cell)
        for group in groups
        for cell in group.cells
        if isinstance(cell.report_value, Quantity)
    ]


def _points(facts: Facts, run: Run | None, split: str) -> int:
    series = run.find(facts.study.metric.name, split) if run is not None else None
    return int(finite_mask(series).sum()) if series is not None else 0


# --- evaluations in words -------------------------------------------------------------


MOST_NAMED = 6


def is_epoch(row: EpochRow) -> bool:
    """Return whether a row stands at the end of a known epoch."""
    return row.epoch > 0 and float(row.epoch).is_integer()


def moment(row: EpochRow) -> str:
    """Return the name of a row: its epoch where that is whole, else its step."""
    if is_epoch(row) or (row.steps and row.epoch):
        return tell("epoch {epoch}", epoch=f"{row.epoch:g}")
    return tell("step {step}", step=grouped(row.step))


def each_of(rows: Sequence[EpochRow]) -> str:
    """Return how many epochs, or evaluations, some rows are."""
    count = in_words(len(rows))
    if all(is_epoch(row) for row in rows):
        return tell("{count} epochs", count=count)
    return tell("{count} evaluations", count=count)


def last_step(run: Run, metric: str, split: str) -> int | None:
    """Return the last step at which a metric was evaluated on a split."""
    series = run.find(metric, split)
    return int(series.steps[-1]) if series is not None and len(series) else None
