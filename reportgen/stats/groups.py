"""Every group of a study with its cells, their summaries and its epochs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import chain
from typing import TYPE_CHECKING

from reportgen.records.facts import EpochRow, GroupResult, RunResult, Selection, Summary, Task
from reportgen.records.quantity import Missing, Quantity, Reading
from reportgen.records.record import record, replace
from reportgen.records.run import SPLITS, Run, Runs, missing_seeds
from reportgen.records.source import natural_key
from reportgen.records.study import GroupPlan, MetricPlan, StatisticsPlan, Study
from reportgen.stats._readings import closes_epochs, epochs_of, reading_at, told
from reportgen.stats.selection import missing_cell, select_step
from reportgen.stats.summary import NO_VALUES, summarise_values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]

MAX_EPOCH_ROWS = 2000
"""Rows of a table of epochs: nobody reads more, and the curves show them all."""
MAX_ROWS_WITHOUT_EPOCHS = 500
"""Without epochs a metric that is logged at every update would give one row an update."""


def summarise_groups(
    study: Study, runs: Runs, *, selection: Selection | None = None
) -> tuple[GroupResult, ...]:
    """Summarise every group, declared ones first, then the others that were found.

    Shape:
        One result a group; inside it one cell a declared seed and one a run.

    Missing:
        A declared seed without logs is a cell whose values all say so. A group that never
        logged the reporting split is reported on the selection split, and
        `report_split` says it.

    Source:
        `select_step`, `summarise_values`, `summarise_epochs`.

    Example:
        >>> plan = GroupPlan(name="random", label="Random start", seeds=(0, 1))
        >>> (group,) = summarise_groups(Study(groups=(plan,)), Runs(root="logs", runs=()))
        >>> group.label, group.report.n, group.cells[1].report_value.reason
        ('Random start', 0, 'no logs found for Random start, seed 1')
    """
    plans = {plan.name: plan for plan in study.groups}
    return tuple(
        _summarise(study, plans.get(name, GroupPlan(name=name)), members, runs, selection)
        for name, members in runs_of_groups(study, runs).items()
    )


def runs_of_groups(study: Study, runs: Runs) -> dict[str, tuple[Run, ...]]:
    """Return the runs of every group, declared groups first, then the others that were found."""
    members: dict[str, list[Run]] = {plan.name: [] for plan in study.groups}
    declared = frozenset(members)
    patterns = [(plan.name, plan.match) for plan in study.groups if plan.match]
    for run in runs:
        matched = (name for name, pattern in patterns if fnmatchcase(run.id, pattern))
        name = run.group if run.group in declared else next(matched, run.group)
        members.setdefault(name, []).append(run)
    return {name: tuple(found) for name, found in members.items()}


def families_of(groups: Iterable[GroupResult]) -> list[list[GroupResult]]:
    """Sort groups with a value into those that may be compared, in order of first appearance.

    They have layout, unit, reported split and task in common. What is a part of another group
    stands alone.
    """
    alike: dict[tuple[str, str, str, Task, str], list[GroupResult]] = {}
    for group in groups:
        if isinstance(group.report.mean, Quantity):
            unit = group.report.mean.unit
            part = group.name if group.task.is_part else ""
            key = (group.layout, group.report_split, unit, group.task, part)
            alike.setdefault(key, []).append(group)
    return list(alike.values())


def group_of_values(name: str, values: Mapping[int, float]) -> GroupResult:
    """Return a group that has one reported value a seed and nothing else.

    For values that stand in a table and not in logs, and for examples.

    Example:
        >>> group_of_values("a", {0: 0.8, 1: 0.9}).report.mean.value
        0.85
    """
    none = Missing(reason=told("only_reported"))
    cells = tuple(
        replace(
            RunResult.without_values(name, seed, None, none),
            report_value=Quantity(value=value, unit="fraction"),
        )
        for seed, value in sorted(values.items())
    )
    statistics = StatisticsPlan()
    empty = summarise_values([], statistics)
    return GroupResult(
        name=name,
        label=name,
        layout="",
        unit="fraction",
        report_split="test",
        cells=cells,
        report=summarise_values([c.report_value for c in cells], statistics),
        select=empty,
        last=empty,
        oracle=empty,
    )


def _order(one: Run | RunResult) -> tuple[bool, int]:
    return one.seed is None, one.seed or 0


def _summarise(
    study: Study,
    plan: GroupPlan,
    members: tuple[Run, ...],
    everything: Runs,
    selection: Selection | None,
) -> GroupResult:
    runs = tuple(sorted(members, key=lambda run: (_order(run), natural_key(run.id))))
    metric = study.metric
    last = selection is not None and selection.is_last
    split = selection.split if selection is not None and last else _report_split(runs, metric)
    label = plan.label or plan.name
    cells = [
        select_step(run, metric, selection=selection, report_split=split, study=study)
        for run in runs
    ]
    cells += [
        missing_cell(plan.name, label, seed, everything.why_missing(plan.name, seed))
        for seed in missing_seeds(plan.seeds, runs)
    ]
    cells.sort(key=_order)
    return group_of_cells(
        GroupResult(
            name=plan.name,
            label=label,
            layout=runs[0].layout if runs else "",
            unit=logged_unit(runs, metric.name, (split, metric.select_on), metric.unit),
            report_split=split,
            cells=tuple(cells),
            report=NO_VALUES,
            select=NO_VALUES,
            last=NO_VALUES,
            oracle=NO_VALUES,
            epochs=summarise_epochs(runs, metric, study=study),
        ),
        study,
        metric.name,
        last=last,
    )


def group_of_cells(
    group: GroupResult,
    study: Study,
    metric: str,
    *,
    last: bool,
    chosen: str = "",
    reported: str = "",
) -> GroupResult:
    """Return a group with the summaries of its cells.

    Args:
        group: The group with its cells; its summaries are replaced.
        study: Statistics, and the selection split.
        metric: What the cells are values of.
        last: Whether their last values are reported.
        chosen: What the values of the selection split are, in words; empty says the best.
        reported: What the reported values are, in words; empty says best step or last.
    """
    split, select = group.report_split, study.metric.select_on
    cells, lasts = group.cells, told.of_split("last_of", metric, split)
    what = reported or (lasts if last else told.of_split("best_step_of", metric, split))
    chosen = chosen or told.of_split("best_of", metric, select)
    oracle, end = (told.of_split(code, metric, split) for code in ("oracle_of", "end_of"))

    def over(readings: Iterable[Reading], words: str) -> Summary:
        return summarise_values(list(readings), study.statistics, what=words)

    found = [cell for cell in cells if cell.run is None or cell.run.rerun is None]
    without = told("without_reruns", what=what)
    return replace(
        group,
        report=over((cell.report_value for cell in cells), what),
        select=over((cell.select_value for cell in cells), chosen),
        last=over((cell.last_value for cell in cells), lasts),
        oracle=over((cell.oracle_value for cell in cells), oracle),
        end=over((cell.end_value for cell in cells), end) if last else None,
        without_reruns=over((cell.report_value for cell in found), without)
        if len(found) < len(cells)
        else None,
    )


def _report_split(runs: tuple[Run, ...], metric: MetricPlan) -> str:
    """Return the reporting split, or the selection split where only that was measured."""
    measured = {s.split for run in runs for s in run.scalars.values() if s.metric == metric.name}
    measured |= {r.split for run in runs for r in run.results if r.metric == metric.name}
    fall_back = metric.report_on not in measured and metric.select_on in measured
    return metric.select_on if fall_back else metric.report_on


def logged_unit(runs: Sequence[Run], metric: str, splits: Sequence[str], default: str) -> str:
    """Return the unit in which the first of some runs logged a metric, or measured it after."""
    series = (run.find(metric, split) for run in runs for split in splits)
    measured = (one for run in runs for one in run.results if one.metric == metric)
    results = (one for one in measured if one.split in splits)
    found = (one.unit for one in chain(series, results) if one is not None)
    return next(found, default)


# --- epoch by epoch -----------------------------------------------------------------------


def summarise_epochs(
    runs: Sequence[Run], metric: MetricPlan, *, study: Study
) -> tuple[EpochRow, ...]:
    """Summarise a metric over the runs of one group at each evaluation, on every split.

    Rows stand where the selection or the reporting split was evaluated. Where every run knows
    the epochs of its evaluations, they are aligned on epochs; else on steps. A run without a
    point there does not count, so that n falls where runs end early.

    Shape:
        One row an epoch where most evaluations close one, else one an evaluation. None
        for more than 500 evaluations without epochs, or 2000 rows.

    Units:
        Percent becomes a fraction.

    Missing:
        A split that no run logged is absent from `splits`. NaN and infinite points do not
        count in n. `epoch` is 0.0 where the runs do not know it, or not the same one.

    Source:
        `summarise_values`.
    """
    rows = _rows_of([_evaluations(run, metric, study) for run in runs])
    if rows is None:
        return ()
    logged = [s for s in SPLITS if any(run.find(metric.name, s) is not None for run in runs)]
    columns = {split: _summaries(runs, metric.name, split, rows, study) for split in logged}
    shared = rows.steps.max(axis=0)
    own = ((rows.steps != shared) & (rows.steps >= 0)).any(axis=0)
    return tuple(
        EpochRow(
            epoch=epoch,
            step=step,
            splits={split: summaries[index] for split, summaries in columns.items()},
            steps={run.id: at for run, at in zip(runs, column, strict=True) if at >= 0}
            if own[index]
            else {},
        )
        for index, (epoch, step, column) in enumerate(
            zip(rows.epochs.tolist(), shared.tolist(), rows.steps.T.tolist(), strict=True)
        )
    )


@record(kw_only=False)
class _Rows:
    """Evaluations of several runs, aligned.

    Attributes:
        epochs: Epoch of each row, 0.0 where it is not known.
        steps: Step of each run (first axis) at each row, -1 where it has none.
    """

    epochs: Column
    steps: NDArray[np.int64]


def _evaluations(run: Run, metric: MetricPlan, study: Study) -> tuple[NDArray[np.int64], Column]:
    """Return the steps at which a deciding split was evaluated, and their epochs (NaN unknown)."""
    import numpy as np

    found = [
        series
        for split in dict.fromkeys((metric.select_on, metric.report_on))
        if (series := run.find(metric.name, split)) is not None
    ]
    if not found:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    steps = np.concatenate([series.steps.astype(np.int64) for series in found])
    epochs = np.concatenate([epochs_of(run, series, study) for series in found])
    kept, first = np.unique(steps, return_index=True)
    return kept, epochs[first]


def _rows_of(evaluations: Sequence[tuple[NDArray[np.int64], Column]]) -> _Rows | None:
    """Align the evaluations of several runs; None where there are too many for a table, or none."""
    import numpy as np

    if not any(len(steps) for steps, _ in evaluations):
        return None
    steps = np.concatenate([steps for steps, _ in evaluations])
    epochs = np.concatenate([epochs for _, epochs in evaluations])
    if np.isfinite(epochs).all():
        once = all(len(set(own.tolist())) == len(own) for _, own in evaluations)
        # Two evaluations of one epoch (one after training ended) are told apart by their steps.
        columns = (epochs,) if once else (epochs, steps)
    else:
        columns = (_joined([own for own, _ in evaluations]),)
    keys, places = np.unique(np.stack(columns), axis=1, return_inverse=True)
    places = places.ravel()
    labels = _agreed(places, epochs, keys.shape[1])
    if len(labels) > MAX_ROWS_WITHOUT_EPOCHS and not labels.any():
        return None
    kept = closes_epochs(labels).nonzero()[0]
    if len(kept) > MAX_EPOCH_ROWS:
        return None
    position = np.full(len(labels), -1)
    position[kept] = np.arange(len(kept))
    table = np.full((len(evaluations), len(kept)), -1, dtype=np.int64)
    ends = np.cumsum([len(own) for own, _ in evaluations])[:-1]
    for row, (own, _), at in zip(table, evaluations, np.split(position[places], ends), strict=True):
        row[at[at >= 0]] = own[at >= 0]
    return _Rows(labels[kept], table)


_NEAR = 0.001
"""Share of a step by which runs may be apart where they close the same stretch of training."""
_SPARSE = 20
"""How many times farther apart the evaluations of one run then lie."""


def _joined(runs: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Return the steps of all runs, those close to each other as the largest of them.

    A run that stops after a whole number of episodes ends a few steps after the others.

    Example:
        >>> import numpy as np
        >>> _joined([np.array([100_000, 200_003]), np.array([100_000, 200_041])]).tolist()
        [100000, 200041, 100000, 200041]
    """
    import numpy as np

    steps = np.concatenate(runs)
    gaps = [np.diff(own) for own in runs if len(own) > 1]
    if len(runs) < 2 or not gaps:
        return steps
    apart = float(min(gap.min() for gap in gaps)) / _SPARSE
    ordered = np.unique(steps)
    limit = np.minimum(apart, _NEAR * ordered[:-1])
    begins = np.concatenate(([True], np.diff(ordered) > limit))
    cluster = np.cumsum(begins) - 1
    last = np.concatenate((begins[1:], [True]))
    # A chain of steps, each near to the next, is of no single moment.
    if (ordered[last] - ordered[begins] > apart).any():
        return steps
    joined: NDArray[np.int64] = ordered[last][cluster[np.searchsorted(ordered, steps)]]
    return joined


