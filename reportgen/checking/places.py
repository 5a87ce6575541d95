"""Of which runs and times a number may be: in the lines of a table, in a clause of a sentence."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from typing import NamedTuple

from reportgen.checking.catalogue import SAME, Catalogue, Curve, Family, Mention, Time
from reportgen.checking.verdicts import Form
from reportgen.checking.words import Said, Words, names_of, said, tokens_of, words_of
from reportgen.records.metrics import known_metric
from reportgen.records.record import field, record
from reportgen.records.verdict import Number
from reportgen.runs import direction_of

__all__ = [
    "BOUNDARY",
    "MAJORITY",
    "MOMENTS",
    "MOST_RUNS",
    "Item",
    "Line",
    "Mention",
    "Naming",
    "Places",
    "Timed",
    "at_clock",
    "clock_in",
    "is_said_of_time",
    "mentions_in",
    "moments",
    "narrowest",
    "numbered",
    "overlaps",
    "shared_places",
    "timed",
    "times_at",
]


# The lines of a table, and the runs that their items may belong to: by names, seeds, numbers.

MAJORITY = 0.6
"""Share of the items of a line that have to go by one reading."""
MOST_RUNS = 40

_NAMED_LEAST = 0.3
"""Share of the items of a line that names have to tell: the others are of other work."""


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
    """

    runs: tuple[tuple[int, ...], ...]
    named: bool = False
    source: str = ""
    exact: bool = False


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
    base: Sequence[tuple[int, ...]], beside: Iterable[Sequence[float | None]], catalogue: Catalogue
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


# When the values of a line may have been measured: at a step beside them, or at a moment.

_MOST_CHOOSERS = 8
_MOST_PARTS = 6
_BEHIND, _BEFORE = re.compile(r"\W{0,3}(\d{1,9})\b"), re.compile(r"\b(\d{1,9})\W{0,3}$")


def clock_in(head: str) -> str:
    """Return `said` of a head that names steps or epochs, `open` of an empty one, else nothing.

    Example:
        >>> clock_in("Epoch"), clock_in("#"), clock_in("Loss")
        ('said', 'open', '')
    """
    if words_of(head).clocks:
        return "said"
    return "" if head.strip(" #") else "open"


_CLOCKS = (
    ("step", 0, False),
    ("epoch", 0, False),
    ("epoch", -1, True),
    ("index", -1, False),
    ("index", 0, True),
)
"""How a number may be a time: its kind, what is added, and whether a log has to count from 0."""


class Timed(NamedTuple):
    """A way in which numbers beside the items of a line may be their times.

    Attributes:
        times: Of each item; empty where no number says it.
        source: The numbers.
        ahead: Whether the log has to count from 0.
    """

    times: tuple[Time | None, ...]
    source: str
    ahead: bool = False


def timed(line: Line) -> Iterator[Timed]:
    """Yield the ways in which numbers beside the items may be their times; first none."""
    yield Timed((), "")
    for source, values in line.beside().items():
        known = [value for value in values if value is not None]
        if len(known) < max(1, MAJORITY * len(values)):
            continue
        if len(set(known)) < max(1, MAJORITY * len(known)):
            continue
        words = [words_of(one.name) for one in line.items] if source.startswith("w") else []
        if any(one.things for one in words) and not any(one.clocks for one in words):
            continue  # `run 3` is no third evaluation
        clocked = line.clocks.get(source, "open" if source.startswith("w") else "")
        whole = all(value == int(value) for value in known)
        for kind, offset, ahead in _CLOCKS:
            if kind == "index" and not clocked:
                continue
            # Only epochs are counted in parts, and a head says that they are.
            if not whole and (kind != "epoch" or clocked != "said"):
                continue
            for clock in ("", *(one for one in ("step", "epoch") if one in line.words.clocks)):
                times = tuple(
                    Time(kind=kind, at=value + offset, clock=clock) if value is not None else None
                    for value in values
                )
                yield Timed(times, source, ahead and min(known) >= 1)


