"""Hold polynomials over the keys of a configuration, exactly, and print them.

A polynomial is {((atom, exponent), ...): coefficient}; an atom is a key (`hidden_size`), an
element of a list (`depths[2]`), a loop's index, or an operation that is no polynomial
(`(a//b)`, `ceil(a/b)`), spelled in Python.
"""

from __future__ import annotations

import itertools
import re
from fractions import Fraction

Monomial = tuple[tuple[str, int], ...]
Polynomial = dict[Monomial, Fraction]
PLAIN = re.compile(r"[\w.]+(\[[^][]*\])*|\w+\([^()]*\)|\([^()]*\)")
MAX_POWER = 6


def constant(value: int | Fraction) -> Polynomial:
    """Return a constant."""
    return {(): Fraction(value)} if value else {}


def atom(text: str) -> Polynomial:
    """Return one atom, once."""
    return {((text, 1),): Fraction(1)}


def is_constant(polynomial: Polynomial) -> bool:
    """Tell whether no atom is in it."""
    return not any(polynomial)


def add(left: Polynomial, right: Polynomial, sign: int = 1) -> Polynomial:
    """Return the sum, or with -1 the difference."""
    total = dict(left)
    for monomial, factor in right.items():
        total[monomial] = total.get(monomial, Fraction(0)) + sign * factor
        if not total[monomial]:
            del total[monomial]
    return total


def subtract(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return the difference."""
    return add(left, right, -1)


def multiply(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return the product."""
    total: Polynomial = {}
    for (one, factor), (other, times) in itertools.product(left.items(), right.items()):
        powers = dict(one)
        for name, power in other:
            powers[name] = powers.get(name, 0) + power
        monomial = tuple(sorted((name, power) for name, power in powers.items() if power))
        total[monomial] = total.get(monomial, Fraction(0)) + factor * times
        if not total[monomial]:
            del total[monomial]
    return total


def quotient(left: Polynomial, right: Polynomial) -> Polynomial | None:
    """Return left / right where that is a polynomial with whole factors."""
    if len(right) != 1:
        return constant(1) if left == right and left else None
    ((monomial, factor),) = right.items()
    inverse = {tuple((name, -power) for name, power in monomial): 1 / factor}
    result = multiply(left, inverse)
    whole = all(
        factor.denominator == 1 and all(power > 0 for _, power in monomial)
        for monomial, factor in result.items()
    )
    return result if whole else None


def floor_divide(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return left // right."""
    exact = quotient(left, right)
    return atom(f"({group(left)}//{group(right)})") if exact is None else exact


def remainder(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return left % right."""
    return atom(f"({group(left)}%{group(right)})")


def power(base: Polynomial, exponent: Polynomial) -> Polynomial:
    """Return base ** exponent."""
    times = exponent.get((), Fraction(0))
    if is_constant(exponent) and times.denominator == 1 and 0 <= times <= MAX_POWER:
        result = constant(1)
        for _ in range(int(times)):
            result = multiply(result, base)
        return result
    return atom(f"({group(base)}**{group(exponent)})")


def show(polynomial: Polynomial) -> str:
    """Spell it, the same way whatever way it came about."""
    parts = []
    order = sorted(polynomial.items(), key=lambda item: (-sum(p for _, p in item[0]), item[0]))
    for monomial, factor in order:
        powers = [name if power == 1 else f"{name}**{power}" for name, power in monomial]
        number = abs(factor)
        head = [str(number)] if number != 1 or not powers else []
        parts.append(("-" if factor < 0 else "+") + "*".join(head + powers))
    return "".join(parts).removeprefix("+") or "0"


def group(polynomial: Polynomial) -> str:
    """Spell it so that it can stand in a product."""
    text = show(polynomial)
    return text if PLAIN.fullmatch(text) else f"({text})"
