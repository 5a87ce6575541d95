"""Dots: a row a group, with every value, their mean, and an interval."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from reportgen.languages import tell
from reportgen.records.document import Chart, Dot, Panel
from reportgen.render.figures._axes import Ticks, open_sheet
from reportgen.render.figures._lettering import fit, measure
from reportgen.render.figures._style import FRAME, GRID, stroke

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW, _SMALLEST, _MOST = 12.0, 11.0, 330.0
_NAME = 200.0
"""Width of a name beside its row, in points."""


def draw(chart: Chart) -> bytes:
    """Draw the rows of every panel along one value axis, named by the panel's `x_label`.

    Values are dots, their mean is an upright bar, the interval a whisker. The axis fits the
    values; nothing here has a length that would have to start at zero.
    """
    most = max((len(panel.dots) for panel in chart.panels), default=1)
    row = max(min(_ROW, _MOST / max(most, 1)), _SMALLEST)
    names = [dot.label for panel in chart.panels for dot in panel.dots]
    left = max((measure(fit(name, _NAME)) for name in names), default=0.0) + 12
    with open_sheet(chart.panels, height=max(most, 2) * row, left=left) as sheet:
        for axes, panel in zip(sheet.axes, chart.panels, strict=True):
            _draw_panel(axes, panel)
        return sheet.finish()


def _draw_panel(axes: Axes, panel: Panel) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.grid(visible=False)
    axes.grid(axis="x", color=GRID, linewidth=0.6)
    axes.set_ylim(len(panel.dots) - 0.4, -0.6)
    names = [fit(dot.label, _NAME) for dot in panel.dots]
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
