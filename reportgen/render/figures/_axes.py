"""Matplotlib's axes on a sheet of our own: sizes in points, one look, the same bytes everywhere."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from reportgen.languages import spoken
from reportgen.records.record import record
from reportgen.render.figures._lettering import fit, undocumented
from reportgen.render.figures._style import (
    FRAME,
    GRID,
    INK,
    LINE_HEIGHT,
    PAIR_WIDTH,
    SINGLE_WIDTH,
    TEXT_SIZE,
    thin,
)

import numpy as np  # isort: skip - matplotlib reads the environment that `_lettering` prepares
from matplotlib import rc_context, rcParamsDefault

with undocumented():
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure
    from matplotlib.ticker import Formatter

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
    "text.parse_math": False,
    **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.labelcolor", "ytick.labelcolor"), INK),
    **dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), FRAME),
    **dict.fromkeys(("font.size", "axes.labelsize", "axes.titlesize"), TEXT_SIZE),
    **dict.fromkeys(("xtick.labelsize", "ytick.labelsize"), TEXT_SIZE),
    **dict.fromkeys(("axes.linewidth", "xtick.major.width"), 0.7),
    "axes.unicode_minus": True,
    "xtick.major.size": 2.5,
    "ytick.major.size": 0.0,
}
_NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))
_HEAD, _FOOT, _LEFT, _GAP = 1.6 * LINE_HEIGHT, 2.6 * LINE_HEIGHT, 36.0, 9.0
MOST_PER_ROW = 3
MOST_POINTS = 1200
"""Points of a curve that a picture can show."""
_LARGEST = 1e300
"""Beyond it a difference of two values is no number."""


def own_settings() -> AbstractContextManager[None]:
    """Return the context in which figures are made, whatever a matplotlibrc sets."""
    return rc_context(_SETTINGS)


def as_svg(figure: Figure) -> bytes:
    """Return a figure as SVG, the same bytes on every machine."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", metadata=dict(_NO_METADATA))
    return buffer.getvalue()


@record(kw_only=False)
class Sheet:
    """A figure of matplotlib and its axes, one a panel."""

    figure: Figure
    axes: tuple[Axes, ...]

    def finish(self) -> bytes:
        """Return the drawing as SVG; the same input gives the same bytes."""
        self._make_room()
        return as_svg(self.figure)

    def _make_room(self) -> None:
        """Narrow the axes of a column whose numbers and names would lie on others or be cut."""
        width = self.figure.get_figwidth() * POINTS
        columns = min(len(self.axes), MOST_PER_ROW)
        end = 0.0
        for column in range(columns):
            members = self.axes[column::columns]
            box = members[0].get_position()
            left, right = box.x0 * width, box.x1 * width
            inks = [ink for axes in members for axis in (axes.xaxis, axes.yaxis)
                    if (ink := axis.get_tightbbox()) is not None]  # fmt: skip
            last = column == columns - 1
            over = max(end + 1 - min(ink.x0 for ink in inks), 0.0)
            beyond = max(ink.x1 for ink in inks) - (width - 1 if last else right + _GAP / 2)
            right -= max(beyond, 0.0)
            for axes in members:
                place = axes.get_position()
                axes.set_position(
                    ((left + over) / width, place.y0, (right - left - over) / width, place.height)
                )
            end = right + _GAP / 2


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
    head = _HEAD if any(panel.title for panel in panels) else _HEAD / 4
    cell_height = head + height + _FOOT
    total = rows * cell_height + below + 2
    shared = len({panel.y_label for panel in panels}) == 1
    between = _GAP if shared else _LEFT
    cell = (width - left - right - (columns - 1) * between) / columns
    with own_settings():
        figure = Figure(figsize=(width / POINTS, total / POINTS), dpi=POINTS, facecolor="none")
        FigureCanvasSVG(figure)
        axes: list[Axes] = []
        for place, panel in enumerate(panels):
            row, column = divmod(place, columns)
            x = left + column * (cell + between)
            y = total - (row + 1) * cell_height + _FOOT
            box = (x / width, y / total, cell / width, height / total)
            one = figure.add_axes(box, sharey=axes[0] if axes and shared else None)
            _dress(one, panel, named=column == 0 or not shared, room=(cell, height))
            axes.append(one)
        yield Sheet(figure, tuple(axes))


