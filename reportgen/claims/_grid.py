"""A table as rows of values, each beside the heads and labels that stand over and before it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from reportgen.checking.numbers._digits import NumberStyle
from reportgen.checking.numbers._gated import gated
from reportgen.claims._column_roles import COUNTED, column_roles, holds_value, numbers_rows
from reportgen.claims._heads import NOTHING, Head, number_of, read_head
from reportgen.claims._mentions import Mention
from reportgen.claims._row_labels import is_unknown_metric, read_label
from reportgen.claims._vocabulary import COUNTERS
from reportgen.records.manuscript import Block, Cell

_CORNER_WORD = {
    slot: gated(rf"(?<![^\W_])(?:{words})(?![^\W_])", re.IGNORECASE)
    for slot, words in COUNTERS.items()
}
_OPEN_END = re.compile(
    r"(?:[,:;/–-]|\b(?:best|last|final|first|chosen|selected|the|of|at|on|per|and|or))\s*$",
    re.IGNORECASE,
)
_MOST_HEADS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One cell of the body with what stands over it.

    Attributes:
        column: Its column.
        cell: The cell.
        heads: Of its column, the lowest first.
        role: What its numbers count (`step`, `n`, `other`), or nothing for values.
    """

    column: int
    cell: Cell
    heads: tuple[Head, ...]
    role: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of values.

    Attributes:
        index: Row in the table, from 0, heads included.
        number: Row of the body, from 1, as a reader counts.
        labels: Its label cells, read, from left to right.
        counted: Seed, epoch and step that its label cells give, and `n`, how many runs.
        settings: Settings that its label cells give (`r=8`).
        section: What a row that stands alone above it says.
        inherited: Label of the rows above, where this one summarises them.
        strange: Whether its column of metrics names one that is not known.
        entries: Its cells that are no labels.
    """

    index: int
    number: int
    labels: tuple[Head, ...] = ()
    counted: Mapping[str, Decimal] = field(default_factory=dict)
    settings: tuple[str, ...] = ()
    section: Head = NOTHING
    inherited: str = ""
    strange: bool = False
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table, read.

    Attributes:
        corner: What the first cell of the heads says of all values, or of the columns.
        columns: Heads of each column, the lowest first.
        roles: Of each column: as in `Entry`, and `label` for words.
        rows: The body.
    """

    corner: Head
    columns: tuple[tuple[Head, ...], ...]
    roles: tuple[str, ...]
    rows: tuple[Row, ...]


def read_grid(block: Block, around: str = "", style: NumberStyle | None = None) -> Grid:
    """Read a table.

    Args:
        block: A table.
        around: Its caption and the sentence before it, which may say what bare numbers in
            its heads count.
        style: How the report writes decimals; by default what each cell shows.
    """
    rows = block.rows
    count = _head_count(block)
    width = max((len(row) for row in rows), default=0)
    columns = _column_heads(rows[:count], width, around)
    body = [row for row in rows[count:] if not _is_section(row)]
    roles = column_roles(columns, body, style)
    corner = read_head(rows[0][0].text) if count and rows[0] else NOTHING
    reader = _Reader(columns=columns, roles=roles)
    for index in range(count, len(rows)):
        reader.take(index, rows[index])
    return Grid(corner=corner, columns=columns, roles=roles, rows=tuple(reader.rows))


def _head_count(block: Block) -> int:
    """Return how many first rows are heads, also where the reader saw fewer."""
    count = block.head
    for place, row in enumerate(block.rows[count:_MOST_HEADS], count):
        texts = [cell.text for cell in row[1:]]
        if _is_upper_line(block.rows, place):
            count += 1
            continue
        if any(holds_value(text) for text in texts) or not any(texts) or _is_section(row):
            break
        if row[0].text and not any(read_head(text).speaks for text in texts if text):
            break
        count += 1
    return min(count, max(len(block.rows) - 1, 0))


def _is_upper_line(rows: Sequence[Sequence[Cell]], place: int) -> bool:
    """Say whether a row is the first line of heads that run over two: `95%` over `interval`."""
    below = rows[place + 1] if place + 1 < len(rows) else ()
    if place or not below or rows[place][0].text or not below[0].text:
        return False
    texts = [cell.text for cell in below[1:] if cell.text]
    said = [read_head(text) for text in texts]
    return (
        len(texts) > 1
        and not any(map(holds_value, texts))
        and any(head.speaks or head.role for head in said)
    )


def _is_section(row: Sequence[Cell]) -> bool:
    """Say whether a row has words in its first cell and nothing behind it."""
    own = [cell for cell in row if cell.text and cell.span != 0]
    first = bool(row) and bool(row[0].text) and not holds_value(row[0].text)
    alone = len(own) == 1 and len(row) > 1
    return first and alone and own[0] is row[0]


def _column_heads(
    rows: Sequence[Sequence[Cell]], width: int, around: str
) -> tuple[tuple[Head, ...], ...]:
    """Return the heads of each column, the lowest first, numbers bound to what they count."""
    columns: list[tuple[Head, ...]] = []
    for column in range(width):
        named = [row for row in reversed(rows) if column < len(row) and row[column].text]
        if len(named) > 1 and _is_lower_line(named[0][column].text, named[1][column]):
            text = f"{named[1][column].text} {named[0][column].text}"
            upper = [_numbered(row, column, around) for row in named[2:]]
            columns.append((read_head(text), *upper))
            continue
        columns.append(tuple(_numbered(row, column, around) for row in named))
    return tuple(columns)


def _is_lower_line(text: str, above: Cell) -> bool:
    """Say whether a head only goes on with the one above it: `interval` under `95%`.

    One that spans several columns is a title of its own, unless it cannot end so: `Test, last`.
    What is headed `n` counts runs, whatever stands above it.
    """
    goes_on = above.span == 1 or bool(_OPEN_END.search(above.text))
    return goes_on and text != "n" and text[0].islower()


