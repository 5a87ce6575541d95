"""Values that a report gives to its symbols: `d_k = 64`, `n_hid = n_hid2 = 512`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.checking.numbers._digits import number_style
from reportgen.claims._expressions import is_numeric, readings_of, split_sides, value_of
from reportgen.claims._math_chains import chains_of
from reportgen.claims._math_runs import Run, runs_of
from reportgen.claims._math_tokens import Token
from reportgen.records.formula import Symbol
from reportgen.records.manuscript import Manuscript

_MOST_TEXT = 200_000


@dataclass(frozen=True, slots=True)
class Assignment:
    """One symbol with its value.

    Attributes:
        name: As `Symbol.key` has it (`n_hid2`, `hidden size`).
        value: What it is set to.
        block: Index of the block that says so.
    """

    name: str
    value: Fraction
    block: int


def assignments(manuscript: Manuscript) -> tuple[Assignment, ...]:
    """Return the values that a report gives to symbols, in reading order.

    Example:
        >>> from reportgen.records.manuscript import Block, Line
        >>> text = "We have $d_{model}=512$ and N=4 layers (h=8)."
        >>> block = Block(type="paragraph", lines=(Line(text=text, number=1),))
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
        >>> sorted((a.name, int(a.value)) for a in assignments(report))
        [('N', 4), ('d_model', 512), ('h', 8)]
    """
    style = number_style("\n".join(block.text for block in manuscript.blocks)[:_MOST_TEXT])
    found = []
    for index, block in enumerate(manuscript.blocks):
        if block.type in {"reference", "table"} or "=" not in block.text:
            continue
        for run in runs_of(block, style):
            found += [Assignment(name, value, index) for name, value in _given(run)]
    return tuple(found)


def _given(run: Run) -> Iterator[tuple[str, Fraction]]:
    """Yield the names of a run that stand before a bare number, and that number."""
    for chain in chains_of(run, frozenset()):
        names: list[str] = []
        for side in split_sides(chain.tokens):
            symbol = _symbol(side, run)
            if symbol:
                names.append(symbol)
                continue
            value = _number(side, run)
            if value is not None and names:
                yield from ((name, value) for name in names)
            names = []


def _symbol(side: Sequence[Token], run: Run) -> str:
    """Return the key of a side that is one symbol, else nothing."""
    options = readings_of(side, latex=run.latex)
    if isinstance(options, str):
        return ""
    tree = options[0].tree
    return tree.key if isinstance(tree, Symbol) else ""


def _number(side: Sequence[Token], run: Run) -> Fraction | None:
    """Return the value of a side that is one number, with or without its unit."""
    if sum(token.kind == "number" for token in side) != 1 or side[0].kind != "number":
        return None
    options = readings_of(side, latex=run.latex)
    if isinstance(options, str) or not is_numeric(options[0].tree):
        return None
    try:
        return value_of(options[0].tree)
    except ValueError:
        return None
