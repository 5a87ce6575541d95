"""Which runs a number of a sentence is of: by the names and seeds of its clause, or of them all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import combinations

from reportgen.checking.catalogue import Mention
from reportgen.checking.words import Said
from reportgen.records.verdict import Number

__all__ = ["BOUNDARY", "Naming", "overlaps"]

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

Runs = tuple[int, ...]


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
        self._own = [
            one for one in mentions if not any(0 <= one.start - end <= _BESIDE for end in guards)
        ]
        self._ends = [match.end() for match in BOUNDARY.finditer(text)]

    def of(self, number: Number, numbers: Sequence[Number]) -> tuple[Runs, ...]:
        """Return the sets of runs that a number may be of; none where no name says it.

        Where each clause with a number has names of its own, and no other clause has any, these
        alone, with what earlier clauses add; else all that the sentence names. What a number is
        compared with names nothing (`beats the small one with 0.8`).

        Args:
            number: One of the sentence.
            numbers: All of its numbers that are values.
        """
        clauses = {self._clause(one.start) for one in self._own}
        of_numbers = {self._clause(one.context.offset) for one in numbers}
        of_names = {self._clause(one.start) for one in self._own if not one.is_seed}
        if not of_names <= of_numbers <= clauses:
            return _narrowest(self._own)
        here = self._clause(number.context.offset)
        own = [one for one in self._own if self._clause(one.start) == here]
        before = [one for one in self._own if self._clause(one.start) < here]
        if all(one.is_seed for one in own):
            own += [one for one in before if not one.is_seed and _overlap(one, own)][-1:]
        elif not any(one.is_seed for one in own):
            free = [one for one in before if self._clause(one.start) not in of_numbers]
            own += [one for one in free if one.is_seed]
        return _narrowest(own)

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


def _overlap(one: Mention, others: Iterable[Mention]) -> bool:
    return any(not set(one.runs).isdisjoint(other.runs) for other in others)


def _narrowest(mentions: Sequence[Mention]) -> tuple[Runs, ...]:
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
