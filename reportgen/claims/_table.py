"""One table of a report, and each of its cells with what stands over and before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from reportgen.checking.numbers._digits import NumberStyle
from reportgen.claims._cells import counts_deviations
from reportgen.claims._context import Context
from reportgen.claims._grid import Entry, Grid, Row, read_grid
from reportgen.claims._heads import Head
from reportgen.records.manuscript import Block

_LONGEST = 1000


@dataclass(frozen=True, kw_only=True)
class Table:
    """One table with what counts for all of it.

    Attributes:
        index: Of its block.
        block: The block.
        grid: Its cells, read.
        context: Caption, lead-ins, headings.
        style: How the report writes decimals.
        known: Labels of groups that the report's tables use.
    """

    index: int
    block: Block
    grid: Grid
    context: Context
    style: NumberStyle
    known: tuple[str, ...] = ()

    @cached_property
    def heads(self) -> tuple[Head, ...]:
        """Every head and label, which is all but the numbers themselves."""
        found = [head for heads in self.grid.columns for head in heads]
        for row in self.grid.rows:
            found += [*row.labels, row.section]
        return (*found, self.grid.corner)

    @cached_property
    def lowest(self) -> tuple[Head, ...]:
        """The head right over each column that has one."""
        return tuple(heads[0] for heads in self.grid.columns if heads)

    @cached_property
    def starts(self) -> dict[int, int]:
        """Where each line begins in the block's text, by the line's identity."""
        found, offset = {}, 0
        for line in self.block.lines:
            found[id(line)] = offset
            offset += len(line.text) + 1
        return found

    @cached_property
    def agreed(self) -> Mapping[str, str]:
        """The value of each slot that all heads agree on."""
        values: dict[str, set[str]] = {}
        for mention in (mention for head in self.heads for mention in head.mentions):
            values.setdefault(mention.slot, set()).add(mention.value)
        return {slot: said.pop() for slot, said in values.items() if len(said) == 1}

    def only(self, slot: str) -> str:
        """Return the value of a slot that all heads agree on, or nothing."""
        return self.agreed.get(slot, "")

    def spots(self) -> Iterator[Spot]:
        """Yield every cell that is no label, row by row."""
        for row in self.grid.rows:
            for entry in row.entries:
                yield Spot(self, row, entry)

    @cached_property
    def around(self) -> tuple[str, ...]:
        """What the caption, the lead-ins and the words right behind it say, no endless ones."""
        leads = (lead.text for lead in self.context.leads)
        return tuple(t[:_LONGEST] for t in (self.context.caption.text, *leads, self.context.note))

    @cached_property
    def tells_multiples(self) -> bool:
        """Whether its spreads are so many standard deviations: `mean ± 2σ`."""
        return any(map(counts_deviations, (*self.around, *(head.text for head in self.heads))))

    @cached_property
    def best_steps(self) -> float:
        """How sure it is that the steps of the table are best ones; 0 where they are not."""
        moments = [head for head in self.heads if head.role in {"step", "epoch"}]
        if any(head.values("selection") == ("best",) for head in moments):
            return 0.97
        if moments and all(head.values("selection") == ("last",) for head in moments):
            return 0.0
        around = [head for head, _ in self.context.layers()][:2]
        said = any("best" in head.values("selection") for head in around)
        rows = self.grid.rows
        names = {(*(h.label for h in row.labels), row.counted.get("seed")) for row in rows}
        # One row a run: what numbers them by steps is their best step.
        return 0.85 if moments and said and len(names) == len(rows) else 0.0


@dataclass(frozen=True, slots=True)
class Spot:
    """One cell of a table's body."""

    table: Table
    row: Row
    entry: Entry

    @property
    def role(self) -> str:
        """What its numbers count, by its column, else by its row."""
        return self.entry.role or next((h.role for h in self.row.labels if h.role), "")

    def sources(self) -> Iterator[Head]:
        """Yield what stands right over and before it, the nearest first."""
        yield from self.entry.heads[:1]
        yield from reversed(self.row.labels)
        yield from self.entry.heads[1:]
        yield self.row.section

    def says(self, slot: str, value: str) -> bool:
        """Say whether a head or a label near it has a value in a slot."""
        return any(value in head.values(slot) for head in self.sources())


def read_table(index: int, block: Block, context: Context, style: NumberStyle) -> Table:
    """Read a table with what stands around it."""
    around = " ".join([block.caption, *(lead.text for lead in context.leads)])
    grid = read_grid(block, around, style)
    return Table(index=index, block=block, grid=grid, context=context, style=style)
