"""Boxes with text, arrows and frames: what diagrams are made of."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from reportgen.languages import spoken
from reportgen.records.diagram import Box
from reportgen.render.figures._axes import POINTS, as_svg, own_settings
from reportgen.render.figures._lettering import clean, fit, measure
from reportgen.render.figures._style import FRAME, INK, LINE_HEIGHT, TEXT_SIZE

from matplotlib.figure import Figure  # isort: skip - it reads what `_lettering` prepares
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.text import Text
from matplotlib.transforms import Affine2D

if TYPE_CHECKING:
    from matplotlib.artist import Artist

Point = tuple[float, float]

PAD = 4.0  # between the edge of a box and its text
GAP = 10.0  # between a label and the shape on the same line
ARROW = 8.5  # length of a short arrow
HEAD = 3.6  # length of an arrow's head
PLUS = 4.6  # radius of the circle in which two ways meet
DASHED = (3.0, 2.0)

# Light tints of Okabe and Ito's colours; titles say the same, so no meaning is lost in grey.
FILLS = {
    "table": "#d9efe6",
    "norm": "#f0f0f0",
    "attention": "#d3e6f4",
    "cross": "#e6f1fb",
    "ffn": "#fdeccb",
    "head": "#f3dde9",
    "frozen": "#e4e4e4",
    "trained": "#fbe1cc",
    "plain": "#ffffff",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a box lies, in points."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Lower edge."""
        return self.top + self.height

    @property
    def middle(self) -> Point:
        """Centre."""
        return self.left + self.width / 2, self.top + self.height / 2


@dataclass(frozen=True, slots=True)
class Word:
    """One piece of text in a box: what, how far from its edge, on which line."""

    text: str
    line: int
    right: bool = False
    bold: bool = False
    indent: float = 0.0


@dataclass(slots=True)
class Canvas:
    """A drawing that is laid out before the size of its sheet is known."""

    artists: list[Callable[[], Artist]] = field(default_factory=list)

    def box(self, box: Box, left: float, top: float, width: float) -> Place:
        """Draw a box as high as its text needs, and return where it lies."""
        words = set_words(box, width - 2 * PAD)
        place = Place(left, top, width, box_height(box, width))
        self.panel(place, FILLS[box.kind], dashes=DASHED if box.kind == "trained" else ())
        for word in words:
            x = place.right - PAD if word.right else place.left + PAD + word.indent
            y = place.top + PAD + (word.line + 0.5) * LINE_HEIGHT
            self.text(x, y, word.text, anchor="end" if word.right else "start", bold=word.bold)
        return place

    def panel(
        self, place: Place, fill: str = "", *, dashes: Sequence[float] = (), width: float = 0.8
    ) -> None:
        """Draw a rectangle."""
        corners = [
            (place.left, place.top),
            (place.right, place.top),
            (place.right, place.bottom),
            (place.left, place.bottom),
        ]
        if fill:
            self.area(corners, fill)
        self.line([*corners, corners[0]], dashes=dashes, width=width)

    def area(self, points: Sequence[Point], colour: str) -> None:
        """Fill a polygon without an outline."""
        shape = [(x, -y) for x, y in points]
        look: dict[str, Any] = {"facecolor": colour, "edgecolor": "none", "linewidth": 0}
        self.artists.append(partial(Polygon, shape, **look))

    def line(
        self,
        points: Sequence[Point],
        *,
        dashes: Sequence[float] = (),
        width: float = 0.8,
        colour: str = FRAME,
    ) -> None:
        """Draw a line through points."""
        style: Any = (0, [length / width for length in dashes]) if dashes else "solid"
        across, up = [x for x, _ in points], [-y for _, y in points]
        look: dict[str, Any] = {"color": colour, "linewidth": width, "linestyle": style}
        self.artists.append(partial(Line2D, across, up, **look))

    def arrow(self, points: Sequence[Point], *, dashes: Sequence[float] = ()) -> None:
        """Draw a line with a head at its last point."""
        (x0, y0), (x1, y1) = points[-2:]
        length = math.hypot(x1 - x0, y1 - y0) or 1.0
        dx, dy = (x1 - x0) / length, (y1 - y0) / length
        back = (x1 - dx * HEAD, y1 - dy * HEAD)
        sides = [
            (x1, y1),
            (back[0] - dy * HEAD * 0.45, back[1] + dx * HEAD * 0.45),
            (back[0] + dy * HEAD * 0.45, back[1] - dx * HEAD * 0.45),
        ]
        self.line([*points[:-1], back], dashes=dashes)
        self.area(sides, FRAME)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        anchor: str = "start",
        bold: bool = False,
        colour: str = INK,
    ) -> None:
        """Write a line of text; `y` is the middle of its small letters."""
        drawn = clean(text)
        if drawn:
            left = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * measure(text, bold=bold)
            weight = "bold" if bold else "normal"
            place = left, -(y + 0.27 * TEXT_SIZE)
            self.artists.append(partial(Text, *place, drawn, color=colour, fontweight=weight))

    def joint(self, x: float, y: float) -> None:
        """Draw the circle in which two ways are added."""
        reach = PLUS * 0.62
        self.area(_ring(x, y, PLUS), "#ffffff")
        self.line(_ring(x, y, PLUS))
        self.line([(x - reach, y), (x + reach, y)], width=1.0)
        self.line([(x, y - reach), (x, y + reach)], width=1.0)

    def dot(self, x: float, y: float) -> None:
        """Mark where a way forks."""
        self.area(_ring(x, y, 1.3), FRAME)

    def finish(self, width: float, height: float) -> bytes:
        """Draw everything and return the sheet as SVG."""
        # In points from the upper left corner, downwards.
        place = Affine2D().translate(0, height)
        with own_settings():
            sheet = Figure(figsize=(width / POINTS, height / POINTS), dpi=POINTS, facecolor="none")
            for make in self.artists:
                artist = make()
                artist.set_transform(place)
                sheet.add_artist(artist)
            return as_svg(sheet)


