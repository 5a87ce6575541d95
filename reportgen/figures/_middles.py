"""Lines in the middle of bands: means with their spread, medians with the range of most."""

from __future__ import annotations

from reportgen.figures._pen import Pen
from reportgen.figures._scale import is_drawable
from reportgen.figures._sheet import EndLabel, Extent, Frame, Mark, fits_beside, open_sheet
from reportgen.figures._style import DIRECT_LABELS, band_stroke
from reportgen.figures._thin import split_runs
from reportgen.records.document import Band, Chart, Panel

_MARKED_POINTS = 30
_BESIDE = 7.0  # between the bars of groups that have one epoch alone


def draw_middles(chart: Chart) -> bytes:
    """Draw the bands of every panel; a group without `low` and `high` is a line alone.

    Up to eight groups a panel are named at the ends of their means, more, or longer names,
    below.
    """
    names = [band.label for panel in chart.panels for band in panel.bands]
    most = max((len(panel.bands) for panel in chart.panels), default=0)
    crowded = most > DIRECT_LABELS or not fits_beside(chart.panels, names)
    extents = [_measure_panel(panel, labelled=not crowded) for panel in chart.panels]
    marks = _list_marks(chart) if crowded else []
    with open_sheet(chart, extents, marks) as sheet:
        for panel, frame in zip(chart.panels, sheet.frames, strict=True):
            for band, shift in zip(panel.bands, _shift(panel), strict=True):
                _draw_spread(sheet.pen, frame, band, shift)
            for band, shift in zip(panel.bands, _shift(panel), strict=True):
                _draw_mean(sheet.pen, frame, band, shift)
        return sheet.pen.finish()


def _measure_panel(panel: Panel, *, labelled: bool) -> Extent:
    xs: list[float] = []
    ys: list[float] = []
    labels: list[EndLabel] = []
    for band, shift in zip(panel.bands, _shift(panel), strict=True):
        for values in (low_edge(band, logarithmic=panel.logarithmic), band.high, band.mean):
            points = [
                (x, y)
                for x, y in zip(band.x, values, strict=False)
                if is_drawable(x) and is_drawable(y)
            ]
            xs += [x for x, _ in points]
            ys += [y for _, y in points]
        if labelled and points:
            look = band_stroke(band)
            x, y = points[-1]
            labels.append(EndLabel(text=band.label, stroke=look, x=x, y=y, shift=shift))
    return Extent(xs=xs, ys=ys, labels=tuple(labels))


def low_edge(band: Band, *, logarithmic: bool) -> tuple[float, ...]:
    """Return the lower edge as far as an axis has to show it.

    On a logarithmic one an edge near zero would take all the room; below a tenth of the least
    mean it runs into the frame.

    Example:
        >>> band = Band(group="a", group_index=0, label="a", x=(1.0,), mean=(2.0,), low=(-3.0,))
        >>> low_edge(band, logarithmic=True)
        (nan,)
    """
    if not logarithmic:
        return band.low
    least = min((mean for mean in band.mean if mean > 0), default=0.0) / 10
    return tuple(low if low >= least else float("nan") for low in band.low)


def _shift(panel: Panel) -> list[float]:
    """Return by how much each band stands aside: bars at one and the same epoch hide each other."""
    places = {x for band in panel.bands for x in band.x}
    count = len(panel.bands)
    if len(places) != 1 or count > DIRECT_LABELS:
        return [0.0] * count
    return [(k - (count - 1) / 2) * _BESIDE for k in range(count)]


def _list_marks(chart: Chart) -> list[Mark]:
    bands = [band for panel in chart.panels for band in panel.bands]
    named = {band.group_index: band for band in reversed(bands)}
    return [Mark(stroke=band_stroke(band), text=band.label) for _, band in sorted(named.items())]


def _draw_spread(pen: Pen, frame: Frame, band: Band, shift: float) -> None:
    """Fill between `low` and `high`, its edges drawn faintly so that overlaps can be read."""
    if not (band.low and band.high):
        return
    colour = band_stroke(band).colour
    gap = float("nan")
    both = [is_drawable(a) and is_drawable(b) for a, b in zip(band.low, band.high, strict=True)]
    low = tuple(v if ok else gap for v, ok in zip(band.low, both, strict=True))
    high = tuple(v if ok else gap for v, ok in zip(band.high, both, strict=True))
    for lower, upper in zip(split_runs(band.x, low), split_runs(band.x, high), strict=True):
        below = [(frame.x.place(x) + shift, frame.y.place(y)) for x, y in lower]
        above = [(frame.x.place(x) + shift, frame.y.place(y)) for x, y in upper]
        pen.area([*below, *reversed(above)], colour, alpha=0.16)
        for edge in (below, above):
            pen.line(edge, colour, width=0.5, alpha=0.5)
        if len(below) == 1:
            pen.line([below[0], above[0]], colour, width=1.0, alpha=0.5)


def _draw_mean(pen: Pen, frame: Frame, band: Band, shift: float) -> None:
    look = band_stroke(band)
    stretches = split_runs(band.x, band.mean)
    places = [[(frame.x.place(x) + shift, frame.y.place(y)) for x, y in s] for s in stretches]
    for stretch in places:
        pen.line(stretch, look.colour, width=1.4, dashes=look.dashes)
    if sum(map(len, places)) <= _MARKED_POINTS:
        for stretch in places:
            pen.markers(stretch, look.marker, look.colour)
