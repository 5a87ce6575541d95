"""Formulas as small trees: evaluated here, printed by each format in its own spelling.

Because the printed formula, the substituted line and the number in the table all come
from one tree, they cannot disagree.

Example:
    >>> V, d = Symbol("V", meaning="vocabulary"), Symbol("d", meaning="width")
    >>> evaluate(V * d + 2 * d, {"V": 10, "d": 4})
    48
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from reportgen.records.record import field, record


class Expression:
    """Base of every node; arithmetic operators build bigger trees."""

    __slots__ = ()

    def __add__(self, other: Expression | int) -> Sum:
        left = self.terms if isinstance(self, Sum) else (self,)
        return Sum((*left, as_expression(other)))

    def __radd__(self, other: int) -> Sum:
        return Sum((as_expression(other), self))

    def __sub__(self, other: Expression | int) -> Difference:
        return Difference(self, as_expression(other))

    def __mul__(self, other: Expression | int) -> Product:
        left = self.factors if isinstance(self, Product) else (self,)
        return Product((*left, as_expression(other)))

    def __rmul__(self, other: int) -> Product:
        right = self.factors if isinstance(self, Product) else (self,)
        return Product((as_expression(other), *right))

    def __truediv__(self, other: Expression | int) -> Quotient:
        return Quotient(self, as_expression(other))

    def __pow__(self, exponent: int) -> Power:
        return Power(self, exponent)


@record(kw_only=False)
class Symbol(Expression):
    """A named quantity: `name` with an optional `subscript`, both plain text.

    Attributes:
        name: One letter or a Greek letter's name (`alpha`).
        subscript: Printed below, upright (`ffn`).
        meaning: What it stands for, in words.
    """

    name: str
    subscript: str = ""
    meaning: str = ""

    @property
    def key(self) -> str:
        """Key under which values are bound (`N_emb`)."""
        return f"{self.name}_{self.subscript}" if self.subscript else self.name


@record(kw_only=False)
class Constant(Expression):
    """A literal number.

    Attributes:
        value: The number.
        name: Id under which it is printed, where it stands for a symbol; no part of what it is.
    """

    value: int | float
    name: str = field(default="", compare=False, repr=False)


@record(kw_only=False)
class Sum(Expression):
    """Terms added."""

    terms: tuple[Expression, ...]


@record(kw_only=False)
class Difference(Expression):
    """`left - right`."""

    left: Expression
    right: Expression


@record(kw_only=False)
class Product(Expression):
    """Factors multiplied."""

    factors: tuple[Expression, ...]


@record(kw_only=False)
class Quotient(Expression):
    """`numerator / denominator`, printed as a fraction."""

    numerator: Expression
    denominator: Expression


@record(kw_only=False)
class Power(Expression):
    """`base` to a whole `exponent`."""

    base: Expression
    exponent: int


@record(kw_only=False)
class Root(Expression):
    """Square root."""

    radicand: Expression


@record(kw_only=False)
class Rounded(Expression):
    """The whole number next to `inner`: below it, or above where `up`."""

    inner: Expression
    up: bool = False


@record(kw_only=False)
class Braced(Expression):
    """`inner` with a brace below it and what it stands for; worth what `inner` is worth."""

    inner: Expression
    label: str


def as_expression(value: Expression | float) -> Expression:
    """Return `value` itself, or a `Constant` of it."""
    return value if isinstance(value, Expression) else Constant(value)


def evaluate(expression: Expression, values: Mapping[str, int | float]) -> int | float:
    """Compute an expression; whole numbers stay whole (no float on the way).

    Args:
        expression: The tree.
        values: Symbol key to number.

    Raises:
        KeyError: A symbol has no value.

    Example:
        >>> x = Symbol("x")
        >>> evaluate((x - 1) / 2, {"x": 4})
        1.5
    """
    match expression:
        case Symbol():
            return values[expression.key]
        case Constant(value):
            return value
        case Sum(terms):
            return sum(evaluate(t, values) for t in terms)
        case Difference(left, right):
            return evaluate(left, values) - evaluate(right, values)
        case Product(factors):
            return math.prod(evaluate(f, values) for f in factors)
        case Quotient(numerator, denominator):
            return divided(evaluate(numerator, values), evaluate(denominator, values))
        case Power(base, exponent):
            return evaluate(base, values) ** exponent
        case Root(radicand):
            return math.sqrt(evaluate(radicand, values))
        case Rounded(inner, up):
            value = evaluate(inner, values)
            return math.ceil(value) if up else math.floor(value)
        case Braced(inner):
            return evaluate(inner, values)
    raise TypeError(f"not an expression: {expression!r}")


def divided(above: float, below: float) -> int | float:
    """Divide; whole numbers stay whole where there is no rest.

    Example:
        >>> divided(6, 3), divided(1, 4)
        (2, 0.25)
    """
    whole = isinstance(above, int) and isinstance(below, int)
    return above // below if whole and below and above % below == 0 else above / below


def nodes(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and all it is made of, in order of appearance, with repeats."""
    yield expression
    match expression:
        case Sum(inner) | Product(inner):
            below = inner
        case Difference(left, right) | Quotient(left, right):
            below = (left, right)
        case Power(base, _):
            below = (base,)
        case Root(inside) | Rounded(inside, _) | Braced(inside, _):
            below = (inside,)
        case _:
            below = ()
    for part in below:
        yield from nodes(part)


