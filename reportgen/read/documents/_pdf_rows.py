"""Words on one baseline as rows, and the rows of a page in reading order, tables kept whole."""

from __future__ import annotations

import heapq
import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from reportgen.read.documents._pdf_library import Box
from reportgen.read.documents._pdf_words import THIN, Word
from reportgen.records.record import record

# Words on one baseline as rows, with the exponents and indices that hang on them.
#
# An exponent set as a small raised `2` becomes `^2`, an index `_model`; what a reader of plain
# text would see as a number of its own stays with the number it belongs to.

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


# Rows of a page in reading order: columns of text one after the other, tables kept whole.

_GAP, _WORDS_GAP, _SURE_GAP = 0.55, 0.65, 1.35
"""Gaps that may part two columns, do so between words, and do so in any line, in ems."""
_LONGEST_SPREAD, _WIDEST_SPREAD = 2.0, 8.0
"""How far a spread may stand from its value where decimal points are aligned, the sign
before its spread and the spread behind its sign."""
_FEW = 4
_BLANK, _WIDEST_BLANK = 0.45, 1.1
"""A blank of a usual line, and of the loosest one."""
_LOOSE, _SENTENCE_GAP = 1.8, 2.2
_GUTTER = 0.5
"""Least width of the strip between two columns of text."""
_WIDE = (0.26, 0.58)
"""Share of the page that a line of one of two columns takes."""
_LINES = 5
_ASIDE = 0.08
"""How far from the middle of the text the strip between unlike columns is, as a share."""


@record(kw_only=False, frozen=False)
class Fragment:
    """Words of one row without a wide gap between them: a line of a column, or a cell."""

    y: float
    x0: float
    x1: float
    h: float
    text: str


@record(kw_only=False, frozen=False)
class Printed:
    """One line as it is printed, in its region of the page.

    Attributes:
        fragments: From left to right.
        footnote: Whether it begins a footnote.
    """

    fragments: list[Fragment]
    footnote: bool = False

    @property
    def y(self) -> float:
        """Baseline of its first fragment."""
        return self.fragments[0].y


def read_columns(
    rows: Sequence[Row], rules: Sequence[Box], gutter: float | None = None
) -> tuple[list[list[Printed]], float | None]:
    """Return the regions of a page in reading order, and where its two columns part.

    Args:
        rows: From top to bottom.
        rules: Thin lines of the page: those of a wide table keep it whole.
        gutter: Where the columns parted on the page before.
    """
    lines = [Printed(_pieces(row.words, row.h), row.footnote) for row in rows]
    found = _find_gutter(lines, gutter)
    if found is None:
        return [lines] if lines else [], None
    lines = [Printed(_at_gutter(row, found), row.footnote) for row in rows]
    return _regions(lines, _wide_tables(lines, rules, found), found), found


def _pieces(words: Sequence[Word], em: float) -> list[Fragment]:
    """Return the pieces of a row that wide gaps part."""
    gaps = [b.x0 - a.x1 for a, b in pairwise(words)]
    if not gaps or max(gaps) < _GAP * em:
        return [_fragment(words, em)]
    edge = _least_gap(words, gaps, em)
    pieces: list[Fragment] = []
    start = 0
    for i, gap in enumerate(gaps, 1):
        if gap >= edge and not _is_spread(words, i, gap / em):
            pieces.append(_fragment(words[start:i], em))
            start = i
    pieces.append(_fragment(words[start:], em))
    return pieces


def _is_spread(words: Sequence[Word], place: int, gap: float) -> bool:
    """Say whether a word belongs to the value before it: columns of `80.6 ± 0.7` are aligned.

    A value that has its spread takes no other: the next is the column of intervals.
    """
    before, text = words[place - 1].text, words[place].text
    if before.endswith("±"):
        return gap < _WIDEST_SPREAD and text[:1].isdigit()
    if not text.startswith("±") or not before[-1:].isdigit() or gap >= _LONGEST_SPREAD:
        return False
    earlier = words[place - 2].text if place > 1 else ""
    return "±" not in before and not earlier.endswith("±")


