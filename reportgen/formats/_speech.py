"""Formulas in words, for readers who listen: the alternative text of every equation."""

from __future__ import annotations

from reportgen.formats._math import Token, base_tokens, group_lines, print_constant, tokens
from reportgen.records.document import EquationGroup
from reportgen.records.formula import (
    Constant,
    Expression,
    Power,
    Product,
    Quotient,
    Root,
    Symbol,
)

_MARKS = {
    "+": " plus ",
    "-": " minus ",
    "neg": "minus ",
    "*": " times ",
    "/": " divided by ",
    "(": "open parenthesis ",
    ")": " close parenthesis",
}
_POWERS = {2: "squared", 3: "cubed"}
_RELATIONS = {"=": "equals", "\u2248": "is about"}


def speak(expression: Expression, lang: str = "en") -> str:
    """Return a formula in words.

    Example:
        >>> V, d = Symbol("V"), Symbol("d", "ffn")
        >>> speak(4 * (V + d**2))
        '4 times open parenthesis V plus d sub ffn squared close parenthesis'
    """
    return speak_tokens(tokens(expression), lang)


def speak_tokens(pieces: tuple[Token, ...], lang: str = "en") -> str:
    """Return tokens in words; factors that are juxtaposed on paper are "times"."""
    spoken = ""
    ready = False
    for piece in pieces:
        mark = piece.removeprefix("tall") if isinstance(piece, str) else ""
        if ready and mark in {"", "("}:
            spoken += _MARKS["*"]
        spoken += _MARKS[mark] if isinstance(piece, str) else _speak_atom(piece, lang)
        ready = mark in {"", ")"}
    return " ".join(spoken.split())


def speak_group(group: EquationGroup, lang: str = "en") -> str:
    """Return a group of equations in words, one sentence an equation."""
    spoken: list[str] = []
    for line in group_lines(group, lang):
        if line.left is not None:
            spoken.append(f". {_speak_atom(line.left, lang)}" if spoken else _speak_atom(line.left))
        if line.relation:
            spoken.append(_RELATIONS[line.relation])
        spoken.append(line.result or speak_tokens(line.tokens, lang))
    return " ".join(spoken).replace(" . ", ". ")


def _speak_atom(piece: Expression, lang: str = "en") -> str:
    match piece:
        case Symbol(name, subscript):
            return f"{name} sub {subscript}" if subscript else name
        case Constant(value):
            return print_constant(value, lang)
        case Power(_, exponent):
            power = _POWERS.get(exponent, f"to the power of {exponent}")
            return f"{speak_tokens(base_tokens(piece), lang)} {power}"
        case Quotient(numerator, denominator):
            above, below = (_speak_part(part, lang) for part in (numerator, denominator))
            return f"{above} over {below}"
        case Root(radicand):
            return f"the square root of {_speak_part(radicand, lang)}"
    raise TypeError(f"not an atom: {piece!r}")


def _speak_part(part: Expression, lang: str) -> str:
    words = speak(part, lang)
    simple = isinstance(part, Symbol | Constant | Product)
    return words if simple else f"the quantity {words}"
