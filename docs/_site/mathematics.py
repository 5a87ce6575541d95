"""Formulas of the pages as MathML: browsers set it by themselves, so no page fetches a script."""

from __future__ import annotations

import re

from latex2mathml.converter import convert

_DISPLAYED = re.compile(r"^\$\$(.+?)\$\$$", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"(?<![\\$\w])\$(?=\S)([^$\n]+?)(?<=\S)\$(?![\w$])")
_CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.DOTALL | re.MULTILINE)


def set_formulas(markdown: str) -> str:
    """Replace `$...$` and `$$...$$` outside of code by MathML."""
    pieces = _CODE.split(markdown)
    return "".join(piece if i % 2 else _in_text(piece) for i, piece in enumerate(pieces))


def _in_text(text: str) -> str:
    text = _DISPLAYED.sub(lambda m: f"\n{convert(_joined(m[1]), display='block')}\n", text)
    # A line that begins with <math> would be a block of its own; one with <span> goes on.
    return _INLINE.sub(lambda m: f"<span>{convert(_joined(m[1]))}</span>", text)


def _joined(formula: str) -> str:
    return " ".join(formula.split())
