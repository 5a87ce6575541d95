"""Metrics by which no step was chosen: what a run logged last, and its extremes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from reportgen.languages import message, metric_later, noun_later
from reportgen.records.facts import (
    GroupResult,
    LoggedGroup,
    LoggedMetric,
    LoggedRun,
    RunResult,
    Summary,
    Unselected,
)
from reportgen.records.quantity import Missing, Quantity, Reading
from reportgen.records.run import Run, Series
from reportgen.records.study import MetricPlan, Study
from reportgen.stats._readings import called, finite_mask, never_logged, reading_at
from reportgen.stats.compare import compare_groups
from reportgen.stats.summarise import mean_of, summarise_values

SHARE_AT_THE_END = 10
"""The end of a run is one part in so many of its points."""
FEWEST_POINTS = 20
"""Points from which on a run has an end that is more than its last value."""
MOST_AT_THE_END = 100
"""Points of an end, however long the run."""
MOST_BESIDE = 6
"""Metrics that are shown unasked beside the one that decides."""

# What is said of a metric, without a split and with one.
_WORDS = {
    "last": (message("last {metric}"), message("last {metric} on {split}")),
    "at the last step": (
        message("{metric} at the last step"),
        message("{metric} on {split} at the last step"),
    ),
    "end": (message("{metric} at the end"), message("{metric} on {split} at the end")),
    "lowest": (message("smallest {metric}"), message("smallest {metric} on {split}")),
    "highest": (message("largest {metric}"), message("largest {metric} on {split}")),
    "over": (
        message("mean of {metric} over the last {n} points"),
        message("mean of {metric} on {split} over the last {n} points"),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What the names of metrics tell.

    Attributes:
        direction_of: Name to `"higher"`, `"lower"`, or empty where it does not tell.
        tells_quality: Whether a name may say how good a model is, and not how fast it learnt.
    """

    direction_of: Callable[[str], str]
    tells_quality: Callable[[str], bool]


def summarise_unselected(
    study: Study, groups: tuple[GroupResult, ...], *, names: Names
) -> Unselected | None:
    """Summarise what was logged where no run of any group has a best step.

    Of each run the value at its last step, the mean over the last tenth of its points (from 20
    points on, at most 100 of them), and its smallest and largest value. None of them was chosen
    on data that was held out, and none is a test result.

    Args:
        study: The metric with its others, and the statistics.
        groups: Results of the deciding metric.
        names: What the names of metrics tell.

    Shape:
        The metric that decides and up to six others; each with every group, and one entry a cell.

    Units:
        Percent becomes a fraction; metrics without a unit stay as logged.

    Missing:
        None where a run has a best step, and where no value of any run is finite. NaN and
        infinite values are no extremes, and count in no mean: a run that ends in one has no last
        value, and its end and its extremes all the same.

    Source:
        Machado et al. 2018, "Revisiting the Arcade Learning Environment": the mean over the last
        100 episodes, not the best of a run. Henderson et al. 2018, "Deep Reinforcement Learning
        that Matters": a maximum over an unstable training is no fair comparison.

    Example:
        >>> from reportgen.stats.groups import group_of_values
        >>> names = Names(direction_of=str, tells_quality=bool)
        >>> summarise_unselected(Study(), (group_of_values("a", {0: 0.8}),), names=names) is None
        True
    """
    cells = [cell for group in groups for cell in group.cells]
    plan = study.metric
    split = _split_of(plan, cells)
    if split is None or any(isinstance(cell.best_step, Quantity) for cell in cells):
        return None
    stated = plan.direction if "metric.direction" in study.stated else ""
    deciding = _logged(study, groups, (plan.name, split), stated or names.direction_of(plan.name))
    logged = (run for one in deciding.groups for run in one.runs if run is not None)
    if not any(isinstance(run.lowest, Quantity) for run in logged):
        return None
    shown, left = _beside(plan, split, cells, names)
    return Unselected(
        metrics=(
            deciding,
            *(_logged(study, groups, one, names.direction_of(one[0])) for one in shown),
        ),
        left=left,
        comparisons=compare_groups(study, tuple(_as_reported(one) for one in deciding.groups)),
    )


