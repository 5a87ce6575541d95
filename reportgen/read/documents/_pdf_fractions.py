"""Stacked fractions and roots as one word: above and below a line stand the parts of `a/b`.

Left as they are drawn, numerator and denominator would fall into the lines above and below, and
`4 · 1/2 = 2` would be read as `4 · = 2`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from reportgen.read.documents._pdf_library import Box
from reportgen.read.documents._pdf_rows import build_rows, joined
from reportgen.read.documents._pdf_words import Word

_AXIS = 0.25
"""Height of a fraction's line above the baseline, in ems."""
_BESIDE = 0.8
"""How far the rest of a formula stands at most; columns of a table are farther apart."""
_LINE = 0.42
"""How far exponents and indices stand from their baseline; the next line is farther."""
_WIDEST = 0.6
_ATOM = re.compile(r"[\w.,\u202f]+(?:\^\w+|_\w+|[\^_]\{[^{}]*\})*")
_BARS = 300


def resolve_fractions(
    words: Sequence[Word], rules: Sequence[Box], width: float
) -> tuple[list[Word], tuple[Box, ...]]:
    """Return the words with fractions and roots resolved, and the rules that are left.

    A rule is a fraction's when words stand closely above and below it, none longer than it, and
    the line it belongs to goes on at its left or right, on the height that formulas have.
    """
    short = [rule for rule in rules if rule[2] - rule[0] < _WIDEST * width]
    if not short or len(short) > _BARS:
        return list(words), tuple(rules)
    left = sorted(words, key=lambda word: word.y)
    used: set[Box] = set()
    for rule in sorted(short, key=lambda rule: rule[2] - rule[0]):
        found = _fraction(left, rule) or _root(left, rule)
        if found is not None:
            gone, fraction = found
            left = sorted(
                [*(word for word in left if id(word) not in gone), fraction],
                key=lambda word: word.y,
            )
            used.add(rule)
    if not used:
        return list(words), tuple(rules)
    return left, tuple(rule for rule in rules if rule not in used)


def _root(words: Sequence[Word], rule: Box) -> tuple[set[int], Word] | None:
    """Return the root that a rule covers, if one begins where the rule does."""
    x0, y, x1, _ = rule
    signs = [w for w in words if w.text == "√" and abs(w.x1 - x0) < 2 and abs(w.y - y) < 3 * w.h]
    if not signs:
        return None
    sign = signs[0]
    ys = _Heights(words)
    within = [
        word
        for word in words[bisect_left(ys, y - 2 * sign.h) : bisect_left(ys, y)]
        if x0 - 1 <= (word.x0 + word.x1) / 2 <= x1 + 1 and word is not sign
    ]
    if not within:
        return None
    inner = max(within, key=lambda word: word.x1 - word.x0)
    text = inner.text if len(within) == 1 and inner.text[0] == "(" else _side(within)
    gone = {id(sign), *map(id, within)}
    return gone, Word(inner.y, sign.x0, x1, inner.h, f"√{text}")


def _fraction(words: Sequence[Word], rule: Box) -> tuple[set[int], Word] | None:
    """Return the fraction that a rule is the line of, and the words that it is made of."""
    x0, x1, y = rule[0], rule[2], (rule[1] + rule[3]) / 2
    ys = _Heights(words)
    around = words[bisect_left(ys, y - 24) : bisect_left(ys, y + 16)]
    beside = [
        word
        for word in around
        if min(abs(word.x1 - x0), abs(word.x0 - x1)) < _BESIDE * word.h
        and abs(word.y - (y - _AXIS * word.h)) < 0.2 * word.h
    ]
    if not beside:
        return None
    h = beside[0].h
    within = [w for w in around if x0 - 0.3 * h <= (w.x0 + w.x1) / 2 <= x1 + 0.3 * h]
    above = _nearest([w for w in within if -0.1 * h <= w.y - y <= 1.15 * h], y, _LINE * h)
    below = _nearest([w for w in within if -1.5 * h <= w.y - y <= -0.38 * h], y, _LINE * h)
    if not (above and below):
        return None
    both = [*above, *below]
    if min(w.x0 for w in both) < x0 - 0.4 * h or max(w.x1 for w in both) > x1 + 0.4 * h:
        return None
    if max(_width(above), _width(below)) < 0.6 * (x1 - x0) - h:
        return None
    text = f"{_side(above)}/{_side(below)}"
    if any(_glued(word, x0, x1, h) for word in beside):
        text = f"({text})"
    gone = {id(word) for word in both}
    return gone, Word(beside[0].y, x0, x1, h, text)


class _Heights(Sequence[float]):
    """The baselines of words, for a bisection that looks at few of them."""

    def __init__(self, words: Sequence[Word]) -> None:
        self._words = words

    def __len__(self) -> int:
        return len(self._words)

    def __getitem__(self, index: int) -> float:  # type: ignore[override]
        return self._words[index].y


def _nearest(words: Sequence[Word], y: float, reach: float) -> list[Word]:
    """Return the line next to a height, with what hangs on it, and not the lines beyond."""
    nearest = min((abs(word.y - y) for word in words), default=0.0)
    # Below a sum stand its limits, farther away than anything below other words.
    reach *= 2.4 if any(word.tall for word in words) else 1.0
    return [word for word in words if abs(word.y - y) - nearest <= reach]


def _width(words: Sequence[Word]) -> float:
    return max(word.x1 for word in words) - min(word.x0 for word in words)


def _side(words: Sequence[Word]) -> str:
    """Return numerator or denominator, in brackets where it is more than one thing."""
    text = " ".join(joined(row.words) for row in build_rows(words))
    return text if _ATOM.fullmatch(text) else f"({text})"


def _glued(word: Word, x0: float, x1: float, h: float) -> bool:
    """Say whether a neighbour multiplies the fraction without a sign between them."""
    before, behind = 0 <= x0 - word.x1 < _glue(h), 0 <= word.x0 - x1 < _glue(h)
    edge = word.text[-1:] if before else word.text[:1]
    return (before or behind) and (edge.isalnum() or edge in ")(√")


def _glue(h: float) -> float:
    return 0.25 * h
