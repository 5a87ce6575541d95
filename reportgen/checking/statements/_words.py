"""Words of statements in a sentence: rows of `frames.csv`; a new word or frame is a row there."""

from __future__ import annotations

import csv
import re
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

__all__ = ["FRAMES", "Mark", "clause_at", "marks_of", "words_in"]

FRAMES = frozenset({"compare", "than", "extreme", "spread", "course"})
_BREAK = re.compile(r"[;:]\s|\s[–—]\s")


class Mark(NamedTuple):
    """Words of a row where they stand in a text: of a frame, or of what decides how one is read."""

    frame: str
    sense: str
    start: int
    end: int


@cache
def _rows() -> tuple[re.Pattern[str], dict[str, tuple[tuple[str, str], ...]]]:
    """Return a pattern of all words, the longest first, and the frames and senses of each."""
    text = resources.files(__package__).joinpath("frames.csv").read_text(encoding="utf-8")
    meanings: dict[str, list[tuple[str, str]]] = {}
    for row in csv.DictReader(line for line in text.splitlines() if not line.startswith("#")):
        for words in row["words"].split("|"):
            meanings.setdefault(words, []).append((row["frame"], row["sense"]))
    longest = sorted(meanings, key=len, reverse=True)
    end = r"(?![^\W_])"
    ended = "|".join(re.escape(one) + (end if one[-1] != "'" else "") for one in longest)
    pattern = re.compile(rf"(?<![^\W_])(?:{ended})", re.IGNORECASE)
    return pattern, {words: tuple(found) for words, found in meanings.items()}


@cache
def words_in(frame: str, sense: str) -> frozenset[str]:
    """Return the words of a frame and sense."""
    _, meanings = _rows()
    return frozenset(words for words, found in meanings.items() if (frame, sense) in found)


@lru_cache(maxsize=2048)
def marks_of(text: str) -> tuple[Mark, ...]:
    """Return the words of statements in a text, in order; longer ones go before shorter.

    Example:
        >>> [(one.frame, one.sense) for one in marks_of("A always outperforms B.")]
        [('_always', ''), ('compare', 'better')]
    """
    pattern, meanings = _rows()
    return tuple(
        Mark(frame, sense, match.start(), match.end())
        for match in pattern.finditer(text.replace("\u2019", "'").replace("\n", " "))
        for frame, sense in meanings[match[0].lower()]
    )


def clause_at(text: str, marks: tuple[Mark, ...], at: int) -> tuple[int, int]:
    """Return where the clause begins and ends that a place stands in."""
    breaks = [one.start for one in marks if one.frame == "_clause" and one.start > 0]
    breaks += [match.end() for match in _BREAK.finditer(text)]
    before = max((one for one in breaks if one <= at), default=0)
    behind = min((one for one in breaks if one > at), default=len(text))
    return before, behind
