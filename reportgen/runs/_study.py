"""Filling the empty fields of a study from what the runs hold, with a reason for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from reportgen.languages import message, metric_later, noun_later
from reportgen.records.record import replace
from reportgen.records.run import Run, Series
from reportgen.records.study import COMMAND_LINE, Decision, MetricPlan, Study
from reportgen.runs._groups import Member
from reportgen.runs._kinds import (
    direction_of,
    is_loss,
    is_result,
    is_return,
    liking,
    may_decide,
    tells_quality,
)
from reportgen.runs._layout import Draft, all_of, decided, named_metric
from reportgen.runs._names import metric_name, spell_metric
from reportgen.runs.series import are_close, group_by, shared_values

_EVALUATED = ("validation", "test")
_CLOCKS = frozenset({"epoch", "learning_rate", "grad_norm"})

Choice = tuple[str, Decision | None]
"""A value, and the decision that explains it; None for a stated value."""


def fill_metric(study: Study, runs: Sequence[Run]) -> tuple[MetricPlan, list[Decision]]:
    """Fill the metric's empty fields; units are per layout and filled elsewhere."""
    plan, stated = study.metric, study.stated
    scalars = [series for run in runs for series in run.scalars.values()]
    name = _asked_of_tasks(choose_metric(plan, scalars), runs)
    direction = choose_direction(plan, name[0])
    select = choose_select_split(plan, name[0], runs, stated="metric.select_on" in stated)
    report = choose_report_split(plan, name[0], runs, stated="metric.report_on" in stated)
    plan = replace(
        plan,
        name=name[0],
        others=tuple(_as_logged(other, scalars) for other in plan.others),
        direction=direction[0],
        select_on=select[0],
        report_on=report[0],
    )
    return plan, [made for _, made in (name, direction, select, report) if made is not None]


# --- the metric that decides --------------------------------------------------------------


def choose_metric(plan: MetricPlan, scalars: Sequence[Series]) -> Choice:
    """Take the first preferred metric that was logged on the selection split.

    Nothing of training goes before an evaluation, unless all that was evaluated are statistics
    such as lengths. One that was never anything but 0 there chooses no step: others go before
    it, and that is a question.
    """
    if plan.name:
        return _as_logged(plan.name, scalars), None
    # A column without one number is as good as none.
    scalars = [series for series in scalars if np.isfinite(series.values).any()]
    for able in (may_decide, tells_quality):
        chosen = _of_evaluation(plan, scalars, able) or _of_training(scalars, able)
        if chosen is not None:
            return chosen.value, chosen
    reason = message("no metric was logged: nothing that tells how good a model is")
    chosen = _of_evaluation(plan, scalars, bool) or decided("metric.name", "", reason)
    return chosen.value, chosen


def _asked_of_tasks(choice: Choice, runs: Sequence[Run]) -> Choice:
    """Ask which metric decides where runs, as of several tasks, have other results than it.

    A loss that all share says less than the result that each has; what only some runs log leaves
    the others without a value.
    """
    name, made = choice
    if made is None or made.asks or not name:
        return choice
    own = [_best_liked(run) for run in runs]
    is_lost = [not any(run.is_measured(name, one) for one in _EVALUATED) for run in runs]
    loss = is_loss(name)
    others = Counter(best for best, lost in zip(own, is_lost, strict=True)
                     if best not in {"", name} and (loss or lost))  # fmt: skip
    if not others or (loss and not all(own)):
        return choice
    reason = message(
        "{reason}; runs have other results, as of several tasks: build a report of each",
        reason=made.reason,
    )
    found = dict.fromkeys([*sorted(others, key=liking), *made.alternatives])
    return name, replace(made, reason=reason, alternatives=tuple(found)[:5], asks=True)


def _best_liked(run: Run) -> str:
    """Return the best liked result, and no loss, that a run was evaluated on, or nothing."""
    names = {s.metric for s in run.scalars.values() if s.split in _EVALUATED}
    return min((n for n in names if is_result(n) and not is_loss(n)), key=liking, default="")


def name_metric(plan: MetricPlan, members: Sequence[Member]) -> MetricPlan:
    """Return the plan with the name of the metric filled in."""
    scalars = [series for member in members for series in member.draft.scalars.values()]
    return replace(plan, name=choose_metric(plan, scalars)[0])


def _as_logged(stated: str, scalars: Sequence[Series]) -> str:
    """Return a stated metric in the spelling of the layouts, where it was logged only so."""
    logged = {series.metric for series in scalars}
    spelled = metric_name(stated)
    return spelled if stated not in logged and spelled in logged else stated


