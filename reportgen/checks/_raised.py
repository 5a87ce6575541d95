"""Exponents that an extracted text has on a line of their own, over the line they belong to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportgen.records.claim import Claim
from reportgen.records.manuscript import Manuscript

_RAISED = re.compile(r"\s*[23](?:\s+[23])*\s*")
_BASE = re.compile(r"(?<![\w.,^])\d{1,7}(?![\w.,^]|\s?\^)|\)(?!\s?\^)")


def raised_above(claim: Claim, manuscript: Manuscript) -> frozenset[str]:
    """Return the exponents that stand alone right above a claim.

    Example:
        >>> from decimal import Decimal
        >>> from reportgen.records.claim import Equation
        >>> from reportgen.records.manuscript import Block, Line, Place
        >>> lines = Line(text="2", number=1), Line(text="n = 4(512 + 512)", number=2)
        >>> blocks = tuple(Block(type="paragraph", lines=(line,)) for line in lines)
        >>> report = Manuscript(path="r.txt", format="plain", sha256="", blocks=blocks)
        >>> claim = Claim(id="", kind="equation", quote="", place=Place(line=2), block=1, start=4,
        ...               end=16, printed=None, content=Equation(sides=(), trees=()))
        >>> raised_above(claim, report)
        frozenset({'2'})
    """
    blocks = manuscript.blocks
    lines = [
        line for block in blocks[max(0, claim.block - 1) : claim.block + 1] for line in block.lines
    ]
    above = [line.text for line in lines if 0 < claim.place.line - line.number <= 1]
    return frozenset(n for text in above if _RAISED.fullmatch(text) for n in text.split())


def with_powers(text: str, exponents: frozenset[str]) -> Iterator[str]:
    """Yield a calculation with one of the exponents put back, for every place that it may have.

    Example:
        >>> list(with_powers("4(512 + 3)", frozenset("2")))
        ['4^2(512 + 3)', '4(512^2 + 3)', '4(512 + 3^2)', '4(512 + 3)^2']
    """
    for base in _BASE.finditer(text):
        for exponent in sorted(exponents):
            yield f"{text[: base.end()]}^{exponent}{text[base.end() :]}"
