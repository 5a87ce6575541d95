"""All claims of a report: every finder's, one owner a number, and the numbers left over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from reportgen.checking.numbers._digits import NumberStyle
from reportgen.checking.numbers._kept import forget
from reportgen.checking.numbers._no_claim import non_claim_spans
from reportgen.checking.numbers._numbers import find_numbers
from reportgen.claims import FINDERS
from reportgen.claims._counters import counters
from reportgen.claims._grid import read_grid
from reportgen.claims._run_names import among
from reportgen.claims._whole import style_of
from reportgen.records.claim import Claim, Printed, Statement
from reportgen.records.manuscript import Block, Manuscript, Place

FORMULAS = frozenset(
    {"equation", "equation_symbolic", "arch_formula", "lora_formula", "arch_shape"}
)
"""Kinds whose words are made of numbers: those inside belong to them."""
_BOTH = frozenset({("equation", "param_count"), ("param_count", "equation")})
"""A result may be right as arithmetic and still not the number of anything."""
_COUNTED = frozenset({"seed", "epoch", "step"})
_LABELS = frozenset({*_COUNTED, "level", "ddof"})
_SILENT = frozenset({"code", "output", "reference"})
_NUMBER = "number"


@dataclass(slots=True)
class _Owners:
    """Which finder owns each character of a block, from 1; 0 is nobody.

    Attributes:
        numbers: Of the characters of a claim's own number.
        formulas: Of the characters inside a formula.
        kinds: Kind of the claim that owns a number, by each of its characters.
        sentences: Of the characters of claims without a number, by their kind.
    """

    numbers: list[int]
    formulas: list[int]
    kinds: dict[int, str] = field(default_factory=dict)
    sentences: dict[str, list[int]] = field(default_factory=dict)


def collect(manuscript: Manuscript) -> tuple[tuple[Claim, ...], int]:
    """Return every claim in reading order, and how many numbers the report prints.

    A number that two finders see belongs to the first of the table. One that none sees is a
    claim of kind `number` with its reason, unless it only counts sections, seeds, epochs.

    Example:
        >>> from reportgen.records.manuscript import Line
        >>> line = Line(text="Seed 1 reaches a test accuracy of 79.9, and 12 apples.", number=1)
        >>> report = Manuscript(path="r.md", format="markdown", sha256="",
        ...                     blocks=(Block(type="paragraph", lines=(line,)),))
        >>> claims, count = collect(report)
        >>> [(c.id, c.kind, c.printed.text) for c in claims], count
        ([('c1', 'metric_value', '79.9'), ('c2', 'number', '12')], 3)
    """
    forget()
    with among(manuscript.group_names):
        return _collect(manuscript)


def _collect(manuscript: Manuscript) -> tuple[tuple[Claim, ...], int]:
    style = style_of(manuscript)
    owners = {
        index: _Owners([0] * (len(block.text) + 1), [0] * (len(block.text) + 1))
        for index, block in enumerate(manuscript.blocks)
    }
    kept: list[Claim] = []
    for rank, name in enumerate(FINDERS, start=1):
        found = FINDERS.load(name)(manuscript)
        accepted = [claim for claim in found if _is_free(claim, rank, owners[claim.block])]
        for claim in accepted:
            _mark(claim, rank, owners[claim.block])
        kept += accepted
    count = 0
    for index, block in enumerate(manuscript.blocks):
        numbers = tuple(_numbers(block, style))
        count += len(numbers)
        kept += _left_over(index, block, numbers, owners[index])
    order = sorted(range(len(kept)), key=lambda i: (kept[i].block, kept[i].start, kept[i].end, i))
    return tuple(replace(kept[i], id=f"c{n}") for n, i in enumerate(order, start=1)), count


def _is_free(claim: Claim, rank: int, owners: _Owners) -> bool:
    """Say whether no finder before this one owns what a claim is about."""
    if claim.printed is None:
        taken = owners.sentences.get(claim.kind, [])[claim.start : claim.end]
        return not set(taken) - {0, rank}
    span = _span(claim, len(owners.numbers))
    others = {owners.numbers[i] for i in span} - {0, rank}
    if others:
        kinds = {owners.kinds[i] for i in span if i in owners.kinds}
        return bool(kinds) and all((kind, claim.kind) in _BOTH for kind in kinds)
    inside = {owners.formulas[i] for i in span} - {0, rank}
    return not inside or claim.kind == "param_count"


def _mark(claim: Claim, rank: int, owners: _Owners) -> None:
    """Note what a claim owns."""
    size = len(owners.numbers)
    if claim.kind in FORMULAS:
        for i in range(claim.start, min(claim.end, size)):
            owners.formulas[i] = owners.formulas[i] or rank
    if claim.printed is None:
        words = owners.sentences.setdefault(claim.kind, [0] * size)
        for i in range(claim.start, min(claim.end, size)):
            words[i] = words[i] or rank
        if isinstance(claim.content, Statement):
            for amount in claim.content.amounts:
                _own(owners, amount.start, amount.end, rank)
        return
    span = _span(claim, size)
    for i in span:
        owners.kinds.setdefault(i, claim.kind)
    _own(owners, span.start, span.stop, rank)


def _span(claim: Claim, size: int) -> range:
    """Return the characters of a claim's number: a formula is longer than its result."""
    if claim.kind in FORMULAS and claim.printed is not None and claim.table is None:
        return range(claim.printed.start, min(claim.printed.end, size))
    return range(claim.start, min(claim.end, size))


