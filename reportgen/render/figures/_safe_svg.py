"""What of a stranger's SVG is drawn: shapes and words, and nothing that acts or loads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from reportgen.records.errors import UsageError

NAMESPACE = "http://www.w3.org/2000/svg"
LONGEST = 2_000_000  # characters
MOST_ELEMENTS = 20_000  # what `use` repeats is counted as often as it is drawn
DEEPEST = 60

# Elements that draw; the same are kept by every format.
DRAWN = frozenset(
    {
        *("circle", "clipPath", "defs", "ellipse", "g", "line", "path", "polygon", "polyline"),
        *("rect", "text", "tspan", "use"),
    }
)
# Elements that draw nothing and are left out without a word.
SILENT = frozenset({"desc", "metadata", "namedview", "style", "title"})
GEOMETRY = frozenset(
    {
        *("cx", "cy", "d", "dx", "dy", "height", "id", "pathLength", "points", "r", "rx", "ry"),
        *("rotate", "textLength", "transform", "width", "x", "x1", "x2", "y", "y1", "y2"),
        *("clipPathUnits", "lengthAdjust"),
    }
)
LOOKS = frozenset(
    {
        *("clip-path", "clip-rule", "color", "display", "dominant-baseline", "fill"),
        *("fill-opacity", "fill-rule", "font-family", "font-size", "font-style", "font-weight"),
        *("letter-spacing", "opacity", "stroke", "stroke-dasharray", "stroke-dashoffset"),
        *("stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-opacity"),
        *("stroke-width", "text-anchor", "visibility"),
    }
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
