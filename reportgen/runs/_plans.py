"""Which groups a study has, which seeds each of them should have, and what is asked of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from reportgen.languages import message
from reportgen.records.natural import natural_key
from reportgen.records.record import field, record, replace
from reportgen.records.run import Problem, Run
from reportgen.records.study import Decision, GroupPlan, Study
from reportgen.runs._groups import NONE, NUMBERS, SEEDS, Evidence, Grouping, Member, group_runs
from reportgen.runs._layout import all_of, counted_runs, decided
from reportgen.runs._seeds import is_setting, without_clock
from reportgen.runs.series import group_by

KEY = "runs.repeats"
_NAMED = 6
_NUMBER = re.compile(r"(?<![\d.,])\d{1,10}(?![\d.,]*\d|[eE]-?\d)")
_MOST = 3
"""Runs that are named; of more the first and the last."""

ORIGIN = message("the number that tells it apart")


@record(frozen=False)
class Planned:
    """Every group with its seeds, and what there is to say about them."""

    groups: list[GroupPlan] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def plan_groups(study: Study, members: Sequence[Member]) -> Planned:
    """List every group with the seeds that should exist: those declared, else those there are.

    A seed is missing only where it is declared: by its group, or by `[grid]`.
    """
    groups = group_by(members, lambda member: member.group)
    found = {name: {m.seed for m in own if m.seed is not None} for name, own in groups.items()}
    origins = {name: {m.origin for m in own if m.seed is not None} for name, own in groups.items()}
    declared = {plan.name: plan for plan in study.groups}
    grid = _grid_of(study, found)
    names = dict.fromkeys([*declared, *grid, *sorted(found, key=natural_key)])
    there = ", ".join(sorted(found, key=natural_key)) or "none"
    remedy = f"correct its name or its match in the study file; groups found: {there}"
    planned = Planned()
    counts: dict[str, dict[str, int]] = {}
    for name in names:
        plan = declared.get(name, GroupPlan(name=name))
        if name not in found:
            told = f"[groups.{name}] matches no run"
            told = told if name in declared else f"[grid] names {name}, of which no run was found"
            planned.problems.append(Problem(path=".", message=told, remedy=remedy))
        if plan.seeds or f"groups.{name}.seeds" in study.stated:
            pass
        elif name in grid:
            plan = replace(plan, seeds=grid[name])
        elif found.get(name):
            seeds = tuple(sorted(found[name]))
            plan = replace(plan, seeds=seeds)
            counts.setdefault(groups[name][-1].draft.layout, {})[name] = len(seeds)
            told = message("read off {origins}", origins=all_of(sorted(origins[name])))
            value = ", ".join(map(str, seeds))
            planned.decisions.append(decided(f"groups.{name}.seeds", value, told))
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
        runs=counted_runs(len(members)),
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
    return [decided(KEY, SEEDS, reason, others, asks=bool(others))]


def _parted(members: Sequence[Member]) -> set[frozenset[str]]:
    """Return the runs of each group."""
    groups = group_by(members, lambda member: member.group).values()
    return {frozenset(member.draft.id for member in own) for own in groups}


def _counted(count: int) -> str:
    return message("{n} group", n=1) if count == 1 else message("{n} groups", n=count)


# --- seeds of a declared group whose runs do not call theirs a seed -----------------------


def read_stated(
    members: Sequence[Member], plans: Sequence[GroupPlan]
) -> tuple[list[Member], list[Problem]]:
    """Read the seeds that a study states off the numbers that tell the runs of a group apart.

    Only where each run of a group whose seed is not known has one such number, and another one.
    Returned are the runs, and a note on each group of which some were read.
    """
    given = list(members)
    problems = []
    for plan in (plan for plan in plans if plan.match):
        inside = [i for i, member in enumerate(given) if member.group == plan.name]
        numbers = {i: _numbers(given[i].draft.name or given[i].draft.place) for i in inside}
        shared = frozenset.intersection(*numbers.values()) if numbers else frozenset()
        stated = frozenset(plan.seeds) - {given[i].seed for i in inside}
        left = {i: (numbers[i] - shared) & stated for i in inside if given[i].seed is None}
        seeds = {i: min(one) for i, one in left.items() if len(one) == 1}
        if len(inside) < 2 or not seeds or len(set(seeds.values())) < len(left):
            continue
        for i, seed in seeds.items():
            given[i] = replace(given[i], seed=seed, origin=ORIGIN)
        problems.append(_read(plan.name, [given[i] for i in seeds]))
    return given, problems


def _numbers(name: str) -> frozenset[int]:
    """Return the whole numbers in a run's name that are no value of a setting.

    Example:
        >>> sorted(_numbers("vgg11-3-lr1_bs=64/run2/0.5")), sorted(_numbers("batch_size/16"))
        ([2, 3, 11], [])
    """
    found = _NUMBER.finditer(without_clock(name))
    return frozenset(int(one[0]) for one in found if not is_setting(one.string[: one.start()]))


def _read(group: str, members: Sequence[Member]) -> Problem:
    told = message(
        "[groups.{group}] states seeds that no name calls so: {seeds} are taken from the "
        "numbers that tell {runs} apart",
        group=group,
        seeds=", ".join(str(member.seed) for member in members),
        runs=_named([member.draft.id for member in members]),
    )
    remedy = message("state runs.pattern with a group named seed where they are no seeds")
    return Problem(path=".", message=told, remedy=remedy, level="note")


def unread_seeds(plans: Sequence[GroupPlan], runs: Sequence[Run]) -> list[Problem]:
    """Say of which groups no seed is taken as missing, since runs of theirs may have it.

    Example:
        >>> run = Run(id="vgg-a", group="vgg", seed=None, layout="plain", scalars={})
        >>> (problem,) = unread_seeds([GroupPlan(name="vgg", seeds=(1, 2))], [run])
        >>> problem.message.partition(", so")[0]
        'vgg-a is of group vgg, but its seed cannot be read'
    """
    problems = []
    for plan in plans:
        inside = [run for run in runs if run.group == plan.name]
        open_ = [run.id for run in inside if run.seed is None]
        left = [seed for seed in plan.seeds if all(run.seed != seed for run in inside)]
        if not open_ or not left:
            continue
        one = message(
            "{runs} is of group {group}, but its seed cannot be read, so that none of the seeds "
            "stated ({seeds}) is taken as missing"
        )
        many = message(
            "{runs} are of group {group}, but their seeds cannot be read, so that none of the "
            "seeds stated ({seeds}) is taken as missing"
        )
        told = one if len(open_) == 1 else many
        text = message(told, runs=_named(open_), group=plan.name, seeds=", ".join(map(str, left)))
        remedy = message(
            "write the seed in the names, as in {example}, or state runs.pattern with a group "
            "named seed",
            example=f"{plan.name}-seed{left[0]}",
        )
        problems.append(Problem(path=".", message=text, remedy=remedy))
    return problems


def _named(runs: Sequence[str]) -> str:
    if len(runs) > _MOST:
        return message("{first} to {last}", first=runs[0], last=runs[-1])
    return ", ".join(runs)
