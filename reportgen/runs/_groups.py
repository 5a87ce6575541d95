"""Which runs repeat one another: each of them needs evidence for it, and stands alone without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

import numpy as np

from reportgen.languages import message
from reportgen.records.natural import natural_key
from reportgen.records.run import Problem
from reportgen.records.study import GroupPlan
from reportgen.runs._config import seed_in
from reportgen.runs._group_names import name_groups
from reportgen.runs._layout import Draft, leaf, parent
from reportgen.runs._seeds import (
    FOLD,
    FOLDER,
    INDEX,
    NOTHING,
    SHORT,
    TOKEN,
    PathReading,
    counted_paths,
    is_program,
    read_path,
    seed_beside,
    without_clock,
    without_programs,
)
from reportgen.runs._settings import Settings, differing, label_of, settings_of

SEEDS, NUMBERS, NONE = "seeds", "numbers", "none"
"""What `runs.repeats` may say: which runs repeat one another."""

_CLASSIC = frozenset({7, 13, 21, 42, 100, 101, 111, 123, 777, 1234, 1337, 3407, 12345, 31337})
_SAID = frozenset({TOKEN, SHORT, FOLDER, FOLD})
"""What of a path is evidence of repetition."""

_LONGER, _LARGER = 1.25, 10.0
"""Runs of which one is so much longer, or measures so much more, were not trained alike."""

CONFIGURATION = message("its configuration")
FILE = message("its file's number")


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One run with its group and seed.

    Attributes:
        origin: Where its seed comes from, in words.
    """

    draft: Draft
    group: str
    seed: int | None
    origin: str


