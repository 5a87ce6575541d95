"""Shapes in the cells of a table: `258 × 512` under `Shape`, `512 → 2048 → 512`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from reportgen.claims._claiming import claim_in_cell
from reportgen.claims._count_columns import PARAMETERS
from reportgen.claims._passages import Passage
from reportgen.claims._plain import plain
from reportgen.records.claim import Claim, Setting

_TITLE = re.compile(
    r"\s*(?:(?:(?:tensor|weight|matrix)\s)?shapes?|(?:tensor|weight|matrix)\s(?:sizes?|dimensions?)"
    r"|formes?)\s*",
    re.IGNORECASE,
)
"""A column of sizes may be one of images."""
_SIDE = r"\d{1,3}(?:,\d{3})+|\d{1,7}"
_CHAIN = re.compile(rf"(?<![\w.,×→])(?:{_SIDE})(?:\s?[×→x]\s?(?:{_SIDE}))+(?![\w×→]|[.,]\d)")
_SIDES = re.compile(_SIDE)
_SURE = 0.7


def shapes_in_cells(passage: Passage) -> Iterator[Claim]:
    """Yield a claim for every two sides that a column of shapes gives.

    Args:
        passage: A table.
    """
    block = passage.block
    heads = block.rows[block.head - 1] if 0 < block.head <= len(block.rows) else ()
    said = " ".join([block.caption, *(cell.text for cell in heads)])
    columns = [place for place, cell in enumerate(heads) if place and _TITLE.fullmatch(cell.text)]
    if not columns or not PARAMETERS.search(said):
        return
    for index, row in enumerate(block.rows[block.head :], block.head):
        for column in columns:
            if column < len(row) and row[column].span:
                yield from _of_cell(passage, (index, column))


def _of_cell(passage: Passage, position: tuple[int, int]) -> Iterator[Claim]:
    row = passage.block.rows[position[0]]
    cell, name = row[position[1]], plain(row[0].text).text.strip()
    read = plain(cell.text)
    for chain in _CHAIN.finditer(read.text):
        sides = list(_SIDES.finditer(read.text, chain.start(), chain.end()))
        if "→" not in chain[0] and len(sides) != 2:
            continue  # the weights of a convolution
        for one, other in pairwise(sides):
            first, last = read.span(one.start(), other.end())
            claim = claim_in_cell(
                passage,
                cell,
                position,
                kind="arch_shape",
                content=Setting(
                    name=name,
                    key="shape",
                    value=(one[0].replace(",", ""), other[0].replace(",", "")),
                    scope="model",
                ),
                confidence=_SURE,
                hints={"where": name or "a matrix"},
                quote=f"{name} | {cell.text}",
            )
            begins = claim.start
            yield replace(claim, start=begins + first, end=begins + last)
