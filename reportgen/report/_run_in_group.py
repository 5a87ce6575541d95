"""A run with its group, in words: the name once where both have the same."""

from __future__ import annotations

from reportgen.languages import tell
from reportgen.records.facts import GroupResult, RunResult
from reportgen.report._phrases import cell_words, name_of


def run_in_group(group: GroupResult, cell: RunResult) -> str:
    """Return what a run is called where runs of several groups are named.

    A folder that holds one run is a group of its own, and both have its name.
    """
    name = cell_words(group, cell)
    if name in {group.name, group.label}:
        return name_of(group)
    return tell("{group}, {run}", group=name_of(group), run=name)
