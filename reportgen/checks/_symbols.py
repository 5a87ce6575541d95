"""What a report's symbols stand for, and what its formulas come to with these values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from itertools import islice, product
from typing import TypeVar

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
    Rounded,
    Sum,
    Symbol,
    symbols,
)

_MOST_VALUES = 3
_MOST_COMBINATIONS = 24
_MOST_NAMESAKES = _MOST_NOTED = 8
_Value = TypeVar("_Value", Fraction, int)


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
        blocks: Plain name to the indices of the blocks that state it.
    """

    by_name: dict[str, list[Fraction]] = field(default_factory=dict)
    by_key: dict[str, list[Fraction]] = field(default_factory=dict)
    put_in: dict[str, list[Fraction]] = field(default_factory=dict)
    blocks: dict[str, list[int]] = field(default_factory=dict)

    def add(self, name: str, key: str, value: Fraction, block: int) -> None:
        """Note one value that is stated in a block."""
        if name:
            _note(self.by_name, plain_name(name), value)
            _note(self.blocks, plain_name(name), block)
        if key:
            _note(self.by_key, key, value)

    def add_put_in(self, found: Mapping[str, Fraction]) -> None:
        """Note what a calculation puts in for symbols."""
        for name, value in found.items():
            _note(self.put_in, plain_name(name), value)

    def said(self, name: str) -> list[Fraction]:
        """Return what the report says a symbol is: by its name, else by what it stands for."""
        key = key_of(name) if len(name) > 1 else ""
        return self.by_name.get(plain_name(name)) or self.by_key.get(key) or []

    def values(self, symbol: Symbol, own: Mapping[str, Fraction] | None = None) -> list[Fraction]:
        """Return what a symbol may be, the likeliest first.

        Args:
            symbol: Of a formula.
            own: What the formula's own calculation puts in.
        """
        found = self.said(symbol.key)
        if own and symbol.key in own:
            found = [own[symbol.key], *found]
        found = found or self.put_in.get(plain_name(symbol.key), []) or self._product(symbol.key)
        return list(dict.fromkeys(found))[:_MOST_VALUES]

    def _product(self, name: str) -> list[Fraction]:
        """Return what a name is as two names that a PDF has set without a space: `Vd_model`."""
        bare = re.sub(r"\W+|_", "", name)
        found = []
        for cut in range(1, min(len(bare), 40)):
            left, right = (self.by_name.get(plain_name(n)) for n in (bare[:cut], bare[cut:]))
            if left and right and len(left) == len(right) == 1:
                found.append(left[0] * right[0])
        return found if len(found) == 1 else []

    def everything(self) -> set[Fraction]:
        """Return every number that the report states of anything."""
        lists = (*self.by_name.values(), *self.by_key.values())
        return {value for values in lists for value in values}


def _note(lists: dict[str, list[_Value]], name: str, value: _Value) -> None:
    """Add a value to a list, once and while the list is short."""
    found = lists.setdefault(name, [])
    if len(found) < _MOST_NOTED and value not in found:
        found.append(value)


def stated_values(case: Case) -> Stated:
    """Return the values that a report gives to names, and those that follow from its equations."""
    stated = Stated()
    for item in assignments(case.manuscript):
        stated.add(item.name, key_of(item.name), item.value, item.block)
    for claim in case.claims:
        content = claim.content
        if isinstance(content, Setting) and isinstance(content.value, Decimal):
            stated.add(content.name, content.key, Fraction(content.value), claim.block)
        elif isinstance(content, Counted) and content.key and claim.printed is not None:
            stated.add("", content.key, Fraction(claim.printed.value), claim.block)
    equations = [
        claim
        for claim in case.claims
        if isinstance(claim.content, Equation) and "part" not in claim.hints
    ]
    for claim in equations:
        _add_numbers(stated, claim)
        for found, _ in own_values(case, claim):
            stated.add_put_in(found)
    for claim in equations:
        _add_definitions(stated, claim)
    return stated


def _add_numbers(stated: Stated, claim: Claim) -> None:
    """Note the result of an equation under its name."""
    if not isinstance(claim.content, Equation):
        return
    if claim.content.name and claim.printed is not None:
        stated.add(claim.content.name, "", Fraction(claim.printed.value), claim.block)


