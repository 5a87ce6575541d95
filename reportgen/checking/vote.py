"""Columns and rows of a table bound to the evidence by a vote of their numbers.

A line is a column or a row of a table. A *binding* says what a line shows: a family of curves, the
run of each item (by its name, its seed, or one run for all), the time of each (a step or an epoch
that stands beside it, or a moment such as the last or the best evaluation), an aggregate over
several runs, and the unit. The binding that most numbers of a line agree with, and that its words
allow, is the line's, if chance cannot explain the agreement.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import product
from operator import or_
from typing import NamedTuple

from reportgen.checking.catalogue import Catalogue, Choices, Family, Reading, Time, metric_fits
from reportgen.checking.index import Index
from reportgen.checking.places import (
    MAJORITY,
    MOMENTS,
    MOST_RUNS,
    Line,
    Places,
    Timed,
    moments,
    numbered,
    shared_places,
    timed,
)
from reportgen.checking.verdicts import SCALES, Form, chance, ends_of, is_printed, spell
from reportgen.checking.words import Words
from reportgen.records.record import field, record, replace

__all__ = ["ENOUGH_BITS", "Binding", "alternatives", "barred", "bind"]

ENOUGH_BITS = 4.0
ENOUGH = 3
_FEW_BITS = 1.3
_EXPLAINED = 0.3
_MOST_GUESSED = 12
_MOST_ITEMS = 400
_MOST_KEPT_ITEMS = 100
"""Of a line whose binding is kept for other reports that have the same."""
_MOST_CANDIDATES = 24
_FEW_FAMILIES = 12
_ENDS = frozenset((0, 1, 100))
"""Ends of scales: many values reach them, so that agreement there tells nothing."""
_LEAST_STANDING = 0.3
ANY = "any"
"""In place of an aggregate: each number is of one of the runs, whichever."""


@record
class Binding:
    """What a line shows.

    Attributes:
        family: The family of curves.
        runs: Runs of each item; empty where none is known.
        times: Time of each item.
        aggregate: Over several runs.
        scale: Printed value over value of the evidence.
        readings: Of each item; None where the evidence has none.
        hits: Indices of the items that agree.
        misses: Indices of those that do not, though the evidence has a value.
        bits: How unlikely the agreement is by chance, as -log10.
        by: What binds beside the vote: `key`, `name`, `words`.
        sources: Sources of the keys by which times and runs were found.
        score: How much speaks for it, for choosing.
        loose: Whether each number may be of any one of several runs, or of runs hardly named.
    """

    family: Family
    runs: tuple[tuple[int, ...], ...]
    times: tuple[Time | None, ...]
    aggregate: str
    scale: float
    readings: tuple[Reading | None, ...]
    hits: tuple[int, ...]
    misses: tuple[int, ...]
    bits: float
    by: frozenset[str] = field(default_factory=frozenset)
    sources: tuple[str, ...] = ()
    score: float = 0.0
    loose: bool = False

    @property
    def share(self) -> float:
        """Share of the numbers with a value in the evidence that agree with it."""
        return len(self.hits) / max(1, len(self.hits) + len(self.misses))


def bind(
    line: Line, catalogue: Catalogue, beside: Sequence[Binding] = (), means: Binding | None = None
) -> Binding | None:
    """Return what a line shows, or None where too little agrees with any one reading.

    Args:
        line: A column or a row.
        catalogue: The evidence.
        beside: Bindings of other lines of the table: where given, only their runs and times are
            tried, and two numbers that agree are enough.
        means: Of spreads: what the numbers before them show. A spread is of the same values.
    """
    if len(line.items) > _MOST_KEPT_ITEMS:
        return _bound(line, catalogue, beside, means)
    key = (line.content, tuple(beside), means)
    found: Binding | None = catalogue.bound.made(
        key, lambda: _bound(line, catalogue, beside, means)
    )
    return found


def _bound(
    line: Line, catalogue: Catalogue, beside: Sequence[Binding], means: Binding | None
) -> Binding | None:
    standing = _standing(line, catalogue)
    if beside:
        ways = [_way_beside(one, line) for one in beside]
        shared = [way for way in ways if way is not None]
        return _bind_beside(line, catalogue, shared, standing)
    if means is not None and means.aggregate == "mean":
        best = _bind_spreads(line, catalogue, means)
        if best is not None:
            return best
    families = _candidates(line, catalogue, standing)
    places = list(shared_places(line, catalogue)) if families else []
    tries = list(_tries(line, catalogue, standing, places, families))
    alone = len(families) == 1
    best = _bind(line, catalogue, standing, places, tries, alone=alone, loose=False)
    if best is not None or any(place.exact for place in places):
        return best
    return _bind(line, catalogue, standing, places, tries, alone=alone, loose=True)


class _When(NamedTuple):
    """When the items of a line may have been measured.

    Attributes:
        times: Of each item.
        opened: Of each item, whether its words leave the family and the time open.
        once: Whether all have one time.
    """

    times: tuple[Time | None, ...]
    opened: tuple[bool, ...]
    once: bool = False

    @property
    def clocked(self) -> bool:
        """Whether the numbers are times themselves: all of a line are, or none."""
        for time in self.times:
            if time is not None:
                return bool(time.clock)
        return False


class _Try(NamedTuple):
    """A family that a line may show.

    Attributes:
        family: The family.
        fits: Whether words of the line say so.
        whens: The key that tells the times, or none, and what times it may tell.
        may_stand: Of each place, how many items stand in a run of theirs, in each unit.
    """

    family: Family
    fits: bool
    whens: tuple[tuple[str, tuple[_When, ...]], ...]
    may_stand: tuple[Mapping[float, int], ...]


def _tries(
    line: Line,
    catalogue: Catalogue,
    standing: _Standing,
    places: Sequence[Places],
    families: Sequence[Family],
) -> Iterator[_Try]:
    """Yield the families that a line may show, with the times that it may show of them."""
    known_times = list(timed(line)) if families else []
    for family in families:
        fits = bool(line.words.clocks) or metric_fits(line.words, family)
        if standing.bits < (_FEW_BITS if fits else ENOUGH_BITS) and not line.words.clocks:
            continue  # agreed they all, it would be too little
        yield _Try(
            family=family,
            fits=fits,
            whens=tuple(_whens(line, family, catalogue, known_times)),
            may_stand=tuple(standing.counts(family, place.runs) for place in places),
        )


def _whens(
    line: Line, family: Family, catalogue: Catalogue, known_times: Sequence[Timed]
) -> Iterator[tuple[str, tuple[_When, ...]]]:
    opened = _open_items(line, family, catalogue)
    for times, key, ahead in known_times:
        if ahead and family.from_one:
            continue
        if not times:
            count = len(line.items)
            at = [*numbered(line.text, family)] or [*moments(line.words, family, catalogue)]
            whens = (_when(line, family, (one,) * count, opened, once=True) for one in at)
            yield key, tuple(whens)
        elif any(time is not None and catalogue.has(family, time) for time in times):
            yield key, (_when(line, family, times, opened),)


def _when(
    line: Line,
    family: Family,
    times: tuple[Time | None, ...],
    opened: Sequence[bool],
    *,
    once: bool = False,
) -> _When:
    at_these = tuple(
        is_open and time is not None and _may_be_at(item.words, family, time)
        for item, time, is_open in zip(line.items, times, opened, strict=True)
    )
    return _When(times, at_these, once)


def _bind(
    line: Line,
    catalogue: Catalogue,
    standing: _Standing,
    places: Sequence[Places],
    tries: Sequence[_Try],
    *,
    alone: bool,
    loose: bool,
) -> Binding | None:
    """Return the best binding, each number to a run of its own or, loosely, to any of several."""
    best: Binding | None = None
    is_timed = line.is_timed
    for one in tries:
        guessed = [] if loose else _guessed(line, one.family, standing)
        counted = (standing.counts(one.family, place.runs) for place in guessed)
        stand = [*one.may_stand, *counted]
        stands = standing.runs.get((one.family.key, -1), 0) >= ENOUGH - 1
        for place, may_stand in zip([*places, *guessed], stand, strict=True):
            # A guess has to be borne by numbers that stand there.
            guess = not (place.named or stands or line.words.clocks or one.family.rest)
            if guess and max(may_stand.values()) < ENOUGH - 1:
                continue
            several = any(len(found) > 1 for found in place.runs)
            every = _aggregates(line, one.family, several=several)
            ways = [how for how in every if (how == ANY) == loose]
            if loose and line.words.clocks and not place.named:
                continue
            one_run = not loose and place.runs.count(place.runs[0]) == len(place.runs)
            for key, whens in one.whens if ways else ():
                # A number beside an item may be a rank as well as what its run is called by.
                own = alone and (place.exact or not place.source)
                needed = _needed(line, fits=one.fits, named=place.named, key=bool(key), alone=own)
                if needed is None:
                    continue
                for when, aggregate in product(whens, ways):
                    way = _Way(place, when, aggregate, may_stand, standing, *needed)
                    if is_timed and one_run and when.once and sum(when.opened) > 1:
                        continue
                    for held in _held(line, catalogue, one.family, way):
                        scored = _scored(held, line, place, key, alone=alone)
                        if scored is not None and (best is None or scored.score > best.score):
                            best = scored
    return best


def _needed(
    line: Line, *, fits: bool, named: bool, key: bool, alone: bool
) -> tuple[int, float] | None:
    """Return how many items, and which share, a binding needs at least; None where none can be."""
    if fits and (named or key):
        return 1, _EXPLAINED if named and alone else 0.5
    if len(line.items) < ENOUGH:
        return None
    return ENOUGH - 1 if fits else ENOUGH, MAJORITY


@record
class _Standing:
    """Where the numbers of a line stand in the evidence.

    Attributes:
        families: Key of a family to how many numbers stand in it.
        runs: Family and run to the same; -1 for aggregates over runs.
        items: Of each number: in each unit the positions of the owners that have it.
        index: Of the evidence.
        reach: Least and largest value that one of the numbers may print.
        bits: Of values, what it tells at most that all of them agree.
    """

    families: Mapping[str, int]
    runs: Mapping[tuple[str, int], int]
    items: tuple[Mapping[float, frozenset[int]], ...]
    index: Index
    reach: tuple[float, float]
    bits: int

    def counts(self, family: Family, runs: Sequence[tuple[int, ...]]) -> dict[float, int]:
        """Return for each unit how many numbers stand in a run of theirs, at any time."""
        found = dict.fromkeys(SCALES, 0)
        last: tuple[int, ...] | None = None
        own = frozenset[int]()
        for item, of in zip(self.items, runs, strict=False):
            if of is not last:
                last, own = of, self.index.places_of(family, of)
            for scale, owners in item.items():
                found[scale] += not owners.isdisjoint(own)
        return found


def _standing(line: Line, catalogue: Catalogue) -> _Standing:
    """Count the numbers of a line that stand in each family and run, in its best unit."""
    index = catalogue.index
    families: dict[float, Counter[str]] = {}
    places: dict[float, Counter[int]] = {}
    items = tuple(index.owners_of(item.form) for item in line.items)
    for item in items[:_MOST_ITEMS]:
        for scale, owners in item.items():
            places.setdefault(scale, Counter()).update(owners)
            families.setdefault(scale, Counter()).update(index.families_of(owners))
    # Of a family and of a run: in its best unit.
    best = reduce(or_, families.values()) if families else {}
    most = reduce(or_, places.values()) if places else {}
    ends = [ends_of(item.form._replace(decimals=1), 1.0) for item in line.items]
    return _Standing(
        families=best,
        runs={index.owners[place]: count for place, count in most.items()},
        items=items,
        index=index,
        reach=(min(low for low, _ in ends), max(high for _, high in ends)),
        bits=sum(_digits(item.form) for item in line.items if item.form.value not in _ENDS),
    )


def _way_beside(one: Binding, line: Line) -> tuple[Places, tuple[Time | None, ...], str] | None:
    """Return the runs and times of another line, where it has as many items as this one."""
    if len(one.runs) != len(line.items):
        return None
    place = Places(runs=one.runs, named=True)
    return place, one.times, one.sources[-1]


def _bind_beside(
    line: Line,
    catalogue: Catalogue,
    ways: Sequence[tuple[Places, tuple[Time | None, ...], str]],
    standing: _Standing,
) -> Binding | None:
    best: Binding | None = None
    for family in _candidates(line, catalogue, standing):
        for place, times, key in ways:
            several = any(len(found) > 1 for found in place.runs)
            may_stand = standing.counts(family, place.runs)
            when = _when(line, family, times, _open_items(line, family, catalogue))
            for aggregate in _aggregates(line, family, several=several):
                way = _Way(place, when, aggregate, may_stand, standing, ENOUGH - 1, MAJORITY)
                for one in _held(line, catalogue, family, way):
                    enough = len(one.hits) >= ENOUGH - 1 and one.bits >= ENOUGH_BITS
                    if enough and one.share >= MAJORITY:
                        scored = replace(one, by=frozenset({"key"}), sources=(key,), score=one.bits)
                        best = scored if best is None or one.bits > best.bits else best
    return best


def _bind_spreads(line: Line, catalogue: Catalogue, means: Binding) -> Binding | None:
    """Return what spreads show that stand behind means: a spread of the same runs and times."""
    if len(means.runs) != len(line.items):
        return None
    place = Places(runs=means.runs, named="name" in means.by)
    key = means.sources[-1] if means.sources else ""
    best: Binding | None = None
    standing = _standing(line, catalogue)
    may_stand = standing.counts(means.family, place.runs)
    when = _when(line, means.family, means.times, _open_items(line, means.family, catalogue))
    for aggregate in _aggregates(line, means.family, several=True):
        way = _Way(place, when, aggregate, may_stand, standing, 1, _EXPLAINED)
        for one in _held(line, catalogue, means.family, way):
            # What speaks for the means speaks for their spreads.
            both = replace(one, bits=one.bits + means.bits)
            scored = _scored(both, line, place, key, alone=False)
            if scored is not None and (best is None or scored.score > best.score):
                best = scored
    return best


def _candidates(line: Line, catalogue: Catalogue, standing: _Standing) -> list[Family]:
    """Return the families that the words of a line allow, if enough of its numbers stand there.

    Families of a metric that is named are all tried: their aggregates may be of any runs.
    """
    if "gap" in line.words.aggregates:
        return []
    allowed = catalogue.allowed(line.words)
    need = max(1, _LEAST_STANDING * len(line.items))
    few = len(catalogue.families) <= _FEW_FAMILIES
    said = bool(line.words.metrics) and len(allowed) <= _FEW_FAMILIES
    found = [
        family
        for family in map(catalogue.families.__getitem__, sorted(allowed))
        if (few or said or standing.families.get(family.key, 0) >= need) and _in_range(line, family)
    ]
    if line.words.clocks and not few:
        found = [family for family in catalogue.families.values() if family.metric]
    found.sort(key=lambda family: -standing.families.get(family.key, 0))
    return found[:_MOST_CANDIDATES]


def _in_range(line: Line, family: Family) -> bool:
    if line.spread or line.words.aggregates & {"std", "se"} or line.words.clocks or not line.text:
        return True
    for scale in SCALES:
        low, high = sorted((family.low * scale, family.high * scale))
        inside = sum(
            low - 2 * item.form.half <= item.form.value <= high + 2 * item.form.half
            for item in line.items
        )
        if inside >= max(1, len(line.items) / 3):
            return True
    return False


def _guessed(line: Line, family: Family, standing: _Standing) -> list[Places]:
    """Return the single runs in whose curve most of the numbers of a line stand somewhere."""
    if len(family.curves) == 1 and len(line.items) < ENOUGH:
        return []
    need = max(2, MAJORITY * len(line.items))
    found = [
        (count, run)
        for run in family.curves
        if (count := standing.runs.get((family.key, run), 0)) >= need
    ]
    found.sort(reverse=True)
    return [Places(runs=((run,),) * len(line.items)) for _, run in found[:_MOST_GUESSED]]


def _aggregates(line: Line, family: Family, *, several: bool) -> tuple[str, ...]:
    """Return the aggregates over runs that a line may show."""
    if not several:
        own = line.spread or "std" in line.words.aggregates
        return ("",) if not own or "std" in family.words.aggregates else ()
    said = line.words.aggregates
    if (line.spread or said == {"std"}) and "std" in family.words.aggregates:
        return (ANY,)
    if line.spread or said == {"std"}:
        spreads = ("std", "pstd", "se") if line.spread else ("std", "pstd")
        # A row is of several columns: there one number alone may not choose its definition.
        denied = barred(line.words) if line.across else frozenset[str]()
        return tuple(one for one in spreads if one not in denied)
    if not line.text:
        return ("mean", "std", "pstd")
    if "se" in said:
        return ("se",)
    if "median" in said:
        return ("median",)
    if "best" in line.words.moments:
        return ("mean", "max", "min")
    return ("mean", ANY) if "mean" not in said else ("mean",)


class _Way(NamedTuple):
    """How the items of a line may be read.

    Attributes:
        place: Runs of the items.
        when: Their times.
        aggregate: Over the runs.
        may_stand: How many of the items stand in a run of theirs, in each unit.
        standing: Of the items.
        need: So many items have to agree, or it is no binding.
        least: So large a share of those with a reading has to.
    """

    place: Places
    when: _When
    aggregate: str
    may_stand: Mapping[float, int]
    standing: _Standing
    need: int
    least: float

    def most_misses(self, there: int) -> float:
        """Return how many of the items with a reading may disagree."""
        return there - max(self.need, self.least * there - 1e-9)

    def too_few(self, hits: int, there: int) -> bool:
        """Say whether so many that agree, of those with a reading, make no binding."""
        return there - hits > self.most_misses(there)


def _held(line: Line, catalogue: Catalogue, family: Family, way: _Way) -> Iterator[Binding]:
    """Yield how the numbers of a line agree with one reading, in each unit."""
    place, aggregate = way.place, way.aggregate
    if aggregate == ANY:
        yield from _held_by_any(line, catalogue, family, way)
        return
    indexed = not (aggregate or way.when.clocked or family.rest)
    scales = [scale for scale in SCALES if way.may_stand[scale] >= way.need or not indexed]
    if not scales:
        return
    readings = _readings(catalogue, family, way)
    there = [(i, reading) for i, reading in enumerate(readings) if reading is not None]
    if len(there) < max(1, 1 if place.named else len(line.items) / 2):
        return
    values = [reading.value for _, reading in there]
    least, most = min(values), max(values)
    low, high = (family.low, family.high) if indexed else (least, most)
    may_miss, reach = way.most_misses(len(there)), way.standing.reach
    for scale in scales:
        if indexed and way.too_few(way.may_stand[scale], len(there)):
            continue
        if least * scale > reach[1] or most * scale < reach[0]:
            continue
        agreed = _agreed(line, family, there, scale=scale, reach=high - low, may_miss=may_miss)
        if agreed is not None:
            hits, misses, bits = agreed
            yield Binding(
                family=family,
                runs=place.runs,
                times=way.when.times,
                aggregate=aggregate,
                scale=scale,
                readings=readings,
                hits=hits,
                misses=misses,
                bits=bits,
            )


def _agreed(
    line: Line,
    family: Family,
    there: Sequence[tuple[int, Reading]],
    *,
    scale: float,
    reach: float,
    may_miss: float,
) -> tuple[tuple[int, ...], tuple[int, ...], float] | None:
    """Return which items are their readings in a unit and which not, with the bits; or None."""
    hits, misses, bits = [], [], 0.0
    seen: set[object] = set()
    # Where all have one time, most often the last, it tells once.
    unlike = len({line.items[index].form.value for index, _ in there}) > 1
    for index, reading in there:
        form = line.items[index].form
        if not is_printed(form, reading.value * scale):
            misses.append(index)
            if len(misses) > may_miss:
                return None
            continue
        hits.append(index)
        clocked = reading.time.clock and not reading.aggregate
        key = (form.value, reading.runs) if clocked and unlike else form.value
        if key in seen or form.value in _ENDS:
            continue
        seen.add(key)
        width = max(reach, abs(reading.value) * 0.05) * scale
        odds = max(10.0 ** -_digits(form), chance(form, 0.0, width))
        # A time of one run is one of those at which it was evaluated.
        count = len(family.curves[reading.runs[0]].steps) if clocked else 1
        bits -= math.log10(min(odds, 1 / count))
    return (tuple(hits), tuple(misses), bits) if len(misses) <= may_miss else None


def _digits(form: Form) -> int:
    """Return how many digits a number has that tell it from others of its size."""
    return max(1, sum(map(str.isdigit, spell(form.value, form.decimals).lstrip("-0."))))


def _readings(catalogue: Catalogue, family: Family, way: _Way) -> tuple[Reading | None, ...]:
    """Return the reading of each item; those of one run and time are looked up once."""
    found: list[Reading | None] = []
    last: tuple[tuple[int, ...], Time | None] | None = None
    reading: Reading | None = None
    of_each = zip(way.place.runs, way.when.times, way.when.opened, strict=True)
    for runs, time, is_open in of_each:
        if time is None or not (runs and is_open):
            found.append(None)
            continue
        if last is None or last[0] is not runs or last[1] is not time:
            last, reading = (runs, time), catalogue.read(family, runs, time, way.aggregate)
        found.append(reading)
    return tuple(found)


def _held_by_any(line: Line, catalogue: Catalogue, family: Family, way: _Way) -> Iterator[Binding]:
    """Yield how the numbers of a line agree with any one of several runs each."""
    place, clocked = way.place, way.when.clocked
    scales = [scale for scale in SCALES if way.may_stand[scale] >= ENOUGH or clocked]
    if not scales:
        return
    choices = _choices(catalogue, family, way)
    count = sum(one is not None for one in choices)
    may_miss = way.most_misses(count)
    for scale in scales:
        if not clocked and way.too_few(way.may_stand[scale], count):
            continue
        readings: list[Reading | None] = []
        hits, misses, bits = [], [], 0.0
        for index, (item, there) in enumerate(zip(line.items, choices, strict=True)):
            found = there.first(item.form, scale) if there is not None else None
            if found is not None and there is not None:
                hits.append(index)
                width = max(family.high - family.low, abs(found.value) * 0.05) * scale
                likely = chance(item.form, 0.0, width, len(there.readings))
                if item.form.value not in _ENDS:
                    bits -= math.log10(max(10.0 ** -_digits(item.form), likely))
            elif there is not None:
                found = there.readings[0]
                misses.append(index)
                if len(misses) > may_miss:
                    break
            readings.append(found)
        if len(misses) > may_miss:
            continue
        if len(hits) >= ENOUGH:
            yield Binding(
                family=family,
                runs=tuple(
                    one.runs if one is not None else runs
                    for one, runs in zip(readings, place.runs, strict=True)
                ),
                times=way.when.times,
                aggregate="",
                scale=scale,
                readings=tuple(readings),
                hits=tuple(hits),
                misses=tuple(misses),
                bits=bits,
                loose=True,
            )


def _choices(catalogue: Catalogue, family: Family, way: _Way) -> list[Choices | None]:
    """Return of each item the readings of its runs."""
    choices: list[Choices | None] = []
    last: tuple[tuple[int, ...], Time] | None = None
    one: Choices | None = None
    of_each = zip(way.place.runs, way.when.times, way.when.opened, strict=True)
    for runs, time, is_open in of_each:
        if time is None or not is_open:
            choices.append(None)
            continue
        if last is None or last[0] is not runs or last[1] is not time:
            last, one = (runs, time), _of_any(family, runs[:MOST_RUNS], time, catalogue)
        choices.append(one if one is not None and one.readings else None)
    return choices


def _of_any(family: Family, runs: tuple[int, ...], time: Time, catalogue: Catalogue) -> Choices:
    """Return the readings of each of several runs at a time."""

    def readings() -> Iterator[Reading]:
        for run in runs:
            reading = catalogue.read(family, (run,), time)
            if reading is not None:
                yield reading

    return catalogue.choices((family.key, runs, time), readings)


def _open_items(line: Line, family: Family, catalogue: Catalogue) -> tuple[bool, ...]:
    """Say of each item whether its words leave open that it is of this family."""
    fits = metric_fits(line.words, family)
    every = (item.words for item in line.items)
    # Where the line says what was measured, the words of an item are its name.
    names = (replace(one, tokens=frozenset()) if fits and not one.metrics else one for one in every)
    return tuple(
        not ("gap" in words.aggregates or words.things)
        and not catalogue.allowed(words).isdisjoint({family.key, family.rest})
        for words in names
    )


def _may_be_at(words: Words, family: Family, time: Time) -> bool:
    """Say whether the words at one item leave open that it is of this time."""
    if words.clocks and not time.clock and family.metric not in words.clocks:
        return False
    known = words.moments and time.kind in MOMENTS
    return not known or MOMENTS[time.kind] in words.moments


def _scored(
    binding: Binding, line: Line, place: Places, key: str, *, alone: bool
) -> Binding | None:
    """Return a binding with its score, or None where too little speaks for it.

    Where names tell the runs and words leave but one family, a third of the numbers is enough:
    the others are told only where a simple change explains them.
    """
    clocks = {time.clock for time in binding.times if time is not None} - {""}
    fits = bool(clocks & line.words.clocks) or (
        binding.family.metric in line.words.clocks
        if line.words.clocks
        else metric_fits(line.words, binding.family)
    )
    told = {"words": fits, "name": place.named, "key": bool(key)}
    known = place.named or bool(key)
    count = len(binding.hits) + len(binding.misses)
    if count >= ENOUGH:
        need = ENOUGH - 1 if fits else ENOUGH
        need = 1 if fits and place.named and alone else need
        sure = len(binding.hits) >= need and binding.bits >= (2.0 if need == 1 else ENOUGH_BITS)
    else:
        sure = fits and known and binding.bits >= _FEW_BITS
    least = MAJORITY
    if fits and known:
        least = _EXPLAINED if place.named and alone else 0.5
    if not sure or binding.share < least:
        return None
    score = (
        binding.bits * binding.share
        - 1.5 * len(binding.misses)
        - 0.5 * (len(line.items) - count)
        + 1.5 * fits
        + 1.0 * (binding.family.split in line.words.splits)
        + 0.5 * place.named
        + 0.5 * bool(key)
        - _oddness(binding)
        - 1.0 * (binding.aggregate in barred(line.words))
    )
    return replace(
        binding,
        by=frozenset(name for name, there in told.items() if there),
        sources=tuple(source for source in (place.source, key) if source),
        score=score,
    )


def barred(words: Words) -> frozenset[str]:
    """Return the definition of a standard deviation that words exclude, or none.

    Example:
        >>> from reportgen.checking.words import words_of
        >>> sorted(barred(words_of("sample standard deviation"))), sorted(barred(words_of("std")))
        (['pstd'], [])
    """
    said = words.definitions
    return frozenset({"sample": "pstd", "population": "std"}[one] for one in said if len(said) == 1)


def _oddness(binding: Binding) -> float:
    """Return how far-fetched a reading is, for choosing among those that agree alike."""
    time = next((one for one in binding.times if one is not None), None)
    kinds = {"at": 0.2, "first": 0.6, "index": 0.3, "min": 0.1, "max": 0.1}
    odd = kinds.get(time.kind, 0.0) if time is not None else 0.0
    odd += {"se": 0.3, "median": 0.3, "pstd": 0.05}.get(binding.aggregate, 0.0)
    return odd + (0.3 if binding.scale == 0.01 else 0.0) + (1.0 if binding.loose else 0.0)


def alternatives(
    binding: Binding, index: int, line: Line, catalogue: Catalogue
) -> Iterator[Reading]:
    """Yield the other readings of one item that the words of its line leave open.

    The family and the runs stay; the moment may be another one, or the step that heads the line,
    where no step stands beside the number, and the aggregate where several runs are meant.
    """
    family, runs = binding.family, binding.runs[index]
    time = binding.times[index]
    if time is not None and time.kind in {"step", "epoch", "index"}:
        times = [time, *numbered(line.text, family)]
    else:
        times = [*moments(line.words, family, catalogue), *numbered(line.text, family)]
    several = len(runs) > 1
    for one, aggregate in product(times, _aggregates(line, family, several=several)):
        reading = catalogue.read(family, runs, one, aggregate)
        if reading is not None:
            yield reading
    keyed = any(not source.startswith("w") for source in binding.sources)
    name = "" if keyed else line.items[index].name
    called = tuple(run for run in catalogue.runs_called(name) if run not in runs)
    singles = runs[:MOST_RUNS] if several and not line.words.aggregates else ()
    if not line.spread or "std" in family.words.aggregates:
        for one, run in product(times, (*singles, *called[:MOST_RUNS])):
            reading = catalogue.read(family, (run,), one)
            if reading is not None:
                yield reading
