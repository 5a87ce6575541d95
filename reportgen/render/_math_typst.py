"""Formulas in Typst; text inside them is always a string."""

from __future__ import annotations

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
from reportgen.render._escape_typst import quote
from reportgen.render._math import MathLine, Token, base_tokens, greek, print_constant, tokens

_MARKS = {
    "+": "+",
    "-": "-",
    "neg": "-",
    "*": "times",
    "/": "slash",
    "(": r"\(",
    ")": r"\)",
    "tall(": r"lr(\(",
    "tall)": r"\))",
}
_RELATIONS = {"=": "=", "\u2248": "approx"}


def print_typst(expression: Expression, lang: str = "en") -> str:
    """Return a formula in Typst, without dollars.

    Example:
        >>> V, d = Symbol("V"), Symbol("d", "ffn")
        >>> print(print_typst(V * d + 2 * d**2))
        V thin d_"ffn" + "2" attach(d, b: "ffn", t: "2")
    """
    return print_tokens(tokens(expression), lang)


def print_tokens(pieces: tuple[Token, ...], lang: str = "en") -> str:
    """Return tokens in Typst; symbols that follow each other are set apart a little."""
    printed: list[str] = []
    before: Token = "("
    for piece in pieces:
        if isinstance(before, Symbol | Power | Root) and not isinstance(piece, str):
            printed.append("thin")
        printed.append(_MARKS[piece] if isinstance(piece, str) else _print_atom(piece, lang))
        before = piece
    return " ".join(printed)


def print_line(line: MathLine, lang: str = "en") -> str:
    """Return one line of a group, with its mark of alignment before the relation."""
    # Bold letters of mathematics are other characters: nobody would find the number by searching.
    strong = f'#text(weight: "bold", {quote(line.result)})'
    result = strong if line.strong else quote(line.result)
    content = result if line.result else print_tokens(line.tokens, lang)
    if not line.relation:
        # The empty text makes the sign that follows a sign between two terms.
        return "& " + "quad " * (2 + line.depth) + '"" ' + content
    left = print_symbol(line.left) if line.left else ""
    return f"{left} &{_RELATIONS[line.relation]} {content}".strip()


def print_symbol(symbol: Symbol) -> str:
    """Return a symbol: one letter in italics, words upright, the subscript upright."""
    name = _print_name(symbol.name)
    return f"{name}_{quote(symbol.subscript)}" if symbol.subscript else name


def _print_name(name: str) -> str:
    letter = greek(name) or name
    return letter if len(letter) == 1 and letter.isalpha() else quote(name)


def _print_atom(piece: Expression, lang: str) -> str:
    match piece:
        case Symbol():
            return print_symbol(piece)
        case Constant(value):
            return quote(print_constant(value, lang))
        case Power(Symbol() as base, exponent) if base.subscript:
            subscript = quote(base.subscript)
            return f'attach({_print_name(base.name)}, b: {subscript}, t: "{exponent}")'
        case Power(_, exponent):
            return f'attach({print_tokens(base_tokens(piece), lang)}, t: "{exponent}")'
        case Quotient(numerator, denominator):
            return f"frac({print_typst(numerator, lang)}, {print_typst(denominator, lang)})"
        case Root(radicand):
            return f"sqrt({print_typst(radicand, lang)})"
        case Rounded(inner, up):
            return f"{'ceil' if up else 'floor'}({print_typst(inner, lang)})"
        case Braced(inner, label):
            return f"underbrace({print_typst(inner, lang)}, {quote(label)})"
    raise TypeError(f"not an atom: {piece!r}")
