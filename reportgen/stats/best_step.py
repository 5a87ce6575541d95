"""Selection: the best step on one split, and the value of another split at that step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.languages import message, metric_later, noun_later
from reportgen.records.facts import RunResult
from reportgen.records.quantity import Evidence, Missing, Quantity, Reading
from reportgen.records.run import Run, Series, decimal_float
from reportgen.records.study import MetricPlan
from reportgen.stats._epochs import epoch_of_step
from reportgen.stats._readings import (
    count_not_finite,
    finite_mask,
    never_finite,
    never_logged,
    reading_at,
)
from reportgen.stats.evaluations import reading_of_weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TIES = {
    "first": message("{step}, the first of {n} equal ones"),
    "last": message("{step}, the last of {n} equal ones"),
}


def select_best_step(
    run: Run, metric: MetricPlan, *, report_split: str = "", steps_per_epoch: int = 0
) -> RunResult:
    """Choose a run's best step on `metric.select_on` and read the report split there.

    The largest value wins (the smallest where the metric's direction is `"lower"`); of
    equal ones the first or the last, as `metric.ties` says. NaN and infinite values never
    win; how many were left out stands in the method of `best_step`.

    Args:
        run: The run.
        metric: What decides, where it is selected, how ties are broken.
        report_split: Split whose value is reported; empty takes `metric.report_on`.
        steps_per_epoch: Turns the step into an epoch where the run logs no epochs itself;
            0 then leaves the epoch missing.

    Units:
        Values in percent become fractions; metrics without a unit stay as logged.

    Missing:
        A split that was never logged; a report split without a point at the chosen step, or
        at another one of the same weights (the nearest logged step is named); a selection split
        with no finite value.

    Source:
        Dodge et al. 2019, "Show Your Work", section 3: the test value belongs to the
        checkpoint that validation chose. fairseq keeps the later of equal checkpoints
        (`--maximize-best-checkpoint-metric`, comparison by `>=`): `ties="last"`.

    Example:
        >>> import numpy as np
        >>> def series(split, values):
        ...     return Series(tag="accuracy", metric="accuracy", split=split, unit="percent",
        ...                   steps=np.array([10, 20]), values=np.array(values),
        ...                   wall_times=np.zeros(2))
        >>> run = Run(id="r", group="g", seed=0, layout="fairseq", scalars={
        ...     "valid": series("validation", [81.5, 80.0]), "test": series("test", [79.9, 82.0])})
        >>> result = select_best_step(run, MetricPlan(name="accuracy", direction="higher"))
        >>> result.best_step.value, result.report_value.value, result.oracle_value.value
        (10, 0.799, 0.82)
    """
    split = report_split or metric.report_on
    select = run.find(metric.name, metric.select_on)
    report = run.find(metric.name, split)
    last = _last_value(run, report, metric, split)
    oracle = _oracle_value(run, report, metric, split)
    chosen = _choose(run, select, metric)
    if isinstance(chosen, Missing) or select is None:
        never = Missing(reason=never_logged(run, metric.name, metric.select_on))
        why = chosen if isinstance(chosen, Missing) else never
        return RunResult(
            group=run.group,
            seed=run.seed,
            run=run,
            best_step=why,
            best_epoch=why,
            select_value=why,
            report_value=why,
            last_value=last,
            oracle_value=oracle,
        )
    index, tied = chosen
    method = message("{metric} on {split} at its best step", **_named(metric))
    step = _step_quantity(run, select, index, tied, metric)
    return RunResult(
        group=run.group,
        seed=run.seed,
        run=run,
        best_step=step,
        best_epoch=_epoch_quantity(run, step, select, steps_per_epoch),
        select_value=reading_at(run, select, index, method=method),
        report_value=_reported(run, int(step.value), metric, split),
        last_value=last,
        oracle_value=oracle,
        tied_steps=tied,
    )


def missing_cell(group: str, label: str, seed: int | None, cause: str = "") -> RunResult:
    """Return the result of a declared cell that has no run: every value says so.

    Args:
        group: Name of the group.
        label: What the report calls it.
        seed: The declared seed.
        cause: What is wrong in the place where the run should lie, where that is known.

    Example:
        >>> missing_cell("random", "random", 2).report_value.reason
        'no logs found for random, seed 2'
    """
    reason = (
        message(
            "no logs found for {group}, seed {seed}: {cause}",
            group=label,
            seed=str(seed),
            cause=cause,
        )
        if cause
        else message("no logs found for {group}, seed {seed}", group=label, seed=str(seed))
    )
    why = Missing(reason=reason)
    return RunResult(
        group=group,
        seed=seed,
        run=None,
        best_step=why,
        best_epoch=why,
        select_value=why,
        report_value=why,
        last_value=why,
        oracle_value=why,
    )


def _extreme(series: Series, metric: MetricPlan) -> NDArray[np.intp] | None:
    """Return the positions of the best finite value, in order; None where there is none."""
    finite = finite_mask(series)
    if not finite.any():
        return None
    kept = series.values[finite]
    best = kept.min() if metric.direction == "lower" else kept.max()
    positions: NDArray[np.intp] = ((series.values == best) & finite).nonzero()[0]
    return positions


def _choose(
    run: Run, series: Series | None, metric: MetricPlan
) -> tuple[int, tuple[int, ...]] | Missing:
    """Return the position of the chosen point and every tied step."""
    if series is None or len(series) == 0:
        return Missing(reason=never_logged(run, metric.name, metric.select_on))
    best = _extreme(series, metric)
    if best is None:
        return Missing(reason=never_finite(run, metric.name, metric.select_on))
    index = int(best[-1] if metric.ties == "last" else best[0])
    return index, tuple(int(series.steps[i]) for i in best)


def _named(metric: MetricPlan) -> dict[str, str]:
    return {"metric": metric_later(metric.name), "split": noun_later(metric.select_on)}


def _step_quantity(
    run: Run, series: Series, index: int, tied: tuple[int, ...], metric: MetricPlan
) -> Quantity:
    step = int(series.steps[index])
    pattern = (
        message("step with the smallest {metric} on {split}")
        if metric.direction == "lower"
        else message("step with the largest {metric} on {split}")
    )
    method = message(pattern, **_named(metric))
    if len(tied) > 1:
        method = message(_TIES[metric.ties], step=method, n=len(tied))
    left_out = count_not_finite(series)
    if left_out:
        method = message("{step}; {n} NaN or infinite values left out", step=method, n=left_out)
    raw = decimal_float(series.values[index])
    evidence = Evidence(path=series.path, tag=series.tag, step=step, value=raw, run=run.id)
    return Quantity(value=step, unit="step", method=method, sources=(evidence,))


def _epoch_quantity(run: Run, step: Quantity, series: Series, steps_per_epoch: int) -> Reading:
    epoch = epoch_of_step(run, series, int(step.value), steps_per_epoch)
    if epoch is None:
        return Missing(reason=message("the number of steps per epoch is not known"))
    return Quantity(
        value=epoch,
        unit="epoch",
        method=message("epoch of the {step}", step=step.method),
        sources=step.sources,
    )


def _reported(run: Run, step: int, metric: MetricPlan, split: str) -> Reading:
    method = message(
        "{metric} on {split} at the best step on {select}",
        metric=metric_later(metric.name),
        split=noun_later(split),
        select=noun_later(metric.select_on),
    )
    return reading_of_weights(run, metric.name, split, step, select=metric.select_on, method=method)


def _last_value(run: Run, series: Series | None, metric: MetricPlan, split: str) -> Reading:
    if series is None or len(series) == 0:
        return Missing(reason=never_logged(run, metric.name, split))
    name = metric_later(metric.name)
    method = message("{metric} on {split} at the last step", metric=name, split=noun_later(split))
    return reading_at(run, series, len(series) - 1, method=method)


def _oracle_value(run: Run, series: Series | None, metric: MetricPlan, split: str) -> Reading:
    if series is None or len(series) == 0:
        return Missing(reason=never_logged(run, metric.name, split))
    best = _extreme(series, metric)
    if best is None:
        return Missing(reason=never_finite(run, metric.name, split))
    method = message(
        "best {metric} on {split} itself: an oracle, not a result",
        metric=metric_later(metric.name),
        split=noun_later(split),
    )
    return reading_at(run, series, int(best[0]), method=method)


def count_left_out(run: Run, metric: MetricPlan) -> int:
    """Return how many NaN or infinite values of the selection split took no part."""
    series = run.find(metric.name, metric.select_on)
    return count_not_finite(series) if series is not None else 0
