"""Whether a found run is complete, in words for people."""

from __future__ import annotations

from dataclasses import dataclass

from reportgen.records.run import Run, Runs
from reportgen.records.study import MetricPlan
from reportgen.stats import evaluation_steps
from reportgen.train.plan._logged import contradictions
from reportgen.train.plan._steps import (
    Group,
    diverged_at,
    ended_by_itself,
    evaluated_to_the_end,
    last_step,
    most_evaluations,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a run's logs say of it.

    Attributes:
        state: `"done"`, `"partial"` or `"failed"`.
        reason: Why, in words.
        steps: Updates done.
    """

    state: str
    reason: str
    steps: int


def judge(run: Run, group: Group, *, selectable: bool) -> Verdict:
    """Say whether a found run is complete.

    It is where its last step was reached and no evaluation after it is lacking.

    Args:
        run: The run.
        group: Its group.
        selectable: Whether any run of the study was evaluated on the selection split; where
            none was, that cannot be what this one lacks.
    """
    steps = group.reached(run)
    last = last_step(run, group.study.metric.name)
    if last is None:
        return Verdict(state="partial", reason="its logs hold no step", steps=0)
    broken = diverged_at(run)
    if broken is not None:
        reason = f"it diverged: from step {broken} on its loss is no number"
        return Verdict(state="failed", reason=_with_notes(reason, run, group), steps=steps)
    wanted = group.wanted(run)
    ended = ended_by_itself(run, last) or group.near_end(run)
    if steps < min(wanted) and not ended:
        reason = f"it stops at step {steps} of {wanted[0]}; {_last_evaluation(run, group)}"
        return Verdict(state="partial", reason=_with_notes(reason, run, group), steps=steps)
    lacking = _lacking(run, group, last, selectable=selectable)
    if lacking:
        reason = f"it reaches step {steps}, but {lacking}"
        return Verdict(state="partial", reason=_with_notes(reason, run, group), steps=steps)
    reason = f"it reaches its last step, {steps}"
    if steps < min(wanted) and ended_by_itself(run, last):
        reason = f"its training ended by itself at step {steps} of {wanted[0]}"
    elif steps < min(wanted):
        reason = f"it ends at step {steps} of {wanted[0]}, within one evaluation of the end"
    return Verdict(state="done", reason=_with_notes(reason, run, group), steps=steps)


def _with_notes(reason: str, run: Run, group: Group) -> str:
    """Add in what a found run was trained otherwise than `[train]` would train it."""
    if group.train is None:
        return reason
    notes = contradictions(
        run,
        group.train,
        steps_per_epoch=group.steps_per_epoch(run),
        examples=group.study.split_sizes.get("train", 0),
    )
    return "; ".join((reason, *notes))


def _last_evaluation(run: Run, group: Group) -> str:
    steps = evaluation_steps(run, group.study.metric)
    return f"last evaluation at step {steps[-1]}" if steps else "it was never evaluated"


def _lacking(run: Run, group: Group, last: int, *, selectable: bool) -> str:
    """Return which evaluation is not there though it was due, empty where none is lacking."""
    metric = group.study.metric
    needed = [metric.select_on] if selectable else []
    if metric.report_on not in needed and group.evaluations[metric.report_on]:
        needed.append(metric.report_on)
    for split in needed:
        series = run.find(metric.name, split)
        if series is None or not len(series):
            return f"{metric.name} on {split} was never logged"
        if not evaluated_to_the_end(series, last, group.evaluations[split]):
            return f"its last {metric.name} on {split} is at step {int(series.steps[-1])}"
    return ""


def is_selectable(runs: Runs, metric: MetricPlan) -> bool:
    """Tell whether any run was evaluated on the selection split."""
    return most_evaluations(runs.runs, metric.name, metric.select_on) > 0


def finished(group: Group, runs: Runs) -> tuple[Run, ...]:
    """Return the complete runs of a group.

    Args:
        group: The group.
        runs: All runs of the study.
    """
    selectable = is_selectable(runs, group.study.metric)
    return tuple(
        run for run in group.runs if judge(run, group, selectable=selectable).state == "done"
    )
