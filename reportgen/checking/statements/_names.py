"""Runs that a sentence names, each with the words that name them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportgen.checking.catalogue import Catalogue
from reportgen.checking.mentions import Mention, mentions_in
from reportgen.checking.statements._words import Mark, words_in
from reportgen.checking.words import said

__all__ = ["mentions_of"]

_BESIDE = 2


def mentions_of(text: str, marks: Sequence[Mark], catalogue: Catalogue) -> tuple[Mention, ...]:
    """Return the runs that a sentence names, in order: words side by side are one name."""
    found: list[Mention] = []
    named = mentions_in(text, catalogue)
    for one in named:
        last = found[-1] if found else Mention(0, -_BESIDE, ())
        both = tuple(run for run in one.runs if run in last.runs)
        if one.is_seed or (both and one.start < last.end):
            continue
        if both and one.start - last.end <= _BESIDE:
            found[-1] = Mention(last.start, one.end, both)
        elif not _means(text[one.start : one.end]):
            found.append(one)
    free = (
        k
        for k in _kin(marks, catalogue)
        if all(k.start >= o.end or k.end <= o.start for o in found)
    )
    found = sorted([*found, *free])
    seeds = [one for one in named if one.is_seed]
    if len(seeds) != 1 or not found:
        return tuple(found or seeds)
    near = min(found, key=lambda one: abs(one.start - seeds[0].start))
    both = tuple(run for run in near.runs if run in seeds[0].runs)
    return tuple(one._replace(runs=both) if one is near else one for one in found)


def _means(word: str) -> bool:
    """Say whether a word is one of measuring, and no name where it stands alone."""
    return any(one.slot not in {"guard", "unit"} for one in said(word))


def _kin(marks: Sequence[Mark], catalogue: Catalogue) -> Iterator[Mention]:
    """Yield which of two groups began from weights that were trained, and which did not."""
    groups = list(catalogue.groups.values())
    own = words_in("_kin", "scratch")
    scratch = [runs for runs in groups if all(catalogue.runs[run].tokens & own for run in runs)]
    if len(groups) != 2 or len(scratch) != 1:
        return
    trained = groups[0] if groups[1] == scratch[0] else groups[1]
    kin = {"scratch": scratch[0], "trained": trained}
    yield from (Mention(m.start, m.end, kin[m.sense]) for m in marks if m.frame == "_kin")
