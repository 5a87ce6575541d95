"""Which runs repeat one another, and which seeds each group should have.

Repetition needs evidence; a run without any stands alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from reportgen.records.record import field, record, replace
from reportgen.records.run import Problem, Run
from reportgen.records.source import natural_key
from reportgen.records.study import Decision, GroupPlan, Study
from reportgen.runs._evidence import (
    FOLD,
    FOLDER,
    INDEX,
    NOTHING,
    SHORT,
    TOKEN,
    PathReading,
    Settings,
    counted_paths,
    counts_through,
    differing,
    is_program,
    is_setting,
    label_of,
    name_groups,
    read_path,
    seed_beside,
    seed_in,
    settings_of,
    without_clock,
    without_id,
    without_letter,
    without_programs,
)
from reportgen.runs._layout import Draft, folders_above, inside, leaf, parent, stem_of
from reportgen.runs._parts import Copy, content_of, copies_among, declared_group, given_up
from reportgen.runs._words import decided, joined, listed, problem, told
from reportgen.runs.series import group_by

SEEDS, NUMBERS, NONE = "seeds", "numbers", "none"
"""What `runs.repeats` may say: which runs repeat one another."""

_CLASSIC = frozenset({7, 13, 21, 42, 100, 101, 111, 123, 777, 1234, 1337, 3407, 12345, 31337})
_USED = frozenset({42, 123, 1234, 1337, 3407, 12345, 31337})
"""Numbers that are seeds wherever they stand behind an s, or name a folder."""
_FOLDERS_OF_SEEDS = frozenset({"fairseq", "fairseq_console"})
"""Layouts of programs whose users name the folder of a run after its seed."""
_MOST_CROSSED = 10
"""Numbers of a name that are looked for behind others."""
_NUMBERS_ALONE = frozenset({SHORT, FOLDER})
_SAID = frozenset({TOKEN, SHORT, FOLDER, FOLD})
"""What of a path is evidence of repetition."""
_COUNTED = PathReading(None, "", INDEX)
_LONGER, _LARGER = 1.25, 10.0
"""Runs of which one is so much longer, or measures so much more, were not trained alike."""


@record
class Member:
    """One run with its group and seed.

    Attributes:
        origin: Code of where its seed comes from.
    """

    draft: Draft
    group: str
    seed: int | None
    origin: str


@record(frozen=False, kw_only=False)
class Grouping:
    """Every run with its group, and what there is to say about it.

    Attributes:
        doubtful: Runs whose folders are numbers that do not look like seeds.
        copies: Runs that are counted as others of their group.
    """

    members: list[Member] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)
    copies: list[Copy] = field(default_factory=list)


@record
class Case:
    """A run with the evidence there is of it.

    Attributes:
        path: What its owner called it.
        reading: What that says.
        stated: The seed of its settings.
        settings: All others.
        counted: Its path without a number that counts through, and that number.
        declared: The group that the study declares of it.
        is_doubtful: What its path says may be a setting, or a part of the data.
        content: What a copy of it has as well.
    """

    draft: Draft
    path: str
    reading: PathReading
    stated: int | None
    settings: Settings
    counted: tuple[str, int | None]
    declared: str
    is_doubtful: bool
    content: Hashable

    @property
    def seed(self) -> int | None:
        """Return the seed of its settings, else that of its path."""
        return self.reading.seed if self.stated is None else self.stated


Evidence = tuple[Sequence[Draft], Sequence[Sequence[Case]]]
"""Runs whose group the study states, and what there is to group the others by, of each layout."""

_Group = tuple[str, str, Sequence[Case]]
"""Path, settings that tell it apart in words, runs that repeat one another (or one alone)."""


def read_evidence(drafts: Sequence[Draft], plans: Sequence[GroupPlan] = ()) -> Evidence:
    """Read what paths, settings and declared groups say of runs of all layouts."""
    stated = [draft for draft in drafts if draft.group]
    layouts = group_by((one for one in drafts if not one.group), lambda one: one.layout)
    return stated, [_cases(own, plans) for own in layouts.values()]


def group_runs(evidence: Evidence, root_name: str, repeats: str = "") -> Grouping:
    """Give each run a group and a seed.

    Runs repeat one another where the study says so; where their settings state different seeds
    and nothing else differs but a running number or a clock; or where their paths say so. All
    others stand alone. Where `repeats` is `"numbers"`, running numbers and clocks are believed
    too, where it is `"none"` nothing but the study. Runs in the root are called `root_name`.
    """
    stated, others = evidence
    grouping = Grouping(members=[_stated_member(draft) for draft in stated])
    for cases in others:
        grouping.doubtful += _doubtful(cases)
        groups = _groups(cases, repeats, grouping)
        for (_, _, own), name in zip(groups, _names(groups, root_name), strict=True):
            grouping.members += [_member(case, name, repeats) for case in own]
    # Groups of different layouts have different names.
    named = {(member.group, member.draft.layout) for member in grouping.members}
    counted = Counter(group for group, _ in named)
    grouping.members = [
        replace(m, group=f"{m.group} ({m.draft.layout})") if counted[m.group] > 1 else m
        for m in grouping.members
    ]
    return grouping


# --- the evidence -------------------------------------------------------------------------


def _cases(drafts: Sequence[Draft], plans: Sequence[GroupPlan]) -> list[Case]:
    shared = Counter(draft.place for draft in drafts)
    called = [
        draft.name or (_own_path(draft) if shared[draft.place] > 1 else draft.place or ".")
        for draft in drafts
    ]
    plain = without_programs(called)
    readings = {
        path: read_path(plain[path], draft.layout)
        for path, draft in zip(called, drafts, strict=True)
    }
    proven, doubtful = _proven([(readings[p], d) for p, d in zip(called, drafts, strict=True)])
    counted = counted_paths(r.bare for r in readings.values() if not r.origin)
    cases = []
    for draft, path in zip(drafts, called, strict=True):
        reading, declared = readings[path], declared_group(draft, draft.group, plans)
        bare = reading.bare
        number: tuple[str, int | None] = counted.get(bare, (without_letter(bare), None))
        if reading.origin in _NUMBERS_ALONE and not (declared or bare in proven):
            number = bare, reading.seed
            reading = reading._replace(seed=None, origin=INDEX)
        case = Case(
            draft=draft,
            path=plain[path],
            reading=reading,
            stated=seed_in(draft.config),
            settings=settings_of(draft.config),
            counted=number,
            declared=declared,
            is_doubtful=bare in doubtful,
            content=content_of(draft),
        )
        cases.append(case)
    return cases


def _own_path(draft: Draft) -> str:
    """Return the file of a run where it is called after that, or its folder."""
    is_named = draft.id.startswith(f"{draft.place}/") or not draft.place
    added = "#" in leaf(draft.id) or draft.id.endswith(f" ({draft.layout})")
    return draft.id if is_named and not added else draft.place or "."


def _proven(named: Sequence[tuple[PathReading, Draft]]) -> tuple[set[str], set[str]]:
    """Return names behind which a number, or an s and a number, is a seed, and those in doubt.

    A letter or a folder alone is no evidence: sizes, stages and subjects are called so, too. More
    is a program whose layout it is, a number that people use as a seed or that the settings of a
    run say to be its seed, and the same numbers behind several names, which an `s` counts from 0
    or 1. That alone is evidence in doubt, where the runs were trained alike.
    """
    alone = [one for one in named if one[0].origin in _NUMBERS_ALONE]
    families = group_by(alone, lambda one: one[0].bare)
    numbers = {bare: {r.seed or 0 for r, _ in several} for bare, several in families.items()}
    pairs = {bare: set(combinations(sorted(n)[:_MOST_CROSSED], 2)) for bare, n in numbers.items()}
    counted = Counter(pair for own in pairs.values() for pair in own)
    proven, doubtful = set(), set()
    for bare, several in families.items():
        crossed = any(counted[pair] > 1 for pair in pairs[bare])
        short = several[0][0].origin == SHORT
        through = counts_through(sorted(numbers[bare]))
        of_program = several[0][1].layout in _FOLDERS_OF_SEEDS and not short
        # Where the settings of one say that its number is its seed, so are the others'.
        is_stated = any(r.seed is not None and r.seed == seed_in(d.config) for r, d in several)
        certain = numbers[bare] & _USED or of_program or is_stated
        if certain or (crossed and (through or not short)):
            proven.add(bare)
        elif short and through and len(numbers[bare]) > 1 and _alike([d for _, d in several]):
            proven.add(bare)
            doubtful.add(bare)
    return proven, doubtful


def _doubtful(cases: Sequence[Case]) -> list[str]:
    """Return runs in folders of numbers that do not look like seeds."""
    folders = [c for c in cases if c.reading.origin == FOLDER and c.stated is None]
    numbers = {case.reading.seed or 0 for case in folders}
    usual = bool(numbers & _CLASSIC) or max(numbers, default=0) <= 2 * len(numbers) + 1
    alone = [case for case in cases if case.is_doubtful and case.stated is None]
    return [case.draft.id for case in ([] if usual else folders) + alone]


# --- groups of one layout -----------------------------------------------------------------

_WAYS: tuple[Callable[[Case], str], ...] = (
    lambda case: case.reading.bare,
    lambda case: case.counted[0],
    lambda case: without_id(case.path),
)
"""By name; what is left, by names which a number alone tells apart; what is left, by settings."""


def _groups(cases: Sequence[Case], repeats: str, grouping: Grouping) -> list[_Group]:
    """Return groups and runs alone, of runs of one layout."""
    found: list[_Group] = []
    left, apart = list(cases), []
    for place, way in enumerate(_WAYS if repeats != NONE else ()):
        families = group_by(left, way)
        left = []
        for path, family in families.items():
            for label, several in _parts(family):
                part = _without_copies(several, grouping)
                if label and len(part) == 1 and leaf(part[0].path).isdigit():
                    # What differs says what it is; the number only counts.
                    found.append((path, label, [replace(part[0], reading=_COUNTED)]))
                    continue
                problems = grouping.problems if place == 0 else []
                doubled = _doubled(part, problems) if place == 0 else []
                apart += doubled
                kept = {case.draft.id for case in part} - {case.draft.id for case in doubled}
                part = [case for case in part if case.draft.id in kept]
                believed = _believed(part, repeats, problems)
                if way is _WAYS[-1]:
                    # All that they were trained with, and a seed of its own each.
                    seeds = {case.stated for case in part} - {None}
                    whole = all(case.settings for case in part)
                    believed = [1 < len(part) == len(seeds) and whole] * len(part)
                together = [case for case, yes in zip(part, believed, strict=True) if yes]
                left += [case for case, yes in zip(part, believed, strict=True) if not yes]
                found += [(path, label, together)] if together else []
    return [*found, *_alone([*left, *apart], {path for path, _, _ in found})]


def _parts(family: Sequence[Case]) -> Iterator[tuple[str, list[Case]]]:
    """Yield runs with one name by their settings, where these differ beside the seed."""
    keys = differing([case.settings for case in family])
    parts = group_by(family, lambda case: tuple(case.settings.get(key, "") for key in keys))
    for part in parts.values():
        yield label_of(part[0].settings, keys), part


def _without_copies(part: Sequence[Case], grouping: Grouping) -> list[Case]:
    """Return runs of one name and equal settings without copies of one another."""
    groups = group_by(part, lambda case: case.declared).values()
    copies = [copy for own in groups for copy in copies_among((c.draft, c.content) for c in own)]
    grouping.copies += copies
    gone = {id(copy) for copy, _ in copies}
    return [case for case in part if id(case.draft) not in gone]


def _doubled(part: Sequence[Case], problems: list[Problem]) -> list[Case]:
    """Return runs of one name and equal settings that claim a seed with others, and say so."""
    early: dict[str, str] = {}
    for own in group_by(part, lambda case: case.declared).values():
        early |= given_up((case.draft, case.seed) for case in own)
    ids = [case.draft.id for case in part if case.draft.id in early]
    problems += [problem("given_up", one, whole=early[one]) for one in ids]
    whole = [case for case in part if case.draft.id not in early and case.seed is not None]
    claimed = Counter((case.declared, case.seed) for case in whole)
    twice = [case for case in whole if claimed[case.declared, case.seed] > 1]
    if twice:
        seeds = {case.seed for case in twice}
        code = "seed_again" if len(seeds) == 1 else "seeds_again"
        problems.append(_of_cases(code, twice, seed=str(twice[0].seed), seeds=len(seeds)))
    doubled = {case.draft.id for case in twice} | early.keys()
    return [case for case in part if case.draft.id in doubled]


def _of_cases(code: str, cases: Sequence[Case], path: str = "", **places: Any) -> Problem:
    """Return a problem of several runs, of which the first and the last are named."""
    ids = sorted((case.draft.id for case in cases), key=natural_key)
    return problem(code, path or ids[0], n=len(ids), first=ids[0], last=ids[-1], **places)


def _believed(part: Sequence[Case], repeats: str, problems: list[Problem]) -> list[bool]:
    """Tell of each of some runs with one name and equal settings whether it repeats the others."""
    stated = [case.stated for case in part if case.stated is not None]
    for case in part:
        said = case.reading.seed
        if case.reading.origin in {TOKEN, SHORT} and case.stated not in {None, said}:
            places = {"said": str(said), "stated": str(case.stated)}
            problems.append(problem("seed_against", case.draft.id, **places))
    origins = {case.reading.origin for case in part}
    # The seed is all that differs, by the settings; empty ones are not equal.
    by_seed = len(set(stated)) == len(part) and (
        all(case.settings for case in part) or _alike([case.draft for case in part])
    )
    if len(part) > 1 and (repeats == NUMBERS or by_seed):
        return [True] * len(part)
    if not origins & _SAID:
        return [False] * len(part)
    # Attempts in one folder are of one part of the data.
    folds = Counter(case.path for case in part if case.reading.origin == FOLD)
    if origins == {FOLD} and len(folds) > 1:
        problems.append(_of_cases("folds", part, part[0].reading.bare or "."))
    # Of one name, one without a seed: a default one, unless the others lie in its folder.
    above = {folder for case in part for folder in folders_above(case.path)} - {"", "."}
    return [
        (c.reading.origin in _SAID or (c.path == c.reading.bare and c.path not in above))
        and folds[c.path] < 2
        for c in part
    ]


def _alike(drafts: Sequence[Draft]) -> bool:
    """Tell whether runs are about as long, and measure what they share on one scale."""
    shared = set.intersection(*(set(draft.scalars) for draft in drafts))
    for key in shared:
        several = [draft.scalars[key] for draft in drafts]
        finite = [np.abs(one.values[np.isfinite(one.values)]) for one in several]
        sizes = [float(np.median(values)) for values in finite if len(values)]
        for lengths in ([max(1, int(one.steps[-1])) for one in several], [*map(len, several)]):
            if max(lengths) > _LONGER * min(lengths):
                return False
        if sizes and max(sizes) > _LARGER * min(sizes) > 0:
            return False
    return bool(shared)


def _alone(cases: Sequence[Case], taken: set[str]) -> Iterator[_Group]:
    """Yield each run by itself, under the shortest of its names that no other has."""
    ways = []
    for case in cases:
        bare = case.reading.bare if case.reading.origin in _SAID else without_clock(case.path)
        # Without its clock, unless only folders that programs make are left.
        ways.append((bare if bare and not is_program(leaf(bare)) else case.path, case.path))
    counted = [Counter(names) for names in zip(*ways, strict=True)]
    for case, names in zip(cases, ways, strict=True):
        own = inside(case.draft.name, leaf(case.draft.id)) if case.draft.name else case.draft.id
        pairs = zip(names, counted, strict=True)
        free = (name for name, count in pairs if count[name] == 1 and name not in taken)
        yield next(free, own), "", [case]


def _names(groups: Sequence[_Group], root_name: str) -> list[str]:
    """Return the name of each group: of its path, and of the settings that tell it apart."""
    by_path = name_groups(list(dict.fromkeys(path for path, _, _ in groups)), root_name)
    names = []
    for path, label, cases in groups:
        by_name = any(case.reading.origin in {TOKEN, SHORT} for case in cases)
        own = by_path[path] if len(by_path) > 1 or by_name or not label else ""
        names.append(" ".join(filter(None, (own, label))))
    # Of several that are called alike, the one of several runs keeps the name.
    counted = Counter(names)
    repeated = Counter(n for n, (_, _, some) in zip(names, groups, strict=True) if len(some) > 1)
    return [
        name
        if counted[name] == 1 or (len(cases) > 1 and repeated[name] == 1)
        else f"{name} ({cases[0].draft.id if cases[0].draft.id != name else 'alone'})"
        for name, (_, _, cases) in zip(names, groups, strict=True)
    ]


# --- seeds --------------------------------------------------------------------------------


def _stated_member(draft: Draft) -> Member:
    """Return a run whose group the study states; its seed may have to be looked for."""
    looked_up = (
        (draft.seed, "by_pattern"),
        (seed_in(draft.config), "configuration"),
        (seed_beside(draft.name or draft.place or ".", draft.group), "its_name"),
    )
    seed, origin = next((one for one in looked_up if one[0] is not None), (None, NOTHING))
    return Member(draft=draft, group=draft.group, seed=seed, origin=origin)


def _member(case: Case, group: str, repeats: str) -> Member:
    said, seed, origin = case.reading.seed, case.stated, case.reading.origin
    if seed is not None:
        origin = "name_and_configuration" if said == seed else "configuration"
    elif said is not None:
        # A file of its own, after which the run is called.
        place, above = case.draft.place, parent(case.draft.place)
        files = (s.path for s in case.draft.sources if parent(s.path) == above)
        is_file = any(stem_of(path) == leaf(place) for path in files)
        seed, origin = said, "its_file" if origin == FOLDER and is_file else origin
    elif repeats == NUMBERS and case.counted[1] is not None:
        seed, origin = case.counted[1], INDEX
    return Member(draft=case.draft, group=group, seed=seed, origin=origin)


def rename_declared(members: Sequence[Member], plans: Sequence[GroupPlan]) -> list[Member]:
    """Give runs the names of the declared groups they match; the first match counts."""
    return [replace(m, group=declared_group(m.draft, m.group, plans)) for m in members]


KEY = "runs.repeats"
_NUMBER = re.compile(r"(?<![\d.,])\d{1,10}(?![\d.,]*\d|[eE]-?\d)")
_MOST = 3
"""Runs that are named; of more the first and the last."""
_MOST_GROUPS = 6


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
    declared = {plan.name: plan for plan in study.groups}
    grid = _grid_of(study, found)
    names = dict.fromkeys([*declared, *grid, *sorted(found, key=natural_key)])
    there = ", ".join(sorted(found, key=natural_key)) or "none"
    planned = Planned()
    counts: dict[str, dict[str, int]] = {}
    for name in names:
        plan = declared.get(name, GroupPlan(name=name))
        if name not in found:
            code = "matches_nothing" if name in declared else "grid_names_nothing"
            planned.problems.append(problem(code, ".", name=name, there=there))
        if plan.seeds or f"groups.{name}.seeds" in study.stated:
            pass
        elif name in grid:
            plan = replace(plan, seeds=grid[name])
        elif found.get(name):
            plan = replace(plan, seeds=tuple(sorted(found[name])))
            counts.setdefault(groups[name][-1].draft.layout, {})[name] = len(plan.seeds)
            origins = {told(member.origin) for member in groups[name] if member.seed is not None}
            reason = told("seeds_off", origins=joined("and", sorted(origins)))
            value = ", ".join(map(str, plan.seeds))
            planned.decisions.append(decided(f"groups.{name}.seeds", value, reason))
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
    several = [
        f"{name} {count}" for own in counts if len(set(own.values())) > 1
        for name, count in own.items()
    ]  # fmt: skip
    return [problem("unequal", ".", counts=listed(several, _MOST_GROUPS))] if several else []


def repeats_decision(
    study: Study, evidence: Evidence, root_name: str, grouping: Grouping
) -> list[Decision]:
    """Return how runs were grouped, as a question where names allow another way.

    Nothing is asked of runs that the study groups, and of one alone.
    """
    if study.pattern or study.repeats or len(grouping.members) < 2:
        return []
    members, groups = grouping.members, _parted(grouping.members)
    runs = told.counted("one_run", "some_runs", len(members))
    reason = (
        told("repeat_by_seeds", runs=runs, groups=_counted(len(groups)))
        if len(groups) < len(members)
        else told("repeat_none")
    )
    others: list[str] = []
    if not study.groups:
        more = _parted(group_runs(evidence, root_name, NUMBERS).members)
        if more != groups:
            others.append(NUMBERS)
            reason = told("repeat_by_numbers", reason=reason, groups=_counted(len(more)))
        if doubtful := grouping.doubtful:
            others.append(NONE)
            places = {"first": doubtful[0], "last": doubtful[-1]}
            reason = told("repeat_doubtful", reason=reason, **places)
    return [decided(KEY, SEEDS, reason, others, asks=bool(others))]


def _parted(members: Sequence[Member]) -> set[frozenset[str]]:
    """Return the runs of each group."""
    groups = group_by(members, lambda member: member.group).values()
    return {frozenset(member.draft.id for member in own) for own in groups}


def _counted(count: int) -> str:
    return told.counted("one_group", "some_groups", count)


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
            given[i] = replace(given[i], seed=seed, origin="tells_apart")
        runs = _named([given[i].draft.id for i in seeds])
        said = ", ".join(map(str, seeds.values()))
        problems.append(problem("seeds_by_number", ".", group=plan.name, seeds=said, runs=runs))
    return given, problems


def _numbers(name: str) -> frozenset[int]:
    """Return the whole numbers in a run's name that are no value of a setting."""
    found = _NUMBER.finditer(without_clock(name))
    return frozenset(int(one[0]) for one in found if not is_setting(one.string[: one.start()]))


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
        left = [str(seed) for seed in plan.seeds if all(run.seed != seed for run in inside)]
        if open_ and left:
            code = "seed_unread" if len(open_) == 1 else "seeds_unread"
            places = {"runs": _named(open_), "group": plan.name, "seeds": ", ".join(left)}
            problems.append(problem(code, ".", **places, example=f"{plan.name}-seed{left[0]}"))
    return problems


def _named(runs: Sequence[str]) -> str:
    if len(runs) > _MOST:
        return told("from_to", first=runs[0], last=runs[-1])
    return ", ".join(runs)
