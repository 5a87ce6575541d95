"""What is called higher, better, more stable or similar is so, and by as much as it is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from reportgen.checks._amounts import amounts, as_amounts, ends, without_luck
from reportgen.checks._courses import roughness
from reportgen.checks._known import mean_of, shown
from reportgen.checks._likeness import among, between
from reportgen.checks._margins import Reading, denied
from reportgen.checks._multiples import check_multiples
from reportgen.checks._pairs import Comparison, Side, comparisons, relation
from reportgen.checks._sentences import check_sentences, groups_of, slots_of
from reportgen.checks._series import Room, courses, means, singles, stds
from reportgen.checks._shares import share_reading
from reportgen.checks._sides import sides
from reportgen.checks._some_moments import held_at, some_moments
from reportgen.checks._spread_results import of_results, on_reported_split, over_runs
from reportgen.checks._windows import within
from reportgen.claims._amounts_said import ON_AVERAGE
from reportgen.records.claim import Statement
from reportgen.records.finding import Case, Finding

_FIRST_ABOVE = frozenset({"higher", "less_stable"})
_STABLE = frozenset({"more_stable", "less_stable"})
_ORDERS = frozenset({"higher", "lower", "better", "worse"})
_PREDICATES = _ORDERS | _STABLE | {"similar", "equal", "apart"}
_LEVELS = {"runs": ("run",), "seeds": ("seed", "run")}


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding on every comparison of two groups, two splits, or runs among themselves."""
    yield from check_sentences(case, "ordering", _PREDICATES, _read, crisp=_is_crisp)
    yield from check_multiples(case)


def _is_crisp(statement: Statement) -> bool:
    """Say whether a comparison names its sides and leaves no epoch, no seed and no amount open."""
    named = all(s.group or (s.split and "seeds" in statement.over) for s in statement.subjects)
    moment = any(s.epoch is not None or s.step is not None for s in statement.subjects)
    exact = not any(number.approximate for number in statement.amounts)
    return named and exact and statement.predicate in _ORDERS and (bool(statement.over) or moment)


def _read(room: Room, statement: Statement) -> tuple[Reading, ...]:
    found = tuple(_readings(room, statement))
    return denied(found) if statement.denied else without_luck(found)


def _readings(room: Room, statement: Statement) -> Iterator[Reading]:
    if len(statement.subjects) == 1:
        yield from _among_runs(room, statement)
        return
    left, right = statement.subjects
    found: dict[str, list[Reading]] = {}
    # A report prints some groups under labels that have no values to compare.
    groups: set[str] = set()
    both: list[tuple[str, Reading]] = []
    for ours, theirs in sides(room, left, right):
        for reading in _between_sides(room, statement, ours, theirs):
            groups.add(ours.group)
            both.append((ours.split, reading))
    for reading in on_reported_split(room, statement, both):
        found.setdefault(reading.name, []).append(reading)
    for same in found.values():
        if left.group or not statement.over:
            yield from same
        elif len(same) >= len(groups):
            # Said of all groups alike: the one for which it holds least decides.
            yield min(same, key=lambda reading: reading.charity)


def _between_sides(room: Room, statement: Statement, ours: Side, theirs: Side) -> Iterator[Reading]:
    comparing = of_results(room, statement, _meant(comparisons(room, ours, theirs), statement))
    if statement.window != (None, None):
        comparing = tuple(_inside(room, statement, comparing))
    if statement.denied and "runs" in statement.over and ours.moment is None:
        # That not every run lies above is said of results: early in a training they all mix.
        comparing = tuple(c for c in comparing if c.scope != "each")
    higher = _is_higher(statement, lower_wins=room.lower_wins(ours.metric))
    every = bool(statement.over)
    if statement.predicate in _ORDERS and (counted := some_moments(room.clause)):
        # What is said of named moments (`above it at steps 1 and 8`) is counted by nobody.
        each = [c for c in comparing if c.scope == "each" and len(c.pairs) > 1]
        meant = [some for some in counted if some.higher in {higher, None}]
        if each:
            yield from (held_at(c, some, higher=higher) for c in each for some in meant or counted)
            return
    if statement.share is not None:
        yield from _for_some(comparing, statement.share, higher=higher)
        return
    for comparison in comparing:
        if statement.predicate in {"similar", "equal"}:
            exactly = statement.predicate == "equal"
            yield between(comparison, exactly=exactly, spread=_spread(room, ours, theirs))
        elif statement.predicate == "apart":
            either = (relation(comparison, higher=up, every=True) for up in (True, False))
            yield max(either, key=lambda reading: reading.margin)
        elif statement.amounts:
            direction = relation(comparison, higher=higher, every=every)
            for reading in _by_how_much(room, statement, comparison, ours.metric, higher=higher):
                yield _both(direction, reading)
        else:
            reading = relation(comparison, higher=higher, every=every)
            by_mean = statement.predicate in _ORDERS and not every
            yield (
                _under_means(reading, comparison, comparing, higher=higher) if by_mean else reading
            )
    if statement.predicate in _STABLE and not over_runs(room, statement):
        yield from _rough(room, ours, theirs, higher=higher)