def at_clock(clock: str, at: float, family: Family) -> Iterator[Time]:
    """Yield the times of a family that a number beside the word of a clock may be.

    A report may count from 1 what a log counts from 0, and not the other way round.
    """
    for kind, offset, ahead in _CLOCKS:
        kinds = {"step": ("step",), "iteration": ("index",)}.get(clock, (kind,))
        if kind in kinds and not (ahead and family.from_one):
            yield Time(kind=kind, at=at + offset)
    if clock == "epoch":
        yield from (Time(kind="epoch", at=one) for one in _parts_near(at, family))


def _parts_near(at: float, family: Family) -> list[float]:
    """Return the epochs in parts that a whole number may round: the nearest of a family's."""
    found: set[float] = set()
    for curve in islice(family.curves.values(), _MOST_CHOOSERS):
        middle = int(curve.parts.searchsorted(at))
        near = curve.parts[max(0, middle - _MOST_PARTS) : middle + _MOST_PARTS]
        found.update(one for one in near.tolist() if abs(one - at) < 1.0)
    return sorted(found, key=lambda one: (abs(one - at), one))[:_MOST_PARTS]


def times_at(clock: str, curve: Curve, at: int) -> Iterator[float]:
    """Yield the steps, epochs or evaluations that a report may call the one at a position.

    An epoch is what its log says, in parts or rounded, or the count of evaluations; where the log
    does not count from 1, also the epoch before or behind.

    Example:
        >>> import numpy as np
        >>> parts = np.array([4.89, 9.78])
        >>> curve = Curve(steps=np.array([40, 80]), values=parts, path="", tag="", epochs=parts)
        >>> [*times_at("step", curve, 1)], sorted({*times_at("epoch", curve, 1)})
        ([80.0], [2.0, 9.0, 9.78, 10.0])
    """
    if clock == "step" or curve.epochs is None:
        yield float(curve.steps[at])
    if clock == "step":
        return
    yield float(at + 1)
    if clock == "epoch" and curve.epochs is not None:
        epoch = float(curve.epochs[at])
        yield from (epoch, float(math.floor(epoch)), float(math.ceil(epoch)))
        if not curve.from_one:
            yield from (math.ceil(epoch) - 1.0, math.floor(epoch) + 1.0)
    else:
        yield float(at)


_LINK = re.compile(
    r"[\s_(]*(?:(?:of|at|with|by|to|on|an?|the|its|our|de|du|des|de[rmn]|la|les?|une?|à|bei|mit"
    r"|eine[rm])\s+|[dl]['’])*",
    re.IGNORECASE,
)
_STOPS = re.compile(r"\s*(?:[):=,.]|$|(?:\w{1,2}|was|est|ist|von)\b)", re.IGNORECASE)


def is_said_of_time(word: Said, text: str, words: Sequence[Said], values: Sequence[int]) -> bool:
    """Say whether a word such as last tells when: it is said of a metric, value, epoch or training.

    Args:
        word: Of the slot `moment`; best always tells when.
        text: The sentence.
        words: Its words of the lexicon.
        values: Where its numbers begin that are values.

    Example:
        >>> def tells(text):
        ...     words = said(text)
        ...     last = next(one for one in words if one.slot == "moment")
        ...     return is_said_of_time(last, text, words, ())
        >>> tells("The last layer has the accuracy"), tells("The last validation accuracy")
        (False, True)
    """
    if word.value == "best":
        return True
    behind = _LINK.match(text, word.end)
    at = behind.end() if behind else word.end
    linked = bool(text[word.end : at].strip(" _("))
    heads = {"metric", "head", "aggregate", "moment", "thing" if linked else "clock"}
    while split := next((one for one in words if (one.slot, one.start) == ("split", at)), None):
        if linked and split.value == "train":
            return True
        at = split.end + len(text[split.end :]) - len(text[split.end :].lstrip(" _"))
    if at in values or any(one.start == at and one.slot in heads for one in words):
        return True
    before = (one for one in words if one.slot in {"metric", "split", "head"})
    stops = _STOPS.match(text, word.end) is not None
    return stops and any(
        one.end <= word.start and not text[one.end : word.start].strip(" _(") for one in before
    )


