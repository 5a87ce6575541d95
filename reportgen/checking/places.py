"""The lines of a table, and the runs that their items may belong to: by names, seeds, numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from reportgen.checking.catalogue import Catalogue
from reportgen.checking.printed import Form
from reportgen.checking.words import Words, tokens_of
from reportgen.records.record import field, record
from reportgen.records.verdict import Number

__all__ = ["MAJORITY", "MOST_RUNS", "Item", "Line", "Places", "places_among", "shared_places"]

MAJORITY = 0.6
"""Share of the items of a line that have to go by one reading."""
MOST_RUNS = 40

_NAMED_LEAST = 0.3
"""Share of the items of a line that names have to tell: the others are of other work."""


_MOST_AMONG = 200
_NO_RUNS: tuple[int, ...] = ()
_NOBODY: frozenset[int] = frozenset()


@record
class Item:
    """A number of a line with what stands at its row or column.

    Attributes:
        number: As printed.
        form: Its value and last place.
        name: What its row (of a column) or its column (of a row) is called.
        words: What that says.
        keys: Numbers beside it that may be its step, epoch or seed: source and value.
    """

    number: Number
    form: Form
    name: str
    words: Words = Words()
    keys: tuple[tuple[str, float], ...] = ()


@record
class Line:
    """A column or a row of a table, or the same part of each of its cells.

    Attributes:
        text: What it is called.
        words: What its words say, with those of the caption where it says nothing itself.
        items: Its numbers.
        spread: Whether its numbers are spreads of those before them.
        caption: Caption of the table.
        across: Whether it is a row.
        clocks: Of the sources of keys: `said` where a head names a clock, `open` where it is empty.
    """

    text: str
    words: Words
    items: tuple[Item, ...]
    spread: bool = False
    caption: str = ""
    across: bool = False
    clocks: Mapping[str, str] = field(default_factory=dict)

    @property
    def content(self) -> tuple[object, ...]:
        """All that it is bound by: lines that share it in several reports are bound once."""
        items = tuple((one.form, one.name, one.words, one.keys) for one in self.items)
        about = (self.text, self.words, self.caption, tuple(self.clocks.items()))
        return *about, self.spread, self.across, items

    def beside(self) -> dict[str, list[float | None]]:
        """Return the numbers beside the items by their sources, None where an item has none."""
        found: dict[str, list[float | None]] = {}
        for at, item in enumerate(self.items):
            for source, value in item.keys:
                found.setdefault(source, [None] * len(self.items))[at] = value
        return found

    @property
    def is_timed(self) -> bool:
        """Whether the head of a key names a clock."""
        return any(self.clocks.get(source) for item in self.items for source, _ in item.keys)


@record
class Places:
    """Which run each item of a line belongs to, and what says so.

    Attributes:
        runs: Of each item.
        named: Whether names or seeds say it; else it is a guess that the vote has to bear.
        source: The numbers that were read as seeds or as parts of names.
        exact: Whether each of them is a seed as it is.
        weak: Whether names say it by a word at least: enough to agree with, not to contradict.
    """

    runs: tuple[tuple[int, ...], ...]
    named: bool = False
    source: str = ""
    exact: bool = False
    weak: bool = False


def shared_places(line: Line, catalogue: Catalogue) -> Iterator[Places]:
    """Yield the ways in which the items of a line may belong to runs, whatever the family."""
    count = len(line.items)
    if len(catalogue.runs) == 1:
        yield Places(runs=((0,),) * count, named=True)
        own = tuple(_own_row(item, catalogue) for item in line.items)
        if any(own) and not all(own):
            yield Places(runs=own, named=True)
        return
    yield from _named_places(line, catalogue)
    everything = tuple(range(len(catalogue.runs)))
    yield Places(runs=(everything,) * count)
    for members in list(catalogue.groups.values())[:MOST_RUNS]:
        if len(members) > 1 and len(catalogue.groups) > 1:
            yield Places(runs=(members,) * count)


def _own_row(item: Item, catalogue: Catalogue) -> tuple[int, ...]:
    """Return the only run where a row is called by words of its name."""
    words = {token for token in tokens_of(item.name) if len(token) > 1}
    return (0,) if words & catalogue.runs[0].tokens else _NO_RUNS


def _named_places(line: Line, catalogue: Catalogue) -> Iterator[Places]:
    """Yield the runs of the items by names, seeds and numbers of their rows and of the line."""
    whole = catalogue.runs_called(line.text) or catalogue.runs_called(_letters(line.caption))
    seen: set[tuple[tuple[int, ...], ...]] = set()
    by_label = tuple(_within(catalogue.runs_called(item.name), whole) for item in line.items)
    by_words = tuple(
        _within(catalogue.runs_called(_letters(item.name)), whole) for item in line.items
    )
    ways = [(by_label, ""), (by_words, ""), ((whole,) * len(line.items), "")]
    everyone = tuple(range(len(catalogue.runs)))
    beside = line.beside()
    seeds = {run.seed for run in catalogue.runs}
    numbered = []
    exact = set()
    for source, values in beside.items():
        found = [way for way in _SEED_WAYS if _may_be_seeds(values, way, seeds)]
        if len({*values}) == len(values) and {*values} <= seeds:
            exact.add(source)
            found = [0]
        numbered += [(source, way) for way in found]
    for base in [by_words, by_label, (whole or everyone,) * len(line.items)]:
        for source, way in numbered:
            ways.append((_narrowed(base, beside[source], way, catalogue), source))
    ways += [(_by_number(values, catalogue), source) for source, values in beside.items()]
    every = dict.fromkeys([by_words, (whole or everyone,) * len(line.items)])
    ways += [(_by_settings(base, beside.values(), catalogue), "") for base in every]
    for runs, source in ways:
        named = sum(bool(one) for one in runs)
        least = MAJORITY if source else _NAMED_LEAST
        if runs not in seen and named >= max(1, least * len(runs)):
            seen.add(runs)
            yield Places(runs=runs, named=True, source=source, exact=source in exact)


_SEED_WAYS = (0, -1, 1, None)
"""How a report may number its seeds: as they are, one more, one less, in order."""


def _may_be_seeds(
    values: Sequence[float | None], way: int | None, seeds: Collection[int | None]
) -> bool:
    """Say whether enough numbers of a source may be seeds that are numbered in this way."""
    whole = [int(value) for value in values if value is not None and value == int(value)]
    if way is not None:
        whole = [value for value in whole if value + way in seeds]
    return len(whole) >= max(1, MAJORITY * len(values))


def places_among(line: Line, runs: tuple[int, ...], catalogue: Catalogue) -> Iterator[Places]:
    """Yield which of some runs each item is of, by words that tell these apart and no others."""
    if not 1 < len(runs) <= _MOST_AMONG:
        return
    whole = catalogue.called_among(line.text, runs) or runs
    found = tuple(catalogue.called_among(item.name, whole) for item in line.items)
    if sum(map(bool, found)) >= MAJORITY * len(found) and len(set(found)) > 1:
        yield Places(runs=found, weak=True)


def _within(found: tuple[int, ...], whole: tuple[int, ...]) -> tuple[int, ...]:
    inside = frozenset(whole)
    both = tuple(run for run in found if run in inside)
    return both or found or whole


def _letters(text: str) -> str:
    return " ".join(token for token in tokens_of(text) if not token[0].isdigit())


def _narrowed(
    base: Sequence[tuple[int, ...]],
    values: Sequence[float | None],
    way: int | None,
    catalogue: Catalogue,
) -> tuple[tuple[int, ...], ...]:
    """Return the runs whose seed is the number of a source, among those already known."""
    found = []
    for runs, value in zip(base, values, strict=True):
        if value is None or value != int(value):
            found.append(_NO_RUNS)
            continue
        if way is None and any(catalogue.runs[run].seed is None for run in runs):
            # What has no seed has no order, either: the number may be a rank.
            found.append(_NO_RUNS)
            continue
        if way is None:
            ordered = sorted(runs, key=lambda run: (catalogue.runs[run].seed or 0, run))
            place = int(value) - 1
            found.append((ordered[place],) if 0 <= place < len(ordered) else _NO_RUNS)
            continue
        found.append(tuple(r for r in runs if catalogue.runs[r].seed == int(value) + way))
    return tuple(found)


def _by_settings(
    base: Sequence[tuple[int, ...]],
    beside: Iterable[Sequence[float | None]],
    catalogue: Catalogue,
) -> tuple[tuple[int, ...], ...]:
    """Return those of some runs that were set to the numbers beside each item, taken together.

    A row of a table may tell its run by all of its settings, none of which does so alone. Nothing
    is returned where fewer than two of them, or one beside its words, do.
    """
    everyone = frozenset(range(len(catalogue.runs)))
    found = [frozenset(runs) or everyone for runs in base]
    told = 1 if any(runs != everyone for runs in found) else 0
    for values in beside:
        own = (_NOBODY if one is None else catalogue.set_to.get(one, _NOBODY) for one in values)
        both = [runs & there for runs, there in zip(found, own, strict=True)]
        if all(both) and both != found:
            found, told = both, told + 1
    return tuple(tuple(sorted(runs)) for runs in found) if told > 1 else ()


def _by_number(values: Sequence[float | None], catalogue: Catalogue) -> tuple[tuple[int, ...], ...]:
    """Return the runs that have the number of a source in their name (`lr1e-4`)."""
    return tuple(
        catalogue.runs_called(f"{value:.12g}") if value is not None and value >= 0 else _NO_RUNS
        for value in values
    )
