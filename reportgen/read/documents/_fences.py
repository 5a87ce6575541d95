"""Listings between fences: code, what a program printed, and mathematics that hides there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportgen.read.documents._blocks import split_blocks
from reportgen.read.documents._cut import cut
from reportgen.read.documents._vocabulary import words
from reportgen.records.manuscript import Block, Line
from reportgen.records.record import record

_FENCE = re.compile(r"\s{0,80}(`{3,80}|~{3,80})\s{0,9}([^`]{0,300})$")
_OUTPUTS = words("text txt output out console log logs plain plaintext stdout shell-session none")
_MATHS = words("math latex tex katex asciimath")
_FORMULA = re.compile(r"_\{|\^\{|\\(?:frac|times|cdot|left|sum|text|mathrm|mathbb|sqrt)\b|[_^]\\")
_CODE = re.compile(
    r"[;{\[(]\s{0,9}$|\w\(.{0,200}\)\s{0,9}$|\w\s?=\s?[\"'\[{]|==|\s--\w"
    r"|^\s{0,80}(?:def |class |import |from \w+ import|for .{1,80}:$|if .{1,80}:$|return\b|print\("
    r"|>>>|\$ |# |//|pip |python|fairseq-|git |!)"
)


@record(kw_only=False)
class Fence:
    """What opens a listing.

    Attributes:
        mark: The fence itself.
        info: First word behind it, in small letters.
    """

    mark: str
    info: str

    def closed_by(self, text: str) -> bool:
        """Say whether a line closes the listing: at least as many of the same marks, alone."""
        bare = text.strip()
        return bare.startswith(self.mark) and not bare.strip(self.mark[0])


def fence_of(text: str) -> Fence | None:
    """Return the fence that a line opens, or None.

    Example:
        >>> fence_of("```{python} x = 1"), fence_of("`code`")
        (Fence(mark='```', info='python'), None)
    """
    found = _FENCE.match(text)
    if found is None:
        return None
    info = found[2].strip().lstrip("{.").split()
    return Fence(found[1], re.sub(r"[^\w+-].*", "", info[0].lower()) if info else "")


def is_formula(text: str) -> bool:
    """Say whether a listing without a language is a formula in LaTeX's spelling."""
    return bool(_FORMULA.search(text)) and "=" in text and not is_code(text.split("\n"))


def is_code(texts: Sequence[str]) -> bool:
    """Say whether lines look like a program, not like what it printed."""
    seen = [text for text in texts if text.strip()][:200]
    return sum(bool(_CODE.search(text[:300])) for text in seen) * 3 > len(seen)


def fence_blocks(fence: Fence, lines: Sequence[Line]) -> list[Block]:
    """Return the blocks of a listing."""
    kept = tuple(line for line in lines if line.text.strip())
    if not kept:
        return []
    texts = [line.text for line in kept]
    text = "\n".join(texts)
    if fence.info in _MATHS or (not fence.info and is_formula(text)):
        return [Block(type="equation", lines=kept)]
    if fence.info in _OUTPUTS or (not fence.info and not is_code(texts)):
        return printed_blocks(lines)
    return [Block(type="code", lines=kept)]


def printed_blocks(lines: Sequence[Line]) -> list[Block]:
    """Return what a program printed: its tables, and all else as output."""
    blocks = split_blocks(lines)
    if not any(block.type == "table" for block in blocks):
        kept = tuple(line for line in lines if line.text.strip())
        return [Block(type="output", lines=kept)] if kept else []
    return [
        block if block.type == "table" else Block(type="output", lines=block.lines)
        for block in blocks
    ]


_BEGIN = re.compile(
    r"\s{0,9}\\begin\{((?:equation|align|gather|multline|eqnarray|displaymath"
    r"|flalign|aligned)\*?)\}"
)
_BRACKETED = re.compile(r"\s{0,80}\\\[[^\]]{0,40}\\\]\S")
_NUMBER = re.compile(r"\s{0,20}\(\d{1,3}[a-z]?\)\s{0,20}[.,;]?\s{0,20}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_LONGEST = 400


@record(kw_only=False)
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
