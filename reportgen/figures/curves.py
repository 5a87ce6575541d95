"""Curves: one line a run, the raw values faint behind the smoothed ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from reportgen.figures._pen import Pen
from reportgen.figures._scale import Point, find_drawable, find_reach
from reportgen.figures._sheet import EndLabel, Extent, Frame, Mark, fits_beside, open_sheet
from reportgen.figures._style import (
    DIRECT_LABELS,
    FRAME,
    LEGEND_LINES,
    MARKERS,
    Stroke,
    group_stroke,
    stroke,
)
from reportgen.figures._thin import split_runs
from reportgen.languages import tell
from reportgen.records.document import Chart, Line, Panel

# Group and member.
Key = tuple[int, int]

_MARKED_POINTS = 30  # a curve with more points carries a marker here and there
_SPARSE_MARKERS = 6


def draw(chart: Chart) -> bytes:
    """Draw the lines of every panel.

    Up to eight lines a panel are named at their ends; more, or longer names, are written
    below, and more than sixteen lines are named by their group alone. Where two groups have a
    line of one label, or runs of other seeds, every line is named with its group; below, where
    all of them have the same labels, groups and labels are named once each.
    """
    names = [line.label for panel in _tell_apart(chart).panels for line in panel.lines]
    most = max((len(panel.lines) for panel in chart.panels), default=0)
    crowded = most > DIRECT_LABELS or not fits_beside(chart.panels, names)
    looks = _choose_looks(chart)
    members = _find_shared_labels(chart) if crowded else {}
    chart = chart if members else _tell_apart(chart)
    extents = [_measure_panel(panel, looks, labelled=not crowded) for panel in chart.panels]
    marks = _list_marks(chart, looks, members, crowded=crowded)
    with open_sheet(chart, extents, marks) as sheet:
        for panel, frame in zip(chart.panels, sheet.frames, strict=True):
            many = len(panel.lines) > LEGEND_LINES
            for line in panel.lines:
                _draw_line(sheet.pen, frame, line, looks[_key(line)], many=many)
        return sheet.pen.finish()


def _tell_apart(chart: Chart) -> Chart:
    """Name every line with its group where two groups have one label, or where it asks for it."""
    lines = [line for panel in chart.panels for line in panel.lines]
    groups: dict[str, set[int]] = {}
    for line in lines:
        groups.setdefault(line.label, set()).add(line.group_index)
    asked = any(line.in_full for line in lines)
    if all(len(own) == 1 for own in groups.values()) and not asked:
        return chart
    panels = (
        replace(p, lines=tuple(replace(line, label=_name_in_full(line)) for line in p.lines))
        for p in chart.panels
    )
    return replace(chart, panels=tuple(panels))


def _find_shared_labels(chart: Chart) -> dict[int, str]:
    """Find the labels of the members where each group has the same ones, and a marker tells each.

    Returns:
        Label of each member; empty where there is one group or one member, or where a label
        or a member has another meaning in another group.
    """
    lines = [line for panel in chart.panels for line in panel.lines]
    labels = {line.member: line.label for line in lines}
    groups = {line.group_index for line in lines}
    alike = all(labels[line.member] == line.label for line in lines)
    apart = len(set(labels.values())) == len(labels) <= len(MARKERS)
    each = {(group, member) for group in groups for member in labels}
    several = min(len(groups), len(labels)) > 1 and each == {_key(line) for line in lines}
    return labels if several and alike and apart else {}


def _key(line: Line) -> Key:
    return line.group_index, line.member


def _choose_looks(chart: Chart) -> dict[Key, Stroke]:
    """Give each line its look: markers tell members apart, or groups of one member each."""
    keys = {_key(line) for panel in chart.panels for line in panel.lines}
    if len({group for group, _ in keys}) == len(keys):
        return {key: group_stroke(key[0]) for key in keys}
    return {key: stroke(*key) for key in keys}


def _measure_panel(panel: Panel, looks: Mapping[Key, Stroke], *, labelled: bool) -> Extent:
    """Measure how far the panel's lines reach, and find the last point of each for its label."""
    xs: list[float] = []
    ys: list[float] = []
    labels: list[EndLabel] = []
    for line in panel.lines:
        for values in filter(None, (line.y, line.smoothed)):
            across, up = find_reach(line.x, values)
            xs += across
            ys += up
        if labelled and (shown := find_drawable(line.x, line.smoothed or line.y)):
            x, y = shown[-1]
            labels.append(EndLabel(text=line.label, stroke=looks[_key(line)], x=x, y=y))
    return Extent(xs=xs, ys=ys, labels=tuple(labels))


