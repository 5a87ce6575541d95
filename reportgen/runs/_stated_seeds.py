"""Seeds of a declared group whose runs do not call theirs a seed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from reportgen.languages import message
from reportgen.records.run import Problem, Run
from reportgen.records.study import GroupPlan
from reportgen.runs._groups import Member
from reportgen.runs._seeds import is_setting, without_clock

_NUMBER = re.compile(r"(?<![\d.,])\d{1,10}(?![\d.,]*\d|[eE]-?\d)")
_MOST = 3
"""Runs that are named; of more the first and the last."""

ORIGIN = message("the number that tells it apart")


def read_stated(
    members: Sequence[Member], plans: Sequence[GroupPlan]
) -> tuple[list[Member], list[Problem]]:
    """Read the seeds that a study states off the numbers that tell the runs of a group apart.

    Only where each run of a group whose seed is not known has one such number, and another one.

    Args:
        members: All runs, with the names of the declared groups.
        plans: Those groups; one without a pattern has the runs that its name and seeds gave it.

    Returns:
        The runs, and a note on each group of which some were read.
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
        if open_ and left:
            problems.append(_unread(plan.name, open_, left))
    return problems


def _unread(group: str, open_: Sequence[str], left: Sequence[int]) -> Problem:
    one = message(
        "{runs} is of group {group}, but its seed cannot be read, so that none of the seeds stated "
        "({seeds}) is taken as missing"
    )
    many = message(
        "{runs} are of group {group}, but their seeds cannot be read, so that none of the seeds "
        "stated ({seeds}) is taken as missing"
    )
    told = one if len(open_) == 1 else many
    remedy = message(
        "write the seed in the names, as in {example}, or state runs.pattern with a group named "
        "seed",
        example=f"{group}-seed{left[0]}",
    )
    return Problem(
        path=".",
        message=message(told, runs=_named(open_), group=group, seeds=", ".join(map(str, left))),
        remedy=remedy,
    )


def _named(runs: Sequence[str]) -> str:
    if len(runs) > _MOST:
        return message("{first} to {last}", first=runs[0], last=runs[-1])
    return ", ".join(runs)
