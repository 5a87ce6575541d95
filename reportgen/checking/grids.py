"""Tables that print a part of a table of the evidence, whatever their rows and columns are called.

The rows of such a table are objects of one file and its columns their fields, or the other way
round. Which object a row is, its other numbers say; which field a column is, the numbers above and
below. So each number is held against one value, by two votes that know nothing of it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from reportgen.checking.catalogue import Catalogue, Reading, Time, metric_fits
from reportgen.checking.causes import cause_of_reading, is_slipped
from reportgen.checking.context import Claiming
from reportgen.checking.leaves import Leaves, leaves_of
from reportgen.checking.verdicts import (
    SCALES,
    Form,
    denied,
    ends_of,
    form_of,
    is_close,
    is_printed,
    quote_of,
    spell,
    verdict_on,
)
from reportgen.checking.words import names_of, words_of
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

    keys: tuple[str, ...]
    family: str
    time: Time
    aggregate: str


_KEYS = (0, 1, 2, -1)
"""Positions of the keys that may name an object."""
Key = Hashable
"""Where a row, or a column, stands in a table."""
_Option = tuple[int, int]
"""What a row is taken for, an object, and a column: a field in a unit; both by their numbers."""


class _Cell(NamedTuple):
    """A number, where it stands, and the values of a file that are printed so."""

    number: Number
    form: Form
    place: tuple[Key, Key]
    weight: float
    options: frozenset[_Option]


Votes = Mapping[Key, Mapping[int, float]]
"""Of each row, or column: what speaks for each object, or field, as -log10 of the odds."""


@record(eq=False)
class _View:
    """The leaves of the evidence as objects with fields.

    Attributes:
        source: Of each leaf, number of the file, or files, that a table is a part of; -1 for none.
        places: Of each leaf: its object and its field, in the first unit.
        at: The same to the leaf.
        things: Words of each object.
        fields: Each field, with its words and the same field at the end of a run.
    """

    source: NDArray[np.int64]
    places: Sequence[_Option]
    at: Mapping[_Option, int]
    things: Sequence[frozenset[str]]
    fields: Sequence[tuple[_Field, frozenset[str], int]]

    def family_of(self, field: int) -> str:
        """Return the family of a field."""
        return self.fields[field // _UNITS][0].family


class _Held(NamedTuple):
    """A number with the value at its row and column, in its unit.

    It has slipped if it is that value but for a digit, which other numbers hardly are.
    """

    cell: _Cell
    reading: Reading
    scale: float
    slipped: bool

    @property
    def agrees(self) -> bool:
        """Whether the value is printed so."""
        return is_printed(self.cell.form, self.reading.value * self.scale)


@record(eq=False)
class _Reader:
    """What the objects of a view have in their fields."""

    view: _View
    leaves: Leaves
    catalogue: Catalogue

    def read(self, thing: int, field: int) -> Reading | None:
        """Return a value; of a run also where another moment has the same one."""
        at = self.view.at.get((thing, field - field % _UNITS))
        if at is not None:
            return self.leaves.readings[at]
        shown, _, ending = self.view.fields[field // _UNITS]
        last = self.view.at.get((thing, ending))
        if last is None:
            return None
        family, runs = self.catalogue.families[shown.family], self.leaves.readings[last].runs
        return self.catalogue.read(family, runs, shown.time, shown.aggregate)


_LAST = Time(kind="last")
_UNITS = len(SCALES)


@record(eq=False)
class _Grid:
    """What the numbers of a table are.

    Attributes:
        held: The numbers of bound rows and columns.
        sizes: Of each column: how many numbers it has in all.
        votes: For the objects of rows, and for the fields of columns.
        bits: How unlikely the agreement is by chance, as -log10, less what was chosen.
        reader: Of the values.
    """

    held: tuple[_Held, ...]
    sizes: Mapping[Key, int]
    votes: tuple[Votes, Votes]
    bits: float
    reader: _Reader


def grid_verdicts(
    numbers: Sequence[Claiming], known: Mapping[str, Verdict], catalogue: Catalogue
) -> Iterator[tuple[str, Verdict]]:
    """Yield the ids of numbers of tables that are parts of the evidence, with their verdicts.

    Args:
        numbers: All numbers of a report.
        known: Verdicts by the ids of the numbers; a table all of which is traced is passed over.
        catalogue: The evidence.
    """
    tables: dict[int, list[Number]] = {}
    for one in numbers:
        if one.number.row is not None and not one.reason:
            tables.setdefault(one.number.block, []).append(one.number)
    for cells in tables.values():
        verdicts = (known.get(one.id) for one in cells)
        traced = all(one is not None and one.outcome == "traced" for one in verdicts)
        if not traced and _LEAST_CELLS <= len(cells) <= _MOST_CELLS:
            grids = [*_grids(cells, leaves_of(catalogue), catalogue)]
            found: dict[str, Verdict] = {}
            for grid in sorted(grids, key=lambda one: -one.bits):
                for name, verdict in _verdicts(grid, catalogue):
                    if found.setdefault(name, verdict).outcome != "traced" == verdict.outcome:
                        found[name] = verdict
            yield from found.items()


_made: WeakKeyDictionary[Catalogue, tuple[_View, ...]] = WeakKeyDictionary()


def _views_of(leaves: Leaves, catalogue: Catalogue) -> tuple[_View, ...]:
    """Return the ways in which the evidence is objects with fields, made once.

    An object is a run, or what one of its keys names: then the other keys are of the field.
    """
    if catalogue not in _made:
        ways: tuple[_Way, ...] = (_by_run, *(partial(_by_key, at) for at in _KEYS), _by_file)
        views = [_view(leaves, catalogue, way) for way in ways]
        _made[catalogue] = tuple(one for one in views if (one.source >= 0).any())
    return _made[catalogue]


_Names = tuple[str, ...]
_Way = Callable[[str, _Names], tuple[str, _Names, _Names] | None]
"""From file and keys to source, object and what of the keys is of the field."""


def _by_run(path: str, keys: _Names) -> tuple[str, _Names, _Names]:
    return path, keys, ()


def _by_key(at: int, path: str, keys: _Names) -> tuple[str, _Names, _Names] | None:
    """Return the object that a key names, by its position; the last key is -1."""
    there = len(keys) > 1 + max(0, at)
    return (path, (keys[at],), keys[:at] + keys[at:][1:]) if there else None


def _by_file(path: str, keys: _Names) -> tuple[str, _Names, _Names] | None:
    return ("", keys, (path,)) if keys else None


def _view(leaves: Leaves, catalogue: Catalogue, way: _Way) -> _View:
    sources: dict[object, int] = {}
    source: list[int] = []
    places: list[_Option] = []
    things: dict[_Names, int] = {}
    fields: dict[_Field, int] = {}
    at: dict[_Option, int] = {}
    for index, one in enumerate(leaves.readings):
        path = catalogue.families[one.family].curves[one.runs[0]].path
        keys = _keys(one, path, catalogue)
        found = way(path, keys) if len(one.runs) == 1 or way is _by_run else None
        source.append(-1)
        places.append((-1, -1))
        if found is None:
            continue
        of, thing, rest = found
        source[-1] = sources.setdefault((of, len(one.runs) > 1), len(sources))
        field = _Field(rest, one.family, one.time, one.aggregate)
        number = fields.setdefault(field, len(fields))
        places[-1] = things.setdefault(thing, len(things)), _UNITS * number
        at.setdefault(places[-1], index)
    called = ((one, f"{' '.join(one.keys)} {one.family} {one.aggregate}") for one in fields)
    ends = (fields.get(one._replace(time=_LAST), -1) for one in fields)
    return _View(
        source=np.array(source),
        places=places,
        at=at,
        things=[names_of(" ".join(one)) for one in things],
        fields=[
            (one, names_of(name), _UNITS * end)
            for (one, name), end in zip(called, ends, strict=True)
        ],
    )


def _keys(reading: Reading, path: str, catalogue: Catalogue) -> _Names:
    """Return what the object of a value is called below its file: a run, or keys of a file."""
    name = catalogue.runs[reading.runs[0]]
    title = name.id if len(reading.runs) == 1 else name.group
    below = title.removeprefix(path).strip() if title.startswith(path) else title
    return (
        tuple(re.split(r"[./]", below)) if below and title != below else (below,) if below else ()
    )


def _grids(cells: Sequence[Number], leaves: Leaves, catalogue: Catalogue) -> Iterator[_Grid]:
    """Yield what a table may be a part of: of each file, and either way round."""
    forms = [form_of(one.printed) for one in cells]
    standing = [_standing(form, leaves) for form in forms]
    for view in _views_of(leaves, catalogue):
        sources: Counter[int] = Counter()
        for places in standing:
            if places:
                sources.update({*view.source[np.concatenate([*places.values()])].tolist()} - {-1})
        for source, count in sources.most_common(_MOST_SOURCES):
            if count < max(_LEAST_CELLS, _SHARE * len(cells) / 2):
                break
            inside = view.source == source
            size = int(inside.sum())
            for across in (False, True):
                found = [
                    _cell(number, form, places, inside, view, size=size, across=across)
                    for number, form, places in zip(cells, forms, standing, strict=True)
                ]
                found = _allowed(found, view, catalogue, across=across)
                grid = _grid(found, view, leaves, catalogue, across=across)
                if grid is not None:
                    yield grid


def _standing(form: Form, leaves: Leaves) -> dict[int, NDArray[np.int64]]:
    """Return the leaves that are printed so, in each unit by its number."""
    found = {}
    for unit, scale in enumerate(SCALES):
        if unit == 1 and not (form.percent or form.value > 1.0):
            continue
        places = leaves.between(*ends_of(form, scale))
        if len(places):
            found[unit] = places
    return found


def _cell(
    number: Number,
    form: Form,
    standing: Mapping[int, NDArray[np.int64]],
    inside: NDArray[np.bool_],
    view: _View,
    *,
    size: int,
    across: bool,
) -> _Cell:
    """Return a number of a table with the values of one file, of a size, that are printed so."""
    own = [(unit, at) for unit, places in standing.items() for at in places[inside[places]]]
    few = own if len(own) <= _MOST_OPTIONS else ()
    options = ((view.places[at], unit) for unit, at in few)
    row, column = number.row, (number.column, number.part)
    return _Cell(
        number=number,
        form=form,
        place=(column, row) if across else (row, column),
        weight=-math.log10(max((len(own) - 1) / size, min(1 / size, _chance(form)))),
        options=frozenset((thing, field + unit) for (thing, field), unit in options),
    )


def _chance(form: Form) -> float:
    """Return how likely another value of its size is printed as a number."""
    width = max(0.2 * abs(form.value), 20 * form.half)
    # The last place of a number may be too small for one: `1e-400`.
    return min(1.0, 1.5 * form.half / width) if form.half else 1.0


def _texts(cell: _Cell, *, across: bool) -> tuple[str, str]:
    """Return what the object and the field of a number are called."""
    context = cell.number.context
    return (context.head, context.row) if across else (context.row, context.head)


def _allowed(
    cells: Sequence[_Cell], view: _View, catalogue: Catalogue, *, across: bool
) -> list[_Cell]:
    """Return numbers without the values that the words of their column do not allow."""
    found = []
    for cell in cells:
        words = words_of(_texts(cell, across=across)[1])
        # Of a tag that has the words of a head, there may be none in the file of a table.
        allowed = catalogue.allowed(replace(words, tokens=frozenset()))
        options = (one for one in cell.options if view.family_of(one[1]) in allowed)
        found.append(cell._replace(options=frozenset(options)))
    return found


def _named(
    cells: Sequence[_Cell], view: _View, catalogue: Catalogue, *, across: bool
) -> tuple[Votes, Votes]:
    """Return what the names of rows speak for, and those of columns."""
    things = {option[0] for cell in cells for option in cell.options}
    fields = {option[1] for cell in cells for option in cell.options}
    families = {view.family_of(one) for one in fields}
    own: tuple[dict[Key, set[int]], ...] = ({}, {})
    texts: tuple[dict[Key, str], ...] = ({}, {})
    for cell in cells:
        for side, text in enumerate(_texts(cell, across=across)):
            own[side].setdefault(cell.place[side], set()).update(one[side] for one in cell.options)
            texts[side].setdefault(cell.place[side], text)
    called = _Titles({one: view.things[one] for one in things})
    rows = {
        place: _fitting(own[0][place], called.best(text), len(things))
        for place, text in texts[0].items()
    }
    columns = {}
    allowed: dict[frozenset[str], _Titles] = {}
    for place, text in texts[1].items():
        words = words_of(text)
        fit = frozenset(one for one in families if metric_fits(words, catalogue.families[one]))
        if fit not in allowed:
            shown = [one for one in fields if not fit or view.family_of(one) in fit]
            allowed[fit] = _Titles({one: view.fields[one // _UNITS][1] for one in shown})
        best = allowed[fit].best(text) or (allowed[fit].keys if fit else frozenset())
        columns[place] = _fitting(own[1][place], best, len(fields))
    return rows, columns


class _Titles:
    """Objects, or fields, by those words of their titles that not all of them have.

    Attributes:
        keys: All of them.
    """

    def __init__(self, titles: Mapping[int, frozenset[str]]) -> None:
        shared = frozenset.intersection(*titles.values()) if titles else frozenset()
        self.keys = frozenset(titles)
        self._having: dict[str, list[int]] = {}
        for one, title in titles.items():
            for word in title - shared:
                self._having.setdefault(word, []).append(one)

    def best(self, text: str) -> frozenset[int]:
        """Return those that have most words of a text."""
        scores = Counter(one for word in names_of(text) for one in self._having.get(word, ()))
        best = max(scores.values(), default=0)
        return frozenset(one for one, score in scores.items() if score == best)


def _fitting(own: Collection[int], fit: frozenset[int], count: int) -> dict[int, float]:
    """Return what words speak for those of so many that they fit, and against the others."""
    told = min(_NAMED, math.log10(count / len(fit))) if fit else 0.0
    return {one: told if one in fit else -told for one in own}


def _elect(
    cells: Sequence[_Cell], side: int, votes: Votes, given: Mapping[Key, int] | None = None
) -> dict[Key, dict[int, float]]:
    """Return for each row (side 0), or column (1), what speaks for each object, or field.

    Args:
        cells: Of the table.
        side: Of the place of a number, and of its options.
        votes: Of the names.
        given: What the other side is taken for; where it is not known, anything.
    """
    found: dict[Key, dict[int, float]] = {}
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


def _chosen(votes: Votes) -> dict[Key, int]:
    return {place: _best(count) for place, count in votes.items() if count}


def _best(count: Mapping[int, float]) -> int:
    most = max(count.values())
    return min(one for one, bits in count.items() if bits == most)


def _grid(
    cells: Sequence[_Cell], view: _View, leaves: Leaves, catalogue: Catalogue, *, across: bool
) -> _Grid | None:
    """Return the rows and columns for which most speaks, or None where chance explains them."""
    named = _named(cells, view, catalogue, across=across)
    rows = _elect(cells, 0, named[0])
    columns: dict[Key, dict[int, float]] = {}
    for _ in range(_ROUNDS):
        columns = _elect(cells, 1, named[1], _chosen(rows))
        rows = _elect(cells, 0, named[0], _chosen(columns))
    chosen = _chosen(rows), _chosen(columns)
    reader = _Reader(view=view, leaves=leaves, catalogue=catalogue)
    # Of a row or a column that nothing speaks for, no number counts against those across it.
    held = [one for one in _held(cells, *chosen, reader) if _is_spoken_for(one, (rows, columns))]
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
    sizes = Counter(cell.place[1] for cell in cells)
    return _Grid(held=tuple(held), sizes=sizes, votes=(rows, columns), bits=bits, reader=reader)


def _held(
    cells: Sequence[_Cell], rows: Mapping[Key, int], columns: Mapping[Key, int], reader: _Reader
) -> Iterator[_Held]:
    """Yield each number with the value at its row and column."""
    for cell in cells:
        thing, field = (side.get(at) for side, at in zip((rows, columns), cell.place, strict=True))
        reading = reader.read(thing, field) if thing is not None and field is not None else None
        if reading is not None and field is not None:
            scale = SCALES[field % _UNITS]
            slipped = is_slipped(cell.form, reading, scale, reader.catalogue)
            yield _Held(cell, reading, scale, slipped)


def _is_spoken_for(one: _Held, votes: tuple[Votes, Votes]) -> bool:
    places = zip(votes, one.cell.place, strict=True)
    return all(max(side[place].values()) >= _BOUND for side, place in places)


def _bound(held: Sequence[_Held], side: int, votes: Votes) -> Iterator[Key]:
    """Yield the rows, or columns, for which enough speaks; of two numbers one may differ."""
    for place, (every, agreed) in _counted(held, side).items():
        share = _SHARE if max(votes[place].values()) < 2 * _BOUND else 0.5
        if any(agreed) and len(agreed) >= (share * every if every > 2 else 1):
            yield place


def _counted(held: Sequence[_Held], side: int) -> dict[Key, tuple[int, list[float]]]:
    """Return of each row, or column, how many numbers have a value, and those that agree."""
    found: dict[Key, tuple[int, list[float]]] = {}
    for one in held:
        every, agreed = found.get(one.cell.place[side], (0, []))
        told = one.agrees or not one.slipped
        found[one.cell.place[side]] = every + told, agreed + [one.cell.form.value] * one.agrees
    return found


def _verdicts(grid: _Grid, catalogue: Catalogue) -> Iterator[tuple[str, Verdict]]:
    counted = [_counted(grid.held, side) for side in (0, 1)]
    inside = Counter(one.cell.place[1] for one in grid.held)
    for one in grid.held:
        number, trace = one.cell.number, catalogue.trace(one.reading)
        verdict = verdict_on(
            number, RULE, quote=quote_of(number), bindings=("vote", "key"), traces=(trace,)
        )
        if one.agrees:
            yield number.id, verdict
            continue
        right = one.reading.value * one.scale
        if number.printed.decimals <= 0 or is_close(one.cell.form, right):
            continue
        column = one.cell.place[1]
        if 2 * inside[column] < grid.sizes[column]:
            continue  # most of its rows are of other things
        of_lines = [counted[side][one.cell.place[side]] for side in (0, 1)]
        sure = all(
            len({*agreed} - {0.0}) >= _SURE and len(agreed) >= _SURE_SHARE * every
            for every, agreed in of_lines
        )
        cause = cause_of_reading(one.cell.form, one.reading, one.scale, catalogue, wide=True)
        if cause and (sure or (cause.slipped and _is_meant(one, grid))):
            expected = spell(right, number.printed.decimals)
            wrong = denied(number, RULE, trace, expected, quote_of(number))
            wrong = replace(wrong, cause=cause.words)
            yield number.id, replace(wrong, level="error", bindings=("vote", "key"))


def _is_meant(one: _Held, grid: _Grid) -> bool:
    """Say whether enough speaks for the row and the column of a number, and no other bears it."""
    best = [_best(grid.votes[side][one.cell.place[side]]) for side in (0, 1)]
    for side in (0, 1):
        votes = grid.votes[side][one.cell.place[side]]
        if votes[best[side]] < _BOUND:
            return False
        for other in (o for o, bits in votes.items() if bits > votes[best[side]] - _RIVAL):
            thing, field = (other, best[1]) if side == 0 else (best[0], other)
            found = grid.reader.read(thing, field)
            scale = SCALES[field % _UNITS]
            if found is not None and is_printed(one.cell.form, found.value * scale):
                return False
    return True
