"""The two sides of a comparison, bound to the evidence in every way that they may be meant."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.checks._pairs import Side, moment_of
from reportgen.checks._sentences import groups_of, other_groups, slots_of
from reportgen.checks._series import Room
from reportgen.records.claim import Meaning


def sides(room: Room, left: Meaning, right: Meaning) -> Iterator[tuple[Side, Side]]:
    """Yield the sides that a comparison may mean, the likeliest split first."""
    for group in groups_of(room, left):
        for other in _others(room, left, right, group):
            for metric, split in slots_of(room, left):
                opposite = right.split or split
                if (group, split) != (other, opposite):
                    ours = side(room, left, group, metric, split)
                    yield ours, side(room, right, other, metric, opposite)


def _others(room: Room, left: Meaning, right: Meaning, group: str) -> tuple[str, ...]:
    if left.split and right.split and left.split != right.split and left.group == right.group:
        return (group,)
    if right.group:
        return room.named(right.group, right.run_group)
    others = other_groups(room, group)
    return others if len(others) == 1 else ()


def side(room: Room, meaning: Meaning, group: str, metric: str, split: str) -> Side:
    """Return one side, its seed and its moment as the evidence counts them."""
    return Side(
        group=group,
        metric=metric,
        split=split,
        seed=room.seed_of(meaning, group),
        moment=moment_of(meaning, room),
        selection=meaning.selection,
        run=room.run_of(meaning),
    )
