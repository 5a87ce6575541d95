"""Curves as data of the page: what its script draws, each series once for all figures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from reportgen.records.document import Band, Figure, Line, Panel
from reportgen.records.scales import scaled
from reportgen.render._strict_json import Json

# The palette of the drawings; a test holds the two together, for neither floor sees the other.
_COLOURS = ("#0072b2", "#e69f00", "#000000", "#009e73", "#cc79a7", "#d55e00", "#56b4e9")
_DASHES = (
    "",
    "4.5 2",
    "1.2 1.6",
    "6 1.8 1.2 1.8",
    "9 2.2",
    "3 1.2 1 1.2 1 1.2",
    "2.4 3",
)
_MARKS = ("circle", "square", "triangle", "cross", "diamond", "plus", "down")
_SHADES = 3
_LIGHTER, _DARKER = 0.16, 0.18
_BRIGHT = 130  # of 255; brighter colours go darker from run to run, the others lighter


def look_of(group_index: int, member: int = 0) -> dict[str, Json]:
    """Return colour, dashes and mark of a member of a group.

    Example:
        >>> look_of(1)
        {'colour': '#e69f00', 'dashes': '4.5 2', 'mark': 'circle'}
    """
    turn = group_index // len(_COLOURS)
    return {
        "colour": _shade(_COLOURS[group_index % len(_COLOURS)], member % _SHADES),
        "dashes": _DASHES[(group_index + turn) % len(_DASHES)],
        "mark": _MARKS[member % len(_MARKS)],
    }


def _shade(colour: str, degree: int) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    bright = 0.299 * red + 0.587 * green + 0.114 * blue > _BRIGHT
    share, target = (degree * _DARKER, 0) if bright else (degree * _LIGHTER, 255)
    mixed = (round(part + (target - part) * share) for part in (red, green, blue))
    return "#" + "".join(f"{part:02x}" for part in mixed)


# --- which points are kept ------------------------------------------------------------

MOST_POINTS = 500


def keep_points(values: Sequence[float]) -> list[int]:
    """Return the positions of the points to keep, at most 500, in order.

    A longer curve keeps its two ends, and the lowest and the highest point of each of 249
    stretches of equal numbers of points, as its drawing does.

    Missing: A stretch without any value keeps its first point, which is a gap.

    Example:
        >>> keep_points([0.5, 0.7, 0.6])
        [0, 1, 2]
        >>> kept = keep_points([0.0] * 700 + [9.0] + [0.0] * 700)
        >>> len(kept) <= 500, 700 in kept, kept[0], kept[-1]
        (True, True, 0, 1400)
    """
    count = len(values)
    if count <= MOST_POINTS:
        return list(range(count))
    buckets = MOST_POINTS // 2 - 1
    inner = count - 2
    kept = [0]
    for i in range(buckets):
        first, stop = 1 + i * inner // buckets, 1 + (i + 1) * inner // buckets
        bucket = values[first:stop]
        finite = [value for value in bucket if math.isfinite(value)] or bucket[:1]
        kept += sorted({first + bucket.index(end(finite)) for end in (min, max)})
    return [*kept, count - 1]


# --- the data -------------------------------------------------------------------------

_KINDS = ("curves",)


@dataclass(frozen=True, slots=True)
class _Axes:
    """One set of axes with all that the report draws on it, in any of its figures."""

    panel: Panel
    groups: frozenset[int]


def charts_json(figures: Mapping[str, Figure]) -> Json:
    """Return the curves of all figures, compact: axes, the series they share, and who shows what.

    Figures of the same runs on the same axes (as logged, smoothed, mean and spread) share
    their data, so that each of them can show all of it. Of a long curve the points are kept
    that a picture can show; `points` is how many there are.

    Args:
        figures: Anchor of each figure to the figure, in the order of the page.
    """
    axes: list[_Axes] = []
    drawn: dict[str, Json] = {}
    for anchor, figure in figures.items():
        if figure.chart.kind in _KINDS and any(_has_points(p) for p in figure.chart.panels):
            places: list[Json] = [_place(axes, panel) for panel in scaled(figure.chart.panels)]
            drawn[anchor] = {"axes": places, "on": list[Json](_layers(figure.chart.panels))}
    series = _Pool()
    return {
        "figures": drawn,
        "axes": [_axes(found.panel, series) for found in axes],
        "series": series.arrays,
        "most": MOST_POINTS,
    }


def _has_points(panel: Panel) -> bool:
    return any(line.x for line in panel.lines) or any(band.x for band in panel.bands)


def _layers(panels: Sequence[Panel]) -> list[str]:
    """Return what a figure shows before the reader asks for anything else."""
    lines = any(panel.lines for panel in panels)
    if any(panel.bands for panel in panels):
        return ["raw", "band"] if lines else ["band"]
    smoothed = any(line.smoothed for panel in panels for line in panel.lines)
    return ["raw", "smoothed"] if smoothed else ["raw"]


def _place(axes: list[_Axes], panel: Panel) -> int:
    """Return the position of the axes that a panel belongs to, which now hold it as well."""
    groups = frozenset(line.group_index for line in panel.lines)
    groups |= frozenset(band.group_index for band in panel.bands)
    for position, found in enumerate(axes):
        if _heads(found.panel) == _heads(panel) and (groups <= found.groups):
            axes[position] = replace(found, panel=_merge(found.panel, panel))
            return position
    axes.append(_Axes(panel, groups))
    return len(axes) - 1


def _heads(panel: Panel) -> tuple[str, str, str]:
    return panel.title, panel.x_label, panel.y_label


def _merge(panel: Panel, other: Panel) -> Panel:
    """Return a panel with the lines, the smoothed values and the bands of both."""
    richer = {_key(line): line for line in (*panel.lines, *other.lines) if line.smoothed}
    lines = {_key(line): richer.get(_key(line), line) for line in (*panel.lines, *other.lines)}
    return replace(
        panel,
        lines=tuple(lines.values()),
        bands=panel.bands or other.bands,
        x_ticks=panel.x_ticks or other.x_ticks,
        logarithmic=panel.logarithmic or other.logarithmic,
    )


def _key(line: Line) -> tuple[object, ...]:
    return line.group_index, line.member, line.label, line.x, line.y


class _Pool:
    """Lists of numbers, each once."""

    def __init__(self) -> None:
        self.arrays: list[Json] = []
        self._places: dict[tuple[Json, ...], int] = {}

    def place(self, values: Iterable[float]) -> int | None:
        """Return the position of a list; None for an empty one."""
        array: list[Json] = [_number(value) for value in values]
        if not array:
            return None
        key = tuple(array)
        if key not in self._places:
            self._places[key] = len(self.arrays)
            self.arrays.append(array)
        return self._places[key]


def _number(value: float) -> Json:
    """Return a value as the script reads it; a gap is null."""
    if not math.isfinite(value):
        return None
    return int(value) if float(value).is_integer() and abs(value) < 2**53 else value


def _axes(panel: Panel, series: _Pool) -> Json:
    return {
        "title": panel.title,
        "x": panel.x_label,
        "y": panel.y_label,
        "ticks": series.place(panel.x_ticks),
        "log": panel.logarithmic,
        "lines": [_line(line, series) for line in panel.lines],
        "bands": [_band(band, series) for band in panel.bands],
        "rings": [
            {"look": look_of(ring.group_index), "x": ring.x, "y": ring.y} for ring in panel.rings
        ],
        "levels": [{"y": level.y, "label": level.label} for level in panel.levels],
    }


def _line(line: Line, series: _Pool) -> Json:
    kept = keep_points(line.y)
    return {
        "label": line.label,
        "group": line.group,
        "look": look_of(line.group_index, line.member),
        "points": len(line.x),
        "x": series.place(line.x[i] for i in kept),
        "y": series.place(line.y[i] for i in kept),
        "smoothed": series.place(_shorten(line.smoothed[i]) for i in kept if line.smoothed),
        "steps": series.place(line.steps[i] for i in kept if line.steps),
    }


def _band(band: Band, series: _Pool) -> Json:
    kept = keep_points(band.mean)
    return {
        "label": band.label,
        "group": band.group,
        "look": look_of(band.group_index if band.look is None else band.look),
        "points": len(band.x),
        "x": series.place(band.x[i] for i in kept),
        "mean": series.place(_shorten(band.mean[i]) for i in kept),
        "low": series.place(_shorten(band.low[i]) for i in kept if band.low),
        "high": series.place(_shorten(band.high[i]) for i in kept if band.high),
    }


def _shorten(value: float) -> float:
    """Return a computed value with as many digits as anybody reads off a curve."""
    return float(f"{value:.7g}")
