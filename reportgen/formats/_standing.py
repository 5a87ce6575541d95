"""Where tables and figures of one column stand, so that their numbers follow each other."""

from __future__ import annotations

from dataclasses import dataclass

from reportgen.formats._page import POINTS, Page
from reportgen.records.document import (
    Block,
    EquationGroup,
    Figure,
    Section,
    Table,
    Text,
    inlines,
    texts,
    walk,
)

# Letters in a line of running text, and of a number or a reference in it. Lines of a formula, a
# heading, a row of a table and the room between two blocks; a line of text is this high, in em.
_LETTERS = 80
_EM = 1.3
_OTHER = 6
_FORMULA = 1.5
_HEADING = 3
_ROW = 1.2
_GAP = 0.7
# What title and abstract take at least.
_TITLE = 8


@dataclass(slots=True)
class _Last:
    """The last one of a kind: how it was placed, and about how many lines begin where it stands."""

    id: str
    placement: str
    lines: float = 0.0


class Standing:
    """Says of each table and figure whether it floats, and whereto, in reading order.

    The engine sets a float at the top or the bottom of a page, whichever is nearer, and what
    does not float where it is: one of these could stand above a float before it that waits or
    lies at the bottom, and a float at the top above one of these. So what follows a float
    closely floats too, and a float that follows one of the others closely goes to the bottom.
    Half a page between the two keeps them apart. Tables and figures are numbered apart.

    Args:
        page: What the blocks are set on.
    """

    def __init__(self, page: Page) -> None:
        self._near = page.text_height * POINTS / (_EM * page.size) / 2
        self._last: dict[type[Block], _Last] = {}
        self._long_next = False

    def look_ahead(self, blocks: tuple[Block, ...]) -> None:
        """Take note of the blocks of a section that stand behind the next one."""
        following = next((block for block in walk(blocks) if isinstance(block, Table)), None)
        self._long_next = following is not None and _height(following) > self._near

    def pass_by(self, block: Block) -> None:
        """Take note of the room that a block takes which is neither a table nor a figure."""
        lines = _GAP + sum(_lines(text) for text in texts(block))
        lines += _HEADING * isinstance(block, Section)
        if isinstance(block, EquationGroup):
            lines += sum(_FORMULA * (3 if each.values else 1) for each in block.equations)
        for last in self._last.values():
            last.lines += lines

    def float_before(self, block: Table | Figure) -> str:
        """Return the id of the float of the kind of a block that stands closely before it."""
        return self._last[type(block)].id if self._near_placement(block) else ""

    def _near_placement(self, block: Table | Figure) -> str | None:
        last = self._last.get(type(block))
        return last.placement if last and last.lines < self._near else None

    def place(
        self, block: Table | Figure, *, floats: bool, fixed: bool, early: bool = False
    ) -> str:
        """Return `"auto"` or `"bottom"` for a float, empty for what stands where it is.

        Args:
            block: What is to be placed.
            floats: Whether text follows that would fill the room it leaves.
            fixed: Whether it cannot float (it goes on over pages, or is of the first section).
            early: Whether it is of the first section, below title and abstract.

        Example:
            >>> standing, small = Standing(Page()), Table(id="t", caption=(), columns=(), rows=())
            >>> [standing.place(small, floats=floats, fixed=False) for floats in (True, False)]
            ['auto', 'auto']
        """
        before = self._near_placement(block)
        if fixed:
            placement = ""
        elif before in ("auto", "bottom"):
            placement = before
        elif floats and before is None:
            placement = "auto"
        # At the bottom it would stand below the rows of a table that goes on over pages.
        elif floats and not self._long_next:
            placement = "bottom"
        else:
            placement = ""
        room = _height(block) if isinstance(block, Table) and not placement else 0.0
        room += _TITLE * early
        self._last[type(block)] = _Last(block.id, placement, room)
        return placement


def _height(table: Table) -> float:
    """Return about how many lines a table takes."""
    texts_below = (table.caption, *table.notes)
    return _ROW * (len(table.rows) + 1) + sum(_lines(text) for text in texts_below)


def _lines(text: Text) -> float:
    nodes = (len(node) if isinstance(node, str) else _OTHER for node in inlines(text))
    return sum(nodes) / _LETTERS
