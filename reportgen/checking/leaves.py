"""Numbers that no vote and no sentence binds, searched by the words of the keys they stand under.

A *leaf* is one value of the evidence with the words of its path: file, objects, tag. A number is
traced to the leaf that is named best by its row, its head or its sentence, where the number is
printed so and few enough of all leaves named as well would be. This accuses nobody.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from reportgen.checking.catalogue import Catalogue, Family, Reading, Time, metric_fits
from reportgen.checking.causes import cause_of_digits
from reportgen.checking.context import Claiming
from reportgen.checking.kept import Kept
from reportgen.checking.phrases import Phrase, phrases_of
from reportgen.checking.places import moments, numbered
from reportgen.checking.verdicts import (
    Form,
    denied,
    ends_of,
    form_of,
    is_close,
    quote_of,
    spell,
    verdict_on,
)
from reportgen.checking.words import Words, names_of, tokens_of, words_of
from reportgen.records.record import field, record, replace
from reportgen.records.verdict import Number, Trace, Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "LIKE",
    "Leaves",
    "is_of_others",
    "leaf_verdicts",
    "leaves_of",
    "own_words",
    "scores_of",
    "slip_verdicts",
]

_MOST_LEAVES = 60_000
_MOST_SCORED = 200
_SHORT = 12
"""A list of so few values may have any of them named."""
_ODDS, _ODDS_UNSAID = 0.05, 0.02
_ABOUT = 0.5
"""What a word of the caption or of a heading counts, against one at the number itself."""
_UNSAID = 1.0
"""What a leaf loses that is a spread or a median, where no word says so."""
_SPREADS = frozenset(f"aggregate {one}" for one in ("std", "pstd", "se", "median"))
_LETTER = 0.5
LIKE = 1e-6
_KINDS = ("last", "max", "min", "first")
_SCALES = (1.0, 100.0)
_TYPES = frozenset({"table", "paragraph", "item", "caption", "output", "code"})


@record(eq=False)
class Leaves:
    """Values of the evidence and their words.

    Attributes:
        readings: What each leaf is.
        values: Its value.
        widths: How far values of its kind lie apart.
        kinds: Number of its family: leaves of one differ in their runs, times and aggregates.
        order: Positions of the leaves by their values.
        postings: Word to the positions of the leaves that have it.
        weights: How much a word tells, as -log10 of the share of leaves that have it.
    """

    readings: tuple[Reading, ...]
    values: NDArray[np.float64]
    widths: NDArray[np.float64]
    kinds: NDArray[np.int64]
    order: NDArray[np.int64]
    postings: Mapping[str, NDArray[np.int64]]
    weights: Mapping[str, float]
    scored: Kept[object, NDArray[np.float64]] = field(default_factory=lambda: Kept(_MOST_SCORED))
    places: dict[str, frozenset[int]] = field(default_factory=dict, repr=False)

    def between(self, low: float, high: float) -> NDArray[np.int64]:
        """Return the positions of the leaves from a least to a largest value."""
        ends = np.searchsorted(self.values, (low, high), sorter=self.order)
        ends[1] = np.searchsorted(self.values, high, side="right", sorter=self.order)
        return self.order[ends[0] : ends[1]]


def leaf_verdicts(
    numbers: Sequence[Claiming], known: Mapping[str, Verdict], catalogue: Catalogue
) -> Iterator[tuple[str, Verdict]]:
    """Yield the ids of numbers that stand under their own words, with the verdicts on them.

    Args:
        numbers: All numbers of a report.
        known: Verdicts by the ids of the numbers, which are passed over.
        catalogue: The evidence.
    """
    leaves: Leaves | None = None
    keys = _keys(numbers)
    for one in numbers:
        number = one.number
        form = _telling(form_of(number.printed))
        if one.reason or number.id in known or number.type not in _TYPES or form is None:
            continue
        if not catalogue.index.owners_of(form_of(number.printed)):
            continue
        leaves = leaves or leaves_of(catalogue)
        key = keys.get((number.block, number.row), "")
        reading = _found(number, form, leaves, catalogue, key)
        if reading is not None:
            traces = (catalogue.trace(reading),)
            yield number.id, verdict_on(number, "search", bindings=("words",), traces=traces)


def _keys(numbers: Sequence[Claiming]) -> dict[tuple[int, int | None], str]:
    """Return the seeds, steps and epochs that stand in a row of a table, with their heads."""
    found: dict[tuple[int, int | None], str] = {}
    for one in numbers:
        number, words = one.number, words_of(one.number.context.head)
        if number.row is not None and (words.things or words.clocks) and not words.moments:
            place = (number.block, number.row)
            text = f"{number.context.head} {number.printed.text}"
            found[place] = f"{found.get(place, '')} | {text}"
    return found


def _telling(form: Form) -> Form | None:
    """Return a form with the room that its digits leave, or None for one that tells nothing.

    A round number of a thousand may be any number near it.
    """
    if form.decimals > 0:
        return form if abs(form.value) >= 20 * form.half else None
    digits = f"{abs(form.value):.0f}".rstrip("0")
    if len(digits) < 2 + (not form.percent):
        return None
    zeros = len(f"{abs(form.value):.0f}") - len(digits)
    return form._replace(half=0.5 * 10.0**zeros)


_made: WeakKeyDictionary[Catalogue, Leaves] = WeakKeyDictionary()


def leaves_of(catalogue: Catalogue) -> Leaves:
    """Return the leaves of a catalogue, made once."""
    if catalogue not in _made:
        _made[catalogue] = _make(catalogue)
    return _made[catalogue]


def _make(catalogue: Catalogue) -> Leaves:
    readings: list[Reading] = []
    widths: list[float] = []
    words: dict[str, list[int]] = {}
    titles: dict[str, frozenset[str]] = {}
    tags: dict[tuple[str, str], frozenset[str]] = {}
    for reading, family in _readings(catalogue):
        name = catalogue.runs[reading.runs[0]]
        title = name.id if len(reading.runs) == 1 else name.group
        tag = family.curves[reading.runs[0]].tag
        if title not in titles:
            titles[title] = names_of(title)
        if (tag, family.key) not in tags:
            measured = {f"metric {family.metric}"} if family.metric else frozenset[str]()
            tags[tag, family.key] = names_of(tag) | _meanings(f"{tag} {family.key}") | measured
        own = titles[title] | tags[tag, family.key]
        for word in own | {f"aggregate {reading.aggregate}"} if reading.aggregate else own:
            words.setdefault(word, []).append(len(readings))
        readings.append(reading)
        size = abs(reading.value)
        widths.append(min(max(family.high - family.low, 0.2 * size), size) or 1.0)
        if len(readings) >= _MOST_LEAVES:
            break
    count = max(1, len(readings))
    kinds: dict[str, int] = {}
    values = np.array([reading.value for reading in readings])
    return Leaves(
        readings=tuple(readings),
        values=values,
        widths=np.array(widths),
        kinds=np.array([kinds.setdefault(one.family, len(kinds)) for one in readings]),
        order=np.argsort(values, kind="stable"),
        postings={word: np.array(places) for word, places in words.items()},
        weights={
            word: math.log10((count + 1) / len(places)) * (_LETTER if len(word) == 1 else 1.0)
            for word, places in words.items()
        },
    )


def _readings(catalogue: Catalogue) -> Iterator[tuple[Reading, Family]]:
    """Yield values that words may name: of single runs, and of groups with their spreads."""
    for family in catalogue.families.values():
        logged = dict.fromkeys(catalogue.runs[run].group for run in family.curves)
        groups = [catalogue.groups[name] for name in logged]
        for run, curve in family.curves.items():
            count = len(curve.values)
            times = [Time(kind="once" if family.once or count == 1 else kind) for kind in _KINDS]
            if 1 < count <= _SHORT and not curve.ordered:
                times += [Time(kind="index", at=float(index)) for index in range(count)]
            seen: set[int | None] = set()
            for time in times:
                index = curve.index_of(time)
                reading = catalogue.read(family, (run,), time) if index not in seen else None
                seen.add(index)
                if reading is not None:
                    yield reading, family
        for runs in (one for one in groups if len(one) > 1):
            kinds = ("once",) if family.once else _KINDS[:-1]
            for kind, aggregate in ((k, a) for k in kinds for a in ("mean", "std", "pstd")):
                reading = catalogue.read(family, runs, Time(kind=kind), aggregate)
                if reading is not None and len(reading.runs) > 1:
                    yield reading, family


def _meanings(text: str) -> frozenset[str]:
    """Return what the lexicon says of a text, as words of their own."""
    words = words_of(text)
    slots = {"metric": words.metrics, "split": words.splits, "aggregate": words.aggregates}
    return frozenset(f"{slot} {value}" for slot, values in slots.items() for value in values)


def _found(
    number: Number, form: Form, leaves: Leaves, catalogue: Catalogue, key: str
) -> Reading | None:
    """Return the leaf that is named best of those with a number, unless chance would find one."""
    context = number.context
    texts = (context.row, context.head) if number.row is not None else (context.sentence,)
    direct = " | ".join(texts)
    about = " | ".join((*context.headings[-2:], context.caption))
    scores = scores_of(direct, about, leaves)
    best: tuple[float, int, float] | None = None
    for scale in _SCALES:
        if scale != 1.0 and not (form.percent or form.value > 1.0):
            continue
        hits = np.sort(leaves.between(*ends_of(form, scale)))
        if len(hits):
            top = int(hits[np.argmax(scores[hits])])
            if best is None or scores[top] > best[0]:
                best = float(scores[top]), top, scale
    if best is None or best[0] <= 0:
        return None
    score, top, scale = best
    told = f"{direct} | {key}"
    said = own_words(told, leaves)
    own = [word for word, places in said.items() if top in places]
    reading = leaves.readings[top]
    if (
        not own
        or is_of_others(top, told, leaves)
        or _is_of_then(f"{direct} | {key}", reading, catalogue)
    ):
        return None
    rivals = scores >= score - LIKE
    values, at = np.unique(leaves.values[rivals] * scale, return_index=True)
    widths = leaves.widths[rivals][at] * scale
    near = np.abs(values - form.value) <= 2 * widths
    odds = float(np.minimum(1.0, 3 * form.half / widths[near]).sum())
    measured = any(word.startswith("metric ") for word in own)
    return reading if odds <= (_ODDS if measured else _ODDS_UNSAID) else None


def is_of_others(top: int, text: str, leaves: Leaves) -> bool:
    """Say whether another leaf of its family has all words of a text that a leaf has, and more."""
    said, tokens = own_words(text, leaves), tokens_of(text)
    # Two words that stand side by side are no name by chance.
    places = [said[word] for word in said if word in tokens or not word.isalpha()]
    family = frozenset(np.flatnonzero(leaves.kinds == leaves.kinds[top]).tolist())
    alike = family.intersection(*(one for one in places if top in one))
    return any(alike & one for one in places if top not in one)


def _is_of_then(text: str, reading: Reading, catalogue: Catalogue) -> bool:
    """Say whether a text tells a step, an epoch or the best, and a reading is of another time."""
    family, words = catalogue.families[reading.family], words_of(text)
    times = [*numbered(text, family)]
    if not times and words.moments == {"best"}:
        times += moments(Words(moments=words.moments), family, catalogue)
    found = [catalogue.read(family, reading.runs, time, reading.aggregate) for time in times]
    values = {one.value for one in found if one is not None}
    return bool(values) and reading.value not in values


def own_words(text: str, leaves: Leaves) -> dict[str, frozenset[int]]:
    """Return the words of a text that leaves have, numbers and single letters left out."""
    words = names_of(text) | _meanings(text)
    telling = [w for w in words & leaves.postings.keys() if len(w) > 1 and not w[0].isdigit()]
    for word in telling:
        if word not in leaves.places:
            leaves.places[word] = frozenset(leaves.postings[word].tolist())
    return {word: leaves.places[word] for word in telling}


def scores_of(direct: str, about: str, leaves: Leaves) -> NDArray[np.float64]:
    """Return how well each leaf is named by words at a number, and by those about it."""
    found = leaves.scored.get((direct, about))
    if found is None:
        found = np.zeros(len(leaves.readings))
        weights: Counter[str] = Counter()
        for text, weight in ((about, _ABOUT), (direct, 1.0)):
            for word in names_of(text) | _meanings(text):
                weights[word] = weight  # type: ignore[assignment]
        for word, weight in weights.items():
            if word in leaves.postings:
                found[leaves.postings[word]] += weight * leaves.weights[word]
        for word in _SPREADS - weights.keys() & leaves.postings.keys():
            found[leaves.postings[word]] -= _UNSAID
        leaves.scored[direct, about] = found
    return found


# Numbers that would stand under their own words, beside their neighbours, but for a digit.
#
# What stands beside a number, in its sentence or its row and column, says of which object or which
# field it is; its own words say which value there. Where nothing bears the number and the one value
# meant is a digit away, that value is told.

_CHANCE = 0.3
"""That one of the values that may be meant is a digit from a number by chance, at most."""
_CHANCE_ALONE = 0.2
_SHARE = 0.6
"""Of the other numbers of a line that have to stand in the evidence."""
_EVIDENCE = frozenset({"series", "sentence", "search"})
_MOST_NEIGHBOURS = 40
_LISTINGS = frozenset({"code", "output"})

Places = Mapping[tuple[object, ...], Sequence[int]]
"""Sentence, list, row or column to the leaves that numbers there were traced to."""


class _Evidence(NamedTuple):
    """What numbers of a report are held against.

    Attributes:
        catalogue: The evidence.
        leaves: Its values.
        having: Family, or runs, to the leaves that are of them.
        there: What numbers stand for, by their places.
        printed: The leaves that some number of the report stands for.
    """

    catalogue: Catalogue
    leaves: Leaves
    having: Mapping[object, Sequence[int]]
    there: Places
    printed: NDArray[np.int64]


def slip_verdicts(
    numbers: Sequence[Claiming], known: Mapping[str, Verdict], catalogues: Sequence[Catalogue]
) -> Iterator[tuple[str, Verdict]]:
    """Yield the ids of numbers that are a digit from what their words and neighbours name.

    Args:
        numbers: All numbers of a report.
        known: Verdicts by the ids of the numbers; those of them are passed over.
        catalogues: The evidence.
    """
    traced = [one.number for one in numbers if _is_evident(known.get(one.number.id))]
    open_ = [
        one.number
        for one in numbers
        if not one.reason and one.number.id not in known and _may_be_told(one.number)
    ]
    if not traced or not open_:
        return
    at_home = _at_home(numbers, known)
    for one in catalogues:
        for number, (reading, scale, cause) in _slips(open_, traced, known, one, at_home):
            spoken = number.row is None and number.type not in _LISTINGS
            loose = spoken and _is_loose(number, phrases_of(numbers, one))
            form, family = form_of(number.printed), one.families[reading.family]
            loose = loose or not one.is_whole(reading)
            if not loose and not any(_stands(form, family, other) for other in catalogues):
                expected = spell(reading.value * scale, number.printed.decimals)
                of_table = number.row is not None
                rule, quote = ("series", quote_of(number)) if of_table else ("sentence", "")
                wrong = denied(number, rule, one.trace(reading), expected, quote)
                bindings = ("words", "neighbour")
                yield number.id, replace(wrong, level="error", bindings=bindings, cause=cause)


def _at_home(numbers: Sequence[Claiming], known: Mapping[str, Verdict]) -> frozenset[str]:
    """Return the ids of numbers beside which half and more stand in the evidence.

    Those beside are of its sentence or row; of one that is alone there, of its heading.
    """
    every, traced = Counter[object](), Counter[object]()
    places: dict[str, tuple[object, ...]] = {}
    for one in numbers:
        if not one.reason and one.number.printed.decimals > 0:
            found = _places_of(one.number)[0], one.number.context.headings
            places[one.number.id] = found
            every.update(found)
            traced.update(found if _is_evident(known.get(one.number.id)) else ())
    return frozenset(
        name
        for name, (own, above) in places.items()
        if traced[own] >= (every[own] - 1) / 2
        if traced[own] or traced[above] >= _SHARE * (every[above] - 1) > 0
    )


def _slips(
    open_: Sequence[Number],
    traced: Sequence[Number],
    known: Mapping[str, Verdict],
    catalogue: Catalogue,
    at_home: Container[str],
) -> Iterator[tuple[Number, tuple[Reading, float, str]]]:
    """Yield numbers with the value that each means, its unit, and why it differs."""
    leaves = leaves_of(catalogue)
    there: dict[tuple[object, ...], list[int]] = defaultdict(list)
    borne: dict[tuple[object, ...], list[Reading]] = defaultdict(list)
    for number in traced:
        leaf = _leaf_of(known[number.id].traces[0], leaves, catalogue)
        if leaf is None:
            continue
        for place in _places_of(number):
            there[place].append(leaf)
            # A number of one digit stands, or not, by chance.
            if _is_telling(number):
                borne[place].append(leaves.readings[leaf])
    having: dict[object, list[int]] = defaultdict(list)
    for at, reading in enumerate(leaves.readings) if there else ():
        having[reading.family].append(at)
        having[reading.runs].append(at)
    printed = np.unique([*chain(*there.values())]).astype(np.int64)
    held = _Evidence(catalogue, leaves, having, there, printed)
    families = {one: {leaves.readings[at].family for at in own} for one, own in there.items()}
    ends = _ends_of((*open_, *traced))
    opened = Counter(chain(*map(_places_of, filter(_is_telling, open_))))
    every = opened + Counter(chain(*map(_places_of, filter(_is_telling, traced))))
    for number in open_:
        places = _places_of(number)
        # Where a row has another number, which stands nowhere, the column says nothing of it.
        lines = [one for one in places[: 1 + (every[places[0]] <= 1)] if one in there]
        found = _slip(number, held, ends[lines[0]]) if lines else None
        # In a list of several objects nothing says which one an item is of.
        if found is None and number.row is None and lines in ([], places[:1]):
            found = _slip_alone(number, held, ends[places[0]])
        if found is not None:
            # Where most numbers of a metric stand nowhere, or elsewhere, they are of other runs.
            lines = [one for one in places if found[0].family in families.get(one, ())]
            kin = {one: sum(_is_kin(other, found[0]) for other in borne[one]) for one in places}
            # Of a column the rest of which other evidence bears, its row says whose it is.
            alone = number.row is not None and opened[places[-1]] == 1
            lines = lines or (places[:1] if alone and kin[places[0]] else places[-1:])
            if any(kin[one] < _SHARE * (every[one] - 1) for one in lines):
                found = None
        if found is None and number.id in at_home:
            found = _slip_repeated(number, held, ends[places[0]])
        if found is not None:
            yield number, found


def _is_telling(number: Number) -> bool:
    return len(number.printed.value.as_tuple().digits) > 1


def _is_evident(verdict: Verdict | None) -> bool:
    traced = verdict is not None and verdict.outcome == "traced" and bool(verdict.traces)
    return traced and verdict is not None and verdict.rule in _EVIDENCE


def _may_be_told(number: Number) -> bool:
    printed = number.printed
    return printed.decimals > 0 and not (printed.approximate or printed.word or number.spread)


def _is_loose(number: Number, phrases: Sequence[Phrase]) -> bool:
    """Say whether the words of a sentence leave open that a number is no value of the evidence."""
    one = next((one for one in phrases if one.number.id == number.id), None)
    if one is None:
        return True
    bounds = one.quoted or one.ranged or "interval" in one.words.aggregates
    return bounds or one.gap or one.windowed


def _places_of(number: Number) -> list[tuple[object, ...]]:
    """Return the sentence in which a number stands, with its list; or the row and the column."""
    if number.row is None:
        own = number.block, "sentence", number.start - number.context.offset
        if number.type in _LISTINGS:
            return [own, (number.block, "list")]
        about = number.context.headings, number.context.caption
        return [own, (*about, "list")] if number.type == "item" else [own]
    column = number.column, number.part
    return [(number.block, "row", number.row), (number.block, "column", *column)]


def _leaf_of(trace: Trace, leaves: Leaves, catalogue: Catalogue) -> int | None:
    """Return the leaf that a number was traced to, or None where it is of other evidence."""
    if trace.value is None:
        return None
    for at in leaves.between(trace.value, trace.value):
        reading = leaves.readings[at]
        one = catalogue.trace(reading)
        if (one.path, one.tag, one.run) == (trace.path, trace.tag, trace.run):
            return int(at)
    return None


def _slip(
    number: Number, held: _Evidence, ends: Sequence[int]
) -> tuple[Reading, float, str] | None:
    """Return the one value that a number means, and is not for a digit; with its unit."""
    catalogue, leaves, having, there, _ = held
    form = form_of(number.printed)
    near = [there.get(place, ())[:_MOST_NEIGHBOURS] for place in _places_of(number)]
    alone = not near[0]
    if alone:
        near.reverse()  # each row has one number: of one object, each of a field of its own
    beside, *above = ([leaves.readings[at] for at in places] for places in near)
    across = above[0] if above else []
    used = {(one.family, one.runs, one.value) for one in (*beside, *across)}
    context = number.context
    words = whole = context.sentence if number.row is None else f"{context.row} | {context.head}"
    most = Counter(one.runs for one in beside).most_common(2)
    if alone and len(most) > 1:
        return None
    several = len(having[most[0][0]]) < len(leaves.readings)
    if number.row is None and several and most[0][1] > sum(n for _, n in most[1:]) + 1:
        # All is of one run: the words between the numbers say which of its values.
        beside = [one for one in beside if one.runs == most[0][0]]
        words = _between(number, ends)
    meant = [
        at
        for at in _related(beside, leaves, having)
        for one in [leaves.readings[at]]
        if (one.family, one.runs, one.value) not in used
        and not _is_listed(one, catalogue)
        and (one.runs == most[0][0] or not (alone or words != whole))
        and (not across or any(_is_like(one, other) for other in across))
    ]
    scores = scores_of(words, " | ".join((*context.headings[-2:], context.caption)), leaves)
    best = max((scores[at] for at in meant), default=0.0)
    # A word has to tell it from what stands beside it, unless what stands above does.
    said = [
        one for one in own_words(words, leaves).values() if across or not one.issuperset(near[0])
    ]
    top = [
        at
        for at in meant
        if scores[at] >= best - LIKE and any(at in one for one in said)
        if not is_of_others(at, words, leaves)
    ]
    return _slipped_from(form, top, leaves, _CHANCE)


def _slip_alone(
    number: Number, held: _Evidence, ends: Sequence[int]
) -> tuple[Reading, float, str] | None:
    """Return the same of a number of a sentence whose own words name one value alone.

    Its own are those up to the number before, and where these name no metric, those behind it.
    """
    leaves, context = held.leaves, number.context
    before, _, behind = _between(number, ends).partition(" | ")
    text = before if words_of(before).metrics else f"{before} | {behind}"
    about = " | ".join((context.sentence, *context.headings[-2:], context.caption))
    scores = scores_of(text, about, leaves)
    top = np.flatnonzero(scores >= scores.max(initial=LIKE) - LIKE)[:_MOST_NEIGHBOURS].tolist()
    families = {leaves.readings[at].family for at in top}
    if len(families) != 1 or any(is_of_others(at, text, leaves) for at in top):
        return None
    family = held.catalogue.families[min(families)]
    tag = names_of(family.key)
    own = [word for word, places in own_words(text, leaves).items() if places.issuperset(top)]
    if not (metric_fits(words_of(text), family) or tag.intersection(own)):
        return None
    # A sentence that has the right number already speaks of something else as well.
    there = {leaves.readings[at].value for at in held.there.get(_places_of(number)[0], ())}
    found = _slipped_from(form_of(number.printed), top, leaves, _CHANCE_ALONE)
    return None if found is None or found[0].value in there else found


def _slip_repeated(
    number: Number, held: _Evidence, ends: Sequence[int]
) -> tuple[Reading, float, str] | None:
    """Return the same of a number that the report has right elsewhere, under words of both places.

    Its metric is named beside it, or by a number there; whose it is, by its sentence, row or
    heading.
    """
    catalogue, leaves, context = held.catalogue, held.leaves, number.context
    form, printed = form_of(number.printed), held.printed.tolist()
    if not any(_slip_of(form, leaves.readings[at].value) for at in printed):
        return None
    if number.row is None:
        near, text = _between(number, ends), context.sentence
    else:
        near = text = f"{context.row} | {context.head}"
    said = own_words(" | ".join((text, *context.headings[-1:])), leaves)
    measured, beside = words_of(near), {*own_words(near, leaves)}
    there = [leaves.readings[at] for at in held.there.get(_places_of(number)[0], ())]
    others = {one.family for one in there}
    metrics = {catalogue.families[one].metric for one in others} - {""}
    meant = []
    for at in printed:
        family = catalogue.families[leaves.readings[at].family]
        if not (
            metric_fits(measured, family)
            or names_of(family.key) & beside
            or (not measured.metrics and (family.key in others or family.metric in metrics))
        ):
            continue
        own = np.flatnonzero(leaves.kinds == leaves.kinds[at]).tolist()
        alike = frozenset(own).intersection(*(one for one in said.values() if at in one))
        runs = (run for other in alike for run in leaves.readings[other].runs)
        if len({catalogue.runs[run].group for run in runs}) == 1:
            meant.append(at)
    found = _slipped_from(form, meant, leaves, _CHANCE)
    return None if found is None or found[0].value in {one.value for one in there} else found


def _slip_of(form: Form, value: float) -> tuple[float, str] | None:
    """Return the unit and the words of a digit by which a number is not a value, if it is one."""
    for scale in _scales(form, value):
        slipped = cause_of_digits(form, value * scale)
        if slipped and not is_close(form, value * scale):
            return scale, slipped.words
    return None


def _slipped_from(
    form: Form, top: Sequence[int], leaves: Leaves, most: float
) -> tuple[Reading, float, str] | None:
    """Return the one of some leaves that a number is a digit from, unless chance would be one."""
    values = {leaves.readings[at].value: at for at in top}
    found, odds = [], 0.0
    for value, at in values.items():
        for scale in _scales(form, value):
            digits = sum(map(str.isdigit, spell(value * scale, form.decimals).lstrip("-0.")))
            odds += 9 * digits * 2 * form.half / (leaves.widths[at] * scale)
        if slip := _slip_of(form, value):
            found.append((leaves.readings[at], *slip))
    return found[0] if len(found) == 1 and odds <= most else None


def _ends_of(numbers: Sequence[Number]) -> Mapping[tuple[object, ...], list[int]]:
    """Return where the numbers of each sentence begin and end."""
    ends: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for number in numbers:
        at = number.context.offset
        ends[_places_of(number)[0]] += at, at + number.end - number.start
    return ends


def _between(number: Number, ends: Sequence[int]) -> str:
    """Return the words from the number before to the number behind."""
    text, start = number.context.sentence, number.context.offset
    end = start + number.end - number.start
    first = max((one for one in ends if one <= start and one != start), default=0)
    last = min((one for one in ends if one > end), default=len(text))
    return f"{text[first:start]} | {text[end:last]}"


def _scales(form: Form, value: float) -> tuple[float, ...]:
    return (100.0,) if (form.percent or form.value > 1.0) and abs(value) <= 1.0 else (1.0,)


def _is_listed(one: Reading, catalogue: Catalogue) -> bool:
    """Say whether a value is one of a list: which is meant, its place says and no moment."""
    curves = catalogue.families[one.family].curves
    return not all(curves[run].ordered for run in one.runs)


def _is_kin(one: Reading, other: Reading) -> bool:
    """Say whether two values are of one family or of one run."""
    return one.family == other.family or one.runs == other.runs


def _is_like(one: Reading, other: Reading) -> bool:
    """Say whether two values are of one run or of one family, and of one time."""
    timed = (one.time, one.aggregate) == (other.time, other.aggregate)
    return timed and (one.family == other.family) != (one.runs == other.runs)


def _related(
    beside: Collection[Reading], leaves: Leaves, having: Mapping[object, Sequence[int]]
) -> list[int]:
    """Return the leaves that are of one run, or of one family, with a value beside."""
    keys = {one.family for one in beside} | {one.runs for one in beside}
    found = sorted({at for key in keys for at in having[key]})
    return [at for at in found if any(_is_like(leaves.readings[at], one) for one in beside)]


def _stands(form: Form, meant: Family, catalogue: Catalogue) -> bool:
    """Say whether a number is any value of the metric of a family, or of one of like words."""
    families = (catalogue.families[key] for key in catalogue.index.families_having(form))
    return any(not _words_of(meant).isdisjoint(_words_of(one)) for one in families)


def _words_of(family: Family) -> set[str]:
    words = {word for word in tokens_of(family.key) if not words_of(word).splits}
    return {*words, family.metric} - {""}
