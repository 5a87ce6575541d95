"""Characters that are drawn and not printed: browsers' marks of lists, TeX's underscores."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import chain

from reportgen.read.documents._pdf_library import Box, Drawings
from reportgen.read.documents._pdf_words import Word

_MOST = 400
_BEFORE = (0.2, 1.7)
"""How far a mark stands before its text, in ems."""
_ABOVE = (0.05, 0.6)
"""How far its middle stands above the baseline."""
_DASH = (0.2, 0.6)
"""How long an underscore is."""
_TOUCH = 0.16


def with_drawn(words: list[Word], drawings: Drawings) -> list[Word]:
    """Return the words with a bullet for each dot before a line, and the underscores of names.

    TeX's first fonts have no underscore, so it draws a short line: `lora` and `alpha` would be
    two words.
    """
    dots = drawings.dots if len(drawings.dots) <= _MOST else ()
    dashes = [rule for rule in drawings.rules if rule[2] - rule[0] < 10][:_MOST]
    if not dots and not dashes:
        return words
    order = sorted(words, key=lambda word: word.x0)
    starts = [word.x0 for word in order]
    found = [_bullet(order, starts, dot) for dot in dots]
    lines: dict[int, list[Word]] = {}
    for word in words if dashes else ():
        lines.setdefault(round(word.y), []).append(word)
    found += [_underscore(lines, dash) for dash in dashes]
    return words + [word for word in found if word is not None]


def _bullet(order: Sequence[Word], starts: Sequence[float], dot: Box) -> Word | None:
    """Return the bullet that a dot is, if a line of text begins behind it."""
    x0, bottom, x1, top = dot
    middle = (bottom + top) / 2
    for word in order[bisect_left(starts, x1) : bisect_right(starts, x1 + 40)]:
        gap, rise = (word.x0 - x1) / word.h, (middle - word.y) / word.h
        if _BEFORE[0] < gap < _BEFORE[1] and _ABOVE[0] < rise < _ABOVE[1]:
            return None if _follows(order, word, x0) else Word(word.y, x0, x1, word.h, "•")
    return None


def _follows(words: Sequence[Word], word: Word, x: float) -> bool:
    """Say whether text of the same line stands closely before a place."""
    return any(
        abs(other.y - word.y) < 0.2 * word.h and x - 2 * word.h < other.x1 < x + word.h
        for other in words
        if other.x0 < x
    )


def _underscore(lines: Mapping[int, list[Word]], dash: Box) -> Word | None:
    """Return the underscore that a short line on the baseline of a word beside it is."""
    x0, bottom, x1, top = dash
    near = (round(bottom) + step for step in range(-1, 5))
    for word in chain.from_iterable(lines.get(y, ()) for y in near):
        below = (word.y - (bottom + top) / 2) / word.h
        if not (-0.06 < below < 0.25 and _DASH[0] < (x1 - x0) / word.h < _DASH[1]):
            continue
        if min(abs(word.x1 - x0), abs(word.x0 - x1)) < _TOUCH * word.h:
            return Word(word.y, x0, x1, word.h, "_")
    return None
