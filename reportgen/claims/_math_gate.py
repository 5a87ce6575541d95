"""Which mathematics claims a size or a result, and which only looks like it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from reportgen.checking.numbers._gated import gated
from reportgen.claims._math_chains import Chain
from reportgen.claims._math_runs import Run
from reportgen.claims._math_tokens import Token
from reportgen.claims._math_words import GREEK
from reportgen.records.formula import (
    Constant,
    Expression,
    Power,
    Product,
    Quotient,
    Sum,
    symbols,
)
from reportgen.records.manuscript import Manuscript

_ABOUT_SIZE = gated(
    r"param|weight|poids|dimension|neuron|matri|vector|vecteur|embedding|\b(?:size|shape|count|number"
    r"|nombre|total|scal(?:e|ed|ing)|rank|bias)",
    re.IGNORECASE,
)


def has_operation(side: list[Token], run: Run) -> bool:
    """Say whether a side computes something."""
    kinds = [token.kind for token in side]
    if set(kinds) & {"+", "*", "/", "frac", "sqrt", "sum", "^"} or "-" in kinds[1:]:
        return True
    # `4 d`, `n(d + 1)`: factors side by side.
    operands = sum(kind in {"number", "name"} for kind in kinds)
    tight = any(t.kind == "name" and not t.apart for t in side[1:] if side[0].kind == "number")
    return operands > 1 and (run.latex or tight)


def nearly_arithmetic(side: list[Token]) -> bool:
    """Say whether a side that cannot be read has numbers and signs enough to be worth a word."""
    kinds = [token.kind for token in side]
    return kinds.count("number") > 1 and bool(set(kinds) & {"*", "+"})


def is_about_size(
    trees: Sequence[Expression],
    chain: Chain,
    manuscript: Manuscript,
    index: int,
    known: Collection[str],
) -> bool:
    """Say whether a formula counts something: its symbols have values, or the text speaks of it."""
    leaves = [leaf for tree in trees for leaf in symbols(tree)]
    if not leaves or (all(isinstance(tree, Power) for tree in trees) and len(chain.sides) > 1):
        return False
    named = any(
        " " in leaf.name
        or (len(leaf.name) > 2 and leaf.name not in GREEK)
        or len(leaf.subscript) > 1
        for leaf in leaves
    )
    stated = any(leaf.key.casefold() in known for leaf in leaves)
    if not named and not stated and not any(_has_number(tree) for tree in trees):
        return False  # `QK`, `BA`: products of matrices
    if not chain.run.latex and not chain.run.display and len(leaves) < 2 and not stated:
        return False
    kinds = [token.kind for token in chain.tokens]
    all_stated = all(leaf.key.casefold() in known for leaf in leaves)
    bracketed = "(" in kinds and "+" in kinds
    if not chain.run.latex and "*" not in kinds and not bracketed:
        # `and/or`, `train + test`, `c.-à-d.`
        return all_stated and "/" in kinds
    around = _around(manuscript, index, chain)
    return stated or bool(_ABOUT_SIZE.search(around))


def _has_number(tree: Expression) -> bool:
    match tree:
        case Constant():
            return True
        case Sum(parts) | Product(parts):
            return any(_has_number(part) for part in parts)
        case Quotient(above, below):
            return _has_number(above) or _has_number(below)
        case Power():
            return True
    return False


def _around(manuscript: Manuscript, index: int, chain: Chain) -> str:
    """Return the sentence around a formula, or the text before a display."""
    text = chain.run.text
    start, end = chain.tokens[0].start, chain.tokens[-1].end
    near = text[max(0, start - 160) : end + 80]
    if chain.run.display:
        blocks = manuscript.blocks[max(0, index - 2) : index + 2]
        near += " ".join(block.text[-300:] for block in blocks)
    return near


def is_named_value(trees: Sequence[Expression], known: Collection[str]) -> bool:
    """Say whether a number is the value of a quantity, no result: `R^2 = 0.8`, `p(x) = 0.3`."""
    leaves = [leaf for tree in trees for leaf in symbols(tree)]
    if any(_has_number(tree) and not isinstance(tree, Power) for tree in trees):
        return False
    return bool(leaves) and not any(leaf.key.casefold() in known for leaf in leaves)
