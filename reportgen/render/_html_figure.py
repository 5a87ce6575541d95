"""Figures as part of the page: one SVG element each, its ids its own, nothing active in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from xml.etree import ElementTree as ET

from reportgen.render._inline import Raw

_PIECE = re.compile(r"[A-Za-z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_ELSE = re.compile(r"[^\s,]")
_COORDINATES = {"M": 1, "L": 1, "Q": 2, "C": 3}
_MOST_DIGITS = 8  # after the point; a path with more of them stays as it is


# The outlines of letters come in every drawing, and the curves of finished runs in every
# report of a training that is followed.
@lru_cache(maxsize=2048)
def compact_path(path: str) -> str:
    """Return the data of a path with relative coordinates and no needless characters.

    No digit is lost. A path with commands other than those of straight lines and of Bezier
    curves, in capitals, only loses its superfluous spaces.

    Example:
        >>> compact_path("M 10 20 L 10.5 19 L 11 19.25 z M 0 0 Q 1 1 2 0")
        'm10 20 .5-1 .5.25zm-10-20q1 1 2 0'
        >>> compact_path("M 0 0  H 5")
        'M 0 0 H 5'
        >>> compact_path("M 0.125 1 L 0.25 1")
        'm.125 1 .125 0'
    """
    pieces = _PIECE.findall(path)
    digits = max((_digits(piece) for piece in pieces if not piece.isalpha()), default=0)
    if _ELSE.search(_PIECE.sub("", path)) or not _is_plain(pieces) or digits > _MOST_DIGITS:
        return " ".join(path.split())
    return _join(_relative(pieces, digits), digits)


def _digits(number: str) -> int:
    """Return how many digits a number has after its point."""
    if "e" in number or "E" in number:
        exponent = Decimal(number).normalize().as_tuple().exponent
        return max(-exponent, 0) if isinstance(exponent, int) else 0
    return len(number.partition(".")[2].rstrip("0"))


def _scaled(number: str, digits: int) -> int:
    """Return a number in units of the last of so many digits after its point."""
    if "e" in number or "E" in number:
        return int(Decimal(number).scaleb(digits))
    whole, _, fraction = number.partition(".")
    # A tenth more, so that a number without a whole part has something to be read from.
    return int(whole + fraction[:digits].ljust(digits, "0") + "0") // 10


def _is_plain(pieces: list[str]) -> bool:
    commands = {piece for piece in pieces if piece.isalpha()}
    return bool(pieces) and pieces[0] == "M" and commands <= {*_COORDINATES, "Z", "z"}


def _relative(pieces: list[str], digits: int) -> Iterator[tuple[str, list[int]]]:
    """Yield each command with its coordinates from where the pen stands, in the last digit."""
    x = y = 0
    start = (0, 0)
    for command, numbers in _commands(pieces, digits):
        if command in "Zz":
            x, y = start
            yield "z", []
            continue
        size = 2 * _COORDINATES[command]
        letter = command.lower()
        for i in range(0, len(numbers) - size + 1, size):
            moved = numbers[i : i + size]
            moved[::2] = [value - x for value in moved[::2]]
            moved[1::2] = [value - y for value in moved[1::2]]
            x, y = x + moved[-2], y + moved[-1]
            if command == "M" and not i:
                start = (x, y)
            yield ("l" if command == "M" and i else letter), moved


def _commands(pieces: list[str], digits: int) -> Iterator[tuple[str, list[int]]]:
    command = ""
    numbers: list[int] = []
    for piece in pieces:
        if piece.isalpha():
            if command:
                yield command, numbers
            command, numbers = piece, []
        else:
            numbers.append(_scaled(piece, digits))
    yield command, numbers


def _join(commands: Iterator[tuple[str, list[int]]], digits: int) -> str:
    written: list[str] = []
    last, before = "", ""
    for command, numbers in commands:
        # What follows a move without a letter is a line; any other command repeats itself.
        if command == "z" or command != ("l" if last == "m" else last):
            written.append(command)
            before = ""
        for number in numbers:
            text = _spell_number(number, digits)
            # A sign, or a second point, shows by itself where a number begins.
            parts = not before or text[0] == "-" or (text[0] == "." and "." in before)
            written.append(text if parts else f" {text}")
            before = text
        last = command
    return "".join(written)


# From one evaluation to the next it is the same way to the right, again and again.
@lru_cache(maxsize=4096)
def _spell_number(number: int, digits: int) -> str:
    sign = "-" if number < 0 else ""
    whole, rest = divmod(abs(number), 10**digits)
    fraction = f".{rest:0{digits}d}".rstrip("0") if rest else ""
    return f"{sign}{whole or ('' if fraction else 0)}{fraction}"


# --- drawings -------------------------------------------------------------------------

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
                key = compact_path(path.get("d", "")), path.get("transform", "")
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
            elif local == "d":
                yield local, compact_path(value)
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
