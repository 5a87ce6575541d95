"""Filling the empty fields of a study from what the runs hold, with a reason for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reportgen.layouts._groups import Member
from reportgen.layouts._names import PREFERRED, direction_of
from reportgen.records.run import Run, Series
from reportgen.records.study import COMMAND_LINE, Decision, MetricPlan, Study

_UNFOLLOWED = "the statement could not be followed: "


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
    if plan.direction or not metric:
        return Choice(value=plan.direction or "higher")
    known = direction_of(metric)
    value = known or "higher"
    decision = Decision(
        key="metric.direction",
        value=value,
        reason=f"{metric} is better when {value}"
        if known
        else f"nothing tells whether {metric!r} is better when higher or lower",
        alternatives=() if known else ("lower",),
        asks=not known,
    )
    return Choice(value=value, decision=decision)


def without_foreign(study: Study) -> Study:
    """Drop the direction, unit and tags that a study file states for another metric.

    A metric named on the command line is not the one that the file speaks of.
    """
    if study.stated.get("metric.name") != COMMAND_LINE:
        return study
    foreign = {
        f"metric.{field}"
        for field in ("direction", "unit", "tags")
        if study.stated.get(f"metric.{field}", COMMAND_LINE) != COMMAND_LINE
    }
    return replace(
        study,
        metric=replace(
            study.metric,
            direction="" if "metric.direction" in foreign else study.metric.direction,
            unit="" if "metric.unit" in foreign else study.metric.unit,
            tags=() if "metric.tags" in foreign else study.metric.tags,
        ),
        stated={key: who for key, who in study.stated.items() if key not in foreign},
    )


def explain_foreign(decisions: Sequence[Decision], study: Study, kept: Study) -> list[Decision]:
    """Add to each decision that replaces a statement about another metric why it does.

    Args:
        decisions: What was decided.
        study: The study as it was stated.
        kept: The study as `without_foreign` left it.
    """
    return [
        replace(
            decision,
            reason=f"{decision.reason}; what {study.stated[decision.key]} states belongs to the "
            f"metric named there, and {study.metric.name} was named on the command line",
        )
        if decision.key in study.stated and decision.key not in kept.stated
        else decision
        for decision in decisions
    ]


def choose_report_split(
    plan: MetricPlan, metric: str, runs: Sequence[Run], *, stated: bool = False
) -> Choice:
    """Report where the study says, or on the selection split where no run logged it."""
    with_report = [r for r in runs if r.find(metric, plan.report_on) is not None]
    if stated and with_report:
        return Choice(value=plan.report_on)
    told = _UNFOLLOWED if stated else ""
    if with_report or plan.report_on == plan.select_on:
        reason = f"{len(with_report)} of {len(runs)} runs logged {metric} on {plan.report_on}"
        return Choice(
            value=plan.report_on,
            decision=Decision(key="metric.report_on", value=plan.report_on, reason=told + reason),
        )
    if not any(r.find(metric, plan.select_on) for r in runs):
        reason = f"no run logged {metric or 'a metric'} on {plan.report_on} or {plan.select_on}"
        return Choice(
            value=plan.report_on,
            decision=Decision(key="metric.report_on", value=plan.report_on, reason=told + reason),
        )
    decision = Decision(
        key="metric.report_on",
        value=plan.select_on,
        reason=f"{told}no run logged {metric or 'a metric'} on {plan.report_on}: the values are "
        f"those of {plan.select_on}, on which the step is chosen, and so look better than they are",
    )
    return Choice(value=plan.select_on, decision=decision)


def choose_select_split(
    plan: MetricPlan, metric: str, runs: Sequence[Run], *, stated: bool = False
) -> Choice:
    """Select where the study says; nothing else stands in for a validation split."""
    having = [r for r in runs if r.find(metric, plan.select_on) is not None]
    if stated and having:
        return Choice(value=plan.select_on)
    reason = f"{len(having)} of {len(runs)} runs logged {metric or 'a metric'} on {plan.select_on}"
    if not having:
        reason += ": no best step exists, and no other split stands in for it"
        reason = (_UNFOLLOWED if stated else "") + reason
    return Choice(
        value=plan.select_on,
        decision=Decision(key="metric.select_on", value=plan.select_on, reason=reason),
    )


def fill_metric(study: Study, runs: Sequence[Run]) -> tuple[MetricPlan, list[Decision]]:
    """Fill the metric's empty fields; units are per layout and filled elsewhere."""
    scalars = [series for run in runs for series in run.scalars.values()]
    name = choose_metric(study.metric, scalars)
    direction = choose_direction(study.metric, name.value)
    select = choose_select_split(
        study.metric, name.value, runs, stated="metric.select_on" in study.stated
    )
    report = choose_report_split(
        study.metric, name.value, runs, stated="metric.report_on" in study.stated
    )
    plan = replace(
        study.metric,
        name=name.value,
        direction=direction.value,
        select_on=select.value,
        report_on=report.value,
    )
    decisions = [c.decision for c in (name, direction, select, report) if c.decision is not None]
    return plan, decisions