def _ring(x: float, y: float, radius: float) -> list[Point]:
    turns = [k * math.pi / 16 for k in range(33)]
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]


def box_height(box: Box, width: float) -> float:
    """Return how high a box of this width is."""
    words = set_words(box, width - 2 * PAD)
    return 2 * PAD + (max((word.line for word in words), default=0) + 1) * LINE_HEIGHT - 1.0


def set_words(box: Box, width: float) -> list[Word]:
    """Break the text of a box into lines: title and count, then a row after the other."""
    count = f"{box.count:,}".replace(",", spoken().group_mark) if box.count else ""
    rows = list(box.rows)
    title = box.title
    words: list[Word] = []
    if len(rows) == 1 and not rows[0].label:
        beside = measure(title, bold=True) + GAP
        if beside + measure(rows[0].shape) + GAP + measure(count, bold=True) <= width:
            words.append(Word(rows.pop().shape, 0, indent=beside))
    lines = wrap(title, width, bold=True) or [""]
    words += [Word(text, line, bold=True) for line, text in enumerate(lines)]
    line = len(lines) - 1
    if count:
        if measure(lines[-1], bold=True) + GAP + measure(count, bold=True) > width:
            line += 1
        words.append(Word(fit(count, width, bold=True), line, right=True, bold=True))
    for row in rows:
        line += 1
        if row.label and row.shape and measure(row.label) + GAP + measure(row.shape) <= width:
            words += [Word(row.label, line), Word(row.shape, line, right=True)]
            continue
        pieces = [(text, False) for text in wrap(row.label, width)]
        pieces += [(text, bool(row.label)) for text in wrap(row.shape, width)]
        words += [Word(text, line + k, right=right) for k, (text, right) in enumerate(pieces)]
        line += max(len(pieces) - 1, 0)
    return words


def wrap(text: str, width: float, *, bold: bool = False) -> list[str]:
    """Break a text at its plain spaces; a word that is too wide loses its middle.

    Example:
        >>> wrap("query, key, value", 60.0), wrap("", 60.0)
        (['query, key,', 'value'], [])
    """
    lines: list[str] = []
    # A narrow space inside a number holds it together.
    for word in filter(None, re.split(r"[ \t\n\r]+", text)):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measure(longer, bold=bold) <= width:
            lines[-1] = longer
        else:
            lines.append(fit(word, width, bold=bold))
    return lines
