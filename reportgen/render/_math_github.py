r"""Formulas in the part of LaTeX that GitHub, KaTeX and MathJax all set.

No macro is defined and no package assumed. Thousands are grouped as `32{,}000`, so that no
space is set after the comma.
"""

from __future__ import annotations

from reportgen.records.document import EquationGroup
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
from reportgen.render._math import (
    MathLine,
    Token,
    base_tokens,
    greek,
    group_lines,
    print_constant,
    tokens,
)
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
_CHARACTERS = str.maketrans(
    {
        ",": "{,}",
        MINUS: "-",
        NARROW_SPACE: r"\,",
        NO_BREAK_SPACE: "~",
        "`": "'",
        "\n": " ",
        "\r": " ",
        "\\": "/",
        **{character: f"\\{character}" for character in "%_#&${}"},
        "^": "\u02c6",
        "~": "\u02dc",
    }
)


def print_github_math(expression: Expression, lang: str = "en") -> str:
    r"""Return a formula without delimiters.

    Example:
        >>> V, d = Symbol("V"), Symbol("d", "model")
        >>> print(print_github_math((V + 2) * d))
        (V + 2) \, d_{\text{model}}
    """
    return _spell(tokens(expression), lang)


def print_github_group(group: EquationGroup, number: str, lang: str = "en") -> str:
    """Return displayed equations as one aligned environment with one number."""
    rows = " \\\\\n".join(_row(line, lang) for line in group_lines(group, lang))
    return f"\\begin{{aligned}}\n{rows}\n\\end{{aligned}}\n\\qquad ({number})"


def _row(line: MathLine, lang: str) -> str:
    left = _atom(line.left, lang) + " " if line.left else ""
    result = f"\\mathbf{{{_plain(line.result)}}}" if line.strong else _plain(line.result)
    right = result if line.result else _spell(line.tokens, lang).strip()
    # The empty group keeps the sign that a broken line starts with a binary operator.
    relation = _RELATIONS[line.relation] if line.relation else r"\quad {}"
    return f"{left}&{relation} {right}"


def _spell(pieces: tuple[Token, ...], lang: str) -> str:
    spelled = ""
    ready = False
    for piece in pieces:
        begins = not isinstance(piece, str) or piece.endswith("(")
        if ready and begins:
            spelled += r" \, "
        spelled += _MARKS[piece] if isinstance(piece, str) else _atom(piece, lang)
        ready = not isinstance(piece, str) or piece.endswith(")")
    return spelled


def _atom(piece: Expression, lang: str) -> str:
    match piece:
        case Symbol(name, subscript):
            letter = _letter(name)
            return f"{letter}_{{\\text{{{_plain(subscript)}}}}}" if subscript else letter
        case Constant(value):
            return _plain(print_constant(value, lang))
        case Quotient(numerator, denominator):
            above, below = (_spell(tokens(part), lang) for part in (numerator, denominator))
            return f"\\frac{{{above}}}{{{below}}}"
        case Power(_, exponent):
            return f"{{{_spell(base_tokens(piece), lang)}}}^{{{exponent}}}"
        case Root(radicand):
            return f"\\sqrt{{{_spell(tokens(radicand), lang)}}}"
        case Rounded(inner, up):
            side = "ceil" if up else "floor"
            return f"\\left\\l{side} {_spell(tokens(inner), lang)} \\right\\r{side}"
        case Braced(inner, label):
            below = _plain(label)
            return f"{{\\underbrace{{{_spell(tokens(inner), lang)}}}_{{\\text{{{below}}}}}}}"
    raise TypeError(f"not an atom: {piece!r}")


def _letter(name: str) -> str:
    """Spell a symbol's name; several letters are one upright word, not a product."""
    if greek(name):
        return greek(name)
    return _plain(name) if len(name) == 1 else f"\\mathrm{{{_plain(name)}}}"


def _plain(text: str) -> str:
    return text.translate(_CHARACTERS)
