"""Groups of several tasks: each task ranked by itself, and the sentence that says why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from reportgen.languages import message, say
from reportgen.records.document import Code, Figure, Strong, Text
from reportgen.records.facts import Comparison, Facts, GroupResult, Task
from reportgen.records.quantity import Missing, Quantity
from reportgen.report._phrases import in_words, joined, name_of
from reportgen.stats import families_of

MOST_NAMED = 6
"""Tasks that a sentence names."""
MOST_DRAWN = 4
"""Tasks that have figures of their own."""
MOST_ASIDE = 3
"""Groups that repeat or begin others, and are told of one by one."""

_APART = {
    "environment": message(
        "The groups of runs are of different environments ({names}): results are ranked and "
        "subtracted within one of them alone."
    ),
    "data": message(
        "The groups of runs are of different data sets ({names}): results are ranked and "
        "subtracted within one of them alone."
    ),
    "labels": message(
        "The groups of runs have different numbers of labels ({names}): results are ranked and "
        "subtracted among equal ones alone."
    ),
    "assignment": message(
        "The groups of runs are of different assignments ({names}): results are ranked and "
        "subtracted within one of them alone."
    ),
    "settings": message(
        "The groups of runs have no setting in common ({names}), as those of different programs "
        "do: results are ranked and subtracted within one of them alone."
    ),
    "scale": message(
        "The values of the groups of runs lie apart by orders of magnitude, as those of different "
        "tasks do: results are ranked and subtracted among those of one scale alone."
    ),
}
ASIDE = {
    "copy": message("{group} repeats the values of {other}, and is compared with no group."),
    "given_up": message(
        "{group} ended early and was begun again in {other}, and is compared with no group."
    ),
    "resumed": message(
        "{group} may be the beginning of {other}, one training that was resumed, and is compared "
        "with no group."
    ),
}


def told_tasks(facts: Facts) -> tuple[Task, ...]:
    """Return the tasks that the groups are of, in order of first appearance."""
    tasks = dict.fromkeys(group.task for group in facts.groups)
    return tuple(task for task in tasks if not task.is_part)


def task_drawn_with(facts: Facts, group: GroupResult) -> Task:
    """Return the task in whose figures a group is drawn: its own, or that of its whole."""
    task = group.task
    for _ in facts.groups:
        if not task.is_part:
            break
        task = facts.group(task.name).task
    return task


def drawn_tasks(facts: Facts) -> frozenset[Task]:
    """Return the tasks that have figures: those with the most results, then with most groups."""
    count = Counter(task_drawn_with(facts, group) for group in facts.groups)
    known = Counter(task_drawn_with(facts, group) for group in facts.groups if group.report.n)
    order = sorted(count, key=lambda task: (-known[task], -count[task]))
    return frozenset(order[:MOST_DRAWN])


def undrawn_tasks(facts: Facts) -> Text:
    """Say that not all tasks have figures; nothing where all have."""
    tasks = told_tasks(facts)
    if len(tasks) <= MOST_DRAWN:
        return ()
    drawn, count = in_words(MOST_DRAWN), in_words(len(tasks))
    return say(
        "Drawn are {drawn} of {tasks} tasks, those with the most results.", drawn=drawn, tasks=count
    )


def with_task(facts: Facts, task: Task, figures: Iterable[Figure]) -> list[Figure]:
    """Return the figures of a task, which their captions name where there are several."""
    if len(told_tasks(facts)) < 2:
        return list(figures)
    named: Text = (Strong((*task_words(task), ".")), " ")
    return [replace(figure, caption=(*named, *figure.caption)) for figure in figures]


def task_words(task: Task) -> Text:
    """Return what a task is called; of one that nothing names, that."""
    return (Code(task.name),) if task.name else say("not stated")


def ranked_by_task(facts: Facts) -> list[list[GroupResult]]:
    """Return for each task the most groups that may be compared, the best one first.

    The task with the most groups comes first.
    """
    most: dict[Task, list[GroupResult]] = {}
    for family in families_of(facts.groups):
        task = family[0].task
        if not task.is_part and len(family) > len(most.get(task, ())):
            most[task] = family
    lower_wins = facts.study.metric.direction == "lower"
    families = sorted(most.values(), key=len, reverse=True)
    return [sorted(family, key=_mean_of, reverse=not lower_wins) for family in families]


def _mean_of(group: GroupResult) -> float:
    return group.report.mean.value if isinstance(group.report.mean, Quantity) else 0.0


def why_apart(facts: Facts) -> Text:
    """Return what is said of groups that may not be compared; nothing where all may be."""
    tasks = told_tasks(facts)
    texts: list[Text] = []
    if len(tasks) > 1:
        names = [task_words(task) for task in tasks[:MOST_NAMED]]
        some: Text = tuple(part for name in names for part in (*name, ", "))
        listed = joined(names) if len(names) == len(tasks) else (*some, "…")
        texts.append(say(_APART[tasks[0].kind], names=listed))
    aside = [group for group in facts.groups if group.task.is_part]
    if len(aside) > MOST_ASIDE:
        many = say(
            "{count} groups repeat the values of others, or may be the beginning of one training "
            "with them, and are compared with no group.",
            count=in_words(len(aside)),
        )
        texts.append(many)
    else:
        texts += [
            say(ASIDE[one.task.kind], group=name_of(one), other=name_of(facts.group(one.task.name)))
            for one in aside
        ]
    return tuple(part for at, text in enumerate(texts) for part in (" ", *text)[not at :])


def caution(facts: Facts, comparison: Comparison) -> Text:
    """Return what is to be said of a difference that was asked for and may not be fair."""
    first, second = (facts.group(name) for name in (comparison.first, comparison.second))
    if first.task == second.task or isinstance(comparison.difference, Missing):
        return ()
    if first.task.is_part or second.task.is_part:
        return say(
            "It is given because the study file asks for it, although one of the groups may be a "
            "part of another."
        )
    return say(
        "It is given because the study file asks for it, although the two are not of one task: it "
        "may say more of the tasks than of the groups."
    )


def best_words(result: Text, family: list[GroupResult], best: int) -> Text:
    """Return a sentence on the best result of one task.

    Args:
        result: The result of the first group, without a full stop.
        family: All groups of the task.
        best: How many of them have that result as printed.
    """
    places = {"result": result, "task": task_words(family[0].task)}
    count = in_words(len(family))
    if best == 1:
        return say("{result}; this is the best of {n} groups of {task}.", n=count, **places)
    if best == len(family):
        return say("{result}, as in each of {n} groups of {task}.", n=count, **places)
    return say(
        "{result}; {some} of {n} groups of {task} share this best result.",
        some=in_words(best),
        n=count,
        **places,
    )
