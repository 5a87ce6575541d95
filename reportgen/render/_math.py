"""Formulas prepared for printing: tokens, substitution, results, lines that fit the page.

Precedence, parentheses, signs of multiplication and line breaks are decided here, once; a
format only spells the tokens.

A token is a mark (`"+"`, `"-"`, `"neg"`, `"*"`, `"/"`, `"("`, `")"`, `"tall("`, `"tall)"`)
or an atom: `Symbol`, a `Constant` that is not negative, `Quotient`, `Power`, `Root`,
`Rounded`, `Braced`. The parts of a quotient, root or brace and the base of a power are spelled by
their own tokens.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

from reportgen.languages import language_of
from reportgen.records import formula as tree
from reportgen.records.document import EquationGroup
from reportgen.records.record import record, replace
from reportgen.render._spelling import exact, print_bytes, print_decimal, round_half_up

Token = tree.Expression | str

LINE_WIDTH = 70.0
_SIGNIFICANT = 6
_LABEL_WIDTH = 0.7
_MARK_WIDTHS = {"+": 2.0, "-": 2.0, "*": 2.0, "/": 1.0, "neg": 1.6}


@record
class MathLine:
    """One printed line of an equation.

    Attributes:
        left: What is defined; None on every line but an equation's first.
        relation: `"="`, `"≈"` where the result is rounded, or `""` on a line that goes on.
        tokens: What is printed; empty on a result line.
        result: Printed result; empty on the other lines.
        name: Id of the result.
        depth: Open parentheses at the start of a line that goes on.
        strong: Whether the result is printed in bold.
    """

    left: tree.Symbol | None = None
    relation: str = ""
    tokens: tuple[Token, ...] = ()
    result: str = ""
    name: str = ""
    depth: int = 0
    strong: bool = False


def greek(name: str) -> str:
    r"""Return the Greek letter of this name, or an empty string.

    Example:
        >>> [greek(name) for name in ("alpha", "Delta", "d")] == ["\u03b1", "\u0394", ""]
        True
    """
    case = "SMALL" if name.islower() else "CAPITAL"
    spelled = name.upper().replace("LAMBDA", "LAMDA")
    try:
        return unicodedata.lookup(f"GREEK {case} LETTER {spelled}") if len(name) > 1 else ""
    except KeyError:
        return ""


# --- tokens ---------------------------------------------------------------------------


def tokens(expression: tree.Expression) -> tuple[Token, ...]:
    """Linearise an expression with exactly the parentheses it needs.

    Example:
        >>> a, b = tree.Symbol("a"), tree.Symbol("b")
        >>> [t if isinstance(t, str) else t.name for t in tokens(a * (b - a) - (a + b))]
        ['a', '(', 'b', '-', 'a', ')', '-', '(', 'a', '+', 'b', ')']
    """
    return tuple(_tokens(expression))


def _tokens(expression: tree.Expression) -> Iterator[Token]:
    match expression:
        case tree.Sum(terms):
            for position, term in enumerate(terms):
                yield from _term(term, "+" if position else "")
        case tree.Difference(left, right):
            yield from _term(left, "")
            if _is_sum(right) or _is_negative(right):
                yield "-"
                yield from _parenthesised(right)
            else:
                yield from _term(right, "-")
        case tree.Product(factors):
            for position, factor in enumerate(factors):
                if position and needs_times(factors[position - 1], factor):
                    yield "*"
                yield from _factor(factor, first=not position)
        case tree.Constant(value) if value < 0:
            yield from ("neg", tree.Constant(-value))
        case _:
            yield expression


def _term(term: tree.Expression, sign: str) -> Iterator[Token]:
    """Yield a term with the sign before it; a sum inside a sum needs no parentheses."""
    pieces = list(_tokens(term))
    if pieces[0] == "neg" and sign:
        yield from ("-" if sign == "+" else "+", *pieces[1:])
    else:
        yield from ((sign, *pieces) if sign else pieces)


def _factor(factor: tree.Expression, *, first: bool) -> Iterator[Token]:
    if _is_sum(factor) or (_is_negative(factor) and not first):
        yield from _parenthesised(factor)
    else:
        yield from _tokens(factor)


def _parenthesised(expression: tree.Expression) -> Iterator[Token]:
    pieces = tuple(_tokens(expression))
    size = "tall" if any(isinstance(piece, tree.Quotient) for piece in pieces) else ""
    yield from (f"{size}(", *pieces, f"{size})")


def base_tokens(power: tree.Power) -> tuple[Token, ...]:
    """Return the tokens of a power's base, in parentheses where it needs them."""
    atomic = isinstance(power.base, tree.Symbol | tree.Root) or (
        isinstance(power.base, tree.Constant) and not _is_negative(power.base)
    )
    return tokens(power.base) if atomic else tuple(_parenthesised(power.base))


