r"""Printed mathematics as trees that can be evaluated: LaTeX, plain text, and the text of a PDF.

A bracket that is missing is put back where that leaves no doubt, and it is said. What stays
open (whether a brace groups, whether `a / b c` divides by both) is kept as several readings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, isqrt

from reportgen.checking.numbers._digits import NumberStyle
from reportgen.checking.numbers._gated import gated
from reportgen.claims._math_tokens import LONGEST, Token, is_latex, tokens_of
from reportgen.claims._math_tree import Grammar, MathError, parse
from reportgen.records.claim import Equation
from reportgen.records.formula import (
    Constant,
    Difference,
    Expression,
    Power,
    Product,
    Quotient,
    Root,
    Rounded,
    Sum,
    Symbol,
    symbols,
)

_MOST_BITS = 4096
_MOST_REPAIRS = 120
# A number in brackets behind a finished line is its tag: nobody multiplies by it.
_TAG = gated(
    r"(?<=[^\W_xX]|[\])}%²³.,\\])(?<!\\times)(?<!\\cdot)(?<!\\ast)(?:[ \t\u00a0]|\\ ){1,120}"
    r"\((?:[A-Z]\.)?\d{1,2}[a-z]?\)(?=[ \t.,;]{0,20}(?:$|\n))"
    r"|(?:\\ |[ ]{2})[ ]?\(\d{1,2}\)(?=\s)"
)
_EDGES = frozenset(".,;:`\"'“”$!?")
_PARTNERS = {"(": ")", "[": "]"}
_OPENERS = {")": "(", "]": "["}
Number = int | Decimal | Fraction


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a side.

    Attributes:
        tree: The expression.
        repaired: What was mended, a clause, or empty.
    """

    tree: Expression
    repaired: str = ""


def value_of(tree: Expression, values: Mapping[str, Number] | None = None) -> Fraction:
    """Compute an expression exactly.

    Args:
        tree: The expression.
        values: Key of a symbol (`d_model`) to its value.

    Raises:
        KeyError: A symbol has no value.
        ValueError: A division by nought, the root of a negative number, or a number so large
            that nobody means it.

    Example:
        >>> value_of(read_equation("3 * 512^2 / 4").trees[0])
        Fraction(196608, 1)
    """
    result = _value(tree, values or {})
    if result.numerator.bit_length() > _MOST_BITS or result.denominator.bit_length() > _MOST_BITS:
        raise ValueError("it is too large to compute")
    return result


def _value(tree: Expression, values: Mapping[str, Number]) -> Fraction:
    match tree:
        case Symbol():
            return Fraction(values[tree.key])
        case Constant(value):
            # The shortest decimal that gives the float is the one that was printed.
            return Fraction(value) if isinstance(value, int) else Fraction(repr(value))
        case Sum(terms):
            return sum((value_of(term, values) for term in terms), Fraction(0))
        case Difference(left, right):
            return value_of(left, values) - value_of(right, values)
        case Product(factors):
            product = Fraction(1)
            for factor in factors:
                product *= value_of(factor, values)
                if product.numerator.bit_length() > _MOST_BITS:
                    raise ValueError("it is too large to compute")
            return product
        case Quotient(numerator, denominator):
            divisor = value_of(denominator, values)
            if divisor == 0:
                raise ValueError("it divides by nought")
            return value_of(numerator, values) / divisor
        case Power(base, exponent):
            return _power(value_of(base, values), exponent)
        case Root() | Rounded():
            return _unary(tree, values)
    raise TypeError(f"not an expression: {tree!r}")


def _unary(tree: Root | Rounded, values: Mapping[str, Number]) -> Fraction:
    if isinstance(tree, Root):
        return _root(value_of(tree.radicand, values))
    value = value_of(tree.inner, values)
    return Fraction(ceil(value) if tree.up else floor(value))


def _power(base: Fraction, exponent: int) -> Fraction:
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if bits * abs(exponent) > _MOST_BITS:
        raise ValueError("it is too large to compute")
    if base == 0 and exponent < 0:
        raise ValueError("it divides by nought")
    return base**exponent


