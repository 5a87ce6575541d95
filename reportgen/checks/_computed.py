"""What a printed calculation comes to, under every reading that its printing allows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from math import ceil, floor

from reportgen.checking.numbers._digits import NumberStyle
from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._numbers import find_numbers
from reportgen.checks._ladder import Candidate, Cause
from reportgen.checks._raised import with_powers
from reportgen.claims._expressions import is_numeric, readings, value_of
from reportgen.claims._math_tokens import tokens_of
from reportgen.records.claim import Equation, Printed
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
)

FLAT = frozenset({"pdf", "plain"})
"""Formats whose raised characters may have come down to the line."""
_MOST_TOKENS = 48
_DIGITS = Context(prec=60)
_LOST_SQUARE = gated(r"(?<![\w.,])(\d{1,6})([23])(?![\w.,]\d|\d)")
_MULTIPLIED = re.compile(r"\d\s?(?:[kKMB]|thousand|mill?i(?:on|ard)s?|billions?)\b")
_LARGEST_SWAP = 100


def spelled(value: Fraction | Decimal) -> str:
    """Return a number as a message shows it.

    Example:
        >>> spelled(Fraction(21758976)), spelled(Fraction(1, 3))
        ('21758976', '0.333333')
    """
    if isinstance(value, Fraction) and value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.6g}" if isinstance(value, Fraction) else f"{value.normalize():f}"


def decimal_of(value: Fraction) -> Decimal:
    """Return a fraction as a decimal: a whole one exactly."""
    if value.denominator == 1:
        return Decimal(value.numerator)
    return _DIGITS.divide(Decimal(value.numerator), Decimal(value.denominator))


@dataclass(frozen=True, slots=True)
class Side:
    """One side of an equation that is computed.

    Attributes:
        text: As printed.
        tree: As it was read.
        value: What it comes to.
        result: Text of the number it is said to be equal to, the nearest behind it; empty
            where that is the last one.
    """

    text: str
    tree: Expression
    value: Fraction
    result: str = ""


def computed_sides(equation: Equation) -> Iterator[Side]:
    """Yield the calculations of an equation without symbols, each with the number it gives."""
    pairs = list(zip(equation.sides, equation.trees, strict=True))
    numbers = [n for n, (_, tree) in enumerate(pairs) if isinstance(tree, Constant)]
    for index, (text, tree) in enumerate(pairs):
        if tree is None or isinstance(tree, Constant) or not is_numeric(tree):
            continue
        # `225 × 5 = 1125 = 5 epochs`: what comes behind the first number counts other things.
        behind = [n for n in numbers if n > index]
        result = pairs[behind[0]][0] if len(behind) > 1 else ""
        try:
            yield Side(text, tree, value_of(tree), result)
        except ValueError:
            continue


def candidates(side: Side, printed: Printed, *, flat: bool = False) -> list[Candidate]:
    """Return the values that the result of a calculation may legally be printed as.

    Args:
        side: The calculation.
        printed: The result.
        flat: The text lost its raised characters, so that 512 squared may read 5122.
    """
    values = {side.value: "the calculation as it is printed"}
    for style in (None, NumberStyle(), NumberStyle(comma=True)):
        for value in _readings(side.text, style):
            values.setdefault(value, "read with its brackets or commas otherwise")
    if flat:
        for value in _raised(side.text):
            values.setdefault(value, "with an exponent or a root as it may have been set")
    if has_quotient(side.tree) and printed.decimals <= 0:
        values.setdefault(Fraction(floor(side.value)), "rounded down")
        values.setdefault(Fraction(ceil(side.value)), "rounded up")
    if has_decimals(side.tree):
        near = _within_rounding(side.tree, Fraction(printed.value))
        if near is not None:
            values.setdefault(near, "with its numbers within their rounding")
    for _ in range(min(side.text.count("%"), 2)):
        for value, words in list(values.items()):
            values.setdefault(value / 100, f"{words}, a percentage taken as a part of one")
    if printed.unit:
        for value, words in list(values.items()):
            values.setdefault(value * 100, f"{words}, in percent")
    return [Candidate(value=decimal_of(v), definition=words) for v, words in values.items()]


def result_of(side: Side, printed: Printed) -> Printed:
    """Return the number that a calculation is said to be equal to.

    Example:
        >>> side = Side("225 × 5", Constant(1125), Fraction(1125), "1,125 updates")
        >>> print(result_of(side, Printed(text="5", value=Decimal(5))).value)
        1125
    """
    found = find_numbers(side.result) if side.result else ()
    return found[0] if found else printed


def _readings(text: str, style: NumberStyle | None = None) -> Iterator[Fraction]:
    """Yield the values of every reading of a side."""
    found = readings(text, style)
    for reading in found if not isinstance(found, str) else ():
        if is_numeric(reading.tree):
            try:
                yield value_of(reading.tree)
            except ValueError:
                continue


def _raised(text: str) -> Iterator[Fraction]:
    """Yield the values of a side with an exponent, or the reach of a root, as it may have been."""
    at = text.find("√")
    if at >= 0:
        yield from _readings(f"{text[:at]}√({text[at + 1 :]})")
    for number in sorted({match[0] for match in _LOST_SQUARE.finditer(text)})[:8]:
        squared = re.sub(rf"(?<![\d.,]){number}(?![\d.,])", f"{number[:-1]}^{number[-1]}", text)
        yield from _readings(squared)


def with_brackets(text: str) -> Iterator[str]:
    """Yield a side with one pair of brackets more: tall ones get lost in the text of a PDF.

    Example:
        >>> list(with_brackets("2 * 3 + 4"))
        ['2 * (3 + 4)']
    """
    tokens = tokens_of(text)[:_MOST_TOKENS]
    for first, token in enumerate(tokens):
        behind_factor = first > 0 and tokens[first - 1].kind in {"*", "/", "-", "number", "name"}
        if not behind_factor or token.kind not in {"number", "name", "(", "frac"}:
            continue
        sums = False
        for last in range(first + 1, len(tokens)):
            sums = sums or tokens[last - 1].kind in {"+", "-"}
            if sums and tokens[last].kind in {"number", "name", ")"}:
                start, end = token.start, tokens[last].end
                yield f"{text[:start]}({text[start:end]}){text[end:]}"


def may_have_lost_brackets(side: Side, printed: Printed) -> bool:
    """Say whether one pair of brackets more makes a calculation give its result."""
    return any(
        value == printed.value for text in with_brackets(side.text) for value in _readings(text)
    )


def may_have_lost_power(side: Side, printed: Printed, exponents: frozenset[str]) -> bool:
    """Say whether one exponent of those above a calculation makes it give its result."""
    return any(
        value == printed.value
        for text in with_powers(side.text, exponents)
        for value in _readings(text)
    )


def is_exact(side: Side, printed: Printed) -> bool:
    """Say whether a result must be met to the unit: whole numbers, only added and multiplied."""
    whole = not has_decimals(side.tree) and not has_quotient(side.tree)
    return whole and not printed.approximate and not _MULTIPLIED.search(side.text)


def is_scaled(side: Side) -> bool:
    """Say whether a number in a side was rounded to thousands or millions."""
    return bool(_MULTIPLIED.search(side.text))


def _leaves(tree: Expression) -> Iterator[Expression]:
    match tree:
        case Sum(parts) | Product(parts):
            for part in parts:
                yield from _leaves(part)
        case Difference(left, right) | Quotient(left, right):
            yield from _leaves(left)
            yield from _leaves(right)
        case Power(base, _):
            yield from _leaves(base)
        case Root(inner) | Rounded(inner, _):
            yield from _leaves(inner)
        case _:
            yield tree


def has_decimals(tree: Expression) -> bool:
    """Say whether a number in a calculation is not whole, and so may be rounded."""
    return any(
        isinstance(leaf, Constant) and isinstance(leaf.value, float) for leaf in _leaves(tree)
    )


def has_quotient(tree: Expression) -> bool:
    """Say whether a calculation divides or takes a root, so that its result may be rounded."""
    match tree:
        case Quotient() | Root():
            return True
        case Sum(parts) | Product(parts):
            return any(has_quotient(part) for part in parts)
        case Difference(left, right):
            return has_quotient(left) or has_quotient(right)
        case Power(base, exponent):
            return exponent < 0 or has_quotient(base)
    return False


def _within_rounding(tree: Expression, target: Fraction) -> Fraction | None:
    """Return the value nearest to `target` that rounded numbers in a calculation may stand for."""
    try:
        low, high = _bounds(tree)
    except (ValueError, ZeroDivisionError):
        return None
    return min(max(low, target), high)


def _bounds(tree: Expression) -> tuple[Fraction, Fraction]:
    """Return the least and greatest value, where each decimal stands for its interval."""
    match tree:
        case Constant(value) if isinstance(value, float):
            shown = Decimal(repr(value))
            half = Fraction(1, 2) / 10 ** max(0, -int(shown.as_tuple().exponent))
            return Fraction(shown) - half, Fraction(shown) + half
        case Sum(terms):
            parts = [_bounds(term) for term in terms]
            return sum((p[0] for p in parts), Fraction(0)), sum((p[1] for p in parts), Fraction(0))
        case Difference(left, right):
            (a, b), (c, d) = _bounds(left), _bounds(right)
            return a - d, b - c
        case Product(factors):
            reach = (Fraction(1), Fraction(1))
            for factor in factors:
                reach = _times(reach, _bounds(factor))
            return reach
        case Quotient(above, below):
            low, high = _bounds(below)
            if low <= 0 <= high:
                raise ValueError("it may divide by nought")
            return _times(_bounds(above), (1 / high, 1 / low))
        case Power(base, exponent) if exponent > 0:
            low, high = _bounds(base)
            ends = sorted((low**exponent, high**exponent))
            crossed = exponent % 2 == 0 and low < 0 < high
            return Fraction(0) if crossed else ends[0], ends[1]
        case Root(radicand):
            low, high = _bounds(radicand)
            return _root(low), _root(high)
    exact = value_of(tree)
    return exact, exact


def _root(value: Fraction) -> Fraction:
    """Return a square root closely enough for an interval."""
    return Fraction(float(max(value, Fraction(0))) ** 0.5)


def _times(
    left: tuple[Fraction, Fraction], right: tuple[Fraction, Fraction]
) -> tuple[Fraction, Fraction]:
    ends = [a * b for a in left for b in right]
    return min(ends), max(ends)


def changes(side: Side, printed: Printed) -> Iterator[Cause]:
    """Yield small changes of a calculation that may give its printed result."""
    target = Fraction(printed.value)
    if isinstance(side.tree, Sum):
        for term in side.tree.terms:
            part = value_of(term)
            yield Cause(
                value=decimal_of(side.value - part),
                text=f"without the part {spelled(part)} it fits",
            )
            yield Cause(
                value=decimal_of(side.value + part), text=f"with {spelled(part)} twice it fits"
            )
    for old, new in _swaps(side.tree, target):
        yield Cause(value=printed.value, text=f"{new} in place of {old} gives it")


def _swaps(tree: Expression, target: Fraction) -> list[tuple[int, int]]:
    """Return single small whole numbers that would have to be others, the nearest first."""
    found = []
    for index, leaf in enumerate(_leaves(tree)):
        if not isinstance(leaf, Constant) or not isinstance(leaf.value, int):
            continue
        if not 0 < leaf.value <= _LARGEST_SWAP:
            continue
        try:
            at = [value_of(_with_leaf(tree, index, value)) for value in (0, 1, 2)]
        except ValueError:
            continue
        slope = at[1] - at[0]
        if not slope or at[2] - at[1] != slope:
            continue
        needed = (target - at[0]) / slope
        if needed.denominator == 1 and 0 < needed <= 2 * leaf.value + 2:
            found.append((leaf.value, int(needed)))
    return sorted(found, key=lambda swap: abs(swap[1] - swap[0]))


def _with_leaf(tree: Expression, index: int, value: int) -> Expression:
    """Return a tree with one of its leaves, counted in order, replaced by a number."""
    position = -1

    def walk(node: Expression) -> Expression:
        nonlocal position
        match node:
            case Sum(parts):
                return Sum(tuple(walk(part) for part in parts))
            case Product(parts):
                return Product(tuple(walk(part) for part in parts))
            case Difference(left, right):
                return Difference(walk(left), walk(right))
            case Quotient(left, right):
                return Quotient(walk(left), walk(right))
            case Power(base, exponent):
                return Power(walk(base), exponent)
            case Root(radicand):
                return Root(walk(radicand))
            case Rounded(inner, up):
                return Rounded(walk(inner), up)
        position += 1
        return Constant(value) if position == index else node

    return walk(tree)
