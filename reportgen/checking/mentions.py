"""Which runs a number of a sentence is of: by the names and seeds of its clause, or of them all."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from reportgen.checking.catalogue import SAME, Catalogue, Mention
from reportgen.checking.words import Said, names_of, tokens_of
from reportgen.records.verdict import Number

__all__ = ["BOUNDARY", "Mention", "Naming", "mentions_in", "narrowest", "overlaps"]

BOUNDARY = re.compile(
    r"[,;:|]\s|\b(?:and|while|but|whereas|against|et|mais|contre|tandis|и|но|und|y|dan)\b"
)
_MOST_SETS = 8
_BESIDE = 12
_COMPARING = frozenset({"bound", "compared", "gap"})

_OF = re.compile(r"\b(?:of|for|du|de|de la|der|des)\s+(?:the\s+|an?\s+)?$", re.IGNORECASE)
_HAS = re.compile(
    r"\b(?:reach|achiev|attain|obtain|scor|get|got|has|have|had|ends|attein|obtien|erreich)\w*",
    re.IGNORECASE,
)
"""Words between a name and its number."""

_SET = re.compile(r"\s*[=:]\s*\d")
"""Behind the name of a setting, and no run's: `alpha = 16`."""

Runs = tuple[int, ...]
_WORD = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)
_BEFORE = 20
_UNIT = re.compile(r"[-_ ]?([^\W\d_]{2,})")
"""Behind a number that it counts in a name: `4-bit`."""
_SEED = re.compile(
    r"\b(?:seed|graine|run|fold|version)s?[ _:=#]{0,2}\d{1,6}\b"
    r"(?:(?:,|,? (?:and|or|et|ou|und)|/) ?\d{1,6}\b(?![.,]\d|\s*%))*",
    re.IGNORECASE,
)


def mentions_in(text: str, catalogue: Catalogue) -> tuple[Mention, ...]:
    """Return the words of a text that name runs, and the seeds that it gives, in order.

    A word names the runs that have it in their names, where not all of them do.

    Example:
        >>> from reportgen.checking.catalogue import RunName
        >>> names = tuple(
        ...     RunName(id=f"{group}_{seed}", group=group, seed=seed, tokens=frozenset([group]))
        ...     for group in ("base", "wide") for seed in (0, 1)
        ... )
        >>> told = frozenset(["base", "wide"])
        >>> found = Catalogue(runs=names, families={}, groups={}, informative=told)
        >>> [one.runs for one in mentions_in("the wide model with seed 1", found)]
        [(2, 3), (1, 3)]
    """
    return catalogue.mentions.made(
        text, lambda: tuple(sorted({*_names_in(text, catalogue), *_seeds_in(text, catalogue)}))
    )


def _names_in(text: str, catalogue: Catalogue) -> Iterator[Mention]:
    places = [*_WORD.finditer(text)]
    words = ["".join(tokens_of(one[0])) for one in places]
    longer = catalogue.longer_groups
    for at, (place, word) in enumerate(zip(places, words, strict=True)):
        for parts, runs in longer.get(word, ()):
            if tuple(words[at : at + len(parts)]) == parts:
                yield Mention(place.start(), places[at + len(parts) - 1].end(), runs)
        if not word.isalpha():
            yield from _settings(text, place, word, catalogue)
            continue
        for name in _names_like(word, catalogue):
            yield Mention(place.start(), place.end(), catalogue.having[name])
        behind = words[at + 1] if at + 1 < len(words) else ""
        for name in _names_like(word + behind, catalogue) if behind.isalpha() else ():
            yield Mention(place.start(), places[at + 1].end(), catalogue.having[name])


def _settings(
    text: str, place: re.Match[str], word: str, catalogue: Catalogue
) -> Iterator[Mention]:
    """Yield the groups that have a number in their names, behind what they set (`lr 1e-3`)."""
    having = catalogue.having.get(word, ())
    runs = tuple(run for run in having if word in tokens_of(catalogue.runs[run].group))
    before = tokens_of(text[max(0, place.start() - _BEFORE) : place.start()])
    called = {one for one in before if one.isalpha()} - {"seed"}
    apart = not text[place.start() - 1 : place.start()].isalpha()
    if runs and apart and ("e" in place[0].lower() or catalogue.runs[runs[0]].tokens & called):
        yield Mention(place.start(), place.end(), runs)
    behind = _UNIT.match(text, place.end())
    counted = f"{word}{behind[1].lower()}" if behind else ""
    of_unit = tuple(run for run in having if counted in names_of(catalogue.runs[run].id))
    if behind and apart and 0 < len(of_unit) < len(catalogue.runs):
        yield Mention(place.start(), behind.end(), of_unit)


def _seeds_in(text: str, catalogue: Catalogue) -> Iterator[Mention]:
    for match in _SEED.finditer(text):
        for number in re.finditer(r"\d+", match[0]):
            seed = int(number[0])
            runs = tuple(i for i, one in enumerate(catalogue.runs) if one.seed == seed)
            if runs:
                start, end = (match.start() + at for at in number.span())
                yield Mention(start, end, runs, is_seed=True)


