"""Whether the value axis of a drawing is logarithmic: the same on paper and in a browser."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reportgen.records.document import Panel
from reportgen.records.record import replace

FAR = 1000.0
"""Times its smallest value that a largest one is, for a logarithmic axis."""


def scaled(panels: Sequence[Panel]) -> tuple[Panel, ...]:
    """Return panels with a logarithmic axis where values lie far apart, all above zero.

    Panels whose values are called the same have one scale.

    Example:
        >>> from reportgen.records.document import Line
        >>> line = Line(label="a", group="a", group_index=0, member=0, x=(1, 2), y=(0.1, 2000.0))
        >>> panel = Panel(title="Test", x_label="step", y_label="loss", lines=(line,))
        >>> [one.logarithmic for one in scaled([panel, replace(panel, y_label="mAP (%)")])]
        [True, False]
    """
    far = {
        label
        for label in {panel.y_label for panel in panels}
        if _is_far([panel for panel in panels if panel.y_label == label])
    }
    return tuple(replace(panel, logarithmic=panel.y_label in far) for panel in panels)


def _is_far(panels: Sequence[Panel]) -> bool:
    if any(panel.logarithmic for panel in panels):
        return True
    # Of a share of a hundred what is near the whole matters, not what is near nothing.
    if any("%" in panel.y_label for panel in panels):
        return False
    drawn = [line.smoothed or line.y for panel in panels for line in panel.lines]
    drawn += [band.mean for panel in panels for band in panel.bands]
    known = [values[np.isfinite(values)] for values in (np.array(y, dtype=float) for y in drawn)]
    ends = [(values.min(), values.max()) for values in known if len(values)]
    low, high = (min(low for low, _ in ends), max(high for _, high in ends)) if ends else (0, 0)
    return bool(low > 0 and high > FAR * low)
