"""Text inside figures is left out: numbers at axes are no claims.

As blocks of captions they would be read: every tick of an axis would be a number that nothing
binds, and "checked k of m numbers" would count them. What the author says about a figure stands
in its caption and in the text, and both are kept.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise

from reportgen.read.documents._pdf_library import Box, Drawings
from reportgen.read.documents._pdf_words import Word

_CAPTION = re.compile(r"(?:fig(?:ure)?|table(?:au)?|tab|listing)s?\b", re.IGNORECASE)
_WHOLE = 0.7
"""A drawing that covers more of a page than this is the page."""
_SMALLEST = 1_500.0
"""Square points of a drawing that text is written in, not beside."""
_NEAR = 20.0
_AXIS = 30.0
_MARGIN = (36.0, 28.0, 10.0, 14.0)
"""How far labels of axes stand from what is drawn: left, below, right, above."""
_SENTENCE = 7


def without_figures(
    words: list[Word], drawings: Drawings, size: tuple[float, float]
) -> tuple[list[Word], int]:
    """Return the words outside figures, and the number of figures that had words in them.

    A figure is a drawing that was placed as a whole, or one with a line of many pieces in it.
    Lines of seven words and more inside its box are sentences and stay.
    """
    whole = _WHOLE * size[0] * size[1]
    boxes = [(form, (0.0,) * 4) for form in drawings.forms if _area(form) < whole]
    boxes += [(plot, _MARGIN) for plot in _plots(drawings, whole)]
    figures = 0
    for box, margin in boxes:
        if _area(box) < _SMALLEST:
            continue
        inside = _inside(words, box, margin)
        if inside:
            figures += 1
            words = [word for word in words if id(word) not in inside]
    return words, figures


def _area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _plots(drawings: Drawings, whole: float) -> list[Box]:
    """Return the boxes of drawn plots: lines that lie near each other, and what frames them."""
    if not drawings.plots:
        return []
    frames = [f for f in drawings.frames if _area(f) < whole]
    frames += [rule for rule in drawings.rules if rule[2] - rule[0] > _AXIS]
    found: list[Box] = []
    for box in sorted(drawings.plots, key=_area, reverse=True):
        for i, other in enumerate(found):
            if _meet(box, other, _NEAR):
                found[i] = _union(box, other)
                break
        else:
            found.append(box)
    return [_with_axes(box, frames) for box in found]


def _with_axes(box: Box, frames: Sequence[Box]) -> Box:
    """Return the box of a plot with its axes, grid and frame."""
    whole = box
    for frame in frames:
        fits = frame[2] - frame[0] < 1.5 * (box[2] - box[0])
        if fits and _meet(frame, whole, _AXIS / 2):
            whole = _union(whole, frame)
    return whole


def _meet(one: Box, other: Box, slack: float) -> bool:
    across = one[0] - slack < other[2] and other[0] - slack < one[2]
    return across and one[1] - slack < other[3] and other[1] - slack < one[3]


def _union(one: Box, other: Box) -> Box:
    return (
        min(one[0], other[0]),
        min(one[1], other[1]),
        max(one[2], other[2]),
        max(one[3], other[3]),
    )


def _inside(words: Sequence[Word], box: Box, margin: Sequence[float]) -> set[int]:
    """Return the identities of the words that belong to a figure."""
    wide = (box[0] - margin[0], box[1] - margin[1], box[2] + margin[2], box[3] + margin[3])
    lines: dict[int, list[Word]] = {}
    for word in words:
        if wide[1] <= word.y + 0.3 * word.h <= wide[3]:
            lines.setdefault(round(word.y), []).append(word)
    found: set[int] = set()
    for line in lines.values():
        held = [w for w in line if wide[0] <= (w.x0 + w.x1) / 2 <= wide[2]]
        label = box[1] <= line[0].y <= box[3] or _is_label(line, held)
        if held and label and not _is_sentence(held, box):
            found.update(map(id, held))
    return found


def _is_label(line: Sequence[Word], held: Sequence[Word]) -> bool:
    """Say whether a line above or below a plot is a label of it: short, and nothing beside it."""
    first = min(line, key=lambda word: word.x0)
    return len(line) == len(held) and not _CAPTION.match(first.text)


def _is_sentence(held: Sequence[Word], box: Box) -> bool:
    if len(held) < _SENTENCE:
        return False
    words = sorted(held, key=lambda word: word.x0)
    gaps = [b.x0 - a.x1 for a, b in pairwise(words)]
    filled = words[-1].x1 - words[0].x0 > 0.4 * (box[2] - box[0])
    spoken = sum(word.text[0].isalpha() for word in words) > len(words) / 2
    return filled and spoken and max(gaps) < 1.5 * words[0].h


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
