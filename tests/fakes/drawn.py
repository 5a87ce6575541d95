"""What stands on a drawing: its words and its boxes, read back from the SVG alone."""

from __future__ import annotations

import functools
import html
import re
from dataclasses import dataclass
from itertools import combinations

from matplotlib import get_data_path
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

_WORD = re.compile(
    r"<!-- (.*?) -->\s*<g (?:style=\"fill: (#\w+)\" )?transform=\"translate\((\S+) (\S+)\)"
    r"( rotate\(-90\))?(.*?)</g>",
    re.DOTALL,
)
_BOX = re.compile(
    r"<path d=\"M (\S+) (\S+) \nL (\S+) (\S+) \nL (\S+) (\S+) \nL (\S+) (\S+) \n"
    r"(?:L \S+ \S+ \n)?z\n\"[^>]*?style=\"fill: (#\w+)"
)


@dataclass(frozen=True, slots=True)
class Ink:
    """The extent of one piece of text or one filled rectangle, y downwards."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    colour: str = ""
    bold: bool = False

    def holds(self, other: Ink, slack: float = 0.5) -> bool:
        """Say whether another extent lies inside."""
        return (
            self.left - slack <= other.left
            and self.top - slack <= other.top
            and other.right <= self.right + slack
            and other.bottom <= self.bottom + slack
        )

    def meets(self, other: Ink) -> bool:
        """Say whether two extents share some area."""
        return min(self.right, other.right) > max(self.left, other.left) + 0.1 and (
            min(self.bottom, other.bottom) > max(self.top, other.top) + 0.1
        )


@functools.cache
def _font(*, bold: bool) -> FontProperties:
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return FontProperties(fname=f"{get_data_path()}/fonts/ttf/{name}", size=8)


def words(svg: bytes) -> list[Ink]:
    """Return every text with the extent of its ink, by matplotlib's own outlines."""
    found = []
    for comment, colour, x, y, upright, body in _WORD.findall(svg.decode()):
        text, bold = html.unescape(comment), "DejaVuSans-Bold" in body
        outline, _ = text_to_path.get_text_path(_font(bold=bold), text, ismath=False)
        scale = 8 / text_to_path.FONT_SCALE
        xs, ys = [v[0] * scale for v in outline], [v[1] * scale for v in outline]
        if upright:
            xs, ys = [-y for y in ys], xs
        left, base = float(x), float(y)
        extent = (left + min(xs), base - max(ys), left + max(xs), base - min(ys))
        found.append(Ink(text, *extent, colour=colour or "#000000", bold=bold))
    return found


def boxes(svg: bytes) -> list[Ink]:
    """Return every filled rectangle."""
    found = []
    for *corners, colour in _BOX.findall(svg.decode()):
        places = [float(value) for value in corners]
        xs, ys = places[::2], places[1::2]
        if len(set(xs)) == 2 and len(set(ys)) == 2:
            found.append(Ink("", min(xs), min(ys), max(xs), max(ys), colour))
    return found


def sheet(svg: bytes) -> Ink:
    """Return the extent of the whole drawing."""
    width, height = re.search(rb'viewBox="0 0 (\S+) (\S+)"', svg).groups()
    return Ink("", 0.0, 0.0, float(width), float(height))


def overlapping(found: list[Ink]) -> list[tuple[str, str]]:
    """Return the texts that lie on one another."""
    return [(a.text, b.text) for a, b in combinations(found, 2) if a.meets(b)]


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, as WCAG 2.2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