def with_last_values(
    groups: tuple[GroupResult, ...], unselected: Unselected
) -> tuple[GroupResult, ...]:
    """Return the groups with the last values of the metric that decides.

    Its split may be none of the two that the study names, and then their own are missing.
    """
    return tuple(
        replace(
            group,
            unit=one.result.unit,
            report_split=one.result.report_split,
            last=one.result.last,
            cells=tuple(
                replace(cell, last_value=other.last_value)
                for cell, other in zip(group.cells, one.result.cells, strict=True)
            ),
        )
        for group, one in zip(groups, unselected.metrics[0].groups, strict=True)
    )


def _split_of(plan: MetricPlan, cells: Sequence[RunResult]) -> str | None:
    """Return the split whose last values are reported: the study's, else one that was logged."""
    logged = {
        series.split
        for cell in cells
        if cell.run is not None and plan.name
        for series in cell.run.scalars.values()
        if series.metric == plan.name and len(series)
    }
    order = (plan.report_on, plan.select_on, "validation", "test", "train", "")
    return next((split for split in order if split in logged), None)


def _as_reported(one: LoggedGroup) -> GroupResult:
    """Return a group whose runs are compared by their last values."""
    cells = tuple(replace(cell, report_value=cell.last_value) for cell in one.result.cells)
    return replace(one.result, cells=cells, report=one.result.last)


