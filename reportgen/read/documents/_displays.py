"""Mathematics that stands in lines of its own in Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.read.documents._cut import cut
from reportgen.records.manuscript import Line

_BEGIN = re.compile(
    r"\s{0,9}\\begin\{((?:equation|align|gather|multline|eqnarray|displaymath|flalign|aligned)\*?)\}"
)
_BRACKETED = re.compile(r"\s{0,80}\\\[[^\]]{0,40}\\\]\S")
_NUMBER = re.compile(r"\s{0,20}\(\d{1,3}[a-z]?\)\s{0,20}[.,;]?\s{0,20}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Display:
    """A display equation.

    Attributes:
        lines: Its lines, without what opens and closes it.
        rest: What stands behind it in its last line, or None.
        end: Index of the line behind it.
    """

    lines: tuple[Line, ...]
    rest: Line | None
    end: int


def display_at(lines: Sequence[Line], at: int) -> Display | None:
    """Return the display equation that a line opens, or None."""
    opening = _opening(lines[at].text)
    if opening is None:
        return None
    start, close, is_environment = opening
    found = _closing(lines, at, close, start)
    if found is None:
        return None
    end, stop = found
    body = [cut(lines[at], start, stop if end == at else None)]
    if end > at:
        body.extend([*lines[at + 1 : end], cut(lines[end], 0, stop)])
    rest = cut(lines[end], stop + len(close))
    if not is_environment and end == at and len(_WORD.findall(rest.text[:_LONGEST])) > 3:
        # A sentence goes on behind it: mathematics inside a text.
        return None
    if _NUMBER.fullmatch(rest.text):
        return Display((*body, rest), None, end + 1)
    over = rest if rest.text.strip(" \t.,;") else None
    return Display(tuple(body), over, end + 1)


def _opening(text: str) -> tuple[int, str, bool] | None:
    """Return where a display begins, what closes it, and whether it is an environment."""
    bare = text.lstrip()
    shift = len(text) - len(bare)
    if found := _BEGIN.match(text):
        return found.end(), f"\\end{{{found[1]}}}", True
    if bare.startswith("$$"):
        return shift + 2, "$$", False
    if bare.startswith("\\[") and not _BRACKETED.match(text):
        return shift + 2, "\\]", False
    return None


def _closing(lines: Sequence[Line], at: int, close: str, start: int) -> tuple[int, int] | None:
    """Return the line in which a display ends, and where in it."""
    for i in range(at, min(len(lines), at + _LONGEST)):
        text = lines[i].text
        found = text.find(close, start if i == at else 0)
        if found >= 0:
            return i, found
        if text.lstrip().startswith(("```", "~~~", "# ", "## ", "### ")):
            break
    return None
