"""Long tables: which rows are printed on pages, and which groups stand for many.

Nothing is left out of a report: every row is in its HTML and in a CSV file beside it, and every
number in report.json. What is chosen here is what a reader of pages is shown of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from reportgen.languages import Place, message, say
from reportgen.records.document import Excerpt, Text
from reportgen.records.facts import Facts, GroupResult, RunResult
from reportgen.records.quantity import Quantity
from reportgen.report._evidence import of_cells
from reportgen.report._focus import ranked_by_task, told_tasks
from reportgen.report._numbers import counted
from reportgen.report._phrases import in_words

MOST_GROUPS = 12
"""Groups that are told of one by one; of more, the best and the weakest stand for all."""
MOST_ROWS = 60
"""Rows that a table of runs has on pages; of more, some are chosen."""
ROWS_AT_AN_END = 5
"""Best and weakest groups that have a row each."""
GROUPS_AT_AN_END = 3
"""Best and weakest groups whose runs or courses are printed, a few rows each."""
MOST_RUNS = 6
"""Runs of a group that are all printed; of more, the ends."""

Item = TypeVar("Item")

_CHOSEN = {
    "rows": message(
        "Printed here are the {ends} groups with the best and the {ends} with the weakest result, "
        "of {groups}."
    ),
    "runs": message(
        "Printed here are the runs of the {ends} groups with the best and of the {ends} with the "
        "weakest result, of {groups} groups."
    ),
    "ends": message(
        "Printed here are some runs of the {ends} groups with the best and of the {ends} with the "
        "weakest result, of {groups} groups: of each its first run, the two best and the two "
        "weakest."
    ),
    "each": message(
        "Printed here are some runs of each group: the first, the two best and the two weakest."
    ),
    "tasks": message(
        "Printed here are the groups with the best and with the weakest result of each of {tasks} "
        "tasks, those with the most groups, some rows of each, of {groups} groups."
    ),
    "courses": message(
        "Printed here are the {ends} groups with the best and the {ends} with the weakest result, "
        "of {groups}, each at a few evaluations: evenly spaced, the last one among them."
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """The groups that stand for many: the best and the weakest, the best one first.

    Attributes:
        groups: In the order of their results.
        each: How many of them are the best, and how many the weakest.
        tasks: How many tasks they are of, where there are several; each has its own order.
    """

    groups: tuple[GroupResult, ...]
    each: int
    tasks: int = 0


def ends_of(facts: Facts, each: int) -> Ends | None:
    """Return the best and the weakest of many groups; None of a dozen, or without an order.

    Of several tasks each has its own, and those with the most groups are taken.
    """
    families = ranked_by_task(facts)
    if len(facts.groups) <= MOST_GROUPS or not families:
        return None
    if len(told_tasks(facts)) > 1:
        shown = families[:each]
        chosen = dict.fromkeys(id(g) for order in shown for g in (order[0], order[-1]))
        groups = tuple(g for order in shown for g in order if id(g) in chosen)
        return Ends(groups=groups, each=1, tasks=len(shown))
    order = families[0]
    if len(order) <= 2 * each:
        return None
    return Ends(groups=(*order[:each], *order[-each:]), each=each)


def excerpt_of_groups(
    facts: Facts, key: str, rows: Mapping[int, int], also: Sequence[int] = ()
) -> Excerpt | None:
    """Choose from a table that has a row for each group.

    Args:
        facts: What the analysis found.
        key: Id of the table.
        rows: `id()` of each group to the index of its row.
        also: Rows that belong to no group, such as a difference; they come last.
    """
    ends = ends_of(facts, ROWS_AT_AN_END)
    if ends is None:
        return None
    chosen = [rows[id(group)] for group in ends.groups if id(group) in rows]
    return Excerpt(rows=(*chosen, *also), note=_note(facts, key, "rows", ends))


def excerpt_of_runs(
    facts: Facts, key: str, rows: Mapping[int, Sequence[int]], count: int
) -> Excerpt | None:
    """Choose from a table that has a row for each run, and perhaps one more for each group.

    Args:
        facts: What the analysis found.
        key: Id of the table.
        rows: `id()` of each group to the indices of its rows, in the order of its cells.
        count: Rows of the table.
    """
    if count <= MOST_ROWS:
        return None
    ends = ends_of(facts, GROUPS_AT_AN_END)
    groups = ends.groups if ends else facts.groups
    chosen = [index for group in groups for index in _few(facts, group, rows[id(group)])]
    if len(chosen) == count:
        return None
    every = all(len(group.cells) <= MOST_RUNS for group in groups)
    kind = "each" if ends is None else "runs" if every else "ends"
    return Excerpt(rows=tuple(chosen), note=_note(facts, key, kind, ends))


def _few(facts: Facts, group: GroupResult, rows: Sequence[int]) -> list[int]:
    """Return the rows of a group: all, or those of a few runs and of what follows the runs."""
    if len(group.cells) <= MOST_RUNS:
        return list(rows)
    known = [i for i, cell in enumerate(group.cells) if isinstance(cell.report_value, Quantity)]
    lower_wins = facts.study.metric.direction == "lower"
    order = sorted(known, key=lambda i: _value(group.cells[i]), reverse=not lower_wins)
    chosen = {0, *order[:2], *order[-2:]}
    return [row for i, row in enumerate(rows) if i in chosen or i >= len(group.cells)]


def _value(cell: RunResult) -> float:
    return cell.report_value.value if isinstance(cell.report_value, Quantity) else 0.0


def excerpt_of_first(
    facts: Facts, key: str, rows: Sequence[Sequence[int]], also: Sequence[int] = ()
) -> Excerpt | None:
    """Choose from a table of many groups that no result puts into an order: the first ones.

    Args:
        facts: What the analysis found.
        key: Id of the table.
        rows: Indices of the rows of each group, in the order of the report.
        also: Rows that belong to no group; they come last.
    """
    if sum(map(len, rows)) <= MOST_ROWS or len(rows) <= MOST_GROUPS:
        return None
    chosen = [index for some in rows[:MOST_GROUPS] for index in some]
    note = say(
        "Printed here are the first {first} of {groups} groups.",
        first=str(MOST_GROUPS),
        groups=groups_number(facts, f"{key}.groups"),
    )
    return Excerpt(rows=(*chosen, *also), note=note)


def thinned(items: Sequence[Item], most: int) -> Sequence[Item]:
    """Return evenly spaced items with the last one among them, where there are too many.

    Example:
        >>> thinned((1, 2, 3, 4, 5, 6, 7), 3)
        (1, 4, 7)
    """
    if len(items) <= most:
        return items
    stride = -(-len(items) // most)
    return items[(len(items) - 1) % stride :: stride]


def _note(facts: Facts, key: str, kind: str, ends: Ends | None) -> Text:
    places: dict[str, Place] = {}
    if ends is not None:
        kind = "tasks" if ends.tasks else kind
        places["tasks"], places["ends"] = in_words(ends.tasks), in_words(ends.each)
        places["groups"] = groups_number(facts, f"{key}.groups")
    return say(_CHOSEN[kind], **places)


def groups_number(
    facts: Facts, identifier: str, groups: Sequence[GroupResult] | None = None
) -> Text:
    """Return how many groups there are, in all or of some, as a number with its evidence."""
    counted_ones = facts.groups if groups is None else groups
    runs = of_cells(facts.study, counted_ones)
    return (counted(identifier, len(counted_ones), message("groups of runs"), runs),)
