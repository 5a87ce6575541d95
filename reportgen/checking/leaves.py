"""Numbers that no vote and no sentence binds, searched by the words of the keys they stand under.

A *leaf* is one value of the evidence with the words of its path: file, objects, tag. A number is
traced to the leaf that is named best by its row, its head or its sentence, where the number is
printed so and few enough of all leaves named as well would be. This accuses nobody.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from reportgen.checking.catalogue import Catalogue, Family, Reading, Time
from reportgen.checking.context import Claiming
from reportgen.checking.kept import Kept
from reportgen.checking.places import moments, numbered
from reportgen.checking.verdicts import Form, ends_of, form_of, verdict_on
from reportgen.checking.words import Words, names_of, tokens_of, words_of
from reportgen.records.record import field, record
from reportgen.records.verdict import Number, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["LIKE", "Leaves", "is_of_others", "leaf_verdicts", "leaves_of", "own_words", "scores_of"]

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
