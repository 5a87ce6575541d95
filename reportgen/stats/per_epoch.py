"""Mean and spread over the seeds of a group, epoch by epoch."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.languages import message, metric_later, noun_later
from reportgen.records.facts import EpochRow, Summary
from reportgen.records.quantity import Reading
from reportgen.records.run import SPLITS, Run
from reportgen.records.study import MetricPlan, StatisticsPlan
from reportgen.stats._epochs import at_epoch_ends, epochs_of_points
from reportgen.stats._readings import index_of_step, reading_at
from reportgen.stats.summarise import summarise_values

# Without epochs a metric that is logged at every update would give one row an update.
MOST_ROWS_WITHOUT_EPOCHS = 500


def summarise_epochs(
    runs: Sequence[Run],
    metric: MetricPlan,
    *,
    steps_per_epoch: int,
    statistics: StatisticsPlan,
) -> tuple[EpochRow, ...]:
    """Summarise a metric over the runs of one group at each evaluation, on every split.

    Rows stand where the selection or the reporting split was evaluated; runs are aligned
    on steps. A run without a point at a row's step does not count there, so that n falls
    where runs end early.

    Args:
        runs: The runs of one group, in order of seed.
        metric: The metric and its two splits.
        steps_per_epoch: Turns steps into epochs where the runs log no epochs themselves; 0
            then leaves `epoch` at 0.0 in every row.
        statistics: ddof and confidence.

    Shape:
        One row an epoch where most evaluations close one, else one an evaluation. None
        for more than 500 evaluations without a known length of the epoch.

    Units:
        Percent becomes a fraction.

    Missing:
        A split that no run logged is absent from `splits`. NaN and infinite points do not
        count in n.

    Source:
        `summarise_values`.

    Example:
        >>> import numpy as np
        >>> def run(seed, values):
        ...     series = Series(tag="accuracy", metric="accuracy", split="test", unit="percent",
        ...                     steps=np.array([225, 450][:len(values)]),
        ...                     values=np.array(values), wall_times=np.zeros(len(values)))
        ...     return Run(id=f"g/{seed}", group="g", seed=seed, layout="", scalars={"t": series})
        >>> from reportgen.records.run import Series
        >>> rows = summarise_epochs([run(0, [50.0, 60.0]), run(1, [52.0])],
        ...     MetricPlan(name="accuracy"), steps_per_epoch=225, statistics=StatisticsPlan())
        >>> [(row.epoch, row.splits["test"].n, row.splits["test"].mean.value) for row in rows]
        [(1.0, 2, 0.51), (2.0, 1, 0.6)]
    """
    epochs = _evaluations(runs, metric, steps_per_epoch)
    if len(epochs) > MOST_ROWS_WITHOUT_EPOCHS and not any(epochs.values()):
        return ()
    rows = at_epoch_ends(sorted(epochs.items()))
    logged = [s for s in SPLITS if any(run.find(metric.name, s) is not None for run in runs)]
    return tuple(
        EpochRow(
            epoch=epoch,
            step=step,
            splits={s: _summary(runs, metric, s, step, statistics) for s in logged},
        )
        for step, epoch in rows
    )


def _evaluations(runs: Sequence[Run], metric: MetricPlan, steps_per_epoch: int) -> dict[int, float]:
    """Return each step at which a deciding split was evaluated, with its epoch (0.0 unknown)."""
    found: dict[int, float] = {}
    for run in runs:
        for split in dict.fromkeys((metric.select_on, metric.report_on)):
            series = run.find(metric.name, split)
            if series is None:
                continue
            epochs = epochs_of_points(run, series, steps_per_epoch)
            for step, epoch in zip(series.steps.tolist(), epochs, strict=True):
                found.setdefault(step, epoch if epoch is not None else 0.0)
    return found


def _summary(
    runs: Sequence[Run], metric: MetricPlan, split: str, step: int, statistics: StatisticsPlan
) -> Summary:
    what = message(
        "{metric} on {split} at step {step}",
        metric=metric_later(metric.name),
        split=noun_later(split),
        step=step,
    )
    readings: list[Reading] = []
    for run in runs:
        series = run.find(metric.name, split)
        index = None if series is None else index_of_step(series, step)
        if series is None or index is None:
            continue
        readings.append(reading_at(run, series, index, method=what))
    return summarise_values(readings, statistics, what=what)
