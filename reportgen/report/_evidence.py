"""What printed values, counts, seeds, steps and epochs rest on."""

from __future__ import annotations

from collections.abc import Iterable

from reportgen.records.facts import Facts, GroupResult, RunResult, Summary
from reportgen.records.quantity import Evidence, Quantity
from reportgen.records.run import Run, Series, Source, decimal_float
from reportgen.records.study import MetricPlan, Study
from reportgen.stats import index_of_step

Sources = tuple[Evidence, ...]


def of_run(run: Run, metric: MetricPlan) -> Evidence:
    """Return the log that decides about a run, else another file of it.

    A run that has only a loss, or no point at all, still has a file it was found by.
    """
    series = (
        run.find(metric.name, metric.select_on)
        or run.find(metric.name, metric.report_on)
        or max(run.scalars.values(), key=len, default=None)
    )
    if series is not None:
        return of_series(run, series)
    path = next((source.path for source in run.sources), run.id)
    return Evidence(path=path, run=run.id)


def of_series(run: Run, series: Series) -> Evidence:
    """Return a curve as a whole."""
    return Evidence(path=series.path, tag=series.tag, run=run.id)


def of_cell(study: Study, group: GroupResult, cell: RunResult) -> Evidence:
    """Return a cell's run, or the setting that asks for a run nobody has logs of."""
    if cell.run is None:
        return study.cite(f"groups.{group.name}.seeds", cell.seed)
    return of_run(cell.run, study.metric)


def of_cells(study: Study, groups: Iterable[GroupResult]) -> Sources:
    """Return every cell of some groups; a group without cells by the study that names it."""
    found: list[Evidence] = []
    for group in groups:
        found += [of_cell(study, group, cell) for cell in group.cells]
        if not group.cells:
            found.append(study.cite(f"groups.{group.name}", group.name))
    return tuple(found)


def of_seed(run: Run, metric: MetricPlan) -> Evidence:
    """Return where a run's seed was read: its path and configuration, found by its log."""
    return Evidence(path=of_run(run, metric).path, tag="seed", value=run.seed, run=run.id)


# --- values of several runs -----------------------------------------------------------


def of_values(summary: Summary) -> Sources:
    """Return the values that a summary counted: as many as its n, one a run."""
    return summary.mean.sources if isinstance(summary.mean, Quantity) else ()


def of_result(study: Study, group: GroupResult, summary: Summary) -> Sources:
    """Return the values that a group's n counts; without any, the runs that have none."""
    return of_values(summary) or of_cells(study, (group,))


def one_a_run(sources: Iterable[Evidence]) -> Sources:
    """Return the first piece of evidence of each run.

    Example:
        >>> one_a_run([Evidence(path="a", run="0"), Evidence(path="b", run="0")])
        (Evidence(path='a', tag='', step=None, value=None, run='0'),)
    """
    found: dict[str, Evidence] = {}
    for evidence in sources:
        found.setdefault(evidence.run or evidence.path, evidence)
    return tuple(found.values())


# --- steps and epochs -----------------------------------------------------------------


def of_point(run: Run, series: Series, step: int) -> Sources:
    """Return the point of a curve at a step, or nothing where none was logged."""
    index = index_of_step(series, step)
    if index is None:
        return ()
    value = decimal_float(series.values[index])
    return (Evidence(path=series.path, tag=series.tag, step=step, value=value, run=run.id),)


def of_evaluation(run: Run, metric: MetricPlan, step: int) -> Sources:
    """Return the point that shows that a run was evaluated at a step."""
    for name in (metric.name, "loss"):
        for split in (metric.select_on, metric.report_on):
            series = run.find(name, split)
            if series is not None and (point := of_point(run, series, step)):
                return point
    return ()


def of_epoch(run: Run, metric: MetricPlan, step: int) -> Sources:
    """Return what tells the epoch of a step: the epoch logged there, beside the evaluation."""
    logged = next((s for s in run.scalars.values() if s.metric == "epoch" and len(s)), None)
    own = of_point(run, logged, step) if logged is not None else ()
    return own + of_evaluation(run, metric, step)


def of_step(study: Study, groups: Iterable[GroupResult], step: int) -> Sources:
    """Return the evaluations at a step of every run of some groups."""
    runs = (cell.run for group in groups for cell in group.cells if cell.run is not None)
    return tuple(e for run in runs for e in of_evaluation(run, study.metric, step))


def of_last_step(run: Run) -> Sources:
    """Return the point that a run logged last; the longest curve speaks where several end."""
    logged = [series for series in run.scalars.values() if len(series)]
    last = max(logged, key=lambda s: (int(s.steps[-1]), len(s)), default=None)
    return of_point(run, last, int(last.steps[-1])) if last is not None else ()


# --- files ----------------------------------------------------------------------------


def model_files(facts: Facts) -> list[Source]:
    """Return the files of the model and the adapters, each once, sorted by path."""
    models = [m for m in (facts.model, *(a.base for a in facts.adapters)) if m is not None]
    found = {m.config.source for m in models} | {a.config.source for a in facts.adapters}
    found |= {m.checkpoint.source for m in models if m.checkpoint is not None}
    return sorted(found, key=lambda source: (source.path, source.sha256))


def of_points(run: Run, points: int, metric: MetricPlan) -> Evidence:
    """Return a run with the number of its points, found by its log."""
    path = of_run(run, metric).path
    return Evidence(path=path, tag="scalar points", value=points, run=run.id)
