"""Looks of groups that are drawn without the others: no two of a few in one colour."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from reportgen.records.document import Block, Figure

COLOURS = 7
"""Colours of groups; those further down a report begin again with the first."""


def with_looks(blocks: Iterable[Block]) -> list[Block]:
    """Return blocks whose figures draw no two bands in one colour, where colours suffice.

    A group keeps its colour from figure to figure, but where it would share it with another
    one beside it.

    Args:
        blocks: Of the section of curves.
    """
    return [_tell_apart(block) if isinstance(block, Figure) else block for block in blocks]


def _tell_apart(figure: Figure) -> Figure:
    bands = [band for panel in figure.chart.panels for band in panel.bands]
    looks = choose_looks(band.group_index for band in bands)
    if all(look == index for index, look in looks.items()):
        return figure
    panels = (
        replace(p, bands=tuple(replace(b, look=looks[b.group_index]) for b in p.bands))
        for p in figure.chart.panels
    )
    return replace(figure, chart=replace(figure.chart, panels=tuple(panels)))


def choose_looks(indices: Iterable[int]) -> dict[int, int]:
    """Return the place of each group in the order of looks: its own, or one whose colour is free.

    Args:
        indices: Positions of the groups in the report.

    Example:
        >>> choose_looks([0, 1, 8])
        {0: 0, 1: 1, 8: 2}
    """
    groups = sorted(set(indices))
    used = {index % COLOURS for index in groups}
    free = [place for place in range(COLOURS) if place not in used]
    looks: dict[int, int] = {}
    taken: set[int] = set()
    for index in groups:
        shared = index % COLOURS in taken and len(free) > 0
        looks[index] = free.pop(0) if shared else index
        taken.add(index % COLOURS)
    return looks
