"""The mean and the spread of each group along the axis."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from reportgen.languages import say
from reportgen.records.document import Band, Panel, Text
from reportgen.records.facts import Facts, GroupResult
from reportgen.report._curve_crowds import curve_of
from reportgen.report._curve_panels import (
    EVALUATED,
    Family,
    mark_of,
    members_on,
    panel_of,
    printed,
    without_noise,
)
from reportgen.report._curve_words import in_a_row, say_n

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

_FEWEST_SPREAD = 3
"""Runs that a standard deviation asks for."""
_STRAY = 2
"""Times the places of its longest run that those of a group may have, to have a mean at each."""

Course = tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...], tuple[int, ...]]
"""Places of a group, and at each the mean, the standard deviation and the number of runs."""


def band_panel(facts: Facts, family: Family, split: str) -> Panel:
    """Return the mean and the spread of every group on a split, epoch by epoch."""
    bands: list[Band] = []
    for index, group in family.groups:
        x, means, spread, behind = _course(facts, family, group, split)
        if not x:
            continue
        known = any(map(math.isfinite, spread))
        bands.append(
            Band(
                group=group.label,
                group_index=index,
                label=f"{group.label} ({say_n(behind)}){mark_of(group.cells)}",
                x=x,
                mean=means,
                low=tuple(m - s for m, s in zip(means, spread, strict=True)) if known else (),
                high=tuple(m + s for m, s in zip(means, spread, strict=True)) if known else (),
            )
        )
    return panel_of(family, facts.study.metric.name, split, bands=tuple(bands))


def _course(facts: Facts, family: Family, group: GroupResult, split: str) -> Course:
    """Return the mean of a group along the axis; of one with too many rows to list, as logged."""
    if not group.epochs:
        return _course_as_logged(facts, family, group, split)
    rows = [row for row in group.epochs if split in row.splits]
    rows = [row for row in rows if row.splits[split].n]
    summaries = [row.splits[split] for row in rows]
    return (
        tuple(row.epoch if family.by_epoch else float(row.step) for row in rows),
        tuple(printed(summary.mean) for summary in summaries),
        tuple(printed(summary.std) for summary in summaries),
        tuple(summary.n for summary in summaries),
    )


def _course_as_logged(facts: Facts, family: Family, group: GroupResult, split: str) -> Course:
    curves = [
        curve_of(facts, family, cell, series)
        for _, one, cell, series in members_on(family, facts.study.metric.name, split)
        if one is group
    ]
    if not curves:
        return (), (), (), ()
    places = np.unique(np.concatenate([x for x, _ in curves]))
    if len(places) > _STRAY * max(len(x) for x, _ in curves):
        return (), (), (), ()
    values = np.full((len(curves), len(places)), np.nan)
    for row, (x, y) in zip(values, curves, strict=True):
        row[np.searchsorted(places, x)] = y
    return _summarised(places, values, ddof=facts.study.statistics.ddof)


def _summarised(places: Values, values: Values, *, ddof: int) -> Course:
    """Return mean and standard deviation where runs (rows) have values; gaps are not finite."""
    there = np.isfinite(values)
    behind = there.sum(axis=0)
    kept = behind > 0
    values, there, behind = values[:, kept], there[:, kept], behind[kept]
    means = np.where(there, values, 0.0).sum(axis=0) / behind
    squares = np.where(there, (values - means) ** 2, 0.0).sum(axis=0)
    enough = behind >= _FEWEST_SPREAD
    spread = np.where(enough, np.sqrt(squares / np.maximum(behind - ddof, 1)), np.nan)
    return (
        tuple(places[kept].tolist()),
        tuple(map(without_noise, means.tolist())),
        tuple(map(without_noise, spread.tolist())),
        tuple(behind.tolist()),
    )


def counts(facts: Facts, family: Family, group: GroupResult) -> tuple[int, ...]:
    """Return how many runs are behind each mean that there is of a group."""
    if group.epochs:
        return counts_listed(group)
    courses = (_course_as_logged(facts, family, group, split) for split in EVALUATED)
    return tuple(n for *_, behind in courses for n in behind)


def counts_listed(group: GroupResult) -> tuple[int, ...]:
    """Return how many runs are behind each mean in the rows of a group."""
    found = (row.splits[s].n for row in group.epochs for s in EVALUATED if s in row.splits)
    return tuple(n for n in found if n)


def drawn_of(family: Family, panels: Iterable[Panel]) -> Family:
    """Return a family with the groups that have a band in one of the panels."""
    drawn = {band.group_index for panel in panels for band in panel.bands}
    return replace(family, groups=tuple(one for one in family.groups if one[0] in drawn))


def undrawn_words(shown: Family, drawn: Family) -> Text:
    """Name the groups that were chosen to be drawn and have no band; nothing where all have."""
    names = [group.label for index, group in shown.groups if (index, group) not in drawn.groups]
    if not names:
        return ()
    return say("No mean at each step can be drawn of {groups}.", groups=in_a_row(names))
