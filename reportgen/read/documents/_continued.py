"""Tables that go on over the end of a page, where their heads stand again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from reportgen.records.manuscript import Block, Cell

_FLOATS = frozenset({"caption", "paragraph", "heading", "item"})
_MOST_BETWEEN = 40
"""Blocks between two tables on pages that follow each other: notes, and text that floats."""


def with_labels_before(blocks: Sequence[Block]) -> list[Block]:
    """Return blocks in which a table that goes on begins with the label it had on the page before.

    A label that is printed once above several rows counts for those beyond the end of its page.

    Args:
        blocks: In reading order.
    """
    found = list(blocks)
    for place, block in enumerate(found):
        if block.type != "table" or not block.head or len(block.rows) <= block.head:
            continue
        before = _before(found, place)
        label = _last_label(before) if before is not None else None
        first = block.rows[block.head]
        if label is not None and not first[0].text and any(cell.text for cell in first):
            row = (replace(label, span=0), *first[1:])
            rows = (*block.rows[: block.head], row, *block.rows[block.head + 1 :])
            found[place] = replace(block, rows=rows)
    return found


def _before(blocks: Sequence[Block], place: int) -> Block | None:
    """Return the table that one goes on with, if it does: on the page before, with its heads."""
    between = range(place - 1, max(-1, place - _MOST_BETWEEN), -1)
    skipped = len(list(takewhile(lambda at: blocks[at].type in _FLOATS, between)))
    at = place - 1 - skipped
    if at < 0 or blocks[at].type != "table":
        return None
    before, page = blocks[at], blocks[place].lines[0].page
    follows = page is not None and before.lines[-1].page == page - 1
    return before if follows and _heads(before) == _heads(blocks[place]) else None


def _heads(block: Block) -> list[list[str]]:
    return [[cell.text for cell in row] for row in block.rows[: block.head]]


def _last_label(block: Block) -> Cell | None:
    """Return the label of the last rows: the last cell of the first column that says something."""
    cells = [row[0] for row in block.rows[block.head :] if row]
    return next((cell for cell in reversed(cells) if cell.text), None)
