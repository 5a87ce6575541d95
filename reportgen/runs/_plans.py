"""Which groups a study has, which seeds each of them should have, and what is asked of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from reportgen.languages import message
from reportgen.records.natural import natural_key
from reportgen.records.run import Problem
from reportgen.records.study import Decision, GroupPlan, Study
from reportgen.runs._groups import NONE, NUMBERS, SEEDS, Evidence, Grouping, Member, group_runs

KEY = "runs.repeats"
_NAMED = 6


@dataclass(slots=True, kw_only=True)
class Planned:
    """Every group with its seeds, and what there is to say about them."""

    groups: list[GroupPlan] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def plan_groups(study: Study, members: Sequence[Member]) -> Planned:
    """List every group with the seeds that should exist: those declared, else those there are.

    A seed is missing only where it is declared: by its group, or by `[grid]`.
    """
    found: dict[str, set[int]] = {}
    origins: dict[str, set[str]] = {}
    for member in members:
        found.setdefault(member.group, set())
        if member.seed is not None:
            found[member.group].add(member.seed)
            origins.setdefault(member.group, set()).add(member.origin)
    declared = {plan.name: plan for plan in study.groups}
    grid = _grid_of(study, found)
    names = dict.fromkeys([*declared, *grid, *sorted(found, key=natural_key)])
    planned = Planned()
    counts: dict[str, dict[str, int]] = {}
    layouts = {member.group: member.draft.layout for member in members}
    for name in names:
        plan = declared.get(name, GroupPlan(name=name))
        if name not in found:
            planned.problems.append(_unmatched(name, found, name in declared))
        if plan.seeds or f"groups.{name}.seeds" in study.stated:
            pass
        elif name in grid:
            plan = replace(plan, seeds=grid[name])
        elif found.get(name):
            seeds = tuple(sorted(found[name]))
            plan = replace(plan, seeds=seeds)
            counts.setdefault(layouts[name], {})[name] = len(seeds)
            planned.decisions.append(_seeds_read(name, seeds, origins[name]))
        planned.groups.append(plan)
    planned.problems += _unequal(counts.values())
    return planned


def _grid_of(study: Study, found: Mapping[str, set[int]]) -> dict[str, tuple[int, ...]]:
    """Return group to its seeds as `[grid]` declares them; what it leaves out is all there is."""
    grid = study.grid
    if not grid.groups and not grid.seeds:
        return {}
    names = grid.groups or tuple(dict.fromkeys([*(p.name for p in study.groups), *found]))
    every = sorted(set().union(*(found.get(name, set()) for name in names)))
    return dict.fromkeys(names, grid.seeds or tuple(every))


def _seeds_read(group: str, seeds: Sequence[int], origins: Iterable[str]) -> Decision:
    """Say where the seeds of a group stood."""
    both = reduce(
        lambda one, other: message("{first} and {last}", first=one, last=other), sorted(origins)
    )
    told = message("read off {origins}", origins=both)
    return Decision(key=f"groups.{group}.seeds", value=", ".join(map(str, seeds)), reason=told)


def _unmatched(name: str, found: Mapping[str, set[int]], is_group: bool) -> Problem:
    groups = ", ".join(sorted(found, key=natural_key)) or "none"
    return Problem(
        path=".",
        message=f"[groups.{name}] matches no run"
        if is_group
        else f"[grid] names {name}, of which no run was found",
        remedy=f"correct its name or its match in the study file; groups found: {groups}",
    )


def _unequal(counts: Iterable[Mapping[str, int]]) -> list[Problem]:
    """Say in one line that groups of one program have different numbers of seeds."""
    several = {
        name: count for own in counts if len(set(own.values())) > 1 for name, count in own.items()
    }
    if not several:
        return []
    told = [f"{name} {count}" for name, count in several.items()]
    more = [message("{n} more", n=len(told) - _NAMED)] if len(told) > _NAMED else []
    text = message(
        "groups have unequal numbers of seeds ({counts}); none is taken as missing, for no grid "
        "is declared",
        counts=", ".join([*told[:_NAMED], *more]),
    )
    remedy = message("declare [grid] seeds in the study file to have missing runs named")
    return [Problem(path=".", message=text, remedy=remedy, level="note")]


def repeats_decision(
    study: Study, evidence: Evidence, root_name: str, grouping: Grouping
) -> list[Decision]:
    """Return how runs were grouped, as a question where names allow another way.

    Nothing is asked of runs that the study groups.
    """
    if study.pattern or study.repeats:
        return []
    members, groups = grouping.members, _parted(grouping.members)
    reason = message(
        "runs repeat one another where only their seeds differ: {runs}, {groups}",
        runs=_runs(len(members)),
        groups=_counted(len(groups)),
    )
    others: list[str] = []
    if not study.groups:
        more = _parted(group_runs(evidence, root_name, NUMBERS).members)
        if more != groups:
            others.append(NUMBERS)
            reason = message(
                "{reason}; with runs that only a running number or the clock tells apart, of which "
                "nothing says that they repeat one another, there would be {groups}",
                reason=reason,
                groups=_counted(len(more)),
            )
        if grouping.doubtful:
            others.append(NONE)
            reason = message(
                "{reason}; the numbers of {first} to {last} are taken for seeds, and may be a "
                "setting",
                reason=reason,
                first=grouping.doubtful[0],
                last=grouping.doubtful[-1],
            )
    return [
        Decision(key=KEY, value=SEEDS, reason=reason, alternatives=tuple(others), asks=bool(others))
    ]


def _parted(members: Sequence[Member]) -> set[frozenset[str]]:
    """Return the runs of each group."""
    found: dict[str, set[str]] = {}
    for member in members:
        found.setdefault(member.group, set()).add(member.draft.id)
    return set(map(frozenset, found.values()))


def _runs(count: int) -> str:
    return message("{n} run", n=1) if count == 1 else message("{n} runs", n=count)


def _counted(count: int) -> str:
    return message("{n} group", n=1) if count == 1 else message("{n} groups", n=count)