def _of_evaluation(
    plan: MetricPlan, scalars: Sequence[Series], able: Callable[[str], bool]
) -> Decision | None:
    """Take the best liked of what was logged on the first split that has a metric."""
    for split in (plan.select_on, plan.report_on, "validation", "test"):
        of_split = [s for s in scalars if s.split == split and able(s.metric)]
        liked = _by_liking(of_split, scalars)
        if liked:
            measured = {s.metric for s in of_split if s.values.any()}
            name = next((n for n in liked if n in measured), liked[0])
            others = [other for other in liked if other != name]
            reason = _metric_words(split, liked, name)
            return decided("metric.name", name, reason, others[:5], asks=name != liked[0])
    return None


def _by_liking(found: Sequence[Series], scalars: Sequence[Series]) -> list[str]:
    """Return metrics, the best liked first; one of few runs does not stand for all of them.

    What a policy earned counts wherever it was logged: of its losses each run logs many.
    """
    count = Counter(s.metric for s in found if s.metric not in _CLOCKS)
    count |= Counter(s.metric for s in scalars if s.metric in count and is_return(s.metric))
    most = max(count.values(), default=0)
    return sorted(count, key=lambda n: (2 * count[n] < most, liking(n), -count[n], n))


def _of_training(scalars: Sequence[Series], able: Callable[[str], bool]) -> Decision | None:
    """Take the best liked of what was logged in training, or of a split that nobody named.

    Nothing is chosen with it.
    """
    liked = _by_liking([s for s in scalars if able(s.metric)], scalars)
    if not liked:
        return None
    reason = (
        message("logged on {split}, and no result on validation or test", split=noun_later("train"))
        if any(s.split == "train" for s in scalars if s.metric == liked[0])
        else message("logged without a split, and no result on validation or test")
    )
    return decided("metric.name", liked[0], reason, liked[1:6])


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


def choose_direction(plan: MetricPlan, metric: str) -> Choice:
    """Take the direction that the metric's name has."""
    if plan.direction or not metric:
        return plan.direction or "higher", None
    known = direction_of(metric)
    value = known or "higher"
    reason = (
        message("{metric} is better when lower", metric=metric_later(metric))
        if known == "lower"
        else message("{metric} is better when higher", metric=metric_later(metric))
        if known
        else message(
            "nothing tells whether {metric} is better when higher or lower", metric=repr(metric)
        )
    )
    others = () if known else ("lower",)
    return value, decided("metric.direction", value, reason, others, asks=not known)


# --- a metric that was named on the command line ------------------------------------------


def without_foreign(study: Study) -> Study:
    """Drop the direction, unit and tags that a study file states for another metric.

    A metric named on the command line is not the one that the file speaks of.
    """
    if study.stated.get("metric.name") != COMMAND_LINE:
        return study
    foreign: dict[str, Any] = {
        field: empty
        for field, empty in (("direction", ""), ("unit", ""), ("tags", ()))
        if study.stated.get(f"metric.{field}", COMMAND_LINE) != COMMAND_LINE
    }
    keys = {f"metric.{field}" for field in foreign}
    stated = {key: who for key, who in study.stated.items() if key not in keys}
    return replace(study, metric=replace(study.metric, **foreign), stated=stated)


def explain_foreign(filled: Study, study: Study, kept: Study) -> Study:
    """Add to each decision that replaces a statement about another metric why it does.

    Args:
        filled: The study with its decisions.
        study: The study as it was stated.
        kept: The study as `without_foreign` left it.
    """
    pattern = message(
        "{reason}; what {where} states belongs to the metric named there, and {metric} was "
        "named on the command line"
    )
    decisions = []
    for made in filled.decisions:
        if made.key in study.stated and made.key not in kept.stated:
            places = {"where": study.stated[made.key], "metric": study.metric.name}
            made = replace(made, reason=message(pattern, reason=made.reason, **places))  # noqa: PLW2901
        decisions.append(made)
    return replace(filled, decisions=tuple(decisions))


# --- its splits ---------------------------------------------------------------------------


def _share_words(runs: Sequence[Run], metric: str, split: str) -> tuple[int, str]:
    """Count the runs that logged a metric on a split, and say so."""
    some = sum(run.is_measured(metric, split) for run in runs)
    return some, message(
        "{some} of {total} runs logged {metric} on {split}",
        some=some,
        total=len(runs),
        metric=named_metric(metric),
        split=noun_later(split),
    )


def _unfollowed(reason: str, *, stated: bool) -> str:
    """Say of a reason that what was stated could not be followed."""
    pattern = message("the statement could not be followed: {reason}")
    return message(pattern, reason=reason) if stated else reason