def _list_marks(
    chart: Chart, looks: Mapping[Key, Stroke], members: Mapping[int, str], *, crowded: bool
) -> list[Mark]:
    """Decide what the legend says: every line, every group, or what else has no name.

    Args:
        chart: The panels.
        looks: Look of each line.
        members: Labels that all groups share; empty where lines are named one by one.
        crowded: No line is named at its end.
    """
    lines = [line for panel in chart.panels for line in panel.lines]
    most = max((len(panel.lines) for panel in chart.panels), default=0)
    named = {_key(line): line for line in reversed(lines)}
    drawn = {_key(line) for line in lines if any(find_reach(line.x, line.smoothed or line.y))}
    absent = [
        Mark(stroke=looks[key], text=f"{_name_in_full(named[key])} ({tell('no values')})")
        for key in sorted(set(named) - drawn)
    ]
    if crowded and most <= LEGEND_LINES and not members:
        shown = [Mark(stroke=looks[key], text=_name_in_full(named[key])) for key in sorted(drawn)]
        return shown + absent
    # A line without any point has no end at which its name could stand.
    absent = [] if (crowded and not members) or not drawn else absent
    groups = {line.group_index: line.group for line in reversed(lines) if line.group}
    if not crowded and all(line.group in line.label for line in lines):
        return absent
    kept = sorted(set(groups) & ({group for group, _ in drawn} or set(groups)))
    shown = [Mark(stroke=stroke(index), text=groups[index], marker=False) for index in kept]
    if most <= LEGEND_LINES:
        shown += [
            Mark(stroke=replace(stroke(0, member), colour=FRAME), text=members[member], line=False)
            for member in sorted(members)
        ]
    return shown + absent


def _name_in_full(line: Line) -> str:
    return line.label if line.group in line.label else f"{line.group}, {line.label}"


def _draw_line(pen: Pen, frame: Frame, line: Line, look: Stroke, *, many: bool) -> None:
    if line.smoothed:
        _draw_stretches(pen, frame, split_runs(line.x, line.y), look, faint=True)
    shown = line.smoothed or line.y
    stretches = split_runs(line.x, shown)
    _draw_stretches(pen, frame, stretches, look, faint=False, thin=many)
    points = [point for stretch in stretches for point in stretch]
    if len(points) <= _MARKED_POINTS:
        pen.markers(_to_page(frame, points), look.marker, look.colour)
    elif not many:
        every = len(points) / _SPARSE_MARKERS
        # Members start at different places, so that their markers do not lie on a column.
        first = every * (line.member % 5 + 1) / 6
        chosen = [points[int(first + k * every)] for k in range(_SPARSE_MARKERS)]
        pen.markers(_to_page(frame, chosen), look.marker, look.colour)


def _draw_stretches(
    pen: Pen,
    frame: Frame,
    stretches: Sequence[Sequence[Point]],
    look: Stroke,
    *,
    faint: bool,
    thin: bool = False,
) -> None:
    """Draw the pieces of a curve; a point alone between two gaps is a dot."""
    for stretch in stretches:
        places = _to_page(frame, stretch)
        if len(places) == 1:
            pen.markers(places, "circle", look.colour, radius=1.1, alpha=0.4 if faint else 1.0)
        elif faint:
            pen.line(places, look.colour, width=0.6, alpha=0.35)
        else:
            pen.line(places, look.colour, width=0.8 if thin else 1.3, dashes=look.dashes)


def _to_page(frame: Frame, points: Sequence[Point]) -> list[Point]:
    columns = np.array(points, dtype=float).reshape(-1, 2)
    places: list[Point] = np.column_stack(
        [frame.x.places(columns[:, 0]), frame.y.places(columns[:, 1])]
    ).tolist()
    return places
