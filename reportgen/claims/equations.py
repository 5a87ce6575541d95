r"""Printed arithmetic and formulas: in displays, between dollar signs, in sentences and listings.

`name = number` is a setting and not found here. A calculation with its result is an `equation`;
formulas without a number are `equation_symbolic` where they stand apart and `arch_formula` in
sentences, as is a calculation itself where sentences count its parts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from reportgen.claims._digits import number_style
from reportgen.claims._expressions import is_numeric, read_tokens, readings_of
from reportgen.claims._math_chains import Chain, chains_of, spelled
from reportgen.claims._math_runs import Run, runs_of
from reportgen.claims._math_text import as_text
from reportgen.claims._math_tokens import Token
from reportgen.claims._math_words import GREEK
from reportgen.claims._numbers import find_numbers
from reportgen.claims._parts_said import parts_said
from reportgen.records.claim import Claim, Equation, Printed
from reportgen.records.formula import (
    Constant,
    Expression,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    symbols,
)
from reportgen.records.manuscript import Block, Manuscript

_TYPESET = frozenset({"latex", "markdown", "notebook"})
_MOST_TEXT = 200_000
_MOST_CLAIMS = 2000
_ABOUT_SIZE = re.compile(
    r"param|weight|poids|dimension|neuron|matri|vector|vecteur|embedding|\b(?:size|shape|count|number"
    r"|nombre|total|scal(?:e|ed|ing)|rank|bias)",
    re.IGNORECASE,
)
# Results in other units than what is multiplied: bytes, seconds, money.
_OTHER_UNIT = re.compile(
    r"[\s~$\\,]{0,3}(?:[KMGT]i?B|[kKMGT]?bytes|octets|[KMGT]o|m?s|min|h|hours?|heures?|days?|jours?"
    r"|minutes?|seconds?|secondes?|[kMGT]?FLOPs?|[kMGT]?W|kWh|€|USD|EUR)(?![^\W\d_])"
)
_LORA_NAMES = re.compile(r"(?i)alpha|α")
_RANK_NAMES = re.compile(r"(?i)^(?:lora_?)?(?:r|rank|lora_r|lora_rank)$")


def find(manuscript: Manuscript) -> tuple[Claim, ...]:
    """Return the equations and formulas of a report.

    Example:
        >>> from reportgen.records.manuscript import Line
        >>> text = "In all n = 4 × (3 × 512 + 512) = 8192 parameters."
        >>> block = Block(type="paragraph", lines=(Line(text=text, number=7),))
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
        >>> [(claim.kind, claim.quote, claim.printed and claim.printed.text)
        ...  for claim in find(report)]
        [('equation', '4 × (3 × 512 + 512) = 8192', '8192')]
    """
    text = "\n".join(block.text for block in manuscript.blocks)[:_MOST_TEXT]
    style = number_style(text)
    runs = [
        (index, run)
        for index, block in enumerate(manuscript.blocks)
        if block.type not in {"reference", "table"}
        for run in runs_of(block, style, typeset=manuscript.format in _TYPESET)
    ]
    known = _given_names(run for _, run in runs)
    claims: list[Claim] = []
    counted = bool(parts_said(manuscript))
    numbers: dict[int, Printed] = {}
    last = -1
    for index, run in runs:
        for chain in chains_of(run, known):
            if last != index:
                printed = find_numbers(manuscript.blocks[index].text, style)
                numbers, last = {number.end: number for number in printed}, index
            found = _claims(manuscript, index, chain, numbers, known)
            claims += [c for c in found if counted or "part" not in c.hints]
            if len(claims) >= _MOST_CLAIMS:
                return tuple(claims)
    return tuple(claims)


def _given_names(runs: Iterator[Run]) -> frozenset[str]:
    """Return the names that stand alone before an equality sign, in one spelling."""
    names = set()
    for run in runs:
        kinds = [token.kind for token in run.tokens]
        for at, kind in enumerate(kinds):
            if kind != "=":
                continue
            first = at
            while first and kinds[first - 1] == "name" and at - first < 8:
                first -= 1
            bare = not first or kinds[first - 1] not in {"+", "-", "*", "/", "^", "number"}
            if first < at and bare:
                names.add(spelled(run.tokens[first:at]))
    return frozenset(names)


def _claims(
    manuscript: Manuscript,
    index: int,
    chain: Chain,
    numbers: Mapping[int, Printed],
    known: Collection[str],
) -> Iterator[Claim]:
    """Yield the claims of one chain."""
    block = manuscript.blocks[index]
    sides = chain.sides
    if not any(sides):
        return
    result = _result(chain, block, numbers)
    if not any(_has_operation(side, chain.run) for side in sides):
        return
    equation = read_tokens(chain.tokens, chain.run.text, latex=chain.run.latex)
    worked = [
        n
        for n, (side, tree) in enumerate(zip(sides, equation.trees, strict=True))
        if not isinstance(tree, Symbol | Constant) and _has_operation(side, chain.run)
    ]
    if not worked:
        return
    options = [readings_of(sides[n], latex=chain.run.latex) for n in worked]
    trees = [option[0].tree for option in options if not isinstance(option, str)]
    apart = chain.run.display or chain.run.latex
    if not trees and not (apart and result and _nearly_arithmetic(sides[worked[0]])):
        return
    if not apart and (equation.fault or (equation.repaired and not any(map(is_numeric, trees)))):
        return  # prose and listings have brackets of their own
    numeric = [n for n in worked if (tree := equation.trees[n]) is not None and is_numeric(tree)]
    if result is None and (chain.run.code or len(numeric) == len(worked)):
        return
    if result is None and not _is_about_size(trees, chain, manuscript, index, known):
        return
    start, end = sides[worked[0]][0].start, sides[-1][-1].end if sides[-1] else 0
    if result is not None:
        start, end = min(start, result.start), max(end, result.end)
    base = Claim(
        kind=_kind(equation, chain, result),
        quote=_quote(chain, start, end),
        place=block.place(start, end),
        block=index,
        start=start,
        end=end,
        printed=result,
        content=equation,
        confidence=_confidence(equation, chain),
        reason=equation.fault,
        hints=_hints(manuscript, index, chain, (start, end), result),
    )
    yield base
    for n in numeric:
        if result is not None and _has_parts(equation.trees[n]):
            yield _calculation(base, block, chain, n, equation)


def _has_operation(side: list[Token], run: Run) -> bool:
    """Say whether a side computes something."""
    kinds = [token.kind for token in side]
    if set(kinds) & {"+", "*", "/", "frac", "sqrt", "sum", "^"} or "-" in kinds[1:]:
        return True
    # `4 d`, `n(d + 1)`: factors side by side.
    operands = sum(kind in {"number", "name"} for kind in kinds)
    tight = any(t.kind == "name" and not t.apart for t in side[1:] if side[0].kind == "number")
    return operands > 1 and (run.latex or tight)


def _nearly_arithmetic(side: list[Token]) -> bool:
    """Say whether a side that cannot be read has numbers and signs enough to be worth a word."""
    kinds = [token.kind for token in side]
    return kinds.count("number") > 1 and bool(set(kinds) & {"*", "+"})


def _result(chain: Chain, block: Block, numbers: Mapping[int, Printed]) -> Printed | None:
    """Return the last side that is nothing but a number."""
    found = None
    for side in chain.sides:
        figures = [token for token in side if token.kind == "number"]
        others = {token.kind for token in side} - {"number", "unit", "name", "label", "{", "}"}
        led = next((t.kind for t in side if t.kind != "{"), "") == "number"
        tight = any(t.kind == "name" and (not t.apart or t.subscript) for t in side)
        if len(chain.sides) > 1 and len(figures) == 1 and led and not others and not tight:
            found = figures[0]
    if found is None:
        return None
    printed = numbers.get(found.end)
    if printed is not None:
        rounded = "about" if _is_rounded(chain, found) else ""
        return replace(printed, approximate=printed.approximate or rounded)
    exponent = found.value.as_tuple().exponent
    decimals = -exponent if isinstance(exponent, int) else 0
    return Printed(
        text=block.text[found.start : found.end],
        value=found.value,
        decimals=decimals,
        start=found.start,
        end=found.end,
    )


def _is_rounded(chain: Chain, number: Token) -> bool:
    """Say whether a number stands behind a sign of approximation."""
    before = [t for t in chain.tokens if t.kind == "=" and t.end <= number.start]
    return bool(before) and before[-1].text in {"≈", "≃", "≅", "approx", "simeq"}


def _is_about_size(
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
    stated = any(_spelling(leaf) in known for leaf in leaves)
    if not named and not stated and not any(_has_number(tree) for tree in trees):
        return False  # `QK`, `BA`: products of matrices
    if not chain.run.latex and not chain.run.display and len(leaves) < 2 and not stated:
        return False
    kinds = [token.kind for token in chain.tokens]
    all_stated = all(_spelling(leaf) in known for leaf in leaves)
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


def _spelling(leaf: Symbol) -> str:
    return leaf.key.casefold()


def _around(manuscript: Manuscript, index: int, chain: Chain) -> str:
    """Return the sentence around a formula, or the text before a display."""
    text = chain.run.text
    start, end = chain.tokens[0].start, chain.tokens[-1].end
    near = text[max(0, start - 160) : end + 80]
    if chain.run.display:
        blocks = manuscript.blocks[max(0, index - 2) : index + 2]
        near += " ".join(block.text[-300:] for block in blocks)
    return near


def _kind(equation: Equation, chain: Chain, result: Printed | None) -> str:
    if result is not None:
        return "equation"
    names = [leaf.key for tree in equation.trees if tree is not None for leaf in symbols(tree)]
    scaled = any(_LORA_NAMES.search(n) for n in names) and any(_RANK_NAMES.match(n) for n in names)
    if scaled and len(set(names)) <= 3:
        return "lora_formula"
    return "equation_symbolic" if chain.run.display and not equation.name else "arch_formula"


def _quote(chain: Chain, start: int, end: int) -> str:
    """Return a stretch of a chain as a line of text."""
    return as_text([t for t in chain.tokens if start <= t.start and t.end <= end])[:200]


def _confidence(equation: Equation, chain: Chain) -> float:
    """Return how sure it is that the parts were read as they were meant."""
    words = any(
        a.kind == "number" and b.kind == "name" and b.apart and not b.subscript
        for side in chain.sides[:-1]
        for a, b in pairwise(side)
    )
    if words and not chain.run.latex:
        return 0.7
    if chain.run.display or chain.run.latex or chain.run.code:
        return 0.9 if equation.repaired else 0.95
    return 0.85 if equation.repaired else 0.9


def _hints(
    manuscript: Manuscript, index: int, chain: Chain, span: tuple[int, int], result: Printed | None
) -> dict[str, str]:
    """Return the words before and behind, over the edges of a display."""
    text, (start, end) = chain.run.text, span
    before, behind = text[max(0, start - 200) : start], text[end : end + 100]
    blocks = manuscript.blocks
    if chain.run.display and index:
        before = f"{blocks[index - 1].text[-300:]}\n{before}"
    if chain.run.display and index + 1 < len(blocks):
        behind = f"{behind}\n{blocks[index + 1].text[:100]}"
    hints = {"before": " ".join(before.split()), "behind": " ".join(behind.split())}
    if result is not None and (unit := _OTHER_UNIT.match(text, result.end)):
        hints["unit"] = unit[0].strip()
    return {**hints, "display": "yes"} if chain.run.display else hints


def _has_parts(tree: Expression | None) -> bool:
    """Say whether a calculation adds products, so that its parts can be counted."""
    match tree:
        case Sum(terms):
            return any(isinstance(term, Product | Power) for term in terms)
        case Product(factors):
            return any(_has_parts(factor) for factor in factors)
    return False


def _calculation(base: Claim, block: Block, chain: Chain, side: int, equation: Equation) -> Claim:
    """Return the claim that a calculation counts what it should."""
    tokens = chain.sides[side]
    start, end = tokens[0].start, tokens[-1].end
    return replace(
        base,
        kind="arch_formula",
        quote=_quote(chain, start, end),
        place=block.place(start, end),
        start=start,
        end=end,
        printed=None,
        content=Equation(
            sides=(equation.sides[side],),
            trees=(equation.trees[side],),
            repaired=equation.repaired,
            name=equation.name,
        ),
        hints={**base.hints, "part": "calculation"},
    )
