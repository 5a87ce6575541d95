"""Sentences about selection and length of the runs of two groups.

As for the curves: each function returns the one of its sentences that holds, or None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from reportgen.languages import message, metric_later, noun, noun_later, say, say_count
from reportgen.languages._language import Place
from reportgen.records.document import Number, Text
from reportgen.records.facts import GroupResult, Summary
from reportgen.records.quantity import Evidence, Missing, Quantity
from reportgen.records.study import Study
from reportgen.report._comparison_absent import without_last
from reportgen.report._comparison_pair import (
    Pair,
    enumerated,
    last_step,
)
from reportgen.report._evidence import of_cells, of_evaluation
from reportgen.report._excerpts import MOST_GROUPS
from reportgen.report._number_ids import keys_of
from reportgen.report._numbers import counted, same_runs, step_number
from reportgen.report._phrases import (
    in_words,
    joined,
    name_of,
)
from reportgen.report._run_in_group import run_in_group
from reportgen.stats import select_step, summarise_values


def best_against_last(pair: Pair) -> Text | None:
    """Say in how many runs the best step is the last one, and what that changes."""
    metric = pair.facts.study.metric
    same: list[str] = []
    other: list[str] = []
    for _, group in pair.groups:
        for cell in group.cells:
            if cell.run is None or not isinstance(cell.best_step, Quantity):
                continue
            last = last_step(cell.run, metric.name, metric.select_on)
            name = run_in_group(group, cell)
            (same if last == int(cell.best_step.value) else other).append(name)
    total = len(same) + len(other)
    if total == 0:
        return None
    if total == 1:
        text = say(
            "The best step of the run is the last one."
            if same
            else "The best step of the run is not the last one."
        )
    elif not other:
        text = say(
            "The best step is the last one in every run ({total} of them).", total=in_words(total)
        )
    elif same:
        text = say(
            "The best step is the last one in {some} of {total} runs (not in {others}).",
            some=in_words(len(same)),
            total=in_words(total),
            others=enumerated(other),
        )
    else:
        text = say_count(
            "The best step is the last one in none of {total} run.",
            "The best step is the last one in none of {total} runs.",
            total,
            total=in_words(total),
        )
    return (*text, *_last_means(pair), *_not_compared(pair))


# What reading the last step changes, by what was said before (a mean, a value; `that` of
# another group), and whether it leaves the number as it is printed.
_CHANGES = {
    ("mean", False): message("change the mean {split} {metric} of {group} from {best} to {last}"),
    ("value", False): message("change the {split} {metric} of {group} from {best} to {last}"),
    ("that", False): message("change that of {group} from {best} to {last}"),
    ("mean", True): message("leave the mean {split} {metric} of {group} at {best}"),
    ("value", True): message("leave the {split} {metric} of {group} at {best}"),
    ("that", True): message("leave that of {group} at {best}"),
}


def _last_means(pair: Pair) -> Text:
    """Return what taking the last step instead would change in the means."""
    parts: list[Text] = []
    number, sign = pair.printing.mean, pair.printing.sign
    known = _with_both(pair)
    if len(known) > MOST_GROUPS:
        return _last_means_of_many(pair, known)
    for key, group, report, last in known:
        places: dict[str, Place] = {
            "split": noun(group.report_split),
            "metric": pair.metric,
            "group": name_of(group),
            "best": (number(f"{pair.prefix}.{key}.best_mean", report), sign),
        }
        stays = pair.printing.rounded(report) == pair.printing.rounded(last)
        if not stays:
            places["last"] = (number(f"{pair.prefix}.{key}.last_mean", last), sign)
        what = "that" if parts else "mean" if group.report.n > 1 else "value"
        parts.append(say(_CHANGES[what, stays], **places))
    if not parts:
        return ()
    return (" ", *say("Reading the last step instead would {changes}.", changes=joined(parts)))


def _not_compared(pair: Pair) -> Text:
    """Name the runs for which the two means of a group are not of the same runs."""
    runs = without_last(pair)
    if not runs:
        return ()
    left_out = say(
        "Left out are the groups of runs with no value at their last step: {runs}.",
        runs=runs,
    )
    return (" ", *left_out)


_Both = tuple[str, GroupResult, Quantity, Quantity]


def _with_both(pair: Pair) -> list[_Both]:
    """Return each group with its part of an id and both means, where they are of the same runs."""
    return [
        (key, group, report, last)
        for key, group in pair.groups
        if isinstance(report := group.report.mean, Quantity)
        and isinstance(last := group.last.mean, Quantity)
        and same_runs(group.report, group.last)
    ]


def _last_means_of_many(pair: Pair, known: Sequence[_Both]) -> Text:
    """Say in how many groups the last step gives another result, and where it differs most."""
    rounded, number, sign = pair.printing.rounded, pair.printing.mean, pair.printing.sign
    changed = [one for one in known if rounded(one[2]) != rounded(one[3])]
    if not changed:
        return (" ", *say("Reading the last step instead would change no result as printed."))
    key, group, best, last = max(changed, key=lambda one: abs(rounded(one[2]) - rounded(one[3])))
    runs, total = (
        of_cells(pair.facts.study, [one[1] for one in some]) for some in (changed, known)
    )
    named = f"{pair.prefix}.last_step"
    counts: dict[str, Place] = {
        "some": counted(
            f"{named}.changed", len(changed), message("groups with another result"), runs
        ),
        "all": counted(f"{named}.groups", len(known), message("groups with both results"), total),
    }
    if len({one[1].task for one in known}) > 1:  # which change is the largest nobody can say
        few = say(
            "Reading the last step instead would change the result of {some} of {all} groups.",
            **counts,
        )
        return (" ", *few)
    most = say(
        "Reading the last step instead would change the result of {some} of {all} groups, that of "
        "{group} the most, from {best} to {last}.",
        **counts,
        group=name_of(group),
        best=(number(f"{pair.prefix}.{key}.best_mean", best), sign),
        last=(number(f"{pair.prefix}.{key}.last_mean", last), sign),
    )
    return (" ", *most)


def ties(pair: Pair) -> Text | None:
    """Say how many runs have several best steps, and what the other rule would give."""
    metric = pair.facts.study.metric
    cells = [(g, c) for _, g in pair.groups for c in g.cells if c.tied_steps]
    tied = [(g, c) for g, c in cells if len(c.tied_steps) > 1]
    if not cells:
        return None
    if not tied:
        return say(
            "No run reaches its best {select} {metric} at two steps.",
            select=noun(metric.select_on),
            metric=pair.metric,
        )
    last = metric.ties == "last"
    text = say(
        _TIED[last, len(tied) > 1],
        some=in_words(len(tied)),
        total=in_words(len(cells)),
        select=noun(metric.select_on),
        metric=pair.metric,
        runs=enumerated([run_in_group(g, c) for g, c in tied]),
    )
    other = "first" if last else "last"
    changes = [part for key, g in pair.groups if (part := _other_rule(pair, key, g, other))]
    if not changes:
        same = say(
            "Taking the first would change neither mean as printed."
            if last
            else "Taking the last would change neither mean as printed."
        )
        return (*text, " ", *same)
    changed = say(
        "Taking the first would give a mean of {changes}."
        if last
        else "Taking the last would give a mean of {changes}.",
        changes=joined(changes),
    )
    return (*text, " ", *changed)


# (The last is taken, several runs are tied) to what is said.
_TIED = {
    (False, False): message(
        "{some:cap} of {total} runs reaches the best {select} {metric} at more than one step "
        "({runs}); the first was taken."
    ),
    (False, True): message(
        "{some:cap} of {total} runs reach the best {select} {metric} at more than one step "
        "({runs}); the first was taken."
    ),
    (True, False): message(
        "{some:cap} of {total} runs reaches the best {select} {metric} at more than one step "
        "({runs}); the last was taken."
    ),
    (True, True): message(
        "{some:cap} of {total} runs reach the best {select} {metric} at more than one step "
        "({runs}); the last was taken."
    ),
}


def under_rule(study: Study, group: GroupResult, rule: str) -> Summary:
    """Return the values of a group at its best steps under a tie rule."""
    plan = replace(study.metric, ties=rule)
    readings = [
        select_step(cell.run, plan, report_split=group.report_split).report_value
        for cell in group.cells
        if cell.run is not None
    ]
    what = message(
        "best-step {metric} on {split}, first of ties"
        if rule == "first"
        else "best-step {metric} on {split}, last of ties",
        metric=metric_later(study.metric.name),
        split=noun_later(group.report_split),
    )
    return summarise_values(readings, study.statistics, what=what)


def _other_rule(pair: Pair, key: str, group: GroupResult, rule: str) -> Text:
    """Return the mean under the other tie rule where it is not printed the same."""
    study = pair.facts.study
    ruled = under_rule(study, group, rule)
    mean, report, printing = ruled.mean, group.report.mean, pair.printing
    if isinstance(mean, Missing) or isinstance(report, Missing):
        return ()
    same = same_runs(ruled, group.report)
    if same and printing.rounded(mean) == printing.rounded(report):
        return ()
    places: dict[str, Place] = {
        "mean": (printing.mean(f"{pair.prefix}.{key}.other_rule", mean), printing.sign),
        "own": (printing.mean(f"{pair.prefix}.{key}.this_rule", report), printing.sign),
        "group": name_of(group),
    }
    if same:
        return say("{mean} instead of {own} ({group})", **places)
    return say(
        "{mean} instead of {own} ({group}, over n = {n} instead of n = {own_n})",
        n=ruled.n,
        own_n=group.report.n,
        **places,
    )


def updates(pair: Pair) -> Text | None:
    """Say whether all runs were trained for the same number of updates."""
    metric = pair.facts.study.metric
    last: dict[str, dict[int, list[Evidence]]] = {}
    for _, group in pair.groups:
        for cell in group.cells:
            step = None if cell.run is None else last_step(cell.run, metric.name, metric.select_on)
            if cell.run is not None and step is not None:
                ends = last.setdefault(name_of(group), {}).setdefault(step, [])
                ends += of_evaluation(cell.run, metric, step)
    steps = {step for ends_of in last.values() for step in ends_of}
    if not steps or len(last) < 2:
        return None
    if len(steps) == 1:
        (step,) = steps
        points = [point for ends_of in last.values() for point in ends_of[step]]
        return say(
            "All runs of both groups were last evaluated at the same step, {step}.",
            step=_end(f"{pair.prefix}.updates", step, points),
        )
    keys = keys_of(last)
    parts = [
        _ends(f"{pair.prefix}.updates.{keys[label]}", label, found) for label, found in last.items()
    ]
    return say(
        "The runs are not equally long; they were last evaluated {groups}.",
        groups=joined(parts),
    )


def _ends(key: str, label: str, found: Mapping[int, list[Evidence]]) -> Text:
    """Return at which step, or between which, the runs of a group were last evaluated."""
    numbers = [
        _end(f"{key}.{i}", step, found[step])
        for i, step in enumerate(sorted({min(found), max(found)}))
    ]
    if len(numbers) == 1:
        return say("at step {step} ({group})", group=label, step=numbers[0])
    first, last = numbers
    return say("between steps {first} and {last} ({group})", group=label, first=first, last=last)


def _end(identifier: str, step: int, points: list[Evidence]) -> Number:
    number = Quantity(
        value=step, unit="step", method=message("last evaluated step"), sources=tuple(points)
    )
    return step_number(identifier, number)
