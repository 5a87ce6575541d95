"""A calculation counts the parts of a layer that the text of the same report names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.checks._ladder import level_of, sentence, unbound
from reportgen.checks._symbols import Stated, stated_values
from reportgen.claims._expressions import value_of
from reportgen.claims._parts_said import ATTENTION, FEED_FORWARD, PartsSaid, parts_said
from reportgen.records.claim import Claim, Equation
from reportgen.records.finding import Case, Finding
from reportgen.records.formula import Constant, Expression, Power, Product, Sum

RULE = "ingredients"
_MOST_TERMS = 200
_SURE = 0.7
"""A sentence counts in its own way; more than a warning it cannot carry."""


def check(case: Case) -> Iterator[Finding]:
    """Yield the verdict on calculations of a layer's matrices, where sentences count them."""
    claims = [claim for claim in case.claims if claim.hints.get("part") == "calculation"]
    said = parts_said(case.manuscript) if claims else ()
    if not said:
        return
    stated = stated_values(case)
    for claim in claims:
        yield _verdict(case, claim, said, stated)


def _verdict(case: Case, claim: Claim, said: Sequence[PartsSaid], stated: Stated) -> Finding:
    equation = claim.content
    tree = equation.trees[0] if isinstance(equation, Equation) else None
    if tree is None or not _gives_its_result(case, claim, tree):
        return unbound(RULE, claim, "the calculation does not come to its result")
    layer = _layer(stated)
    counted = _counted(tree, layer) if layer else None
    if counted is None:
        return unbound(RULE, claim, "the matrices of one layer cannot be told apart in it")
    short = _short(counted, said)
    named = {part.part for part in said}
    words = " and ".join(f"{part.count} for the {part.part} ({part.place})" for part in said)
    if not short and not {FEED_FORWARD, ATTENTION} <= named:
        return unbound(RULE, claim, "the text counts only some of the matrices of a layer")
    has = f"it counts {_amount(sum(counted.values()))} a layer"
    says = f"{has}; the text speaks of {words}" if short else f"{has}, as the text does"
    verdict = "disagrees" if short else "agrees"
    return Finding(
        rule=RULE,
        level=level_of(verdict, min(claim.confidence, _SURE)),
        verdict=verdict,
        claim=claim,
        message=sentence(claim, says),
    )


def _amount(count: int) -> str:
    return "1 matrix" if count == 1 else f"{count} matrices"


def _gives_its_result(case: Case, claim: Claim, tree: Expression) -> bool:
    """Say whether the equation that a calculation is part of holds."""
    whole = [
        other
        for other in case.claims
        if other.kind == "equation" and other.block == claim.block and other.printed is not None
    ]
    value = value_of(tree)
    return any(
        other.printed is not None
        and other.start <= claim.start
        and claim.end <= other.end
        and value == Fraction(other.printed.value)
        for other in whole
    )


@dataclass(frozen=True, slots=True)
class _Layer:
    """The sizes of a model, as the report states them: layers, width, inner width."""

    layers: int
    width: int
    inner: int


def _layer(stated: Stated) -> _Layer | None:
    """Return the sizes of the model, where the report states one of each."""
    found = []
    for key in ("num_hidden_layers", "hidden_size", "intermediate_size"):
        values = stated.by_key.get(key, [])
        whole = len(values) == 1 and values[0].denominator == 1 and values[0] > 1
        found.append(int(values[0]) if whole else 0)
    layers, width, inner = found
    return _Layer(layers, width, inner or width) if layers and width else None


def _counted(tree: Expression, layer: _Layer) -> dict[str, int] | None:
    """Return how many matrices a layer has in a calculation: square ones, and inner ones."""
    terms = _expanded(tree)
    if terms is None:
        return None
    found = {"square": Fraction(0), "inner": Fraction(0)}
    for factors in terms:
        if layer.layers not in factors or layer.width not in factors:
            continue
        value = Fraction(1)
        for factor in factors:
            value *= factor
        # A bias has the width once, a matrix twice; heads may have cut one of them in parts.
        if layer.inner != layer.width and layer.inner in factors:
            found["inner"] += value / (layer.layers * layer.width * layer.inner)
        elif value >= layer.layers * layer.width**2:
            found["square"] += value / (layer.layers * layer.width**2)
    whole = all(count.denominator == 1 for count in found.values())
    if not whole or not any(found.values()):
        return None
    return {kind: int(count) for kind, count in found.items()}


def _short(counted: dict[str, int], said: Sequence[PartsSaid]) -> bool:
    """Say whether a calculation has fewer matrices than the sentences."""
    inner = sum(part.count for part in said if part.part == FEED_FORWARD)
    if counted["inner"]:
        return counted["inner"] < inner
    return counted["square"] < sum(part.count for part in said)


def _expanded(tree: Expression) -> list[tuple[int, ...]] | None:
    """Return a calculation as a sum of products of whole numbers; None where it is none."""
    match tree:
        case Constant(value) if isinstance(value, int):
            return [(value,)]
        case Sum(terms):
            parts = [_expanded(term) for term in terms]
            joined = [term for part in parts if part is not None for term in part]
            return joined if None not in parts and len(joined) <= _MOST_TERMS else None
        case Product(factors):
            return _multiplied([_expanded(factor) for factor in factors])
        case Power(base, exponent) if 0 < exponent <= 4:
            return _multiplied([_expanded(base)] * exponent)
    return None


def _multiplied(parts: Sequence[list[tuple[int, ...]] | None]) -> list[tuple[int, ...]] | None:
    product: list[tuple[int, ...]] = [()]
    for part in parts:
        if part is None or len(product) * len(part) > _MOST_TERMS:
            return None
        product = [(*left, *right) for left in product for right in part]
    return product
