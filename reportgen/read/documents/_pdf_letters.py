r"""Characters as fonts of PDFs name them, spelled as people write them.

Example:
    >>> clean("e\ufb03cient"), clean("\ud835\udc51"), clean("o\x1bset")
    ('efficient', 'd', 'offset')
"""

from __future__ import annotations

import re
import unicodedata

SOFT_HYPHEN = "\u00ad"
"""Stands at the end of a word that goes on in the next line."""

# Codes of TeX's T1 and TS1 encodings, which bitmap fonts hand out unchanged.
_TEX = {
    0x10: "“",
    0x11: "”",
    0x12: "„",
    0x13: "«",
    0x14: "»",
    0x15: "–",
    0x16: "—",
    0x1B: "ff",
    0x1C: "fi",
    0x1D: "fl",
    0x1E: "ffi",
    0x1F: "ffl",
    0x88: "•",
}
_LIGATURES = {
    0xFB00 + i: text for i, text in enumerate(("ff", "fi", "fl", "ffi", "ffl", "st", "st"))
}
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
# TeX's old fonts print an accent and a letter at one place.
_CARRIERS = {
    "\u00b4": ("\u0301", "aeiouyAEIOUY"),  # acute
    "`": ("\u0300", "aeiouAEIOU"),
    "\u02c6": ("\u0302", "aeiou\u0131AEIOU"),  # circumflex
    "\u00a8": ("\u0308", "aeiouy\u0131AEIOUY"),  # diaeresis
    "\u02dc": ("\u0303", "anoANO"),  # tilde
    "\u02c7": ("\u030c", "cenrszCENRSZ"),  # caron
    "\u00b8": ("\u0327", "csCS"),  # cedilla
}
ACCENTS = frozenset(_CARRIERS)
"""Accents that are printed as characters of their own."""


# Delimiters and operators of TeX's extension font, by code; none of them is in any encoding.
_EXTENSION = {
    **dict.fromkeys((0x00, 0x10, 0x12, 0x20, 0x30), "("),
    **dict.fromkeys((0x01, 0x11, 0x13, 0x21, 0x31), ")"),
    **dict.fromkeys((0x02, 0x14, 0x22, 0x68), "["),
    **dict.fromkeys((0x03, 0x15, 0x23, 0x69), "]"),
    **dict.fromkeys((0x08, 0x1A, 0x28, 0x6E), "{"),
    **dict.fromkeys((0x09, 0x1B, 0x29, 0x6F), "}"),
    **dict.fromkeys((0x0E, 0x1E, 0x2E), "/"),
    **dict.fromkeys((0x0C,), "|"),
    **dict.fromkeys((0x50, 0x58), "∑"),
    **dict.fromkeys((0x51, 0x59), "∏"),
    **dict.fromkeys((0x52, 0x5A), "∫"),
    **dict.fromkeys((0x70, 0x71, 0x72, 0x73), "√"),
}


def clean(text: str) -> str:
    """Return a word without ligatures, invisible characters and letters of mathematics' own."""
    if text.isascii() and text.isprintable():
        return text
    text = _PAIR.sub(_joined, text)
    text = _LONE.sub("\ufffd", text).translate(_SPELLING)
    if SOFT_HYPHEN in text:
        text = text[:-1].replace(SOFT_HYPHEN, "") + text[-1]
    return text


def accented(text: str, accent: str, share: float) -> str:
    r"""Return a word with an accent on the letter that is nearest to a share of its width.

    Example:
        >>> accented("Resultats", "\u00b4", 0.2), accented("pre-trained", "`", 0.1)
        ('Résultats', 'prè-trained')
    """
    mark, letters = _CARRIERS[accent]
    places = [i for i, char in enumerate(text) if char in letters]
    if not places:
        return text
    at = min(places, key=lambda i: abs((i + 0.5) / len(text) - share))
    return text[:at] + _put(text[at], mark) + text[at + 1 :]


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
    return "".join(_EXTENSION.get(ord(char), "") for char in text)


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
    mark, letters = _CARRIERS[accent]
    return _put(letter, mark) if letter in letters else ""


def _put(letter: str, mark: str) -> str:
    return unicodedata.normalize("NFC", ("i" if letter == "\u0131" else letter) + mark)