def _root(value: Fraction) -> Fraction:
    """Return a square root: exactly where it is a fraction, else to thirty decimals."""
    if value < 0:
        raise ValueError("it takes the root of a negative number")
    above, below = isqrt(value.numerator), isqrt(value.denominator)
    if above * above == value.numerator and below * below == value.denominator:
        return Fraction(above, below)
    shift = 10**30
    return Fraction(
        isqrt(value.numerator * value.denominator * shift**2), value.denominator * shift
    )


def without_tags(text: str) -> str:
    r"""Return a text with the numbers of its equations blanked, at the same length.

    Example:
        >>> without_tags("= 258 × 512   (5)")
        '= 258 × 512      '
    """
    return _TAG.sub(lambda match: " " * len(match[0]), text)


def read_equation(text: str, style: NumberStyle | None = None) -> Equation:
    r"""Return the sides of an equation, with trees for those that can be read.

    Args:
        text: LaTeX (without dollar signs) or plain text; one chain `a = b = c`.
        style: How the report writes decimals; by default what the text shows.

    Example:
        >>> equation = read_equation(r"n = 4 \times [3 \times (5 + 1] = 72")
        >>> equation.name, equation.repaired
        ('n', 'one closing bracket added')
        >>> [value_of(tree) for tree in equation.trees[1:]]
        [Fraction(72, 1), Fraction(72, 1)]
        >>> read_equation("4 * (3 + (5").fault
        'its brackets do not balance'
    """
    if len(text) > LONGEST:
        return Equation(sides=(text,), trees=(None,), fault=f"it is longer than {LONGEST} signs")
    clean = without_tags(text)
    return read_tokens(tokens_of(clean, style), clean, latex=is_latex(clean))


def read_tokens(tokens: Sequence[Token], text: str, *, latex: bool) -> Equation:
    """Return the equation that some tokens of a text make.

    Args:
        tokens: One chain, equality signs included.
        text: What they were taken from.
        latex: Letters side by side are factors.
    """
    sides = split_sides(tokens)
    options = [readings_of(side, latex=latex) for side in sides]
    anchors = [value for option in options if (value := _certain(option)) is not None]
    trees: list[Expression | None] = []
    repaired = fault = ""
    for found in options:
        chosen = None if isinstance(found, str) else _choose(found, anchors)
        trees.append(chosen.tree if chosen else None)
        if chosen:
            repaired = repaired or chosen.repaired
        else:
            doubt = "a bracket is missing, and where it stood changes the result"
            fault = fault or (found if isinstance(found, str) else doubt)
    first = trees[0]
    named = isinstance(first, Symbol) and len(sides) > 1
    return Equation(
        sides=tuple(text[side[0].start : side[-1].end] if side else "" for side in sides),
        trees=tuple(trees),
        repaired=repaired,
        fault=fault,
        name=first.key if named and isinstance(first, Symbol) else "",
    )


