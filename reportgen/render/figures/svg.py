"""SVG: a drawing that somebody else made, as text, without what acts or loads."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from reportgen.records.document import Chart
from reportgen.records.errors import UsageError
from reportgen.records.rows import read_rows
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


# --- what is drawn of it --------------------------------------------------------------


NAMESPACE = "http://www.w3.org/2000/svg"
LONGEST = 2_000_000  # characters
MOST_ELEMENTS = 20_000  # what `use` repeats is counted as often as it is drawn
DEEPEST = 60

_KEPT = read_rows("reportgen.render", "drawings.ini")["svg"]
DRAWN, SILENT, GEOMETRY, LOOKS = (
    frozenset(_KEPT[name].split()) for name in ("drawn", "silent", "geometry", "looks")
)
_LOCAL = re.compile(r"#[\w.:-]+")
_LINK = re.compile(r"url\(\s*['\"]?#([\w.:-]+)['\"]?\s*\)")
_SUSPECT = re.compile(
    r"url\s*\(|image\s*\(|expression|javascript|@import|//|\\|/\*|[<>&;{}]", re.IGNORECASE
)
_EVERYWHERE = re.compile(r"\*\s*\{([^{}]*)\}")
# What drawing programs write first; the name of a document type alone loads nothing.
_HEAD = re.compile(r"\s*(?:<\?xml[^<>]*\?>\s*)?(?:<!DOCTYPE\s+svg[^<>\[\]]*>)?")
_DECLARATION = re.compile(r"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_REMEDY = "draw with shapes and text alone: no scripts, pictures, links or animations"


def clean_svg(text: str) -> ET.Element:
    """Return a drawing in which nothing acts, loads or points outside of itself.

    Declarations of style become attributes, metadata and unknown attributes are left out.

    Raises:
        UsageError: It is no SVG, too large, or holds what is not drawn in every format: scripts,
            handlers of events, pictures, links to elsewhere, foreign objects, animations, entities.
    """
    if len(text) > LONGEST:
        refuse(f"is longer than {LONGEST:,} characters")
    text = _HEAD.sub("", text, count=1)
    # Entities can make a small file a large one, or read other files.
    if _DECLARATION.search(text):
        refuse("declares a document type with entities")
    try:
        root = ET.fromstring(text)  # noqa: S314 - without declarations
    except (ET.ParseError, ValueError, RecursionError) as error:
        raise UsageError(
            f"a drawing is no well-formed SVG: {error}",
            remedy="hand in the whole text of an SVG file, from <svg ...> to </svg>",
        ) from error
    if local_name(root) != "svg":
        refuse(f"begins with <{local_name(root)}>")
    check_depth(root)
    clean = copy_drawing(root, everywhere=dict(universal_style(root)))
    check_use(clean)
    return clean


def refuse(why: str) -> None:
    """Raise the error that names what is not drawn.

    Raises:
        UsageError: Always.
    """
    raise UsageError(f"a drawing {why[:200]}", remedy=_REMEDY)


def local_name(element: ET.Element) -> str:
    """Return the name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


def check_depth(root: ET.Element) -> None:
    """Refuse what is nested or repeated beyond all need, before anything walks into it."""
    level, depth, count = [root], 0, 0
    while level:
        depth, count = depth + 1, count + len(level)
        if depth > DEEPEST or count > MOST_ELEMENTS:
            refuse(f"has more than {MOST_ELEMENTS:,} elements, or {DEEPEST} in one another")
        level = [child for element in level for child in element]


def universal_style(root: ET.Element) -> Iterator[tuple[str, str]]:
    """Yield the one rule of style sheets that is read: that of every element."""
    for element in root.iter():
        if local_name(element) == "style":
            for rule in _EVERYWHERE.findall(element.text or ""):
                yield from declarations(rule)


def declarations(text: str) -> Iterator[tuple[str, str]]:
    """Yield the properties of a style that decide how something looks.

    Example:
        >>> list(declarations("fill: #ff0000; -x-y: 1; stroke : none"))
        [('fill', '#ff0000'), ('stroke', 'none')]
    """
    for part in text.split(";"):
        name, _, value = part.partition(":")
        if name.strip().lower() in LOOKS:
            yield name.strip().lower(), value.strip()


def copy_drawing(element: ET.Element, everywhere: dict[str, str] | None = None) -> ET.Element:
    """Copy what draws; elements of other vocabularies are left out."""
    name = local_name(element)
    made = ET.Element(name, everywhere or {})
    for key, value in attributes(element):
        made.set(key, value)
    if name in {"text", "tspan"}:
        made.text = element.text
    for child in element:
        inner = local_name(child)
        if inner in DRAWN:
            drawn = copy_drawing(child)
            drawn.tail = child.tail if name in {"text", "tspan"} else None
            made.append(drawn)
        elif inner not in SILENT and child.tag in {inner, f"{{{NAMESPACE}}}{inner}"}:
            refuse(f"holds <{inner}>, which is not drawn")
    return made


def attributes(element: ET.Element) -> Iterator[tuple[str, str]]:
    """Yield the attributes that are kept, those of its style last."""
    for name, value in element.attrib.items():
        key = name.rpartition("}")[2]
        if key.lower().startswith("on"):
            refuse(f"reacts to events ({key})")
        if key.lower() in {"href", "src"}:
            if not _LOCAL.fullmatch(value):
                refuse(f"points outside of itself ({key}={value!r})")
            yield "href", value
        elif key in GEOMETRY | LOOKS or (local_name(element) == "svg" and key == "viewBox"):
            yield key, checked(key, value)
    for key, value in declarations(element.get("style", "")):
        yield key, checked(key, value)


def checked(key: str, value: str) -> str:
    """Return a value that neither loads nor acts; a link is one to a part of the drawing."""
    link = _LINK.fullmatch(value.strip())
    if link:
        return f"url(#{link[1]})"
    if _SUSPECT.search(value):
        refuse(f"has a value that is not drawn ({key}={value!r})")
    return " ".join(value.split())


def check_use(root: ET.Element) -> None:
    """Refuse parts that repeat themselves, or one another, without end or beyond all need."""
    parts = {element.get("id"): element for element in root.iter() if element.get("id")}
    sizes: dict[int, int] = {}
    begun: set[int] = set()

    def size(element: ET.Element) -> int:
        key = id(element)
        if key in begun:
            refuse("repeats a part inside itself")
        if key not in sizes:
            begun.add(key)
            named = [parts[name] for name in references(element) if name in parts]
            sizes[key] = 1 + sum(map(size, [*element, *named]))
            begun.discard(key)
        return sizes[key]

    try:
        total = size(root)
    except RecursionError:
        total = MOST_ELEMENTS + 1
    if total > MOST_ELEMENTS:
        refuse(f"draws more than {MOST_ELEMENTS:,} elements")


def references(element: ET.Element) -> Iterator[str]:
    """Yield the names of the parts that an element draws, or is cut out by."""
    for key, value in element.attrib.items():
        link = _LINK.fullmatch(value)
        if key == "href":
            yield value.removeprefix("#")
        elif link:
            yield link[1]