def symbols(expression: Expression) -> Iterator[Symbol]:
    """Yield every symbol of an expression, in order of appearance, with repeats."""
    return (part for part in nodes(expression) if isinstance(part, Symbol))


def times(*factors: Expression) -> Expression:
    """Return a product without brackets: whole numbers first, equal symbols as a power.

    Example:
        >>> d = Symbol("d")
        >>> times(d, Constant(2), d) == Product((Constant(2), Power(d, 2)))
        True
        >>> times(Constant(1), d) == d
        True
    """
    whole, powers = 1, dict[Expression, int]()
    for factor in factors:
        for each in factor.factors if isinstance(factor, Product) else (factor,):
            if isinstance(each, Constant) and isinstance(each.value, int):
                whole *= each.value
            elif isinstance(each, Power):
                powers[each.base] = powers.get(each.base, 0) + each.exponent
            else:
                powers[each] = powers.get(each, 0) + 1
    rest = tuple(base if n == 1 else Power(base, n) for base, n in powers.items())
    if not whole or not rest:
        return Constant(whole)
    every = rest if whole == 1 else (Constant(whole), *rest)
    return every[0] if len(every) == 1 else Product(every)


def total(formulas: Iterable[Expression]) -> Expression:
    """Return a sum in which multiples of one formula are gathered.

    Example:
        >>> d = Symbol("d")
        >>> total([times(Constant(3), d), d]) == Product((Constant(4), d))
        True
    """
    counts: dict[tuple[Expression, ...], int] = {}
    for formula in formulas:
        for each in formula.terms if isinstance(formula, Sum) else (formula,):
            factors = each.factors if isinstance(each, Product) else (each,)
            rest = tuple(f for f in factors if not is_whole(f))
            whole = math.prod(f.value for f in factors if isinstance(f, Constant) and is_whole(f))
            counts[rest] = counts.get(rest, 0) + int(whole)
    every = tuple(times(Constant(n), *rest) for rest, n in counts.items() if n)
    if not every:
        return Constant(0)
    return every[0] if len(every) == 1 else Sum(every)


def is_whole(expression: Expression) -> bool:
    """Return whether an expression is a whole number."""
    return isinstance(expression, Constant) and isinstance(expression.value, int)


@record
class Equation:
    """`left = right`, with the values that make it a number.

    Attributes:
        id: Unique in the report; label of cross-references.
        left: What is defined.
        right: How.
        values: Symbol key to number, for every symbol on the right.
        unit: Unit of the result (`"count"`, `"fraction"`, `"bytes"`, `""`).
        strong: Whether the result is what was asked for, and printed in bold.
    """

    id: str
    left: Symbol
    right: Expression
    values: Mapping[str, int | float]
    unit: str = "count"
    strong: bool = False

    @property
    def result(self) -> int | float:
        """The right side, evaluated."""
        return evaluate(self.right, self.values)
