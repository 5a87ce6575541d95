"""Cells of a grid that cannot be told from each other, or would lie in one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reportgen.records.job import TRAINABLE, Cell, CellId
from reportgen.records.run import Problem


def find_clashes(cells: Sequence[Cell], keys: Mapping[CellId, str], path: str) -> list[Problem]:
    """Name the first two cells of one place, and the first two of one key.

    One `[train]` makes all groups. Where two differ in neither start nor adapter, as groups of
    two learning rates do, a fine-tune of the one would be passed off as one of the other.

    Args:
        cells: Cells of the whole grid.
        keys: (group, seed) to the key of its fine-tune; a cell without one is not trained.
        path: The study file, as problems name it.

    Returns:
        Nothing where no cell that is still to be trained is concerned.

    Example:
        >>> cells = [Cell(group=g, seed=0, state="missing", reason="", place=g) for g in "ab"]
        >>> [problem] = find_clashes(cells, {("a", 0): "k", ("b", 0): "k"}, "study.toml")
        >>> problem.message
        'a/0 and b/0 would be one and the same fine-tune'
    """
    own = [(cell, keys[cell.group, cell.seed]) for cell in cells if (cell.group, cell.seed) in keys]
    found = []
    if pair := _first_pair([(cell, cell.place) for cell, _ in own]):
        found.append(
            Problem(
                path=path,
                message=f"the runs of {_named(*pair)} would both lie at {pair[0].place}",
                remedy="give each group a place of its own in [groups.NAME]",
            )
        )
    if pair := _first_pair(own):
        found.append(
            Problem(
                path=path,
                message=f"{_named(*pair)} would be one and the same fine-tune",
                remedy=(
                    "give the groups different starts or adapters, or take start from the one "
                    "that [train] does not describe"
                ),
            )
        )
    return found


def _first_pair(cells: Sequence[tuple[Cell, str]]) -> tuple[Cell, Cell] | None:
    """Return the first two cells of one word, of which one is still to be trained."""
    seen: dict[str, list[Cell]] = {}
    for cell, word in cells:
        for other in seen.get(word, ()):
            if {cell.state, other.state} & set(TRAINABLE):
                return other, cell
        seen.setdefault(word, []).append(cell)
    return None


def _named(one: Cell, other: Cell) -> str:
    return f"{one.group}/{one.seed} and {other.group}/{other.seed}"
