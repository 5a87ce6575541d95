"""Filling the empty fields of a study from what the runs hold, with a reason for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reportgen.layouts._groups import Member
from reportgen.layouts._names import PREFERRED, direction_of
from reportgen.records.run import Run, Series
from reportgen.records.study import Decision, MetricPlan, Study


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A value with the decision that explains it; the decision is None for a stated value."""

    value: str
    decision: Decision | None = None


def choose_metric(plan: MetricPlan, scalars: Sequence[Series]) -> Choice:
    """Take the first preferred metric that was logged on the selection split."""
    if plan.name:
        return Choice(value=plan.name)
    for split in (plan.select_on, plan.report_on, "validation", "test", "train"):
        found = Counter(s.metric for s in scalars if s.split == split and s.metric)
        del found["epoch"], found["learning_rate"], found["grad_norm"]
        # A metric of few runs does not stand for all of them, however well it is liked.
        ordered = sorted(
            found,
            key=lambda n: (2 * found[n] < max(found.values()), _rank(n), -found[n], n),
        )
        if ordered:
            name, *others = ordered
            reason = f"logged on {split}"
            if others:
                reason += "; the first in the order of preference"
            decision = Decision(
                key="metric.name", value=name, reason=reason, alternatives=tuple(others[:5])
            )
            return Choice(value=name, decision=decision)
    return Choice(
        value="", decision=Decision(key="metric.name", value="", reason="no metric was logged")
    )


def name_metric(plan: MetricPlan, members: Sequence[Member]) -> MetricPlan:
    """Return the plan with the name of the metric filled in."""
    scalars = [series for member in members for series in member.draft.scalars.values()]
    return replace(plan, name=choose_metric(plan, scalars).value)


def _rank(metric: str) -> int:
    """Return a metric's place in the order of preference."""
    plain = metric.removeprefix("overall_")
    if plain in PREFERRED:
        return PREFERRED.index(plain)
    return len(PREFERRED) + (not direction_of(metric))


def choose_direction(plan: MetricPlan, metric: str) -> Choice:
    """Take the direction that the metric's name has."""
    if plan.direction:
        return Choice(value=plan.direction)
    known = direction_of(metric)
    value = known or "higher"
    decision = Decision(
        key="metric.direction",
        value=value,
        reason=f"{metric or 'a metric'} is better when {value}"
        if known
        else f"nothing tells whether {metric!r} is better when higher or lower",
        alternatives=() if known else ("lower",),
    )
    return Choice(value=value, decision=decision)


def choose_report_split(plan: MetricPlan, metric: str, runs: Sequence[Run]) -> Choice:
    """Report where the study says, or on the selection split where no run logged it."""
    with_report = [r for r in runs if r.find(metric, plan.report_on) is not None]
    if with_report or plan.report_on == plan.select_on:
        reason = f"{len(with_report)} of {len(runs)} runs logged {metric} on {plan.report_on}"
        return Choice(
            value=plan.report_on,
            decision=Decision(key="metric.report_on", value=plan.report_on, reason=reason),
        )
    if not any(r.find(metric, plan.select_on) for r in runs):
        reason = f"no run logged {metric or 'a metric'} on {plan.report_on} or {plan.select_on}"
        return Choice(
            value=plan.report_on,
            decision=Decision(key="metric.report_on", value=plan.report_on, reason=reason),
        )
    decision = Decision(
        key="metric.report_on",
        value=plan.select_on,
        reason=f"no run logged {metric or 'a metric'} on {plan.report_on}: the values are those "
        f"of {plan.select_on}, on which the step is chosen, and so look better than they are",
    )
    return Choice(value=plan.select_on, decision=decision)


def choose_select_split(plan: MetricPlan, metric: str, runs: Sequence[Run]) -> Choice:
    """Select where the study says; nothing else stands in for a validation split."""
    having = [r for r in runs if r.find(metric, plan.select_on) is not None]
    reason = f"{len(having)} of {len(runs)} runs logged {metric or 'a metric'} on {plan.select_on}"
    if not having:
        reason += ": no best step exists, and no other split stands in for it"
    return Choice(
        value=plan.select_on,
        decision=Decision(key="metric.select_on", value=plan.select_on, reason=reason),
    )


def fill_metric(study: Study, runs: Sequence[Run]) -> tuple[MetricPlan, list[Decision]]:
    """Fill the metric's empty fields; units are per layout and filled elsewhere."""
    scalars = [series for run in runs for series in run.scalars.values()]
    name = choose_metric(study.metric, scalars)
    direction = choose_direction(study.metric, name.value)
    select = choose_select_split(study.metric, name.value, runs)
    report = choose_report_split(study.metric, name.value, runs)
    plan = replace(
        study.metric,
        name=name.value,
        direction=direction.value,
        select_on=select.value,
        report_on=report.value,
    )
    decisions = [c.decision for c in (name, direction, select, report) if c.decision is not None]
    return plan, decisions
