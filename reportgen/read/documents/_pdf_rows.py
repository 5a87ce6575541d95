"""Words on one baseline as rows, with the exponents and indices that hang on them.

An exponent set as a small raised `2` becomes `^2`, an index `_model`; what a reader of plain
text would see as a number of its own stays with the number it belongs to.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

from reportgen.read.documents._pdf_library import Box
from reportgen.read.documents._pdf_words import THIN, Word
from reportgen.records.record import record

_SMALL = 0.89
"""Exponents are set at five sixths of their base (browsers) or less."""
_RISE, _FALL = (0.11, 0.78), (-0.5, -0.055)
_LIMITS = 1.8
"""How far from a sum its limits stand, in ems."""
_TOUCH = 0.25
_JOINED = 0.105
"""A gap up to which two words are one."""
_THIN = 0.21
"""A gap that parts digits in groups of three, and is narrower than one between words."""
_GROUP = re.compile(r"\d{3}(?!\d)")
_ATOM = re.compile(r"\w+")
_POWER_BASE = re.compile(r"(?:^|[^\d.,])\d{1,6}$|(?:^|[\W\d_])[^\W\d_]$")
_SIGN = re.compile(r"[=×·⋅+≈*/]")
_EQUATION = re.compile(r"\(\d{1,3}(?:\.\d{1,2})?[a-z]?\)")
_LINE_REACH, _NUMBER_REACH = 0.4, 1.0
"""How far rows of one line, and the number of an equation, stand apart at most."""
_SPOKEN = re.compile(
    r"(?:st|nd|rd|th|er|re|ère|e|ème|nde?|os?|TM|[*†‡§¶∗⋆]+|[±].*)",  # noqa: RUF001
    re.DOTALL,
)
_MARK = re.compile(r"\d{1,2}|[*†‡§¶∗⋆a-f]{1,2}")  # noqa: RUF001


@record(kw_only=False, frozen=False)
class Row:
    """Words on one baseline, from left to right.

    Attributes:
        y: Baseline.
        h: Height of the font that most of it is set in.
        words: From left to right.
        footnote: Whether a raised mark stood before the first word: a footnote's.
    """

    y: float
    h: float
    words: list[Word]
    footnote: bool = False

    @property
    def x0(self) -> float:
        """Where it begins."""
        return self.words[0].x0

    @property
    def x1(self) -> float:
        """Where it ends."""
        return max(word.x1 for word in self.words)


def joined(words: Iterable[Word]) -> str:
    """Return words from left to right, with a blank where there is a gap.

    Example:
        >>> words = Word(0, 0, 10, 10, "512^2"), Word(0, 10, 13, 10, ")"), Word(0, 16, 20, 10, "=")
        >>> joined(words)
        '512^2) ='
    """
    out: list[str] = []
    end, before = 0.0, ""
    for word in words:
        gap = (word.x0 - end) / word.h
        if 0.03 < gap < _THIN and before[-1:].isdigit() and _GROUP.match(word.text):
            out.append(THIN)
        elif before and gap > _JOINED:
            out.append(" ")
        before, end = word.text, word.x1
        out.append(before)
    return "".join(out)


def build_rows(words: Sequence[Word]) -> list[Row]:
    """Return the rows of a page from top to bottom; exponents and indices are attached."""
    rows = _baselines(words)
    crowded = _crowded(rows)
    if crowded:
        marks = _take_marks(crowded)
        for host, near in sorted(crowded, key=lambda pair: -pair[0].h):
            _attach(host, near, marks)
        rows = _merged([row for row in rows if row.words])
    return rows


def _baselines(words: Sequence[Word]) -> list[Row]:
    found: dict[float, list[Word]] = {}
    y, here = math.nan, list[Word]()
    for word in words:
        if word.y != y:
            y = word.y
            here = found.setdefault(round(y, 1), [])
        here.append(word)
    rows: list[Row] = []
    for y in sorted(found, reverse=True):
        here = found[y]
        if rows and rows[-1].y - y < 0.08 * rows[-1].h:
            rows[-1].words += here
        else:
            rows.append(Row(y, max(here, key=_length).h, here))
    for row in rows:
        row.words.sort(key=_start)
    return rows


def _start(word: Word) -> float:
    return word.x0


def _length(word: Word) -> float:
    return word.x1 - word.x0


def _crowded(rows: Sequence[Row]) -> list[tuple[Row, list[Row]]]:
    """Return rows that have others nearer than lines of text are, with those."""
    found = []
    for i, row in enumerate(rows):
        summing = any(word.tall for word in row.words)
        reach = (_LIMITS if summing else _RISE[1]) * row.h
        near = []
        for step in (-1, 1):
            j = i + step
            while 0 <= j < len(rows) and abs(rows[j].y - row.y) < reach:
                near.append(rows[j])
                j += step
        if near:
            found.append((row, near))
    return found


def _take_marks(crowded: Sequence[tuple[Row, list[Row]]]) -> set[str]:
    """Take the marks off that begin footnotes; return them."""
    marks: set[str] = set()
    for host, near in crowded:
        if not host.words:
            continue
        first = host.words[0]
        for row in near:
            rise = (row.y - host.y) / host.h
            if not (0.08 < rise < _RISE[1] and row.words):
                continue
            for word in row.words:
                gap = (first.x0 - word.x1) / host.h
                if -0.1 < gap < 0.5 and word.h < _SMALL * first.h and _MARK.fullmatch(word.text):
                    host.footnote = True
                    marks.add(word.text)
                    row.words.remove(word)
                    break
    return marks


def _attach(host: Row, near: Sequence[Row], marks: set[str]) -> None:
    """Hang the small words near a row on the words they touch."""
    small = [
        (word, row)
        for row in near
        for word in row.words
        if word.h < _SMALL * host.h and _reached(word, host)
    ]
    if not small or not host.words:
        return
    small.sort(key=lambda pair: pair[0].x0)
    starts = [word.x0 for word in host.words]
    hung: dict[int, list[Word]] = {}
    ends: dict[tuple[int, bool], float] = {}
    for word, row in small:
        k = bisect_right(starts, word.x0 + 0.1 * host.h) - 1
        side = (k, word.y < host.y)
        if k < 0 or not _touches(word, host.words[k], ends.get(side), host.h):
            continue
        hung.setdefault(k, []).append(word)
        ends[side] = word.x1
        row.words.remove(word)
    for k, scripts in hung.items():
        host.words[k] = _with_scripts(host, k, scripts, marks)


def _reached(word: Word, host: Row) -> bool:
    """Say whether a word stands as high or as low as what hangs on a row."""
    lift = (word.y - host.y) / host.h
    if _RISE[0] < lift < _RISE[1] or _FALL[0] < lift < _FALL[1]:
        return True
    return any(
        other.tall > word.h and other.x1 - 2 < word.x0 < other.x1 + 4 for other in host.words
    )


def _touches(word: Word, base: Word, end: float | None, height: float) -> bool:
    """Say whether a word follows a base, or what hangs on the base already."""
    if end is not None and -0.3 * height < word.x0 - end < 0.6 * word.h:
        return True
    return -0.45 * height < word.x0 - base.x1 < _TOUCH * height


def _with_scripts(host: Row, k: int, scripts: Sequence[Word], marks: set[str]) -> Word:
    """Return a word with its index and its exponent written behind it."""
    base = host.words[k]
    low = joined(word for word in scripts if word.y < host.y)
    high = joined(word for word in scripts if word.y >= host.y)
    text = base.text
    if low:
        text += _script("_", low)
    if high and (high not in marks or _in_formula(host, k, high)):
        text += _script("^", high)
    return base._replace(text=text, x1=max(base.x1, *(word.x1 for word in scripts)))


def _script(sign: str, text: str) -> str:
    if text[0] == "±":
        # `81.5` with a small `±0.4` below it is a value and its spread.
        return f" ± {text[1:].strip()}"
    if _SPOKEN.fullmatch(text):
        return text
    return f"{sign}{text}" if _ATOM.fullmatch(text) else f"{sign}{{{text}}}"


def _in_formula(host: Row, k: int, mark: str) -> bool:
    """Say whether a raised digit is an exponent although a footnote has the same mark."""
    base = host.words[k].text
    if not (base[-1:].isalnum() or base[-1:] in ")]}"):
        return False
    if _POWER_BASE.search(base) and mark in {"2", "3"}:
        # Whoever means a footnote here is read as meaning a power, which no check can blame.
        return True
    near = [word.text for word in host.words[max(0, k - 1) : k + 2]]
    return any(_SIGN.search(text) for text in near)


def _merged(rows: Sequence[Row]) -> list[Row]:
    """Join rows that are one line to the eye: close to each other, and never above each other."""
    out: list[Row] = []
    for row in rows:
        reach = _NUMBER_REACH if _is_number(row) else _LINE_REACH
        if out and out[-1].y - row.y < reach * max(out[-1].h, row.h) and _apart(out[-1], row):
            before = out[-1]
            main = before if _weight(before) >= _weight(row) else row
            words = sorted([*before.words, *row.words], key=_start)
            out[-1] = Row(main.y, main.h, words, before.footnote or row.footnote)
        else:
            out.append(row)
    return out


def _is_number(row: Row) -> bool:
    """Say whether a row is the number of an equation, which stands in the middle of its lines."""
    return len(row.words) == 1 and bool(_EQUATION.fullmatch(row.words[0].text))


def _weight(row: Row) -> float:
    return sum(map(_length, row.words))


def _apart(one: Row, other: Row) -> bool:
    """Say whether no word of one row stands above a word of the other."""
    ends = sorted([*one.words, *other.words], key=_start)
    return all(b.x0 > a.x1 - 0.3 * a.h for a, b in pairwise(ends))


_AXIS = 0.25
"""Height of a fraction's line above the baseline, in ems."""
_BESIDE = 0.8
"""How far the rest of a formula stands at most; columns of a table are farther apart."""
_LINE = 0.42
"""How far exponents and indices stand from their baseline; the next line is farther."""
_WIDEST = 0.6
_ONE_THING = re.compile(r"[\w.,\u202f]+(?:\^\w+|_\w+|[\^_]\{[^{}]*\})*")
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
        found = _fraction(left, rule)
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


def _fraction(words: Sequence[Word], rule: Box) -> tuple[set[int], Word] | None:
    """Return the fraction that a rule is the line of, and the words that it is made of."""
    x0, x1, y = rule[0], rule[2], (rule[1] + rule[3]) / 2
    ys = [word.y for word in words]
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
    return text if _ONE_THING.fullmatch(text) else f"({text})"


def _glued(word: Word, x0: float, x1: float, h: float) -> bool:
    """Say whether a neighbour multiplies the fraction without a sign between them."""
    before, behind = 0 <= x0 - word.x1 < _glue(h), 0 <= word.x0 - x1 < _glue(h)
    edge = word.text[-1:] if before else word.text[:1]
    return (before or behind) and (edge.isalnum() or edge in ")(√")


def _glue(h: float) -> float:
    return 0.25 * h
