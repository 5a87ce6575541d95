"""Steps an epoch, where no log tells but the report and the logs together do."""

from __future__ import annotations

from dataclasses import replace

from reportgen.records.claim import Meaning
from reportgen.records.facts import Facts
from reportgen.records.finding import Case
from reportgen.records.run import Run


def solve_pace(case: Case) -> Case:
    """Return the case with the steps an epoch that its report must mean, where there is one.

    Logs without epochs leave `epoch 3` unbound. Where every run was evaluated as many times as
    the report has epochs, and at even distances from the start, one evaluation is one epoch. In
    every other case nothing is changed: a step that is taken for an epoch accuses somebody.

    Args:
        case: With its claims; its facts may lack `study.steps_per_epoch`.
    """
    facts = case.facts
    if facts is None or facts.study.steps_per_epoch or not facts.runs.runs:
        return case
    meanings = [c.content for c in case.claims if isinstance(c.content, Meaning)]
    epochs = {m.epoch for m in meanings if m.epoch is not None}
    paces = {_pace(run, facts) for run in facts.runs}
    if len(paces) != 1 or len(epochs) < 2:
        return case
    pace = paces.pop()
    if pace is None or max(epochs) != pace[1] or min(epochs) < 1:
        return case
    return replace(case, facts=replace(facts, study=replace(facts.study, steps_per_epoch=pace[0])))


def _pace(run: Run, facts: Facts) -> tuple[int, int] | None:
    """Return steps between evaluations and their number, if they are evenly spaced from 0."""
    if any(series.metric == "epoch" for series in run.scalars.values()):
        return None
    metric = facts.study.metric
    series = run.find(metric.name, metric.report_on) or run.find(metric.name, metric.select_on)
    if series is None or len(series) < 2:
        return None
    steps = [int(step) for step in series.steps]
    even = all(step == steps[0] * n for n, step in enumerate(steps, 1))
    return (steps[0], len(steps)) if even and steps[0] > 0 else None
