"""The pen: matplotlib's SVG renderer, driven directly.

Figures here are a few dozen lines and words whose places are known. They need none of what
`Figure` and `Axes` bring, and importing those takes longer than drawing does.
"""

from __future__ import annotations

import functools
import io
import logging
import os
import unicodedata
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from reportgen.render.figures._style import INK, TEXT_SIZE, shorten


def _prepare_matplotlib() -> None:
    """Give matplotlib a folder of its own where it would find none that it may write to.

    What it says of building its list of fonts, once and after five seconds, is for programmers.
    """
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises without a home
    if "MPLCONFIGDIR" in os.environ or os.access(home, os.W_OK):
        return
    import atexit
    import shutil
    import tempfile

    folder = tempfile.mkdtemp(prefix="reportgen-matplotlib-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["MPLCONFIGDIR"] = folder


_prepare_matplotlib()

import numpy as np  # noqa: E402 - matplotlib reads its environment at import
from matplotlib import get_data_path, rc_context  # noqa: E402
from matplotlib.backends.backend_svg import RendererSVG  # noqa: E402
from matplotlib.font_manager import FontProperties  # noqa: E402
from matplotlib.ft2font import FT2Font  # noqa: E402
from matplotlib.path import Path as Outline  # noqa: E402
from matplotlib.transforms import IdentityTransform  # noqa: E402

_FONTS = Path(get_data_path()) / "fonts" / "ttf"
_REGULAR, _BOLD = _FONTS / "DejaVuSans.ttf", _FONTS / "DejaVuSans-Bold.ttf"

# What a matplotlibrc of the user could change and that reaches the picture.
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "path",
    "svg.hashsalt": "reportgen",
    "path.simplify": False,
    "path.sketch": None,
}
_NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))

_SHAPES: dict[str, tuple[tuple[tuple[float, float], ...], bool]] = {
    # corners in units of the marker's radius (y down), and whether the shape is closed
    "square": (((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)), True),
    "triangle": (((0.0, -1.15), (1.05, 0.75), (-1.05, 0.75)), True),
    "down": (((0.0, 1.15), (1.05, -0.75), (-1.05, -0.75)), True),
    "diamond": (((0.0, -1.25), (1.0, 0.0), (0.0, 1.25), (-1.0, 0.0)), True),
    "cross": (((-0.9, -0.9), (0.9, 0.9), (0.9, -0.9), (-0.9, 0.9)), False),
    "plus": (((-1.1, 0.0), (1.1, 0.0), (0.0, -1.1), (0.0, 1.1)), False),
}


@functools.cache
def _face(*, bold: bool) -> FT2Font:
    return FT2Font(str(_BOLD if bold else _REGULAR))


@functools.cache
def _font(*, bold: bool) -> FontProperties:
    return FontProperties(fname=str(_BOLD if bold else _REGULAR), size=TEXT_SIZE)


@functools.cache
def _has_glyph(character: str) -> bool:
    return all(_face(bold=b).get_char_index(ord(character)) for b in (False, True))


def clean(text: str) -> str:
    r"""Return what can be drawn, as pages print it: one line, and code points for lacking glyphs.

    Example:
        >>> clean("a \N{CJK UNIFIED IDEOGRAPH-65E5}")
        'a [U+65E5]'
    """
    kept = []
    for character in " ".join(unicodedata.normalize("NFC", text).split()):
        category = unicodedata.category(character)
        if category in {"Cc", "Cf"}:
            continue
        # Letters are drawn from left to right and apart, which writes no word of some scripts.
        backward = unicodedata.bidirectional(character) in {"R", "AL"}
        if backward or category in {"Cs", "Co", "Cn"} or not _has_glyph(character):
            kept.append(f"[U+{ord(character):04X}]")
        else:
            kept.append(character)
    return "".join(kept)


@functools.lru_cache(maxsize=4096)
def measure(text: str, *, bold: bool = False) -> float:
    """Return the width of a text in points."""
    face = _face(bold=bold)
    face.set_size(TEXT_SIZE * 16, 72)
    face.set_text(clean(text), 0.0)
    width, _ = face.get_width_height()
    return float(width) / 64 / 16


def fit(text: str, width: float, *, bold: bool = False) -> str:
    """Return the text, its middle cut out until it is no wider than `width` points."""
    kept = shorten(clean(text), 400)
    length = len(kept)
    while length > 1 and measure(kept, bold=bold) > width:
        length = min(length - 1, int(length * width / measure(kept, bold=bold)) + 1)
        kept = shorten(clean(text), length)
    return kept