def _for_some(
    comparing: Sequence[Comparison], share: tuple[int, int], *, higher: bool
) -> Iterator[Reading]:
    """Yield whether the first side lies above with as many of the seeds as it is said."""
    for comparison in comparing:
        moments = {one.moment for one, _ in comparison.pairs}
        if comparison.level == "seed" and len(moments) == 1:
            each = [
                relation(replace(comparison, pairs=(pair,)), higher=higher, every=True)
                for pair in comparison.pairs
            ]
            reading = share_reading(each, share, comparison.name)
            if reading is not None:
                yield replace(reading, witness=f"{reading.witness} ({comparison.name})")


def _by_how_much(
    room: Room, statement: Statement, comparison: Comparison, metric: str, *, higher: bool
) -> Iterator[Reading]:
    first, *last = statement.amounts
    if last:
        yield from ends(comparison, first, last[0], higher=higher)
        return
    # `better on every seed, by 2.5 points on average`: the one is of each, the other of the mean.
    of = "every" if statement.over else "some"
    for number in as_amounts(first, metric):
        on_average = ON_AVERAGE.search(room.clause)
        yield from amounts(comparison, number, higher=higher, of="mean" if on_average else of)


def _under_means(
    reading: Reading, comparison: Comparison, comparing: Sequence[Comparison], *, higher: bool
) -> Reading:
    """Return a reading that is doubtful where most runs say it and their means say the opposite."""
    same = [c for c in comparing if c.level == "mean" and c.scope == comparison.scope]
    against = any(relation(c, higher=higher, every=False).charity <= 0 for c in same)
    if comparison.level == "mean" or not against:
        return reading
    return replace(reading, margin=min(reading.margin, Decimal(0)), slack=Decimal(0))


def _inside(
    room: Room, statement: Statement, comparing: tuple[Comparison, ...]
) -> Iterator[Comparison]:
    """Yield the comparisons at each moment, those in the window of a statement alone."""
    for comparison in comparing:
        if comparison.scope == "each":
            kept = set(within(room, statement, [one for one, _ in comparison.pairs]))
            pairs = tuple(pair for pair in comparison.pairs if pair[0] in kept)
            yield from (replace(comparison, pairs=pairs),) if pairs else ()


def _is_higher(statement: Statement, *, lower_wins: bool) -> bool:
    if statement.predicate in {"better", "worse"}:
        return (statement.predicate == "better") != lower_wins
    return statement.predicate in _FIRST_ABOVE


def _meant(found: tuple[Comparison, ...], statement: Statement) -> tuple[Comparison, ...]:
    """Return the ways of comparing that a statement allows.

    What is said of every epoch is held against all epochs. Where the evidence has none, as in a
    report that prints best steps alone, those have to do.
    """
    aggregate = statement.subjects[0].aggregate
    spread = aggregate == "std" or statement.predicate in _STABLE
    levels: tuple[str, ...] = ("std",) if spread else ("mean", "seed", "run")
    if not spread and aggregate == "mean":
        levels = ("mean",)
    if statement.predicate == "apart":
        levels = ("run",)
    for axis, own in _LEVELS.items():
        if axis in statement.over and not spread:
            levels = own
    kept = tuple(c for c in found if c.level in levels)
    each = tuple(c for c in kept if c.scope == "each")
    if "epochs" in statement.over and any(c.level == levels[0] for c in each):
        return each
    return kept


def _both(direction: Reading, amount: Reading) -> Reading:
    """Return a reading that holds only where the direction and the amount do."""
    if direction.margin <= 0 and direction.charity <= 0:
        return direction
    return amount


def _spread(room: Room, ours: Side, theirs: Side) -> Decimal:
    """Return twice the larger standard deviation over seeds on either side."""
    found = [known.value for side in (ours, theirs) for known in stds(side.values(room))]
    return 2 * max(found, default=Decimal(0))


def _rough(room: Room, ours: Side, theirs: Side, *, higher: bool) -> Iterator[Reading]:
    """Yield whether the curves of one side go back less than those of the other."""
    sign = 1 if higher else -1
    for summarise, what in ((means, "the mean curve"), (singles, "single curves")):
        left, right = (
            [roughness(course) for course in courses(summarise(side.values(room)))]
            for side in (ours, theirs)
        )
        if left and right:
            one, other = mean_of(left), mean_of(right)
            if one == other == 0:
                continue  # Neither goes back anywhere: that tells nothing.
            yield Reading(
                name=f"size of the steps back of {what}",
                margin=sign * (one - other),
                witness=f"mean steps back of {shown(one)} for {ours.group} and {shown(other)} for "
                f"{theirs.group} ({what}, {ours.split} {ours.metric})",
            )


def _among_runs(room: Room, statement: Statement) -> Iterator[Reading]:
    """Yield whether the runs of each group that is meant are alike."""
    (subject,) = statement.subjects
    exactly = statement.predicate == "equal"
    for metric, split in slots_of(room, subject):
        found: dict[str, list[Reading]] = {}
        for group in groups_of(room, subject):
            values = singles(room.values(metric, split, group))
            for reading in among(values, exactly=exactly, what=f"{split} {metric}".strip()):
                found.setdefault(reading.name, []).append(replace(reading))
        for same in found.values():
            yield min(same, key=lambda reading: reading.charity)
