"""Verdicts on the numbers of tables: columns and rows are bound by a vote, then held cell by cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from reportgen.checking.catalogue import Catalogue, Reading
from reportgen.checking.causes import cause_of
from reportgen.checking.context import Claiming
from reportgen.checking.printed import form_of, is_printed, spell
from reportgen.checking.vote import Binding, Item, Line, alternatives, bind
from reportgen.checking.words import Words, words_of
from reportgen.records.record import record, replace
from reportgen.records.verdict import Number, Verdict

__all__ = ["Held", "table_verdicts"]

_MOST_CELLS = 20_000


@record
class Held:
    """A line with what it was bound to."""

    line: Line
    binding: Binding


def table_verdicts(
    numbers: Sequence[Claiming], catalogue: Catalogue, said: Words
) -> dict[str, Verdict]:
    """Return verdicts on numbers of tables by the ids of the numbers.

    Args:
        numbers: All numbers of a report.
        catalogue: The evidence.
        said: What the report says of its definitions as a whole.
    """
    found: dict[str, Verdict] = {}
    tables: dict[int, list[Number]] = {}
    for one in numbers:
        if one.number.row is not None and not one.reason:
            tables.setdefault(one.number.block, []).append(one.number)
    for cells in tables.values():
        held = [
            Held(line=line, binding=binding)
            for line in _lines(cells[:_MOST_CELLS], said)
            if (binding := bind(line, catalogue)) is not None
        ]
        found.update(_judged(held, catalogue))
        for name, verdict in _keys(cells, held, catalogue):
            found.setdefault(name, verdict)
    return found


def _keys(
    cells: Sequence[Number], held: Sequence[Held], catalogue: Catalogue
) -> Iterator[tuple[str, Verdict]]:
    """Yield verdicts on the steps, epochs and seeds by which lines were bound."""
    places = {(one.row, one.column): one for one in cells if one.part == 0}
    for one in held:
        for item, reading in zip(one.line.items, one.binding.readings, strict=True):
            for source in one.binding.sources if reading is not None else ():
                place = _place_of(source, item.number)
                key = places.get(place) if place else None
                if key is not None and reading is not None:
                    yield key.id, _traced(replace(item, number=key), reading, one, catalogue)


def _place_of(source: str, number: Number) -> tuple[int | None, int | None] | None:
    """Return the row and column of the cell that a source of keys names."""
    kind, at = source[0], int(source[1:])
    if kind == "c":
        return number.row, at
    if kind == "r":
        return at, number.column
    return (number.row, 0) if at == 0 else None


def _lines(cells: Sequence[Number], said: Words) -> Iterator[Line]:
    """Yield the columns, then the rows of a table, part by part."""
    columns: dict[tuple[int, int], list[Number]] = {}
    rows: dict[tuple[int, int], list[Number]] = {}
    first: dict[tuple[int, int], Number] = {}
    for number in cells:
        row, column = number.row or 0, number.column or 0
        columns.setdefault((column, number.part), []).append(number)
        rows.setdefault((row, number.part), []).append(number)
        if number.part == 0:
            first[row, column] = number
    for (column, _), members in columns.items():
        yield _line(members, members[0].context.head, said, _left_of(first, column))
    for (row, _), members in rows.items():
        others = {place: one for place, one in first.items() if place[0] != row}
        yield _line(members, members[0].context.row, said, _above(others, row), across=True)


Keys = Mapping[int, tuple[tuple[str, float], ...]]


def _left_of(first: Mapping[tuple[int, int], Number], column: int) -> Keys:
    """Return for each row the numbers of the other columns, the nearest to the left first."""
    keys: dict[int, list[tuple[int, str, float]]] = {}
    for (row, other), number in first.items():
        if other != column:
            distance = column - other if other < column else 1000 + other - column
            keys.setdefault(row, []).append((distance, f"c{other}", float(number.printed.value)))
    return {row: tuple((s, v) for _, s, v in sorted(found)[:6]) for row, found in keys.items()}


def _above(others: Mapping[tuple[int, int], Number], row: int) -> Keys:
    """Return for each column the numbers of the first rows of the table."""
    keys: dict[int, list[tuple[int, str, float]]] = {}
    for (other, column), number in others.items():
        if other < row:
            keys.setdefault(column, []).append((other, f"r{other}", float(number.printed.value)))
    return {column: tuple((s, v) for _, s, v in sorted(f)[:2]) for column, f in keys.items()}


def _line(
    members: Sequence[Number], text: str, said: Words, keys: Keys, *, across: bool = False
) -> Line:
    items = []
    for number in members:
        name = number.context.head if across else number.context.row
        place = (number.column if across else number.row) or 0
        own = tuple((f"w{i}", value) for i, value in enumerate(_numbers_in(name)))
        items.append(
            Item(
                number=number,
                form=form_of(number.printed),
                name=name,
                keys=(*own, *keys.get(place, ())),
            )
        )
    caption = members[0].context.caption
    words = words_of(text)
    about = words_of(caption)
    if words.metrics or words.aggregates:
        about = Words(splits=about.splits, definitions=about.definitions)
    words = words.or_else(about).or_else(Words(definitions=said.definitions))
    spread = all(number.spread for number in members)
    return Line(text=text, words=words, items=tuple(items), spread=spread, caption=caption)


def _numbers_in(name: str) -> list[float]:
    from reportgen.checking.numbers import find_numbers

    return [float(printed.value) for printed in find_numbers(name)][:2]


def _judged(held: Sequence[Held], catalogue: Catalogue) -> dict[str, Verdict]:
    """Return a verdict for each number of bound lines; where two lines differ, the better one's."""
    found: dict[str, tuple[float, Verdict]] = {}
    for one in sorted(held, key=lambda held: -held.binding.score):
        for name, verdict in _of_line(one, catalogue):
            old = found.get(name)
            if old is None or (old[1].outcome == "contradicted" and verdict.outcome == "traced"):
                found[name] = one.binding.score, verdict
    return {name: verdict for name, (_, verdict) in found.items()}