def _names_like(word: str, catalogue: Catalogue) -> frozenset[str]:
    """Return the telling words of runs' names that a word, or its singular, is a form of."""
    forms = {word, word.removesuffix("s")} if len(word) > 2 else ()
    return catalogue.alike.made(
        word,
        lambda: frozenset(
            name
            for one in forms
            for name in catalogue.telling.get(one[:SAME], ())
            if _alike(one, name)
        ),
    )


def _alike(word: str, name: str) -> bool:
    """Say whether two words are one, or forms of one (`pretraining`, `pretrained`)."""
    if word == name:
        return True
    least = max(SAME, math.ceil(0.7 * min(len(word), len(name))))
    return len(name) >= least and len(word) >= least and word[:least] == name[:least]


class Naming:
    """The runs that the words of a sentence name.

    Args:
        text: The sentence.
        words: Its words of the lexicon.
        mentions: Its names and seeds of runs.
    """

    def __init__(self, text: str, words: Sequence[Said], mentions: Sequence[Mention]) -> None:
        self.spoken = overlaps(mentions)
        guards = [one.end for one in words if one.slot == "guard" and one.value in _COMPARING]
        self._guards = guards
        self._own = [
            one
            for one in mentions
            if not any(_is_compared(text, end, one.start) for end in guards)
            if one.is_seed or not _SET.match(text, one.end)
        ]
        self._ends = [match.end() for match in BOUNDARY.finditer(text)]

    def of(self, number: Number, numbers: Sequence[Number]) -> tuple[Runs, ...]:
        """Return the sets of runs that a number may be of; none where no name says it.

        Where no clause has names but no number, the names of its own clause, with what earlier
        clauses add; else all that the sentence names. What a number is
        compared with names nothing (`beats the small one with 0.8`).

        Args:
            number: One of the sentence.
            numbers: All of its numbers that are values.
        """
        start = number.context.offset
        # `0.03, below A, B and C` is of none of them.
        every = [
            one
            for one in self._own
            if not any(start < guard <= one.start for guard in self._guards)
        ]
        of_numbers = {self._clause(one.context.offset) for one in numbers}
        alone = {self._clause(one.start) for one in every if not one.is_seed} - of_numbers
        if alone or any(self._clause(one.start) > max(of_numbers) for one in every):
            return narrowest(every)
        here = self._clause(start)
        own = [one for one in every if self._clause(one.start) == here]
        if not own:
            return overlaps(every)
        before = [one for one in every if self._clause(one.start) < here]
        if all(one.is_seed for one in own):
            own += [one for one in before if not one.is_seed and _overlap(one, own)][-1:]
        elif not any(one.is_seed for one in own):
            free = [one for one in before if self._clause(one.start) not in of_numbers]
            own += [one for one in free if one.is_seed]
        return narrowest(own)

    def is_parted(self, numbers: Sequence[Number]) -> bool:
        """Say whether each clause with a number has names of its own, and no other has any."""
        clauses = {self._clause(one.start) for one in self._own}
        of_numbers = {self._clause(one.context.offset) for one in numbers}
        of_names = {self._clause(one.start) for one in self._own if not one.is_seed}
        return of_names <= of_numbers <= clauses

    def is_subject(self, number: Number, text: str) -> bool:
        """Say whether a name in its clause is said to have a number: `of A is 0.8`, `A has 0.8`."""
        start = number.context.offset
        return any(
            _OF.search(text[: one.start]) or _HAS.search(text, one.end, start)
            for one in self._own
            if not one.is_seed and one.end <= start
            if self._clause(one.start) == self._clause(start)
        )

    def _clause(self, at: int) -> int:
        return sum(end <= at for end in self._ends)


def _is_compared(text: str, guard: int, name: int) -> bool:
    """Say whether words of comparing, which end at a place, are close before a name."""
    return 0 <= name - guard <= _BESIDE and not BOUNDARY.search(text, guard, name)


def _overlap(one: Mention, others: Iterable[Mention]) -> bool:
    return any(not set(one.runs).isdisjoint(other.runs) for other in others)


def narrowest(mentions: Sequence[Mention]) -> tuple[Runs, ...]:
    """Return the narrowest sets of runs that names tell, each with each of the seeds."""
    names = overlaps([one for one in mentions if not one.is_seed])
    names = tuple(one for one in names if not any({*other} < {*one} for other in names))
    seeds = dict.fromkeys(one.runs for one in mentions if one.is_seed)
    if len(seeds) > 1:
        seeds[tuple(sorted({run for runs in seeds for run in runs}))] = None
    both = {tuple(run for run in name if run in seed): None for name in names for seed in seeds}
    both.pop((), None)
    return tuple(both) or names or tuple(seeds)


def overlaps(mentions: Iterable[Mention]) -> tuple[Runs, ...]:
    """Return the sets of runs that are named, and what any two of them have in common.

    Example:
        >>> overlaps([Mention(0, 3, (0, 1, 2)), Mention(9, 10, (1, 4))])
        ((0, 1, 2), (1, 4), (1,))
    """
    sets = dict.fromkeys(one.runs for one in mentions)
    for left, right in combinations([*sets][:_MOST_SETS], 2):
        sets.setdefault(tuple(run for run in left if run in right))
    sets.pop((), None)
    return tuple(sets)
