"""English words understood as the message they are, to be said again in another language.

A marked message remembers what it is made of; read back from a file it is English words alone.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from reportgen.languages import language_of, retell, spoken
from reportgen.languages._language import Language, Message, Noun, places_of

_DEEPEST = 4
"""Messages inside messages; ours have three."""
_FREE = re.compile(r"[\d.,+\-−\s]*|(?=\S*[\d._*])[\w*./-]*[\w*]")
"""What is the same in every language: numbers, and names with digits or points in them."""
_CAPITAL = "{label:cap}"
"""The message that begins a title with another message."""
_LETTERS = re.compile(r"[^\W\d_]")
_LEAST = 7
"""Letters that a message of a record has; one with fewer could have made any words."""
_MOST_WAYS = 24
"""In how many ways the places of one message are filled at most."""
_LONGEST = 600
"""Letters of a text that is listened to; our longest has half as many."""
_LEAST_KNOWN = 3
"""Where more than one letter in three is not known, the words are somebody's own."""


@dataclass(frozen=True, slots=True)
class _Heard:
    """Words; how many letters of them nothing is known of; of how many messages they are made."""

    words: str
    unknown: int
    made_of: int = 1

    @property
    def strangeness(self) -> tuple[int, int]:
        """What is least where the words are understood best."""
        return self.unknown, self.made_of


def say_again(words: str) -> str:
    """Return English words of a record in the spoken language; others as they are.

    Example:
        >>> from reportgen.languages import speaking
        >>> with speaking("fr"):
        ...     say_again("a single run has no spread over seeds"), say_again("a file of mine")
        ('une exécution unique n’a pas de dispersion sur les graines', 'a file of mine')
    """
    return retell(_ear_of(spoken().code).hear(words))


@cache
def _ear_of(code: str) -> Ear:
    return Ear(language_of(code), least=_LEAST)


class Ear:
    """Understands English words as messages of one language.

    Args:
        language: What they will be said in; its messages and nouns are the ones known.
        names: Words that stay as they are, such as names of groups.
        least: Letters that a message has beside its places; one with fewer could be anybody's.
    """

    def __init__(self, language: Language, names: Collection[str] = (), least: int = 0) -> None:
        self._language = language
        self._names = frozenset(names)
        self._patterns = _patterns_of(language, least)
        self._known: dict[tuple[str, int], _Heard] = {}

    def hear(self, words: str) -> str:
        """Return words as the marked message they are; others, and marked ones, as they are.

        Of several messages that fit, the one that leaves fewest letters unexplained, and of those
        the one that needs fewest others.

        Example:
            >>> from reportgen.languages import language_of
            >>> heard = Ear(language_of("fr")).hear("mean of best-step wer on test over 3 runs")
            >>> heard.pattern, heard.places["n"], heard.places["what"].pattern
            ('mean of {what} over {n} runs', '3', 'best-step {metric} on {split}')
        """
        if isinstance(words, Message | Noun) or len(words) > _LONGEST:
            return words
        return self._hear(words, _DEEPEST).words

    def _hear(self, words: str, depth: int) -> _Heard:
        if words in self._names:
            return _Heard(words, 0)
        if (words, depth) not in self._known:
            itself = _Heard(words, 0 if _FREE.fullmatch(words) else len(words))
            if words in self._language.nouns and words not in self._language.messages:
                itself = _Heard(Noun(words), 0)
            found = itself
            if depth and itself.unknown:
                found = min((itself, *self._readings(words, depth)), key=lambda h: h.strangeness)
            self._known[words, depth] = found
        return self._known[words, depth]

    def _readings(self, words: str, depth: int) -> list[_Heard]:
        """Return every message that the words may be, those with more words of their own first."""
        if words in self._language.messages:
            return [_Heard(Message(words), 0)]
        readings = self._without_capital(words, depth)
        for pattern in self._patterns:
            if pattern.longest not in words or not words.startswith(pattern.first):
                continue
            message = pattern.message
            for places in _places(message, words):
                parts = {name: self._hear(said, depth - 1) for name, said in places.items()}
                made = Message(words, message, {name: p.words for name, p in parts.items()})
                unknown = sum(part.unknown for part in parts.values())
                if unknown * _LEAST_KNOWN >= len(words):
                    continue
                readings.append(_Heard(made, unknown, 1 + sum(p.made_of for p in parts.values())))
        return readings

    def _without_capital(self, words: str, depth: int) -> list[_Heard]:
        """Return the message that words are whose first letter was made a capital."""
        small = f"{words[:1].lower()}{words[1:]}"
        if small == words or _CAPITAL not in self._language.messages:
            return []
        heard = self._hear(small, depth - 1)
        if heard.unknown:
            return []
        made = Message(words, _CAPITAL, {"label": heard.words})
        return [_Heard(made, 0, 1 + heard.made_of)]


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A message with places; the words before its first one, and its longest words."""

    message: str
    first: str
    longest: str


def _patterns_of(language: Language, least: int) -> tuple[_Pattern, ...]:
    """Return the messages of a language that hold places and words around them."""
    found = []
    for message in language.messages:
        pieces = places_of(message)
        longest = max((words for words, _, _ in pieces), key=len, default="")
        # A form may change a word of ours, and what it was is not known.
        plain = not any(form for _, _, form in pieces)
        told = sum(len(_LETTERS.findall(words)) for words, _, _ in pieces)
        if longest and plain and told >= least and any(name for _, name, _ in pieces):
            found.append(_Pattern(message, pieces[0][0], longest))
    return tuple(found)


def _places(message: str, words: str) -> Iterator[dict[str, str]]:
    """Yield what may stand in the places of a message: none where the words are not that one."""
    return itertools.islice(_fillings(places_of(message), words, {}), _MOST_WAYS)


def _fillings(
    pieces: Sequence[tuple[str, str | None, str]], words: str, found: Mapping[str, str]
) -> Iterator[dict[str, str]]:
    """Yield every way to fill places so that the words come out; no place is empty."""
    if not pieces:
        if not words:
            yield dict(found)
        return
    (own, name, _), rest = pieces[0], pieces[1:]
    if not words.startswith(own):
        return
    words = words.removeprefix(own)
    if name is None:
        yield from _fillings(rest, words, found)
        return
    # Behind the last place nothing stands; where one follows another at once, it has a letter.
    follows = rest[0][0] if rest else ""
    end = words.find(follows, 1) if rest else len(words)
    while 0 < end <= len(words):
        if found.get(name, words[:end]) == words[:end]:
            yield from _fillings(rest, words[end:], {**found, name: words[:end]})
        end = words.find(follows, end + 1) if rest and end < len(words) else 0
