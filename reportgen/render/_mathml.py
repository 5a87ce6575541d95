"""Formulas as presentation MathML, as browsers draw it.

A number inside a formula is one `<mn>` with its grouping, so that a screen reader says one
number. Columns of displayed equations are left side, relation and right side.
"""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

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
from reportgen.render._escape import clean
from reportgen.render._math import (
    MathLine,
    Token,
    base_tokens,
    greek,
    group_lines,
    print_constant,
    tokens,
)
from reportgen.render._speech import speak, speak_group
from reportgen.render._spelling import MINUS, TIMES

_MARKS = {
    "+": '<mo form="infix">+</mo>',
    "-": f'<mo form="infix">{MINUS}</mo>',
    "neg": f'<mo form="prefix">{MINUS}</mo>',
    "*": f"<mo>{TIMES}</mo>",
    "/": "<mo>/</mo>",
    "(": '<mo form="prefix" stretchy="false">(</mo>',
    ")": '<mo form="postfix" stretchy="false">)</mo>',
    "tall(": '<mo form="prefix">(</mo>',
    "tall)": '<mo form="postfix">)</mo>',
}
_BRACE = '<mo stretchy="true">\u23df</mo>'
_INVISIBLE_TIMES = "<mo>\u2062</mo>"


def print_mathml(expression: Expression, lang: str = "en") -> str:
    """Return a formula as a `<math>` element for running text.

    Example:
        >>> print_mathml(Symbol("d") ** 2)
        '<math alttext="d squared"><msup><mrow><mi>d</mi></mrow><mn>2</mn></msup></math>'
    """
    spoken = quoteattr(clean(speak(expression, lang)))
    return f"<math alttext={spoken}>{_spell(tokens(expression), lang)}</math>"


def print_mathml_group(group: EquationGroup, lang: str = "en") -> str:
    """Return displayed equations as one `<math>` element, aligned at their relations."""
    rows = "".join(_row(line, lang) for line in group_lines(group, lang))
    spoken = quoteattr(clean(speak_group(group, lang)))
    return (
        f'<math display="block" alttext={spoken}><mtable displaystyle="true">{rows}</mtable></math>'
    )


def _row(line: MathLine, lang: str) -> str:
    left = _atom(line.left, lang) if line.left else ""
    relation = f"<mo>{line.relation}</mo>" if line.relation else ""
    strong = ' class="strong"' if line.strong else ""
    result = f"<mn{strong}>{escape(line.result)}</mn>"
    right = result if line.result else _spell(line.tokens, lang)
    if not line.relation:
        right = f'<mspace width="{2 + line.depth}em"/>{right}'
    cells = "".join(f"<mtd><mrow>{cell}</mrow></mtd>" for cell in (left, relation, right))
    return f"<mtr>{cells}</mtr>"


def _spell(pieces: tuple[Token, ...], lang: str) -> str:
    """Spell tokens; what is juxtaposed on paper is multiplied for those who listen."""
    spelled: list[str] = []
    ready = False
    for piece in pieces:
        begins = not isinstance(piece, str) or piece.endswith("(")
        if ready and begins:
            spelled.append(_INVISIBLE_TIMES)
        spelled.append(_MARKS[piece] if isinstance(piece, str) else _atom(piece, lang))
        ready = not isinstance(piece, str) or piece.endswith(")")
    return "".join(spelled)


def _atom(piece: Expression, lang: str) -> str:
    match piece:
        case Symbol(name, subscript):
            letter = f"<mi>{escape(greek(name) or clean(name))}</mi>"
            below = f'<mi mathvariant="normal">{escape(clean(subscript))}</mi>'
            return f"<msub>{letter}{below}</msub>" if subscript else letter
        case Constant(value):
            return f"<mn>{escape(print_constant(value, lang))}</mn>"
        case Quotient(numerator, denominator):
            parts = (f"<mrow>{_spell(tokens(p), lang)}</mrow>" for p in (numerator, denominator))
            return f"<mfrac>{''.join(parts)}</mfrac>"
        case Power(_, exponent):
            base = _spell(base_tokens(piece), lang)
            return f"<msup><mrow>{base}</mrow><mn>{exponent}</mn></msup>"
        case Root(radicand):
            return f"<msqrt>{_spell(tokens(radicand), lang)}</msqrt>"
        case Rounded(inner, up):
            first, last = "⌈⌉" if up else "⌊⌋"
            return f"<mrow><mo>{first}</mo>{_spell(tokens(inner), lang)}<mo>{last}</mo></mrow>"
        case Braced(inner, label):
            above = f"<mrow>{_spell(tokens(inner), lang)}</mrow>"
            brace = f"<munder>{above}{_BRACE}</munder>"
            return f"<munder>{brace}<mtext>{escape(clean(label))}</mtext></munder>"
    raise TypeError(f"not an atom: {piece!r}")
