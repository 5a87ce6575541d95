"""What is worked out once for many rows, looked up by what it was worked out of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, wraps
from hashlib import sha256
from typing import TypeVar

from reportgen.records.document import Emphasis, Text
from reportgen.records.facts import Facts, GroupResult, RunResult

Member = TypeVar("Member")
Result = TypeVar("Result")

_MOST = 8
_FORGET: list[Callable[[], None]] = []


def once(
    function: Callable[[tuple[Member, ...]], Result],
) -> Callable[[tuple[Member, ...]], Result]:
    """Return a function that works out once a report what it tells of a tuple.

    Every row of a table asks for the ids and the decimals of all groups, and gets what the first
    row got. The result depends on nothing but the tuple, and is not changed.

    Example:
        >>> longest = once(lambda words: print("looks") or max(map(len, words)))
        >>> words = ("one", "three")
        >>> longest(words), longest(words)
        looks
        (5, 5)
    """
    # A tuple is known by its place, for to compare groups takes long; none is reused while it is
    # kept here.
    found: dict[int, tuple[tuple[Member, ...], Result]] = {}
    _FORGET.append(found.clear)

    @wraps(function)
    def remembered(members: tuple[Member, ...]) -> Result:
        if id(members) not in found:
            if len(found) == _MOST:
                found.clear()
            found[id(members)] = members, function(members)
        return found[id(members)][1]

    return remembered


def forget() -> None:
    """Let go of all that was worked out, so that runs do not outlive their report."""
    for clear in _FORGET:
        clear()


# --- ids ------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 12)
def slug(name: str, empty: str = "group") -> str:
    """Return a name as it stands inside the id of a number; `empty` where nothing is left of it.

    Example:
        >>> slug("RoBERTa small (fr)")
        'RoBERTa_small_fr'
    """
    return re.sub(r"[^\w-]+", "_", name).strip("_") or empty


def keys_of(names: Iterable[str], empty: str = "group") -> Mapping[str, str]:
    """Return the part of an id that stands for each of some names, and for no other of them.

    A key is made of its name alone, never of its place: what is taken away from a study, or
    added, leaves the ids of the rest as they were.

    Example:
        >>> keys = keys_of(["runs/a", "runs_a", "b"])
        >>> keys["runs_a"], keys["b"], keys["runs/a"].startswith("runs_a-")
        ('runs_a', 'b', True)
    """
    slugs = {name: slug(name, empty) for name in names}
    same = Counter(slugs.values())
    return {
        name: f"{key}-{sha256(name.encode()).hexdigest()[:8]}"
        if same[key] > 1 and key != name
        else key
        for name, key in slugs.items()
    }


def group_key(facts: Facts, group: GroupResult) -> str:
    """Return the part of an id that stands for a group, unique in the report."""
    return _group_keys(facts.groups)[group.name]


def cell_key(group: GroupResult, cell: RunResult) -> str:
    """Return the part of an id that stands for a cell: its seed where unique, else its run."""
    return _cell_keys(group.cells)[id(cell)]


@once
def _group_keys(groups: tuple[GroupResult, ...]) -> Mapping[str, str]:
    return keys_of(group.name for group in groups)


@once
def _cell_keys(cells: tuple[RunResult, ...]) -> Mapping[int, str]:
    seeds = Counter(cell.seed for cell in cells)
    keys = keys_of((cell.run.id for cell in cells if cell.run is not None), "run")
    found = {}
    for place, cell in enumerate(cells):
        if cell.seed is not None and seeds[cell.seed] == 1:
            found[id(cell)] = str(cell.seed)
        else:
            found[id(cell)] = f"run{place}" if cell.run is None else f"run-{keys[cell.run.id]}"
    return found


# --- short names ----------------------------------------------------------------------


LONG = 24
"""Letters from which on a name is cut to what tells it apart."""
_EDGE = "_-/. "


def short_name(facts: Facts, group: GroupResult) -> str:
    """Return the short name that a study gives a group, else its label without what all share."""
    return facts.study.short(group.name) or _short(facts.groups)[group.name]


def in_text(facts: Facts, group: GroupResult) -> Text:
    """Return the short name of a group as running text has it."""
    return (Emphasis((short_name(facts, group),)),)


def shared_frames(facts: Facts, groups: Sequence[GroupResult]) -> list[str]:
    """Return what the short names of some groups leave out, with … in their place."""
    shortened = [
        (group.label, short)
        for group in groups
        if (short := short_name(facts, group)) != group.label.strip()
        and not facts.study.short(group.name)
    ]
    frames = Counter(label.replace(short, "…", 1) for label, short in shortened)
    return [frame for frame, count in frames.items() if count > 1]


@once
def _short(groups: tuple[GroupResult, ...]) -> Mapping[str, str]:
    """Return for each group its label without what all of its task share, where no two are alike.

    A task of which one would be called as one of another task keeps its labels.
    """
    tasks: dict[object, list[str]] = {}
    for group in groups:
        tasks.setdefault(group.task, []).append(group.label)
    cut = {task: _without_echoes(labels) or _cut(labels) for task, labels in tasks.items()}
    counts = Counter(short for own in cut.values() for short in own.values())
    kept = {
        task: {} if any(counts[short] > 1 for short in own.values()) else own
        for task, own in cut.items()
    }
    return {g.name: kept[g.task].get(g.label, g.label.strip()) for g in groups}


def _without_echoes(labels: Sequence[str]) -> Mapping[str, str]:
    """Return labels of settings without those that repeat the value of one before in each label.

    Example:
        >>> _without_echoes(("model=big,name=big", "model=tiny,name=tiny"))
        {'model=big,name=big': 'model=big', 'model=tiny,name=tiny': 'model=tiny'}
        >>> _without_echoes(("a=1,b=1", "a=2,b=1")), _without_echoes(("big", "tiny"))
        ({}, {})
    """
    rows = [[part.partition("=")[::2] for part in label.split(",")] for label in labels]
    if len({tuple(key for key, _ in row) for row in rows}) > 1:
        return {}
    columns = list(zip(*([value for _, value in row] for row in rows), strict=True))
    kept = [at for at, column in enumerate(columns) if column not in columns[:at]]
    if len(labels) < 2 or len(kept) == len(columns):
        return {}
    return {label: ",".join(label.split(",")[at] for at in kept) for label in labels}


def _cut(labels: Sequence[str]) -> Mapping[str, str]:
    """Return long labels without the words that all of them begin and end with.

    Example:
        >>> _cut(("q2_pendulum_default_Pendulum-v4", "q2_pendulum_gae0.98_Pendulum-v4"))
        {'q2_pendulum_default_Pendulum-v4': 'default', 'q2_pendulum_gae0.98_Pendulum-v4': 'gae0.98'}
    """
    if len(labels) < 2 or max(map(len, labels)) < LONG:
        return {}
    head = _to_edge(_common(labels))
    tails = [label[len(head) :][::-1] for label in labels]
    tail = _to_edge(_common(tails))
    if not (head + tail).strip(_EDGE):
        return {}
    kept = {label: label[len(head) : len(label) - len(tail)].strip(_EDGE) for label in labels}
    # What is left may be a bare number, which is no name.
    named = all(any(map(str.isalpha, name)) for name in kept.values())
    return kept if named and len(set(kept.values())) == len(kept) else {}


def _to_edge(shared: str) -> str:
    """Return a shared beginning up to the last edge of a word in it."""
    found = re.match(rf".*[{re.escape(_EDGE)}]", shared)
    return found[0] if found else ""


def _common(labels: Sequence[str]) -> str:
    """Return what all labels begin with."""
    low, high = min(labels), max(labels)
    same = (at for at, letter in enumerate(low) if at >= len(high) or high[at] != letter)
    return low[: next(same, len(low))]
