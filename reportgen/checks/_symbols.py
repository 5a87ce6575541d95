"""What a report's symbols stand for, and what its formulas come to with these values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from itertools import islice, product

from reportgen.claims._assignments import assignments
from reportgen.claims._expressions import Reading, is_numeric, readings, value_of
from reportgen.claims._setting_words import name_before, words_of
from reportgen.records.claim import Claim, Counted, Equation, Setting
from reportgen.records.finding import Case
from reportgen.records.formula import (
    Constant,
    Difference,
    Expression,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
    symbols,
)

_MOST_VALUES = 3
_MOST_COMBINATIONS = 24


def plain_name(name: str) -> str:
    """Return a name of a symbol without marks; a single letter keeps its capital.

    Example:
        >>> plain_name("d_model"), plain_name("Hidden size"), plain_name("N")
        ('dmodel', 'hiddensize', 'N')
    """
    bare = re.sub(r"[\W_]+", "", name)
    return bare if len(bare) == 1 else bare.casefold()


def key_of(name: str) -> str:
    """Return the configuration's key that a name stands for, or nothing.

    Example:
        >>> key_of("Embed Dimension"), key_of("W_q")
        ('hidden_size', '')
    """
    words = words_of(name)
    named = name_before(words, len(words) - 1) if words else None
    return named.key.name if named and named.first == 0 else ""


@dataclass(slots=True)
class Stated:
    """Values that a report states, by name and by the configuration's key.

    Attributes:
        by_name: Plain name to its values, in reading order.
        by_key: Key to its values.
        put_in: Plain name to what calculations put in for it, where nothing states it.
    """

    by_name: dict[str, list[Fraction]] = field(default_factory=dict)
    by_key: dict[str, list[Fraction]] = field(default_factory=dict)
    put_in: dict[str, list[Fraction]] = field(default_factory=dict)

    def add(self, name: str, key: str, value: Fraction) -> None:
        """Note one value that is stated."""
        if name:
            self.by_name.setdefault(plain_name(name), []).append(value)
        if key:
            self.by_key.setdefault(key, []).append(value)

    def add_put_in(self, found: Mapping[str, Fraction]) -> None:
        """Note what a calculation puts in for symbols."""
        for name, value in found.items():
            self.put_in.setdefault(plain_name(name), []).append(value)

    def values(self, symbol: Symbol) -> list[Fraction]:
        """Return what a symbol may be: by its name, by what it stands for, by calculations."""
        name = plain_name(symbol.key)
        key = key_of(symbol.key) if len(symbol.key) > 1 else ""
        for known, index in ((self.by_name, name), (self.by_key, key), (self.put_in, name)):
            if known.get(index):
                return list(dict.fromkeys(known[index]))[:_MOST_VALUES]
        return []


def stated_values(case: Case) -> Stated:
    """Return the values that a report gives to names, and those that follow from its equations."""
    stated = Stated()
    for item in assignments(case.manuscript):
        stated.add(item.name, key_of(item.name), item.value)
    for claim in case.claims:
        content = claim.content
        if isinstance(content, Setting) and isinstance(content.value, Decimal):
            stated.add(content.name, content.key, Fraction(content.value))
        elif isinstance(content, Counted) and content.key and claim.printed is not None:
            stated.add("", content.key, Fraction(claim.printed.value))
    equations = [
        claim
        for claim in case.claims
        if isinstance(claim.content, Equation) and "part" not in claim.hints
    ]
    for claim in equations:
        _add_numbers(stated, claim)
    _match_names(stated, equations)
    for claim in equations:
        _add_definitions(stated, claim)
    return stated


def _add_numbers(stated: Stated, claim: Claim) -> None:
    """Note what a calculation puts in for symbols, and its result under its name."""
    if not isinstance(claim.content, Equation):
        return
    stated.add_put_in(put_in(claim.content))
    if claim.content.name and claim.printed is not None:
        stated.add(claim.content.name, "", Fraction(claim.printed.value))


def _match_names(stated: Stated, equations: Sequence[Claim]) -> None:
    """Note what a calculation puts in for the symbols of an earlier formula of its name."""
    for claim in equations:
        calculation = claim.content
        if not isinstance(calculation, Equation) or not calculation.name:
            continue
        numbers = [t for t in calculation.trees if t is not None and is_numeric(t)][:1]
        for other in named(equations, plain_name(calculation.name)):
            for side in formula_sides(other.content) if isinstance(other.content, Equation) else ():
                options = readings(side)
                if not numbers or isinstance(options, str):
                    continue
                stated.add_put_in(matched(options[0].tree, numbers[0]))


def _add_definitions(stated: Stated, claim: Claim) -> None:
    """Note the value of symbols that a formula defines: `d_k = d_model / h`."""
    equation = claim.content
    if not isinstance(equation, Equation) or claim.printed is not None:
        return
    names = [tree for tree in equation.trees if isinstance(tree, Symbol)]
    sides = formula_sides(equation)
    found = worths(sides[-1], stated)[0] if names and sides else []
    if len({worth.value for worth in found}) != 1:
        return
    for symbol in names:
        if not stated.values(symbol):
            stated.add(symbol.key, "", found[0].value)


def put_in(equation: Equation) -> dict[str, Fraction]:
    """Return the values that a calculation puts in for the symbols of the side before it.

    Example:
        >>> from reportgen.claims._expressions import read_equation
        >>> found = put_in(read_equation("4 d_k (T + 2) = 4 * 512 (256 + 2) = 528384"))
        >>> {name: int(value) for name, value in found.items()}
        {'d_k': 512, 'T': 256}
    """
    found: dict[str, Fraction] = {}
    for left, right in zip(equation.trees, equation.trees[1:], strict=False):
        if left is None or right is None or is_numeric(left) or not is_numeric(right):
            continue
        if not isinstance(left, Symbol):
            found.update(matched(left, right))
    return found


def matched(formula: Expression, numbers: Expression) -> dict[str, Fraction]:
    """Return the values of a formula's symbols in a calculation of the same shape.

    Parts that differ in shape say nothing; a symbol that gets two values has none.
    """
    found: dict[str, set[Fraction]] = {}
    _match(formula, numbers, found)
    return {name: next(iter(values)) for name, values in found.items() if len(values) == 1}


def _match(formula: Expression, numbers: Expression, found: dict[str, set[Fraction]]) -> None:
    if is_numeric(formula):
        return
    match formula, numbers:
        case Symbol(), Constant():
            found.setdefault(formula.key, set()).add(value_of(numbers))
        case (Sum(a), Sum(b)) | (Product(a), Product(b)) if len(a) == len(b):
            for left, right in zip(a, b, strict=True):
                _match(left, right, found)
        case (Difference(a, b), Difference(c, d)) | (Quotient(a, b), Quotient(c, d)):
            _match(a, c, found)
            _match(b, d, found)
        case Power(a, m), Power(b, n) if m == n:
            _match(a, b, found)
        case Root(a), Root(b):
            _match(a, b, found)
        case Sum(terms), Constant(total):
            # `(positions + 2)` against 258.
            open_terms = [term for term in terms if not is_numeric(term)]
            if len(open_terms) == 1 and isinstance(open_terms[0], Symbol):
                rest = sum((value_of(t) for t in terms if is_numeric(t)), Fraction(0))
                found.setdefault(open_terms[0].key, set()).add(Fraction(total) - rest)


@dataclass(frozen=True, slots=True)
class Worth:
    """What a formula comes to under one reading and one choice of values.

    Attributes:
        value: The result.
        values: Key of each symbol to its value.
        tree: The formula with these values in it.
        repaired: What was mended to read it.
    """

    value: Fraction
    values: Mapping[str, Fraction]
    tree: Expression
    repaired: str = ""


def with_values(tree: Expression, values: Mapping[str, Fraction]) -> Expression:
    """Return a formula with its symbols replaced by their values."""
    match tree:
        case Symbol():
            value = values[tree.key]
            return Constant(int(value) if value.denominator == 1 else float(value))
        case Sum(parts):
            return Sum(tuple(with_values(part, values) for part in parts))
        case Product(parts):
            return Product(tuple(with_values(part, values) for part in parts))
        case Difference(left, right):
            return Difference(with_values(left, values), with_values(right, values))
        case Quotient(left, right):
            return Quotient(with_values(left, values), with_values(right, values))
        case Power(base, exponent):
            return Power(with_values(base, values), exponent)
        case Root(radicand):
            return Root(with_values(radicand, values))
    return tree


def worths(side: str, stated: Stated) -> tuple[list[Worth], list[str]]:
    """Return what a formula comes to, under every reading, and the symbols without a value."""
    options = readings(side)
    if isinstance(options, str):
        return [], []
    missing: list[str] = []
    found: list[Worth] = []
    for reading in options:
        choices, absent = _choices(reading, stated)
        if absent:
            missing += [name for name in absent if name not in missing]
            continue
        for values in choices:
            try:
                value = value_of(reading.tree, values)
                tree = with_values(reading.tree, values)
                found.append(Worth(value, values, tree, reading.repaired))
            except ValueError:
                continue
    return found, missing


def _choices(reading: Reading, stated: Stated) -> tuple[list[dict[str, Fraction]], list[str]]:
    names = {symbol.key: symbol for symbol in symbols(reading.tree)}
    lists = {name: stated.values(symbol) for name, symbol in names.items()}
    absent = [name for name, values in lists.items() if not values]
    combinations = islice(product(*lists.values()), _MOST_COMBINATIONS)
    return [dict(zip(lists, chosen, strict=True)) for chosen in combinations], absent


def formula_sides(equation: Equation) -> list[str]:
    """Return the texts of the sides with symbols that compute something.

    Example:
        >>> from reportgen.claims._expressions import read_equation
        >>> formula_sides(read_equation("n = 4 * d = d + d * 3 = 8"))
        ['4 * d', 'd + d * 3']
    """
    found = []
    for text, known in zip(equation.sides, equation.trees, strict=True):
        options = readings(text) if known is None else ""
        tree = known if isinstance(options, str) else options[0].tree
        if tree is not None and not is_numeric(tree) and not isinstance(tree, Symbol):
            found.append(text.strip())
    return found


def formula_value(case: Case, claim: Claim) -> Iterator[tuple[Claim, Fraction]]:
    """Yield the formulas of the same name as an equation, with what each comes to."""
    equation = claim.content
    if not isinstance(equation, Equation) or not equation.name:
        return
    same = plain_name(equation.name)
    formulas = [other for other in named(case.claims, same) if other is not claim]
    if not formulas:
        return
    stated = stated_values(case)
    for other in formulas:
        for side in formula_sides(other.content) if isinstance(other.content, Equation) else ():
            yield from ((other, worth.value) for worth in worths(side, stated)[0])


def named(claims: Sequence[Claim], name: str) -> Iterator[Claim]:
    """Yield the formulas and equations whose left side is a name."""
    for claim in claims:
        content = claim.content
        if not isinstance(content, Equation) or not content.name or "part" in claim.hints:
            continue
        if plain_name(content.name) == name:
            yield claim
