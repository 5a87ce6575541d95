"""Values of single runs, and rows of mean and spread, as the report itself prints them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from reportgen.checks._once import once
from reportgen.checks._subjects import bound_numbers
from reportgen.claims._labels import group_key
from reportgen.records.claim import LIKELY, Claim, Meaning, Printed
from reportgen.records.finding import Case


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A claim with its number and its meaning."""

    claim: Claim
    meaning: Meaning
    printed: Printed


@once
def shown(case: Case, *kinds: str) -> tuple[Shown, ...]:
    """Return the numbers of these kinds that are bound well enough to speak of others."""
    return tuple(
        Shown(claim=claim, meaning=meaning, printed=printed)
        for claim, meaning, printed in bound_numbers(case, *kinds)
        if claim.confidence >= LIKELY
    )


def same_group(one: Meaning, other: Meaning) -> bool:
    """Say whether two numbers belong to one group of runs.

    Example:
        >>> same_group(Meaning(group="Pretrain Model"), Meaning(group="the pre-trained model"))
        True
        >>> same_group(Meaning(group="Pretrain"), Meaning(group="Random"))
        False
    """
    if one.run_group and other.run_group:
        return one.run_group == other.run_group
    return _key(one.group) == _key(other.group)


@lru_cache(maxsize=1024)
def _key(label: str) -> frozenset[str]:
    return group_key(label)


def same_measure(one: Meaning, other: Meaning) -> bool:
    """Say whether two numbers measure one thing on one split, as far as both say it."""
    return all(
        not a or not b or a == b for a, b in ((one.metric, other.metric), (one.split, other.split))
    )


def listings(case: Case, about: Shown) -> Iterator[tuple[Shown, ...]]:
    """Yield the sets of single runs that an aggregate may be of, the nearest first.

    A set is what one block prints: one value a seed, all of the aggregate's group, metric and
    split, and of its epoch where it has one. Where an aggregate has none, values of an epoch
    that other ones of its group follow are no result.
    """
    blocks: dict[int, list[Shown]] = {}
    for single in _singles(case):
        meaning = single.meaning
        if not same_group(meaning, about.meaning):
            continue
        if same_measure(meaning, about.meaning) and _same_time(meaning, about.meaning):
            blocks.setdefault(single.claim.block, []).append(single)
    place = about.claim.block
    for block in sorted(blocks, key=lambda b: (abs(b - place), b > place)):
        found = blocks[block]
        seeds = {single.meaning.seed for single in found}
        alone = len(seeds) > 1 and len(seeds) == len(found) and _of_one_kind(found)
        if alone and not _is_early(case, found[0].meaning, about.meaning):
            yield tuple(found)


@once
def _singles(case: Case) -> tuple[Shown, ...]:
    """Return the values of single runs that say which run."""
    return tuple(
        single
        for single in shown(case, "metric_value")
        if not single.meaning.aggregate and single.meaning.seed is not None
    )


def _same_time(single: Meaning, whole: Meaning) -> bool:
    if whole.epoch is not None or whole.step is not None:
        return (single.epoch, single.step) == (whole.epoch, whole.step)
    return not single.selection or not whole.selection or single.selection == whole.selection


def _is_early(case: Case, single: Meaning, whole: Meaning) -> bool:
    """Say whether a value of an epoch is one of the way to the result that a mean is of."""
    if single.selection or single.epoch is None or whole.epoch is not None:
        return False
    later = (s.meaning for s in _singles(case) if (s.meaning.epoch or 0) > single.epoch)
    return any(same_group(one, single) and same_measure(one, single) for one in later)


def _of_one_kind(found: Sequence[Shown]) -> bool:
    """Say whether values were chosen by one rule, and printed in one unit and split."""
    kinds = {(s.meaning.selection, s.meaning.split, s.meaning.metric) for s in found}
    units = {(s.meaning.unit, s.printed.unit) for s in found}
    free = all(s.meaning.epoch is None or s.meaning.selection for s in found)
    epochs = {s.meaning.epoch for s in found}
    return len(kinds) == 1 and len(units) == 1 and (free or len(epochs) == 1)


@once
def seeds_of(case: Case, meaning: Meaning) -> frozenset[int]:
    """Return the seeds of a group that the report prints values of."""
    return frozenset(
        single.meaning.seed
        for single in shown(case, "metric_value", "best_step")
        if single.meaning.seed is not None and same_group(single.meaning, meaning)
    )


def column_decimals(case: Case, about: Shown) -> int:
    """Return the decimals that a number's column prints; its own where the column has no rule.

    Most of the others must have more than it: `80` between 79.9 and 83.5 is 80.0. A column is
    what a table prints of one metric and split, whichever way the table lies.
    """
    others = [
        other.printed
        for other in shown(case, about.claim.kind)
        if other.claim is not about.claim and column_of(other) == column_of(about)
    ]
    own = about.printed.decimals
    if about.claim.table is None or not others:
        return own
    decimals = max(printed.decimals for printed in others)
    having = sum(printed.decimals == decimals for printed in others)
    return max(own, decimals) if having > 1 and 2 * having > len(others) else own


def column_of(number: Shown) -> tuple[int, str, str, str, str]:
    """Return what numbers of one column share: their table, what they measure, their unit."""
    meaning = number.meaning
    table = -1 if number.claim.table is None else number.claim.table
    return (table, meaning.metric, meaning.split, meaning.aggregate, number.printed.unit)
