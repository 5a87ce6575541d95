"""Value axes of curves: a run that diverges must not flatten all others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from reportgen.languages import say
from reportgen.records.document import Block, Figure, Panel

_FAR = 1000.0
"""How many times the median the largest value is, where an axis becomes logarithmic."""


def with_axes(blocks: Iterable[Block]) -> list[Block]:
    """Return blocks whose figures have logarithmic axes where their values call for it.

    Args:
        blocks: Of the section of curves.

    Returns:
        The same blocks; the caption of a figure with such an axis says so.
    """
    return [_fit(block) if isinstance(block, Figure) else block for block in blocks]


def _fit(figure: Figure) -> Figure:
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
