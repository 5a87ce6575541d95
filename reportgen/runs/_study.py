"""Filling the empty fields of a study from what the runs hold, with a reason for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from reportgen.languages import message, metric_later, noun_later
from reportgen.records.run import Run, Series
from reportgen.records.study import COMMAND_LINE, Decision, MetricPlan, Study
from reportgen.runs._groups import Member
from reportgen.runs._kinds import direction_of, is_return, liking, may_decide, tells_quality
from reportgen.runs._names import metric_name

_CLOCKS = frozenset({"epoch", "learning_rate", "grad_norm"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A value with the decision that explains it; the decision is None for a stated value."""

    value: str
    decision: Decision | None = None


def choose_metric(plan: MetricPlan, scalars: Sequence[Series]) -> Choice:
    """Take the first preferred metric that was logged on the selection split.

    Nothing of training goes before an evaluation, unless all that was evaluated are statistics
    such as lengths. One that was never anything but 0 there chooses no step: others go before
    it, and that is a question.
    """
    if plan.name:
        return Choice(value=_as_logged(plan.name, scalars))
    # A column without one number is as good as none.
    scalars = [series for series in scalars if np.isfinite(series.values).any()]
    for able in (may_decide, tells_quality):
        chosen = _of_evaluation(plan, scalars, able) or _of_training(scalars, able)
        if chosen is not None:
            return chosen
    reason = message("no metric was logged: nothing that tells how good a model is")
    none = Choice(value="", decision=Decision(key="metric.name", value="", reason=reason))
    return _of_evaluation(plan, scalars, bool) or none


def _as_logged(stated: str, scalars: Sequence[Series]) -> str:
    """Return a stated metric in the spelling of the layouts, where it was logged only so."""
    logged = {series.metric for series in scalars}
    spelled = metric_name(stated)
    return spelled if stated not in logged and spelled in logged else stated


def _of_evaluation(
    plan: MetricPlan, scalars: Sequence[Series], able: Callable[[str], bool]
) -> Choice | None:
    """Take the best liked of what was logged on the first split that has a metric."""
    for split in (plan.select_on, plan.report_on, "validation", "test"):
        found = [s.metric for s in scalars if s.split == split and able(s.metric)]
        liked = _by_liking(found, scalars)
        if liked:
            name = next((n for n in liked if not _is_always_zero(n, split, scalars)), liked[0])
            others = [other for other in liked if other != name]
            decision = Decision(
                key="metric.name",
                value=name,
                reason=_metric_words(split, liked, name),
                alternatives=tuple(others[:5]),
                asks=name != liked[0],
            )
            return Choice(value=name, decision=decision)
    return None


def _by_liking(found: Sequence[str], scalars: Sequence[Series]) -> list[str]:
    """Return metrics, the best liked first; one of few runs does not stand for all of them.

    What a policy earned counts wherever it was logged: of its losses each run logs many.
    """
    count = Counter(name for name in found if name not in _CLOCKS)
    count |= Counter(s.metric for s in scalars if s.metric in count and is_return(s.metric))
    most = max(count.values(), default=0)
    return sorted(count, key=lambda n: (2 * count[n] < most, liking(n), -count[n], n))


def _of_training(scalars: Sequence[Series], able: Callable[[str], bool]) -> Choice | None:
    """Take the best liked of what was logged in training, or of a split that nobody named.

    Nothing is chosen with it.
    """
    liked = _by_liking([s.metric for s in scalars if able(s.metric)], scalars)
    if not liked:
        return None
    of_training = any(s.split == "train" for s in scalars if s.metric == liked[0])
    reason = (
        message("logged on {split}, and no result on validation or test", split=noun_later("train"))
        if of_training
        else message("logged without a split, and no result on validation or test")
    )
    others = tuple(liked[1:6])
    return Choice(
        value=liked[0],
        decision=Decision(key="metric.name", value=liked[0], reason=reason, alternatives=others),
    )


def _is_always_zero(metric: str, split: str, scalars: Sequence[Series]) -> bool:
    logged = (s.values for s in scalars if (s.metric, s.split) == (metric, split))
    return not any(value for values in logged for value in values)


def _metric_words(split: str, liked: Sequence[str], taken: str) -> str:
    """Return why a metric was taken of those that were logged, the best liked first."""
    where = noun_later(split)
    if taken != liked[0]:
        return message(
            "logged on {split}; {metric} is liked better, but it is 0 there in every run at every "
            "step",
            split=where,
            metric=metric_later(liked[0]),
        )
    if len(liked) > 1:
        return message("logged on {split}; the first in the order of preference", split=where)
    return message("logged on {split}", split=where)


