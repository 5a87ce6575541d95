"""A sheet: panels side by side with their axes, and a legend below where one is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from reportgen.figures._labels import relax
from reportgen.figures._pen import Pen, fit, measure
from reportgen.figures._scale import (
    Scale,
    find_decades,
    find_limits,
    find_powers,
    find_ticks,
    label_ticks,
)
from reportgen.figures._style import (
    AXES_HEIGHT,
    FAINT,
    FRAME,
    GRID,
    LEGEND_CHARACTERS,
    LINE_HEIGHT,
    PAIR_WIDTH,
    SINGLE_WIDTH,
    Stroke,
    shorten,
)
from reportgen.languages import tell
from reportgen.records.document import Chart, Panel

_MARGIN = 2.0
_GUTTER = 14.0
_SAMPLE = 20.0  # length of a line in the legend
_DOT = 6.0  # the same for a marker without its line
_LEADER = 9.0  # from the frame to a direct label
_KEY = 16.0  # length of the line in front of a direct label
_BESIDE_SHARE = 0.3  # of a panel's width, at most, for names that stand beside lines
_LABEL_SHARE = 0.36  # of a panel's width, at most, for direct labels
_ROW_SHARE = 0.6  # the same for names of rows that are alike but for their middle


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One entry of the legend: a look, or the part of it that tells something, and its name."""

    stroke: Stroke
    text: str
    line: bool = True
    marker: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class EndLabel:
    """A label that wants to stand at the end of a line, at (x, y) in values.

    `shift` moves its place by points, where lines are drawn beside one another.
    """

    text: str
    stroke: Stroke
    x: float
    y: float
    shift: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """What one panel has to show, before it has a place.

    Attributes:
        xs, ys: Values on either axis, the lowest and the highest among them.
        labels: Direct labels; empty where the legend names the lines.
        rows: Names along the left side in place of a value axis (dot plots).
    """

    xs: Sequence[float]
    ys: Sequence[float]
    labels: tuple[EndLabel, ...] = ()
    rows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The place of one panel's axes, in points, and its direct labels as they fit."""

    left: float
    right: float
    top: float
    bottom: float
    x: Scale
    y: Scale
    names: tuple[str, ...]
    rows: tuple[str, ...]
    is_empty: bool


@dataclass(slots=True, kw_only=True)
class Sheet:
    """A pen and the frames to draw in, one a panel."""

    pen: Pen
    frames: tuple[Frame, ...] = field(default=())


