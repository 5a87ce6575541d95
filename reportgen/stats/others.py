"""Every other metric that was logged, read at the steps that the deciding one chose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from reportgen.records.facts import (
    Comparison,
    GroupResult,
    OtherMetric,
    OtherMetrics,
    RunResult,
    Selection,
    Task,
)
from reportgen.records.quantity import Missing, Quantity, Reading
from reportgen.records.record import replace
from reportgen.records.run import Run
from reportgen.records.study import MetricPlan, Study
from reportgen.stats._readings import told
from reportgen.stats.compare import compare_pair
from reportgen.stats.groups import group_of_cells, logged_unit
from reportgen.stats.selection import (
    Names,
    measured_after,
    reading_of_weights,
    reported,
    select_step,
)

MAX_OTHERS = 6
"""Metrics that are shown unasked; more are named, not shown."""

NO_RESULTS = frozenset({"", "epoch", "step", "learning_rate", "grad_norm"})
"""What is logged beside metrics and says nothing of how good a model is."""

BITS = "bits"
_IN_BITS = frozenset({"fairseq", "fairseq_console"})
_LOSSES = frozenset({"loss", "nll_loss"})
"""Metrics that fairseq divides by ln 2."""

_TESTED = "test"
NO_LAST = Missing(reason=told("others_at_best_alone"))

_Pair = tuple[str, str]
"""A metric, and its split where one cannot be taken from the group."""


def summarise_others(
    study: Study,
    groups: tuple[GroupResult, ...],
    comparisons: tuple[Comparison, ...],
    *,
    names: Names,
    selection: Selection | None = None,
) -> OtherMetrics:
    """Read the metrics beside the deciding one at each run's chosen step, and summarise them.

    No value of them chooses anything. `study.metric.others` says which: names, or patterns as
    in `fnmatch`. A name takes what any run logged. A pattern takes, at most six metrics: what
    every run of a task, with a best step, was evaluated on or, where last values are reported,
    each metric and split whose name may tell of quality. The same groups are compared on every
    metric.

    Units:
        Percent becomes a fraction; fairseq's losses are in bits, others as logged.

    Missing:
        A run without the metric, or without a value of it at its step, does not count.

    Source:
        fairseq, `criterions/*.py`, `reduce_metrics`: the sum of the losses is divided by ln 2.
    """
    last = selection if selection is not None and selection.is_last else None
    chosen, left = _chosen(study.metric, groups, names, last)
    if last is None:
        chosen = tuple(
            (name, split) for name, _ in chosen for split in _splits(study.metric, name, groups)
        )
    confidence = study.statistics.confidence
    found = []
    for name, split in chosen:
        direction = names.direction_of(name)
        members = {
            group.name: _read_last(study, name, split, group, direction)
            if last
            else _read_best(study, name, split, group)
            for group in groups
        }
        compared = tuple(
            compare_pair(members[one.first], members[one.second], confidence=confidence)
            for one in comparisons
        )
        found.append(
            OtherMetric(
                name=name,
                direction=direction,
                groups=tuple(members.values()),
                comparisons=compared,
            )
        )
    return OtherMetrics(metrics=tuple(found), left=left)


# --- which metrics ------------------------------------------------------------------------


def _chosen(
    metric: MetricPlan, groups: Sequence[GroupResult], names: Names, last: Selection | None
) -> tuple[tuple[_Pair, ...], tuple[str, ...]]:
    """Return the metrics to show, and the names of those that a pattern takes beyond the limit."""
    tasks: dict[Task, list[set[_Pair]]] = {}
    if last is None:
        for group, run in _with_best_step(groups):
            task = Task() if group.task.is_part else group.task
            tasks.setdefault(task, []).append(_evaluated(metric, group, run))
    logged = (
        [pairs for several in tasks.values() for pairs in several]
        if last is None
        else [_logged(cell.run) - {(metric.name, last.split)} for cell in _found(groups)]
    )
    shared = {pair for several in tasks.values() for pair in set.intersection(*several)}
    count = Counter(pair for pairs in logged for pair in pairs)
    named: list[_Pair] = []
    taken: set[_Pair] = set()
    for pattern in metric.others:
        if any(sign in pattern for sign in "*?["):
            able = count if last else shared
            taken |= {p for p in able if fnmatchcase(p[0], pattern)}
        else:
            named += [p for p in sorted(count) if p[0] == pattern and p not in named]
    if last is not None:
        taken = {pair for pair in taken if names.tells_quality(pair[0])}
    # Metrics whose better end is known come first: they are results for certain.
    order = {p: (not names.direction_of(p[0]), -count[p], p) for p in taken - set(named)}
    rest = sorted(order, key=order.__getitem__)
    room = max(0, MAX_OTHERS - len(named))
    return (*named, *rest[:room]), tuple(dict.fromkeys(name for name, _ in rest[room:]))


def _found(groups: Sequence[GroupResult]) -> Iterator[RunResult]:
    return (cell for group in groups for cell in group.cells if cell.run is not None)


def _with_best_step(groups: Sequence[GroupResult]) -> Iterator[tuple[GroupResult, Run]]:
    for group in groups:
        for cell in group.cells:
            if cell.run is not None and isinstance(cell.best_step, Quantity):
                yield group, cell.run


def _logged(run: Run | None) -> set[_Pair]:
    """Return each metric that a run logged, or measured after training, with its split."""
    if run is None:
        return set()
    found = {(s.metric, s.split) for s in run.scalars.values() if len(s) and s.metric}
    return found | {(one.metric, one.split) for one in run.results if one.metric}


def _evaluated(metric: MetricPlan, group: GroupResult, run: Run) -> set[_Pair]:
    """Return the other metrics that a run logged on a split that chooses or is reported."""
    splits = {metric.select_on, group.report_split, _TESTED}
    found = {name for name, split in _logged(run) if split in splits}
    return {(name, "") for name in found - NO_RESULTS - {metric.name}}


# --- read at the chosen step --------------------------------------------------------------


def _read_last(
    study: Study, name: str, split: str, group: GroupResult, direction: str
) -> GroupResult:
    """Return a group of which the last values of a metric are reported."""
    plan = replace(study.metric, name=name, direction=direction)
    selection = Selection(kind="last", split=split)
    cells = tuple(
        cell if cell.run is None else select_step(cell.run, plan, selection=selection)
        for cell in group.cells
    )
    return group_of_cells(_regrouped(group, name, split, cells), study, name, last=True)


def _regrouped(
    group: GroupResult, name: str, split: str, cells: tuple[RunResult, ...]
) -> GroupResult:
    runs = [cell.run for cell in cells if cell.run is not None]
    unit = logged_unit(runs, name, (split,), "")
    return replace(group, unit=unit, report_split=split, cells=cells, epochs=())


def _splits(metric: MetricPlan, name: str, groups: Sequence[GroupResult]) -> tuple[str, ...]:
    """Return the splits on which the groups report a metric: values of two are not compared."""
    found = []
    for group in groups:
        logged = {
            split for cell in _found((group,)) for one, split in _logged(cell.run) if one == name
        }
        order = (group.report_split, metric.select_on, _TESTED)
        found += [one for one in order if one in logged][:1]
    return tuple(dict.fromkeys(found)) or (groups[0].report_split,)


def _read_best(study: Study, name: str, split: str, group: GroupResult) -> GroupResult:
    """Return a group as if the other metric were reported at the very same steps."""
    select = study.metric.select_on
    cells = tuple(_read_cell(cell, name, select, split) for cell in group.cells)
    read = _regrouped(group, name, split, cells)
    chosen, reported = _at_best(name, select), _at_best(name, split)
    summed = group_of_cells(read, study, name, last=False, chosen=chosen, reported=reported)
    return replace(summed, without_reruns=None)


def _at_best(name: str, split: str) -> str:
    return told.of_split("others_at_best", name, split)


def _read_cell(cell: RunResult, name: str, select: str, split: str) -> RunResult:
    if cell.run is None or isinstance(cell.best_step, Missing):
        why = cell.best_step if isinstance(cell.best_step, Missing) else NO_LAST
        return replace(
            cell, select_value=why, report_value=why, last_value=NO_LAST, oracle_value=NO_LAST
        )
    step = int(cell.best_step.value)
    chosen, there = (_reading(cell.run, name, one, step, select) for one in (select, split))
    result, after = measured_after(cell.run, name, split)
    found = replace(
        cell,
        select_value=chosen,
        last_value=NO_LAST,
        oracle_value=NO_LAST,
        result=result,
        result_value=after,
    )
    return reported(found, there)


def _reading(run: Run, name: str, split: str, step: int, select: str) -> Reading:
    method = _at_best(name, split)
    reading = reading_of_weights(run, name, split, step, select=select, method=method)
    if isinstance(reading, Quantity) and run.layout in _IN_BITS and name in _LOSSES:
        return replace(reading, unit=BITS)
    return reading