def name_metric(plan: MetricPlan, members: Sequence[Member]) -> MetricPlan:
    """Return the plan with the name of the metric filled in."""
    scalars = [series for member in members for series in member.draft.scalars.values()]
    return replace(plan, name=choose_metric(plan, scalars).value)


def choose_direction(plan: MetricPlan, metric: str) -> Choice:
    """Take the direction that the metric's name has."""
    if plan.direction or not metric:
        return Choice(value=plan.direction or "higher")
    known = direction_of(metric)
    value = known or "higher"
    decision = Decision(
        key="metric.direction",
        value=value,
        reason=_direction_words(metric, known),
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
            reason=message(
                "{reason}; what {where} states belongs to the metric named there, and {metric} was "
                "named on the command line",
                reason=decision.reason,
                where=study.stated[decision.key],
                metric=study.metric.name,
            ),
        )
        if decision.key in study.stated and decision.key not in kept.stated
        else decision
        for decision in decisions
    ]


def _direction_words(metric: str, known: str) -> str:
    if not known:
        return message(
            "nothing tells whether {metric} is better when higher or lower", metric=repr(metric)
        )
    if known == "lower":
        return message("{metric} is better when lower", metric=metric_later(metric))
    return message("{metric} is better when higher", metric=metric_later(metric))


def _share_words(some: int, total: int, metric: str, split: str) -> str:
    """Say how many runs logged a metric on a split."""
    return message(
        "{some} of {total} runs logged {metric} on {split}",
        some=some,
        total=total,
        metric=metric_later(metric) if metric else message("a metric"),
        split=noun_later(split),
    )


def _unfollowed(reason: str) -> str:
    """Say of a reason that what was stated could not be followed."""
    return message("the statement could not be followed: {reason}", reason=reason)


def choose_report_split(
    plan: MetricPlan, metric: str, runs: Sequence[Run], *, stated: bool = False
) -> Choice:
    """Report where the study says, or on the selection split where no run logged it."""
    with_report = [r for r in runs if r.is_measured(metric, plan.report_on)]
    if stated and with_report:
        return Choice(value=plan.report_on)
    if with_report or plan.report_on == plan.select_on:
        reason = _share_words(len(with_report), len(runs), metric, plan.report_on)
        reason = _unfollowed(reason) if stated else reason
        return Choice(
            value=plan.report_on,
            decision=Decision(key="metric.report_on", value=plan.report_on, reason=reason),
        )
    if not any(r.is_measured(metric, plan.select_on) for r in runs):
        reason = message(
            "no run logged {metric} on {split} or {other}",
            metric=metric_later(metric) if metric else message("a metric"),
            split=noun_later(plan.report_on),
            other=noun_later(plan.select_on),
        )
        reason = _unfollowed(reason) if stated else reason
        return Choice(
            value=plan.report_on,
            decision=Decision(key="metric.report_on", value="", reason=reason),
        )
    reason = message(
        "no run logged {metric} on {split}: the values are those of {other}, on which the step is "
        "chosen, and so look better than they are",
        metric=metric_later(metric) if metric else message("a metric"),
        split=noun_later(plan.report_on),
        other=noun_later(plan.select_on),
    )
    decision = Decision(
        key="metric.report_on",
        value=plan.select_on,
        reason=_unfollowed(reason) if stated else reason,
    )
    return Choice(value=plan.select_on, decision=decision)


def choose_select_split(
    plan: MetricPlan, metric: str, runs: Sequence[Run], *, stated: bool = False
) -> Choice:
    """Select where the study says; nothing else stands in for a validation split."""
    having = [r for r in runs if r.is_measured(metric, plan.select_on)]
    if stated and having:
        return Choice(value=plan.select_on)
    reason = _share_words(len(having), len(runs), metric, plan.select_on)
    if not having:
        reason = message(
            "{reason}: no best step exists, and no other split stands in for it", reason=reason
        )
        reason = _unfollowed(reason) if stated else reason
    trained = not having and any(r.find(metric, "train") is not None for r in runs)
    return Choice(
        value=plan.select_on,
        decision=Decision(
            key="metric.select_on",
            value=plan.select_on if having else "",
            reason=reason,
            alternatives=("train",) if trained else (),
            asks=trained,
        ),
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
        others=tuple(_as_logged(other, scalars) for other in study.metric.others),
        direction=direction.value,
        select_on=select.value,
        report_on=report.value,
    )
    decisions = [c.decision for c in (name, direction, select, report) if c.decision is not None]
    return plan, decisions
