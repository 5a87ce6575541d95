"""Curves by which no step was chosen: of each run, and mean and range of each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import isfinite

from reportgen.languages import message, say, say_count, spoken, tell
from reportgen.records.document import (
    Band,
    Block,
    Chart,
    Figure,
    Line,
    Panel,
    Paragraph,
    Text,
)
from reportgen.records.facts import Facts, OtherMetric
from reportgen.report._curve_crowds import crowd_panels, crowd_words, curve_of, is_crowd
from reportgen.report._curve_numbers import count, drawn, smoothing_words
from reportgen.report._curve_panels import (
    Family,
    empty_panel,
    find_families,
    line_panels,
    members_on,
    smooth_panel,
)
from reportgen.report._curve_words import (
    axis_word,
    describe_crowd,
    how_the_runs_went,
    in_a_row,
    key_words,
    say_n,
    spell,
)
from reportgen.report._excerpts import MOST_GROUPS
from reportgen.report._number_ids import slug
from reportgen.report._tasks import undrawn_tasks, with_task
from reportgen.report._unselected import what_words
from reportgen.stats import MAX_PLACES, course_of, divide

MOST_RUNS = 12
"""Above this a figure shows groups, not runs."""


def unselected_curves(facts: Facts) -> tuple[Block, ...]:
    """Return the figures of every metric that is reported, the one that decides first."""
    figures: list[Figure] = []
    for position, metric in enumerate((facts.deciding, *facts.others.metrics)):
        families = find_families(facts, metric.name, (metric.split,), evaluated=False)
        for family in families:
            drawn_ones = _figures(facts, metric, family, both=position == 0)
            figures += with_task(facts, family.task, drawn_ones)
    if not figures:
        return ()
    use = say("Smoothed curves are for the eye alone: every number is of the values as logged.")
    left = (" ", *left) if (left := undrawn_tasks(facts)) else ()
    return (Paragraph(text=(*how_the_runs_went(figures), " ", *use, *left)), *figures)


def _figures(facts: Facts, metric: OtherMetric, family: Family, *, both: bool) -> list[Figure]:
    """Return the curves of the runs where they are few, and mean and range of the groups.

    Args:
        facts: What the analysis found.
        metric: The metric.
        family: The groups that share axes.
        both: Whether groups are drawn beside runs that can be drawn one by one.
    """
    sources = drawn(family, metric.name, (metric.split,))
    few = len(sources) <= MOST_RUNS
    several = len(sources) > len(family.groups) and len(family.groups) <= MOST_GROUPS
    figures: list[Figure] = []
    if few:
        figures.append(_lines_figure(facts, metric, family))
    if several and (both or not few):
        figures.append(_range_figure(facts, metric, family))
    if not figures:
        crowd = is_crowd(family, len(sources))
        make = _crowd_figure if crowd else _lines_figure
        figures.append(make(facts, metric, family))
    return figures


def _identifier(metric: OtherMetric, family: Family, kind: str) -> str:
    of = slug(f"{metric.name}.{metric.split}" if metric.split else metric.name)
    return f"curves.{kind}.{of}{family.suffix}"


def _say_runs(metric: OtherMetric, family: Family, identifier: str) -> Text:
    sources = drawn(family, metric.name, (metric.split,))
    n = count(f"{identifier}.runs", len(sources), message("runs drawn"), sources)
    return say_count("{n} run", "{n} runs", len(sources), n=n)


def _lines_figure(facts: Facts, metric: OtherMetric, family: Family) -> Figure:
    """Return the curve of every run, smoothed with the values as logged behind."""
    identifier = _identifier(metric, family, "lines")
    panel = line_panels(facts, family, metric.name, (metric.split,))[metric.split]
    runs = _say_runs(metric, family, identifier)
    weight = facts.study.statistics.smoothing
    key = key_words(len(family.groups), len(panel.lines))
    if weight and any(len(line.y) > 1 for line in panel.lines):
        panel = smooth_panel(panel, weight)
        caption = say(
            "{what:cap} of {runs}, smoothed ({smoothing}), with the values as logged faint "
            "behind{key}",
            what=what_words(metric),
            runs=runs,
            smoothing=smoothing_words(facts, identifier),
            key=key,
        )
    else:
        caption = say(
            "{what:cap} of {runs}, as logged{key}", what=what_words(metric), runs=runs, key=key
        )
    return Figure(
        id=identifier,
        caption=caption,
        chart=Chart(kind="curves", panels=(panel,)),
        alt=_describe_lines(metric, panel, family),
    )


def _range_figure(facts: Facts, metric: OtherMetric, family: Family) -> Figure:
    """Return the mean of each group along the axis, and the range of its runs."""
    identifier = _identifier(metric, family, "range")
    members = members_on(family, metric.name, metric.split)
    curves = [curve_of(facts, family, cell, series) for _, _, cell, series in members]
    places = divide(curves)
    bands, last = [], []
    for index, group in family.groups:
        own = [curve for (i, *_), curve in zip(members, curves, strict=True) if i == index]
        course = course_of(own, places, whole=True)
        last.append(course.n[-1] if course.n else 0)
        bands.append(
            Band(
                group=group.label,
                group_index=index,
                label=f"{group.label} ({say_n([len(own)])})",
                x=course.x,
                mean=course.middle,
                low=course.low if len(own) > 1 else (),
                high=course.high if len(own) > 1 else (),
            )
        )
    caption = say(
        "Mean {what} of each group, as logged; the band reaches from the smallest to the largest "
        "value of its runs. Both are drawn where half of the runs or more have a value.",
        what=what_words(metric),
    )
    if not places.exact:
        stretches = say(
            "Each run counts with its mean in each of {count} equal stretches of the axis.",
            count=MAX_PLACES,
        )
        caption = (*caption, " ", *stretches)
    panel = replace(empty_panel(family, metric.name, metric.split), bands=tuple(bands))
    return Figure(
        id=identifier,
        caption=caption,
        chart=Chart(kind="ranges", panels=(panel,)),
        alt=_describe_range(metric, panel, last, family, exact=places.exact),
    )


def _crowd_figure(facts: Facts, metric: OtherMetric, family: Family) -> Figure:
    """Return where most of many runs go, none of which has another of its group beside it."""
    identifier = _identifier(metric, family, "crowd")
    panels, exact = crowd_panels(facts, family, metric.name, (metric.split,))
    said = say(
        "{what:cap} of {runs}, as logged.",
        what=what_words(metric),
        runs=_say_runs(metric, family, identifier),
    )
    return Figure(
        id=identifier,
        caption=(*said, " ", *crowd_words(facts, family, exact=exact)),
        chart=Chart(kind="quantiles", panels=tuple(panels.values())),
        alt=describe_crowd(panels),
    )


# --- alternative texts ------------------------------------------------------------------


def _sign(family: Family) -> str:
    """Return what stands behind a value."""
    return spoken().percent_mark if family.percent else ""


def _describe_lines(metric: OtherMetric, panel: Panel, family: Family) -> str:
    """Return the first and the last value of each curve, as it was logged."""
    axis, sign = axis_word(by_epoch=family.in_epochs), _sign(family)
    shown = in_a_row(_describe_line(line, axis, sign) for line in panel.lines)
    what = what_words(metric)
    return tell("{what:cap} by {axis}, as logged: {lines}.", what=what, axis=axis, lines=shown)


def _describe_line(line: Line, axis: str, sign: str) -> str:
    points = [(x, y) for x, y in zip(line.x, line.y, strict=True) if isfinite(y)]
    name = line.label if line.label == line.group else f"{line.group} {line.label}"
    if not points:
        return tell("{label} no finite value", label=name)
    (first, start), (last, end) = points[0], points[-1]
    return tell(
        "{label} from {start} at {axis} {first} to {end} at {last}",
        label=name,
        axis=axis,
        start=spell(start) + sign,
        first=spell(first),
        end=spell(end) + sign,
        last=spell(last),
    )


def _describe_range(
    metric: OtherMetric, panel: Panel, last: Sequence[int], family: Family, *, exact: bool
) -> str:
    """Return the first and the last mean of each group, and its range there.

    Args:
        metric: The metric.
        panel: Its bands.
        last: How many runs of each group have a value where its band ends.
        family: The groups that share its axes.
        exact: Whether the bands have a value at each step that was logged, not one a stretch.
    """
    pairs = zip(panel.bands, last, strict=True)
    axis = axis_word(by_epoch=family.in_epochs)
    say_band = partial(_describe_band, axis=axis, sign=_sign(family), exact=exact)
    shown = in_a_row(say_band(band, n) for band, n in pairs if band.mean)
    what = what_words(metric)
    return tell("Mean {what} by {axis}. {lines}.", what=what, axis=axis, lines=shown)


def _describe_band(band: Band, n: int, *, axis: str, sign: str, exact: bool) -> str:
    text = tell(
        "{label} from {start} at {axis} {first} to {end} at {last} ({n})"
        if exact
        else "{label} from {start} around {axis} {first} to {end} around {last} ({n})",
        label=band.label,
        axis=axis,
        start=spell(band.mean[0]) + sign,
        first=spell(band.x[0] if exact else round(band.x[0])),
        end=spell(band.mean[-1]) + sign,
        last=spell(band.x[-1] if exact else round(band.x[-1])),
        n=say_n([n]),
    )
    if not band.low:
        return text
    low, high = spell(band.low[-1]) + sign, spell(band.high[-1]) + sign
    return f"{text}, {tell('there between {low} and {high}', low=low, high=high)}"
