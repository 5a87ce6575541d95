"""Single evaluations of one run: at which steps, in which epoch, with which value."""

from __future__ import annotations

from reportgen.languages import message, metric_later, noun_later
from reportgen.records.quantity import Missing, Quantity, Reading
from reportgen.records.run import Run
from reportgen.records.study import MetricPlan, Study
from reportgen.stats._epochs import epoch_of_step
from reportgen.stats._readings import (
    called,
    index_of_step,
    nearest_step,
    never_logged,
    reading_at,
)


def evaluation_steps(run: Run, metric: MetricPlan) -> tuple[int, ...]:
    """Return the steps at which a run's metric or loss was evaluated on the selection split."""
    found: set[int] = set()
    for name in (metric.name, "loss"):
        series = run.find(name, metric.select_on)
        found.update(() if series is None else (int(step) for step in series.steps))
    return tuple(sorted(found))


def reading_of(run: Run, metric: str, split: str, step: int, *, method: str = "") -> Reading:
    """Return the value of a metric at exactly this step, or why there is none.

    Args:
        run: The run.
        metric: Name of the metric.
        split: Split.
        step: Step.
        method: What the reading is, in words; empty names metric and split.
    """
    series = run.find(metric, split)
    if series is None or len(series) == 0:
        return Missing(reason=never_logged(run, metric, split))
    index = index_of_step(series, step)
    if index is None:
        near = nearest_step(series, step)
        return Missing(
            reason=message(
                "{run} logged no {split} {metric} at step {step}; the nearest logged step is "
                "{near}",
                run=called(run),
                split=noun_later(split),
                metric=metric_later(metric),
                step=step,
                near=near,
            )
        )
    what = message("{metric} on {split}", metric=metric_later(metric), split=noun_later(split))
    return reading_at(run, series, index, method=method or what)


def reading_of_weights(
    run: Run, metric: str, split: str, step: int, *, select: str, method: str
) -> Reading:
    """Return the value of a metric at a step, or at another one of the very same weights.

    Lightning's `trainer.validate` and `trainer.test` log one step behind the last one of
    `trainer.fit`. Where every metric of the selection split has the same values at both steps, to
    the bit, both are of the same weights; so is the value logged there. One metric does not tell:
    an accuracy counts no more than examples.

    Args:
        run: The run.
        metric: Name of the metric.
        split: Split.
        step: Step.
        select: Split whose values tell the weights.
        method: What the reading is, in words.
    """
    found = reading_of(run, metric, split, step, method=method)
    series = run.find(metric, split)
    if isinstance(found, Quantity) or series is None or index_of_step(series, step) is not None:
        return found
    known = _values_at(run, select, step)
    twins = [int(s) for s in series.steps if _values_at(run, select, int(s)) == known]
    if len(set(known.values())) < 2 or not twins:
        return found
    other = min(twins, key=lambda one: abs(one - step))
    told = message(
        "{what}, logged at step {step}, where every value on {select} is the same",
        what=method,
        step=other,
        select=noun_later(select),
    )
    return reading_of(run, metric, split, other, method=told)


def _values_at(run: Run, split: str, step: int) -> dict[str, float]:
    """Return the value of each metric that was measured on a split at a step, by its key."""
    return {
        key: float(series.values[index])
        for key, series in run.scalars.items()
        if series.split == split and series.metric not in {"", "epoch"}
        if (index := index_of_step(series, step)) is not None
    }


def epoch_of(run: Run, study: Study, step: int) -> Reading:
    """Return the epoch of an evaluation of the metric or, without one, of the loss."""
    plan = study.metric
    series = run.find(plan.name, plan.select_on) or run.find("loss", plan.select_on)
    epoch = None if series is None else epoch_of_step(run, series, step, study.steps_per_epoch)
    if epoch is None:
        return Missing(reason=message("the number of steps per epoch is not known"))
    method = message("epoch finished at step {step}", step=step)
    return Quantity(value=epoch, unit="epoch", method=method)
