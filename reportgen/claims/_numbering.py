"""How a report numbers its seeds: one way for the whole report, solved by vectors of values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from reportgen.claims._evidence import Group, best_step_of, is_printed_as, readings
from reportgen.records.claim import Claim, Meaning, Printed

Numbering = Mapping[str, Mapping[int, int]]
"""Group of the evidence to (as written -> seed of the evidence)."""
_Ways = Sequence[tuple[str, Callable[[Sequence[int], Sequence[int]], dict[int, int]]]]


@dataclass(frozen=True, slots=True)
class Solved:
    """How a report numbers its seeds.

    Attributes:
        seeds: The numbering.
        sure: Whether more than one value, or the names alone, decide.
    """

    seeds: Numbering
    sure: bool


@dataclass(frozen=True, slots=True)
class Vector:
    """Values of one kind over the seeds of a group: (as written, printed, meaning) each."""

    group: str
    entries: tuple[tuple[int, Printed, Meaning], ...]


def _same(written: Sequence[int], seeds: Sequence[int]) -> dict[int, int]:
    return {w: w for w in written if w in seeds}


def _one_less(written: Sequence[int], seeds: Sequence[int]) -> dict[int, int]:
    return {w: w - 1 for w in written if w - 1 in seeds}


def _one_more(written: Sequence[int], seeds: Sequence[int]) -> dict[int, int]:
    return {w: w + 1 for w in written if w + 1 in seeds}


def _in_order(written: Sequence[int], seeds: Sequence[int]) -> dict[int, int]:
    if len(written) != len(seeds):
        return {}
    return dict(zip(sorted(written), sorted(seeds), strict=True))


def _by_place(written: Sequence[int], seeds: Sequence[int]) -> dict[int, int]:
    """Number the runs from 1 in the order of their seeds: seed 42 is run 1."""
    ordered = sorted(seeds)
    return {w: ordered[w - 1] for w in written if 1 <= w <= len(ordered)}


_WAYS: _Ways = (
    ("identity", _same),
    ("one less", _one_less),
    ("one more", _one_more),
    ("in order", _in_order),
    ("by place", _by_place),
)


def solve_numbering(claims: Sequence[Claim], groups: Mapping[str, Group]) -> Solved:
    """Return the numbering under which most vectors of values agree with the logs.

    Args:
        claims: With their groups of the evidence.
        groups: Groups of the evidence by name.

    Returns:
        Names alone where no vector decides: the same numbers where the logs have them all,
        else the order of the numbers.
    """
    written = _written(claims)
    if not written:
        return Solved({}, sure=True)
    vectors = tuple(_vectors(claims))
    options: dict[str, tuple[Numbering, int, int]] = {}
    for name, way in _WAYS:
        seeds = {g: way(numbers, groups[g].seeds) for g, numbers in written.items()}
        missing = any(len(seeds[g]) < len(numbers) for g, numbers in written.items())
        whole, single = _agreement(vectors, seeds, groups)
        if not missing or whole:
            options.setdefault(name, (seeds, whole, single))
    if "identity" not in options and _speaks_for_itself(claims, written, options, groups):
        return Solved({g: _same(n, groups[g].seeds) for g, n in written.items()}, sure=False)
    return _choose(options, written, groups)


def _speaks_for_itself(
    claims: Sequence[Claim],
    written: Mapping[str, Sequence[int]],
    options: Mapping[str, tuple[Numbering, int, int]],
    groups: Mapping[str, Group],
) -> bool:
    """Say whether the numbers are those of the logs, though one group has no such seed.

    A seed that a sentence lends to another group than its own renumbers none that has it: where
    no vector decides, and single values agree more often so than under any other numbering.
    """
    if any(whole for _, whole, _ in options.values()):
        return False
    same = {g: _same(numbers, groups[g].seeds) for g, numbers in written.items()}
    if not any(len(same[g]) == len(numbers) for g, numbers in written.items()):
        return False
    values = tuple(_vectors(claims, least=1))
    others = (_agreement(values, seeds, groups)[1] for seeds, _, _ in options.values())
    return _agreement(values, same, groups)[1] > max(others, default=0)


def _choose(
    options: Mapping[str, tuple[Numbering, int, int]],
    written: Mapping[str, Sequence[int]],
    groups: Mapping[str, Group],
) -> Solved:
    """Return the best numbering, the plainer of two that fit equally well."""
    if not options:
        return Solved({}, sure=False)
    by_names = next(iter(options.values()))[0]
    complete = all(
        set(seeds) == set(groups[g].seeds) or len(seeds) == len(groups[g].seeds)
        for g, seeds in written.items()
    )
    best = max(whole for _, whole, _ in options.values())
    winners = [seeds for seeds, whole, _ in options.values() if whole == best]
    different = [seeds for seeds in winners if seeds != winners[0]]
    if best and not different:
        return Solved(winners[0], sure=True)
    if best and by_names in winners:
        return Solved(by_names, sure=complete)
    agreeing = max(single for _, _, single in options.values())
    named = next(iter(options.values()))[2]
    # Names speak for themselves where they are complete and the values do not object.
    return Solved(by_names, sure=complete and (named == agreeing or agreeing < 2))


def _written(claims: Sequence[Claim]) -> dict[str, tuple[int, ...]]:
    """Return, for each group, the numbers its seeds bear in the report."""
    found: dict[str, dict[int, None]] = {}
    for claim in claims:
        meaning = claim.content
        if isinstance(meaning, Meaning) and meaning.run_group and meaning.seed is not None:
            found.setdefault(meaning.run_group, {})[meaning.seed] = None
    return {group: tuple(seeds) for group, seeds in found.items()}


def _vectors(claims: Sequence[Claim], least: int = 2) -> Iterator[Vector]:
    """Yield values of one kind over two seeds or more, with so many different values at least."""
    found: dict[tuple[object, ...], dict[int, tuple[Printed, Meaning]]] = {}
    for claim in claims:
        meaning, printed = claim.content, claim.printed
        if not isinstance(meaning, Meaning) or printed is None or meaning.seed is None:
            continue
        if claim.kind not in {"metric_value", "best_step"} or not meaning.run_group:
            continue
        moment = None if meaning.selection == "best" else (meaning.step, meaning.epoch)
        place = claim.table if claim.table is not None else -1
        kind = (claim.kind, meaning.metric, meaning.split, meaning.selection, moment, place)
        found.setdefault((meaning.run_group, *kind), {})[meaning.seed] = (printed, meaning)
    for (group, *_), values in found.items():
        if len({printed.value for printed, _ in values.values()}) >= least:
            entries = tuple((seed, *pair) for seed, pair in values.items())
            yield Vector(str(group), entries)


def _agreement(
    vectors: Sequence[Vector], seeds: Numbering, groups: Mapping[str, Group]
) -> tuple[int, int]:
    """Return how many vectors agree as a whole, and how many values in them."""
    whole = single = 0
    for vector in vectors:
        hits = [_hits(entry, vector.group, seeds, groups) for entry in vector.entries]
        together = set.intersection(*map(set, hits)) if hits else set()
        whole += bool(together)
        single += sum(map(bool, hits))
    return whole, single


def _hits(
    entry: tuple[int, Printed, Meaning],
    group: str,
    seeds: Numbering,
    groups: Mapping[str, Group],
) -> frozenset[str]:
    """Return the readings under which one value agrees with the run it would be of."""
    written, printed, meaning = entry
    seed = seeds.get(group, {}).get(written)
    if seed is None:
        return frozenset()
    if meaning.selection == "best" and printed.value == (meaning.step or meaning.epoch):
        step = best_step_of(groups[group], seed)
        size = groups[group].study.steps_per_epoch
        epoch = Decimal(step) / size if step is not None and size else None
        hit = printed.value in {step, epoch}
        return frozenset({"best step"}) if hit else frozenset()
    found = readings(groups[group], seed, meaning)
    return frozenset(reading for reading, value in found if is_printed_as(printed, value))
