"""Figures as part of the page: one SVG element each, its ids its own, nothing active in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from reportgen.formats._inline import Raw

_NAMESPACE = re.compile(r"^\{[^}]*\}")
_LINK = re.compile(r"url\(#([^)]+)\)")
_KEPT = {
    "circle", "clipPath", "defs", "ellipse", "g", "line", "path", "polygon", "polyline", "rect",
    "svg", "text", "tspan", "use",
}  # fmt: skip
"""Elements that draw. Style sheets would reach the whole page, scripts and links beyond it."""

_POINTS = re.compile(r"([\d.]+)pt")


def inline_svg(svg: bytes, anchor: str, name: str, alt: str) -> Raw:
    """Return a drawing as an `<svg>` element for an HTML page.

    Every id gets the figure's anchor as prefix, for two figures of one page use the same
    ones. Comments, style sheets and everything that does not draw are left out.

    Args:
        svg: The drawing as a file of its own.
        anchor: Unique in the page.
        name: Short name ("Figure 1").
        alt: What the drawing shows, in words.
    """
    root = ET.fromstring(svg)  # noqa: S314 - drawn by the program itself
    drawing = _copy(root, f"{anchor}:")
    width = _POINTS.fullmatch(root.get("width", ""))
    for key in ("width", "height", "version"):
        drawing.attrib.pop(key, None)
    if width:
        drawing.set("style", f"max-width:{float(width[1]) * 1.6:.0f}px")
    drawing.set("role", "img")
    drawing.set("aria-labelledby", f"{anchor}:title {anchor}:desc")
    for tag, text in (("desc", alt), ("title", name)):
        element = ET.Element(tag, id=f"{anchor}:{tag}")
        element.text = text
        drawing.insert(0, element)
    return Raw(ET.tostring(drawing, encoding="unicode"))


def _copy(element: ET.Element, prefix: str) -> ET.Element:
    """Copy an element without namespaces; white space between elements is left out."""
    copy = ET.Element(_local(element), dict(_attributes(element, prefix)))
    copy.text = element.text if _local(element) in {"text", "tspan"} else None
    copy.extend(_copy(child, prefix) for child in element if _local(child) in _KEPT)
    return copy


def _local(element: ET.Element) -> str:
    return _NAMESPACE.sub("", element.tag)


def _attributes(element: ET.Element, prefix: str) -> Iterator[tuple[str, str]]:
    for name, value in element.attrib.items():
        local = _NAMESPACE.sub("", name)
        if local == "id":
            yield local, prefix + value
        elif local == "href":
            # Only links inside the drawing; anything else would load from elsewhere.
            if value.startswith("#"):
                yield local, f"#{prefix}{value[1:]}"
        elif not local.startswith("on"):
            # The parser has made spaces of the line breaks in paths; one of them is enough.
            yield local, _LINK.sub(rf"url(#{prefix}\1)", " ".join(value.split()))