def numbered(text: str, family: Family) -> Iterator[Time]:
    """Yield the steps and epochs that the head of a line names: a number beside a clock's word."""
    for one in said(text):
        if one.slot == "clock":
            found = (_BEHIND.match(text, one.end), _BEFORE.search(text[: one.start]))
            for number in filter(None, found):
                at = float(number[1])
                yield from (t for t in at_clock("epoch", at, family) if t.kind != "index")


def moments(words: Words, family: Family, catalogue: Catalogue) -> Iterator[Time]:
    """Yield the times that words may mean where no step stands beside a number.

    Where words say best, last or first, only these; in a line that names a clock, when that was.

    Example:
        >>> from reportgen.checking.gathering import catalogue_of_stored
        >>> from reportgen.checking.words import words_of
        >>> from reportgen.records.verdict import Stored
        >>> rows = [Stored(path="m.json", keys=(f"{i}", "f1"), value=i / 9) for i in range(3)]
        >>> catalogue = catalogue_of_stored(rows)
        >>> family = catalogue.families["f1"]
        >>> [time.kind for time in moments(words_of("Best F1, last F1"), family, catalogue)]
        ['last', 'max']
    """
    if family.once:
        yield Time(kind="once")
        return
    stated = words.moments
    clocks = [clock if clock != "iteration" else "index" for clock in sorted(words.clocks)]
    best = [Time(kind=end) for end in _ends(family)]
    best += [Time(kind="at", by=by) for by in _choosers(family, catalogue)]
    times: list[Time] = []
    if "last" in stated or not stated:
        times.append(Time(kind="last"))
    if "best" in stated or not stated:
        times += best
    if "first" in stated or not stated:
        times.append(Time(kind="first"))
    if not clocks:
        yield from times
        return
    for time, clock in product(best if not stated else times, clocks):
        yield Time(kind=time.kind, at=time.at, by=time.by, clock=clock)
    if not stated:
        yield Time(kind="last", clock=clocks[0])


def _ends(family: Family) -> tuple[str, ...]:
    """Return which end of a family is its best: by its metric, else both."""
    known = known_metric(family.metric) if family.metric else None
    return _ENDS[known.better if known is not None else ""]


_ENDS = {"higher": ("max",), "lower": ("min",), "": ("max", "min")}


def _choosers(family: Family, catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    """Yield the families by whose best value a step may have been chosen: those of validation."""
    count = 0
    for other in catalogue.families.values():
        usable = other.split == "validation" and other.key != family.key and other.metric
        if usable and not other.once and count < _MOST_CHOOSERS:
            count += 1
            better = direction_of(other.metric)
            for end in _ENDS[better] if better else _ends(other):
                yield other.key, end


MOMENTS = {"last": "last", "first": "first", "max": "best", "min": "best", "at": "best"}


# Which runs a number of a sentence is of: by the names and seeds of its clause, or of them all.

BOUNDARY = re.compile(
    r"[,;:|]\s|\b(?:and|while|but|whereas|against|et|mais|contre|tandis|и|но|und|y|dan)\b"
)
_MOST_SETS = 8
_BESIDE = 12
_COMPARING = frozenset({"bound", "compared", "gap"})

_SET = re.compile(r"\s*[=:]\s*\d")
"""Behind the name of a setting, and no run's: `alpha = 16`."""

Runs = tuple[int, ...]
_WORD = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)
_NAMED_BEFORE = 20
_UNIT = re.compile(r"[-_ ]?([^\W\d_]{2,})")
"""Behind a number that it counts in a name: `4-bit`."""
_SEED = re.compile(
    r"\b(?:seed|graine|run|fold|version)s?[ _:=#]{0,2}\d{1,6}\b"
    r"(?:(?:,|,? (?:and|or|et|ou|und)|/) ?\d{1,6}\b(?![.,]\d|\s*%))*",
    re.IGNORECASE,
)


