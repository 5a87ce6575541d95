"""Runs that a sentence names, each with the words that name them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reportgen.checking.catalogue import Catalogue
from reportgen.checking.statements._words import Mark, words_in
from reportgen.checking.words import said, tokens_of

__all__ = ["Mention", "mentions_of"]

_TOKEN = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)
_SEED = re.compile(r"\b(?:seed|graine)s?[ _:=#]{0,2}(\d{1,6})\b", re.IGNORECASE)


class Mention(NamedTuple):
    """Words that name runs, where they stand."""

    runs: tuple[int, ...]
    start: int
    end: int


def mentions_of(text: str, marks: Sequence[Mark], catalogue: Catalogue) -> tuple[Mention, ...]:
    """Return the runs that a sentence names, in order: long names first, narrowed to a seed."""
    found: list[Mention] = []
    for one in (*_names(text, catalogue), *_kin(marks, catalogue)):
        if not any(one.start < other.end and other.start < one.end for other in found):
            found.append(one)
    found.sort(key=lambda one: one.start)
    seeds = []
    for match in _SEED.finditer(text):
        runs = tuple(i for i, run in enumerate(catalogue.runs) if run.seed == int(match[1]))
        seeds.append(Mention(runs, match.start(), match.end()))
    if len(seeds) != 1 or not found:
        return tuple(found or seeds)
    near = min(found, key=lambda one: abs(one.start - seeds[0].start))
    both = tuple(run for run in near.runs if run in seeds[0].runs)
    return tuple(one._replace(runs=both) if one is near else one for one in found)


def _means(word: str) -> bool:
    """Say whether a word is one of measuring, and no name where it stands alone."""
    return any(one.slot not in {"guard", "unit"} for one in said(word))


def _names(text: str, catalogue: Catalogue) -> Iterator[Mention]:
    """Yield names, those of most words first, then single words and values of settings."""
    places = list(_TOKEN.finditer(text))
    words = [(tokens_of(one[0]) or ("",))[0] for one in places]
    names = {tokens_of(group): members for group, members in catalogue.groups.items()}
    for index, run in enumerate(catalogue.runs):
        names.setdefault(tokens_of(run.id), (index,))
    for name in sorted(names, key=len, reverse=True):
        size = len(name)
        if not set(name) & catalogue.informative or (size == 1 and _means(name[0])):
            continue
        for at in range(len(words) - size + 1):
            if tuple(words[at : at + size]) == name:
                yield Mention(names[name], places[at].start(), places[at + size - 1].end())
    for place, word in zip(places, words, strict=True):
        if word in catalogue.informative and not _means(word):
            runs = tuple(i for i, run in enumerate(catalogue.runs) if word in run.tokens)
            before = {*tokens_of(text[max(0, place.start() - 20) : place.start()])} - {"seed"}
            setting = bool(catalogue.runs[runs[0]].tokens & before)
            if (len(word) > 2 and word.isalpha()) or "e" in place[0].lower() or setting:
                yield Mention(runs, place.start(), place.end())


def _kin(marks: Sequence[Mark], catalogue: Catalogue) -> Iterator[Mention]:
    """Yield which of two groups began from weights that were trained, and which did not."""
    groups = list(catalogue.groups.values())
    own = words_in("_kin", "scratch")
    scratch = [runs for runs in groups if all(catalogue.runs[run].tokens & own for run in runs)]
    if len(groups) != 2 or len(scratch) != 1:
        return
    trained = groups[0] if groups[1] == scratch[0] else groups[1]
    kin = {"scratch": scratch[0], "trained": trained}
    yield from (Mention(kin[m.sense], m.start, m.end) for m in marks if m.frame == "_kin")
