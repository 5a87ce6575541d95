"""Where tables and figures of one column stand, so that their numbers follow each other."""

from __future__ import annotations

from dataclasses import dataclass

from reportgen.formats._page import Page
from reportgen.records.document import Block, EquationGroup, Figure, Table, inlines, texts

# Letters in a line of running text, of a number or a reference in it, and lines of a formula.
_LETTERS = 80
_OTHER = 6
_FORMULA = 1.5


@dataclass(slots=True)
class _Last:
    """The last one of a kind: how it was placed, and how many lines of text stand behind it."""

    placement: str
    lines: float = 0.0


class Standing:
    """Says of each table and figure whether it floats, and whereto, in reading order.

    The engine sets a float at the top or the bottom of a page, whichever is nearer, and what
    does not float where it is: one of these could stand above a float before it that waits or
    lies at the bottom, and a float at the top above one of these. So what follows a float
    closely floats too, and a float that follows one of the others closely goes to the bottom.
    Half a page of text between the two keeps them apart. Tables and figures are numbered apart.

    Args:
        page: What the blocks are set on.
    """

    def __init__(self, page: Page) -> None:
        self._near = page.lines / 2
        self._last: dict[type[Block], _Last] = {}

    def pass_by(self, block: Block) -> None:
        """Take note of the room that a block takes which is neither a table nor a figure."""
        letters = sum(
            len(node) if isinstance(node, str) else _OTHER
            for text in texts(block)
            for node in inlines(text)
        )
        lines = letters / _LETTERS
        if isinstance(block, EquationGroup):
            lines += sum(_FORMULA * (3 if each.values else 1) for each in block.equations)
        for last in self._last.values():
            last.lines += lines

    def place(self, block: Table | Figure, *, floats: bool, fixed: bool) -> str:
        """Return `"auto"` or `"bottom"` for a float, empty for what stands where it is.

        Args:
            block: What is to be placed.
            floats: Whether text follows that would fill the room it leaves.
            fixed: Whether it cannot float (it goes on over pages, or is of the first section).

        Example:
            >>> standing, small = Standing(Page()), Table(id="t", caption=(), columns=(), rows=())
            >>> [standing.place(small, floats=floats, fixed=False) for floats in (True, False)]
            ['auto', 'auto']
        """
        last = self._last.get(type(block))
        before = last.placement if last and last.lines < self._near else None
        if fixed:
            placement = ""
        elif before in ("auto", "bottom"):
            placement = before
        elif floats:
            placement = "auto" if before is None else "bottom"
        else:
            placement = ""
        self._last[type(block)] = _Last(placement)
        return placement
