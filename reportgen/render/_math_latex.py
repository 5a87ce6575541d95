"""Formulas in LaTeX."""

from __future__ import annotations

import re

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
from reportgen.render._escape_latex import greek_command, name_number, spell
from reportgen.render._math import MathLine, Token, base_tokens, greek, print_constant, tokens
from reportgen.render._spelling import MINUS, NARROW_SPACE, NO_BREAK_SPACE

_MARKS = {
    "+": " + ",
    "-": " - ",
    "neg": "-",
    "*": r" \times ",
    "/": " / ",
    "(": "(",
    ")": ")",
    "tall(": r"\left(",
    "tall)": r"\right)",
}
_RELATIONS = {"=": "=", "\u2248": r"\approx"}
_WORDS = re.compile(r"[A-Za-z]+")


def print_latex(expression: Expression, lang: str = "en") -> str:
    r"""Return a formula in LaTeX, without dollars.

    Example:
        >>> V, d = Symbol("V"), Symbol("d", "ffn")
        >>> print(print_latex(V * d + 2 * d**2))
        V\,d_{\mathrm{ffn}} + 2d_{\mathrm{ffn}}^{2}
    """
    return print_tokens(tokens(expression), lang)


def print_tokens(pieces: tuple[Token, ...], lang: str = "en") -> str:
    """Return tokens in LaTeX; symbols that follow each other are set apart a little."""
    printed = ""
    before: Token = "("
    for piece in pieces:
        if isinstance(before, Symbol | Power | Root) and not isinstance(piece, str):
            printed += r"\,"
        printed += _MARKS[piece] if isinstance(piece, str) else _print_atom(piece, lang)
        before = piece
    return printed.strip()


def print_line(line: MathLine, lang: str = "en") -> str:
    """Return one line of a group, with its mark of alignment before the relation."""
    result = name_number(line.name, print_figure(line.result))
    if line.strong:
        result = rf"\boldsymbol{{{result}}}"
    content = result if line.result else print_tokens(line.tokens, lang)
    if not line.relation:
        indent = r"\qquad" + r"\quad" * line.depth
        return f"&{indent}{{}} {content}"
    left = print_symbol(line.left) if line.left else ""
    return f"{left} &{_RELATIONS[line.relation]} {content}".strip()


def print_figure(text: str) -> str:
    r"""Return a printed number as mathematics.

    Example:
        >>> print(print_figure("22,807,552"), print_figure("0.28%"))
        22{,}807{,}552 0.28\%
    """
    spelled = text.replace(",", "{,}").replace("%", r"\%").replace(MINUS, "-")
    spelled = _WORDS.sub(lambda word: rf"\mathrm{{{word[0]}}}", spelled)
    return spelled.replace(NO_BREAK_SPACE, "~").replace(NARROW_SPACE, r"\,")


def print_symbol(symbol: Symbol) -> str:
    """Return a symbol: one letter in italics, words upright, the subscript upright."""
    name = _print_name(symbol.name)
    return f"{name}_{{{_upright(symbol.subscript)}}}" if symbol.subscript else name


def _print_name(name: str) -> str:
    letter = greek(name) or name
    if len(letter) == 1:
        return greek_command(letter) or (
            letter if letter.isascii() and letter.isalpha() else _upright(letter)
        )
    return _upright(name)


def _upright(text: str) -> str:
    plain = text.isascii() and text.isalnum()
    return rf"\mathrm{{{text}}}" if plain else _words(text)


def _words(text: str) -> str:
    return rf"\text{{{spell(text)}}}"


def _print_atom(piece: Expression, lang: str) -> str:
    match piece:
        case Symbol():
            return print_symbol(piece)
        case Constant(value, name):
            return name_number(name, print_figure(print_constant(value, lang)))
        case Power(_, exponent):
            return f"{print_tokens(base_tokens(piece), lang)}^{{{exponent}}}"
        case Quotient(numerator, denominator):
            above, below = print_latex(numerator, lang), print_latex(denominator, lang)
            return rf"\frac{{{above}}}{{{below}}}"
        case Root(radicand):
            return rf"\sqrt{{{print_latex(radicand, lang)}}}"
        case Rounded(inner, up):
            side = "ceil" if up else "floor"
            return rf"\left\l{side} {print_latex(inner, lang)} \right\r{side}"
        case Braced(inner, label):
            # In braces of its own it is set like a symbol, with room around the sign behind it.
            return rf"{{\underbrace{{{print_latex(inner, lang)}}}_{{{_words(label)}}}}}"
    raise TypeError(f"not an atom: {piece!r}")
