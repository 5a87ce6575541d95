"""Names of groups: the part of the owner's path that tells each apart from the others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from reportgen.runs._seeds import is_program

_HYPERPARAMETER = re.compile(
    r"(?:ms|mu|lr|me|bs|bsz|ep|epochs?|wd|wu|warmup|steps|batch|dropout|do|max[a-z]*)"
    r"[=\-]?\d[\d.e+\-]*",
    re.IGNORECASE,
)


def name_groups(paths: Sequence[str], fallback: str) -> dict[str, str]:
    """Return a short, telling name for each group path.

    Folders that all groups share are dropped, and those that only programs made; so are
    hyperparameters at the end of a name that all share. No name is emptied or given twice.

    Example:
        >>> names = name_groups(["books/small_ms8_lr1e-05", "books/small_random_ms8_lr1e-05"], "x")
        >>> list(names.values())
        ['small', 'small_random']
        >>> name_groups(["logs/a/csv", "logs/b/csv"], "x")
        {'logs/a/csv': 'a', 'logs/b/csv': 'b'}
    """
    parts = {path: [p for p in path.split("/") if p not in {"", "."}] for path in paths}
    if len(parts) == 1:
        ((path, found),) = parts.items()
        own = [part for part in found if not is_program(part)]
        return _drop_hyperparameters({path: own[-1] if own else fallback})
    above = _shared_length(list(parts.values()))
    cut = {path: found[above:] for path, found in parts.items()}
    named = {path: [p for p in found if not is_program(p)] for path, found in cut.items()}
    every = set.intersection(*map(set, named.values())) if named else set()
    told = {path: [p for p in found if p not in every] for path, found in named.items()}
    chosen = told if all(told.values()) else named
    short = {path: "/".join(found) for path, found in chosen.items()}
    counted = Counter(short.values())
    names = {path: "/".join(found) for path, found in cut.items()}
    plain = {path: s if s and counted[s] == 1 else names[path] for path, s in short.items()}
    names = plain if len(set(plain.values())) == len(plain) else names
    return {path: name or fallback for path, name in _drop_hyperparameters(names).items()}


def _shared_length(parts: Sequence[list[str]]) -> int:
    """Return how many leading folders all paths share, leaving each at least one part."""
    count = 0
    limit = min((len(found) for found in parts), default=0) - 1
    while count < limit and len({found[count] for found in parts}) == 1:
        count += 1
    return count


def _drop_hyperparameters(names: Mapping[str, str]) -> dict[str, str]:
    result = dict(names)
    while True:
        tails = {name.rpartition("_")[2] for name in result.values()}
        tail = next(iter(tails), "")
        cut = {path: name.rpartition("_")[0] for path, name in result.items()}
        whole = all(cut.values()) and len(set(cut.values())) == len(cut)
        if len(tails) != 1 or not _HYPERPARAMETER.fullmatch(tail) or not whole:
            return result
        result = cut
