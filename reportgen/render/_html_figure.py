"""Figures as part of the page: one SVG element each, its ids its own, nothing active in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree import ElementTree as ET

from reportgen.render._inline import Raw
from reportgen.render.figures import copy_drawing

_LINK = re.compile(r"url\(#([^)]+)\)")
_POINTS = re.compile(r"([\d.]+)pt")
_SHIFT = re.compile(r"translate\((\S+) 0\)")
_PLACE = re.compile(r"translate\((\S+) (\S+)\) (scale\(\S+ \S+\))")
_LONG_COLOUR = re.compile(r"^#(.)\1(.)\2(.)\3$")
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
        drawing = copy_drawing(ET.fromstring(svg))  # noqa: S314 - drawn by the program itself
        _own_names(drawing, f"{anchor}:", self._share(drawing))
        self._share_words(drawing)
        width = _POINTS.fullmatch(drawing.get("width", ""))
        for key in ("width", "height"):
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
        for defs in root.iter("defs"):
            for path in list(defs):
                if path.tag != "path" or not set(path.keys()) <= {"id", "d", "transform"}:
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


def _own_names(drawing: ET.Element, prefix: str, shared: Mapping[str, str]) -> None:
    """Give ids and links a prefix, but for what is shared; leave out what defines nothing."""
    for element in drawing.iter():
        for key, value in element.items():
            if key == "id":
                element.set(key, prefix + value)
            elif key == "href":
                element.set(key, f"#{shared.get(value[1:]) or prefix + value[1:]}")
            else:
                text = _LINK.sub(rf"url(#{prefix}\1)", value)
                element.set(key, _LONG_COLOUR.sub(r"#\1\2\3", text))
        shift = _SHIFT.fullmatch(element.get("transform", ""))
        if element.tag == "use" and shift and "x" not in element.attrib:
            del element.attrib["transform"]
            element.set("x", shift[1])
        for defs in [child for child in element if child.tag == "defs" and not len(child)]:
            element.remove(defs)