def own_values(case: Case, claim: Claim) -> Iterator[tuple[dict[str, Fraction], int]]:
    """Yield what calculations put in for a formula, in its chain and under its name, and where."""
    equation = claim.content
    if not isinstance(equation, Equation):
        return
    yield put_in(equation), claim.block
    if not equation.name:
        return
    for other in named(case.claims, plain_name(equation.name)):
        calculation = other.content
        if other is claim or not isinstance(calculation, Equation):
            continue
        numbers = [tree for tree in calculation.trees if tree is not None and is_numeric(tree)]
        for side in formula_sides(equation) if numbers else ():
            options = readings(side)
            if not isinstance(options, str):
                yield matched(options[0].tree, numbers[0]), other.block


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
            stated.add(symbol.key, "", found[0].value, claim.block)


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
        case Product(a), Product(b) if len(a) == len(b):
            pairs = list(zip(a, b, strict=True))
            if all(value_of(x) == value_of(y) for x, y in pairs if is_numeric(x)):
                for left, right in pairs:
                    _match(left, right, found)
        case Sum(a), Sum(b) if len(a) == len(b):
            for left, right in zip(a, b, strict=True):
                _match(left, right, found)
        case (Difference(a, b), Difference(c, d)) | (Quotient(a, b), Quotient(c, d)):
            _match(a, c, found)
            _match(b, d, found)
        case Power(a, m), Power(b, n) if m == n:
            _match(a, b, found)
        case Sum(terms), Constant(total):
            _match_total(terms, total, found)


def _match_total(
    terms: Sequence[Expression], total: float, found: dict[str, set[Fraction]]
) -> None:
    """Read `(positions + 2)` against 258."""
    unsaid = [term for term in terms if not is_numeric(term)]
    if len(unsaid) == 1 and isinstance(unsaid[0], Symbol):
        rest = sum((value_of(t) for t in terms if is_numeric(t)), Fraction(0))
        found.setdefault(unsaid[0].key, set()).add(Fraction(total) - rest)


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
        case Rounded(inner, up):
            return Rounded(with_values(inner, values), up)
    return tree


def worths(
    side: str, stated: Stated, own: Mapping[str, Fraction] | None = None
) -> tuple[list[Worth], list[str]]:
    """Return what a formula comes to, under every reading, and the symbols without a value.

    Args:
        side: Text of the formula.
        stated: Values of the report.
        own: What the formula's own calculation puts in.
    """
    options = readings(side)
    if isinstance(options, str):
        return [], []
    missing: list[str] = []
    found: list[Worth] = []
    for reading in options:
        choices, absent = _choices(reading, stated, own)
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


def _choices(
    reading: Reading, stated: Stated, own: Mapping[str, Fraction] | None
) -> tuple[list[dict[str, Fraction]], list[str]]:
    names = {symbol.key: symbol for symbol in symbols(reading.tree)}
    lists = {name: stated.values(symbol, own) for name, symbol in names.items()}
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


def formula_value(
    case: Case, claim: Claim, stated: Callable[[], Stated]
) -> Iterator[tuple[Claim, Fraction]]:
    """Yield the formulas of the same name as an equation, with what each comes to.

    Args:
        case: The report.
        claim: An equation with a name.
        stated: Gives what the report states; asked only where there is a formula.
    """
    equation = claim.content
    if not isinstance(equation, Equation) or not equation.name:
        return
    for other in named(case.claims, plain_name(equation.name)):
        if other is claim or not isinstance(other.content, Equation):
            continue
        for side in formula_sides(other.content):
            yield from ((other, worth.value) for worth in worths(side, stated())[0])


def named(claims: Sequence[Claim], name: str) -> Iterator[Claim]:
    """Yield the formulas and equations whose left side is a name, a few of them."""
    found = 0
    for claim in claims:
        content = claim.content
        if not isinstance(content, Equation) or not content.name or "part" in claim.hints:
            continue
        if plain_name(content.name) == name:
            yield claim
            found += 1
            if found >= _MOST_NAMESAKES:
                return