def mentions_in(text: str, catalogue: Catalogue) -> tuple[Mention, ...]:
    """Return the words of a text that name runs, and the seeds that it gives, in order.

    A word names the runs that have it in their names, where not all of them do.

    Example:
        >>> from reportgen.checking.catalogue import RunName
        >>> names = tuple(
        ...     RunName(id=f"{group}_{seed}", group=group, seed=seed, tokens=frozenset([group]))
        ...     for group in ("base", "wide") for seed in (0, 1)
        ... )
        >>> told = frozenset(["base", "wide"])
        >>> found = Catalogue(runs=names, families={}, groups={}, informative=told)
        >>> [one.runs for one in mentions_in("the wide model with seed 1", found)]
        [(2, 3), (1, 3)]
    """
    return catalogue.mentions.made(
        text, lambda: tuple(sorted({*_names_in(text, catalogue), *_seeds_in(text, catalogue)}))
    )


def _names_in(text: str, catalogue: Catalogue) -> Iterator[Mention]:
    places = [*_WORD.finditer(text)]
    words = ["".join(tokens_of(one[0])) for one in places]
    longer = catalogue.longer_groups
    for at, (place, word) in enumerate(zip(places, words, strict=True)):
        for parts, runs in longer.get(word, ()):
            if tuple(words[at : at + len(parts)]) == parts:
                yield Mention(place.start(), places[at + len(parts) - 1].end(), runs)
        if not word.isalpha():
            yield from _settings(text, place, word, catalogue)
            continue
        for name in _names_like(word, catalogue):
            yield Mention(place.start(), place.end(), catalogue.having[name])
        behind = words[at + 1] if at + 1 < len(words) else ""
        for name in _names_like(word + behind, catalogue) if behind.isalpha() else ():
            yield Mention(place.start(), places[at + 1].end(), catalogue.having[name])


def _settings(
    text: str, place: re.Match[str], word: str, catalogue: Catalogue
) -> Iterator[Mention]:
    """Yield the groups that have a number in their names, behind what they set (`lr 1e-3`)."""
    having = catalogue.having.get(word, ())
    runs = tuple(run for run in having if word in tokens_of(catalogue.runs[run].group))
    before = tokens_of(text[max(0, place.start() - _NAMED_BEFORE) : place.start()])
    called = {one for one in before if one.isalpha()} - {"seed"}
    apart = not text[place.start() - 1 : place.start()].isalpha()
    if runs and apart and ("e" in place[0].lower() or catalogue.runs[runs[0]].tokens & called):
        yield Mention(place.start(), place.end(), runs)
    behind = _UNIT.match(text, place.end())
    counted = f"{word}{behind[1].lower()}" if behind else ""
    of_unit = tuple(run for run in having if counted in names_of(catalogue.runs[run].id))
    if behind and apart and 0 < len(of_unit) < len(catalogue.runs):
        yield Mention(place.start(), behind.end(), of_unit)


def _seeds_in(text: str, catalogue: Catalogue) -> Iterator[Mention]:
    for match in _SEED.finditer(text):
        for number in re.finditer(r"\d+", match[0]):
            seed = int(number[0])
            runs = tuple(i for i, one in enumerate(catalogue.runs) if one.seed == seed)
            if runs:
                start, end = (match.start() + at for at in number.span())
                yield Mention(start, end, runs, is_seed=True)


def _names_like(word: str, catalogue: Catalogue) -> frozenset[str]:
    """Return the telling words of runs' names that a word, or its singular, is a form of."""
    forms = {word, word.removesuffix("s")} if len(word) > 2 else ()
    return catalogue.alike.made(
        word,
        lambda: frozenset(
            name
            for one in forms
            for name in catalogue.telling.get(one[:SAME], ())
            if _alike(one, name)
        ),
    )


def _alike(word: str, name: str) -> bool:
    """Say whether two words are one, or forms of one (`pretraining`, `pretrained`)."""
    if word == name:
        return True
    least = max(SAME, math.ceil(0.7 * min(len(word), len(name))))
    return len(name) >= least and len(word) >= least and word[:least] == name[:least]


