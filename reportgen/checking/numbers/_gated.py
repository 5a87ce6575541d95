"""Patterns that are tried only where a text holds one of their beginnings.

The patterns of this package are long lists of words. Python tries each of them at every character,
which takes most of the time of a check. Here the beginnings of all that a pattern can match are
read off the pattern itself, up to three characters of each, and it is tried at those places and
nowhere else. What it finds is the same.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from reportgen.checking.numbers._beginnings import Beginnings, beginnings, fold

_ALL = 1 << 62
"""The end of any text."""


@dataclass(frozen=True, slots=True)
class Gated:
    """A compiled pattern with its gate; its methods are those of `re.Pattern`."""

    compiled: re.Pattern[str]
    gate: Beginnings

    @property
    def pattern(self) -> str:
        """The pattern as it was written."""
        return self.compiled.pattern

    def finditer(self, text: str, start: int = 0, end: int = _ALL) -> Iterator[re.Match[str]]:
        """Yield the matches in order, none over another."""
        match = self.compiled.match
        behind = start
        places = _places(text, self.gate)
        for place in places[bisect_left(places, start) :] if start else places:
            if behind <= place < end and (found := match(text, place, end)):
                behind = found.end()
                yield found

    def search(self, text: str, start: int = 0, end: int = _ALL) -> re.Match[str] | None:
        """Return the first match, or nothing."""
        match = self.compiled.match
        places = _places(text, self.gate)
        for place in places[bisect_left(places, start) :] if start else places:
            if place < end and (found := match(text, place, end)):
                return found
        return None

    def findall(self, text: str) -> list[str]:
        """Return the texts of all matches; of a pattern with groups, those of the groups."""
        return self.compiled.findall(text) if _places(text, self.gate) else []

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Return the text with every match replaced."""
        return self.compiled.sub(new, text) if _places(text, self.gate) else text

    def split(self, text: str) -> list[str]:
        """Return what stands between the matches."""
        return list(self.compiled.split(text)) if _places(text, self.gate) else [text]

    def match(self, text: str, start: int = 0, end: int = _ALL) -> re.Match[str] | None:
        """Return the match that begins at a place, or nothing."""
        return self.compiled.match(text, start, end)

    def fullmatch(self, text: str, start: int = 0, end: int = _ALL) -> re.Match[str] | None:
        """Return the match that is the whole of a text, or nothing."""
        return self.compiled.fullmatch(text, start, end)


Pattern: TypeAlias = Gated | re.Pattern[str]
"""What is searched for, with a gate or without."""


def gated(pattern: str, flags: int = 0) -> Pattern:
    r"""Return a compiled pattern that is tried only where it can begin.

    Where its beginnings cannot be read off it, as of one that may be empty, it is a plain one.

    Example:
        >>> words = gated(r"\b(?:best|highest)\s+(?:epoch|step)\b", re.IGNORECASE)
        >>> [m[0] for m in words.finditer("the best epoch, not the Highest step of the bests")]
        ['best epoch', 'Highest step']
    """
    compiled = re.compile(pattern, flags)
    gate = beginnings(pattern, flags)
    return compiled if gate is None else Gated(compiled, gate)


def _places(text: str, gate: Beginnings) -> list[int]:
    """Return where a match can begin, in order."""
    index = _index(text)
    found: list[int] = []
    for length, heads in gate.of_words:
        there = index.words.get(length) or index.words_of(length)
        # Views of a dict look up the fewer in the more; a set looks up all of a dict.
        if not there.keys().isdisjoint(heads):
            found += [place for head in there.keys() & heads for place in there[head]]
    for head in gate.anywhere:
        place = index.folded.find(head)
        while place >= 0:
            found.append(place)
            place = index.folded.find(head, place + 1)
    return sorted(set(found)) if len(found) > 1 else found


@dataclass(frozen=True, slots=True)
class _Index:
    """Where the words of a text begin.

    Attributes:
        words: The places of each beginning of a word, by its length; filled when it is asked for.
    """

    folded: str
    starts: tuple[int, ...]
    words: dict[int, dict[str, list[int]]]

    def words_of(self, length: int) -> dict[str, list[int]]:
        """Return the places of each beginning of a word."""
        there: dict[str, list[int]] = {}
        for place in self.starts:
            there.setdefault(self.folded[place : place + length], []).append(place)
        self.words[length] = there
        return there


@lru_cache(maxsize=512)
def _index(text: str) -> _Index:
    """Return where the words of a text begin."""
    return _Index(fold(text), tuple(word.start() for word in _WORD.finditer(text)), {})


_WORD = re.compile(r"[^\W_]+")
