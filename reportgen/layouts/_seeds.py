"""Seeds and groups: what a run's path and configuration say about them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_SEED = re.compile(
    r"(?:^|(?<=[_\-. /]))(?:seed[_\-= ]?|s=?)(\d{1,10})(?=$|[_\-. /#])", re.IGNORECASE
)
_GLUED_SEED = re.compile(r"seed[_\-= ]?(\d{1,10})(?!\d)", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,6}")
_INDEX = re.compile(
    r"(?:run|version|trial|exp|try|rep|replicate|repeat|fold)[_\- ]?\d+", re.IGNORECASE
)
_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_STAMP = re.compile(
    r"[_\-. ]?(?:\d{2}-\d{2}-\d{4}|\d{4}-\d{2}-\d{2}|\d{8}|(?:" + _MONTHS + r")\d{2})"
    r"[_\-T ]\d{2}[-:.]?\d{2}[-:.]?\d{2}(?:_[\w.\-]+)?"
)
_HYPERPARAMETER = re.compile(
    r"(?:ms|mu|lr|me|bs|bsz|ep|epochs?|wd|wu|warmup|steps|batch|dropout|do|max[a-z]*)"
    r"[=\-]?\d[\d.e+\-]*",
    re.IGNORECASE,
)

TOKEN, FOLDER, INDEX, NOTHING = "a seed in its name", "its folder's number", "a running number", ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathReading:
    """What a run's path says.

    Attributes:
        seed: The seed, or None.
        rest: The path without its seed or running number, clock readings kept.
        bare: The same without clock readings.
        origin: Where the seed or number stood.
    """

    seed: int | None
    rest: str
    bare: str
    origin: str


def read_path(path: str) -> PathReading:
    """Read seed and group off a run's path.

    Example:
        >>> [(r.seed, r.bare) for r in map(read_path, ("roberta/2", "model-s1", "a/run_seed3"))]
        [(2, 'roberta'), (1, 'model'), (3, 'a/run')]
        >>> read_path("q2_default_s2_Pendulum-v4_27-05-2024_22-37-22").bare
        'q2_default_Pendulum-v4'
    """
    seed, rest, origin = _take_seed(path)
    parts = [_STAMP.sub("", part) for part in rest.split("/")]
    return PathReading(
        seed=seed, rest=rest, bare="/".join(part for part in parts if part), origin=origin
    )


def _take_seed(path: str) -> tuple[int | None, str, str]:
    parts = path.split("/")
    for index in range(len(parts) - 1, -1, -1):
        found = _SEED.search(parts[index]) or _GLUED_SEED.search(parts[index])
        if found:
            left = _cut(parts[index], *found.span())
            kept = [*parts[:index], *([left] if left else []), *parts[index + 1 :]]
            return int(found[1]), "/".join(kept), TOKEN
    if _NUMBER.fullmatch(parts[-1]):
        kept = parts[:-1]
        if kept and kept[-1].lower() in {"seed", "seeds"}:
            kept.pop()
        return int(parts[-1]), "/".join(kept), FOLDER
    if _INDEX.fullmatch(parts[-1]):
        return None, "/".join(parts[:-1]), INDEX
    return None, path, NOTHING


def _cut(text: str, begin: int, end: int) -> str:
    """Take a token out of a name, with one of the separators beside it."""
    head, tail = text[:begin].rstrip("_-. "), text[end:].lstrip("_-. ")
    separator = text[begin - 1] if head and tail and begin else ""
    return f"{head}{separator}{tail}"


def name_groups(paths: Sequence[str], fallback: str) -> dict[str, str]:
    """Return a short, telling name for each group path.

    Folders that all groups share are dropped, and so are hyperparameters at the end of a
    name that all share.

    Example:
        >>> names = name_groups(["books/small_ms8_lr1e-05", "books/small_random_ms8_lr1e-05"], "x")
        >>> list(names.values())
        ['small', 'small_random']
    """
    unique = list(dict.fromkeys(paths))
    parts = {path: [part for part in path.split("/") if part not in {"", "."}] for path in unique}
    shared = _shared_length(list(parts.values()))
    short = {path: found[shared:] for path, found in parts.items()}
    names = {path: "/".join(found) for path, found in short.items()}
    names = _drop_hyperparameters(names)
    return {path: name or fallback for path, name in names.items()}


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
