"""Curves: runs thin, means thick, chosen points ringed, names beside the lines; and dots."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reportgen.languages import tell
from reportgen.records.document import Band, Chart, Dot, Line, Panel, scaled
from reportgen.render.figures._axes import Ticks, label_ticks, open_sheet, points_of, shown
from reportgen.render.figures._lettering import clean, fit, measure
from reportgen.render.figures._style import (
    FAINT,
    FRAME,
    GRID,
    LINE_HEIGHT,
    PAIR_WIDTH,
    SINGLE_WIDTH,
    Stroke,
    readable,
    stroke,
)

import numpy as np  # isort: skip - matplotlib reads the environment that `_lettering` prepares
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = 98.0
_BESIDE = 6
"""Names that stand beside the lines; more stand in a legend below."""
_NAME = 110.0
"""Width of a name beside its line, in points."""

_MARKED = 12
"""Points up to which a curve shows each of them."""
_MARKERS = {
    "circle": "o", "square": "s", "triangle": "^", "cross": "x", "diamond": "D", "plus": "+",
    "down": "v",
}  # fmt: skip
Key = tuple[int, int]


def draw(chart: Chart) -> bytes:
    """Draw the lines, means, rings and levels of every panel."""
    looks = _looks(chart)
    names = _names(chart, looks)
    beside = len(names) <= _BESIDE and all(measure(name) <= _NAME for name in names)
    width = PAIR_WIDTH if len(chart.panels) > 1 else SINGLE_WIDTH
    rows = [] if beside else _flow(list(names), width - 8)
    right = max(map(measure, names)) + 10 if beside and names else 6.0
    panels = scaled(chart.panels)
    with open_sheet(
        panels, height=HEIGHT, right=right, below=len(rows) * LINE_HEIGHT + (4 if rows else 0)
    ) as sheet:
        for axes, panel in zip(sheet.axes, panels, strict=True):
            axes.set_yscale("log" if panel.logarithmic else "linear")
            _draw_panel(axes, panel, looks)
        if beside:
            _name_ends(sheet.axes[-1], names, panels[-1])
        elif rows:
            _legend(sheet.figure, rows, names, width)
        return sheet.finish()


def _looks(chart: Chart) -> dict[Key, Stroke]:
    """Give each run its look: the group decides colour and dash, the member shade and marker."""
    return {
        (line.group_index, line.member): stroke(line.group_index, line.member)
        for panel in chart.panels
        for line in panel.lines
    }


def _names(chart: Chart, looks: Mapping[Key, Stroke]) -> dict[str, Stroke]:
    """Return what is named: groups where there are several, else the runs of the only one."""
    lines = [line for panel in chart.panels for line in panel.lines]
    groups = {line.group_index: line.group for line in reversed(lines)}
    bands = {band.group_index: band.group for panel in chart.panels for band in panel.bands}
    groups = groups | bands
    if len(groups) > 1:
        return {groups[index]: stroke(index) for index in sorted(groups)}
    members = {(line.group_index, line.member): line.label for line in reversed(lines)}
    if len(members) < 2:
        return {}
    return {members[key]: looks[key] for key in sorted(members) if members[key]}


def _draw_panel(axes: Axes, panel: Panel, looks: Mapping[Key, Stroke]) -> None:
    averaged = {band.group_index for band in panel.bands}
    for line in panel.lines:
        _draw_line(axes, line, looks, thin=line.group_index in averaged)
    for band in panel.bands:
        _draw_band(axes, band)
    for ring in panel.rings:
        colour = stroke(ring.group_index).colour
        axes.plot(
            [ring.x], [ring.y], marker="o", markersize=6.5, markerfacecolor="none",
            markeredgecolor=colour, markeredgewidth=1.1, linestyle="none", clip_on=False,
        )  # fmt: skip
    for level in panel.levels:
        axes.axhline(level.y, color=FAINT, linewidth=0.8, linestyle=(0, (1, 2)), clip_on=False)
        axes.annotate(
            fit(level.label, axes.bbox.width), (1.0, level.y), (-1, 2), color=readable(FAINT),
            xycoords=("axes fraction", "data"), textcoords="offset points", ha="right",
            va="bottom",
        )  # fmt: skip
    _ticks(axes, panel)


def _draw_line(axes: Axes, line: Line, looks: Mapping[Key, Stroke], *, thin: bool) -> None:
    look = looks[line.group_index, line.member]
    y = line.y
    if line.smoothed:
        _plot(axes, line.x, y, look, width=0.6, alpha=0.3)
        y = line.smoothed
    few = len(line.x) <= _MARKED and not thin
    _plot(axes, line.x, y, look, width=0.7 if thin else 1.2, alpha=0.55 if thin else 1.0,
          marker=_MARKERS[look.marker] if few or len(line.x) == 1 else "")  # fmt: skip


def _draw_band(axes: Axes, band: Band) -> None:
    look = stroke(band.group_index)
    _plot(axes, band.x, band.mean, look, width=1.9)
    if band.low and band.high:
        seen = shown(points_of(band.mean))
        low, high = (points_of(edge)[seen] for edge in (band.low, band.high))
        if axes.get_yscale() == "log":
            low[low <= 0] = np.nan
        axes.fill_between(points_of(band.x)[seen], low, high, color=look.colour, alpha=0.15,
                          linewidth=0)  # fmt: skip


def _plot(
    axes: Axes,
    across: Sequence[float],
    up: Sequence[float],
    look: Stroke,
    *,
    width: float,
    alpha: float = 1.0,
    marker: str = "",
) -> None:
    """Draw one line; a point between two gaps is a dot."""
    dashes: Any = (0, look.dashes) if look.dashes else "solid"
    y = points_of(up, above_zero=axes.get_yscale() == "log")
    seen = shown(y)
    x, y = points_of(across)[seen], y[seen]
    axes.plot(
        x, y, color=look.colour, linewidth=width, linestyle=dashes, alpha=alpha,
        marker=marker or None, markersize=3.2, markeredgewidth=0.8, clip_on=False,
    )  # fmt: skip
    alone = _alone(y)
    if len(alone) and not marker:
        axes.plot(
            x[alone], y[alone], color=look.colour, marker="o", markersize=2.2, linestyle="none",
            alpha=alpha, clip_on=False,
        )  # fmt: skip


def _alone(y: Any) -> Any:
    """Return the places of values between two gaps, which a line does not show."""
    known = np.isfinite(y)
    before = np.concatenate([[False], known[:-1]])
    after = np.concatenate([known[1:], [False]])
    return np.flatnonzero(known & ~before & ~after)


def _ticks(axes: Axes, panel: Panel) -> None:
    labels = label_ticks(panel.x_ticks)
    room = axes.bbox.width
    if panel.x_ticks and sum(map(measure, labels)) + 4 * len(labels) < room:
        axes.set_xticks(list(panel.x_ticks), labels)
    else:
        drawn = [line.x for line in panel.lines] + [band.x for band in panel.bands]
        ends = [x for places in drawn for x in (*places[:1], *places[-1:])]
        whole = all(float(x).is_integer() for x in ends)
        axes.xaxis.set_major_locator(MaxNLocator(4, integer=whole))
        axes.xaxis.set_major_formatter(Ticks())
    far = axes.get_yscale() == "log"
    axes.yaxis.set_major_locator(LogLocator(numticks=6) if far else MaxNLocator(5))
    axes.yaxis.set_major_formatter(Ticks(alone=far))
    axes.yaxis.set_minor_locator(NullLocator())
    values = [*(line.y for line in panel.lines), *(band.mean for band in panel.bands)]
    if not any(np.isfinite(points_of(each)).any() for each in values):
        axes.text(0.5, 0.5, tell("no values"), ha="center", transform=axes.transAxes)


# --- names ----------------------------------------------------------------------------


def _name_ends(axes: Axes, names: Mapping[str, Stroke], panel: Panel) -> None:
    """Write each name at the height where its line ends, moved apart where two would meet."""
    axes.get_ylim()  # which settles the limits
    ends = []
    for name, look in names.items():
        y = _end_of(name, panel)
        if y is not None:
            ends.append((float(axes.transData.transform((0, y))[1]), name, look))
    if not ends:
        return
    ends.sort(key=lambda end: end[0])
    low, high = (float(axes.transAxes.transform((0, at))[1]) for at in (0, 1))
    places = spread([y for y, _, _ in ends], LINE_HEIGHT, low, high)
    for (_, name, look), place in zip(ends, places, strict=True):
        axes.annotate(
            clean(name), (1.0, (place - low) / (high - low)), (5, 0),
            xycoords="axes fraction", textcoords="offset points", ha="left", va="center",
            color=readable(look.colour),
        )  # fmt: skip


def _end_of(name: str, panel: Panel) -> float | None:
    bands = [band.mean for band in panel.bands if band.group == name]
    lines = [line.smoothed or line.y for line in panel.lines if name in {line.group, line.label}]
    ends = []
    for values in bands or lines:
        known = points_of(values, above_zero=panel.logarithmic)
        known = known[np.isfinite(known)]
        if len(known):
            ends.append(float(known[-1]))
    return sum(ends) / len(ends) if ends else None


def spread(places: Sequence[float], least: float, low: float, high: float) -> list[float]:
    """Move sorted places apart, until each is so far from the one below, between two ends.

    Example:
        >>> spread([0.0, 1.0, 10.0], 4.0, 0.0, 12.0), spread([0.0, 12.0, 12.0], 4.0, 0.0, 12.0)
        ([0.0, 4.0, 10.0], [0.0, 8.0, 12.0])
    """
    moved: list[float] = []
    for place in places:
        moved.append(max(place, moved[-1] + least if moved else low))
    for index in reversed(range(len(moved))):
        moved[index] = min(moved[index], high)
        high = moved[index] - least
    return moved


_SAMPLE, _ENTRY = 22.0, 240.0
"""Widths in a legend below: of a sample of a line, and of a name at most."""


def _flow(names: Sequence[str], width: float) -> list[list[str]]:
    """Return the names of a legend line by line."""
    rows: list[list[str]] = [[]]
    used = 0.0
    for name in names:
        need = measure(_entry(name, width)) + _SAMPLE + 12
        if rows[-1] and used + need > width:
            rows.append([])
            used = 0.0
        rows[-1].append(name)
        used += need
    return rows


def _entry(name: str, width: float) -> str:
    """Return a name as a legend of this width has it."""
    return fit(name, min(_ENTRY, width - _SAMPLE - 12))


def _legend(figure: Any, rows: Sequence[Sequence[str]], names: Mapping[str, Stroke],
            width: float) -> None:  # fmt: skip
    """Draw a legend below the axes, a sample of each line before its name."""
    from matplotlib.lines import Line2D

    height = figure.get_figheight() * 72
    for row, entries in enumerate(rows):
        y = (len(rows) - row - 0.5) * LINE_HEIGHT / height
        x = 4.0
        for name in entries:
            look = names[name]
            dashes: Any = (0, look.dashes) if look.dashes else "solid"
            sample = Line2D(
                [x / width, (x + _SAMPLE - 6) / width], [y, y], color=look.colour, linewidth=1.6,
                linestyle=dashes, transform=figure.transFigure,
            )  # fmt: skip
            figure.add_artist(sample)
            words = _entry(name, width - 8)
            figure.text((x + _SAMPLE) / width, y, words, ha="left", va="center")
            x += measure(words) + _SAMPLE + 12


# --- dots -----------------------------------------------------------------------------


_ROW, _SMALLEST, _MOST = 12.0, 11.0, 330.0
_ROW_NAME = 200.0
"""Width of a name beside its row, in points."""


def draw_dots(chart: Chart) -> bytes:
    """Draw the rows of every panel along one value axis, named by the panel's `x_label`.

    Values are dots, their mean is an upright bar, the interval a whisker. The axis fits the
    values; nothing here has a length that would have to start at zero.
    """
    most = max((len(panel.dots) for panel in chart.panels), default=1)
    row = max(min(_ROW, _MOST / max(most, 1)), _SMALLEST)
    names = [dot.label for panel in chart.panels for dot in panel.dots]
    left = max((measure(fit(name, _ROW_NAME)) for name in names), default=0.0) + 12
    with open_sheet(chart.panels, height=max(most, 2) * row, left=left) as sheet:
        for axes, panel in zip(sheet.axes, chart.panels, strict=True):
            _draw_rows(axes, panel)
        return sheet.finish()


def _draw_rows(axes: Axes, panel: Panel) -> None:
    axes.grid(visible=False)
    axes.grid(axis="x", color=GRID, linewidth=0.6)
    axes.set_ylim(len(panel.dots) - 0.4, -0.6)
    names = [fit(dot.label, _ROW_NAME) for dot in panel.dots]
    axes.set_yticks(range(len(names)), names)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.xaxis.set_major_formatter(Ticks())
    for place, dot in enumerate(panel.dots):
        _draw_row(axes, dot, place)


def _draw_row(axes: Axes, dot: Dot, place: int) -> None:
    colour = stroke(0).colour
    values = [value for value in dot.values if math.isfinite(value)]
    below = place + (0.22 if dot.mean is not None else 0.0)
    if dot.low is not None and dot.high is not None and math.isfinite(dot.low + dot.high):
        axes.plot([dot.low, dot.high], [below, below], color=colour, linewidth=1.0, clip_on=False)
    if dot.mean is not None and math.isfinite(dot.mean):
        axes.plot([dot.mean], [below], marker="|", markersize=8, markeredgewidth=2.0, color=colour,
                  linestyle="none", clip_on=False)  # fmt: skip
    if not values:
        axes.annotate(tell("no value"), (0, place), (4, 0), xycoords=("axes fraction", "data"),
                      textcoords="offset points", va="center", color=FRAME)  # fmt: skip
    lane = [place - (0.12 if dot.mean is not None else 0.0)] * len(values)
    axes.plot(sorted(values), lane, marker="o", markersize=4, color=colour, linestyle="none",
              alpha=0.85, clip_on=False)  # fmt: skip
