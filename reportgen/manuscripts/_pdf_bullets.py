"""Marks of lists that are drawn, as browsers draw them, and not printed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from reportgen.manuscripts._pdf_library import Box
from reportgen.manuscripts._pdf_words import Word

_MOST = 400
_BEFORE = (0.2, 1.7)
"""How far a mark stands before its text, in ems."""
_ABOVE = (0.05, 0.6)
"""How far its middle stands above the baseline."""


def with_bullets(words: list[Word], dots: Sequence[Box]) -> list[Word]:
    """Return the words with a bullet for each dot that stands before a line of text."""
    if not dots or len(dots) > _MOST:
        return words
    order = sorted(words, key=lambda word: word.x0)
    starts = [word.x0 for word in order]
    bullets = []
    for x0, bottom, x1, top in dots:
        middle = (bottom + top) / 2
        near = order[bisect_left(starts, x1) : bisect_right(starts, x1 + 40)]
        for word in near:
            gap, rise = (word.x0 - x1) / word.h, (middle - word.y) / word.h
            if _BEFORE[0] < gap < _BEFORE[1] and _ABOVE[0] < rise < _ABOVE[1]:
                if not _follows(order, word, x0):
                    bullets.append(Word(word.y, x0, x1, word.h, "•"))
                break
    return words + bullets


def _follows(words: Sequence[Word], word: Word, x: float) -> bool:
    """Say whether text of the same line stands closely before a place."""
    return any(
        abs(other.y - word.y) < 0.2 * word.h and x - 2 * word.h < other.x1 < x + word.h
        for other in words
        if other.x0 < x
    )
