"""Figures of more runs or groups than can be drawn one by one: the middle, most, and the ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reportgen.languages import say, tell
from reportgen.records.document import Band, Dot, Panel, Text
from reportgen.records.facts import Facts
from reportgen.records.quantity import Quantity
from reportgen.report._curve_panels import (
    Family,
    at_the_ends,
    empty_panel,
    members_on,
    places_of,
    scale_of,
)
from reportgen.report._curve_words import say_n, spaced
from reportgen.report._excerpts import (
    GROUPS_AT_AN_END,
    MOST_GROUPS,
    MOST_ROWS,
    ROWS_AT_AN_END,
    ends_of,
)
from reportgen.report._phrases import in_words
from reportgen.stats import MAX_PLACES, Places, course_of, divide

if TYPE_CHECKING:
    from reportgen.records.facts import RunResult
    from reportgen.records.run import Series
    from reportgen.stats import Curve

MOST_DRAWN = MOST_ROWS
"""Runs whose curves are drawn one by one."""
MOST_DOT_ROWS = 30
"""Groups that have a row each in a plot of dots, as many as a page has room for."""


def is_crowd(family: Family, runs: int) -> bool:
    """Say whether so many runs of these groups are summarised instead of drawn one by one."""
    return runs > MOST_DRAWN or len(family.groups) > MOST_GROUPS


def crowd_panels(
    facts: Facts, family: Family, metric: str, splits: Sequence[str]
) -> tuple[dict[str, Panel], bool]:
    """Return, by split, the middle of many curves and the range of most of them.

    Of a dozen groups each has its own; of more, all runs have one together, and the groups
    with the best and the weakest results their median.

    Returns:
        The panels, and whether their values are those of single places on the axis, not of
        stretches.
    """
    panels: dict[str, Panel] = {}
    exact = True
    for split in splits:
        members = members_on(family, metric, split)
        if not members:
            continue
        curves = [curve_of(facts, family, cell, series) for _, _, cell, series in members]
        places = divide(curves)
        exact = exact and places.exact
        of_group: dict[int, list[Curve]] = {}
        for (index, *_), curve in zip(members, curves, strict=True):
            of_group.setdefault(index, []).append(curve)
        bands = _bands(facts, family, of_group, places)
        panels[split] = replace(empty_panel(family, metric, split), bands=bands)
    return panels, exact


def curve_of(facts: Facts, family: Family, cell: RunResult, series: Series) -> Curve:
    """Return the points of a run as they are drawn."""
    import numpy as np

    values = series.values.astype(np.float64) * scale_of(facts, series)
    if not family.by_epoch:
        return series.steps.astype(np.float64), values
    places = places_of(facts, family, cell, series)
    return np.asarray(places, dtype=np.float64), values


def _bands(
    facts: Facts, family: Family, curves: Mapping[int, list[Curve]], places: Places
) -> tuple[Band, ...]:
    if len(family.groups) <= MOST_GROUPS:
        return tuple(_band(i, g.label, curves[i], places) for i, g in family.groups if i in curves)
    together = [curve for some in curves.values() for curve in some]
    bands = [_band(len(facts.groups), tell("all groups"), together, places)]
    drawn = at_the_ends(facts, family)
    for index, group in drawn.groups if drawn is not None else ():
        if index in curves:
            band = _band(index, group.label, curves[index], places)
            bands.append(replace(band, low=(), high=()))
    return tuple(bands)


def _band(index: int, name: str, curves: Sequence[Curve], places: Places) -> Band:
    course = course_of(curves, places)
    return Band(
        group=name,
        group_index=index,
        label=f"{name} ({say_n([len(curves)])})",
        x=course.x,
        mean=course.middle,
        low=course.low,
        high=course.high,
    )


def crowd_words(facts: Facts, family: Family, *, exact: bool) -> Text:
    """Say what is drawn of many runs, and how it was computed."""
    sentences = [
        say(
            "Too many to be drawn one by one: the line is the median of the runs, and the band "
            "holds nine in ten of them (from quantile 0.05 to 0.95), where half of them or more "
            "have a value."
        )
    ]
    if not exact:
        sentences.append(
            say(
                "Each run counts with its mean in each of {count} equal stretches of the axis.",
                count=MAX_PLACES,
            )
        )
    if at_the_ends(facts, family) is not None:
        beside = say(
            "Beside all groups together stand the medians of the {ends} groups with the best "
            "and the {ends} with the weakest result.",
            ends=in_words(GROUPS_AT_AN_END),
        )
        sentences.append(beside)
    return spaced(sentences)


def drawn_words(facts: Facts, family: Family, shown: Family, there: Family) -> Text:
    """Say which of many groups have their mean drawn; nothing where all were chosen.

    Args:
        facts: What the analysis found.
        family: All groups.
        shown: Those that were chosen to be drawn.
        there: Those of them that are drawn.
    """
    if len(shown.groups) == len(family.groups):
        return ()
    if at_the_ends(facts, family) is not None:
        if len(there.groups) < len(shown.groups):
            return say(
                "Chosen were the {ends} groups with the best and the {ends} with the weakest "
                "result (drawn: {count}).",
                ends=in_words(GROUPS_AT_AN_END),
                count=str(len(there.groups)),
            )
        return say(
            "Drawn are the {ends} groups with the best and the {ends} with the weakest result.",
            ends=in_words(GROUPS_AT_AN_END),
        )
    known = sum(isinstance(group.report.mean, Quantity) for _, group in family.groups)
    counts = {"shown": str(len(there.groups)), "groups": str(len(family.groups))}
    if known > MOST_GROUPS or not known:
        return say(
            "Drawn are {shown} of {groups} groups, at even distances in the order of the report; "
            "the courses of the others are in the logs.",
            **counts,
        )
    if known == len(shown.groups):
        return say(
            "Drawn are {shown} of {groups} groups, those with a result; the courses of the others "
            "are in the logs.",
            **counts,
        )
    return say(
        "Drawn are {shown} of {groups} groups: those with a result and, at even distances in the "
        "order of the report, some without; the courses of the others are in the logs.",
        **counts,
    )


def few_dots(facts: Facts, dots: Sequence[Dot]) -> tuple[tuple[Dot, ...], Text]:
    """Return the rows of a plot of dots, and what is said of it where they are not all groups.

    Of more groups than a page has room for the best and the weakest keep their row, and the
    others share one, with a dot for the mean of each.

    Args:
        facts: What the analysis found.
        dots: A row for each group.
    """
    ends = ends_of(facts, ROWS_AT_AN_END)
    if len(dots) <= MOST_DOT_ROWS or ends is None:
        return tuple(dots), ()
    order = {id(facts.groups[dot.group_index]): dot for dot in dots}
    own = [order[id(group)] for group in ends.groups if id(group) in order]
    if ends.tasks:
        note = say(
            "Drawn are the groups with the best and with the weakest result of each of {tasks} "
            "tasks, those with the most groups.",
            tasks=in_words(ends.tasks),
        )
        return tuple(own), note
    best = [dot for dot in own if facts.groups[dot.group_index] in ends.groups[: ends.each]]
    rest = [dot for dot in dots if dot not in own]
    means = [dot.mean if dot.mean is not None else dot.values[0] for dot in rest if dot.values]
    label = tell("{count} other groups", count=len(rest))
    others = Dot(label=label, group_index=len(facts.groups), values=tuple(means))
    note = say(
        "Drawn are the {ends} groups with the best and the {ends} with the weakest result, and "
        "between them one dot for the mean of each other group.",
        ends=in_words(ROWS_AT_AN_END),
    )
    return (*best, others, *own[len(best) :]), note