@dataclass(slots=True)
class Grouping:
    """Every run with its group, and what there is to say about it.

    Attributes:
        doubtful: Runs whose folders are numbers that do not look like seeds.
    """

    members: list[Member] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """A run with the evidence there is.

    Attributes:
        path: What its owner called it.
        reading: What that says.
        stated: The seed of its settings.
        settings: All others.
        counted: Its path without a number that counts through, and that number.
    """

    draft: Draft
    path: str
    reading: PathReading
    stated: int | None
    settings: Settings
    counted: tuple[str, int | None] = ("", None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """Runs that repeat one another, or one that stands alone."""

    path: str
    label: str
    cases: Sequence[_Case]


def group_runs(drafts: Sequence[Draft], root_name: str, repeats: str = "") -> Grouping:
    """Give each run a group and a seed.

    Runs repeat one another where the study says so; where their settings state different seeds
    and nothing else differs but a running number or a clock; or where their paths say so. All
    others stand alone.

    Args:
        drafts: Runs of all layouts.
        root_name: Name of the root folder, for runs that lie in it directly.
        repeats: `"numbers"` believes running numbers and clocks too, `"none"` nothing but
            the study.
    """
    grouping = Grouping()
    for layout in dict.fromkeys(draft.layout for draft in drafts):
        own = [draft for draft in drafts if draft.layout == layout]
        grouping.members.extend(_stated_member(draft) for draft in own if draft.group)
        cases = _cases([draft for draft in own if not draft.group])
        grouping.doubtful += _doubtful(cases)
        groups = _groups(cases, repeats, grouping)
        for group, name in zip(groups, _names(groups, root_name), strict=True):
            grouping.members.extend(_member(c, name, grouping, repeats) for c in group.cases)
    _keep_apart(grouping)
    return grouping


def _cases(drafts: Sequence[Draft]) -> list[_Case]:
    called = [draft.name or draft.place or "." for draft in drafts]
    plain = without_programs(called)
    readings = {path: read_path(plain[path]) for path in called}
    # An s before a number is a seed where the runs of one name have several.
    several: dict[str, set[int | None]] = {}
    for reading in readings.values():
        if reading.origin == SHORT:
            several.setdefault(reading.bare, set()).add(reading.seed)
    if several and max(map(len, several.values())) < 2:
        for path, reading in readings.items():
            if reading.origin == SHORT:
                readings[path] = PathReading(seed=None, bare=plain[path], origin=NOTHING)
    counted = counted_paths(r.bare for r in readings.values() if not r.origin)
    return [
        _Case(
            draft=draft,
            path=plain[path],
            reading=readings[path],
            stated=seed_in(draft.config),
            settings=settings_of(draft.config),
            counted=counted.get(readings[path].bare, (readings[path].bare, None)),
        )
        for draft, path in zip(drafts, called, strict=True)
    ]


def _groups(cases: Sequence[_Case], repeats: str, grouping: Grouping) -> list[_Group]:
    """Return groups and runs alone, of runs of one layout.

    First of runs with one name; then of those that are left, which a number alone tells apart.
    """
    found: list[_Group] = []
    left = list(cases)
    for counted in (False, True) if repeats != NONE else ():
        open_, left = left, []
        for path, family in _families(open_, counted=counted).items():
            for label, part in _parts(family):
                together, apart = _believed(part, repeats, counted=counted, grouping=grouping)
                left += apart
                if together:
                    found.append(_Group(path=path, label=label, cases=together))
    return [*found, *_alone(left, {group.path for group in found})]


def _families(cases: Sequence[_Case], *, counted: bool) -> dict[str, list[_Case]]:
    found: dict[str, list[_Case]] = {}
    for case in cases:
        found.setdefault(case.counted[0] if counted else case.reading.bare, []).append(case)
    return found


def _parts(family: Sequence[_Case]) -> Iterator[tuple[str, list[_Case]]]:
    """Yield runs with one name by their settings, where these differ beside the seed."""
    keys = differing([case.settings for case in family])
    parts: dict[tuple[str, ...], list[_Case]] = {}
    for case in family:
        parts.setdefault(tuple(case.settings.get(key, "") for key in keys), []).append(case)
    for part in parts.values():
        yield label_of(part[0].settings, keys), part


def _believed(
    part: Sequence[_Case], repeats: str, *, counted: bool, grouping: Grouping
) -> tuple[list[_Case], list[_Case]]:
    """Return those runs of one name and equal settings that repeat one another, and the others."""
    stated = [case.stated for case in part if case.stated is not None]
    if len(stated) == len(part) > 1 and len(set(stated)) == 1:
        if not counted:
            grouping.problems.append(_one_seed(part, stated[0]))
        return [], list(part)
    said = [case for case in part if case.reading.origin in _SAID]
    if said and not counted:
        plain = [c for c in part if not c.reading.origin and c.path == c.reading.bare]
        weak = [c for c in part if c not in said and c not in plain]
        if all(case.reading.origin == FOLD for case in said) and len(said) > 1:
            grouping.problems.append(_folds(said))
        return ([*part], []) if repeats == NUMBERS else ([*said, *plain], weak)
    if len(part) > 1 and (repeats == NUMBERS or _differ_in_seed(part, stated)):
        return list(part), []
    return [], list(part)


def _differ_in_seed(part: Sequence[_Case], stated: Sequence[int]) -> bool:
    """Tell whether the seed is all that differs, by the settings; empty ones are not equal."""
    if len(set(stated)) < len(part):
        return False
    return all(case.settings for case in part) or _alike([case.draft for case in part])


def _alike(drafts: Sequence[Draft]) -> bool:
    """Tell whether runs are about as long, and measure what they share on one scale."""
    shared = set.intersection(*(set(draft.scalars) for draft in drafts))
    for key in shared:
        several = [draft.scalars[key] for draft in drafts]
        ends = [max(1, int(one.steps[-1])) for one in several]
        counts = [len(one) for one in several]
        sizes = [
            float(np.median(np.abs(one.values[np.isfinite(one.values)])))
            for one in several
            if np.isfinite(one.values).any()
        ]
        unlike = max(ends) > _LONGER * min(ends) or max(counts) > _LONGER * min(counts)
        if unlike or (sizes and max(sizes) > _LARGER * min(sizes) > 0):
            return False
    return bool(shared)


def _alone(cases: Sequence[_Case], taken: set[str]) -> Iterator[_Group]:
    """Yield each run by itself, under the shortest of its names that no other has."""
    shorter = [_without_clock(case) for case in cases], [case.path for case in cases]
    counted = [Counter(names) for names in shorter]
    for i, case in enumerate(cases):
        own = f"{case.draft.name}/{leaf(case.draft.id)}" if case.draft.name else case.draft.id
        free = (
            names[i]
            for names, count in zip(shorter, counted, strict=True)
            if count[names[i]] == 1 and names[i] not in taken
        )
        yield _Group(path=next(free, own), label="", cases=[case])


def _without_clock(case: _Case) -> str:
    """Return a path without its clock, unless only folders that programs make are left."""
    said = case.reading.origin in _SAID
    bare = case.reading.bare if said else without_clock(case.path)
    return case.path if not said and is_program(leaf(bare)) else bare or case.path


def _names(groups: Sequence[_Group], root_name: str) -> list[str]:
    """Return the name of each group: of its path, and of the settings that tell it apart."""
    by_path = name_groups(list(dict.fromkeys(group.path for group in groups)), root_name)
    names = []
    for group in groups:
        by_name = any(case.reading.origin in {TOKEN, SHORT} for case in group.cases)
        parts = [by_path[group.path]] if len(by_path) > 1 or by_name or not group.label else []
        names.append(" ".join([*parts, *([group.label] if group.label else [])]))
    counted = Counter(names)
    return [
        name if counted[name] == 1 else f"{name} ({group.cases[0].draft.id})"
        for name, group in zip(names, groups, strict=True)
    ]


def _stated_member(draft: Draft) -> Member:
    """Return a run whose group the study states; its seed may have to be looked for."""
    looked_up = (
        (draft.seed, "runs.pattern"),
        (seed_in(draft.config), CONFIGURATION),
        (seed_beside(draft.name or draft.place or ".", draft.group), message("its name")),
    )
    seed, origin = next((one for one in looked_up if one[0] is not None), (None, NOTHING))
    return Member(draft=draft, group=draft.group, seed=seed, origin=origin)


def _member(case: _Case, group: str, grouping: Grouping, repeats: str) -> Member:
    said, stated, origin = case.reading.seed, case.stated, case.reading.origin
    seed = said if stated is None else stated
    if stated is not None and said is not None and origin in {TOKEN, SHORT} and said != stated:
        grouping.problems.append(_against(case.draft, said, stated))
    if stated is not None:
        origin = message("its name and configuration") if said == stated else CONFIGURATION
    elif seed is None and repeats == NUMBERS:
        seed = case.counted[1]
        origin = INDEX if seed is not None else NOTHING
    elif origin == FOLDER and _is_file(case.draft):
        origin = FILE
    return Member(
        draft=case.draft, group=group, seed=seed, origin=TOKEN if origin == SHORT else origin
    )


def _is_file(draft: Draft) -> bool:
    """Tell whether a run is a file of its own, after which it is called."""
    beside = [s.path for s in draft.sources if parent(s.path) == parent(draft.place)]
    return any(leaf(path).partition(".")[0] == leaf(draft.place) for path in beside)


def _doubtful(cases: Sequence[_Case]) -> list[str]:
    """Return runs in folders of numbers that do not look like seeds."""
    folders = [c for c in cases if c.reading.origin == FOLDER and c.stated is None]
    numbers = {case.reading.seed or 0 for case in folders}
    usual = bool(numbers & _CLASSIC) or max(numbers, default=0) <= 2 * len(numbers) + 1
    return [] if usual else [case.draft.id for case in folders]


def _against(draft: Draft, said: int, stated: int) -> Problem:
    return Problem(
        path=draft.id,
        message=(
            f"its name says seed {said}, its configuration seed {stated}; "
            "the configuration is taken"
        ),
        remedy="rename the folder, or state runs.pattern in the study file",
    )


def _one_seed(cases: Sequence[_Case], seed: int) -> Problem:
    ids = sorted((case.draft.id for case in cases), key=natural_key)
    return Problem(
        path=ids[0],
        message=(
            f"{len(ids)} runs record the same seed {seed} ({ids[0]} to {ids[-1]}): a spread "
            "over them is not a spread over seeds, and each is a group of its own"
        ),
        remedy="train with different seeds, or state [groups] in the study file",
    )


def _folds(cases: Sequence[_Case]) -> Problem:
    ids = sorted((case.draft.id for case in cases), key=natural_key)
    return Problem(
        path=cases[0].reading.bare or ".",
        message=f"{len(ids)} folds ({ids[0]} to {ids[-1]}) are taken as repetitions: their "
        "spread is over parts of the data, not over seeds",
        remedy="state [groups] or runs.pattern in the study file",
        level="note",
    )


def _keep_apart(grouping: Grouping) -> None:
    """Give groups of different layouts different names."""
    layouts: dict[str, set[str]] = {}
    for member in grouping.members:
        layouts.setdefault(member.group, set()).add(member.draft.layout)
    grouping.members = [
        replace(m, group=f"{m.group} ({m.draft.layout})") if len(layouts[m.group]) > 1 else m
        for m in grouping.members
    ]


def rename_declared(members: Sequence[Member], plans: Sequence[GroupPlan]) -> list[Member]:
    """Give runs the names of the declared groups they match; the first match counts."""
    renamed = []
    for member in members:
        plan = next((p for p in plans if matches(p, member)), None)
        renamed.append(replace(member, group=plan.name) if plan else member)
    return renamed


def matches(plan: GroupPlan, member: Member) -> bool:
    """Tell whether a run belongs to a declared group.

    The pattern is on the run's path, or on the name by which its program knows it; without
    one, the group's name must be the run's.
    """
    if not plan.match:
        return member.group == plan.name
    # The root's own name may be part of the pattern or not: "*/a" also means a top folder.
    paths = [path for path in (member.draft.id, member.draft.name) if path]
    return any(fnmatchcase(f"{top}{path}", plan.match) for path in paths for top in ("", "/"))