def _agreed(places: NDArray[np.intp], epochs: Column, count: int) -> Column:
    """Return the epoch of each row, 0.0 where not all of its evaluations know the same one."""
    import numpy as np

    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    known = np.where(np.isfinite(epochs), epochs, 0.0)
    np.minimum.at(low, places, known)
    np.maximum.at(high, places, known)
    return np.where(low == high, low, 0.0)


def _summaries(
    runs: Sequence[Run], metric: str, split: str, rows: _Rows, study: Study
) -> list[Summary]:
    """Return, a row, the summary of those runs that logged a point there on a split."""
    import numpy as np

    found: list[list[Reading]] = [[] for _ in rows.epochs]
    steps_of_rows = rows.steps.max(axis=0).tolist()
    what = [told.of_split("metric_at", metric, split, step=step) for step in steps_of_rows]
    for run, steps in zip(runs, rows.steps, strict=True):
        series = run.find(metric, split)
        if series is None or not len(series):
            continue
        at = np.minimum(np.searchsorted(series.steps, steps), len(series) - 1)
        there = (series.steps[at] == steps) & (steps >= 0)
        for row in there.nonzero()[0].tolist():
            found[row].append(reading_at(run, series, int(at[row]), method=what[row]))
    return [
        summarise_values(readings, study.statistics, what=words)
        for readings, words in zip(found, what, strict=True)
    ]
