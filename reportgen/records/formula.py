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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Constant(Expression):
    """A literal number.

    Attributes:
        value: The number.
        name: Id under which it is printed, where it stands for a symbol; no part of what it is.
    """

    value: int | float
    name: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Sum(Expression):
    """Terms added."""

    terms: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Difference(Expression):
    """`left - right`."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Product(Expression):
    """Factors multiplied."""

    factors: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Quotient(Expression):
    """`numerator / denominator`, printed as a fraction."""

    numerator: Expression
    denominator: Expression


@dataclass(frozen=True, slots=True)
class Power(Expression):
    """`base` to a whole `exponent`."""

    base: Expression
    exponent: int


@dataclass(frozen=True, slots=True)
class Root(Expression):
    """Square root."""

    radicand: Expression


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
            return evaluate(numerator, values) / evaluate(denominator, values)
        case Power(base, exponent):
            return evaluate(base, values) ** exponent
        case Root(radicand):
            return math.sqrt(evaluate(radicand, values))
    raise TypeError(f"not an expression: {expression!r}")


def symbols(expression: Expression) -> Iterator[Symbol]:
    """Yield every symbol of an expression, in order of appearance, with repeats."""
    match expression:
        case Symbol():
            yield expression
        case Sum(terms):
            for term in terms:
                yield from symbols(term)
        case Product(factors):
            for factor in factors:
                yield from symbols(factor)
        case Difference(left, right) | Quotient(left, right):
            yield from symbols(left)
            yield from symbols(right)
        case Power(base, _):
            yield from symbols(base)
        case Root(radicand):
            yield from symbols(radicand)


@dataclass(frozen=True, slots=True, kw_only=True)
class Equation:
    """`left = right`, with the values that make it a number.

    Attributes:
        id: Unique in the report; label of cross-references.
        left: What is defined.
        right: How.
        values: Symbol key to number, for every symbol on the right.
        unit: Unit of the result (`"count"`, `"fraction"`, `"bytes"`, `""`).
    """

    id: str
    left: Symbol
    right: Expression
    values: Mapping[str, int | float]
    unit: str = "count"

    @property
    def result(self) -> int | float:
        """The right side, evaluated."""
        return evaluate(self.right, self.values)
