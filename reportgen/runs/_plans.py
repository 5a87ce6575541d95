"""Which groups a study has, and which seeds each of them should have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial, reduce

from reportgen.languages import message
from reportgen.records.natural import natural_key
from reportgen.records.run import Problem
from reportgen.records.study import Decision, GroupPlan, Study
from reportgen.runs._groups import Member


@dataclass(slots=True, kw_only=True)
class Planned:
    """Every group with its seeds, and what there is to say about them."""

    groups: list[GroupPlan] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def plan_groups(study: Study, members: Sequence[Member]) -> Planned:
    """List every group with the seeds that should exist.

    Declared seeds stay, also where the study declares that there are none to expect. Found
    seeds are completed by those of the other groups of the same layout where all together
    look like a grid.
    """
    found: dict[str, set[int]] = {}
    layouts: dict[str, str] = {}
    origins: dict[str, set[str]] = {}
    for member in members:
        found.setdefault(member.group, set())
        layouts[member.group] = member.draft.layout
        if member.seed is not None:
            found[member.group].add(member.seed)
            origins.setdefault(member.group, set()).add(member.origin)
    declared = {plan.name: plan for plan in study.groups}
    names = [*declared, *sorted((n for n in found if n not in declared), key=natural_key)]
    planned = Planned()
    # Of a thousand groups most have the same seeds.
    expected = cache(partial(_expected, found=found, layouts=layouts))
    for name in names:
        plan = declared.get(name, GroupPlan(name=name))
        if name not in found:
            planned.problems.append(_unmatched(name, found))
        if plan.seeds or f"groups.{name}.seeds" in study.stated or not found.get(name):
            planned.groups.append(plan)
            continue
        seeds, reason = expected(frozenset(found[name]), layouts[name])
        own = ", ".join(map(str, sorted(found[name])))
        planned.groups.append(replace(plan, seeds=tuple(sorted(seeds))))
        planned.decisions.append(
            Decision(
                key=f"groups.{name}.seeds",
                value=", ".join(map(str, sorted(seeds))),
                reason=reason if seeds != found[name] else _read_words(origins[name], reason),
                alternatives=(own,) if seeds != found[name] else (),
            )
        )
    return planned


def _read_words(origins: Iterable[str], more: str) -> str:
    """Say where the seeds of a group stood, and what else is to be said of them."""
    both = reduce(
        lambda one, other: message("{first} and {last}", first=one, last=other), sorted(origins)
    )
    return message("read off {origins}{more}", origins=both, more=more)


def _unmatched(name: str, found: Mapping[str, set[int]]) -> Problem:
    groups = ", ".join(sorted(found, key=natural_key)) or "none"
    return Problem(
        path=".",
        message=f"[groups.{name}] matches no run",
        remedy=f"correct its name or its match in the study file; groups found: {groups}",
    )


def _expected(
    own: frozenset[int], layout: str, *, found: Mapping[str, set[int]], layouts: Mapping[str, str]
) -> tuple[frozenset[int], str]:
    """Return which seeds groups with these should have, and why, where others have others.

    Seeds of different groups are a grid, with a hole where one is missing, only if one group
    has all of them, and if they count through or every group has at least half of them.
    """
    others = {
        other: seeds
        for other, seeds in sorted(found.items())
        if seeds & own and layouts[other] == layout
    }
    union = own.union(*others.values())
    apart = sorted(other for other, seeds in others.items() if seeds != own)
    if not apart:
        return own, ""
    rows = [own, *others.values()]
    contiguous = max(union) - min(union) == len(union) - 1
    grid = union in rows and (contiguous or all(2 * len(row) >= len(union) for row in rows))
    if not grid:
        text = message(
            "; {groups} has other seeds, and no seed is taken as missing", groups=", ".join(apart)
        )
        return own, text
    if union == own:
        return own, ""
    source = next(other for other, seeds in others.items() if seeds == union)
    listed = ", ".join(map(str, sorted(own)))
    more = ", ".join(map(str, sorted(union - own)))
    return union, message(
        "found {seeds}; {more} expected, since {group} of the same layout has it",
        seeds=listed,
        more=more,
        group=source,
    )
