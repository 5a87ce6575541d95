"""Mathematics in tables: equations in a cell, and formulas beside the cell with their number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportgen.checking.numbers._digits import NumberStyle
from reportgen.checking.numbers._gated import gated
from reportgen.claims._math_runs import Run
from reportgen.claims._math_tokens import LONGEST, Token, is_latex, tokens_of
from reportgen.records.manuscript import Block, Cell

_FORMULA = gated(
    r"formul|calcul|comput|expression|detail|d[ée]tail|breakdown|derivation|d[ée]compte",
    re.IGNORECASE,
)
_NUMBER = gated(
    r"param|weights|poids|count|number|nombre|total|result|value|valeur|#", re.IGNORECASE
)
_LONGEST_LETTER = 2


def table_runs(block: Block, style: NumberStyle) -> Iterator[Run]:
    """Yield the runs of mathematics of a table.

    A cell under `Formula` or `Calculation` is equal to the number in the next column where that
    column counts something. Under `Shape` it need not be: there may be a bias too.

    Args:
        block: A table.
        style: How the report writes decimals.
    """
    starts: dict[int, int] = {}
    offset = 0
    for line in block.lines:
        starts[id(line)] = offset
        offset += len(line.text) + 1
    heads = _heads(block)
    for index, row in enumerate(block.rows):
        cells = [
            (column, cell, starts.get(id(cell.line), -1) + cell.start)
            for column, cell in enumerate(row)
            if cell.span and cell.text and id(cell.line) in starts
        ]
        for at, (column, cell, start) in enumerate(cells):
            tokens = _tokens(cell, start, style)
            kinds = {token.kind for token in tokens}
            found: Sequence[Token] = ()
            if "=" in kinds:
                found = tokens
            elif index >= block.head and at + 1 < len(cells) and kinds & {"*", "+", "^"}:
                beside, other, begin = cells[at + 1]
                number = _tokens(other, begin, style)
                named = _FORMULA.search(heads.get(column, "")) and _NUMBER.search(
                    heads.get(beside, "")
                )
                if named and [token.kind for token in number] == ["number"]:
                    sign = Token("=", "=", number[0].start, number[0].start)
                    found = [*tokens, sign, *number]
            if found and "other" not in {token.kind for token in found}:
                latex = is_latex(cell.text) or "$" in cell.text or _is_symbolic(found)
                yield Run(block.text, tuple(found), latex=latex, cell=(index, column))


def _is_symbolic(tokens: Sequence[Token]) -> bool:
    """Say whether all names are letters, so that those side by side are factors."""
    names = [token.text for token in tokens if token.kind == "name"]
    return bool(names) and all(len(name) <= _LONGEST_LETTER for name in names)


def _heads(block: Block) -> dict[int, str]:
    """Return the words above each column."""
    heads: dict[int, str] = {}
    for row in block.rows[: block.head]:
        for column, cell in enumerate(row):
            heads[column] = f"{heads.get(column, '')} {cell.text}".strip()
    return heads


def _tokens(cell: Cell, start: int, style: NumberStyle) -> list[Token]:
    """Return the tokens of a cell, with their places in the table's text."""
    if len(cell.text) > LONGEST:
        return []
    latex = is_latex(cell.text) or "$" in cell.text
    return [
        replace(token, start=token.start + start, end=token.end + start)
        for token in tokens_of(cell.text, style, latex=latex)
    ]
