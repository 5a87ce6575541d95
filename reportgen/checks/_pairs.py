"""Two sides of a comparison, value by value: the legal readings of `A is higher than B`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

from reportgen.checks._known import Known, Moment, shown
from reportgen.checks._margins import Reading, tolerance_of
from reportgen.checks._series import CLOCKS, Room, by_moment, means, singles, stds, widths
from reportgen.checks._subjects import counts_from_zero
from reportgen.records.claim import Meaning

Pair = tuple[Known, Known]

MOST_MOMENTS = 2000
"""Of longer curves every run is not held against every run."""
_SCOPES = ("each", "best", "last", "oracle", "result")
_SCOPE_WORDS = {
    "best": "at the best validation step",
    "last": "at the last step",
    "oracle": "at the best value of each run",
    "result": "as printed",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a comparison, bound to the evidence.

    Attributes:
        group: Group of the evidence.
        metric: Its metric.
        split: Its split.
        seed: One run, or None for all.
        moment: One moment, or None for all.
        selection: `"best"` or `"last"` where the sentence says so.
        run: Id of one run of the logs, or empty for all.
    """

    group: str
    metric: str
    split: str
    seed: int | None = None
    moment: Moment | None = None
    selection: str = ""
    run: str = ""

    def values(self, room: Room) -> tuple[Known, ...]:
        """Return the values of this side."""
        found = room.values(self.metric, self.split, self.group)
        if self.seed is not None:
            found = tuple(k for k in found if k.seed == self.seed)
        if self.run:
            found = tuple(k for k in found if k.run == self.run)
        return tuple(k for k in found if self._taken(k.moment))

    def _taken(self, moment: Moment) -> bool:
        if self.moment is not None:
            return moment == self.moment
        if self.selection == "best":
            return moment[0] in {"best", "oracle", "result"}
        return not self.selection or moment[0] == self.selection


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One way to hold two sides against each other.

    Attributes:
        name: In words.
        level: `"mean"`, `"seed"` (run against run of the same seed), `"run"` (every run
            against every run), `"std"`.
        scope: `"each"` moment, or a chosen one.
        pairs: Values of the first side with those of the second.
    """

    name: str
    level: str
    scope: str
    pairs: tuple[Pair, ...]


def moment_of(meaning: Meaning, room: Room) -> Moment | None:
    """Return the moment that a meaning names, as the evidence counts it."""
    if meaning.epoch is not None:
        shift = 1 if room.logged and counts_from_zero(room.case) else 0
        return ("epoch", Decimal(repr(float(meaning.epoch))) + shift)
    if meaning.step is None:
        return None
    facts = room.case.facts
    if room.logged and facts is not None and not room.clock:
        for row in (row for group in facts.groups for row in group.epochs):
            if row.step == meaning.step and row.epoch > 0:
                return ("epoch", Decimal(repr(float(row.epoch))))
    return ("step", Decimal(meaning.step))


def comparisons(room: Room, left: Side, right: Side) -> tuple[Comparison, ...]:
    """Return every way to hold two sides against each other, the likeliest first."""
    ours, theirs = left.values(room), right.values(room)
    found: list[Comparison] = []
    for level, sides in _levels(ours, theirs):
        for scope in _SCOPES:
            pairs = tuple(_pairs(level, scope, *sides))
            if pairs:
                name = f"{_words(level, left)} {_SCOPE_WORDS.get(scope) or _each(pairs)}"
                found.append(Comparison(name=name, level=level, scope=scope, pairs=pairs))
    return tuple(found)


def _levels(
    ours: Sequence[Known], theirs: Sequence[Known]
) -> Iterator[tuple[str, tuple[Sequence[Known], Sequence[Known]]]]:
    yield "mean", (means(ours), means(theirs))
    yield "seed", (singles(ours), singles(theirs))
    yield "run", (singles(ours), singles(theirs))
    yield "std", (stds(ours), stds(theirs))
    yield "std", (widths(ours), widths(theirs))


def _pairs(
    level: str, scope: str, ours: Sequence[Known], theirs: Sequence[Known]
) -> Iterator[Pair]:
    others = by_moment(theirs)
    shared = {moment: members for moment, members in by_moment(ours).items() if moment in others}
    if scope == "each":
        # The ends of epochs are what people compare; single steps only where there are none.
        clock = next((c for c in CLOCKS if any(moment[0] == c for moment in shared)), "")
        if level == "run" and len(shared) > MOST_MOMENTS:
            return
    else:
        clock = scope
    for moment, members in shared.items():
        if moment[0] != clock:
            continue
        for one, other in product(members, others[moment]):
            if level != "seed" or (one.seed is not None and one.seed == other.seed):
                yield one, other


def _words(level: str, side: Side) -> str:
    what = f"{side.split} {side.metric}".strip()
    return {
        "mean": f"mean {what}",
        "seed": f"{what}, seed by seed",
        "run": f"{what}, every run against every run,",
        "std": f"standard deviation of {what}",
    }[level]


def _each(pairs: Sequence[Pair]) -> str:
    kept = {one.moment for one, _ in pairs}
    if len(kept) == 1:
        return f"at {pairs[0][0].where}"
    return "at each " + next(iter(kept))[0]


def relation(
    comparison: Comparison,
    *,
    higher: bool,
    every: bool,
    gap: Callable[[Pair], Decimal] | None = None,
) -> Reading:
    """Read whether the first side lies above (or below) the second.

    Args:
        comparison: The pairs.
        higher: Whether the first is said to be the higher one.
        every: Whether it is said of all pairs; else half of them decide.
        gap: What is compared, by default the difference.
    """
    sign = 1 if higher else -1
    measured = gap or (lambda pair: pair[0].value - pair[1].value)
    ranked = sorted(comparison.pairs, key=lambda pair: sign * measured(pair))
    one, other = ranked[0 if every else len(ranked) // 2]
    return Reading(
        name=comparison.name,
        margin=sign * measured((one, other)),
        slack=one.slack + other.slack,
        tolerance=tolerance_of((one, other)),
        witness=f"{shown(one.value)} for {_who(one)} and {shown(other.value)} for {_who(other)} "
        f"({comparison.name}{_at(one, comparison)})",
        evidence=(*one.evidence, *other.evidence),
    )


def _who(known: Known) -> str:
    if known.aggregate or known.seed is None:
        return known.group or known.split or "the runs"
    return f"{known.group}/seed {known.seed}"


def _at(known: Known, comparison: Comparison) -> str:
    return f", {known.where}" if comparison.scope == "each" and len(comparison.pairs) > 1 else ""
