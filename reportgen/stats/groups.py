"""Every group of a study with its cells, their summaries and its epochs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from reportgen.languages import message, metric_later, noun_later
from reportgen.records.facts import GroupResult, RunResult, Summary, Task
from reportgen.records.natural import NaturalKey, natural_key
from reportgen.records.quantity import Missing, Quantity, Reading
from reportgen.records.run import Run, Runs, missing_seeds
from reportgen.records.study import GroupPlan, MetricPlan, StatisticsPlan, Study
from reportgen.stats.best_step import missing_cell, select_best_step
from reportgen.stats.per_epoch import summarise_epochs
from reportgen.stats.summarise import summarise_values


def summarise_groups(study: Study, runs: Runs) -> tuple[GroupResult, ...]:
    """Summarise every group, declared ones first, then the others that were found.

    Args:
        study: Declared groups, metric, statistics, steps per epoch.
        runs: Everything that was loaded.

    Shape:
        One result a group; inside it one cell a declared seed and one a run.

    Missing:
        A declared seed without logs is a cell whose values all say so. A group that never
        logged the reporting split is reported on the selection split, and
        `report_split` says it.

    Source:
        `select_best_step`, `summarise_values`, `summarise_epochs`.

    Example:
        >>> plan = GroupPlan(name="random", label="Random start", seeds=(0, 1))
        >>> (group,) = summarise_groups(Study(groups=(plan,)), Runs(root="logs", runs=()))
        >>> group.label, group.report.n, group.cells[1].report_value.reason
        ('Random start', 0, 'no logs found for Random start, seed 1')
    """
    plans = {plan.name: plan for plan in study.groups}
    return tuple(
        _summarise(study, plans.get(name, GroupPlan(name=name)), members, runs)
        for name, members in runs_of_groups(study, runs).items()
    )


def runs_of_groups(study: Study, runs: Runs) -> dict[str, tuple[Run, ...]]:
    """Return the runs of every group, declared groups first, then the others that were found.

    Example:
        >>> run = Run(id="lab/a/0", group="lab/a", seed=0, layout="plain", scalars={})
        >>> study = Study(groups=(GroupPlan(name="b"), GroupPlan(name="a", match="*/a/*")))
        >>> [(name, len(found)) for name, found in
        ...  runs_of_groups(study, Runs(root="lab", runs=(run,))).items()]
        [('b', 0), ('a', 1)]
    """
    members: dict[str, list[Run]] = {plan.name: [] for plan in study.groups}
    declared = frozenset(members)
    matching = tuple(plan for plan in study.groups if plan.match)
    for run in runs:
        name = run.group if run.group in declared else _group_of(run, matching)
        members.setdefault(name, []).append(run)
    return {name: tuple(found) for name, found in members.items()}


def families_of(groups: Iterable[GroupResult]) -> list[list[GroupResult]]:
    """Sort groups with a value into those that may be compared, in order of first appearance.

    They have layout, unit, reported split and task in common.

    Example:
        >>> families = families_of([group_of_values("a", {0: 0.1}), group_of_values("b", {})])
        >>> [[group.name for group in family] for family in families]
        [['a']]
    """
    alike: dict[tuple[str, str, str, Task], list[GroupResult]] = {}
    for group in groups:
        if isinstance(group.report.mean, Quantity):
            unit = group.report.mean.unit
            key = (group.layout, group.report_split, unit, group.task)
            alike.setdefault(key, []).append(group)
    return list(alike.values())


def group_of_values(name: str, values: Mapping[int, float]) -> GroupResult:
    """Return a group that has one reported value a seed and nothing else.

    For values that stand in a table and not in logs, and for examples.

    Example:
        >>> group_of_values("a", {0: 0.8, 1: 0.9}).report.mean.value
        0.85
    """
    none = Missing(reason=message("only the reported value is given"))
    cells = tuple(
        RunResult(
            group=name,
            seed=seed,
            run=None,
            best_step=none,
            best_epoch=none,
            select_value=none,
            report_value=Quantity(value=value, unit="fraction"),
            last_value=none,
            oracle_value=none,
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


def _group_of(run: Run, plans: tuple[GroupPlan, ...]) -> str:
    """Return the declared group whose pattern a run matches, else the group its layout gave it."""
    return next((plan.name for plan in plans if fnmatchcase(run.id, plan.match)), run.group)


def _order(run: Run) -> tuple[bool, int, NaturalKey]:
    return (run.seed is None, run.seed if run.seed is not None else 0, natural_key(run.id))


def _summarise(
    study: Study, plan: GroupPlan, members: tuple[Run, ...], everything: Runs
) -> GroupResult:
    runs = tuple(sorted(members, key=_order))
    metric = study.metric
    split = _report_split(runs, metric)
    label = plan.label or plan.name
    cells = _cells(study, plan, runs, split, everything)
    name = metric_later(metric.name)
    reported = message("best-step {metric} on {split}", metric=name, split=noun_later(split))
    return GroupResult(
        name=plan.name,
        label=label,
        layout=runs[0].layout if runs else "",
        unit=_logged_unit(runs, metric, split),
        report_split=split,
        cells=cells,
        report=_over(study, [c.report_value for c in cells], reported),
        select=_over(
            study,
            [c.select_value for c in cells],
            message("best {metric} on {split}", metric=name, split=noun_later(metric.select_on)),
        ),
        last=_over(
            study,
            [c.last_value for c in cells],
            message("last {metric} on {split}", metric=name, split=noun_later(split)),
        ),
        oracle=_over(
            study,
            [c.oracle_value for c in cells],
            message("oracle {metric} on {split}", metric=name, split=noun_later(split)),
        ),
        epochs=summarise_epochs(
            runs, metric, steps_per_epoch=study.steps_per_epoch, statistics=study.statistics
        ),
        without_reruns=_without_reruns(study, cells, reported),
    )


def _without_reruns(study: Study, cells: tuple[RunResult, ...], what: str) -> Summary | None:
    """Summarise what the found logs alone give, where some cells were trained again."""
    kept = [cell for cell in cells if cell.run is None or cell.run.rerun is None]
    if len(kept) == len(cells):
        return None
    return _over(
        study, [c.report_value for c in kept], message("{what}, without re-run cells", what=what)
    )


def _over(study: Study, readings: list[Reading], what: str) -> Summary:
    return summarise_values(readings, study.statistics, what=what)


def _report_split(runs: tuple[Run, ...], metric: MetricPlan) -> str:
    """Return the reporting split, or the selection split where only that was logged."""
    logged = {s.split for run in runs for s in run.scalars.values() if s.metric == metric.name}
    fall_back = metric.report_on not in logged and metric.select_on in logged
    return metric.select_on if fall_back else metric.report_on


def _logged_unit(runs: tuple[Run, ...], metric: MetricPlan, split: str) -> str:
    for run in runs:
        for wanted in (split, metric.select_on):
            series = run.find(metric.name, wanted)
            if series is not None:
                return series.unit
    return metric.unit


def _cells(
    study: Study, plan: GroupPlan, runs: tuple[Run, ...], split: str, everything: Runs
) -> tuple[RunResult, ...]:
    """Return one cell a run and one a declared seed without a run, in order of seed."""
    cells = [
        select_best_step(
            run, study.metric, report_split=split, steps_per_epoch=study.steps_per_epoch
        )
        for run in runs
    ]
    label = plan.label or plan.name
    cells += [
        missing_cell(plan.name, label, seed, everything.why_missing(plan.name, seed))
        for seed in missing_seeds(plan.seeds, runs)
    ]
    return tuple(sorted(cells, key=_cell_order))


def _cell_order(cell: RunResult) -> tuple[bool, int]:
    # Runs without a seed are in order already, and sorting keeps it.
    return (cell.seed is None, cell.seed if cell.seed is not None else 0)