def split_sides(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return what stands between the equality signs, without the punctuation around it."""
    sides: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind == "=":
            sides.append([])
        else:
            sides[-1].append(token)
    for side in sides:
        while side and side[-1].kind == "other" and side[-1].text in _EDGES:
            side.pop()
        while side and side[0].kind == "other" and side[0].text in _EDGES:
            side.pop(0)
    return sides


def readings(
    side: str, style: NumberStyle | None = None, *, latex: bool | None = None
) -> tuple[Reading, ...] | str:
    r"""Return the ways to read one side, the literal one first; a clause where there is none.

    Args:
        side: As `Equation.sides` has it.
        style: How the report writes decimals.
        latex: Letters side by side are factors; by default what the text shows.

    Example:
        >>> len(readings(r"N \times \underbrace{a + b}_{layer}"))
        2
        >>> readings("max(0, x)")
        '“max” stands before a bracket like a function'
    """
    if len(side) > LONGEST:
        return f"it is longer than {LONGEST} signs"
    tokens = split_sides(tokens_of(side, style))[0]
    return readings_of(tokens, latex=is_latex(side) if latex is None else latex)


def readings_of(tokens: Sequence[Token], *, latex: bool) -> tuple[Reading, ...] | str:
    """Return the ways to read the tokens of one side, or why there is none."""
    if not tokens:
        return "it is empty"
    found: dict[str, Reading] = {}
    first_fault = ""
    for pieces, repaired in _balanced(tokens):
        for grammar in _grammars(pieces, latex=latex):
            try:
                tree = parse(pieces, grammar)
            except MathError as fault:
                first_fault = first_fault or str(fault)
                continue
            found.setdefault(repr(tree), Reading(tree, repaired))
    if found:
        return tuple(found.values())
    return first_fault or "its brackets do not balance"


def _grammars(tokens: Sequence[Token], *, latex: bool) -> Iterator[Grammar]:
    """Yield the grammars under which these tokens may read differently."""
    kinds = {token.kind for token in tokens}
    braced = "{" in kinds and bool(kinds & {"+", "-"})
    divided = "/" in kinds
    for tight in (False, True)[: 1 + divided]:
        for braces in (False, True)[: 1 + braced]:
            yield Grammar(latex=latex, braces=braces, tight=tight)


def _balanced(tokens: Sequence[Token]) -> Iterator[tuple[Sequence[Token], str]]:
    """Yield the tokens, or every way to balance them with one bracket more or less."""
    stack: list[str] = []
    strays: list[str] = []
    mixed = 0
    for token in tokens:
        if token.kind == "(":
            stack.append(token.text)
        elif token.kind == ")" and not stack:
            strays.append(token.text)
        elif token.kind == ")":
            mixed += _PARTNERS[stack.pop()] != token.text
    if not stack and not strays:
        # Brackets of two kinds that close each other: nobody means the kinds.
        yield (_one_kind(tokens), "brackets of two kinds matched") if mixed else (tokens, "")
    elif len(tokens) <= _MOST_REPAIRS and len(stack) + len(strays) == 1:
        yield from _mended(_one_kind(tokens) if mixed > 1 else tokens, missing=bool(stack))


def _mended(tokens: Sequence[Token], *, missing: bool) -> Iterator[tuple[Sequence[Token], str]]:
    """Yield the tokens with one bracket more, and with one less.

    Args:
        tokens: One bracket in them has no partner.
        missing: It is a closing bracket that is missing.
    """
    kind, other = (")", "(") if missing else ("(", ")")
    shapes = {token.text for token in tokens if token.kind == other}
    added = f"one {'closing' if missing else 'opening'} bracket added"
    for at in range(len(tokens) + 1):
        before = tokens[at - 1].kind if at else ""
        if missing and before not in {"number", "name", ")", "}", "unit"}:
            continue
        for shape in sorted(shapes):
            partner = _PARTNERS[shape] if missing else _OPENERS[shape]
            yield [*tokens[:at], Token(kind, partner, 0, 0), *tokens[at:]], added
    for at, token in enumerate(tokens):
        if token.kind == other:
            yield [*tokens[:at], *tokens[at + 1 :]], "one bracket left out"


def _one_kind(tokens: Sequence[Token]) -> list[Token]:
    """Return tokens with round brackets only."""
    return [
        Token(t.kind, t.kind, t.start, t.end, apart=t.apart) if t.kind in {"(", ")"} else t
        for t in tokens
    ]


def is_numeric(tree: Expression) -> bool:
    """Say whether a tree has no symbols."""
    return next(symbols(tree), None) is None


def _certain(options: tuple[Reading, ...] | str) -> Fraction | None:
    """Return the value of a side that reads in one way and has no symbols."""
    if isinstance(options, str):
        return None
    found = numeric_values(options)
    return next(iter(found)) if len(found) == 1 else None


def numeric_values(options: Sequence[Reading]) -> set[Fraction]:
    """Return the values of the readings that have no symbols."""
    found = set()
    for reading in options:
        if is_numeric(reading.tree):
            try:
                found.add(value_of(reading.tree))
            except ValueError:
                continue
    return found


def _choose(options: Sequence[Reading], anchors: Sequence[Fraction]) -> Reading | None:
    """Return the reading to keep: the one that gives another side, or the literal one."""
    if len(options) == 1:
        return options[0]
    if not is_numeric(options[0].tree):
        return None if options[0].repaired else options[0]
    for reading in options:
        try:
            if value_of(reading.tree) in anchors:
                return reading
        except ValueError:
            continue
    same = len(numeric_values(options)) == 1
    return options[0] if same or not options[0].repaired else None
