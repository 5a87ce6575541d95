"""Where in the text of a report its claims are marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reportgen.checking.projections._record import NOT_CHECKABLE, Record, Row
from reportgen.records.claim import Claim
from reportgen.records.finding import LEVELS, Judgement
from reportgen.records.manuscript import Block, Cell, Line

_LONGEST = 2000
VERDICTS = ("disagrees", "borderline", "agrees", "open")
"""Classes of the page, by which it is filtered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A stretch of one block with the claims that are made there.

    Attributes:
        id: Anchor in the page.
        block: Index of the block.
        start, end: Stretch of the block's text; equal where it is not known.
        row, column: Of a table's cell, where known.
        rows: Findings of its claims, in order.
        number: Whether a number is marked; else a sentence.
        verdict: The strongest of `VERDICTS` among its claims.
        tone: How loud it is drawn: a level, or what its verdict is.
    """

    id: str
    block: int
    start: int
    end: int
    row: int | None
    column: int | None
    rows: tuple[Row, ...]
    number: bool
    verdict: str
    tone: str


def verdict_class(row: Row) -> str:
    """Return the class of a row's verdict, one of `VERDICTS`."""
    if row.verdict == NOT_CHECKABLE:
        return "open"
    return row.verdict.partition(" ")[0]


def make_marks(judgement: Judgement, record: Record, prefix: str) -> tuple[Mark, ...]:
    """Return the marks of a report in reading order; claims of one stretch share a mark."""
    rows: dict[str, list[Row]] = {}
    claims: dict[str, Claim] = {}
    for row, finding in zip(record.rows, judgement.findings, strict=True):
        rows.setdefault(finding.claim.id, []).append(row)
        claims.setdefault(finding.claim.id, finding.claim)
    shared: dict[tuple[int, int, int, int | None, int | None], list[Claim]] = {}
    for claim in claims.values():
        end = min(max(claim.start, claim.end), claim.start + _LONGEST)
        stretch = (claim.block, claim.start, end, claim.row, claim.column)
        shared.setdefault(stretch, []).append(claim)
    return tuple(
        _mark(
            f"{prefix}m{index}", stretch, here, tuple(r for claim in here for r in rows[claim.id])
        )
        for index, (stretch, here) in enumerate(shared.items(), 1)
    )


def _mark(
    anchor: str,
    stretch: tuple[int, int, int, int | None, int | None],
    claims: Sequence[Claim],
    rows: tuple[Row, ...],
) -> Mark:
    block, start, end, row, column = stretch
    verdict = min((verdict_class(one) for one in rows if one.decisive), key=VERDICTS.index)
    level = min((one.level for one in rows), key=LEVELS.index)
    return Mark(
        id=anchor,
        block=block,
        start=start,
        end=end,
        row=row,
        column=column,
        rows=rows,
        number=any(claim.printed for claim in claims),
        verdict=verdict,
        tone=verdict if level == "none" else level,
    )


class Painter:
    """Cuts the text of one block into stretches, each with the innermost mark on it."""

    def __init__(self, block: Block, marks: Sequence[Mark]) -> None:
        self.text = block.text
        self.marks = marks
        self._starts = _line_starts(block)
        self._cells = {(mark.row, mark.column): mark for mark in reversed(marks)}
        self._owner: list[int] = [-1] * len(self.text)
        # Longer stretches first: what lies inside is painted over them.
        order = sorted(range(len(marks)), key=lambda i: marks[i].start - marks[i].end)
        for index in order:
            start, end = marks[index].start, min(marks[index].end, len(self.text))
            if 0 <= start < end:
                self._owner[start:end] = [index] * (end - start)

    def stretches(
        self, start: int = 0, end: int | None = None
    ) -> Iterator[tuple[str, Mark | None]]:
        """Yield (text, mark) of `text[start:end]`."""
        end = len(self.text) if end is None else min(end, len(self.text))
        while start < end:
            owner, stop = self._owner[start], start + 1
            while stop < end and self._owner[stop] == owner:
                stop += 1
            mark = self.marks[owner] if owner >= 0 else None
            yield self.text[start:stop], mark
            start = stop

    def cell(self, cell: Cell, row: int, column: int) -> Iterator[tuple[str, Mark | None]]:
        """Yield (text, mark) of a table's cell.

        A mark that names the cell but does not lie in its text covers it whole.
        """
        found: list[tuple[str, Mark | None]] = []
        if cell.line in self._starts:
            first = self._starts[cell.line] + cell.start
            if self.text.startswith(cell.text, first):
                found = list(self.stretches(first, first + len(cell.text)))
        if any(mark for _, mark in found):
            yield from found
            return
        yield cell.text, self._cells.get((row, column))


def _line_starts(block: Block) -> Mapping[Line, int]:
    """Return where in the block's text each of its lines begins."""
    starts: dict[Line, int] = {}
    offset = 0
    for line in block.lines:
        starts.setdefault(line, offset)
        offset += len(line.text) + 1
    return starts
