r"""Printed arithmetic and formulas: in displays, between dollar signs, in sentences and listings.

`name = number` is a setting and not found here. A calculation with its result is an `equation`;
formulas without a number are `equation_symbolic` where they stand apart and `arch_formula` in
sentences, as is a calculation itself where sentences count its parts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from reportgen.checking.numbers._digits import number_style
from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._numbers import find_numbers
from reportgen.claims._expressions import is_numeric, read_tokens, readings_of
from reportgen.claims._math_chains import Chain, chains_of, spelled
from reportgen.claims._math_gate import (
    has_operation,
    is_about_size,
    is_named_value,
    nearly_arithmetic,
)
from reportgen.claims._math_runs import Run, runs_of
from reportgen.claims._math_tables import table_runs
from reportgen.claims._math_text import as_text
from reportgen.claims._math_tokens import Token
from reportgen.claims._parts_said import parts_said
from reportgen.records.claim import Claim, Equation, Printed
from reportgen.records.formula import (
    Constant,
    Expression,
    Power,
    Product,
    Sum,
    Symbol,
    symbols,
)
from reportgen.records.manuscript import Block, Manuscript

_TYPESET = frozenset({"latex", "markdown", "notebook"})
_SIGNS = "+-−–"
_MOST_TEXT = 200_000
_MOST_CLAIMS = 2000
# Results in other units than what is multiplied: bytes, seconds, money.
_OTHER_UNIT = re.compile(
    r"[\s~$\\,]{0,3}(?:\\(?:mathrm|text|mbox|mathit|unit)\{\s?)?(?:[KMGT]i?B|[kKMGT]?bytes|octets|[KMGT]i?o|m?s|min|h|hours?|heures?|days?|jours?"
    r"|minutes?|seconds?|secondes?|[kMGT]?FLOPs?|[kMGT]?W|kWh|€|USD|EUR)(?![^\W\d_])"
)
_LORA_NAMES = gated(r"(?i)alpha|α")
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
        if block.type != "reference"
        for run in (
            table_runs(block, style)
            if block.type == "table"
            else runs_of(block, style, typeset=manuscript.format in _TYPESET)
        )
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
                numbers = {n.start + (n.text[0] in _SIGNS): n for n in printed}
                last = index
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


@dataclass(frozen=True, slots=True)
class _Read:
    """A chain that was read.

    Attributes:
        equation: Its sides.
        worked: Indices of the sides that compute something.
        trees: The literal reading of each of these that can be read.
        result: The number it gives.
    """

    equation: Equation
    worked: tuple[int, ...]
    trees: tuple[Expression, ...]
    result: Printed | None

    @property
    def numeric(self) -> list[int]:
        """Indices of the calculations."""
        trees = self.equation.trees
        return [n for n in self.worked if (tree := trees[n]) is not None and is_numeric(tree)]


def _read(chain: Chain, block: Block, numbers: Mapping[int, Printed]) -> _Read | None:
    """Read a chain; None where nothing is computed, or it is no arithmetic after all."""
    sides, run = chain.sides, chain.run
    if not any(has_operation(side, run) for side in sides):
        return None
    equation = read_tokens(chain.tokens, run.text, latex=run.latex)
    worked = tuple(
        n
        for n, (side, tree) in enumerate(zip(sides, equation.trees, strict=True))
        if not isinstance(tree, Symbol | Constant) and has_operation(side, run)
    )
    options = [readings_of(sides[n], latex=run.latex) for n in worked]
    trees = tuple(option[0].tree for option in options if not isinstance(option, str))
    result = _result(chain, block, numbers)
    apart = run.display or run.latex
    if not worked or (not trees and not (apart and result and nearly_arithmetic(sides[worked[0]]))):
        return None
    if not apart and (equation.fault or (equation.repaired and not any(map(is_numeric, trees)))):
        return None  # prose and listings have brackets of their own
    return _Read(equation, worked, trees, result)


def _span(chain: Chain, read: _Read) -> tuple[int, int]:
    """Return where a chain computes: from its first calculation or number to its end."""
    sides = chain.sides
    start, end = sides[read.worked[0]][0].start, sides[-1][-1].end if sides[-1] else 0
    if read.result is None:
        return start, end
    return min(start, read.result.start), max(end, read.result.end)


def _claims(
    manuscript: Manuscript,
    index: int,
    chain: Chain,
    numbers: Mapping[int, Printed],
    known: Collection[str],
) -> Iterator[Claim]:
    """Yield the claims of one chain."""
    block = manuscript.blocks[index]
    read = _read(chain, block, numbers)
    if read is None:
        return
    result, equation = read.result, read.equation
    if result is None:
        bare = chain.run.code or len(read.numeric) == len(read.worked)
        if bare or not is_about_size(read.trees, chain, manuscript, index, known):
            return
    elif not read.numeric and is_named_value(read.trees, known):
        return
    start, end = _span(chain, read)
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
        table=index if chain.run.cell else None,
        row=chain.run.cell[0] if chain.run.cell else None,
        column=chain.run.cell[1] if chain.run.cell else None,
        hints=_hints(manuscript, index, chain, (start, end), result),
    )
    yield base
    for n in read.numeric:
        if result is not None and _has_parts(equation.trees[n]):
            yield _calculation(base, block, chain, n, equation)


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
    printed = numbers.get(found.start)
    if printed is not None and abs(printed.value) == found.value:
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
    if chain.run.cell and any(t.kind == "=" and t.start == t.end for t in chain.tokens):
        return 0.75  # the cell beside it says so, not a sign of equality
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
