"""Which runs differ only in their seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from reportgen.languages import message
from reportgen.records.natural import natural_key
from reportgen.records.run import Problem
from reportgen.records.study import GroupPlan
from reportgen.runs._config import seed_in
from reportgen.runs._layout import Draft, leaf, parent
from reportgen.runs._seeds import (
    FILE,
    FOLDER,
    INDEX,
    NOTHING,
    PathReading,
    name_groups,
    read_path,
    seed_beside,
)

SETTINGS = (
    "learning_rate", "lr", "per_device_train_batch_size", "batch_size", "max_sentences",
    "gradient_accumulation_steps", "update_freq", "num_train_epochs", "max_epoch", "max_epochs",
    "max_steps", "weight_decay", "warmup_steps", "warmup_ratio", "warmup_updates", "dropout",
    "optim", "optimizer", "lr_scheduler_type", "lr_scheduler", "model_name_or_path", "arch",
    "restore_file",
)  # fmt: skip
"""Settings in which runs of one group must not differ."""


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
    """Every run with its group, and what there is to say about it."""

    members: list[Member] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def group_runs(drafts: Sequence[Draft], root_name: str) -> Grouping:
    """Give each run a group and a seed.

    Args:
        drafts: Runs of all layouts.
        root_name: Name of the root folder, for runs that lie in it directly.
    """
    grouping = Grouping()
    layouts = dict.fromkeys(draft.layout for draft in drafts)
    for layout in layouts:
        stated = [d for d in drafts if d.layout == layout and d.group]
        open_ = [d for d in drafts if d.layout == layout and not d.group]
        grouping.members.extend(_stated_member(draft) for draft in stated)
        _group_layout(open_, root_name, grouping)
    _keep_apart(grouping)
    return grouping


def _stated_member(draft: Draft) -> Member:
    """Return a run whose group the study states; its seed may have to be looked for."""
    looked_up = (
        draft.seed,
        seed_in(draft.config),
        seed_beside(draft.name or draft.place or ".", draft.group),
    )
    origins = ("runs.pattern", message("its configuration"), message("its name"))
    known = [(s, o) for s, o in zip(looked_up, origins, strict=True) if s is not None]
    seed, origin = known[0] if known else (None, NOTHING)
    return Member(draft=draft, group=draft.group, seed=seed, origin=origin)


def _group_layout(drafts: Sequence[Draft], root_name: str, grouping: Grouping) -> None:
    readings = {draft.id: read_path(draft.name or draft.place or ".") for draft in drafts}
    gathered: dict[str, list[Draft]] = {}
    for draft in drafts:
        gathered.setdefault(readings[draft.id].bare, []).append(draft)
    settled: list[tuple[str, Draft, int | None, str]] = []
    for bare, members in gathered.items():
        for path, draft, seed, origin in _settle(bare, members, readings, grouping):
            settled.append((path, draft, seed, origin))
    names = name_groups([path for path, *_ in settled], root_name)
    grouping.members.extend(
        Member(draft=draft, group=names[path], seed=seed, origin=origin)
        for path, draft, seed, origin in settled
    )


def _settle(
    bare: str, members: Sequence[Draft], readings: Mapping[str, PathReading], grouping: Grouping
) -> list[tuple[str, Draft, int | None, str]]:
    """Decide whether runs with one name are one group; return (group path, run, seed, origin)."""
    stated = {d.id: seed_in(d.config) for d in members}
    origins = {readings[d.id].origin for d in members}
    known = [seed for seed in stated.values() if seed is not None]
    if len(known) == len(members) > 1 and len(set(known)) == 1:
        _report_one_seed(members, known[0], grouping)
        return [_alone(d, stated) for d in members]
    if origins == {NOTHING} and len(members) > 1 and len(set(known)) < len(members):
        # Only the clock tells them apart: nothing says that they are equal.
        return [_alone(d, stated) for d in members]
    differing = _differing_settings(members)
    if origins == {INDEX} and (differing or len(set(known)) < len(known)):
        return [_alone(d, stated) for d in members]
    if origins == {INDEX} and not known and len(members) > 1:
        _report_unknown_seeds(bare, members, grouping)
    if differing:
        grouping.problems.append(
            Problem(
                path=bare or ".",
                message=f"runs of one group differ in {', '.join(differing)}",
                remedy="tell them apart with [groups] or runs.pattern in the study file",
            )
        )
    return [_seeded(bare, d, readings[d.id], stated[d.id], grouping) for d in members]


def _alone(draft: Draft, stated: Mapping[str, int | None]) -> tuple[str, Draft, int | None, str]:
    seed = stated[draft.id]
    path = f"{draft.name}/{leaf(draft.id)}" if draft.name else draft.id
    return path, draft, seed, "its configuration" if seed is not None else NOTHING


def _seeded(
    bare: str, draft: Draft, reading: PathReading, stated: int | None, grouping: Grouping
) -> tuple[str, Draft, int | None, str]:
    if stated is not None and reading.seed is not None and stated != reading.seed:
        grouping.problems.append(
            Problem(
                path=draft.id,
                message=(
                    f"its name says seed {reading.seed}, its configuration seed {stated}; "
                    "the configuration is taken"
                ),
                remedy="rename the folder, or state runs.pattern in the study file",
            )
        )
    if stated is not None:
        agreed = stated == reading.seed
        both, one = message("its name and configuration"), message("its configuration")
        return bare, draft, stated, both if agreed else one
    if reading.seed is None:
        return bare, draft, None, NOTHING
    origin = FILE if reading.origin == FOLDER and _is_file(draft) else reading.origin
    return bare, draft, reading.seed, origin


def _is_file(draft: Draft) -> bool:
    """Tell whether a run is a file of its own, after which it is called."""
    beside = [s.path for s in draft.sources if parent(s.path) == parent(draft.place)]
    return any(leaf(path).partition(".")[0] == leaf(draft.place) for path in beside)


def _report_one_seed(members: Sequence[Draft], seed: int, grouping: Grouping) -> None:
    ids = sorted((d.id for d in members), key=natural_key)
    grouping.problems.append(
        Problem(
            path=ids[0],
            message=(
                f"{len(ids)} runs record the same seed {seed} ({ids[0]} to {ids[-1]}): a spread "
                "over them is not a spread over seeds, and each is a group of its own"
            ),
            remedy="train with different seeds, or state [groups] in the study file",
        )
    )


def _report_unknown_seeds(bare: str, members: Sequence[Draft], grouping: Grouping) -> None:
    ids = sorted((d.id for d in members), key=natural_key)
    folds = all(leaf(d.place).lower().startswith("fold") for d in members)
    grouping.problems.append(
        Problem(
            path=bare or ".",
            message=f"{len(ids)} folds ({ids[0]} to {ids[-1]}) are taken as repetitions: their "
            "spread is over parts of the data, not over seeds"
            if folds
            else f"{len(ids)} runs differ only in a running number ({ids[0]} to {ids[-1]}) and "
            "state no seed: taken as repetitions with unknown seeds",
            remedy="state [groups] or runs.pattern in the study file",
            level="note",
        )
    )


def _differing_settings(members: Sequence[Draft]) -> list[str]:
    return [
        key for key in SETTINGS if len({str(d.config[key]) for d in members if key in d.config}) > 1
    ]


def _keep_apart(grouping: Grouping) -> None:
    """Give groups of different layouts different names."""
    layouts: dict[str, set[str]] = {}
    for member in grouping.members:
        layouts.setdefault(member.group, set()).add(member.draft.layout)
    grouping.members = [
        Member(
            draft=m.draft,
            group=f"{m.group} ({m.draft.layout})" if len(layouts[m.group]) > 1 else m.group,
            seed=m.seed,
            origin=m.origin,
        )
        for m in grouping.members
    ]


def rename_declared(members: Sequence[Member], plans: Sequence[GroupPlan]) -> list[Member]:
    """Give runs the names of the declared groups they match; the first match counts."""
    renamed = []
    for member in members:
        plan = next((p for p in plans if matches(p, member)), None)
        name = plan.name if plan else member.group
        renamed.append(
            Member(draft=member.draft, group=name, seed=member.seed, origin=member.origin)
        )
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
