"""Which runs of two groups have no value where others have one, and why, in words."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.languages import tell
from reportgen.records.facts import EpochRow, GroupResult, RunResult
from reportgen.records.quantity import Missing
from reportgen.report._comparison_pair import Pair, enumerated, evaluations_of
from reportgen.report._run_in_group import run_in_group

Place = tuple[GroupResult, Sequence[EpochRow]]


def absent_runs(
    pair: Pair, split: str, places: Sequence[Place], *, lost_alone: bool = False
) -> str:
    """Return the runs that lack a value at some rows of their groups, each with the reason.

    Args:
        pair: The two groups.
        split: Where the values were logged.
        places: Groups with the rows that are looked at; a run without a curve there is no
            run of that split.
        lost_alone: Whether only runs with NaN or infinite values are named.

    Returns:
        For example "NaN or infinite in mlp, seed 2; mlp, seed 3"; nothing where every run
        has its values.
    """
    found = [
        (lost, _name(group, cell))
        for group, rows in places
        for cell in group.cells
        if (lost := _lack(pair, group, cell, split, rows)) is not None
    ]
    return _in_words([one for one in found if one[0] or not lost_alone])


def _name(group: GroupResult, cell: RunResult) -> str:
    return run_in_group(group, cell)


def _in_words(found: Sequence[tuple[bool, str]]) -> str:
    """Return runs under the reason why they have no value, that it is not finite or not logged."""
    lost = [name for not_finite, name in found if not_finite]
    unlogged = [name for not_finite, name in found if not not_finite]
    parts = [tell("NaN or infinite in {runs}", runs=enumerated(lost))] if lost else []
    parts += [tell("not logged by {runs}", runs=enumerated(unlogged))] if unlogged else []
    return tell("; ").join(parts)


def in_brackets(runs: str) -> str:
    """Return what follows a place in brackets, or nothing.

    Example:
        >>> in_brackets("NaN or infinite in mlp, seed 2"), in_brackets("")
        (' (NaN or infinite in mlp, seed 2)', '')
    """
    return f" ({runs})" if runs else ""


def without_last(pair: Pair) -> str:
    """Return the runs with a value at their best step and none at their last one, with the reason.

    Groups whose two means are not of the same runs are not compared, and these are why.
    """
    metric, found = pair.facts.study.metric, []
    for _, group in pair.groups:
        for cell in group.cells:
            if cell.run is None or isinstance(cell.report_value, Missing):
                continue
            if not isinstance(cell.last_value, Missing):
                continue
            series = cell.run.find(metric.name, group.report_split)
            steps = () if series is None else series.steps.tolist()
            select = cell.run.find(metric.name, metric.select_on)
            end = None if select is None or not len(select) else int(select.steps[-1])
            found.append((end in steps, _name(group, cell)))
    return _in_words(found)


def _lack(
    pair: Pair, group: GroupResult, cell: RunResult, split: str, rows: Sequence[EpochRow]
) -> bool | None:
    """Return whether a value of a run is not finite, or none was logged; None where all are."""
    if cell.run is None or not len(cell.run.find(pair.facts.study.metric.name, split) or ()):
        return None
    known = evaluations_of(pair, group, cell, split)
    there = {id(row) for row in rows}
    values = [value for row, value in known if id(row) in there]
    if any(value is None for value in values):
        return True
    return None if len(values) == len(rows) else False
