r"""Plain words as GitHub Markdown that reads back as the same words.

Characters that start markup anywhere are written as entities or with a backslash. Those
that are markup only at the start of a line are dealt with by `guard_line_start`, so that
ordinary prose keeps its full stops and dashes.
"""

from __future__ import annotations

import re

from reportgen.render._escape import clean
from reportgen.render._verbatim import verbatim_lines

_ENTITIES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "|": "&#124;",
    "@": "&#64;",
    "$": "&#36;",
    "\\": "&#92;",
}
_BACKSLASHED = "`*_[]~"
# `ndcg@10` mentions nobody and is no address; `a@0.5` would be one.
_SPECIAL = re.compile(r"[&<>|$\\`*_\[\]~]|(?<![A-Za-z0-9])@|@(?!\d{1,4}(?!\w|[.-]\w))")
# A colon before anything but a space may be an emoji or the start of an address.
_COLON = re.compile(r":(?=\S)")
_ADDRESS = re.compile(r"(?i)\b(www)\.")
_LINE_START = re.compile(r"^(?:(#{1,6}|[-+])(?=\s|$)|(\d{1,9})([.)])(?=\s|$)|([-=]{2,})(?=\s*$))")


def escape_markdown(text: str) -> str:
    r"""Return plain words as Markdown.

    Example:
        >>> print(escape_markdown("a_b | <i> @me $5: 80 %"))
        a\_b &#124; &lt;i&gt; &#64;me &#36;5: 80 %
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
