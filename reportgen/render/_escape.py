"""What every typeset format does to text before it spells it: cleaning and break points."""

from __future__ import annotations

import re
import unicodedata

_BIDI_CONTROLS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufeff]")
_SPACES = re.compile(r"[ \t\n\x0b\x0c\r\u2028\u2029]+")
_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)|(?<=s)'(?=\s)")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060]")
_BREAK_AFTER = re.compile(
    r"(?<=[/\\@])(?=\w)|(?<=[_=-])(?=\w\w)|(?<=[.,:])(?=[^\W\d])"
    r"|(?<=[a-z])(?=[A-Z][a-z])|(?<=\])(?=\[)"
)
_WORD = re.compile(r"\S+")
_LONGEST_WORD = 20
_LONGEST_PIECE = 12
LISTING_WIDTH = 88


def clean(text: str) -> str:
    r"""Compose accents, drop what cannot be seen, turn every run of white space into one space.

    Example:
        >>> clean("a\x00b\n c\u202ed")
        'ab cd'
    """
    if text.isascii() and text.isprintable() and "  " not in text:
        return text
    composed = unicodedata.normalize("NFC", text)
    return _SPACES.sub(" ", _INVISIBLE.sub("", _CONTROLS.sub("", _BIDI_CONTROLS.sub("", composed))))


def clean_line(line: str) -> str:
    """Clean one line of verbatim text; its spaces are kept."""
    composed = unicodedata.normalize("NFC", line.expandtabs(4))
    return _CONTROLS.sub("", _BIDI_CONTROLS.sub("", composed))


def listing_lines(text: str, letters: int = LISTING_WIDTH) -> list[str]:
    r"""Clean verbatim lines; a line wider than the page goes on after a hook.

    Example:
        >>> listing_lines("a:\n  b\n")
        ['a:', '  b']
    """
    lines: list[str] = []
    for line in text.rstrip("\n").split("\n"):
        whole = clean_line(line)
        lines.append(whole[:letters])
        step = letters - 2
        rest = range(letters, len(whole), step)
        lines.extend(f"\u21aa {whole[start : start + step]}" for start in rest)
    return lines


def clean_prose(text: str) -> str:
    """Clean running text, and set the apostrophes of words as apostrophes."""
    return _APOSTROPHE.sub("\u2019", clean(text))


def keep_signs(text: str) -> str:
    r"""Keep the numbers around a sign on one line.

    Example:
        >>> keep_signs(" \u00b1 ") == "\u00a0\u00b1\u00a0"
        True
    """
    return text.replace(" \u00b1 ", "\u00a0\u00b1\u00a0")


def breakable(text: str) -> tuple[str, ...]:
    """Split text where a line may end although there is no space.

    Only words of more than twenty characters are split: after `/ _ - . = : , @`, before a
    capital, and after twelve characters where nothing else offers itself.

    Example:
        >>> breakable("see logs/pretrained_small/seed_0")
        ('see logs/', 'pretrained_', 'small/', 'seed_0')
    """
    if max(map(len, text.split()), default=0) <= _LONGEST_WORD:
        return (text,)
    pieces = [""]
    end = 0
    for word in _WORD.finditer(text):
        pieces[-1] += text[end : word.start()]
        first, *rest = _split_word(word[0])
        pieces[-1] += first
        pieces.extend(rest)
        end = word.end()
    pieces[-1] += text[end:]
    return tuple(pieces)


def _split_word(word: str) -> list[str]:
    if len(word) <= _LONGEST_WORD:
        return [word]
    pieces = _BREAK_AFTER.split(word)
    size = _LONGEST_PIECE
    cut = [
        [p[i : i + size] for i in range(0, len(p), size)] if len(p) > 2 * size else [p]
        for p in pieces
    ]
    return [piece for group in cut for piece in group]


def code_point(character: str) -> str:
    r"""Return how a character that the fonts lack is printed.

    Example:
        >>> code_point("\u65e5")
        '[U+65E5]'
    """
    return f"[U+{ord(character):04X}]"
