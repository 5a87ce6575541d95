"""The parts of the ids of numbers: what stands for a group, a cell or a file, and for no other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha256

from reportgen.records.facts import Facts, GroupResult, RunResult
from reportgen.report._same import once


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
