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
    above = _shared_length(list(parts.values()))
    cut = {path: found[above:] for path, found in parts.items()}
    names = {path: "/".join(found) for path, found in cut.items()}
    every = set.intersection(*map(set, cut.values())) if len(cut) > 1 else set()
    told = {
        path: "/".join(p for p in found if p not in every and not is_program(p))
        for path, found in cut.items()
    }
    if len(cut) == 1:
        own = [p for p in next(iter(parts.values())) if not is_program(p)]
        told = dict.fromkeys(cut, own[-1] if own else "")
        names = told
    counted = Counter(told.values())
    names = {
        path: told[path] if told[path] and counted[told[path]] == 1 else name
        for path, name in names.items()
    }
    if len(set(names.values())) < len(names):
        names = {path: "/".join(found) for path, found in cut.items()}
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
