"""One run a cell: a re-run stands where no complete run was found, and that is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reportgen.records.natural import NaturalKey, natural_key
from reportgen.records.quantity import Missing
from reportgen.records.run import Problem, Run, Runs
from reportgen.records.study import GroupPlan, MetricPlan, Study


def merged(runs: Runs, reruns: Sequence[Run], metric: MetricPlan) -> Runs:
    """Let each re-run take the place of what is not complete, and say so.

    Args:
        runs: What was found, and re-runs that were merged before.
        reruns: Further re-runs; of two of one cell the first stays.
        metric: Tells of a run whether it has a value to report.
    """
    kept, problems = list(runs.runs), list(runs.problems)
    for rerun in reruns:
        same = [run for run in kept if (run.group, run.seed) == (rerun.group, rerun.seed)]
        lacks = {run.id: _lacks(run, rerun, metric) for run in same}
        complete = next((run for run in same if not lacks[run.id]), None)
        if complete is not None:
            problems.append(_not_needed(rerun, complete))
            continue
        problems += [_replaced(run, rerun, lacks[run.id]) for run in same]
        kept = [run for run in kept if not any(run is one for one in same)]
        kept.append(rerun)
    filled = {f"[groups.{run.group}] matches no run" for run in kept}
    problems = [problem for problem in problems if problem.message not in filled]
    return replace(runs, runs=tuple(kept), problems=tuple(problems))


def _lacks(run: Run, rerun: Run, metric: MetricPlan) -> str:
    """Return what a run lacks to count before a re-run of its cell; empty where nothing."""
    from reportgen.stats import select_step

    if run.rerun is not None:
        return ""  # of two re-runs the first stays
    split = metric.report_on
    if run.find(metric.name, split) is None and rerun.find(metric.name, split) is None:
        split = metric.select_on
    value = select_step(run, metric, report_split=split).report_value
    if isinstance(value, Missing):
        return value.reason
    last, full = (_last_step(one, metric) for one in (run, rerun))
    return f"it ended at step {last} of {full}" if last < full else ""


def _last_step(run: Run, metric: MetricPlan) -> int:
    series = run.find(metric.name, metric.select_on)
    return int(series.steps[-1]) if series is not None and len(series) else 0


def _not_needed(rerun: Run, complete: Run) -> Problem:
    what = "another re-run" if complete.rerun else "a complete run that was found"
    return Problem(
        path=rerun.id,
        message=f"a re-run that is not shown: {complete.id} is {what} of the same cell",
        remedy="remove the one that does not count",
        level="note",
    )


def _replaced(run: Run, rerun: Run, why: str) -> Problem:
    return Problem(
        path=run.id,
        message=f"not counted: {why}; the re-run {rerun.id} takes its place",
        remedy="put back the complete logs, if there are any, and they count again",
    )


def only_reruns(study: Study, found: Sequence[Run], declared: Study) -> Study:
    """Return a study of which nothing else is there, with the groups that the records name."""
    names = dict.fromkeys(run.group for run in found)
    own = {plan.name for plan in declared.groups} | set(names)
    kept = [plan for plan in study.groups if plan.name in own]
    kept += [GroupPlan(name=n) for n in names if n not in {plan.name for plan in kept}]
    return replace(study, groups=tuple(kept))


def ordered(runs: Runs, study: Study) -> Runs:
    """Sort runs as the study names their groups, by seed and by path."""
    order = {plan.name: position for position, plan in enumerate(study.groups)}

    def place(run: Run) -> tuple[int, NaturalKey, bool, int]:
        known = order.get(run.group, len(order))
        other = () if run.group in order else natural_key(run.group)
        return known, other, run.seed is None, run.seed or 0

    return replace(runs, runs=tuple(sorted(runs.runs, key=place)))