class Pen:
    """Draws on one sheet, in points from the upper left corner, and writes it as SVG.

    Used in a `with` block: inside it the settings of matplotlib are ours.
    """

    def __init__(self, width: float, height: float) -> None:
        self._size = (width, height)
        self._sheet = io.StringIO()
        self._settings = ExitStack()

    def __enter__(self) -> Self:
        self._settings.enter_context(rc_context(_SETTINGS))
        # matplotlib ships no types for its renderers.
        make: Any = RendererSVG
        self._renderer: Any = make(*self._size, self._sheet, metadata=dict(_NO_METADATA))
        return self

    def __exit__(self, *error: object) -> None:
        self._settings.close()

    def line(
        self,
        points: Sequence[tuple[float, float]],
        colour: str,
        *,
        width: float = 1.0,
        dashes: Sequence[float] = (),
        alpha: float = 1.0,
    ) -> None:
        """Draw an open polygon."""
        self._trace([points], colour, width=width, dashes=dashes, alpha=alpha)

    def area(self, points: Sequence[tuple[float, float]], colour: str, *, alpha: float) -> None:
        """Fill a polygon without an outline."""
        self._trace([points], colour, width=0.0, alpha=alpha, fill=True, closed=True)

    def markers(
        self,
        points: Sequence[tuple[float, float]],
        shape: str,
        colour: str,
        *,
        radius: float = 1.9,
        alpha: float = 1.0,
    ) -> None:
        """Put a marker on every point: closed shapes filled, with a thin white edge."""
        if shape == "circle":
            corners, closed = _circle(), True
        else:
            corners, closed = _SHAPES[shape]
        if not closed:
            strokes = [
                [(x + dx * radius, y + dy * radius) for dx, dy in corners[i : i + 2]]
                for x, y in points
                for i in (0, 2)
            ]
            self._trace(strokes, colour, width=1.0, alpha=alpha)
            return
        outlines = [[(x + dx * radius, y + dy * radius) for dx, dy in corners] for x, y in points]
        self._trace(outlines, colour, width=0.0, alpha=alpha, fill=True, closed=True)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        anchor: str = "start",
        colour: str = INK,
        bold: bool = False,
    ) -> None:
        """Write one line of text; `y` is the middle of its small letters."""
        drawn = clean(text)
        if not drawn:
            return
        share = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        left = x - share * measure(text, bold=bold)
        gc = self._renderer.new_gc()
        gc.set_foreground(colour)
        baseline = round(y + 0.27 * TEXT_SIZE, 2)
        self._renderer.draw_text(gc, round(left, 2), baseline, drawn, _font(bold=bold), 0.0)

    def finish(self) -> bytes:
        """Close the sheet and return it."""
        self._renderer.finalize()
        return self._sheet.getvalue().encode()

    def _trace(
        self,
        shapes: Sequence[Sequence[tuple[float, float]]],
        colour: str,
        *,
        width: float,
        dashes: Sequence[float] = (),
        alpha: float = 1.0,
        fill: bool = False,
        closed: bool = False,
    ) -> None:
        """Send any number of polygons of one look to the renderer, as one path."""
        vertices: list[tuple[float, float]] = []
        codes: list[Any] = []
        for shape in shapes:
            vertices += shape
            codes += [Outline.MOVETO] + [Outline.LINETO] * (len(shape) - 1)
            if closed:
                vertices.append(shape[0])
                codes.append(Outline.CLOSEPOLY)
        if not vertices:
            return
        places = np.round(np.array(vertices, dtype=float), 2)
        places[:, 1] = self._size[1] - places[:, 1]  # matplotlib counts from the lower edge
        gc = self._renderer.new_gc()
        gc.set_foreground(colour)
        gc.set_linewidth(width)
        gc.set_alpha(alpha)
        if dashes:
            gc.set_dashes(0.0, list(dashes))
        face = gc.get_rgb() if fill else None
        self._renderer.draw_path(gc, Outline(places, codes), IdentityTransform(), face)


@functools.cache
def _circle() -> tuple[tuple[float, float], ...]:
    angles = np.arange(16) * (2 * np.pi / 16)
    return tuple((float(np.cos(a)), float(np.sin(a))) for a in angles)
