"""Expressions of the table of families: evaluated with a configuration's values, or drawn.

An expression is Python arithmetic over keys of a configuration. Keys are dotted
(`text_config.hidden_size`), lists have subscripts (`depths[i]`), and `i`, `j`, `k` (and
`l`, `m`) are the numbers of repeated parts.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from reportgen.records.formula import (
    Constant,
    Difference,
    Expression,
    Quotient,
    Rounded,
    divided,
    times,
    total,
)

INDICES = ("i", "j", "k", "l", "m")
# A power of a stranger's numbers must not fill the memory.
LARGEST_EXPONENT = 16

Value = object
Values = Mapping[str, Value]
Evaluator = Callable[[Values], Value]


def power(base: float, exponent: int) -> int | float:
    """Raise to a small power."""
    if not 0 <= exponent <= LARGEST_EXPONENT:
        raise ValueError(f"the exponent {exponent} is out of range")
    return base**exponent


BINARY: Mapping[type[ast.operator], Callable[..., object]] = {
    ast.Add: operator.add,
    ast.Div: divided,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Pow: power,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
COMPARED: Mapping[type[ast.cmpop], Callable[..., object]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, held: item in (held or ()),
}
QUANTIFIERS: Mapping[type[ast.boolop], Callable[..., bool]] = {ast.And: all, ast.Or: any}
FUNCTIONS: Mapping[str, Callable[..., object]] = {
    "ceil": math.ceil,
    "floor": math.floor,
    "int": int,
    "len": lambda held: len(held or ()),
    "max": max,
    "min": min,
    "round": round,
}


@cache
def parse(text: str) -> ast.expr:
    """Parse an expression."""
    return ast.parse(text, mode="eval").body


@cache
def compiled(text: str) -> Evaluator:
    """Return an expression as a function of the values of its keys."""
    return build(parse(text))


def answer(text: str, values: Values, otherwise: object = None) -> object:
    """Return what an expression comes to, or something else where it comes to nothing."""
    try:
        return compiled(text)(values)
    except (TypeError, KeyError, ZeroDivisionError, IndexError, ValueError):
        return otherwise


@cache
def keys_of(text: str) -> frozenset[str]:
    """Return the keys that an expression uses, its indices among them."""
    return frozenset(keys_in(parse(text)))


def keys_in(node: ast.AST) -> Iterator[str]:
    """Yield the keys below a node."""
    if isinstance(node, ast.Name | ast.Attribute):
        yield key_of(node)
        return
    below = node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node)
    for child in below:
        yield from keys_in(child)


def key_of(node: ast.expr) -> str:
    """Return the dotted key that a name or a chain of attributes spells."""
    if isinstance(node, ast.Attribute):
        return f"{key_of(node.value)}.{node.attr}"
    if isinstance(node, ast.Name):
        return node.id
    raise SyntaxError(f"not a key: {ast.unparse(node)}")


def build(node: ast.expr) -> Evaluator:
    """Return a node as a function; anything that is not arithmetic is refused."""
    match node:
        case ast.Constant(value):
            return lambda _: value
        case ast.Name() | ast.Attribute():
            return operator.itemgetter(key_of(node))
        case ast.Subscript(value=held, slice=place):
            return applied(operator.getitem, build(held), build(place))
        case ast.List(elts=parts):
            entries = [build(part) for part in parts]
            return lambda values: [entry(values) for entry in entries]
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return applied(operator.not_, build(inner))
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return applied(operator.neg, build(inner))
        case ast.BinOp(left=left, op=sign, right=right):
            return applied(BINARY[type(sign)], build(left), build(right))
        case ast.Compare(left=left, ops=[sign], comparators=[right]):
            return applied(COMPARED[type(sign)], build(left), build(right))
        case ast.BoolOp(op=sign, values=parts):
            # Whether every part holds, or any; the rest is then not asked.
            asks, quantifier = [build(part) for part in parts], QUANTIFIERS[type(sign)]
            return lambda values: quantifier(ask(values) for ask in asks)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
            return applied(FUNCTIONS[name], *(build(arg) for arg in args))
    raise SyntaxError(f"not arithmetic: {ast.unparse(node)}")


def applied(function: Callable[..., object], *parts: Evaluator) -> Evaluator:
    """Return a function of values that applies another to its evaluated parts."""
    if len(parts) == 1:
        (only,) = parts
        return lambda values: function(only(values))
    if len(parts) == 2:
        left, right = parts
        return lambda values: function(left(values), right(values))
    return lambda values: function(*(part(values) for part in parts))


Namer = Callable[[str], Expression]


def draw(text: str, symbol_of: Namer, values: Values) -> Expression:
    """Return an expression as a formula in symbols, which evaluates to the same number.

    A division without rest is drawn as a fraction, any other `//` with its floor. What is no
    arithmetic of keys (a minimum) becomes its value.
    """
    return drawn(parse(text), symbol_of, values)


def drawn(node: ast.expr, symbol_of: Namer, values: Values) -> Expression:
    """Return one node as a formula."""
    match node:
        case ast.Constant(value) if isinstance(value, int | float):
            return Constant(value)
        case ast.Name() | ast.Attribute():
            return symbol_of(key_of(node))
        case ast.Subscript(value=ast.Name() | ast.Attribute() as held, slice=ast.Constant(place)):
            return symbol_of(f"{key_of(held)}[{place!r}]")
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return drawn_product(left, right, symbol_of, values)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return total([drawn(left, symbol_of, values), drawn(right, symbol_of, values)])
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return Difference(drawn(left, symbol_of, values), drawn(right, symbol_of, values))
        case ast.BinOp(left=left, op=ast.Div() | ast.FloorDiv() as sign, right=right):
            return drawn_quotient(left, sign, right, symbol_of, values)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(int(exponent))):
            return times(*[drawn(left, symbol_of, values)] * exponent)
        case ast.Call(func=ast.Name(id="ceil" | "floor" | "int" as name), args=[inner]):
            within, size = drawn(inner, symbol_of, values), build(inner)(values)
            # What is whole needs no rounding.
            whole = isinstance(size, int) or (isinstance(size, float) and size.is_integer())
            return within if whole else Rounded(within, up=name == "ceil")
    return Constant(number(build(node)(values)))


def drawn_product(left: ast.expr, right: ast.expr, symbol_of: Namer, values: Values) -> Expression:
    """Return a product; `(a//b)*b` is a where b divides a."""
    for whole, other in ((left, right), (right, left)):
        if (
            isinstance(whole, ast.BinOp)
            and isinstance(whole.op, ast.FloorDiv | ast.Div)
            and ast.dump(whole.right) == ast.dump(other)
            and divides(whole, values)
        ):
            return drawn(whole.left, symbol_of, values)
    return times(drawn(left, symbol_of, values), drawn(right, symbol_of, values))


def drawn_quotient(
    left: ast.expr, sign: ast.operator, right: ast.expr, symbol_of: Namer, values: Values
) -> Expression:
    """Return a quotient, with its floor where the division leaves a rest."""
    quotient = Quotient(drawn(left, symbol_of, values), drawn(right, symbol_of, values))
    node = ast.BinOp(left=left, op=sign, right=right)
    if isinstance(sign, ast.Div) or divides(node, values):
        return quotient
    return Rounded(quotient)


def divides(node: ast.BinOp, values: Values) -> bool:
    """Return whether a division leaves no rest."""
    left, right = build(node.left)(values), build(node.right)(values)
    whole = isinstance(left, int) and isinstance(right, int)
    return whole and bool(right) and number(left) % number(right) == 0


def number(value: object) -> int | float:
    """Return a value that must be a number, whole where it can be."""
    if isinstance(value, bool | int):
        return int(value)
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    raise TypeError(f"{type(value).__name__} is not a number")
