"""Matplotlib's axes on a sheet of our own: sizes in points, one look, the same bytes everywhere."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reportgen.figures._pen import clean, measure
from reportgen.figures._style import (
    FRAME,
    GRID,
    INK,
    LINE_HEIGHT,
    MM,
    PAIR_WIDTH,
    SINGLE_WIDTH,
    TEXT_SIZE,
    shorten,
)

import numpy as np  # isort: skip - matplotlib reads its environment at import, which `_pen` prepares
from matplotlib import rc_context, rcParamsDefault
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from reportgen.records.document import Panel

POINTS = 72.0
_SETTINGS: dict[Any, Any] = {
    # Whatever a matplotlibrc of the user sets could reach the picture.
    **{key: value for key, value in rcParamsDefault.items() if not key.startswith("backend")},
    "svg.fonttype": "path",
    "svg.hashsalt": "reportgen",
    "path.sketch": None,
    "font.family": "DejaVu Sans",
    "font.size": TEXT_SIZE,
    "text.color": INK,
    "axes.edgecolor": FRAME,
    "axes.linewidth": 0.7,
    "axes.labelcolor": INK,
    "axes.labelsize": TEXT_SIZE,
    "axes.titlesize": TEXT_SIZE,
    "axes.unicode_minus": True,
    "axes.formatter.use_locale": False,
    "xtick.color": FRAME,
    "ytick.color": FRAME,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": TEXT_SIZE,
    "ytick.labelsize": TEXT_SIZE,
    "xtick.major.size": 2.5,
    "ytick.major.size": 0.0,
    "xtick.major.width": 0.7,
}
_NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))
_HEAD, _FOOT, _LEFT, _GAP = 1.6 * LINE_HEIGHT, 3.1 * LINE_HEIGHT, 36.0, 9.0
_FAR = 1000.0
"""Times its smallest value that a largest one is, for a logarithmic axis."""
MOST_PER_ROW = 3
MOST_POINTS = 1200
"""Points of a curve that a picture can show."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A figure of matplotlib and its axes, one a panel."""

    figure: Figure
    axes: tuple[Axes, ...]

    def finish(self) -> bytes:
        """Return the drawing as SVG; the same input gives the same bytes."""
        buffer = io.BytesIO()
        self.figure.savefig(buffer, format="svg", metadata=dict(_NO_METADATA))
        return buffer.getvalue()


@contextmanager
def open_sheet(
    panels: Sequence[Panel],
    *,
    height: float,
    right: float = 6.0,
    below: float = 0.0,
    left: float = _LEFT,
) -> Iterator[Sheet]:
    """Lend a sheet with a panel's axes each, at most three side by side.

    Args:
        panels: What will be drawn.
        height: Of the axes, in points.
        right: Room for names at the right of the last panel of a row, in points.
        below: Room for a legend, in points.
        left: Room at the left of the first panel, in points.
    """
    columns = min(len(panels), MOST_PER_ROW)
    rows = -(-len(panels) // columns)
    width = PAIR_WIDTH if columns > 1 else SINGLE_WIDTH
    cell_height = _HEAD + height + _FOOT
    total = rows * cell_height + below + 2
    shared = len({panel.y_label for panel in panels}) == 1
    between = _GAP if shared else _LEFT
    cell = (width - left - right - (columns - 1) * between) / columns
    with rc_context(_SETTINGS):
        figure = Figure(figsize=(width / POINTS, total / POINTS), facecolor="none")
        FigureCanvasSVG(figure)
        axes: list[Axes] = []
        for place, panel in enumerate(panels):
            row, column = divmod(place, columns)
            x = left + column * (cell + between)
            y = total - (row + 1) * cell_height + _FOOT
            box = (x / width, y / total, cell / width, height / total)
            one = figure.add_axes(box, sharey=axes[0] if axes and shared else None)
            _dress(one, panel, named=column == 0 or not shared)
            axes.append(one)
        yield Sheet(figure, tuple(axes))


def _dress(axes: Axes, panel: Panel, *, named: bool) -> None:
    """Give axes their look, their title and their labels."""
    axes.patch.set_visible(False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="y", color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    write(axes.set_title(" ", loc="left", fontweight="bold", pad=5), panel.title)
    write(axes.set_xlabel(" ", labelpad=2), panel.x_label)
    write(axes.set_ylabel(" ", labelpad=3), panel.y_label if named else "")
    axes.tick_params(axis="y", labelleft=named, pad=2)
    axes.tick_params(axis="x", pad=2)


def write(text: Any, words: str, most: int = 60) -> None:
    """Put words into one of matplotlib's texts as they are: no formulas, no lacking letters."""
    text.set_parse_math(False)
    text.set_text(shorten(clean(words), most))


def scale_of(values: Sequence[NDArray[np.float64]]) -> str:
    """Return the scale of a value axis: logarithmic where values lie far apart, all above zero.

    Example:
        >>> scale_of([np.array([0.1, 2000.0])]), scale_of([np.array([-1.0, 2000.0])])
        ('log', 'linear')
    """
    known = [v[np.isfinite(v)] for v in values]
    flat = np.concatenate(known) if known else np.array([])
    far = len(flat) > 0 and flat.min() > 0 and flat.max() / flat.min() > _FAR
    return "log" if far else "linear"


def thinned(
    x: Sequence[float], y: Sequence[float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the points of a curve that a picture can show: of many, both ends of each stretch.

    What is not finite is a gap.
    """
    across, up = np.array(x, dtype=float), np.array(y, dtype=float)
    up[~np.isfinite(up)] = np.nan
    if len(up) <= MOST_POINTS:
        return across, up
    kept: list[int] = [0, len(up) - 1]
    for stretch in np.array_split(np.arange(len(up)), MOST_POINTS // 2):
        known = stretch[np.isfinite(up[stretch])]
        if len(known):
            kept += [int(known[np.argmin(up[known])]), int(known[np.argmax(up[known])])]
    order = np.unique(kept)
    return across[order], up[order]


def width_of(names: Sequence[str], most: int) -> float:
    """Return the room that names take beside axes, in points."""
    return max((measure(shorten(name, most)) for name in names), default=0.0)


__all__ = [
    "MM", "MOST_PER_ROW", "Sheet", "open_sheet", "scale_of", "thinned", "width_of", "write",
]  # fmt: skip
