"""What groups and runs are called where there is little room."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from reportgen.records.document import Emphasis, Text
from reportgen.records.facts import Facts, GroupResult
from reportgen.report._same import once

LONG = 24
"""Letters from which on a name is cut to what tells it apart."""
_EDGE = "_-/. "


def short_name(facts: Facts, group: GroupResult) -> str:
    """Return the short name that a study gives a group, else its label without what all share."""
    return facts.study.short(group.name) or _cut(_of_task(facts.groups)[group.task]).get(
        group.label, group.label
    )


def in_text(facts: Facts, group: GroupResult) -> Text:
    """Return the short name of a group as running text has it."""
    return (Emphasis((short_name(facts, group),)),)


def shared_frame(facts: Facts, groups: Sequence[GroupResult]) -> str:
    """Return what the short names of some groups leave out, with … in their place, if anything."""
    for group in groups:
        short = short_name(facts, group)
        if short != group.label and not facts.study.short(group.name):
            return group.label.replace(short, "…", 1)
    return ""


@once
def _of_task(groups: tuple[GroupResult, ...]) -> Mapping[object, tuple[str, ...]]:
    """Return the labels of the groups of each task."""
    found: dict[object, list[str]] = {}
    for group in groups:
        found.setdefault(group.task, []).append(group.label)
    return {task: tuple(labels) for task, labels in found.items()}


@once
def _cut(labels: tuple[str, ...]) -> Mapping[str, str]:
    """Return long labels without the words that all of them begin and end with.

    Example:
        >>> _cut(("q2_pendulum_default_Pendulum-v4", "q2_pendulum_gae0.98_Pendulum-v4"))
        {'q2_pendulum_default_Pendulum-v4': 'default', 'q2_pendulum_gae0.98_Pendulum-v4': 'gae0.98'}
    """
    if len(labels) < 2 or max(map(len, labels)) < LONG:
        return {}
    head = _to_edge(_common(labels))
    tails = [label[len(head) :][::-1] for label in labels]
    tail = _to_edge(_common(tails))
    kept = {label: label[len(head) : len(label) - len(tail)].strip(_EDGE) for label in labels}
    return kept if all(kept.values()) and len(set(kept.values())) == len(kept) else {}


def _to_edge(shared: str) -> str:
    """Return a shared beginning up to the last edge of a word in it."""
    found = re.match(rf".*[{re.escape(_EDGE)}]", shared)
    return found[0] if found else ""


def _common(labels: Sequence[str]) -> str:
    """Return what all labels begin with."""
    low, high = min(labels), max(labels)
    same = (at for at, letter in enumerate(low) if at >= len(high) or high[at] != letter)
    return low[: next(same, len(low))]
