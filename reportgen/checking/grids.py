"""Tables that print a part of a table of the evidence, whatever their rows and columns are called.

The rows of such a table are objects of one file and its columns their fields, or the other way
round. Which object a row is, its other numbers say; which field a column is, the numbers above and
below. So each number is held against one value, by two votes that know nothing of it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from reportgen.checking.catalogue import Catalogue, Reading, Time, metric_fits
from reportgen.checking.causes import cause_of_reading
from reportgen.checking.context import Claiming
from reportgen.checking.leaves import Leaves, leaves_of
from reportgen.checking.printed import SCALES, Form, ends_of, form_of, is_close, is_printed, spell
from reportgen.checking.verdicts import denied, verdict_on
from reportgen.checking.words import words_of
from reportgen.records.record import record, replace
from reportgen.records.verdict import Number, Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["grid_verdicts"]

RULE = "series"
_LEAST_CELLS, _MOST_CELLS = 4, 4000
_MOST_SOURCES = 6
_MOST_OPTIONS = 200
"""A number that stands in so many places of a file says nothing of where it stands."""
_ROUNDS = 3
_SHARE, _BITS = 0.6, 4.0
_SURE, _SURE_SHARE = 3, 0.75
"""Other numbers of a row and a column that have to agree for one to be told, and their share."""
_BOUND, _RIVAL = 3.0, 2.0
"""What has to speak for a row and for a column, and how much less for what may be meant as well."""
_NAMED = 1.5
"""What words that fit count at most; they count as much against what they do not fit."""


class _Field(NamedTuple):
    """What a column may show of each object."""

    family: str
    time: Time
    aggregate: str
    scale: float


_Option = tuple[tuple[int, ...], _Field]


class _Cell(NamedTuple):
    """A number, where it stands, and the values of a file that are printed so."""

    number: Number
    form: Form
    place: tuple[object, object]
    weight: float
    options: frozenset[_Option]


Votes = Mapping[object, Mapping[object, float]]
"""Of each row, or column: what speaks for each object, or field, as -log10 of the odds."""


class _Held(NamedTuple):
    """A number with the value at its row and column, in its unit."""

    cell: _Cell
    reading: Reading
    scale: float

    @property
    def agrees(self) -> bool:
        """Whether the value is printed so."""
        return is_printed(self.cell.form, self.reading.value * self.scale)


@record
class _Grid:
    """What the numbers of a table are.

    Attributes:
        held: The numbers of bound rows and columns.
        votes: For the objects of rows, and for the fields of columns.
        bits: How unlikely the agreement is by chance, as -log10, less what was chosen.
    """

    held: tuple[_Held, ...]
    votes: tuple[Votes, Votes]
    bits: float


def grid_verdicts(
    numbers: Sequence[Claiming], catalogue: Catalogue
) -> Iterator[tuple[str, Verdict]]:
    """Yield the ids of numbers of tables that are parts of the evidence, with their verdicts.

    Args:
        numbers: All numbers of a report.
        catalogue: The evidence.
    """
    tables: dict[int, list[Number]] = {}
    for one in numbers:
        if one.number.row is not None and not one.reason:
            tables.setdefault(one.number.block, []).append(one.number)
    for cells in tables.values():
        if _LEAST_CELLS <= len(cells) <= _MOST_CELLS:
            grids = [*_grids(cells, leaves_of(catalogue), catalogue)]
            if grids:
                best = max(grids, key=lambda one: one.bits)
                yield from _verdicts(best, catalogue)


def _grids(cells: Sequence[Number], leaves: Leaves, catalogue: Catalogue) -> Iterator[_Grid]:
    """Yield what a table may be a part of: of each file, and either way round."""
    forms = [form_of(one.printed) for one in cells]
    standing = [_standing(form, leaves) for form in forms]
    sources: Counter[int] = Counter()
    for places in standing:
        there = np.unique(leaves.sources[np.concatenate([*places.values()])]) if places else ()
        sources.update(dict.fromkeys(map(int, there), 1))
    for source, count in sources.most_common(_MOST_SOURCES):
        if count < max(_LEAST_CELLS, _SHARE * len(cells) / 2):
            break
        inside = leaves.sources == source
        for across in (False, True):
            found = [
                _cell(number, form, places, inside, leaves, across=across)
                for number, form, places in zip(cells, forms, standing, strict=True)
            ]
            grid = _grid(_allowed(found, catalogue, across=across), catalogue, across=across)
            if grid is not None:
                yield grid


def _standing(form: Form, leaves: Leaves) -> dict[float, NDArray[np.int64]]:
    """Return the leaves that are printed so, in each unit."""
    found = {}
    for scale in SCALES:
        if scale == SCALES[1] and not (form.percent or form.value > 1.0):
            continue
        places = leaves.between(*ends_of(form, scale))
        if len(places):
            found[scale] = places
    return found


def _cell(
    number: Number,
    form: Form,
    standing: Mapping[float, NDArray[np.int64]],
    inside: NDArray[np.bool_],
    leaves: Leaves,
    *,
    across: bool,
) -> _Cell:
    """Return a number of a table with the values of one file that are printed so."""
    own = [(scale, at) for scale, places in standing.items() for at in places[inside[places]]]
    options = set()
    for scale, at in own if len(own) <= _MOST_OPTIONS else ():
        one = leaves.readings[at]
        options.add((one.runs, _Field(one.family, one.time, one.aggregate, scale)))
    row, column = number.row, (number.column, number.part)
    return _Cell(
        number=number,
        form=form,
        place=(column, row) if across else (row, column),
        weight=-math.log10((len(own) + 0.5) / (int(inside.sum()) * len(SCALES) + 1)),
        options=frozenset(options),
    )


def _texts(cell: _Cell, *, across: bool) -> tuple[str, str]:
    """Return what the object and the field of a number are called."""
    context = cell.number.context
    return (context.head, context.row) if across else (context.row, context.head)


def _allowed(cells: Sequence[_Cell], catalogue: Catalogue, *, across: bool) -> list[_Cell]:
    """Return numbers without the values that the words of their column do not allow."""
    found = []
    for cell in cells:
        allowed = catalogue.allowed(words_of(_texts(cell, across=across)[1]))
        options = (one for one in cell.options if one[1].family in allowed)
        found.append(cell._replace(options=frozenset(options)))
    return found


def _named(cells: Sequence[_Cell], catalogue: Catalogue, *, across: bool) -> tuple[Votes, Votes]:
    """Return what the names of rows speak for, and those of columns."""
    objects = {option[0] for cell in cells for option in cell.options}
    fields = {option[1] for cell in cells for option in cell.options}
    runs = tuple(sorted({run for one in objects for run in one}))
    votes: tuple[dict[object, dict[object, float]], ...] = ({}, {})
    for cell in cells:
        name, text = _texts(cell, across=across)
        if cell.place[0] not in votes[0]:
            called = {*catalogue.called_among(name, runs)} if len(runs) > 1 else set()
            votes[0][cell.place[0]] = _fitting(objects, {o for o in objects if {*o} <= called})
        if cell.place[1] not in votes[1]:
            words = words_of(text)
            fit = {o for o in fields if metric_fits(words, catalogue.families[o.family])}
            votes[1][cell.place[1]] = _fitting(fields, fit)
    return votes[0], votes[1]


def _fitting(every: Collection[object], fit: Collection[object]) -> dict[object, float]:
    """Return what words speak for those that they fit, and against the others."""
    told = min(_NAMED, math.log10(len(every) / len(fit))) if fit else 0.0
    return {one: told if one in fit else -told for one in every}


def _elect(
    cells: Sequence[_Cell],
    side: int,
    votes: Votes,
    given: Mapping[object, object] | None = None,
) -> dict[object, dict[object, float]]:
    """Return for each row (side 0), or column (1), what speaks for each object, or field.

    Args:
        cells: Of the table.
        side: Of the place of a number, and of its options.
        votes: Of the names.
        given: What the other side is taken for; where it is not known, anything.
    """
    found: dict[object, dict[object, float]] = {}
    for cell in cells:
        other = given.get(cell.place[1 - side]) if given is not None else None
        if given is not None and other is None:
            continue
        fit = (one for one in cell.options if given is None or one[1 - side] == other)
        count = found.setdefault(cell.place[side], {})
        for option in {one[side] for one in fit}:
            named = votes[cell.place[side]].get(option, 0.0)
            count[option] = count.get(option, named) + cell.weight
    return found


def _chosen(votes: Votes) -> dict[object, object]:
    return {
        place: min(count, key=lambda one: (-count[one], str(one)))
        for place, count in votes.items()
        if count
    }


def _grid(cells: Sequence[_Cell], catalogue: Catalogue, *, across: bool) -> _Grid | None:
    """Return the rows and columns for which most speaks, or None where chance explains them."""
    named = _named(cells, catalogue, across=across)
    rows = _elect(cells, 0, named[0])
    columns: dict[object, dict[object, float]] = {}
    for _ in range(_ROUNDS):
        columns = _elect(cells, 1, named[1], _chosen(rows))
        rows = _elect(cells, 0, named[0], _chosen(columns))
    chosen = _chosen(rows), _chosen(columns)
    held = [*_held(cells, *chosen, catalogue)]
    for _ in range(_ROUNDS):
        bound = [{*_bound(held, side, votes)} for side, votes in enumerate((rows, columns))]
        held = [one for one in held if all(one.cell.place[i] in bound[i] for i in (0, 1))]
    found = [one.cell for one in held if one.agrees]
    # The same number again tells nothing, nor does zero.
    unlike = {(cell.place[1], cell.form.value): cell.weight for cell in found if cell.form.value}
    bits = sum(unlike.values())
    for side in (0, 1):
        count = len({option[side] for cell in cells for option in cell.options})
        places = {cell.place[side] for cell in found}
        names = sum(max(0.0, named[side][one].get(chosen[side][one], 0.0)) for one in places)
        bits += names - len(places) * math.log10(max(2, count))
    if bits < _BITS or len(found) < max(_LEAST_CELLS, _SHARE * len(held)):
        return None
    return _Grid(held=tuple(held), votes=(rows, columns), bits=bits)


def _held(
    cells: Sequence[_Cell],
    rows: Mapping[object, object],
    columns: Mapping[object, object],
    catalogue: Catalogue,
) -> Iterator[_Held]:
    """Yield each number with the value at its row and column."""
    for cell in cells:
        runs, field = rows.get(cell.place[0]), columns.get(cell.place[1])
        if isinstance(runs, tuple) and isinstance(field, _Field):
            reading = _read(runs, field, catalogue)
            if reading is not None:
                yield _Held(cell, reading, field.scale)


def _read(runs: tuple[int, ...], field: _Field, catalogue: Catalogue) -> Reading | None:
    return catalogue.read(catalogue.families[field.family], runs, field.time, field.aggregate)


def _bound(held: Sequence[_Held], side: int, votes: Votes) -> Iterator[object]:
    """Yield the rows, or columns, for which enough speaks; of two numbers one may differ."""
    for place, (every, agreed) in _counted(held, side).items():
        enough = max(votes[place].values()) >= _BOUND and any(agreed)
        if enough and len(agreed) >= (_SHARE * every if every > 2 else 1):
            yield place


def _counted(held: Sequence[_Held], side: int) -> dict[object, tuple[int, list[float]]]:
    """Return of each row, or column, how many numbers have a value, and those that agree."""
    found: dict[object, tuple[int, list[float]]] = {}
    for one in held:
        every, agreed = found.get(one.cell.place[side], (0, []))
        found[one.cell.place[side]] = every + 1, agreed + [one.cell.form.value] * one.agrees
    return found


def _verdicts(grid: _Grid, catalogue: Catalogue) -> Iterator[tuple[str, Verdict]]:
    counted = [_counted(grid.held, side) for side in (0, 1)]
    for one in grid.held:
        number, trace = one.cell.number, catalogue.trace(one.reading)
        verdict = verdict_on(
            number, RULE, quote=_quote(number), bindings=("vote", "key"), traces=(trace,)
        )
        if one.agrees:
            yield number.id, verdict
            continue
        right = one.reading.value * one.scale
        if number.printed.decimals <= 0 or is_close(one.cell.form, right):
            continue
        of_lines = [counted[side][one.cell.place[side]] for side in (0, 1)]
        sure = all(
            len({*agreed} - {0.0}) >= _SURE and len(agreed) >= _SURE_SHARE * every
            for every, agreed in of_lines
        )
        cause = cause_of_reading(one.cell.form, one.reading, one.scale, catalogue, wide=True)
        if cause and (sure or (cause.slipped and _is_meant(one, grid, catalogue))):
            expected = spell(right, number.printed.decimals)
            wrong = denied(number, RULE, trace, expected, _quote(number))
            wrong = replace(wrong, cause=cause.words)
            yield number.id, replace(wrong, level="error", bindings=("vote", "key"))


def _is_meant(one: _Held, grid: _Grid, catalogue: Catalogue) -> bool:
    """Say whether enough speaks for the row and the column of a number, and no other bears it."""
    best = [_chosen(grid.votes[side])[one.cell.place[side]] for side in (0, 1)]
    for side in (0, 1):
        votes = grid.votes[side][one.cell.place[side]]
        if votes[best[side]] < _BOUND:
            return False
        for other in (o for o, bits in votes.items() if bits > votes[best[side]] - _RIVAL):
            runs, field = (other, best[1]) if side == 0 else (best[0], other)
            found = _read(runs, field, catalogue)  # type: ignore[arg-type]
            if found is not None and is_printed(one.cell.form, found.value * field.scale):  # type: ignore[attr-defined]
                return False
    return True


def _quote(number: Number) -> str:
    context = number.context
    return " | ".join(text for text in (context.row, context.head, context.sentence) if text)