def choose_report_split(
    plan: MetricPlan, metric: str, runs: Sequence[Run], *, stated: bool = False
) -> Choice:
    """Report where the study says, or on the selection split where no run logged it."""
    having, reason = _share_words(runs, metric, plan.report_on)
    if stated and having:
        return plan.report_on, None
    value, taken = plan.report_on, plan.report_on
    places = {
        "metric": named_metric(metric),
        "split": noun_later(plan.report_on),
        "other": noun_later(plan.select_on),
    }
    if not having and plan.report_on != plan.select_on:
        if any(r.is_measured(metric, plan.select_on) for r in runs):
            value = taken = plan.select_on
            reason = message(
                "no run logged {metric} on {split}: the values are those of {other}, on which the "
                "step is chosen, and so look better than they are",
                **places,
            )
        else:
            taken = ""
            reason = message("no run logged {metric} on {split} or {other}", **places)
    return value, decided("metric.report_on", taken, _unfollowed(reason, stated=stated))


def choose_select_split(
    plan: MetricPlan, metric: str, runs: Sequence[Run], *, stated: bool = False
) -> Choice:
    """Select where the study says; nothing else stands in for a validation split."""
    having, reason = _share_words(runs, metric, plan.select_on)
    if having:
        decision = None if stated else decided("metric.select_on", plan.select_on, reason)
        return plan.select_on, decision
    reason = message(
        "{reason}: no best step exists, and no other split stands in for it", reason=reason
    )
    trained = any(run.find(metric, "train") is not None for run in runs)
    others = ("train",) if trained else ()
    reason = _unfollowed(reason, stated=stated)
    return plan.select_on, decided("metric.select_on", "", reason, others, asks=trained)


# --- several tags of one run that measure it ----------------------------------------------


def settle_rivals(members: Sequence[Member], plan: MetricPlan) -> list[Decision]:
    """Keep one tag for the metric that decides where several tags of a run measure it.

    Tags whose values agree at every shared step are the same measurement, written twice. Of
    others the stated one counts; without a statement the one with the most points in all runs,
    then the one that is spelled as the metric is, and that is a question. The others keep a
    metric of their own, named after the tag.

    What the runs hold is changed; the decision is returned, if there was one to take.
    """
    rivals: dict[str, Counter[str]] = {}
    for member in members:
        for split, keys in _rivals(member.draft.scalars, plan.name).items():
            rivals.setdefault(split, Counter()).update(keys)
    if not rivals:
        return []
    order = {split: _ordered(points, plan) for split, points in rivals.items()}
    for member in members:
        for split in rivals:
            _rename_losers(member.draft, plan.name, split, order[split])
    if plan.tags:
        return []
    taken = [keys[0] for keys in order.values()]
    lost = [key for keys in order.values() for key in keys[1:]]
    reason = message(
        "{tags} measure {metric} on {splits} and differ; {taken} counts, having most points, or "
        "its name",
        tags=all_of([*taken, *lost]),
        metric=metric_later(plan.name),
        splits=all_of(map(noun_later, rivals)),
        taken=all_of(taken),
    )
    return [decided("metric.tags", ", ".join(taken), reason, lost, asks=True)]


def _rivals(scalars: Mapping[str, Series], metric: str) -> dict[str, dict[str, int]]:
    """Return split to the tags that measure a metric on it and disagree, with their points."""
    found = [(k, s) for k, s in scalars.items() if s.metric == metric and s.split and len(s)]
    return {
        split: {key: len(one) for key, one in several}
        for split, several in group_by(found, lambda one: one[1].split).items()
        if len(several) > 1 and not _agree([one for _, one in several])
    }


def _agree(several: Sequence[Series]) -> bool:
    """Tell whether all have the values of the longest wherever they share a step, and share one."""
    longest = max(several, key=len)
    for one in several:
        both, mine, theirs = shared_values(longest, one)
        if not len(both) or not are_close(mine, theirs).all():
            return False
    return True


def _ordered(points: Mapping[str, int], plan: MetricPlan) -> list[str]:
    """Return tags in the order in which they count."""
    return sorted(
        points,
        key=lambda key: (
            key not in plan.tags,
            -points[key],
            spell_metric(key.rpartition("/")[2]) != plan.name,
            key,
        ),
    )


def _rename_losers(draft: Draft, metric: str, split: str, order: Sequence[str]) -> None:
    """Leave the metric to the first tag that a run has; the others take their own name."""
    scalars = draft.scalars
    there = [key for key in order if key in scalars and scalars[key].split == split]
    for key in there[1:]:
        own = spell_metric(key.rpartition("/")[2])
        name = own if own != metric else spell_metric(key)
        scalars[key] = replace(scalars[key], metric=name)
        draft.results = [
            replace(one, metric=name) if one.tag == key else one for one in draft.results
        ]
