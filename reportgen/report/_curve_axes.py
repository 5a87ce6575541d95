"""Value axes of curves: a run that diverges must not flatten all others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from reportgen.languages import say
from reportgen.records.document import Block, Figure, Panel
from reportgen.report._curve_follow import Limits, follow_words, followed, limits_of

_FAR = 1000.0
"""How many times the median the largest value is, where an axis becomes logarithmic."""


def with_axes(blocks: Iterable[Block]) -> list[Block]:
    """Return blocks whose figures have logarithmic axes where their values call for it.

    Args:
        blocks: Of the section of curves.

    Returns:
        The same blocks; the caption of a figure with such an axis says so.
    """
    limits: dict[tuple[str, str], Limits | None] = {}
    return [_fit(block, limits) if isinstance(block, Figure) else block for block in blocks]


def _fit(figure: Figure, limits: dict[tuple[str, str], Limits | None]) -> Figure:
    """Return a figure with its axes; limits are those of the panels before it, by their titles."""
    panels: list[Panel] = []
    cut: list[str] = []
    for panel in figure.chart.panels:
        axes = panel.title, panel.y_label
        if panel.lines:
            limits[axes] = None if is_far_spread(panel) else limits_of(panel)
        ends = limits.get(axes)
        shown, names = (panel, []) if ends is None else followed(panel, ends)
        panels.append(shown)
        cut += names
    if cut:
        chart = replace(figure.chart, panels=tuple(panels))
        figure = replace(figure, chart=chart, caption=(*figure.caption, " ", *follow_words(cut)))
    return _with_logarithms(figure)


def _with_logarithms(figure: Figure) -> Figure:
    panels = tuple(replace(p, logarithmic=is_far_spread(p)) for p in figure.chart.panels)
    several = sum(panel.logarithmic for panel in panels)
    if not several:
        return figure
    if several == len(panels):
        said = say("The axis of values is logarithmic: some lie far above the rest.")
    else:
        said = say(
            "The axis of values is logarithmic where its marks are powers of ten: some lie far "
            "above the rest."
        )
    if any(line.smoothed for panel in panels if panel.logarithmic for line in panel.lines):
        said = (*said, " ", *say("On it the logarithms of the values are smoothed."))
    chart = replace(figure.chart, panels=panels)
    return replace(figure, chart=chart, caption=(*figure.caption, " ", *said))


def is_far_spread(panel: Panel) -> bool:
    """Tell whether values are all above zero, and the largest is far above most of them.

    Example:
        >>> from reportgen.records.document import Line
        >>> line = Line(label="a", group="a", group_index=0, member=0, x=(1, 2, 3), y=(2, 1, 4e5))
        >>> is_far_spread(Panel(title="", x_label="", y_label="", lines=(line,)))
        True
    """
    drawn = [line.y for line in panel.lines] + [band.mean for band in panel.bands]
    if not drawn:
        return False
    values = np.concatenate([np.asarray(column, dtype=float) for column in drawn])
    values = values[np.isfinite(values)]
    return bool(len(values) and values.min() > 0 and values.max() > _FAR * np.median(values))