def _least_gap(words: Sequence[Word], gaps: Sequence[float], em: float) -> float:
    """Return the gap from which on two words are in different columns of a table.

    The blanks of a line of justified text may be as wide as a gap between columns, but they are
    all equally wide, and stand between words.
    """
    if len(gaps) < _FEW:
        return _GAP * em
    # Gaps between columns are the widest of a row.
    usual = sorted(gaps)[len(gaps) // 3]
    if usual < _BLANK * em:
        return max(_WORDS_GAP * em, min(_LOOSE * usual, _SURE_GAP * em))
    equal = sum(0.8 * usual < gap < 1.25 * usual for gap in gaps)
    spoken = sum(word.text[0].isalpha() for word in words)
    if usual < _WIDEST_BLANK * em and equal > 0.6 * len(gaps) and spoken > 0.5 * len(words):
        return max(_SURE_GAP * em, _SENTENCE_GAP * usual)
    return _GAP * em


def _at_gutter(row: Row, gutter: float) -> list[Fragment]:
    """Return the pieces of a row of two columns, each side by its own gaps."""
    left = [word for word in row.words if word.x1 <= gutter]
    right = [word for word in row.words if word.x0 >= gutter]
    parted = left and right and len(left) + len(right) == len(row.words)
    if parted and right[0].x0 - left[-1].x1 > _GUTTER * row.h:
        return [*_pieces(left, row.h), *_pieces(right, row.h)]
    return _pieces(row.words, row.h)


def _fragment(words: Sequence[Word], h: float) -> Fragment:
    first = words[0]
    return Fragment(first.y, first.x0, words[-1].x1, h, joined(words))


def _find_gutter(lines: Sequence[Printed], known: float | None) -> float | None:
    """Return the middle of the blank strip between two columns of text, if there are two."""
    fragments = [fragment for line in lines for fragment in line.fragments]
    if not fragments:
        return None
    left, right = min(f.x0 for f in fragments), max(f.x1 for f in fragments)
    width = right - left
    wide = [f for f in fragments if _WIDE[0] * width < f.x1 - f.x0 < _WIDE[1] * width]
    ones = sorted(f.x1 for f in wide if f.x1 < left + 0.62 * width)
    others = sorted(f.x0 for f in wide if f.x0 > left + 0.38 * width)
    if not ones or not others:
        return known if known is not None and not _crossing(fragments, known) else None
    # A few lines may stick out of their column.
    low, high = ones[-1 - len(ones) // 20], others[len(others) // 20]
    middle = (low + high) / 2
    if high - low < _GUTTER * wide[0].h:
        return None
    crossing, both = len(_crossing(fragments, middle)), len(ones) + len(others)
    if min(len(ones), len(others)) >= _LINES:
        return middle if both > crossing else None
    # One column may hold little text; then the other's lines end where its strip begins.
    flush = sum(x > low - wide[0].h for x in ones) > len(ones) / 2
    central = abs(middle - left - width / 2) < _ASIDE * width
    sure = both > 2 * _LINES and both > 3 * crossing and flush and central
    return middle if sure or (known and abs(known - middle) < wide[0].h) else None


def _crossing(fragments: Sequence[Fragment], x: float) -> list[Fragment]:
    return [f for f in fragments if f.x0 < x - 0.3 * f.h and f.x1 > x + 0.3 * f.h]


def _wide_tables(
    lines: Sequence[Printed], rules: Sequence[Box], gutter: float
) -> list[tuple[float, float]]:
    """Return from where to where tables reach whose rules run over the gutter."""
    ys = sorted(
        (
            (rule[1] + rule[3]) / 2
            for rule in rules
            if rule[0] < gutter - 20 < gutter + 20 < rule[2]
        ),
        reverse=True,
    )
    found: list[tuple[float, float]] = []
    for top, bottom in pairwise(ys):
        inside = [line for line in lines if bottom <= line.y <= top]
        pieces = sum(len(line.fragments) for line in inside)
        # Between a rule below the head of a page and one above its footnotes stands the text.
        if inside and pieces > 1.5 * len(inside) and not _is_text(inside, gutter):
            found.append((bottom, top))
    return found


def _is_text(lines: Sequence[Printed], gutter: float) -> bool:
    """Say whether lines are two columns of text: long pieces on both sides."""
    pieces = [f for line in lines for f in line.fragments]
    width = max(f.x1 for f in pieces) - min(f.x0 for f in pieces)
    long = [f for f in pieces if f.x1 - f.x0 > 0.3 * width]
    sides = {f.x0 > gutter for f in long}
    return len(long) > len(lines) / 2 or (len(sides) > 1 and len(long) > 6)


def _regions(
    lines: Sequence[Printed], tables: Sequence[tuple[float, float]], gutter: float
) -> list[list[Printed]]:
    """Return the regions: lines over the whole page, or the two columns below each other."""
    regions: list[list[Printed]] = []
    whole: list[Printed] = []
    left: list[Printed] = []
    right: list[Printed] = []

    def flush(*parts: list[Printed]) -> None:
        for part in parts:
            if part:
                regions.append(part.copy())
            part.clear()

    for line in lines:
        table = any(bottom <= line.y <= top for bottom, top in tables)
        if table or _crossing(line.fragments, gutter):
            flush(left, right)
            whole.append(line)
            continue
        flush(whole)
        here = [f for f in line.fragments if f.x0 + f.x1 <= 2 * gutter]
        there = line.fragments[len(here) :]
        if here:
            left.append(Printed(here, line.footnote))
        if there:
            right.append(Printed(there, line.footnote and not here))
    flush(whole, left, right)
    return regions


_APART = 1.32
"""A distance between lines that sets them apart, as a multiple of the usual one."""
_USUAL = 1.2
_FAR = 2.4
_SHORT = 0.55
_WIDE_BLANK = 1.25
_DEEPEST = 60
"""Characters that a line is set in at most."""


def set_region(lines: Sequence[Printed]) -> list[str]:
    """Return the lines of a region as text, with an empty one where they are set apart.

    Pieces of neighbouring rows keep their order: what ends left of another's beginning on the
    page does so in the text, so that a column of a table is a column of text.
    """
    left = min(line.fragments[0].x0 for line in lines)
    unit = _unit(lines)
    pitch = _pitch(lines)
    texts: list[str] = []
    before: Printed | None = None
    for table in _stanzas(lines, pitch):
        placed = _place([line.fragments for line in table], left, unit)
        steps = [_distance(upper, lower) for upper, lower in pairwise(table)]
        apart = _APART * (max(pitch, median(steps)) if len(table) > 2 else pitch)
        for line, text in zip(table, placed, strict=True):
            if before and (line.footnote or _distance(before, line) > apart):
                texts.append("")
            texts.append(text)
            before = line
    return texts


def _distance(upper: Printed, lower: Printed) -> float:
    """Return how far a line stands below another, in ems."""
    return abs(upper.y - lower.y) / lower.fragments[0].h


def _unit(lines: Sequence[Printed]) -> float:
    """Return the width of a usual character."""
    pieces = [f for line in lines for f in line.fragments]
    width = sum(f.x1 - f.x0 for f in pieces)
    return max(width / max(sum(len(f.text) for f in pieces), 1), 1.0)


def _pitch(lines: Sequence[Printed]) -> float:
    """Return the usual distance of two lines of text; tables and lists are set wider."""
    steps = [
        _distance(upper, lower)
        for upper, lower in pairwise(lines)
        if len(upper.fragments) == len(lower.fragments) == 1
    ]
    usual = sorted(step for step in steps if 0.8 < step < 2.4)
    return usual[len(usual) // 4] if len(usual) > 2 else _USUAL


def _stanzas(lines: Sequence[Printed], pitch: float) -> list[list[Printed]]:
    """Return runs of lines that may be one table, and the others one by one.

    A line of one short piece between rows of several stays with them: it may name the rows
    below it.
    """
    width = max(f.x1 for line in lines for f in line.fragments) - min(
        line.fragments[0].x0 for line in lines
    )
    runs: list[list[Printed]] = []
    waiting: list[Printed] = []
    open_run = False
    before = lines[0]
    for line in lines:
        piece = line.fragments[0]
        if open_run and _distance(before, line) > _FAR * pitch:
            runs += [[one] for one in waiting]
            waiting, open_run = [], False
        before = line
        if len(line.fragments) > 1:
            if open_run:
                runs[-1] += [*waiting, line]
            else:
                runs += [[one] for one in waiting]
                title = runs.pop() if runs and _is_title(runs[-1], line, pitch) else []
                runs.append([*title, line])
            waiting, open_run = [], True
        elif open_run and len(waiting) < 2 and piece.x1 - piece.x0 < _SHORT * width:
            waiting.append(line)
        else:
            runs += [[one] for one in (*waiting, line)]
            waiting, open_run = [], False
    return runs + [[one] for one in waiting]


def _is_title(run: Sequence[Printed], row: Printed, pitch: float) -> bool:
    """Say whether a run is one piece right above a row, over columns behind the first."""
    above = run[-1]
    if len(run) > 1 or len(above.fragments) > 1 or _distance(above, row) > _APART * pitch:
        return False
    first, *_, last = row.fragments
    piece = above.fragments[0]
    return first.x1 < piece.x0 and piece.x1 < last.x1 + last.h


def _place(rows: Sequence[Sequence[Fragment]], left: float, unit: float) -> list[str]:
    """Return rows as text: each piece behind all that end left of it in any of the rows."""
    if len(rows) == 1:
        return [_alone(rows[0], left, unit)]
    order = sorted(
        ((fragment, i) for i, row in enumerate(rows) for fragment in row),
        key=lambda pair: pair[0].x0,
    )
    texts = [""] * len(rows)
    ended: list[tuple[float, int]] = []
    edge = 0
    for fragment, i in order:
        while ended and ended[0][0] <= fragment.x0 + 0.1 * fragment.h:
            edge = max(edge, heapq.heappop(ended)[1] + 2)
        behind = len(texts[i]) + 2 if texts[i] else 0
        start = max(_indent(fragment, left, unit), edge, behind)
        texts[i] = texts[i].ljust(start) + fragment.text
        heapq.heappush(ended, (fragment.x1, len(texts[i])))
    return texts


def _alone(row: Sequence[Fragment], left: float, unit: float) -> str:
    """Return a row that is part of no table: its smaller gaps are blanks of justified text."""
    text, end = " " * _indent(row[0], left, unit), row[0].x0
    for fragment in row:
        if fragment is not row[0]:
            blank = 1 if fragment.x0 - end < _WIDE_BLANK * fragment.h else 2
            text += " " * max(blank, _indent(fragment, left, unit) - len(text) if blank > 1 else 1)
        text, end = text + fragment.text, fragment.x1
    return text


def _indent(fragment: Fragment, left: float, unit: float) -> int:
    return min(round((fragment.x0 - left) / unit), 4 * _DEEPEST)