def _of_line(one: Held, catalogue: Catalogue) -> Iterator[tuple[str, Verdict]]:
    line, binding = one.line, one.binding
    for index in binding.hits:
        reading = binding.readings[index]
        if reading is not None:
            yield line.items[index].number.id, _traced(line.items[index], reading, one, catalogue)
    for index in binding.misses:
        item, reading = line.items[index], binding.readings[index]
        if reading is None:
            continue
        other = _other_reading(one, index, catalogue)
        if other is not None:
            yield item.number.id, _traced(item, other, one, catalogue)
        else:
            yield item.number.id, _contradicted(item, reading, one, catalogue)


def _other_reading(one: Held, index: int, catalogue: Catalogue) -> Reading | None:
    """Return another legal reading with which a number agrees, unless chance would find one."""
    form = one.line.items[index].form
    readings = list(alternatives(one.binding, index, one.line, catalogue))
    definitions = one.line.words.definitions
    barred = {"sample": "pstd", "population": "std"}
    wrong = {barred[said] for said in definitions} if len(definitions) == 1 else set()
    for reading in readings:
        scale = one.binding.scale
        if reading.aggregate not in wrong and is_printed(form, reading.value * scale):
            return reading
    return None


def _traced(item: Item, reading: Reading, one: Held, catalogue: Catalogue) -> Verdict:
    return Verdict(
        outcome="traced",
        rule="series",
        place=item.number.place,
        number=item.number,
        quote=_quote(item),
        bindings=("vote", *sorted(one.binding.by)),
        traces=(catalogue.trace(reading),),
    )


def _contradicted(item: Item, reading: Reading, one: Held, catalogue: Catalogue) -> Verdict:
    binding = one.binding
    scale = binding.scale
    expected = spell(reading.value * scale, item.number.printed.decimals)
    trace = catalogue.trace(reading)
    cause = cause_of(item, reading, one.line, binding, catalogue)
    bindings = ("vote", *sorted(binding.by))
    printed = item.number.printed.text
    return Verdict(
        outcome="contradicted",
        rule="series",
        place=item.number.place,
        number=item.number,
        quote=_quote(item),
        level="error" if len(bindings) > 1 else "warning",
        bindings=bindings,
        traces=(trace,),
        expected=expected,
        cause=cause,
        message=f"{printed} is printed; the evidence has {expected} ({trace.what})",
    )


def _quote(item: Item) -> str:
    context = item.number.context
    return " | ".join(t for t in (context.row, context.head, context.sentence) if t)[:200]
