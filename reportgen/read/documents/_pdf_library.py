"""The only place that calls PDFium: a file opened, a page's characters and drawings.

PDFium is called through prototypes of our own. They take plain integers for handles and
addresses, so that `map` can fetch thousands of boxes without a line of Python between two calls,
and they keep the interpreter's lock, which a call of half a microsecond does not pay to release.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import repeat
from typing import Any

import pypdfium2 as pdfium  # type: ignore[import-untyped]
import pypdfium2.raw as pdf  # type: ignore[import-untyped]

from reportgen.records.errors import EvidenceError
from reportgen.records.record import record

Box = tuple[float, float, float, float]
"""Left, bottom, right, top, in points from the lower left corner of the page as it is shown."""

LOCK = threading.Lock()
"""PDFium keeps state outside its documents: one thread at a time."""

_BROKEN = 0xFFFE
"""What PDFium's text has where a line's end breaks a word."""

_THIN, _LARGE = 2.2, 30.0
"""Points: how thick a rule is at most, how large a drawing that may be part of a figure."""

_DOT = 1.5, 7.0
_TOGETHER = 6
"""Words that are asked for at once; a line has some twelve."""
_PATHS = 4_000
"""Drawn paths of a page that are looked at; a plot of more is a figure by then."""


def _function(name: str, *arguments: type, result: type = ctypes.c_int) -> Callable[..., Any]:
    address = ctypes.cast(getattr(pdf, name), ctypes.c_void_p).value
    return ctypes.PYFUNCTYPE(result, *arguments)(address or 0)


_P, _I = ctypes.c_void_p, ctypes.c_int
_load_text = _function("FPDFText_LoadPage", _P, result=ctypes.c_void_p)
_close_text = _function("FPDFText_ClosePage", _P)
_count_chars = _function("FPDFText_CountChars", _P)
_get_text = _function("FPDFText_GetText", _P, _I, _I, _P)
_unicode = _function("FPDFText_GetUnicode", _P, _I, result=ctypes.c_uint)
_origin = _function("FPDFText_GetCharOrigin", _P, _I, _P, _P)
_loose_box = _function("FPDFText_GetLooseCharBox", _P, _I, _P)
_tight_box = _function("FPDFText_GetCharBox", _P, _I, _P, _P, _P, _P)
_count_rects = _function("FPDFText_CountRects", _P, _I, _I)
_hyphen = _function("FPDFText_IsHyphen", _P, _I)
_angle = _function("FPDFText_GetCharAngle", _P, _I, result=ctypes.c_float)
_font_size = _function("FPDFText_GetFontSize", _P, _I, result=ctypes.c_double)
_matrix = _function("FPDFText_GetMatrix", _P, _I, _P)
_font = _function("FPDFText_GetFontInfo", _P, _I, _P, ctypes.c_ulong, _P, result=ctypes.c_ulong)
_count_objects = _function("FPDFPage_CountObjects", _P)
_object = _function("FPDFPage_GetObject", _P, _I, result=ctypes.c_void_p)
_type = _function("FPDFPageObj_GetType", _P)
_bounds = _function("FPDFPageObj_GetBounds", _P, _P, _P, _P, _P)
_segments = _function("FPDFPath_CountSegments", _P)
_segment = _function("FPDFPath_GetPathSegment", _P, _I, result=ctypes.c_void_p)
_segment_type = _function("FPDFPathSegment_GetType", _P)


def _fetch(
    call: Callable[..., Any], kind: Any, width: int, *keys: Any, together: bool = False
) -> list[float]:
    """Return the numbers that a function writes for each of its last keys.

    Args:
        call: Takes the keys, and addresses to write to.
        kind: Of a number.
        width: Numbers of one key.
        keys: What it is called with, as iterables; the last one has a length.
        together: Whether it takes one address for all numbers, not one for each.
    """
    size, count = ctypes.sizeof(kind), width * len(keys[-1])
    found = (kind * count)()
    starts = [ctypes.addressof(found) + size * k for k in range(1 if together else width)]
    places = [range(start, start + size * count, size * width) for start in starts]
    deque(map(call, *keys, *places), maxlen=0)
    return list(found[:])


@record(kw_only=False)
class Drawings:
    """What is drawn on a page beside its text.

    Attributes:
        rules: Thin horizontal lines: of tables, fractions, roots.
        plots: Boxes of lines of many pieces, as curves of training are.
        frames: Boxes of larger paths of other kinds: frames, axes, areas.
        dots: Boxes of small round or square paths, as marks of lists are.
        forms: Boxes of drawings placed as a whole, as included figures are.
    """

    rules: tuple[Box, ...] = ()
    plots: tuple[Box, ...] = ()
    frames: tuple[Box, ...] = ()
    dots: tuple[Box, ...] = ()
    forms: tuple[Box, ...] = ()


class PageError(Exception):
    """A page cannot be loaded; the others may."""


class Page:
    """One loaded page; its characters are asked for by their index.

    Attributes:
        width: As shown, in points.
        height: As shown, in points.
        text: One character a code unit of UTF-16, so that indices are PDFium's.
    """

    def __init__(self, page: Any, limit: int) -> None:
        self._page = page
        self._handle = _load_text(ctypes.cast(page.raw, ctypes.c_void_p).value)
        if not self._handle:
            raise PageError
        self.width, self.height = page.get_size()
        self._turn = page.get_rotation()
        count = max(0, _count_chars(self._handle))
        self.too_long = count > limit
        self.text = "" if self.too_long else self._text(count)

    def close(self) -> None:
        """Give back what the library holds for the page."""
        _close_text(self._handle)
        self._page.close()

    def turn(self, quarters: int) -> None:
        """Look at the page after that many more quarter turns clockwise."""
        self._turn = (self._turn + 90 * quarters) % 360
        if quarters % 2:
            self.width, self.height = self.height, self.width

    def _text(self, count: int) -> str:
        """Return the characters, those that PDFium made up between words included."""
        units = (ctypes.c_ushort * (count + 1))()
        written = _get_text(self._handle, 0, count, ctypes.addressof(units))
        if written != count + 1:
            # Some characters have no place in its text; ask for each.
            found = list(map(_unicode, repeat(self._handle), range(count)))
            for i in (i for i, unit in enumerate(found) if unit == 2):
                found[i] = _BROKEN if _hyphen(self._handle, i) == 1 else 2
            return "".join(map(chr, (min(unit, 0xFFFF) for unit in found)))
        content = bytes(units)[: 2 * count]
        text = content.decode("utf-16-le", "surrogatepass")
        return text if len(text) == count else "".join(map(chr, units[:count]))

    def drawn_at_once(self, spans: Sequence[tuple[int, int]]) -> list[bool]:
        """Say of each span of characters whether one operator draws it, on one baseline."""
        # Where one operator draws several words that stand side by side, it draws each of them.
        found: list[bool] = []
        for at in range(0, len(spans), _TOGETHER):
            some = spans[at : at + _TOGETHER]
            if _count_rects(self._handle, some[0][0], some[-1][1] - some[0][0]) == 1:
                found += [True] * len(some)
            else:
                found += [_count_rects(self._handle, a, b - a) == 1 for a, b in some]
        return found

    def origins(self, indices: Sequence[int]) -> list[tuple[float, float]]:
        """Return where on its baseline each of these characters begins."""
        flat = _fetch(_origin, ctypes.c_double, 2, repeat(self._handle), indices)
        points = zip(flat[::2], flat[1::2], strict=True)
        return [self._turned_point(x, y) for x, y in points] if self._turn else list(points)

    def boxes(self, indices: Sequence[int]) -> list[Box]:
        """Return the boxes of characters: as wide as their advance, as high as their font."""
        flat = _fetch(_loose_box, ctypes.c_float, 4, repeat(self._handle), indices, together=True)
        boxes = zip(flat[::4], flat[3::4], flat[2::4], flat[1::4], strict=True)
        return [self._turned_box(box) for box in boxes] if self._turn else list(boxes)

    def ink(self, indices: Sequence[int]) -> list[float]:
        """Return the lower edge of what is printed of each character."""
        found = _fetch(_tight_box, ctypes.c_double, 4, repeat(self._handle), indices)
        if not self._turn:
            return found[2::4]
        boxes = zip(found[0::4], found[2::4], found[1::4], found[3::4], strict=True)
        return [self._turned_box(box)[1] for box in boxes]

    def angle(self, index: int) -> float:
        """Return by how much a character is turned as the page is shown, in quarter turns."""
        turned = _angle(self._handle, index)
        return float((turned / 1.5707963 + self._turn / 90) % 4)

    def size(self, index: int) -> float:
        """Return the size of a character's font in points, 0 where that is not known."""
        matrix = (ctypes.c_float * 6)()
        if not _matrix(self._handle, index, ctypes.addressof(matrix)):
            return 0.0
        return float(_font_size(self._handle, index) * math.hypot(matrix[2], matrix[3]))

    def font(self, index: int) -> str:
        """Return the name of a character's font."""
        name = ctypes.create_string_buffer(128)
        _font(self._handle, index, ctypes.addressof(name), 128, None)
        return name.value.decode("utf-8", "replace")

    def _turned_point(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of the page's own system as the page is shown, turned clockwise."""
        if self._turn == 90:
            return y, self.height - x
        if self._turn == 180:
            return self.width - x, self.height - y
        return self.width - y, x

    def _turned_box(self, box: Box) -> Box:
        one, other = self._turned_point(box[0], box[1]), self._turned_point(box[2], box[3])
        return (
            min(one[0], other[0]),
            min(one[1], other[1]),
            max(one[0], other[0]),
            max(one[1], other[1]),
        )

    def drawings(self) -> Drawings:
        """Return the rules, plots and forms of the page."""
        handle = ctypes.cast(self._page.raw, ctypes.c_void_p).value
        count = max(0, _count_objects(handle))
        objects = list(map(_object, repeat(handle), range(count)))
        kinds = list(map(_type, objects))
        paths = [o for o, kind in zip(objects, kinds, strict=True) if kind == pdf.FPDF_PAGEOBJ_PATH]
        forms = [o for o, kind in zip(objects, kinds, strict=True) if kind == pdf.FPDF_PAGEOBJ_FORM]
        rules: list[Box] = []
        plots: list[Box] = []
        frames: list[Box] = []
        dots: list[Box] = []
        for path, box in zip(paths, self._object_boxes(paths[:_PATHS]), strict=False):
            wide, high = box[2] - box[0], box[3] - box[1]
            if high < _THIN and wide > 2 * high:
                rules.append(box)
            elif wide > _LARGE or high > _LARGE:
                (plots if _is_polyline(path) else frames).append(box)
            elif _DOT[0] < wide < _DOT[1] and abs(wide - high) < 1:
                dots.append(box)
        placed = tuple(self._object_boxes(forms[:_PATHS]))
        return Drawings(tuple(rules), tuple(plots), tuple(frames), tuple(dots), placed)

    def _object_boxes(self, handles: Sequence[int]) -> list[Box]:
        flat = _fetch(_bounds, ctypes.c_float, 4, handles)
        boxes = zip(flat[::4], flat[1::4], flat[2::4], flat[3::4], strict=True)
        return [self._turned_box(box) for box in boxes] if self._turn else list(boxes)


def _is_polyline(path: int) -> bool:
    """Say whether a path is made of more straight pieces than a rectangle."""
    count = _segments(path)
    kinds = (_segment_type(_segment(path, i)) for i in range(1, min(count, 12)))
    return count > 5 and all(kind == pdf.FPDF_SEGMENT_LINETO for kind in kinds)


class Document:
    """An open PDF."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self.pages = len(document)

    def attached(self, name: str) -> bytes | None:
        """Return an attached file, or None where none is called so."""
        files = map(self._document.get_attachment, range(self._document.count_attachments()))
        return next((bytes(f.get_data()) for f in files if f.get_name() == name), None)

    @contextmanager
    def page(self, index: int, limit: int) -> Iterator[Page]:
        """Open a page; its text is left out where it has more characters than `limit`."""
        try:
            loaded = self._document[index]
        except pdfium.PdfiumError as fault:
            raise PageError from fault
        try:
            page = Page(loaded, limit)
        except (PageError, pdfium.PdfiumError, KeyError) as fault:
            # Older bindings look the turn of a damaged page up in a table that lacks it.
            loaded.close()
            raise PageError from fault
        try:
            yield page
        finally:
            page.close()


@contextmanager
def open_document(content: bytes, name: str) -> Iterator[Document]:
    """Open a PDF; `name` is what messages call it.

    Raises:
        EvidenceError: It is encrypted, or no PDF that the library can read.
    """
    try:
        opened = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as fault:
        if getattr(fault, "err_code", None) == pdf.FPDF_ERR_PASSWORD:
            raise EvidenceError(
                f"{name} is encrypted", remedy="hand in the report without a password"
            ) from fault
        raise EvidenceError(
            f"{name} cannot be read as a PDF", remedy="open it in a viewer and save it again"
        ) from fault
    try:
        yield Document(opened)
    finally:
        opened.close()


def attached_file(content: bytes, name: str, path: str) -> bytes:
    """Return a file that is attached to a PDF.

    Args:
        content: The PDF.
        name: What the attached file is called.
        path: What the PDF is called, for messages.

    Raises:
        EvidenceError: The PDF cannot be read, or no such file is attached to it.
    """
    remedy = f"name the {name} that was built beside it"
    with open_document(content, path) as document:
        try:
            attached = document.attached(name)
        except pdfium.PdfiumError as fault:
            raise EvidenceError(
                f"what is attached to {path} cannot be read: {fault}", remedy=remedy
            ) from None
    if attached is None:
        raise EvidenceError(
            f"no {name} is attached to {path}",
            remedy=f"{remedy}; pdflatex attaches nothing, the engine typst does",
        )
    return attached
