"""An equation with one value left unsaid has a solution that is possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction

from reportgen.checks._computed import decimal_of, spelled
from reportgen.checks._ladder import compare, sentence, unbound
from reportgen.checks._symbols import Stated, formula_sides, stated_values
from reportgen.claims._expressions import is_numeric, readings, value_of
from reportgen.records.claim import Claim, Equation, Printed
from reportgen.records.finding import Case, Expected, Finding
from reportgen.records.formula import Expression, Symbol, symbols

RULE = "unknowns"
_LARGEST = 10**9


def check(case: Case) -> Iterator[Finding]:
    """Yield what the one unsaid value of an equation must be.

    Where a whole number solves it, the equation agrees and the number is said; nothing else can
    be told of it.
    """
    claims = [claim for claim in case.claims if _is_open(claim)]
    if not claims:
        return
    stated = stated_values(case)
    for claim in claims:
        finding = _solved(claim, stated)
        if finding is not None:
            yield finding


def _is_open(claim: Claim) -> bool:
    """Say whether an equation has a formula and a number, and no calculation between."""
    equation = claim.content
    if claim.kind != "equation" or not isinstance(equation, Equation) or not claim.printed:
        return False
    worked = [tree for tree in equation.trees if tree is not None and is_numeric(tree)]
    return len(worked) == 1 and len(formula_sides(equation)) == 1


def _solved(claim: Claim, stated: Stated) -> Finding | None:
    equation, printed = claim.content, claim.printed
    if not isinstance(equation, Equation) or printed is None:
        return None
    side = formula_sides(equation)[0]
    options = readings(side)
    if isinstance(options, str):
        return unbound(RULE, claim, options)
    tree = options[0].tree
    known, open_names = _split(tree, stated)
    if not open_names:
        return None
    if len(open_names) > 1:
        names = ", ".join(open_names[:3])
        return unbound(RULE, claim, f"the report gives no value for {names}")
    name = open_names[0]
    given = ", ".join(f"{key} = {spelled(value)}" for key, value in known.items())
    behind = f" with {given}" if given else ""
    for value in _whole_solutions(tree, known, name, printed):
        says = f"{name} = {value} solves it{behind}"
        found = decimal_of(value_of(tree, {**known, name: value}))
        return Finding(
            rule=RULE,
            level="none",
            verdict=compare(printed, found),
            claim=claim,
            message=sentence(claim, says),
            expected=Expected(value=value, definition=f"the only whole {name} that fits"),
            delta=printed.value - found,
            readings=(f"{name} = {value}: {spelled(Fraction(found))}",),
        )
    return unbound(RULE, claim, f"no whole {name} solves it{behind}, and it may be no whole number")


def _split(tree: Expression, stated: Stated) -> tuple[dict[str, Fraction], list[str]]:
    """Return the values of the symbols that have one, and the names of the others."""
    known: dict[str, Fraction] = {}
    missing: list[str] = []
    for symbol in _distinct(tree):
        values = stated.values(symbol)
        if len(values) == 1:
            known[symbol.key] = values[0]
        else:
            missing.append(symbol.key)
    return known, missing


def _distinct(tree: Expression) -> list[Symbol]:
    return list({symbol.key: symbol for symbol in symbols(tree)}.values())


def _whole_solutions(
    tree: Expression, known: dict[str, Fraction], name: str, printed: Printed
) -> Iterator[int]:
    """Yield the whole number that gives the printed one, if the formula rises or falls with it."""

    def value(number: int) -> Fraction:
        return value_of(tree, {**known, name: Fraction(number)})

    try:
        solution = _search(value, printed.value)
    except (ValueError, ZeroDivisionError):
        return
    for number in (solution, solution - 1, solution + 1):
        if number < 1:
            continue
        try:
            found = decimal_of(value(number))
        except ValueError:
            continue
        if found == printed.value or (
            printed.decimals != 0 and compare(printed, found).startswith("agrees")
        ):
            yield number


def _search(value: Callable[[int], Fraction], target: Decimal) -> int:
    """Return where a formula that only rises or only falls passes a number."""
    low, high = 1, _LARGEST
    rises = value(high) > value(low)
    goal = Fraction(target)
    while high - low > 1:
        middle = (low + high) // 2
        reached = value(middle) <= goal if rises else value(middle) >= goal
        low, high = (middle, high) if reached else (low, middle)
    return high if value(high) == goal else low
