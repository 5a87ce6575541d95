"""Single evaluations of one run: at which steps, in which epoch, with which value."""

from __future__ import annotations

from reportgen.languages import message, noun_later
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
                metric=noun_later(metric),
                step=step,
                near=near,
            )
        )
    what = message("{metric} on {split}", metric=noun_later(metric), split=noun_later(split))
    return reading_at(run, series, index, method=method or what)


def epoch_of(run: Run, study: Study, step: int) -> Reading:
    """Return the epoch of an evaluation of the metric or, without one, of the loss."""
    plan = study.metric
    series = run.find(plan.name, plan.select_on) or run.find("loss", plan.select_on)
    epoch = None if series is None else epoch_of_step(run, series, step, study.steps_per_epoch)
    if epoch is None:
        return Missing(reason=message("the number of steps per epoch is not known"))
    method = message("epoch finished at step {step}", step=step)
    return Quantity(value=epoch, unit="epoch", method=method)
