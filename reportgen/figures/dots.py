"""Dots: a row a group, with every value, their mean, and an interval."""

from __future__ import annotations

from reportgen.figures._pen import Pen
from reportgen.figures._scale import is_drawable
from reportgen.figures._sheet import Extent, Frame, open_sheet
from reportgen.figures._style import FRAME, stroke
from reportgen.languages import tell
from reportgen.records.document import Chart, Dot, Panel

_ROW_HEIGHT = 27.0
_SMALLEST_ROW = 13.0
_MOST_HEIGHT = 430.0  # rows move together before a figure outgrows its page
_LANE = 6.5  # from the line of the interval up to the values
_RADIUS = 2.1


def draw(chart: Chart) -> bytes:
    """Draw the rows of every panel along one value axis, named by the panel's `x_label`.

    Values are dots, their mean is an upright bar, the interval a whisker. The axis fits the
    values; nothing here has a length that would have to start at zero.
    """
    extents = [_measure_panel(panel) for panel in chart.panels]
    most = max((len(panel.dots) for panel in chart.panels), default=1)
    row_height = max(min(_ROW_HEIGHT, _MOST_HEIGHT / max(most, 1)), _SMALLEST_ROW)
    with open_sheet(chart, extents, (), height=max(most, 2) * row_height) as sheet:
        for panel, frame in zip(chart.panels, sheet.frames, strict=True):
            for row, dot in enumerate(panel.dots):
                _draw_row(sheet.pen, frame, dot, frame.y.place(row))
        return sheet.pen.finish()


def _measure_panel(panel: Panel) -> Extent:
    xs = [
        value
        for dot in panel.dots
        for value in (*dot.values, dot.mean, dot.low, dot.high)
        if value is not None and is_drawable(value)
    ]
    rows = tuple(dot.label for dot in panel.dots) if xs else ()
    return Extent(xs=xs, ys=(), rows=rows)


def _draw_row(pen: Pen, frame: Frame, dot: Dot, middle: float) -> None:
    if frame.is_empty:
        return
    colour = stroke(dot.group_index).colour
    values = sorted(value for value in dot.values if is_drawable(value))
    summarised = dot.mean is not None and is_drawable(dot.mean)
    lane = middle - _LANE / 2 if summarised else middle
    below = middle + _LANE / 2
    if dot.low is not None and dot.high is not None and is_drawable(dot.low + dot.high):
        low, high = frame.x.place(dot.low), frame.x.place(dot.high)
        pen.line([(low, below), (high, below)], colour, width=1.0)
        for end in (low, high):
            pen.line([(end, below - 2), (end, below + 2)], colour, width=1.0)
    if dot.mean is not None and summarised:
        x = frame.x.place(dot.mean)
        pen.line([(x, below - 4), (x, below + 4)], colour, width=2.2)
    if not values:
        pen.text(frame.left + 6, lane, tell("no value"), colour=FRAME)
    pen.markers(_stack([frame.x.place(v) for v in values], lane), "circle", colour, radius=_RADIUS)


def _stack(places: list[float], lane: float) -> list[tuple[float, float]]:
    """Put dots that would cover each other above one another, as far as a row has room."""
    ends: list[float] = []  # right edge of the last dot on each level
    stacked = []
    for x in places:
        free = (level for level, end in enumerate(ends) if x - end >= 2 * _RADIUS)
        level = next(free, len(ends))
        if level == len(ends):
            ends.append(x)
        ends[level] = x
        stacked.append((x, lane - level % 4 * _RADIUS * 1.2))
    return stacked