def needs_times(left: tree.Expression, right: tree.Expression) -> bool:
    """Tell whether a sign of multiplication stands between two factors.

    It stands before a number, and between what are numbers on both sides; symbols are
    juxtaposed.

    Example:
        >>> two = tree.Constant(2)
        >>> needs_times(two, tree.Constant(3)), needs_times(two, tree.Symbol("d"))
        (True, False)
    """
    return _starts_with_number(right) or (_is_numeric(left) and _is_numeric(right))


def _is_sum(expression: tree.Expression) -> bool:
    inside = expression.inner if isinstance(expression, tree.Braced) else expression
    return isinstance(inside, tree.Sum | tree.Difference)


def _is_numeric(expression: tree.Expression) -> bool:
    return next(tree.symbols(expression), None) is None


def _is_negative(expression: tree.Expression) -> bool:
    """Tell whether the printed expression begins with a minus."""
    match expression:
        case tree.Braced(inner):
            return _is_negative(inner)
        case tree.Constant(value):
            return value < 0
        case tree.Product(factors):
            return _is_negative(factors[0])
    return False


def _starts_with_number(expression: tree.Expression) -> bool:
    """Tell whether the printed expression begins with a digit."""
    match expression:
        case tree.Braced(inner):
            return _starts_with_number(inner)
        case tree.Constant(value):
            return value >= 0
        case tree.Power(base, _):
            return _starts_with_number(base)
        case tree.Product(factors):
            return _starts_with_number(factors[0])
    return False


# --- numbers --------------------------------------------------------------------------


def substitute(
    expression: tree.Expression, values: Mapping[str, int | float], name: str = ""
) -> tree.Expression:
    """Put numbers in place of symbols, leaving the shape of the formula.

    What has a brace below it becomes one number.

    Args:
        expression: The formula.
        values: Symbol key to number.
        name: Id of its equation; each number is named after it and its symbol.

    Raises:
        KeyError: A symbol has no value.

    Example:
        >>> substitute(tree.Symbol("V") * tree.Symbol("d"), {"V": 10, "d": 4})
        Product(factors=(Constant(value=10), Constant(value=4)))
    """
    match expression:
        case tree.Symbol():
            named = f"{name}.{expression.key}" if name else ""
            return tree.Constant(values[expression.key], named)
        case tree.Sum(terms):
            return tree.Sum(tuple(substitute(term, values, name) for term in terms))
        case tree.Difference(left, right):
            return tree.Difference(substitute(left, values, name), substitute(right, values, name))
        case tree.Product(factors):
            return tree.Product(tuple(substitute(factor, values, name) for factor in factors))
        case tree.Quotient(numerator, denominator):
            return tree.Quotient(
                substitute(numerator, values, name), substitute(denominator, values, name)
            )
        case tree.Power(base, exponent):
            return tree.Power(substitute(base, values, name), exponent)
        case tree.Root(radicand):
            return tree.Root(substitute(radicand, values, name))
        case tree.Rounded(inner, up):
            return tree.Rounded(substitute(inner, values, name), up)
        case tree.Braced(inner):
            return tree.Constant(tree.evaluate(inner, values))
    return expression


def print_constant(value: float, lang: str = "en") -> str:
    """Print a number inside a formula: whole numbers grouped, others shortest.

    Example:
        >>> print_constant(32000), print_constant(0.5)
        ('32,000', '0.5')
    """
    return print_decimal(exact(value), grouped=True, lang=lang)


def print_result(equation: tree.Equation, lang: str = "en") -> tuple[str, bool]:
    """Print the result of an equation; the flag tells whether nothing was rounded away.

    Counts are whole, fractions are printed in percent, bytes in binary units; what is left
    has at most six significant digits.

    Example:
        >>> x = tree.Symbol("x")
        >>> y = tree.Symbol("y")
        >>> print_result(tree.Equation(id="e", left=y, right=x / 3, values={"x": 1}, unit=""))
        ('0.333333', False)
    """
    value = exact(equation.result)
    if equation.unit == "count":
        rounded = round_half_up(value, 0)
        return print_decimal(rounded, grouped=True, lang=lang), rounded == value
    if equation.unit == "bytes":
        unit = 1024 ** max(k for k in range(6) if k == 0 or abs(value) >= 1024**k)
        places = max(0, 2 - round_half_up(value / unit, 2).adjusted())
        return print_bytes(value, lang=lang), round_half_up(value / unit, places) * unit == value
    if equation.unit == "fraction":
        rounded = round_half_up(value * 100, 4)
        percent = print_decimal(rounded, lang=lang) + language_of(lang).percent_mark
        return percent, rounded == value * 100
    places = max(0, _SIGNIFICANT - 1 - value.adjusted()) if value else 0
    rounded = round_half_up(value, places).normalize()
    return print_decimal(rounded, grouped=True, lang=lang), rounded == value


