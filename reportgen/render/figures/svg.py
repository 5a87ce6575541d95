"""SVG: a drawing that somebody else made, as text."""

from __future__ import annotations

import io
import math
import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from reportgen.records.document import Chart
from reportgen.records.errors import UsageError
from reportgen.render.figures._safe_svg import NAMESPACE, clean_svg
from reportgen.render.figures._style import PAIR_WIDTH

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HIGHEST = 560.0  # points; a page has room for a caption below
_LENGTH = re.compile(r"\s*\+?(\d+(?:\.\d*)?|\.\d+)(pt|px|mm|cm|in|pc|)\s*")
_POINTS = {"pt": 1.0, "px": 0.75, "": 0.75, "mm": 72 / 25.4, "cm": 72 / 2.54, "in": 72, "pc": 12}


def draw(chart: Chart) -> bytes:
    """Return a drawing as it is, without what acts or loads, no larger than a page has room.

    Raises:
        UsageError: It is no SVG, has no size, or holds what is not drawn in every format.
    """
    root = clean_svg(chart.svg)
    width, height, box = _measure(root)
    shrink = min(1.0, PAIR_WIDTH / width, _HIGHEST / height)
    root.attrib = {key: value for key, value in root.attrib.items() if key not in _SIZES}
    root.set("xmlns", NAMESPACE)
    root.set("width", f"{width * shrink:.6g}pt")
    root.set("height", f"{height * shrink:.6g}pt")
    root.set("viewBox", " ".join(f"{number:.8g}" for number in box))
    made: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return made


_SIZES = frozenset({"width", "height", "viewBox", "x", "y", "id", "transform"})


def _measure(root: ET.Element) -> tuple[float, float, tuple[float, ...]]:
    """Return width and height in points, and the part of the plane that is seen."""
    box = tuple(map(_number, root.get("viewBox", "").replace(",", " ").split()))
    width, height = _length(root.get("width", "")), _length(root.get("height", ""))
    if len(box) != 4:
        box = (0.0, 0.0, (width or 0.0) / _POINTS["px"], (height or 0.0) / _POINTS["px"])
    if not all(map(math.isfinite, box)) or not 1e-3 < min(box[2:]) <= max(box[2:]) < 1e6:
        raise UsageError(
            "a drawing has no size",
            remedy='give its <svg> a width and a height, or a viewBox="0 0 300 200"',
        )
    ratio = box[3] / box[2]
    width = width or (height / ratio if height else box[2])
    return width, height or width * ratio, box


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _length(text: str) -> float | None:
    """Return a length in points; None where it is none, or no length of its own (100%)."""
    found = _LENGTH.fullmatch(text)
    if not found:
        return None
    points = float(found[1]) * _POINTS[found[2]]
    return points if 0 < points < 1e6 else None


def from_matplotlib(figure: Figure) -> str:
    """Return a figure of matplotlib as SVG: the same bytes for the same figure, on every machine.

    Args:
        figure: Made by `matplotlib.figure.Figure`; its size is that on the page, at most 160 mm
            (6.3 inches) wide.

    Example:
        >>> from matplotlib.figure import Figure
        >>> page = Figure(figsize=(4, 2.5))
        >>> _ = page.subplots().plot([1, 2, 3], [0.5, 0.7, 0.6])
        >>> from_matplotlib(page) == from_matplotlib(page)
        True
    """
    from matplotlib import rc_context

    page = io.StringIO()
    with rc_context({"svg.fonttype": "path", "svg.hashsalt": "reportgen"}):
        none = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(page, format="svg", metadata=none)
    return page.getvalue()
