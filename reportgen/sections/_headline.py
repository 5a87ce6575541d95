"""The sentences that summary and abstract share: results of groups, and their difference."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.languages import message, say
from reportgen.languages._language import Place
from reportgen.records.document import Text
from reportgen.records.facts import Comparison, Facts, GroupResult
from reportgen.records.quantity import Missing, Quantity
from reportgen.sections._evidence import of_cells
from reportgen.sections._number_ids import group_key
from reportgen.sections._numbers import Printing, counted, printing_of
from reportgen.sections._phrases import group_result, level, name_of
from reportgen.sections._points import in_points

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
    text = _lead(facts, prefix)
    for group in told_groups(facts):
        key = f"{prefix}.{group_key(facts, group)}"
        clause = group_result(key, group, facts.study, printing_of(facts.groups, group))
        text += ((" ",) if text else ()) + (*clause, ".")
    if is_difference_told(facts, facts.comparisons):
        text += (" ", *difference_words(facts, facts.comparisons[0], prefix))
    return text


def _lead(facts: Facts, prefix: str) -> Text:
    """Return the sentence that says which of many groups are told of."""
    if len(facts.groups) <= MOST_TOLD:
        return ()
    runs = of_cells(facts.study, facts.groups)
    places: dict[str, Place] = {
        "groups": counted(f"{prefix}.groups", len(facts.groups), message("groups of runs"), runs)
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


def _ends(facts: Facts) -> tuple[tuple[GroupResult, ...], tuple[GroupResult, ...]]:
    """Return every group with the best and with the weakest mean as printed; ties are ties."""
    printing = printing_of(facts.groups)
    known = [
        (printing.rounded(g.report.mean), g)
        for g in facts.groups
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
    """Return the groups whose results the text states: all, or the best and the weakest."""
    if len(facts.groups) <= MOST_TOLD:
        return facts.groups
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
    difference = printing.delta(f"{prefix}.difference", comparison.difference)
    pair["difference"] = in_points(printing, difference)
    if isinstance(comparison.low, Missing):
        return say(
            "The difference between {first} and {second} is {difference}; {reason}.",
            reason=comparison.low.reason,
            **pair,
        )
    return say(
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
