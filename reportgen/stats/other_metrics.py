"""Every other metric that was evaluated, read at the step that the deciding metric chose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial

from reportgen.languages import message, metric_later, noun_later
from reportgen.records.facts import (
    Comparison,
    GroupResult,
    OtherMetric,
    OtherMetrics,
    RunResult,
    Summary,
)
from reportgen.records.quantity import Missing, Quantity, Reading
from reportgen.records.run import Run
from reportgen.records.study import MetricPlan, Study
from reportgen.stats.compare import compare_pair
from reportgen.stats.evaluations import reading_of_weights
from reportgen.stats.summarise import summarise_values

MOST_OTHERS = 6
"""Metrics that are shown unasked; more are named, not shown."""

NO_RESULTS = frozenset({"", "epoch", "step", "learning_rate", "grad_norm"})
"""What is logged beside metrics and says nothing of how good a model is."""

BITS = "bits"
_IN_BITS = frozenset({"fairseq", "fairseq_console"})
LOSSES = frozenset({"loss", "nll_loss"})
"""Metrics that fairseq divides by ln 2."""

NO_LAST = Missing(reason="other metrics are read at the best step alone")


def summarise_others(
    study: Study,
    groups: tuple[GroupResult, ...],
    comparisons: tuple[Comparison, ...],
    *,
    direction_of: Callable[[str], str],
) -> OtherMetrics:
    """Read the metrics beside the deciding one at each run's best step, and summarise them.

    No value of them chooses anything. `study.metric.others` says which: names, or patterns as
    in `fnmatch`. A pattern takes what every run with a best step was evaluated on, at most six
    metrics; a name takes what any run logged.

    Args:
        study: The metric with its others, and the statistics.
        groups: Results of the deciding metric; their steps are taken.
        comparisons: Which groups are compared; the same are compared on every metric.
        direction_of: Name of a metric to `"higher"`, `"lower"`, or empty where it does not tell.

    Units:
        Percent becomes a fraction; fairseq's losses are in bits, others as logged.

    Missing:
        A run without the metric, or without a value of it at its best step, does not count.

    Source:
        fairseq, `criterions/*.py`, `reduce_metrics`: the sum of the losses is divided by ln 2.

    Example:
        >>> from reportgen.stats.groups import group_of_values
        >>> group = group_of_values("a", {0: 0.8})
        >>> summarise_others(Study(), (group,), (), direction_of=str).metrics
        ()
    """
    chosen, left = _chosen(study.metric, groups, direction_of)
    found = []
    for name in chosen:
        read = partial(_read_group, study, name)
        members = tuple(read(group) for group in groups)
        compared = [_compared(study, members, c) for c in comparisons]
        found.append(
            OtherMetric(
                name=name,
                direction=direction_of(name),
                groups=members,
                comparisons=tuple(compared),
            )
        )
    return OtherMetrics(metrics=tuple(found), left=left)


def _chosen(
    metric: MetricPlan, groups: Sequence[GroupResult], direction_of: Callable[[str], str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the metrics to show, and those that a pattern takes beyond the limit."""
    logged = [_evaluated(metric, group, run) for group, run in _with_best_step(groups)]
    by_all = set.intersection(*logged) if logged else set()
    by_any = set().union(*logged)
    named: list[str] = []
    taken: set[str] = set()
    for pattern in metric.others:
        if any(sign in pattern for sign in "*?["):
            taken |= {name for name in by_all if fnmatchcase(name, pattern)}
        elif pattern in by_any and pattern not in named:
            named.append(pattern)
    # Metrics whose better end is known come first: they are results for certain.
    rest = sorted(taken - set(named), key=lambda name: (not direction_of(name), name))
    room = max(0, MOST_OTHERS - len(named))
    return (*named, *rest[:room]), tuple(rest[room:])


def unlogged_others(metric: MetricPlan, groups: Sequence[GroupResult]) -> tuple[str, ...]:
    """Return the metrics that a study names and no run with a best step was evaluated on."""
    logged = set().union(*(_evaluated(metric, g, run) for g, run in _with_best_step(groups)))
    names = [one for one in metric.others if not any(sign in one for sign in "*?[")]
    return tuple(dict.fromkeys(name for name in names if name not in logged))


def _with_best_step(groups: Sequence[GroupResult]) -> Iterator[tuple[GroupResult, Run]]:
    for group in groups:
        for cell in group.cells:
            if cell.run is not None and isinstance(cell.best_step, Quantity):
                yield group, cell.run


def _evaluated(metric: MetricPlan, group: GroupResult, run: Run) -> set[str]:
    """Return the other metrics that a run logged on a split that chooses or is reported."""
    splits = {metric.select_on, group.report_split}
    found = {s.metric for s in run.scalars.values() if s.split in splits and len(s)}
    return found - NO_RESULTS - {metric.name}


def _read_group(study: Study, name: str, group: GroupResult) -> GroupResult:
    """Return a group as if the other metric were reported at the very same steps."""
    select = study.metric.select_on
    logged = {
        series.split
        for cell in group.cells
        if cell.run is not None
        for series in cell.run.scalars.values()
        if series.metric == name and len(series)
    }
    split = group.report_split
    if split not in logged and select in logged:
        split = select
    cells = tuple(_read_cell(cell, name, select, split) for cell in group.cells)
    nothing = summarise_values([], study.statistics, what=metric_later(name))

    def over(readings: list[Reading], what: str) -> Summary:
        return summarise_values(readings, study.statistics, what=what)

    return replace(
        group,
        unit=next((_unit(c.run, name, split) for c in cells if c.run is not None), ""),
        report_split=split,
        cells=cells,
        report=over([c.report_value for c in cells], _at_best(name, split)),
        select=over([c.select_value for c in cells], _at_best(name, select)),
        last=nothing,
        oracle=nothing,
        epochs=(),
        without_reruns=None,
    )


def _at_best(name: str, split: str) -> str:
    return message(
        "{metric} on {split} at the best step", metric=metric_later(name), split=noun_later(split)
    )


def _unit(run: Run, name: str, split: str) -> str:
    series = run.find(name, split)
    return "" if series is None else series.unit


def _read_cell(cell: RunResult, name: str, select: str, split: str) -> RunResult:
    if cell.run is None or isinstance(cell.best_step, Missing):
        why = cell.best_step if isinstance(cell.best_step, Missing) else NO_LAST
        return replace(
            cell, select_value=why, report_value=why, last_value=NO_LAST, oracle_value=NO_LAST
        )
    step = int(cell.best_step.value)
    chosen, reported = (_reading(cell.run, name, one, step, select) for one in (select, split))
    return replace(
        cell,
        select_value=chosen,
        report_value=reported,
        last_value=NO_LAST,
        oracle_value=NO_LAST,
    )


def _reading(run: Run, name: str, split: str, step: int, select: str) -> Reading:
    method = _at_best(name, split)
    reading = reading_of_weights(run, name, split, step, select=select, method=method)
    if isinstance(reading, Quantity) and run.layout in _IN_BITS and name in LOSSES:
        return replace(reading, unit=BITS)
    return reading


def _compared(study: Study, groups: tuple[GroupResult, ...], like: Comparison) -> Comparison:
    by_name = {group.name: group for group in groups}
    pair = by_name[like.first], by_name[like.second]
    return compare_pair(*pair, confidence=study.statistics.confidence)
