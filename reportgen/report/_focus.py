"""Which groups the body tells of: those that may be compared; the others stand by themselves."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.languages import message, say
from reportgen.records.document import Code, Text
from reportgen.records.facts import Comparison, Facts, GroupResult, Task
from reportgen.records.quantity import Quantity
from reportgen.records.record import record, replace
from reportgen.report._words import words_of
from reportgen.report.phrases import has_seeds, in_words, joined, name_of, things
from reportgen.stats import families_of

MOST_SIDE_BY_SIDE = 6
"""Groups whose runs are shown one by one; of more, the groups are ranked."""
LITTLE = 0.002
"""Share of the best one within which results of single runs are nearly the same."""
MOST_RUNS = 18
"""Runs that a table of the body lists."""


@record
class Focus:
    """The groups of the body.

    Attributes:
        groups: Those that may be compared with each other, the best first where nobody declared
            an order; of several families
            the one that the headline compares, else the one with most groups and runs.
        others: Every other group, in report order.
        comparison: The headline difference, where there is one.
        is_mixed: Whether the groups are of several tasks, as many of each: side by side, not
            ranked.
    """

    groups: tuple[GroupResult, ...]
    others: tuple[GroupResult, ...]
    comparison: Comparison | None = None
    is_mixed: bool = False

    @property
    def is_sweep(self) -> bool:
        """Whether groups are ranked instead of shown run by run."""
        if self.is_mixed:
            return False
        known = [group for group in self.groups if group.report.n]
        runs = sum(len(group.cells) for group in known)
        return len(known) > MOST_SIDE_BY_SIDE or (runs > MOST_RUNS and len(known) > 1)

    @property
    def has_seeds(self) -> bool:
        """Whether seeds name the runs of every group."""
        return all(has_seeds(group) for group in self.groups)

    def pair(self, facts: Facts) -> tuple[GroupResult, GroupResult] | None:
        """Return the two groups of the headline difference."""
        if self.comparison is None:
            return None
        return facts.group(self.comparison.first), facts.group(self.comparison.second)


def focus_of(facts: Facts) -> Focus:
    """Return the groups of the body."""
    comparison = next(
        (one for one in facts.comparisons if isinstance(one.difference, Quantity)), None
    )
    families = families_of(facts.groups)
    if not families:
        return Focus(groups=facts.groups, others=())
    named = {comparison.first, comparison.second} if comparison else set()
    chosen = next(
        (family for family in families if named and named <= {g.name for g in family}), None
    )
    if comparison and chosen is None:
        chosen = [facts.group(comparison.first), facts.group(comparison.second)]
    if chosen is None and (mixed := _equals(families)):
        return Focus(groups=mixed, others=(), is_mixed=True)
    # Of a training and its beginning the whole one is told of.
    kept = chosen or max(families, key=lambda family: (not family[0].task.is_part, *_size(family)))
    inside = {group.name for group in kept}
    # A group without a value belongs to those it was to be compared with.
    inside |= {g.name for g in facts.groups if g.report.n == 0 and g.task == kept[0].task}
    first = [comparison.first, comparison.second] if comparison else []
    groups = [g for g in facts.groups if g.name in inside]
    if not _declared(facts) and knows_better(facts):
        first += [g.name for g in ranked(facts, groups) if g.name not in first]
    order = {name: place for place, name in enumerate(first)}
    return Focus(
        groups=tuple(sorted(groups, key=lambda g: order.get(g.name, len(order)))),
        others=tuple(g for g in facts.groups if g.name not in inside),
        comparison=comparison,
    )


def facts_of(facts: Facts, groups: Sequence[GroupResult]) -> Facts:
    """Return the facts of some groups alone, which is what a section on them tells of."""
    names = {group.name for group in groups}
    if len(names) == len(facts.groups):
        return facts
    return replace(
        facts,
        groups=tuple(group for group in facts.groups if group.name in names),
        comparisons=tuple(one for one in facts.comparisons if {one.first, one.second} <= names),
    )


def has_abstract(facts: Facts) -> bool:
    """Return whether an abstract of ours says what may not be compared, and what is missing."""
    return not facts.study.report.abstract and not facts.study.questions


def _equals(families: Sequence[Sequence[GroupResult]]) -> tuple[GroupResult, ...]:
    """Return the groups of several tasks of which none has more runs than another."""
    whole = [family for family in families if not family[0].task.is_part]
    groups = tuple(group for family in whole for group in family)
    few = sum(len(group.cells) for group in groups) <= MOST_RUNS
    alike = len({_size(family) for family in whole}) == 1 and len(whole) == len(families)
    return groups if alike and few and len({family[0].task for family in whole}) > 1 else ()


def _declared(facts: Facts) -> bool:
    """Return whether a study file names the groups, in an order of its own."""
    return any(key.split(".")[0] == "groups" for key in facts.study.stated)


def _size(family: Sequence[GroupResult]) -> tuple[int, int]:
    return len(family), sum(group.report.n for group in family)


def ranked(facts: Facts, groups: Sequence[GroupResult]) -> list[GroupResult]:
    """Return groups with a result, the best one first; the largest where nothing tells better."""
    known = [group for group in groups if isinstance(group.report.mean, Quantity)]
    return sorted(known, key=_mean, reverse=facts.selection.direction != "lower")


def knows_better(facts: Facts) -> bool:
    """Return whether the study or the metric's name tells which values are better."""
    return bool(facts.selection.direction)


def _mean(group: GroupResult) -> float:
    return group.report.mean.value if isinstance(group.report.mean, Quantity) else 0.0


# --- tasks ----------------------------------------------------------------------------


MOST_NAMED = 6
"""Tasks that a sentence names."""
MOST_ASIDE = 3
"""Groups that repeat or begin others, and are told of one by one."""

_WITHIN = {
    "environment": message(" on {task}"),
    "data": message(" on {task}"),
    "assignment": message(" in {task}"),
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
    return [sorted(family, key=_mean, reverse=not lower_wins) for family in families]


def why_apart(facts: Facts) -> Text:
    """Return what is said of groups that may not be compared; nothing where all may be."""
    tasks = told_tasks(facts)
    texts: list[Text] = []
    if len(tasks) > 1:
        shown = tasks[:MOST_NAMED]
        names = [(Code(one.name),) if one.name else say("one not stated") for one in shown]
        some: Text = tuple(part for name in names for part in (*name, ", "))
        listed = joined(names) if len(names) == len(tasks) else (*some, "…")
        texts.append(say(words_of("apart")[tasks[0].kind], names=listed))
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
            "{count:cap} {things} repeat the values of others, or may be the beginning of one "
            "training with them, and are compared with no other.",
            count=in_words(len(aside)),
            things=things(facts.groups),
        )
        texts.append(many)
    else:
        texts += [
            say(
                words_of("aside")[one.task.kind],
                group=name_of(one),
                other=name_of(facts.group(one.task.name)),
            )
            for one in aside
        ]
    return tuple(part for at, text in enumerate(texts) for part in (" ", *text)[not at :])
