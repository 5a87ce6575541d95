"""Formulas in words, for readers who listen: the alternative text of every equation."""

from __future__ import annotations

from reportgen.languages import fill, language_of, message
from reportgen.records.document import EquationGroup
from reportgen.records.formula import (
    Braced,
    Constant,
    Expression,
    Power,
    Product,
    Quotient,
    Root,
    Rounded,
    Symbol,
)
from reportgen.render._math import Token, base_tokens, group_lines, print_constant, tokens

_MARKS = {
    "+": message("plus"),
    "-": message("minus"),
    "neg": message("minus"),
    "*": message("times"),
    "/": message("divided by"),
    "(": message("open parenthesis"),
    ")": message("close parenthesis"),
}
_POWERS = {2: message("{base} squared"), 3: message("{base} cubed")}
_RELATIONS = {"=": message("equals"), "\u2248": message("is about")}


def speak(expression: Expression, lang: str = "en") -> str:
    """Return a formula in words.

    Example:
        >>> V, d = Symbol("V"), Symbol("d", "ffn")
        >>> speak(4 * (V + d**2))
        '4 times open parenthesis V plus d sub ffn squared close parenthesis'
        >>> speak(4 * V, "fr")
        '4 fois V'
    """
    return speak_tokens(tokens(expression), lang)


def speak_tokens(pieces: tuple[Token, ...], lang: str = "en") -> str:
    """Return tokens in words; factors that are juxtaposed on paper are "times"."""
    spoken: list[str] = []
    ready = False
    for piece in pieces:
        mark = piece.removeprefix("tall") if isinstance(piece, str) else ""
        if ready and mark in {"", "("}:
            spoken.append(_in_words(_MARKS["*"], lang))
        if isinstance(piece, str):
            spoken.append(_in_words(_MARKS[mark], lang))
        else:
            spoken.append(_speak_atom(piece, lang))
        ready = mark in {"", ")"}
    return " ".join(spoken)


def speak_group(group: EquationGroup, lang: str = "en") -> str:
    """Return a group of equations in words, one sentence an equation."""
    spoken: list[str] = []
    for line in group_lines(group, lang):
        if line.left is not None:
            left = _speak_atom(line.left, lang)
            spoken.append(f". {left}" if spoken else left)
        if line.relation:
            spoken.append(_in_words(_RELATIONS[line.relation], lang))
        spoken.append(line.result or speak_tokens(line.tokens, lang))
    return " ".join(spoken).replace(" . ", ". ")


def _in_words(words: str, lang: str, **places: str) -> str:
    return "".join(map(str, fill(language_of(lang), words, places)))


def _speak_atom(piece: Expression, lang: str) -> str:
    match piece:
        case Symbol(name, subscript):
            if not subscript:
                return name
            return _in_words(message("{name} sub {mark}"), lang, name=name, mark=subscript)
        case Constant(value):
            return print_constant(value, lang)
        case Power(_, exponent):
            words = _POWERS.get(exponent, message("{base} to the power of {exponent}"))
            base = speak_tokens(base_tokens(piece), lang)
            return _in_words(words, lang, base=base, exponent=str(exponent))
        case Quotient(numerator, denominator):
            above, below = (_speak_part(part, lang) for part in (numerator, denominator))
            return _in_words(message("{above} over {below}"), lang, above=above, below=below)
        case Root(radicand):
            inner = _speak_part(radicand, lang)
            return _in_words(message("the square root of {inner}"), lang, inner=inner)
        case Rounded(part, up):
            inner = _speak_part(part, lang)
            words = message("{inner} rounded up") if up else message("{inner} rounded down")
            return _in_words(words, lang, inner=inner)
        case Braced(part, label):
            inner = _speak_part(part, lang)
            return _in_words(message("{inner} for {label}"), lang, inner=inner, label=label)
    raise TypeError(f"not an atom: {piece!r}")


def _speak_part(part: Expression, lang: str) -> str:
    words = speak(part, lang)
    if isinstance(part, Symbol | Constant | Product):
        return words
    return _in_words(message("the quantity {inner}"), lang, inner=words)
