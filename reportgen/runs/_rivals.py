"""Several tags of one run that measure the same metric on the same split."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from reportgen.languages import message, metric_later, noun_later
from reportgen.records.run import Series
from reportgen.records.study import Decision, MetricPlan
from reportgen.runs._groups import Member
from reportgen.runs._layout import Draft
from reportgen.runs._names import spell_metric
from reportgen.runs.series import are_close, shared_values

KEY = "metric.tags"


def settle_rivals(members: Sequence[Member], plan: MetricPlan) -> list[Decision]:
    """Keep one tag for the metric that decides where several tags of a run measure it.

    Tags whose values agree at every shared step are the same measurement, written twice. Of
    others the stated one counts; without a statement the one with the most points in all runs,
    then the one that is spelled as the metric is, and that is a question. The others keep a
    metric of their own, named after the tag.

    Args:
        members: The runs; what they hold is changed.
        plan: The metric, its name filled in.

    Returns:
        The decision, if there was one to take.
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
        tags=_and([*taken, *lost]),
        metric=metric_later(plan.name),
        splits=_and(map(noun_later, rivals)),
        taken=_and(taken),
    )
    return [
        Decision(
            key=KEY,
            value=", ".join(taken),
            reason=reason,
            alternatives=tuple(lost),
            asks=True,
        )
    ]


def _and(names: Iterable[str]) -> str:
    return reduce(lambda one, other: message("{first} and {last}", first=one, last=other), names)


def _rivals(scalars: Mapping[str, Series], metric: str) -> dict[str, dict[str, int]]:
    """Return split to the tags that measure a metric on it and disagree, with their points."""
    found: dict[str, dict[str, Series]] = {}
    for key, series in scalars.items():
        if series.metric == metric and series.split and len(series):
            found.setdefault(series.split, {})[key] = series
    return {
        split: {key: len(one) for key, one in several.items()}
        for split, several in found.items()
        if len(several) > 1 and not _agree(list(several.values()))
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
