"""The words of a page with their places.

Characters that stand on one baseline are a word; what may be an exponent, an index or a letter
of an odd font is looked at more closely.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from reportgen.read.documents._pdf_library import Box, Page
from reportgen.read.documents._vocabulary import CARRIERS, EXTENSION

SOFT_HYPHEN = "\u00ad"
"""Stands at the end of a word that goes on in the next line."""

# Codes of TeX's T1 and TS1 encodings, which bitmap fonts hand out unchanged.
_TEX = {
    **dict(enumerate("“”„«»–—", 0x10)),
    **dict(enumerate(("ff", "fi", "fl", "ffi", "ffl"), 0x1B)),
    0x88: "•",
}
_LIGATURES = dict(enumerate(("ff", "fi", "fl", "ffi", "ffl", "st", "st"), 0xFB00))
_DROPPED = dict.fromkeys(
    [code for code in (*range(0x20), *range(0x7F, 0xA0)) if code not in _TEX]
    + [0x200B, 0x200C, 0x200D, 0x2060, 0x2061, 0x2062, 0xFEFF, 0xFFFF]
)
_SPELLING = {
    **_DROPPED,
    **_TEX,
    **_LIGATURES,
    0x2215: "/",
    0xFFFE: SOFT_HYPHEN,
    0x2217: "*",
    0x2223: "|",
}
_UNKNOWN = re.compile("[\x00-\x08\x0e\x0f\x16-\x1a\ue000-\uf8ff\ufffd]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONE = re.compile("[\ud800-\udfff]")
ACCENTS = frozenset(CARRIERS)
"""Accents that are printed as characters of their own."""


def clean(text: str) -> str:
    """Return a word without ligatures, invisible characters and letters of mathematics' own."""
    if text.isascii() and text.isprintable():
        return text
    text = _PAIR.sub(_joined, text)
    text = _LONE.sub("\ufffd", text).translate(_SPELLING)
    if SOFT_HYPHEN in text:
        text = text[:-1].replace(SOFT_HYPHEN, "") + text[-1]
    return text


def count_unknown(text: str) -> int:
    r"""Return how many characters of a page say nothing to a reader: codes of fonts, gaps.

    Example:
        >>> count_unknown("79.9\x01\ue001\ufffd"), count_unknown("79.9 %\r\n")
        (3, 0)
    """
    return len(_UNKNOWN.findall(text))


def extension(text: str) -> str:
    r"""Return characters of TeX's extension font as what they show.

    Example:
        >>> extension("\x12"), extension("P")
        ('(', '∑')
    """
    return "".join(EXTENSION.get(char, "") for char in text)


def _joined(pair: re.Match[str]) -> str:
    """Return what two code units stand for; the italic letters of mathematics are letters."""
    char = pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    return unicodedata.normalize("NFKC", char) if "\U0001d400" <= char <= "\U0001d7ff" else char


def composed(letter: str, accent: str) -> str:
    r"""Return a letter with an accent, empty where there is no such letter.

    Example:
        >>> composed("e", "`"), composed("\u0131", "\u02c6"), composed("t", "\u00b4")
        ('è', 'î', '')
    """
    mark, letters = CARRIERS[accent]
    base = "i" if letter == "\u0131" else letter
    return unicodedata.normalize("NFC", base + mark) if letter in letters else ""


THIN = "\u202f"
"""A narrow space inside a number, as readers of numbers know it."""

_SPACE = " \t\r\n\x0b\x0c\xa0\u2000-\u200a\u202f\u205f\u3000"
_TOKEN = re.compile(rf"[^\ufffe{_SPACE}]+\ufffe?|\ufffe")
_STRANGE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_FIGURES = frozenset("0123456789")
_CLOSING = frozenset(".,;:)%")
_LEVEL = 0.35
"""Points by which baselines of one line may differ."""
_ASIDE = 0.5
"""Points by which the last letter of a word may begin before the first: no more is an accent's."""
_OVER, _OVER_POINTS = 0.6, 3.0
"""How near an accent is to its letter: as a share of a usual step, and in points."""
_HANGING = 0.6
"""Signs of TeX's extension font hang from their origin."""


