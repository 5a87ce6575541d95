"""Which runs repeat one another: each of them needs evidence for it, and stands alone without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from reportgen.languages import message
from reportgen.records.natural import natural_key
from reportgen.records.record import field, record, replace
from reportgen.records.run import Problem
from reportgen.records.study import GroupPlan
from reportgen.runs._layout import Draft, inside, leaf, parent
from reportgen.runs._parts import Copy, copies_among, declared_group, given_up
from reportgen.runs._seeds import (
    FOLD,
    FOLDER,
    INDEX,
    NOTHING,
    SHORT,
    TOKEN,
    PathReading,
    Settings,
    counted_paths,
    differing,
    is_program,
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

_COUNTED = PathReading(seed=None, bare="", origin=INDEX)
_LONGER, _LARGER = 1.25, 10.0
"""Runs of which one is so much longer, or measures so much more, were not trained alike."""

CONFIGURATION = message("its configuration")
FILE = message("its file's number")


@record
class Member:
    """One run with its group and seed.

    Attributes:
        origin: Where its seed comes from, in words.
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
    """

    draft: Draft
    path: str
    reading: PathReading
    stated: int | None
    settings: Settings
    counted: tuple[str, int | None] = ("", None)
    declared: str = ""
    is_doubtful: bool = False

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
    _keep_apart(grouping)
    return grouping


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
    proven, doubtful = _proven(drafts, called, readings)
    counted = counted_paths(r.bare for r in readings.values() if not r.origin)
    cases = []
    for draft, path in zip(drafts, called, strict=True):
        reading, declared = readings[path], declared_group(draft, draft.group, plans)
        number: tuple[str, int | None] = counted.get(
            reading.bare, (without_letter(reading.bare), None)
        )
        if reading.origin in _NUMBERS_ALONE and not (declared or reading.bare in proven):
            number = reading.bare, reading.seed
            reading = replace(reading, seed=None, origin=INDEX)
        case = Case(
            draft=draft,
            path=plain[path],
            reading=reading,
            stated=seed_in(draft.config),
            settings=settings_of(draft.config),
            counted=number,
            declared=declared,
            is_doubtful=reading.bare in doubtful,
        )
        cases.append(case)
    return cases


def _own_path(draft: Draft) -> str:
    """Return the file of a run where it is called after that, or its folder."""
    is_named = draft.id.startswith(f"{draft.place}/") or not draft.place
    added = "#" in leaf(draft.id) or draft.id.endswith(f" ({draft.layout})")
    return draft.id if is_named and not added else draft.place or "."


def _proven(
    drafts: Sequence[Draft], called: Sequence[str], readings: Mapping[str, PathReading]
) -> tuple[set[str], set[str]]:
    """Return names behind which a number, or an s and a number, is a seed, and those in doubt.

    A letter or a folder alone is no evidence: sizes, stages and subjects are called so, too. More
    is a program whose layout it is, a number that people use as a seed or that the settings of a
    run say to be its seed, and the same numbers behind
    several names, which an `s` counts from 0 or 1. That alone is evidence in doubt, where the runs
    were trained alike.
    """
    named = [(readings[path], one) for path, one in zip(called, drafts, strict=True)]
    families = group_by(
        (one for one in named if one[0].origin in _NUMBERS_ALONE), lambda one: one[0].bare
    )
    numbers = {bare: {r.seed or 0 for r, _ in several} for bare, several in families.items()}
    pairs = {bare: set(combinations(sorted(n)[:_MOST_CROSSED], 2)) for bare, n in numbers.items()}
    counted = Counter(pair for own in pairs.values() for pair in own)
    proven, doubtful = set(), set()
    for bare, several in families.items():
        found = numbers[bare]
        crossed = any(counted[pair] > 1 for pair in pairs[bare])
        short = several[0][0].origin == SHORT
        through = sorted(found) in ([*range(len(found))], [*range(1, len(found) + 1)])
        of_program = several[0][1].layout in _FOLDERS_OF_SEEDS and not short
        # Where the settings of one say that its number is its seed, so are the others'.
        is_stated = any(r.seed is not None and r.seed == seed_in(d.config) for r, d in several)
        if found & _USED or of_program or is_stated or (crossed and (through or not short)):
            proven.add(bare)
        elif short and through and len(found) > 1 and _alike([draft for _, draft in several]):
            proven.add(bare)
            doubtful.add(bare)
    return proven, doubtful


def _groups(cases: Sequence[Case], repeats: str, grouping: Grouping) -> list[_Group]:
    """Return groups and runs alone, of runs of one layout.

    First of runs with one name; then of those that are left, which a number alone tells apart;
    then of those whose names tell nothing, and whose settings tell all.
    """
    found: list[_Group] = []
    left, apart = list(cases), []
    for way in (_by_name, _by_number, _by_settings) if repeats != NONE else ():
        counted = way is not _by_name
        named = [(way(case), case) for case in left]
        families = group_by(named, lambda one: one[0])
        left = []
        for path, family in families.items():
            for label, several in _parts([case for _, case in family]):
                part = _without_copies(several, grouping)
                if label and len(part) == 1 and leaf(part[0].path).isdigit():
                    # What differs says what it is; the number only counts.
                    found.append((path, label, [replace(part[0], reading=_COUNTED)]))
                    continue
                doubled = [] if counted else _doubled(part, grouping.problems)
                apart += doubled
                kept = {case.draft.id for case in part} - {case.draft.id for case in doubled}
                part = [case for case in part if case.draft.id in kept]
                believed = _believed(part, repeats, [] if counted else grouping.problems)
                if way is _by_settings:
                    believed = [_state_their_seeds(part)] * len(part)
                together = [case for case, yes in zip(part, believed, strict=True) if yes]
                left += [case for case, yes in zip(part, believed, strict=True) if not yes]
                found += [(path, label, together)] if together else []
    return [*found, *_alone([*left, *apart], {path for path, _, _ in found})]


def _by_name(case: Case) -> str:
    return case.reading.bare


def _by_number(case: Case) -> str:
    return case.counted[0]


def _by_settings(case: Case) -> str:
    return without_id(case.path)


def _state_their_seeds(part: Sequence[Case]) -> bool:
    """Tell whether runs state all that they were trained with, and a seed of its own each."""
    stated = {case.stated for case in part} - {None}
    return 1 < len(part) == len(stated) and all(case.settings for case in part)


def _without_copies(part: Sequence[Case], grouping: Grouping) -> list[Case]:
    """Return runs of one name and equal settings without copies of one another."""
    groups = group_by(part, lambda case: case.declared).values()
    copies = [pair for own in groups for pair in copies_among(case.draft for case in own)]
    grouping.copies += copies
    gone = {id(copy) for copy, _ in copies}
    return [case for case in part if id(case.draft) not in gone]


def _doubled(part: Sequence[Case], problems: list[Problem]) -> list[Case]:
    """Return runs of one name and equal settings that claim a seed with others, and say so.

    A start that did not end early has its seed, where it is the only one.
    """
    early: dict[str, str] = {}
    for own in group_by(part, lambda case: case.declared).values():
        early |= given_up((case.draft, case.seed) for case in own)
    problems += [
        Problem(
            path=case.draft.id,
            message=f"ended before {early[case.draft.id]}, a start of the same name and seed: "
            "taken as one that was given up, and no part of that group",
            remedy="remove it, or state [groups] in the study file if it counts",
        )
        for case in part
        if case.draft.id in early
    ]
    whole = [case for case in part if case.draft.id not in early and case.seed is not None]
    claimed = Counter((case.declared, case.seed) for case in whole)
    twice = [case for case in whole if claimed[case.declared, case.seed] > 1]
    problems += [_one_seed(twice)] if twice else []
    doubled = {case.draft.id for case in twice} | early.keys()
    return [case for case in part if case.draft.id in doubled]


def _parts(family: Sequence[Case]) -> Iterator[tuple[str, list[Case]]]:
    """Yield runs with one name by their settings, where these differ beside the seed."""
    keys = differing([case.settings for case in family])
    parts = group_by(family, lambda case: tuple(case.settings.get(key, "") for key in keys))
    for part in parts.values():
        yield label_of(part[0].settings, keys), part


def _believed(part: Sequence[Case], repeats: str, problems: list[Problem]) -> list[bool]:
    """Tell of each of some runs with one name and equal settings whether it repeats the others."""
    stated = [case.stated for case in part if case.stated is not None]
    problems += [told for case in part if (told := _against(case))]
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
        problems.append(_folds(part))
    # Of one name, one without a seed: a default one.
    return [
        (c.reading.origin in _SAID or c.path == c.reading.bare) and folds[c.path] < 2 for c in part
    ]


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
        parts = [by_path[path]] if len(by_path) > 1 or by_name or not label else []
        names.append(" ".join([*parts, *([label] if label else [])]))
    counted = Counter(names)
    return [
        name if counted[name] == 1 else f"{name} ({cases[0].draft.id})"
        for name, (_, _, cases) in zip(names, groups, strict=True)
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


def _member(case: Case, group: str, repeats: str) -> Member:
    said, seed, origin = case.reading.seed, case.stated, case.reading.origin
    if seed is not None:
        origin = message("its name and configuration") if said == seed else CONFIGURATION
    elif said is not None:
        seed, origin = said, FILE if origin == FOLDER and _is_file(case.draft) else origin
    elif repeats == NUMBERS and case.counted[1] is not None:
        seed, origin = case.counted[1], INDEX
    return Member(draft=case.draft, group=group, seed=seed, origin=origin)


def _is_file(draft: Draft) -> bool:
    """Tell whether a run is a file of its own, after which it is called."""
    beside = [s.path for s in draft.sources if parent(s.path) == parent(draft.place)]
    return any(leaf(path).partition(".")[0] == leaf(draft.place) for path in beside)


def _doubtful(cases: Sequence[Case]) -> list[str]:
    """Return runs in folders of numbers that do not look like seeds."""
    folders = [c for c in cases if c.reading.origin == FOLDER and c.stated is None]
    numbers = {case.reading.seed or 0 for case in folders}
    usual = bool(numbers & _CLASSIC) or max(numbers, default=0) <= 2 * len(numbers) + 1
    alone = [case for case in cases if case.is_doubtful and case.stated is None]
    return [case.draft.id for case in ([] if usual else folders) + alone]


def _against(case: Case) -> Problem | None:
    said, stated = case.reading.seed, case.stated
    if case.reading.origin not in {TOKEN, SHORT} or stated is None or said == stated:
        return None
    return Problem(
        path=case.draft.id,
        message=(
            f"its name says seed {said}, its configuration seed {stated}; "
            "the configuration is taken"
        ),
        remedy="rename the folder, or state runs.pattern in the study file",
    )


def _one_seed(cases: Sequence[Case]) -> Problem:
    ids = sorted((case.draft.id for case in cases), key=natural_key)
    seeds = sorted({case.seed for case in cases if case.seed is not None})
    told = (
        f"{len(ids)} runs record the same seed {seeds[0]} ({ids[0]} to {ids[-1]})"
        if len(seeds) == 1
        else f"{len(ids)} runs record one of {len(seeds)} seeds that another of their name has "
        f"({ids[0]} to {ids[-1]})"
    )
    return Problem(
        path=ids[0],
        message=f"{told}: a spread over them is not a spread over seeds, and each is a group of "
        "its own",
        remedy="train with different seeds, or state [groups] in the study file",
    )


def _folds(cases: Sequence[Case]) -> Problem:
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
    named = {(member.group, member.draft.layout) for member in grouping.members}
    counted = Counter(group for group, _ in named)
    grouping.members = [
        replace(m, group=f"{m.group} ({m.draft.layout})") if counted[m.group] > 1 else m
        for m in grouping.members
    ]


def rename_declared(members: Sequence[Member], plans: Sequence[GroupPlan]) -> list[Member]:
    """Give runs the names of the declared groups they match; the first match counts."""
    return [replace(m, group=declared_group(m.draft, m.group, plans)) for m in members]
