"""Formulas in the markup of Word (Office MathML)."""

from __future__ import annotations

from xml.sax.saxutils import escape

from reportgen.records.formula import (
    Braced,
    Constant,
    Expression,
    Power,
    Quotient,
    Root,
    Rounded,
    Symbol,
)
from reportgen.render._math import MathLine, Token, base_tokens, greek, print_constant, tokens

NAMESPACE = "http://schemas.openxmlformats.org/officeDocument/2006/math"
_MARKS = {
    "+": " + ",
    "-": " − ",
    "neg": "−",
    "*": " × ",
    "/": "/",
    "(": "(",
    ")": ")",
    "tall(": "(",
    "tall)": ")",
}
_BRACE = (
    '<m:groupChrPr><m:chr m:val="⏟"/><m:pos m:val="bot"/><m:vertJc m:val="top"/></m:groupChrPr>'
)


def print_omml(expression: Expression, lang: str = "en") -> str:
    """Return a formula as elements of Office MathML, prefixed `m:`.

    Example:
        >>> print_omml(Symbol("d"))
        '<m:r><m:t>d</m:t></m:r>'
    """
    return print_tokens(tokens(expression), lang)


def print_tokens(pieces: tuple[Token, ...], lang: str) -> str:
    """Return tokens as elements."""
    return "".join(
        _run(_MARKS[piece], upright=True) if isinstance(piece, str) else _atom(piece, lang)
        for piece in pieces
    )


def print_line(line: MathLine, lang: str = "en") -> str:
    """Return one line of a group."""
    left = _atom(line.left, lang) if line.left else ""
    relation = _run(f" {line.relation} ", upright=True) if line.relation else ""
    shown = _run(line.result, upright=True) if line.result else print_tokens(line.tokens, lang)
    return f"{left}{relation}{shown}"


def _run(text: str, *, upright: bool = False) -> str:
    style = '<m:rPr><m:sty m:val="p"/></m:rPr>' if upright else ""
    space = ' xml:space="preserve"' if text != text.strip() else ""
    return f"<m:r>{style}<m:t{space}>{escape(text)}</m:t></m:r>"


def _symbol(symbol: Symbol) -> str:
    letter = greek(symbol.name) or symbol.name
    return _run(letter, upright=len(letter) > 1)


def _atom(piece: Expression, lang: str) -> str:
    match piece:
        case Symbol() if piece.subscript:
            below = _run(piece.subscript, upright=True)
            return f"<m:sSub><m:e>{_symbol(piece)}</m:e><m:sub>{below}</m:sub></m:sSub>"
        case Symbol():
            return _symbol(piece)
        case Constant(value):
            return _run(print_constant(value, lang), upright=True)
        case Power(_, exponent):
            base = print_tokens(base_tokens(piece), lang)
            above = _run(str(exponent), upright=True)
            return f"<m:sSup><m:e>{base}</m:e><m:sup>{above}</m:sup></m:sSup>"
        case Quotient(numerator, denominator):
            top, bottom = print_omml(numerator, lang), print_omml(denominator, lang)
            return f"<m:f><m:num>{top}</m:num><m:den>{bottom}</m:den></m:f>"
        case Root(radicand):
            inner = print_omml(radicand, lang)
            hidden = '<m:radPr><m:degHide m:val="1"/></m:radPr>'
            return f"<m:rad>{hidden}<m:deg/><m:e>{inner}</m:e></m:rad>"
        case Rounded(inner, up):
            left, right = ("⌈", "⌉") if up else ("⌊", "⌋")
            ends = f'<m:dPr><m:begChr m:val="{left}"/><m:endChr m:val="{right}"/></m:dPr>'
            return f"<m:d>{ends}<m:e>{print_omml(inner, lang)}</m:e></m:d>"
        case Braced(inner, label):
            return (
                f"<m:limLow><m:e><m:groupChr>{_BRACE}<m:e>{print_omml(inner, lang)}</m:e>"
                f"</m:groupChr></m:e><m:lim>{_run(label, upright=True)}</m:lim></m:limLow>"
            )
    raise TypeError(f"not an atom: {piece!r}")