@contextmanager
def open_sheet(
    chart: Chart, extents: Sequence[Extent], legend: Sequence[Mark], *, height: float = AXES_HEIGHT
) -> Iterator[Sheet]:
    """Lay the panels out, draw axes, titles and legend, and lend the sheet for the rest."""
    columns = min(len(chart.panels), 2) or 1
    rows = -(-len(chart.panels) // columns)
    width = PAIR_WIDTH if columns == 2 else SINGLE_WIDTH
    cell = (width - 2 * _MARGIN - (columns - 1) * _GUTTER) / columns
    heads = [_count_head_lines(panel) for panel in chart.panels]
    head = max(heads, default=0) * LINE_HEIGHT + 4
    foot = 2.4 * LINE_HEIGHT
    key = _flow(legend, width - 2 * _MARGIN)
    total = 2 * _MARGIN + rows * (head + height + foot) + (rows - 1) * 6
    with Pen(width, total + (len(key) * LINE_HEIGHT + 4 if key else 0)) as pen:
        frames = []
        for i, (panel, extent) in enumerate(zip(chart.panels, extents, strict=True)):
            left = _MARGIN + (i % columns) * (cell + _GUTTER)
            top = _MARGIN + (i // columns) * (head + height + foot + 6)
            _write_head(pen, panel, left, top, cell)
            frame = _place(
                panel,
                extent,
                left=left,
                right=left + cell,
                top=top + head,
                bottom=top + head + height,
            )
            _draw_axes(pen, panel, extent, frame)
            _draw_end_labels(pen, frame, extent.labels)
            frames.append(frame)
        _draw_legend(pen, key, total + 4 - _MARGIN + LINE_HEIGHT / 2)
        yield Sheet(pen=pen, frames=tuple(frames))


def fits_beside(panels: Sequence[Panel], texts: Sequence[str]) -> bool:
    """Tell whether names are short enough to stand beside the lines, not below the axes."""
    width = PAIR_WIDTH / 2 if len(panels) > 1 else SINGLE_WIDTH
    return max(map(measure, texts), default=0.0) <= width * _BESIDE_SHARE


def _count_head_lines(panel: Panel) -> int:
    return bool(panel.title) + bool(panel.y_label)


def _write_head(pen: Pen, panel: Panel, left: float, top: float, width: float) -> None:
    """Write the title, and below it the name of the value axis."""
    y = top + LINE_HEIGHT / 2
    if panel.title:
        pen.text(left, y, fit(panel.title, width, bold=True), bold=True)
        y += LINE_HEIGHT
    if panel.y_label:
        pen.text(left, y, fit(panel.y_label, width), colour=FRAME)


def _place(
    panel: Panel, extent: Extent, *, left: float, right: float, top: float, bottom: float
) -> Frame:
    """Give a panel its axes: room for tick labels on the left, for direct labels on the right."""
    cell, edges = right - left, (left, right)
    percent = "%" in (panel.x_label if extent.rows else panel.y_label)
    x_low, x_high = find_limits(
        [*extent.xs, *panel.x_ticks], pad=0.03, percent=percent and bool(extent.rows)
    )
    if extent.rows:
        y_low, y_high = len(extent.rows) - 0.5, -0.5
        ticks = _fit_rows(extent.rows, cell)
        y_scale = Scale(low=y_high, high=y_low, start=top, end=bottom)
    else:
        y_scale = _scale_values(panel, extent, bottom, top)
        ticks = [text for _, text in _value_ticks(y_scale)]
    left += max(map(measure, ticks), default=0.0) + 5
    names = tuple(fit(shorten(label.text), cell * _LABEL_SHARE) for label in extent.labels)
    right -= max(map(measure, names)) + _LEADER + _KEY + 4 if names else 6
    x_scale = _fit_ends(panel, extent, Scale(low=x_low, high=x_high, start=left, end=right), edges)
    return Frame(
        left=x_scale.start,
        right=x_scale.end,
        top=top,
        bottom=bottom,
        x=x_scale,
        y=y_scale,
        names=names,
        rows=tuple(ticks) if extent.rows else (),
        is_empty=not extent.rows and not len(extent.ys),
    )


def _fit_ends(panel: Panel, extent: Extent, scale: Scale, edges: tuple[float, float]) -> Scale:
    """Draw the ends of the x axis in until the labels of its first and last tick are inside."""
    ticks, texts = _ticks_across(panel, extent, scale)
    start, end = scale.start, scale.end
    near, far = ((tick - scale.low) / (scale.high - scale.low) for tick in (ticks[0], ticks[-1]))
    if near < 1:
        inside = edges[0] + measure(texts[0]) / 2
        start = max(start, (inside - near * end) / (1 - near))
    if far > 0:
        inside = edges[1] - measure(texts[-1]) / 2
        end = min(end, start + (inside - start) / far)
    return replace(scale, start=start, end=end)


def _scale_values(panel: Panel, extent: Extent, bottom: float, top: float) -> Scale:
    if panel.logarithmic:
        low, high = find_decades(extent.ys, pad=0.05)
        return Scale(low=low, high=high, start=bottom, end=top, logarithmic=True)
    low, high = find_limits(extent.ys, pad=0.05, percent="%" in panel.y_label)
    return Scale(low=low, high=high, start=bottom, end=top)


def _value_ticks(scale: Scale) -> list[tuple[float, str]]:
    """Return the ticks of a value axis with their labels; powers of ten need no common decimals."""
    if scale.logarithmic:
        powers = find_powers(scale.low, scale.high)
        return [(tick, label_ticks((tick,))[0]) for tick in powers]
    ticks = find_ticks(scale.low, scale.high)
    return list(zip(ticks, label_ticks(ticks), strict=True))


def _fit_rows(rows: Sequence[str], cell: float) -> list[str]:
    """Shorten the names of rows; less so where short ones would read alike."""
    names = [fit(shorten(row), cell * _LABEL_SHARE) for row in rows]
    if len(set(names)) < len(set(rows)):
        names = [fit(shorten(row, LEGEND_CHARACTERS), cell * _ROW_SHARE) for row in rows]
    return names


def _draw_axes(pen: Pen, panel: Panel, extent: Extent, frame: Frame) -> None:
    """Draw grid, left and lower spine, ticks and their labels."""
    if frame.is_empty:
        middle = ((frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2)
        pen.text(*middle, tell("no data"), anchor="middle", colour=FRAME)
    elif extent.rows:
        for i, row in enumerate(frame.rows):
            pen.text(frame.left - 5, frame.y.place(i), row, anchor="end")
    else:
        for tick, text in _value_ticks(frame.y):
            y = frame.y.place(tick)
            pen.line([(frame.left, y), (frame.right, y)], GRID, width=0.5)
            pen.text(frame.left - 4, y, text, anchor="end")
    if not frame.is_empty:
        _draw_x_ticks(pen, panel, extent, frame)
    corner = [(frame.left, frame.top), (frame.left, frame.bottom), (frame.right, frame.bottom)]
    pen.line(corner, FRAME, width=0.7)
    middle_x = (frame.left + frame.right) / 2
    x_label = fit(panel.x_label, frame.right - frame.left + 30)
    pen.text(middle_x, frame.bottom + 1.9 * LINE_HEIGHT, x_label, anchor="middle", colour=FRAME)


def _draw_x_ticks(pen: Pen, panel: Panel, extent: Extent, frame: Frame) -> None:
    """Mark the x axis; ticks that were asked for stay marked where their labels find no room."""
    ticks, texts = _ticks_across(panel, extent, frame.x)
    room = max(map(measure, texts)) + 5
    taken = -1e9
    for tick, text in zip(ticks, texts, strict=True):
        x = frame.x.place(tick)
        if extent.rows:
            pen.line([(x, frame.top), (x, frame.bottom)], GRID, width=0.5)
        pen.line([(x, frame.bottom), (x, frame.bottom + 2.5)], FRAME, width=0.6)
        if x - taken >= room:
            pen.text(x, frame.bottom + 0.85 * LINE_HEIGHT, text, anchor="middle")
            taken = x


def _ticks_across(
    panel: Panel, extent: Extent, scale: Scale
) -> tuple[Sequence[float], Sequence[str]]:
    """Return the ticks of the x axis with their labels."""
    # One epoch has no scale beside it.
    only = () if extent.rows else tuple(dict.fromkeys(extent.xs))
    ticks = panel.x_ticks or (only if len(only) == 1 else find_ticks(scale.low, scale.high))
    return ticks, label_ticks(tuple(ticks))


def _draw_end_labels(pen: Pen, frame: Frame, labels: Sequence[EndLabel]) -> None:
    """Write labels to the right of the frame, each led to from the end of its line."""
    wanted = [frame.y.place(label.y) for label in labels]
    centres = relax(wanted, LINE_HEIGHT, frame.top - LINE_HEIGHT / 2, frame.bottom)
    for label, text, start, centre in zip(labels, frame.names, wanted, centres, strict=True):
        x = frame.x.place(label.x) + label.shift
        left = frame.right + _LEADER
        pen.line(
            [(x, start), (max(x, frame.right), start), (left, centre)],
            FAINT,
            width=0.5,
            dashes=(0.8, 1.2),
        )
        _draw_sample(pen, label.stroke, left, centre, _KEY)
        pen.text(left + _KEY + 3, centre, text)


def _draw_sample(
    pen: Pen,
    look: Stroke,
    left: float,
    y: float,
    length: float,
    *,
    line: bool = True,
    marker: bool = True,
) -> None:
    """Draw a piece of a line as it looks in the picture, with its marker."""
    if line:
        pen.line([(left, y), (left + length, y)], look.colour, width=1.3, dashes=look.dashes)
    if marker:
        pen.markers([(left + length / 2, y)], look.marker, look.colour)


def _flow(marks: Sequence[Mark], width: float) -> list[list[tuple[float, Mark, str]]]:
    """Break the legend into lines, unless one holds it: (left edge, mark, text) each."""
    texts = [fit(shorten(mark.text, LEGEND_CHARACTERS), width - _SAMPLE - 6) for mark in marks]
    wide = [measure(t) + _sample_of(mark) + 18 for t, mark in zip(texts, marks, strict=True)]
    if sum(wide) <= width + 12:
        starts = [_MARGIN + sum(wide[:i]) for i in range(len(wide))]
        return [list(zip(starts, marks, texts, strict=True))] if marks else []
    column = max(wide)
    per_line = max(int((width + 12) // column), 1)
    lines: list[list[tuple[float, Mark, str]]] = []
    for i, (mark, text) in enumerate(zip(marks, texts, strict=True)):
        if i % per_line == 0:
            lines.append([])
        lines[-1].append((_MARGIN + (i % per_line) * column, mark, text))
    return lines


def _draw_legend(pen: Pen, lines: list[list[tuple[float, Mark, str]]], top: float) -> None:
    for i, line in enumerate(lines):
        y = top + i * LINE_HEIGHT
        for left, mark, text in line:
            length = _sample_of(mark)
            _draw_sample(pen, mark.stroke, left, y, length, line=mark.line, marker=mark.marker)
            pen.text(left + length + 5, y, text)


def _sample_of(mark: Mark) -> float:
    return _SAMPLE if mark.line else _DOT
