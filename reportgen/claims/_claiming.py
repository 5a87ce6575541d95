"""From a place in a plain text to a claim at its place in the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from reportgen.claims._passages import Passage
from reportgen.records.claim import Claim, Content, Printed
from reportgen.records.manuscript import Cell

LONGEST_QUOTE = 200


def claim_at(
    passage: Passage,
    start: int,
    end: int,
    *,
    kind: str,
    content: Content,
    number: Printed | None = None,
    confidence: float = 1.0,
    hints: Mapping[str, str] | None = None,
) -> Claim:
    """Return a claim at a place of a passage's plain text.

    Args:
        passage: Where it stands.
        start: Where the words begin that say it.
        end: The position behind them.
        kind: One of the kinds of claims.
        content: What it says.
        number: Its number, with its place in the plain text.
        confidence: How sure the binding is.
        hints: What else was seen.
    """
    printed = None
    first, last = passage.plain.span(start, end)
    if number is not None:
        begins, ends = passage.plain.span(number.start, number.end)
        printed = replace(number, start=begins, end=ends)
    at = (printed.start, printed.end) if printed else (first, last)
    text = passage.block.text
    begin, stop = min(first, at[0]), max(last, at[1])
    opened = text[begin:stop].count("$") % 2
    while text[stop : stop + 1] == "}" or (opened and text[stop : stop + 1] == "$"):
        opened = opened and text[stop] != "$"
        stop += 1
    quote = text[begin:stop]
    return Claim(
        kind=kind,
        quote=" ".join(quote.split())[:LONGEST_QUOTE],
        place=passage.block.place(*at),
        block=passage.index,
        start=at[0],
        end=at[1],
        printed=printed,
        content=content,
        confidence=round(confidence, 2),
        hints=dict(hints or {}),
    )


def claim_in_cell(
    passage: Passage,
    cell: Cell,
    position: tuple[int, int],
    *,
    kind: str,
    content: Content,
    number: Printed | None = None,
    confidence: float = 1.0,
    hints: Mapping[str, str] | None = None,
    quote: str = "",
) -> Claim:
    """Return a claim in a cell of a table.

    Args:
        passage: The table.
        cell: The cell.
        position: Its row and column.
        kind: One of the kinds of claims.
        content: What it says.
        number: Its number, with its place in the cell's text.
        confidence: How sure the binding is.
        hints: What else was seen.
        quote: Name and value as a reader sees them.
    """
    offset = 0
    for line in passage.block.lines:
        if line is cell.line or line == cell.line:
            break
        offset += len(line.text) + 1
    start, end = (number.start, number.end) if number else (0, len(cell.text))
    return Claim(
        kind=kind,
        quote=" ".join((quote or cell.text).split())[:LONGEST_QUOTE],
        place=cell.place(start, end),
        block=passage.index,
        start=offset + cell.start + start,
        end=offset + cell.start + end,
        printed=number,
        content=content,
        confidence=round(confidence, 2),
        table=passage.index,
        row=position[0],
        column=position[1],
        hints=dict(hints or {}),
    )
