"""Text made safe: cleaned for every format, and escaped as Markdown and HTML."""

from __future__ import annotations

import html
import json
import re
import tomllib
import unicodedata
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

CHARACTERS: Mapping[str, Any] = tomllib.loads(
    files("reportgen.render").joinpath("characters.toml").read_text(encoding="utf-8")
)
"""The table of characters."""
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


def verbatim_lines(text: str) -> list[str]:
    r"""Return the lines of a listing without what cannot be seen; tabs become spaces.

    Example:
        >>> verbatim_lines("a:\n\tb\x00\r\n")
        ['a:', '    b']
    """
    lines = unicodedata.normalize("NFC", text).splitlines()
    return [_CONTROLS.sub("", _BIDI_CONTROLS.sub("", line.expandtabs(4))) for line in lines]


def listing_lines(text: str, letters: int = LISTING_WIDTH) -> list[str]:
    r"""Clean verbatim lines; a line wider than the page goes on after a hook.

    Example:
        >>> listing_lines("a:\n  b\n")
        ['a:', '  b']
    """
    lines: list[str] = []
    for whole in verbatim_lines(text.rstrip("\n")) or [""]:
        lines.append(whole[:letters])
        step = letters - 2
        rest = range(letters, len(whole), step)
        lines.extend(f"\u21aa {whole[start : start + step]}" for start in rest)
    return lines


def clean_prose(text: str) -> str:
    """Clean running text, and set the apostrophes of words as apostrophes."""
    plain = clean(text)
    return _APOSTROPHE.sub("\u2019", plain) if "'" in plain else plain


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
    if len(text) <= _LONGEST_WORD or max(map(len, text.split()), default=0) <= _LONGEST_WORD:
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


# --- Markdown -------------------------------------------------------------------------

_ENTITIES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "|": "&#124;",
    "@": "&#64;",
    "$": "&#36;",
    "\\": "&#92;",
}
# `ndcg@10` mentions nobody and is no address; `a@0.5` would be one.
_SPECIAL = re.compile(r"[&<>|$\\`*_\[\]~]|(?<![A-Za-z0-9])@|@(?!\d{1,4}(?!\w|[.-]\w))")
# A colon before anything but a space may be an emoji or the start of an address, but for 12:30.
_COLON = re.compile(r":(?=\S)(?!(?<=\d:)\d\d(?!\d))")
_ADDRESS = re.compile(r"(?i)\b(www)\.")
_LINE_START = re.compile(r"^(?:(#{1,6}|[-+])(?=\s|$)|(\d{1,9})([.)])(?=\s|$)|([-=]{2,})(?=\s*$))")


def escape_markdown(text: str) -> str:
    r"""Return plain words as Markdown.

    Example:
        >>> print(escape_markdown("a_b | <i> @me $5: 80 %"))
        a\_b &#124; &lt;i&gt; &#64;me &#36;5: 80 %
        >>> print(escape_markdown("12:30:05, 1:100:2"))
        12:30:05, 1&#58;100&#58;2
        >>> print(escape_markdown("nDCG@10, a@b.org, p@0.5"))
        nDCG@10, a&#64;b.org, p&#64;0.5
    """
    escaped = _SPECIAL.sub(_escape_character, clean(text))
    return _ADDRESS.sub(r"\1&#46;", _COLON.sub("&#58;", escaped))


def _escape_character(match: re.Match[str]) -> str:
    character = match[0]
    return _ENTITIES.get(character) or f"\\{character}"


def escape_code(text: str, *, in_table: bool = False) -> str:
    """Return a name as a code span whose fence is longer than any run of backticks in it.

    A table cell would be split at a vertical bar even inside a code span; such a name is
    written as an HTML element with entities.

    Example:
        >>> escape_code("a`b"), escape_code("a|b", in_table=True)
        ('``a`b``', '<code>a&#124;b</code>')
    """
    shown = clean(text)
    if not shown.strip():
        return ""
    if in_table and "|" in shown:
        return f"<code>{escape_markdown(shown)}</code>"
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * (longest + 1)
    edge = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{edge}{shown}{edge}{fence}"


def guard_line_start(line: str) -> str:
    r"""Keep the first characters of a paragraph from making it a list, heading or rule.

    Example:
        >>> print(guard_line_start("2023. A year"), guard_line_start("- no item"))
        2023\. A year \- no item
    """
    return _LINE_START.sub(_guard, line.lstrip(" "))


def _guard(match: re.Match[str]) -> str:
    mark, digits, stop, rule = match.groups()
    return f"{digits}\\{stop}" if digits else f"\\{mark or rule}"


def fenced(text: str, language: str = "") -> str:
    """Return verbatim text in a fence longer than any run of backticks in it."""
    lines = verbatim_lines(text)
    longest = max((len(run) for line in lines for run in re.findall(r"`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    tag = re.sub(r"[^A-Za-z0-9_+-]", "", language)
    return "\n".join((f"{fence}{tag}", *lines, fence))


# --- HTML -----------------------------------------------------------------------------

# Inside a script element only these could end it, open a comment, or break a line of a
# script; JSON may write any character as an escape.
_SCRIPT_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def escape_html(text: str) -> str:
    """Return plain words as HTML, safe in content and in quoted attributes.

    Example:
        >>> escape_html('<b a="1">')
        '&lt;b a=&quot;1&quot;&gt;'
    """
    return html.escape(clean_prose(text))


def escape_words(text: str) -> str:
    """Return running text as HTML; very long words may be broken.

    Example:
        >>> escape_words("seed < 3")
        'seed &lt; 3'
    """
    return "<wbr>".join(html.escape(piece) for piece in breakable(clean_prose(text)))


def escape_name(text: str) -> str:
    """Return a name as HTML; a long one may be broken after its separators.

    Example:
        >>> escape_name("logs/RoBERTa_small_fr/0")
        'logs/<wbr>RoBERTa_<wbr>small_<wbr>fr/<wbr>0'
    """
    return "<wbr>".join(html.escape(piece) for piece in breakable(clean(text)))


def escape_listing(text: str) -> str:
    """Return verbatim text as HTML, line by line."""
    return "\n".join(html.escape(line) for line in verbatim_lines(text))


def embed_json(content: object) -> str:
    r"""Return JSON that can stand in a script element.

    Example:
        >>> print(embed_json({"run": "</script>"}))
        {"run":"\u003c/script\u003e"}
    """
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_SCRIPT_ESCAPES)