class Word(NamedTuple):
    """Characters without a space between them, on one baseline.

    Attributes:
        y: Baseline, in points from the bottom of the page.
        x0: Where it begins.
        x1: Where it ends.
        h: Size of its font.
        text: Its characters.
        tall: Of a large bracket or operator, what it measures; else 0.
    """

    y: float
    x0: float
    x1: float
    h: float
    text: str
    tall: float = 0.0


class Words(NamedTuple):
    """The words of a page, and what was left out.

    Attributes:
        upright: Those that are read.
        turned: Characters of text that stands on its side, by quarter turns clockwise; by 0
            text at any other angle.
    """

    upright: list[Word]
    turned: Counter[int]


_Piece = tuple[int, int, float, float, str]
"""Characters of one baseline: the first, the last, where the first begins, and their text."""

_Char = tuple[str, int, tuple[float, float]]
"""A character, its index, and where it begins."""


def read_words(page: Page) -> Words:
    """Return the words of a page, in the order in which the file draws them."""
    pieces = _pieces(page)
    boxes = page.boxes([piece[1] for piece in pieces])
    raised = _raised(page, pieces)
    strange = _STRANGE.search(page.text) is not None
    sizes: dict[float, float] = {}
    upright: list[Word] = []
    odd: list[tuple[_Piece, Box]] = []
    for piece, box in zip(pieces, boxes, strict=True):
        first, last, x, y, text = piece
        left, bottom, right, top = box
        h = top - bottom
        if not math.isfinite(x + y + left + right + h):
            continue  # a damaged matrix: it stands nowhere
        # An index at the end of a word lies lower in its box than its base.
        aside = left < x - (h if first == last else _ASIDE)
        if aside or not 0.04 * h <= y - bottom <= 0.37 * h or h <= 0 or last in raised:
            odd.append((piece, box))
            continue
        if strange or not text.isascii():
            text = clean(text)
        size = sizes.get(h)
        if size is None:
            rounded = round(h, 1)
            if rounded not in sizes:
                sizes[rounded] = page.size(last) or h
            size = sizes[h] = sizes[rounded]
        if text:
            upright.append(Word(y, x, right, size, text))
    return _with_odd_words(page, upright, odd, raised)


def _pieces(page: Page) -> list[_Piece]:
    """Return the words, cut where an index or exponent begins."""
    pieces: list[_Piece] = []
    text = page.text
    spans = [found.span() for found in _TOKEN.finditer(text)]
    whole = page.drawn_at_once(spans)
    accents = not ACCENTS.isdisjoint(text)
    firsts = page.origins([start for start, _ in spans])
    for (start, end), at_once, (x, y) in zip(spans, whole, firsts, strict=True):
        word = text[start:end]
        if at_once and not (accents and ACCENTS.intersection(word)):
            pieces.append((start, end - 1, x, y, word))
        else:
            pieces += _cut(text, start, page.origins(range(start, end)))
    return pieces


def _cut(text: str, start: int, points: Sequence[tuple[float, float]]) -> list[_Piece]:
    """Cut a word where its baseline changes, and write out its accents and thin spaces."""
    word = text[start : start + len(points)]
    accents = ACCENTS.intersection(word)
    lifts = [y for _, y in points]
    if not accents and max(lifts) - min(lifts) < _LEVEL and points == sorted(points):
        return [(start, start + len(points) - 1, *points[0], word)]
    chars = list(zip(word, range(start, start + len(word)), points, strict=True))
    if accents:
        chars = _under_accents(chars)
    pieces: list[_Piece] = []
    first = 0
    for i in range(1, len(chars) + 1):
        if i < len(chars):
            (x, y), (x0, y0) = chars[i][2], chars[i - 1][2]
            if -_LEVEL < y - y0 < _LEVEL and x - x0 > -1:
                continue
        part = chars[first:i]
        word = "".join(char for char, _, _ in part)
        pieces.append((part[0][1], part[-1][1], *part[0][2], word))
        first = i
    return pieces