def _own(owners: _Owners, start: int, end: int, rank: int) -> None:
    for i in range(start, min(end, len(owners.numbers))):
        owners.numbers[i] = owners.numbers[i] or rank


@dataclass(frozen=True, slots=True)
class _Number:
    """A number with where it stands in its block's text.

    Attributes:
        label: Whether it counts a run or a moment, heads a column, or names a row.
        setting: Whether words beside it call it a setting.
        cell: Row and column, in a table.
    """

    printed: Printed
    start: int
    place: Place
    label: bool = False
    setting: bool = False
    cell: tuple[int, int] | None = None


def _numbers(block: Block, style: NumberStyle) -> Iterator[_Number]:
    """Yield the numbers of a block; of a table, cell by cell."""
    if block.type == "table" and block.rows:
        yield from _numbers_of_table(block, style)
        return
    numbers = find_numbers(block.text, style)
    counted = counters(block.text, numbers) if numbers else {}
    for index, number in enumerate(numbers):
        slot = counted[index].slot if index in counted else ""
        place = block.place(number.start, number.end)
        yield _Number(number, number.start, place, slot in _LABELS, slot == "setting")


def _numbers_of_table(block: Block, style: NumberStyle) -> Iterator[_Number]:
    starts: dict[int, int] = {}
    offset = 0
    for line in block.lines:
        starts[id(line)] = offset
        offset += len(line.text) + 1
    grid = read_grid(block, block.caption)
    body = {row.index for row in grid.rows}
    for index, row in enumerate(block.rows):
        for column, cell in enumerate(row):
            if cell.span == 0 or not cell.text:
                continue
            named = column == 0 or grid.roles[column] in {"label", "n", *_COUNTED}
            for number in find_numbers(cell.text, style):
                start = starts.get(id(cell.line), 0) + cell.start + number.start
                place = cell.place(number.start, number.end)
                label = index not in body or named
                yield _Number(number, start, place, label, cell=(index, column))


def _left_over(
    index: int, block: Block, numbers: Sequence[_Number], owners: _Owners
) -> Iterator[Claim]:
    """Yield the numbers of a block that no finder bound, each with its reason."""
    skipped = bytearray(len(owners.numbers))
    for first, last, _ in non_claim_spans(block):
        skipped[first:last] = b"\1" * (min(last, len(skipped)) - first)
    size = len(owners.numbers)
    for number in numbers:
        end = number.start + number.printed.end - number.printed.start
        own = range(number.start, min(end, size))
        # The word `one` that nothing binds is an article.
        article = number.printed.word and number.printed.value == 1
        if number.label or article or any(owners.numbers[i] or owners.formulas[i] for i in own):
            continue
        if any(skipped[number.start : end]):
            continue
        row, column = number.cell or (None, None)
        quote = block.text[max(0, number.start - 60) : end + 60]
        yield Claim(
            kind=_NUMBER,
            quote=" ".join(quote.split())[:200],
            place=number.place,
            block=index,
            start=number.start,
            end=end,
            printed=number.printed,
            confidence=0.0,
            reason=_reason(block, number),
            table=index if number.cell else None,
            row=row,
            column=column,
        )


def _reason(block: Block, number: _Number) -> str:
    """Return why nothing binds a number, in a clause."""
    if block.type == "table":
        return "neither its row nor its column says what it measures"
    if block.type in _SILENT:
        return "it stands in program code or in printed output"
    if block.type == "equation":
        return "it is part of a formula that could not be read"
    if number.setting:
        return "it is a setting of no known name"
    return "the words around it do not say what it measures"
