"""A count of parameters as one formula: its parts named by braces, its layers taken out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reportgen.languages import message, tell
from reportgen.records.checkpoint import Term
from reportgen.records.formula import (
    Braced,
    Constant,
    Equation,
    Expression,
    Power,
    Product,
    Sum,
    Symbol,
    symbols,
    total,
)
from reportgen.report._words import words_of

OTHER = message("other weights")
NORMS, BIASES = message("norms"), message("biases")
# More symbols make a formula that nobody reads.
MOST_SYMBOLS = 26
MOST_STACKS = 2
WIDTH = "d"


def formula_of(
    terms: Iterable[Term], name: str, left: Symbol, *, strong: bool = False
) -> Equation | None:
    """Return the sum of some terms as one formula; None where it is too long to be read.

    Args:
        terms: The terms; those that count nothing are left out.
        name: Id of the equation.
        left: What it defines.
        strong: Whether its result is printed in bold.

    Example:
        >>> V, L, d = Symbol("V"), Symbol("L"), Symbol("d")
        >>> sizes = {"V": 10, "L": 3, "d": 2}
        >>> rows = [Term(name="w", label="", role="embedding", formula=V * d, values=sizes),
        ...         Term(name="q", label="", role="attention", formula=L * d**2, values=sizes),
        ...         Term(name="k", label="", role="attention", formula=L * d**2, values=sizes)]
        >>> equation = formula_of(rows, "n", Symbol("N"))
        >>> equation.result
        44
        >>> equation.right.terms[1] == Product((L, Braced(2 * d**2, "attention")))
        True
    """
    terms = [term for term in terms if term.formula != Constant(0)]
    stacks: dict[tuple[Expression, ...], list[Term]] = {}
    for term in terms:
        stacks.setdefault(layers_of(term.formula), []).append(term)
    if not terms or sum(bool(layers) for layers in stacks) > MOST_STACKS:
        return None
    parts = [
        part
        for layers, inside in sorted(stacks.items(), key=lambda stack: bool(stack[0]))
        for part in _stack(layers, inside, alone=len(stacks) == 1)
    ]
    right = parts[0] if len(parts) == 1 else Sum(tuple(parts))
    used = [symbol.key for symbol in symbols(right)]
    # Without one width for all layers, a model has parts with sizes of their own.
    if not used or len(used) > MOST_SYMBOLS or (any(stacks) and WIDTH not in used):
        return None
    values = {key: value for term in terms for key, value in term.values.items() if key in used}
    found = Equation(id=name, left=left, right=right, values=values, strong=strong)
    return found if found.result == sum(term.count for term in terms) else None


def _stack(
    layers: tuple[Expression, ...], terms: Sequence[Term], *, alone: bool
) -> tuple[Expression, ...]:
    """Return the braced parts of what is repeated alike, times the number of layers."""
    roles: dict[str, list[Term]] = {}
    for term in terms:
        roles.setdefault(words_of("braces").get(term.role, OTHER), []).append(term)
    braced = tuple(
        _brace([without_layers(term.formula) for term in found], _brace_words(label, found))
        for label, found in roles.items()
    )
    if alone and len(braced) == 1 and not layers:
        return tuple(part.inner if isinstance(part, Braced) else part for part in braced)
    if not layers:
        return braced
    return (Product((*layers, braced[0] if len(braced) == 1 else Sum(braced))),)


def _brace(formulas: Sequence[Expression], words: str) -> Expression:
    whole = factored(total(formulas))
    return whole if isinstance(whole, Constant) else Braced(whole, words)


def _brace_words(label: str, terms: Iterable[Term]) -> str:
    """Return what stands below a brace: norms and biases only where there are both."""
    roles = {term.role for term in terms}
    words = NORMS if roles == {"norm"} else BIASES if roles == {"bias"} else label
    return tell(words)


def layers_of(formula: Expression) -> tuple[Expression, ...]:
    """Return the factors of a formula that say how many layers there are.

    Example:
        >>> L, d = Symbol("L"), Symbol("d")
        >>> layers_of(L * d**2) == (L,), layers_of(d**2)
        (True, ())
    """
    named = [factor for factor in _factors(formula) if isinstance(factor, Symbol)]
    # With groups of layers, B is the number of layers in a group; elsewhere it is another size.
    counting = {"L", "G", "B"} if any(factor.key == "G" for factor in named) else {"L"}
    return tuple(factor for factor in named if factor.name in counting)


def without_layers(formula: Expression) -> Expression:
    """Return a formula for one layer: the number of layers taken out.

    Example:
        >>> L, d = Symbol("L"), Symbol("d")
        >>> without_layers(L * d**2) == d**2, without_layers(L)
        (True, Constant(value=1))
    """
    factors = list(_factors(formula))
    for counted in layers_of(formula):
        factors.remove(counted)
    if not factors:
        return Constant(1)
    return factors[0] if len(factors) == 1 else Product(tuple(factors))


def factored(formula: Expression) -> Expression:
    """Take the symbols that every term of a sum has out of it.

    Example:
        >>> V, P, d = Symbol("V"), Symbol("P"), Symbol("d")
        >>> factored(V * d + P * d) == Product((V + P, d))
        True
        >>> factored(V * d + P) == V * d + P
        True
    """
    if not isinstance(formula, Sum):
        return formula
    rows = [list(_factors(term)) for term in formula.terms]
    common = [factor for factor in rows[0] if all(factor in row for row in rows[1:])]
    shared = [factor for factor in common if isinstance(factor, Symbol)]
    if not shared or any(isinstance(factor, Power) for row in rows for factor in row):
        return formula
    for row in rows:
        for factor in shared:
            row.remove(factor)
    left = [Constant(1) if not r else r[0] if len(r) == 1 else Product(tuple(r)) for r in rows]
    return Product((Sum(tuple(left)), *shared))


def _factors(expression: Expression) -> tuple[Expression, ...]:
    return expression.factors if isinstance(expression, Product) else (expression,)
