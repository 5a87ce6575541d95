"""The sentences that summary and abstract share: results of groups, and their difference."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.languages import message, say
from reportgen.languages._language import Place
from reportgen.records.document import Text
from reportgen.records.facts import Comparison, Facts, GroupResult
from reportgen.records.quantity import Missing, Quantity
from reportgen.report._evidence import of_cells
from reportgen.report._number_ids import group_key
from reportgen.report._numbers import Printing, counted, printing_of
from reportgen.report._phrases import group_result, level, name_of
from reportgen.report._points import in_points
from reportgen.report._tasks import (
    best_words,
    caution,
    ranked_by_task,
    told_tasks,
    why_apart,
)

# (Results differ, several groups have the best, several the weakest) to what is told of many.
_LEADS = {
    (False, True, False): message(
        "Of {groups} groups of runs, one of {best} that all have the same result is named here."
    ),
    (True, True, True): message(
        "Of {groups} groups of runs, one of {best} with the best result and one of {weakest} with "
        "the weakest are named here."
    ),
    (True, True, False): message(
        "Of {groups} groups of runs, one of {best} with the best result and the one with the "
        "weakest are named here."
    ),
    (True, False, True): message(
        "Of {groups} groups of runs, the one with the best result and one of {weakest} with the "
        "weakest are named here."
    ),
}
MOST_TOLD = 4


def headline(facts: Facts, prefix: str) -> Text:
    """Return the result of each group, or of the best and the weakest, and the difference."""
    each = _each_task(facts)
    texts = [why_apart(facts) if each else _lead(facts, prefix)]
    for group in told_groups(facts):
        key = f"{prefix}.{group_key(facts, group)}"
        clause = group_result(key, group, facts.study, printing_of(facts.groups, group))
        family = next((order for order in each if order[0] is group), None)
        texts.append(_best_of(facts, clause, family) if family else (*clause, "."))
    if not each:
        texts.append(why_apart(facts))
    if is_difference_told(facts, facts.comparisons):
        texts.append(difference_words(facts, facts.comparisons[0], prefix))
    return tuple(part for text in texts if text for part in (" ", *text))[1:]


def _each_task(facts: Facts) -> list[list[GroupResult]]:
    """Return the groups of each task of several that has an order, where they are many."""
    if len(facts.groups) <= MOST_TOLD or len(told_tasks(facts)) < 2:
        return []
    return ranked_by_task(facts)


def _best_of(facts: Facts, clause: Text, family: list[GroupResult]) -> Text:
    printing = printing_of(facts.groups)
    means = [printing.rounded(g.report.mean) for g in family if isinstance(g.report.mean, Quantity)]
    return best_words(clause, family, means.count(means[0]))


def _lead(facts: Facts, prefix: str) -> Text:
    """Return the sentence that says which of many groups are told of."""
    if len(facts.groups) <= MOST_TOLD:
        return ()
    groups = _in_order(facts)
    runs = of_cells(facts.study, groups)
    places: dict[str, Place] = {
        "groups": counted(f"{prefix}.groups", len(groups), message("groups of runs"), runs)
    }
    if not told_groups(facts):
        return say("None of the {groups} groups of runs has a result at a best step.", **places)
    best, weakest = _ends(facts)
    if len(best) + len(weakest) == len(told_groups(facts)):
        return say(
            "Of {groups} groups of runs, those with the best and the weakest result are named here."
            if weakest
            else "Of {groups} groups of runs, those with a result, which is the same for them, "
            "are named here.",
            **places,
        )
    if not weakest or best[1:]:
        places["best"] = counted(
            f"{prefix}.best", len(best), message("groups with the best result"), runs
        )
    if weakest[1:]:
        method = message("groups with the weakest result")
        places["weakest"] = counted(f"{prefix}.weakest", len(weakest), method, runs)
    return say(_LEADS[bool(weakest), "best" in places, "weakest" in places], **places)


def _in_order(facts: Facts) -> Sequence[GroupResult]:
    """Return the groups among which there is a best one: all, or those that may be compared."""
    order = next(iter(ranked_by_task(facts)), [])
    known = sum(1 for group in facts.groups if group.report.n)
    return facts.groups if len(order) == known else order


def _ends(facts: Facts) -> tuple[tuple[GroupResult, ...], tuple[GroupResult, ...]]:
    """Return every group with the best and with the weakest mean as printed; ties are ties."""
    printing = printing_of(facts.groups)
    known = [
        (printing.rounded(g.report.mean), g)
        for g in _in_order(facts)
        if isinstance(g.report.mean, Quantity)
    ]
    if not known:
        return (), ()
    means = [mean for mean, _ in known]
    low, high = min(means), max(means)
    lowest = tuple(g for mean, g in known if mean == low)
    highest = tuple(g for mean, g in known if mean == high and high != low)
    if facts.study.metric.direction == "lower" or not highest:
        return lowest, highest
    return highest, lowest


def is_difference_told(facts: Facts, comparisons: Sequence[Comparison]) -> bool:
    """Return whether the text gives a difference: one asked for, or of groups it tells of."""
    if not comparisons:
        return False
    pair = {comparisons[0].first, comparisons[0].second}
    told = {group.name for group in told_groups(facts)}
    return bool(facts.study.compare) or pair <= told


def told_groups(facts: Facts) -> tuple[GroupResult, ...]:
    """Return the groups whose results the text states: all, or the best and the weakest.

    Of several tasks the best of each of those with the most groups.
    """
    if len(facts.groups) <= MOST_TOLD:
        return facts.groups
    if each := _each_task(facts):
        return tuple(order[0] for order in each if len(order) > 1)[:MOST_TOLD]
    best, weakest = _ends(facts)
    if len(best) + len(weakest) <= MOST_TOLD:
        return (*best, *weakest)
    return (*best[:1], *weakest[:1])


def difference_words(
    facts: Facts, comparison: Comparison, prefix: str, shown: Printing | None = None
) -> Text:
    """Return the sentence about the headline difference, with as much as n allows."""
    first, second = facts.group(comparison.first), facts.group(comparison.second)
    pair: dict[str, Place] = {"first": name_of(first), "second": name_of(second)}
    if isinstance(comparison.difference, Missing):
        return say(
            "No comparison of {first} and {second} is possible: {reason}.",
            reason=comparison.difference.reason,
            **pair,
        )
    printing = shown or printing_of(facts.groups, first, second)
    unfair = (" ", *found) if (found := caution(facts, comparison)) else ()
    difference = printing.delta(f"{prefix}.difference", comparison.difference)
    pair["difference"] = in_points(printing, difference)
    if isinstance(comparison.low, Missing):
        text = say(
            "The difference between {first} and {second} is {difference}; {reason}.",
            reason=comparison.low.reason,
            **pair,
        )
        return (*text, *unfair)
    text = say(
        "The difference between {first} and {second} is {difference} ({level} interval from {low} "
        "to {high}, paired by seed)."
        if comparison.method == "paired t"
        else "The difference between {first} and {second} is {difference} ({level} interval from "
        "{low} to {high}, by Welch’s method).",
        level=level(facts.study),
        low=printing.delta(f"{prefix}.low", comparison.low),
        high=printing.delta(f"{prefix}.high", comparison.high),
        **pair,
    )
    return (*text, *unfair)
