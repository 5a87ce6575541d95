"""Value axes that follow most runs, where one that diverges would flatten all others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from reportgen.languages import say
from reportgen.records.document import Band, Line, Panel, Text
from reportgen.report._moments import enumerated

Limits = tuple[float, float]

_APART = 9.0
"""How many times what the other lines span a line goes beyond them, to be left outside."""
_SHARE = 4  # at most one line in so many is left outside
_FEWEST = 4
_MARGIN = 0.25  # of what the other lines span, on either side
_GAP = float("nan")


def limits_of(panel: Panel) -> Limits | None:
    """Return the values that an axis shows where it follows most lines; None where it shows all.

    A line that would vanish is no run that went astray, and an axis of percent has its ends.

    Example:
        >>> calm = [Line(label=str(i), group="a", group_index=0, member=i, x=(1.0, 2.0, 3.0),
        ...              y=(4.0, 3.0, 2.0)) for i in range(3)]
        >>> astray = Line(label="3", group="a", group_index=0, member=3, x=(1.0, 2.0, 3.0),
        ...               y=(4.0, 90.0, 400.0))
        >>> limits_of(Panel(title="", x_label="", y_label="", lines=(*calm, astray)))
        (1.5, 4.5)
    """
    if len(panel.lines) < _FEWEST or "%" in panel.y_label:
        return None
    reaches = [reach for line in panel.lines if (reach := _reach(line.y)) is not None]
    for sign in (1.0, -1.0):
        kept = _others(reaches, sign)
        if kept:
            low, high = min(r[0] for r in kept), max(r[1] for r in kept)
            margin = (high - low) * _MARGIN
            limits = low - margin, high + margin
            shown = (any(_inside(value, limits) for value in line.y) for line in panel.lines)
            return limits if all(shown) else None
    return None


def followed(panel: Panel, limits: Limits) -> tuple[Panel, list[str]]:
    """Return a panel without what lies beyond its limits, and the names of what was cut."""
    lines = [_cut_line(line, limits) for line in panel.lines]
    bands = [_cut_band(band, limits) for band in panel.bands]
    names = [_name(line) for line, old in zip(lines, panel.lines, strict=True) if line is not old]
    names += [new.group for new, old in zip(bands, panel.bands, strict=True) if new is not old]
    return replace(panel, lines=tuple(lines), bands=tuple(bands)), names


def follow_words(names: Sequence[str]) -> Text:
    """Say that an axis follows most runs, and of which something lies beyond it."""
    return say(
        "The axis of values follows the other runs: what of {names} lies beyond it is not drawn.",
        names=enumerated(list(dict.fromkeys(names))),
    )


def _reach(values: Sequence[float]) -> Limits | None:
    column = np.asarray(values, dtype=float)
    column = column[np.isfinite(column)]
    return (float(column.min()), float(column.max())) if column.size else None


def _others(reaches: Sequence[Limits], sign: float) -> Sequence[Limits]:
    """Return the reaches without the few that go far up, or down where the sign is negative."""

    def far(reach: Limits) -> float:
        return reach[1] if sign > 0 else -reach[0]

    ranked = sorted(reaches, key=far)
    for count in range(len(ranked) // _SHARE, 0, -1):
        kept, astray = ranked[:-count], ranked[-count:]
        span = max(r[1] for r in kept) - min(r[0] for r in kept)
        if span > 0 and far(astray[0]) - far(kept[-1]) > _APART * span:
            return kept
    return ()


def _inside(value: float, limits: Limits) -> bool:
    return limits[0] <= value <= limits[1]


def _kept(values: Sequence[float], limits: Limits) -> tuple[float, ...]:
    return tuple(_GAP if value < limits[0] or value > limits[1] else value for value in values)


def _cut_line(line: Line, limits: Limits) -> Line:
    if not any(value < limits[0] or value > limits[1] for value in (*line.y, *line.smoothed)):
        return line
    return replace(line, y=_kept(line.y, limits), smoothed=_kept(line.smoothed, limits))


def _cut_band(band: Band, limits: Limits) -> Band:
    every = (*band.mean, *band.low, *band.high)
    if not any(value < limits[0] or value > limits[1] for value in every):
        return band
    mean = _kept(band.mean, limits)
    return replace(
        band, mean=mean, low=_edge(mean, band.low, limits), high=_edge(mean, band.high, limits)
    )


def _edge(mean: Sequence[float], edge: Sequence[float], limits: Limits) -> tuple[float, ...]:
    """Return an edge of a band inside the limits, with a gap where the mean has one."""
    return tuple(
        _GAP if math.isnan(m) or math.isnan(e) else min(max(e, limits[0]), limits[1])
        for m, e in zip(mean, edge, strict=bool(edge))
    )


def _name(line: Line) -> str:
    return line.label if line.group in line.label else f"{line.group}, {line.label}"
