"""Steps an epoch, where no log tells but the report and the logs together do."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from reportgen.records.claim import CONFIDENT, Meaning, Setting
from reportgen.records.facts import Facts
from reportgen.records.finding import Case
from reportgen.records.run import Run
from reportgen.records.study import STEPS_PER_EPOCH


def solve_pace(case: Case) -> Case:
    """Return the case with the steps an epoch that its report must mean, where there is one.

    Logs without epochs leave `epoch 3` unbound. Where every run was evaluated as many times as
    the report has epochs, and at even distances from the start, one evaluation is one epoch. So
    it is where the report says that an epoch has as many steps as lie between two evaluations. In
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
    pace = paces.pop() if len(paces) == 1 else None
    if pace is None or any(not 1 <= epoch <= pace[1] for epoch in epochs):
        return case
    seen = len(epochs) > 1 and max(epochs) == pace[1]
    asked = _stated(case, "num_train_epochs") == {pace[1]}
    if not (seen or asked or _stated(case, "steps_per_epoch") == {pace[0]}):
        return case
    stated = {**facts.study.stated, STEPS_PER_EPOCH: "report"}
    study = replace(facts.study, steps_per_epoch=pace[0], stated=stated)
    return replace(case, facts=replace(facts, study=study))


def _stated(case: Case, key: str) -> set[int]:
    """Return the values that the report surely gives to a setting of the training."""
    settings = (c.content for c in case.claims if c.confidence >= CONFIDENT)
    return {
        int(setting.value)
        for setting in settings
        if isinstance(setting, Setting)
        and setting.key == key
        and isinstance(setting.value, Decimal)
    }


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
