"""Lines whose items are each of another metric: `Accuracy | 0.91`, `F1 | 0.88`, a list of scores.

Each item names its own tag; what the items share is the run, or the file, and the time. The run and
time with which most of them agree is the line's.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from reportgen.checking.catalogue import Catalogue, Family, Reading, Time
from reportgen.checking.places import Item, Line
from reportgen.checking.printed import SCALES, chance, is_printed
from reportgen.checking.times import MOMENTS
from reportgen.checking.words import tokens_of, words_of
from reportgen.records.record import record

__all__ = ["Named", "bind_names"]

_MOST_RUNS, _MOST_ITEMS, _MOST_STEPS, _MOST_FAMILIES = 80, 60, 50, 6
_ENOUGH_BITS = 4.0
_LEAST, _MAJORITY = 2, 0.6
_KINDS = ("last", "max", "min")
_LONG = 2000
"""On a curve of more values, chance would find a step for any numbers."""


@record
class Named:
    """What the items of a line are, each by its own name.

    Attributes:
        hits: Items that agree, with their readings.
        misses: Items that do not, with what they should be.
    """

    hits: tuple[tuple[Item, Reading], ...]
    misses: tuple[tuple[Item, Reading], ...]


def bind_names(line: Line, catalogue: Catalogue) -> Named | None:
    """Return what the items of a line are by their names, or None where too little agrees."""
    named = [(one, _families(one.name, catalogue)) for one in line.items[:_MOST_ITEMS]]
    named = [(item, families) for item, families in named if families]
    if len({families[:1] for _, families in named}) < _LEAST:
        return None
    counts: Counter[tuple[str | int, Time]] = Counter()
    for item, families in named:
        counts.update([*dict.fromkeys(_places(item, families, line, catalogue))])
    tried = math.log10(max(1, len(counts))) / 2
    for (place, time), count in counts.most_common(1):
        if count >= max(_LEAST, _MAJORITY * len(named)):
            found, bits = _held(named, place, time, catalogue)
            return found if bits >= _ENOUGH_BITS + tried else None
    return None


def _families(name: str, catalogue: Catalogue) -> tuple[Family, ...]:
    """Return the families that a name fits best: most of its words, and fewest others."""
    key = ("named", name)
    kept = catalogue.asked.get(key)
    if kept is None:
        words, tokens = words_of(name), {*tokens_of(name)}
        scored = []
        for family in catalogue.families.values():
            tag = {*tokens_of(family.key.replace("/", " "))} - words.splits
            shared = {one for one in tokens & tag if one.isalpha() and len(one) > 1}
            means = words.metrics & (family.words.metrics | {family.metric})
            other = words.splits and family.split and family.split not in words.splits
            if (shared or means) and not other:
                score = len({*tokens & tag}) + bool(means) - 0.3 * len(tag - tokens)
                scored.append((score, family.key))
        top = max(scored, default=(0.0, ""))[0]
        kept = frozenset(key for score, key in scored if score > top - 0.01 and score > 0)
        catalogue.asked[key] = kept
    return tuple(catalogue.families[one] for one in sorted(kept)[:_MOST_FAMILIES])


def _places(
    item: Item, families: Sequence[Family], line: Line, catalogue: Catalogue
) -> Iterator[tuple[str | int, Time]]:
    """Yield the runs, or the files, and the times at which an item's number stands."""
    called = catalogue.runs_called(line.text)
    for family in families:
        runs = called or [*family.curves][:_MOST_RUNS]
        for run, curve in ((run, family.curves[run]) for run in runs if run in family.curves):
            for index in [i for scale in SCALES for i in curve.at(item.form, scale)][:_MOST_STEPS]:
                times = [Time(kind=kind) for kind in _KINDS]
                found = [time for time in times if curve.index_of(time) == index]
                step = [Time(kind="step", at=float(curve.steps[index]))]
                for time in (*step[: len(curve.values) <= _LONG], *found):
                    if _may_be(item, time):
                        yield run, time
                        yield curve.path, time


def _may_be(item: Item, time: Time) -> bool:
    """Say whether the name of an item leaves a time open."""
    return not item.words.moments or MOMENTS.get(time.kind) in item.words.moments


def _held(
    named: Sequence[tuple[Item, Sequence[Family]]],
    place: str | int,
    time: Time,
    catalogue: Catalogue,
) -> tuple[Named, float]:
    """Return which items agree at a place and time, and how little chance explains it."""
    hits, misses, bits = [], [], 0.0
    for item, families in named:
        if not _may_be(item, time):
            continue
        found = [
            reading
            for family in families
            for run, curve in family.curves.items()
            if place in {run, curve.path}
            if (reading := catalogue.read(family, (run,), time)) is not None
        ]
        tried = ((one, scale) for one in found for scale in SCALES)
        hit = next((o for o, scale in tried if is_printed(item.form, o.value * scale)), None)
        if hit is not None:
            hits.append((item, hit))
            bits -= math.log10(max(1e-9, chance(item.form, 0.0, abs(hit.value) or 1.0, 2)))
        elif len(found) == 1:
            misses.append((item, found[0]))
    return Named(hits=tuple(hits), misses=tuple(misses)), bits
