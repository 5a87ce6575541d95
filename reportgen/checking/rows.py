"""Lines whose items are each of another metric: `Accuracy | 0.91`, `F1 | 0.88`, a list of scores.

Each item names its own tag; what the items share is the run, or the file, and the time. The run and
time with which most of them agree is the line's.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from reportgen.checking.catalogue import Catalogue, Family, Reading, Time
from reportgen.checking.places import Item, Line
from reportgen.checking.printed import SCALES, chance, ends_of, is_printed
from reportgen.checking.times import MOMENTS, moments
from reportgen.checking.vote import ENOUGH_BITS
from reportgen.checking.words import Words, tokens_of, words_of
from reportgen.records.record import record

__all__ = ["Named", "bind_names", "families_named"]

_MOST_RUNS = 80
_MOST_ITEMS = 60
_MOST_FAMILIES = 6
_MAJORITY = 0.6
_SHARED = 3
"""So many items at one step are no chance."""
_MOST_STEPS = 50
_LONG = 2000
"""On a curve of more values, chance would find a step for any numbers."""
_PLAIN = frozenset(
    """score value the of on in and a metric metrics result results overall total mean average
    eval evaluation set data model best final last for at with to by""".split()  # noqa: SIM905
)


@record
class Named:
    """What the items of a line are, each by its own name.

    Attributes:
        readings: Of each item; None where the evidence has none.
        scales: Printed value over value of the evidence, of each item.
        hits: Indices of the items that agree.
        misses: Indices of those that do not.
        bits: How unlikely the agreement is by chance.
    """

    readings: tuple[Reading | None, ...]
    scales: tuple[float, ...]
    hits: tuple[int, ...]
    misses: tuple[int, ...]
    bits: float

    @property
    def share(self) -> float:
        """Share of the items with a value in the evidence that agree with it."""
        return len(self.hits) / max(1, len(self.hits) + len(self.misses))


def bind_names(line: Line, catalogue: Catalogue) -> Named | None:
    """Return what the items of a line are by their names, or None where too little agrees."""
    items = line.items[:_MOST_ITEMS]
    named = [families_named(item.name, catalogue) for item in items]
    if sum(bool(one) for one in named) < 2 or len({one[:1] for one in named if one}) < 2:
        return None
    best: Named | None = None
    tried = 0
    for runs in _places(line, catalogue, named):
        times = [*_times(line, named, catalogue), *_shared_steps(items, named, runs)]
        for time in times:
            # A step that was searched is one of all that there are.
            tried += _most_points(named, runs[0]) if time.kind == "step" else 1
            one = _held(items, named, runs, time, catalogue)
            if one is not None and (best is None or _order(one) > _order(best)):
                best = one
    if best is None or best.share < _MAJORITY or len(best.hits) < 2:
        return None
    return best if best.bits >= ENOUGH_BITS + math.log10(max(1, tried)) / 2 else None


def _order(one: Named) -> float:
    return one.bits * one.share


def families_named(name: str, catalogue: Catalogue) -> tuple[Family, ...]:
    """Return the families that a name fits best: most of its words, and fewest others.

    Example:
        >>> from reportgen.records.verdict import Stored
        >>> from reportgen.checking.stored import catalogue_of_stored
        >>> rows = [Stored(path="m.json", keys=(key,), value=0.5) for key in ("BLEU-4", "BLEU-1")]
        >>> [one.key for one in families_named("BLEU-4 score", catalogue_of_stored(rows))]
        ['BLEU-4']
    """
    key = ("named", name)
    kept = catalogue.asked.get(key)
    if kept is None:
        kept = catalogue.asked[key] = frozenset(_best(name, catalogue))
    return tuple(catalogue.families[one] for one in sorted(kept))


def _best(name: str, catalogue: Catalogue) -> Iterator[str]:
    words, tokens = words_of(name), {*tokens_of(name)} - _PLAIN
    if not tokens:
        return
    scored = []
    for family in catalogue.families.values():
        if words.splits and family.split and family.split not in words.splits:
            continue
        tag = {*tokens_of(family.key.replace("/", " "))} - _PLAIN
        shared = tokens & tag
        means = words.metrics & (family.words.metrics | {family.metric})
        if not shared and not means:
            continue
        telling = any(len(token) > 1 and not token[0].isdigit() for token in shared)
        if not telling and not means:
            continue
        score = 2.0 * len(shared) + 2.0 * bool(means) - 0.6 * len(tag - tokens)
        score -= 0.8 * len(tokens - tag) if not means else 0.3 * len(tokens - tag)
        scored.append((score, family.key))
    if scored:
        top = max(score for score, _ in scored)
        best = [key for score, key in scored if score >= top - 0.01 and score > 0]
        yield from best[:_MOST_FAMILIES]


def _places(
    line: Line, catalogue: Catalogue, named: Sequence[tuple[Family, ...]]
) -> Iterator[tuple[int, ...]]:
    """Yield the runs a line may be of: those it names, each one, and the objects of one file."""
    there = sorted({run for families in named for one in families for run in one.curves})
    called = catalogue.runs_called(line.text)
    if called:
        there = [run for run in there if run in called] or there
    for run in there[:_MOST_RUNS]:
        yield (run,)
    files: dict[str, set[int]] = {}
    for families in named:
        for one in families:
            for run, curve in one.curves.items():
                files.setdefault(curve.path, set()).add(run)
    for runs in list(files.values())[:_MOST_RUNS]:
        if len(runs) > 1:
            yield tuple(sorted(runs))


def _times(line: Line, named: Sequence[tuple[Family, ...]], catalogue: Catalogue) -> Iterator[Time]:
    first = next(families[0] for families in named if families)
    words = Words(moments=line.words.moments)
    yield from dict.fromkeys(
        [Time(kind="last"), *(t for t in moments(words, first, catalogue) if t.kind != "once")]
    )


def _shared_steps(
    items: Sequence[Item], named: Sequence[tuple[Family, ...]], runs: tuple[int, ...]
) -> Iterator[Time]:
    """Yield the steps of a run at which most items of a line stand, whatever chose them."""
    counts: Counter[int] = Counter()
    for item, families in zip(items, named, strict=True) if len(runs) == 1 else ():
        steps: set[int] = set()
        for family, scale in product(families, SCALES):
            curve = family.curves.get(runs[0])
            if curve is None or not (1 < len(curve.values) <= _LONG and curve.ordered):
                continue
            low, high = ends_of(item.form, scale)
            inside = (curve.values >= low) & (curve.values <= high)
            steps |= {*curve.steps[inside][:_MOST_STEPS].tolist()}
        counts.update(steps)
    enough = max(_SHARED, _MAJORITY * sum(map(bool, named)))
    for step, count in counts.most_common(2):
        if count >= enough:
            yield Time(kind="step", at=float(step))


def _most_points(named: Sequence[tuple[Family, ...]], run: int) -> int:
    curves = (one.curves[run] for families in named for one in families if run in one.curves)
    return max((len(curve.values) for curve in curves), default=1)


def _held(
    items: Sequence[Item],
    named: Sequence[tuple[Family, ...]],
    runs: tuple[int, ...],
    time: Time,
    catalogue: Catalogue,
) -> Named | None:
    readings: list[Reading | None] = []
    scales: list[float] = []
    hits, misses, bits = [], [], 0.0
    for index, (item, families) in enumerate(zip(items, named, strict=True)):
        said = item.words.moments
        other = said and MOMENTS.get(time.kind) not in said
        found = None if other else _reading(item, families, runs, time, catalogue)
        readings.append(found[0] if found else None)
        scales.append(found[1] if found else 1.0)
        if found is None:
            continue
        if not found[2]:
            misses.append(index)
            continue
        hits.append(index)
        value = abs(found[0].value * found[1])
        if value:
            bits -= math.log10(max(1e-9, chance(item.form, 0.0, value, 2 * len(families))))
    if not hits:
        return None
    return Named(
        readings=tuple(readings),
        scales=tuple(scales),
        hits=tuple(hits),
        misses=tuple(misses),
        bits=bits,
    )


def _reading(
    item: Item,
    families: Sequence[Family],
    runs: tuple[int, ...],
    time: Time,
    catalogue: Catalogue,
) -> tuple[Reading, float, bool] | None:
    """Return the value of an item, its unit, and whether it is printed so."""
    first: tuple[Reading, float, bool] | None = None
    for family in families:
        for run in runs:
            reading = catalogue.read(family, (run,), time)
            if reading is None:
                continue
            for scale in SCALES:
                if is_printed(item.form, reading.value * scale):
                    return reading, scale, True
            if first is None:
                first = reading, 1.0, False
    return first