def _dress(axes: Axes, panel: Panel, *, named: bool, room: tuple[float, float]) -> None:
    """Give axes their look, their title and their labels."""
    axes.patch.set_visible(False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="y", color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    width, height = room
    # Where its place is stated, matplotlib does not look for it among the ticks.
    title = fit(panel.title, width, bold=True)
    axes.set_title(title, loc="left", fontweight="bold", pad=5, y=1.0)
    axes.set_xlabel(fit(panel.x_label, width), labelpad=2)
    axes.set_ylabel(fit(panel.y_label, height + _HEAD) if named else "", labelpad=3)
    axes.tick_params(axis="y", labelleft=named, pad=2)
    axes.tick_params(axis="x", pad=2)


def points_of(values: Sequence[float], *, above_zero: bool = False) -> NDArray[np.float64]:
    """Return values; what has no place on an axis is NaN, which is a gap.

    Example:
        >>> points_of([1.0, float("inf"), 0.0], above_zero=True).tolist()
        [1.0, nan, nan]
    """
    points = np.array(values, dtype=float)
    points[~(np.abs(points) < _LARGEST)] = np.nan
    if above_zero:
        points[~(points > 0)] = np.nan
    return points


def shown(points: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the places of the points that a picture can show."""
    return np.array(thin(points.tolist(), MOST_POINTS), dtype=np.intp)


# --- numbers of an axis, as the language spoken writes them ----------------------------

_UNITS = ((1e9, 1e9, "G"), (1e6, 1e6, "M"), (1e4, 1e3, "k"))


def label_ticks(ticks: Sequence[float]) -> list[str]:
    """Write ticks with the same number of decimals, as many as tell them apart.

    Example:
        >>> label_ticks([-0.5, 0.0, 0.5]), label_ticks([0.0, 5000.0])
        (['−0.5', '0.0', '0.5'], ['0', '5,000'])
        >>> label_ticks([0.0, 20_000.0, 40_000.0]), label_ticks([0.0, 2e-07])
        (['0', '20k', '40k'], ['0', '2e−07'])
    """
    largest = max((abs(tick) for tick in ticks), default=0.0)
    texts = _in_units(ticks, largest)
    if not texts and largest and (largest >= 1e7 or largest < 1e-4):
        several = ([f"{tick:.{digits}g}" for tick in ticks] for digits in range(3, 18))
        texts = next((each for each in several if len(set(each)) == len(ticks)), [])
    if not texts:
        close = 1e-9 * largest
        decimals = next(
            (d for d in range(16) if all(abs(round(t, d) - t) <= close for t in ticks)), 16
        )
        texts = [f"{tick:,.{decimals}f}" for tick in ticks]
    marks = str.maketrans({"-": "−", ",": spoken().group_mark, ".": spoken().decimal_mark})
    return [text.translate(marks) for text in texts]


def _in_units(ticks: Sequence[float], largest: float) -> list[str]:
    """Return round thousands, millions and billions with their sign; nothing for other ticks."""
    for least, size, sign in _UNITS:
        if least <= largest < 1e13:
            texts = [f"{tick / size:g}{sign if tick else ''}" for tick in ticks]
            exact = all(float(f"{tick / size:g}") * size == tick for tick in ticks)
            return texts if exact else []
    return []


class Ticks(Formatter):
    """Writes the ticks of an axis together; those of a logarithmic one each by itself."""

    def __init__(self, *, alone: bool = False) -> None:
        self._alone = alone

    def __call__(self, x: float, pos: int | None = None) -> str:  # noqa: ARG002 - matplotlib asks
        """Write one tick."""
        return label_ticks([float(x)])[0]

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        """Write all ticks of an axis."""
        if self._alone:
            return [self(value) for value in values]
        return label_ticks([float(value) for value in values])