def _beside(
    plan: MetricPlan, split: str, cells: Sequence[RunResult], names: Names
) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return (metric, split) of the metrics to show, and the names of those beyond the limit."""
    found = Counter(
        pair
        for cell in cells
        if cell.run is not None
        for pair in {(s.metric, s.split) for s in cell.run.scalars.values() if len(s)}
        if pair[0] and pair != (plan.name, split)
    )
    named = [pair for name in plan.others for pair in found if pair[0] == name]
    patterns = [one for one in plan.others if any(sign in one for sign in "*?[")]
    taken = [
        pair
        for pair in found
        if pair not in named
        and names.tells_quality(pair[0])
        and any(fnmatchcase(pair[0], pattern) for pattern in patterns)
    ]
    # Metrics whose better end is known come first: they are results for certain.
    taken.sort(key=lambda one: (not names.direction_of(one[0]), -found[one], one))
    room = max(0, MOST_BESIDE - len(named))
    left = dict.fromkeys(name for name, _ in taken[room:])
    return (*named, *taken[:room]), tuple(left)


def _logged(
    study: Study, groups: Sequence[GroupResult], of: tuple[str, str], direction: str
) -> LoggedMetric:
    name, split = of
    members = tuple(_logged_group(study, group, name, split) for group in groups)
    tags = (
        series.tag
        for group in groups
        for cell in group.cells
        if cell.run is not None and (series := cell.run.find(name, split)) is not None
    )
    return LoggedMetric(
        name=name, split=split, tags=tuple(dict.fromkeys(tags)), direction=direction, groups=members
    )


def _logged_group(study: Study, group: GroupResult, name: str, split: str) -> LoggedGroup:
    """Return a group as if nothing but the last value of this metric were known of its runs."""
    logged = tuple(_logged_run(cell.run, name, split) for cell in group.cells)
    cells = tuple(
        _with_last(cell, run, name, split) for cell, run in zip(group.cells, logged, strict=True)
    )
    nothing = summarise_values([], study.statistics)
    what = _what("last", name, split)
    result = replace(
        group,
        unit=next((s.unit for s in _series_of(group, name, split)), ""),
        report_split=split,
        cells=cells,
        report=nothing,
        select=nothing,
        last=summarise_values([c.last_value for c in cells], study.statistics, what=what),
        oracle=nothing,
        epochs=(),
        without_reruns=None,
    )
    return LoggedGroup(result=result, runs=logged, end=_end_of(study, logged, name, split))


def _series_of(group: GroupResult, name: str, split: str) -> Iterable[Series]:
    found = (cell.run.find(name, split) for cell in group.cells if cell.run is not None)
    return (series for series in found if series is not None)


def _end_of(study: Study, logged: Sequence[LoggedRun | None], name: str, split: str) -> Summary:
    what = _what("end", name, split)
    ends = [one.end for one in logged if one is not None]
    return summarise_values(ends, study.statistics, what=what)


def _with_last(cell: RunResult, logged: LoggedRun | None, name: str, split: str) -> RunResult:
    """Return a cell with the last value of a metric; nothing else of it is known."""
    none = cell.last_value if isinstance(cell.last_value, Missing) else Missing(reason="")
    if cell.run is not None:
        none = Missing(
            reason=never_logged(cell.run, name, split)
            if split
            else message(
                "{run} never logged {metric}", run=called(cell.run), metric=metric_later(name)
            )
        )
    last = none if logged is None else logged.last
    return replace(cell, last_value=last, oracle_value=none, tied_steps=())


def _logged_run(run: Run | None, name: str, split: str) -> LoggedRun | None:
    """Return what a run logged of a metric; None where it logged nothing."""
    series = run.find(name, split) if run is not None else None
    if run is None or series is None or not len(series):
        return None
    told = _what("at the last step", name, split)
    finite = finite_mask(series).nonzero()[0]
    if not len(finite):
        none = Missing(reason=_no_finite(run, series))
        return LoggedRun(last=none, end=none, lowest=none, highest=none)
    kept = series.values[finite]
    low, high = (_what(kind, name, split) for kind in ("lowest", "highest"))
    return LoggedRun(
        last=reading_at(run, series, len(series) - 1, method=told),
        end=_mean_at_the_end(run, series, [int(i) for i in finite], (name, split)),
        lowest=reading_at(run, series, int(finite[kept.argmin()]), method=low),
        highest=reading_at(run, series, int(finite[kept.argmax()]), method=high),
    )


def _no_finite(run: Run, series: Series) -> str:
    return message(
        "every value of {tag} in {run} is NaN or infinite", tag=series.tag, run=called(run)
    )


def _mean_at_the_end(
    run: Run, series: Series, finite: Sequence[int], of: tuple[str, str]
) -> Reading:
    """Return the mean over the last points of a run, or why there is none.

    The points are counted before those that are no numbers are left out: a run that ends in
    NaN has a short end, not an early one.
    """
    if len(series) < FEWEST_POINTS:
        return Missing(
            reason=message(
                "too few points of {tag} for an end, fewer than {n}, in {run}",
                run=called(run),
                n=FEWEST_POINTS,
                tag=series.tag,
            )
        )
    points = min(math.ceil(len(series) / SHARE_AT_THE_END), MOST_AT_THE_END)
    kept = [i for i in finite if i >= len(series) - points]
    if not kept:
        return Missing(
            reason=message(
                "the last {n} points of {tag} in {run} are NaN or infinite",
                n=points,
                tag=series.tag,
                run=called(run),
            )
        )
    method = _what("over", *of, n=points)
    readings = [reading_at(run, series, i, method=method) for i in kept]
    found = [one for one in readings if isinstance(one, Quantity)]
    return Quantity(
        value=mean_of([one.value for one in found]),
        unit=found[0].unit,
        method=method,
        formula=f"({' + '.join(_written(one.value) for one in found)}) / {len(found)}",
        sources=tuple(evidence for one in found for evidence in one.sources),
    )


def _written(value: float) -> str:
    return f"({value!r})" if value < 0 else repr(value)


def _what(kind: str, name: str, split: str, **places: int) -> str:
    """Return what is said of a metric, with its split where it has one."""
    without, on_split = _WORDS[kind]
    if not split:
        return message(without, metric=metric_later(name), **places)
    return message(on_split, metric=metric_later(name), split=noun_later(split), **places)
