"""Words of statements in a sentence: rows of `frames.csv`; a new word or frame is a row there."""

from __future__ import annotations

import csv
import re
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

__all__ = ["FAR", "Mark", "clause_at", "has_frames", "marks_of", "words_in"]

FRAMES = frozenset({"compare", "than", "extreme", "spread", "course"})
FAR = 90
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
    end = r"(?![^\W_])"
    longest = sorted(meanings, key=len, reverse=True)
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
        >>> [(one.frame, one.sense) for one in marks_of("X always outperforms Y.")]
        [('_always', ''), ('compare', 'better')]
    """
    pattern, meanings = _rows()
    marks = [
        Mark(frame, sense, match.start(), match.end())
        for match in pattern.finditer(text.replace("\u2019", "'").replace("\n", " "))
        for frame, sense in meanings[match[0].lower()]
    ]
    behind = [one.start for one in marks if one.frame == "_than"]
    than = {m.start for m in marks if any(0 < at - m.end <= FAR for at in behind)}
    than &= {m.start for m in marks if m.frame == "than"}
    # A comparative has its "than"; the same word without one is a superlative.
    wanted = {"than": {True}, "extreme": {False}}
    return tuple(m for m in marks if (m.start in than) in wanted.get(m.frame, {True, False}))


@lru_cache(maxsize=2048)
def has_frames(text: str) -> bool:
    """Say whether a sentence has the words of a statement, and none that hedge or ask."""
    frames = {one.frame for one in marks_of(text)}
    return bool(frames & FRAMES) and not (frames & {"_hedge", "_except"} or "?" in text)


def clause_at(text: str, marks: tuple[Mark, ...], at: int) -> tuple[int, int]:
    """Return where the clause begins and ends that a place stands in."""
    breaks = [one.start for one in marks if one.frame == "_clause" and one.start > 0]
    breaks += [match.end() for match in _BREAK.finditer(text)]
    before = max((one for one in breaks if one <= at), default=0)
    behind = min((one for one in breaks if one > at), default=len(text))
    return before, behind