class Naming:
    """The runs that the words of a sentence name.

    Args:
        text: The sentence.
        words: Its words of the lexicon.
        mentions: Its names and seeds of runs.
    """

    def __init__(self, text: str, words: Sequence[Said], mentions: Sequence[Mention]) -> None:
        self.spoken = overlaps(mentions)
        guards = [one.end for one in words if one.slot == "guard" and one.value in _COMPARING]
        self._guards = guards
        self._own = [
            one
            for one in mentions
            if not any(_is_compared(text, end, one.start) for end in guards)
            if one.is_seed or not _SET.match(text, one.end)
        ]
        self._ends = [match.end() for match in BOUNDARY.finditer(text)]

    def of(self, number: Number, numbers: Sequence[Number]) -> tuple[Runs, ...]:
        """Return the sets of runs that a number may be of; none where no name says it.

        Where no clause has names but no number, the names of its own clause, with what earlier
        clauses add; else all that the sentence names. What a number is
        compared with names nothing (`beats the small one with 0.8`).

        Args:
            number: One of the sentence.
            numbers: All of its numbers that are values.
        """
        start = number.context.offset
        # `0.03, below A, B and C` is of none of them.
        every = [
            one
            for one in self._own
            if not any(start < guard <= one.start for guard in self._guards)
        ]
        of_numbers = {self._clause(one.context.offset) for one in numbers}
        alone = {self._clause(one.start) for one in every if not one.is_seed} - of_numbers
        if alone or any(self._clause(one.start) > max(of_numbers) for one in every):
            return narrowest(every)
        here = self._clause(start)
        own = [one for one in every if self._clause(one.start) == here]
        if not own:
            return overlaps(every)
        before = [one for one in every if self._clause(one.start) < here]
        if all(one.is_seed for one in own):
            own += [one for one in before if not one.is_seed and _overlap(one, own)][-1:]
        elif not any(one.is_seed for one in own):
            free = [one for one in before if self._clause(one.start) not in of_numbers]
            own += [one for one in free if one.is_seed]
        return narrowest(own)

    def is_parted(self, numbers: Sequence[Number]) -> bool:
        """Say whether each clause with a number has names of its own, and no other has any."""
        clauses = {self._clause(one.start) for one in self._own}
        of_numbers = {self._clause(one.context.offset) for one in numbers}
        of_names = {self._clause(one.start) for one in self._own if not one.is_seed}
        return of_names <= of_numbers <= clauses

    def _clause(self, at: int) -> int:
        return bisect_right(self._ends, at)


def _is_compared(text: str, guard: int, name: int) -> bool:
    """Say whether words of comparing, which end at a place, are close before a name."""
    return 0 <= name - guard <= _BESIDE and not BOUNDARY.search(text, guard, name)


def _overlap(one: Mention, others: Iterable[Mention]) -> bool:
    return any(not set(one.runs).isdisjoint(other.runs) for other in others)


def narrowest(mentions: Sequence[Mention]) -> tuple[Runs, ...]:
    """Return the narrowest sets of runs that names tell, each with each of the seeds."""
    names = overlaps([one for one in mentions if not one.is_seed])
    names = tuple(one for one in names if not any({*other} < {*one} for other in names))
    seeds = dict.fromkeys(one.runs for one in mentions if one.is_seed)
    if len(seeds) > 1:
        seeds[tuple(sorted({run for runs in seeds for run in runs}))] = None
    both = {tuple(run for run in name if run in seed): None for name in names for seed in seeds}
    both.pop((), None)
    return tuple(both) or names or tuple(seeds)


def overlaps(mentions: Iterable[Mention]) -> tuple[Runs, ...]:
    """Return the sets of runs that are named, and what any two of them have in common.

    Example:
        >>> overlaps([Mention(0, 3, (0, 1, 2)), Mention(9, 10, (1, 4))])
        ((0, 1, 2), (1, 4), (1,))
    """
    sets = dict.fromkeys(one.runs for one in mentions)
    for left, right in combinations([*sets][:_MOST_SETS], 2):
        sets.setdefault(tuple(run for run in left if run in right))
    sets.pop((), None)
    return tuple(sets)
