"""Figures as part of the page: one SVG element each, its ids its own, nothing active in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from reportgen.render._inline import Raw

_NAMESPACE = re.compile(r"^\{[^}]*\}")
_LINK = re.compile(r"url\(#([^)]+)\)")
_KEPT = {
    "circle", "clipPath", "defs", "ellipse", "g", "line", "path", "polygon", "polyline", "rect",
    "svg", "text", "tspan", "use",
}  # fmt: skip
"""Elements that draw. Style sheets would reach the whole page, scripts and links beyond it."""

_LOOKS = re.compile(
    r"fill|fill-opacity|fill-rule|opacity|stroke|stroke-(?:dasharray|dashoffset|linecap|linejoin"
    r"|miterlimit|opacity|width)|font-(?:family|size|style|weight)|text-anchor"
)
"""Declarations that may stand as attributes; the page's policy allows no style in elements."""

_POINTS = re.compile(r"([\d.]+)pt")
_SHIFT = re.compile(r"translate\((\S+) 0\)")
_PLACE = re.compile(r"translate\((\S+) (\S+)\) (scale\(\S+ \S+\))")
_LONG_COLOUR = re.compile(r"#(.)\1(.)\2(.)\3")
_SCREEN = 1.6  # pixels of the page to a point of the paper


class Drawings:
    """Turns drawings into elements of one page and collects the letters that they share."""

    def __init__(self) -> None:
        self._glyphs: dict[tuple[str, str], str] = {}
        self._words: dict[tuple[str, tuple[tuple[str, str], ...]], str] = {}

    def inline(self, svg: bytes, anchor: str, name: str, alt: str) -> Raw:
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
        copy = _Copy(f"{anchor}:", self._share(root))
        drawing = copy.element(root)
        self._share_words(drawing)
        width = _POINTS.fullmatch(root.get("width", ""))
        for key in ("width", "height", "version"):
            drawing.attrib.pop(key, None)
        if width:
            drawing.set("width", f"{float(width[1]) * _SCREEN:.0f}")
        drawing.set("role", "img")
        drawing.set("aria-labelledby", f"{anchor}:title {anchor}:desc")
        for tag, text in (("desc", alt), ("title", name)):
            element = ET.Element(tag, id=f"{anchor}:{tag}")
            element.text = text
            drawing.insert(0, element)
        return _spell(drawing)

    def sheet(self) -> Raw:
        """Return the element with all shared letters; empty where no drawing has any."""
        if not self._glyphs:
            return Raw()
        sheet = ET.Element("svg", {"class": "glyphs", "width": "0", "height": "0"})
        sheet.set("aria-hidden", "true")
        defs = ET.SubElement(sheet, "defs")
        for (outline, turn), name in self._glyphs.items():
            looks = {"id": name, "d": outline} | ({"transform": turn} if turn else {})
            ET.SubElement(defs, "path", looks)
        for (scale, letters), name in self._words.items():
            word = ET.SubElement(defs, "g", {"id": name, "transform": scale})
            for glyph, x in letters:
                ET.SubElement(word, "use", {"href": glyph} | ({"x": x} if x else {}))
        return _spell(sheet)

    def _share(self, root: ET.Element) -> dict[str, str]:
        """Put the defined paths of a drawing on the sheet; return their names there."""
        shared = {}
        for defs in (e for e in root.iter() if _local(e) == "defs"):
            for path in list(defs):
                if _local(path) != "path" or not set(path.keys()) <= {"id", "d", "transform"}:
                    continue
                key = " ".join(path.get("d", "").split()), path.get("transform", "")
                name = self._glyphs.setdefault(key, f"rg:g{len(self._glyphs)}")
                shared[path.get("id", "")] = name
                defs.remove(path)
        return shared

    def _share_words(self, drawing: ET.Element) -> None:
        """Put groups that are nothing but shared letters on the sheet, and use them from there."""
        for group in [e for e in drawing.iter("g") if len(e)]:
            letters = tuple((use.get("href", ""), use.get("x", "")) for use in group)
            shared = all(use.tag == "use" and set(use.keys()) <= {"href", "x"} for use in group)
            place = _PLACE.fullmatch(group.get("transform", ""))
            if place and shared and all(href.startswith("#rg:g") for href, _ in letters):
                name = self._words.setdefault((place[3], letters), f"rg:w{len(self._words)}")
                for use in list(group):
                    group.remove(use)
                del group.attrib["transform"]
                group.tag = "use"
                group.attrib |= {"href": f"#{name}", "x": place[1], "y": place[2]}


def _spell(element: ET.Element) -> Raw:
    return Raw(ET.tostring(element, encoding="unicode").replace(" />", "/>"))


class _Copy:
    """Copies the elements of one drawing."""

    def __init__(self, prefix: str, shared: dict[str, str]) -> None:
        self._prefix = prefix
        self._shared = shared

    def element(self, element: ET.Element) -> ET.Element:
        """Copy an element without namespaces; white space between elements is left out."""
        copy = ET.Element(_local(element), dict(self._attributes(element)))
        copy.text = element.text if _local(element) in {"text", "tspan"} else None
        children = (self.element(child) for child in element if _local(child) in _KEPT)
        copy.extend(c for c in children if c.tag != "defs" or len(c))
        return copy

    def _attributes(self, element: ET.Element) -> Iterator[tuple[str, str]]:
        for name, value in element.attrib.items():
            local = _NAMESPACE.sub("", name)
            if local == "id":
                yield local, self._prefix + value
            elif local == "href":
                # Only links inside the drawing; anything else would load from elsewhere.
                if value.startswith("#"):
                    yield local, f"#{self._shared.get(value[1:]) or self._prefix + value[1:]}"
            elif local == "style":
                yield from _looks(value)
            elif (
                local == "transform"
                and _local(element) == "use"
                and "x" not in element.attrib
                and (shift := _SHIFT.fullmatch(value))
            ):
                yield "x", shift[1]
            elif not local.startswith("on"):
                yield local, _LINK.sub(rf"url(#{self._prefix}\1)", " ".join(value.split()))


def _local(element: ET.Element) -> str:
    return _NAMESPACE.sub("", element.tag)


def _looks(style: str) -> Iterator[tuple[str, str]]:
    """Yield the declarations of a style as attributes of their own."""
    for declaration in style.split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if _LOOKS.fullmatch(name) and "url" not in value:
            yield name, _LONG_COLOUR.sub(r"#\1\2\3", value)
