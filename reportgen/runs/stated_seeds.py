"""Seeds of a declared group whose runs do not call theirs a seed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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

    Only where there is one way to do so for all runs of a group whose seed is not known.

    Args:
        members: All runs, with the names of the declared groups.
        plans: Those groups; one without a pattern has the runs that its name and seeds gave it.

    Returns:
        The runs, and a note on each group of which some were read.
    """
    given = list(members)
    problems = []
    for plan in (plan for plan in plans if plan.match):
        inside = [(i, member) for i, member in enumerate(given) if member.group == plan.name]
        names = {i: without_clock(m.draft.name or m.draft.place) for i, m in inside}
        known = {member.seed for _, member in inside if member.seed is not None}
        open_ = [i for i, member in inside if member.seed is None]
        seeds = _settled(names, open_, frozenset(plan.seeds) - known)
        for i, seed in seeds.items():
            given[i] = replace(given[i], seed=seed, origin=ORIGIN)
        if seeds:
            problems.append(_read(plan.name, [(given[i].draft.id, seeds[i]) for i in seeds]))
    return given, problems


def _settled(
    names: Mapping[int, str], open_: Sequence[int], seeds: frozenset[int]
) -> dict[int, int]:
    """Return the only seed that each of some runs can have, of those stated; none where unsure."""
    shared = frozenset.intersection(*map(_numbers, names.values())) if names else frozenset()
    left = {i: (_numbers(names[i]) - shared) & seeds for i in open_}
    if len(names) < 2 or any(len(numbers) != 1 for numbers in left.values()):
        return {}
    found = {i: next(iter(numbers)) for i, numbers in left.items()}
    return found if len(set(found.values())) == len(found) else {}


def _numbers(name: str) -> frozenset[int]:
    """Return the whole numbers in a run's name that are no value of a setting.

    Example:
        >>> sorted(_numbers("vgg11-3-lr1_bs=64/run2/0.5")), sorted(_numbers("batch_size/16"))
        ([2, 3, 11], [])
    """
    return frozenset(
        int(found[0]) for found in _NUMBER.finditer(name) if not is_setting(name[: found.start()])
    )


def _read(group: str, read: Sequence[tuple[str, int]]) -> Problem:
    return Problem(
        path=".",
        message=message(
            "[groups.{group}] states seeds that no name calls so: {seeds} are taken from the "
            "numbers that tell {runs} apart",
            group=group,
            seeds=", ".join(str(seed) for _, seed in read),
            runs=_named([run for run, _ in read]),
        ),
        remedy=message("state runs.pattern with a group named seed where they are no seeds"),
        level="note",
    )


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
    places = {"runs": _named(open_), "group": group, "seeds": ", ".join(map(str, left))}
    one = message(
        "{runs} is of group {group}, but its seed cannot be read, so that none of the seeds stated "
        "({seeds}) is taken as missing",
        **places,
    )
    many = message(
        "{runs} are of group {group}, but their seeds cannot be read, so that none of the seeds "
        "stated ({seeds}) is taken as missing",
        **places,
    )
    remedy = message(
        "write the seed in the names, as in {example}, or state runs.pattern with a group named "
        "seed",
        example=f"{group}-seed{left[0]}",
    )
    return Problem(path=".", message=one if len(open_) == 1 else many, remedy=remedy)


def _named(runs: Sequence[str]) -> str:
    if len(runs) > _MOST:
        return message("{first} to {last}", first=runs[0], last=runs[-1])
    return ", ".join(runs)