# --- lines ----------------------------------------------------------------------------


def group_lines(
    group: EquationGroup, lang: str = "en", digits: float = LINE_WIDTH
) -> tuple[MathLine, ...]:
    """Return the lines of a group: formula, numbers, result; ones of more digits are broken.

    The substituted line is left out where the formula holds no symbol, and the result where
    the substituted line is the result.
    """
    width = digits - max(measure((equation.left,)) for equation in group.equations)
    lines: list[MathLine] = []
    for equation in group.equations:
        formula = break_lines(tokens(equation.right), width)
        lines.append(replace(formula[0], left=equation.left, relation="="))
        lines.extend(formula[1:])
        numbers = substitute(equation.right, equation.values, equation.id)
        if numbers != equation.right:
            substituted = break_lines(tokens(numbers), width)
            lines.append(replace(substituted[0], relation="="))
            lines.extend(substituted[1:])
        if not isinstance(numbers, tree.Constant):
            result, whole = print_result(equation, lang)
            relation = "=" if whole else "≈"
            lines.append(
                MathLine(relation=relation, result=result, name=equation.id, strong=equation.strong)
            )
    return tuple(lines)


def break_lines(pieces: tuple[Token, ...], width: float) -> tuple[MathLine, ...]:
    """Break tokens before signs, so that no line is wider than `width` where that can be.

    A break outside parentheses is preferred to one inside, if the line is half full.
    """
    lines: list[MathLine] = []
    rest = _flatten_wide(pieces, width)
    depth = 0
    while measure(rest) > width - 2 * depth and (cut := _best_cut(rest, width - 2 * depth)):
        lines.append(MathLine(tokens=rest[:cut], depth=depth))
        depth += _opened(rest[:cut])
        rest = rest[cut:]
    lines.append(MathLine(tokens=rest, depth=depth))
    if any(line.depth for line in lines):
        # A pair of tall parentheses cannot be drawn over two lines.
        lines = [replace(line, tokens=_plain_parentheses(line.tokens)) for line in lines]
    return tuple(lines)


def _plain_parentheses(pieces: tuple[Token, ...]) -> tuple[Token, ...]:
    return tuple(p.removeprefix("tall") if isinstance(p, str) else p for p in pieces)


def _flatten_wide(pieces: tuple[Token, ...], width: float) -> tuple[Token, ...]:
    """Print a fraction wider than the line with a slash, which can be broken."""
    flat: list[Token] = []
    for piece in pieces:
        if isinstance(piece, tree.Quotient) and measure((piece,)) > width:
            parts = (tokens(piece.numerator), tokens(piece.denominator))
            flat.extend(("(", *parts[0], ")", "/", "(", *parts[1], ")"))
        else:
            flat.append(piece)
    return tuple(flat)


def _best_cut(pieces: tuple[Token, ...], width: float) -> int:
    """Return where to break a line; 0 where it cannot be broken."""
    used, depth = 0.0, 0
    cuts: list[tuple[int, int, float]] = []
    for position, piece in enumerate(pieces):
        if position and piece in {"+", "-", "*", "/"}:
            rank = depth * 2 + (piece in {"*", "/"})
            cuts.append((position, rank, used))
        depth += _opened((piece,))
        used += measure((piece,))
    fitting = [cut for cut in cuts if cut[2] <= width] or cuts[:1]
    good = [cut for cut in fitting if cut[2] >= width / 2] or fitting[-1:]
    return min(good, key=lambda cut: (cut[1], -cut[2]))[0] if good else 0


def _opened(pieces: tuple[Token, ...]) -> int:
    marks = [piece for piece in pieces if isinstance(piece, str)]
    return sum(m.endswith("(") for m in marks) - sum(m.endswith(")") for m in marks)


def measure(pieces: tuple[Token, ...]) -> float:
    """Estimate the printed width of tokens, in digits."""
    return sum(_measure(piece) for piece in pieces)


def _measure(piece: Token) -> float:
    match piece:
        case str():
            return _MARK_WIDTHS.get(piece, 0.8)
        case tree.Symbol(name, subscript):
            letters = 1 if greek(name) else len(name)
            return 0.3 + 1.1 * letters + 0.75 * len(subscript)
        case tree.Constant(value):
            return 0.95 * len(print_constant(value))
        case tree.Quotient(numerator, denominator):
            return max(measure(tokens(numerator)), measure(tokens(denominator))) + 0.5
        case tree.Power():
            return measure(base_tokens(piece)) + 0.8 * len(str(piece.exponent))
        case tree.Root(inner) | tree.Rounded(inner, _):
            return measure(tokens(inner)) + 1.7
        case tree.Braced(inner, label):
            return max(measure(tokens(inner)), _LABEL_WIDTH * len(label)) + 0.3
    raise TypeError(f"not a token: {piece!r}")