def _numbered(row: Sequence[Cell], column: int, around: str) -> Head:
    """Read a head; one that is a bare number gets its meaning from the corner or the caption."""
    text = row[column].text
    value = number_of(text)
    if value is None or column == 0:
        return read_head(text)
    corner = row[0].text
    head = read_head(corner)
    if head.role == "setting":
        return Head(text=text, label=f"{corner}={text}")
    slots = [head.role] if head.role in COUNTED else _counting(corner)
    if not slots and sum(number_of(cell.text) is not None for cell in row) > 1:
        slots = _counting(around)
    if len(slots) != 1:
        return Head(text=text, role="other")
    mention = Mention(0, len(text), slots[0], f"{value.normalize():f}")
    return Head(text=text, mentions=(mention,))


def _counting(text: str) -> list[str]:
    return [slot for slot, pattern in _CORNER_WORD.items() if pattern.search(text)]


@dataclass(slots=True)
class _Reader:
    """The body, row by row: what stands above a row and still counts for it."""

    columns: tuple[tuple[Head, ...], ...]
    roles: tuple[str, ...]
    rows: list[Row] = field(default_factory=list)
    section: Head = NOTHING
    last: dict[int, str] = field(default_factory=dict)
    covered: dict[str, int] = field(default_factory=dict)
    recent: tuple[str, ...] = ()
    strange: bool = False

    def take(self, index: int, cells: Sequence[Cell]) -> None:
        """Read one row of the body, or remember what it says of those below."""
        if _is_section(cells):
            self.section = read_head(cells[0].text)
            self.last.clear()
            self.covered.clear()
            self.recent = ()
            return
        texts = [cell.text for cell in cells[1:]]
        if not any(holds_value(t) for t in texts) and sum(map(bool, texts)) > 1:
            again = [read_head(t) for t in texts if t]
            if all(head.speaks for head in again):
                heads = _column_heads([cells], len(self.columns), "")
                self.columns = tuple(h or old for h, old in zip(heads, self.columns, strict=True))
            else:
                self._labels(cells)  # a run without values may name the group of those below
            return
        self.rows.append(self._row(index, cells))

    def _row(self, index: int, cells: Sequence[Cell]) -> Row:
        labels, settings, counted = self._labels(cells)
        summary = any(h.values("aggregate") for h in labels) and not any(h.label for h in labels)
        inherited = ""
        if summary and len(self.covered) and not counted.keys() - {"n"}:
            # The name of several rows: of a group, or of its runs one by one.
            inherited = next((name for name in self.recent if self.covered[name] > 1), "")
        else:
            self._cover([h.label for h in labels if h.label])
        entries = [
            Entry(column=c, cell=cell, heads=self.columns[c], role=self.roles[c])
            for c, cell in enumerate(cells)
            if self.roles[c] != "label"
            and cell.text
            and cell.span != 0
            and not self._counts(c, cell)
        ]
        return Row(
            index=index,
            number=len(self.rows) + 1,
            labels=labels,
            counted=counted,
            settings=settings,
            section=self.section,
            inherited=inherited,
            strange=self.strange,
            entries=tuple(entries),
        )

    def _cover(self, names: Sequence[str]) -> None:
        """Count the rows of a label, and of the first of several."""
        if not names:
            self.covered = {}
        self.recent = tuple(dict.fromkeys((", ".join(names), *names[:1]))) if names else ()
        for name in self.recent:
            self.covered[name] = self.covered.get(name, 0) + 1

    def _counts(self, column: int, cell: Cell) -> bool:
        """Say whether a cell numbers its row, and is no value."""
        role = self.roles[column]
        chosen = any(h.values("selection") for h in self.columns[column])
        return role in {"seed", "n", "setting"} or (
            role == "epoch" and not chosen and numbers_rows(role, cell.text)
        )

    def _is_of_row(self, role: str) -> bool:
        """Say whether a counter is that of its row: groups side by side have each its own moment.

        A table that is printed in two halves has the same heads twice.
        """
        if role not in {"epoch", "step"}:
            return True
        places = [column for column, own in enumerate(self.roles) if own == role]
        return len({tuple(head.text for head in self.columns[c]) for c in places}) == 1

    def _labels(
        self, cells: Sequence[Cell]
    ) -> tuple[tuple[Head, ...], tuple[str, ...], dict[str, Decimal]]:
        """Return the labels, settings and counters of a row; merged cells are filled."""
        labels, settings, counted = [], [], {}
        summary = self.strange = False
        named = sum(self.roles[c] == "label" and bool(one.text) for c, one in enumerate(cells))
        for column, cell in enumerate(cells):
            role, text = self.roles[column], cell.text
            if role == "label":
                # What sums up the runs of a group is none of them.
                text = text or ("" if summary else self.last.get(column, ""))
                if cell.text:
                    head = read_label(cell.text, self.columns[column])
                    # `ep len mean` beside the name of a group is what was measured.
                    measured = named > 1 and bool(head.values("metric"))
                    summary |= bool(head.values("aggregate")) and not head.label and not measured
                    if not summary:
                        self.last[column] = cell.text
                if text:
                    labels.append(read_label(text, self.columns[column]))
                    self.strange |= is_unknown_metric(labels[-1], self.columns[column])
            elif role == "setting" and text:
                heads = self.columns[column]
                settings.append(f"{heads[0].text}={text}" if heads else text)
            elif role in {"n", *COUNTED} and text:
                value = number_of(text)
                if value is not None:
                    if self._is_of_row(role):
                        counted[role] = value
                elif not holds_value(text):
                    labels.append(read_head(text))
        return tuple(labels), tuple(settings), counted
