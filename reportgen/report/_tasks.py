"""Groups of several tasks: each task ranked by itself, and the sentence that says why."""

from __future__ import annotations

from reportgen.languages import message, say
from reportgen.records.document import Code, Text
from reportgen.records.facts import Facts, GroupResult, Task
from reportgen.records.quantity import Quantity
from reportgen.report._phrases import in_words, joined, name_of, things
from reportgen.stats import families_of

MOST_NAMED = 6
"""Tasks that a sentence names."""
MOST_ASIDE = 3
"""Groups that repeat or begin others, and are told of one by one."""

_APART = {
    "environment": message(
        "The runs are of different environments ({names}): results are ranked and "
        "subtracted within one of them alone."
    ),
    "data": message(
        "The runs are of different data sets ({names}): results are ranked and "
        "subtracted within one of them alone."
    ),
    "labels": message(
        "The runs have different numbers of labels ({names}): results are ranked and "
        "subtracted among equal ones alone."
    ),
    "assignment": message(
        "The runs are of different assignments ({names}): results are ranked and "
        "subtracted within one of them alone."
    ),
    "settings": message(
        "The runs have no setting in common ({names}), as those of different programs "
        "do: results are ranked and subtracted within one of them alone."
    ),
    "scale": message(
        "The values of the runs lie apart by orders of magnitude, as those of different "
        "tasks do: results are ranked and subtracted among those of one scale alone."
    ),
}
_WITHIN = {
    "environment": message(" on {task}"),
    "data": message(" on {task}"),
    "assignment": message(" in {task}"),
}
ASIDE = {
    "copy": message("{group} repeats the values of {other}, and is compared with no other."),
    "given_up": message(
        "{group} ended early and was begun again in {other}, and is compared with no other."
    ),
    "resumed": message(
        "{group} may be the beginning of {other}, one training that was resumed, and is compared "
        "with no other."
    ),
}


def told_tasks(facts: Facts) -> tuple[Task, ...]:
    """Return the tasks that groups with a result are of, one that is not stated last."""
    known = [group for group in facts.groups if group.report.n] or facts.groups
    tasks = dict.fromkeys(group.task for group in known if not group.task.is_part)
    return tuple(sorted(tasks, key=lambda task: not task.name))


def within(facts: Facts, task: Task) -> Text:
    """Return the task of a result, where runs are of several; nothing where it has no name."""
    named = _WITHIN.get(task.kind, "") if task.name and len(told_tasks(facts)) > 1 else ""
    return say(named, task=Code(task.name)) if named else ()


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
        shown = tasks[:MOST_NAMED]
        names = [(Code(one.name),) if one.name else say("one not stated") for one in shown]
        some: Text = tuple(part for name in names for part in (*name, ", "))
        listed = joined(names) if len(names) == len(tasks) else (*some, "…")
        texts.append(say(_APART[tasks[0].kind], names=listed))
        if len({group.task for group in facts.groups if group.name in facts.study.compare}) > 1:
            texts.append(
                say(
                    "The study file asks for one difference across them: it may be that of the "
                    "tasks, not of the runs."
                )
            )
    aside = [group for group in facts.groups if group.task.is_part]
    if len(aside) > MOST_ASIDE:
        many = say(
            "{count} {things} repeat the values of others, or may be the beginning of one training "
            "with them, and are compared with no other.",
            count=in_words(len(aside)),
            things=things(facts.groups),
        )
        texts.append(many)
    else:
        texts += [
            say(ASIDE[one.task.kind], group=name_of(one), other=name_of(facts.group(one.task.name)))
            for one in aside
        ]
    return tuple(part for at, text in enumerate(texts) for part in (" ", *text)[not at :])