def _under_accents(chars: Sequence[_Char]) -> list[_Char]:
    """Put accents on the letters that they were printed over, before them or behind."""
    steps = [abs(b[2][0] - a[2][0]) for a, b in pairwise(chars)]
    near = _OVER * median(steps) if len(steps) > 2 else _OVER_POINTS
    out: list[_Char] = []
    waiting = ""
    for i, (char, index, point) in enumerate(chars):
        if waiting:
            out.append((composed(char, waiting), index, point))
            waiting = ""
            continue
        if char in ACCENTS:
            before = steps[i - 1] if i and composed(out[-1][0], char) else near
            behind = steps[i] if i < len(steps) and composed(chars[i + 1][0], char) else near
            if min(before, behind) < near:
                if before <= behind:
                    out[-1] = (composed(out[-1][0], char), *out[-1][1:])
                else:
                    waiting = char
                continue
        out.append((char, index, point))
    return out


def _with_odd_words(
    page: Page, upright: list[Word], odd: Sequence[tuple[_Piece, Box]], raised: set[int]
) -> Words:
    """Return words with those that need a closer look: turned, raised, of unusual fonts."""
    turned: Counter[int] = Counter()
    for piece, box in odd:
        first, last = piece[:2]
        angle = page.angle(first)
        if 0.02 < angle < 3.98:
            quarters = round(angle)
            turned[quarters if abs(angle - quarters) < 0.02 else 0] += last - first + 1
        else:
            upright += _odd_words(page, piece, box, raised=last in raised)
    return Words(upright, turned)


def _raised(page: Page, pieces: Sequence[_Piece]) -> set[int]:
    """Return the last indices of pieces with digits that their font draws raised.

    Such a digit stands on the baseline and has the size of the others: `78.5` with the mark of
    a footnote behind it would be 78.51.
    """
    edges: list[tuple[int, _Piece]] = []
    for piece in pieces:
        first, last, _, _, text = piece
        if text[-1] in _FIGURES:
            edges.append((last, piece))
        elif text[0] in _FIGURES:
            edges.append((first, piece))
        if text[-1] in _CLOSING and text[-2:-1] in _FIGURES:
            edges.append((last - 1, piece))
    ink = page.ink([index for index, _ in edges])
    return {piece[1] for (_, piece), low in zip(edges, ink, strict=True) if low > piece[3] + 1.5}


def _odd_words(page: Page, piece: _Piece, box: Box, *, raised: bool) -> list[Word]:
    """Return a piece whose last character does not sit on the baseline of its first one."""
    first, last, _, base, text = piece
    text = page.text[first : last + 1]
    indices = range(first, last + 1)
    points = page.origins(indices)
    size = 0.62 * (page.size(first) or box[3] - box[1])
    if raised:
        lifts = [
            low if char in _FIGURES and low > base + 0.15 * size else y
            for char, low, (_, y) in zip(text, page.ink(indices), points, strict=True)
        ]
        points = [(x, lift) for (x, _), lift in zip(points, lifts, strict=True)]
    cut = _cut(page.text, first, points)
    boxes = page.boxes([part[1] for part in cut])
    words = [_odd_word(page, part, b) for part, b in zip(cut, boxes, strict=True)]
    if raised:
        words = [w._replace(h=size) if w.y > base + 1 else w for w in words]
    return [word for word in words if word.text]


def _odd_word(page: Page, piece: _Piece, box: Box) -> Word:
    """Return a piece of an odd font; one of TeX's large signs is moved to the line it is in."""
    first, _, x, y, text = piece
    left, bottom, right, top = box
    h = top - bottom
    if h > 0 and y - bottom > _HANGING * h and "CMEX" in page.font(first).upper():
        # Its middle is the axis of the formula, a quarter of an em above the baseline.
        size = page.size(first) or 10.0
        y = (top + bottom) / 2 - 0.25 * size
        return Word(y, min(left, x), right, size, extension(text), tall=h)
    # Bitmap fonts have no height of their own: their box is that of the glyph.
    return Word(y, x, max(right, x), page.size(first) or max(h, 4.0), clean(text))
