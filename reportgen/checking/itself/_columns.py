"""Formulas over the columns and the rows of a table, found by what most of its numbers show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import log10

from reportgen.checking.context import Claiming, Table
from reportgen.checking.itself._formulas import (
    PAIRS,
    SUMMARIES,
    SYMMETRIC,
    WORD_SETS,
    Formula,
    Summary,
    corners,
    says,
    words_of,
)
from reportgen.checking.itself._verdicts import cause_of, contradicted, traced
from reportgen.records.verdict import Number, Verdict

RULE = "column"
_ENOUGH_BITS = 4.0
_WORD_BITS = 1.5
_AGREE = 0.6
_MOST_LINES = 14
_SUMMARY_WORDS = frozenset().union(*(WORD_SETS[kind] for kind in ("mean", "spread", "sum")))
_SUMMING = ("mean", "spread", "sum", "least", "most", "median")


@dataclass(frozen=True, slots=True)
class Line:
    """The numbers of one column or of one row.

    Attributes:
        title: Its head or its label.
        numbers: Where it goes on in the table (a row, a column) to the number.
        spread: Whether these are spreads (`± 0.8`).
        place: Which column or row it is.
        values: What is printed, with half a unit of the last digit.
    """

    title: str
    numbers: Mapping[int, Number]
    spread: bool = False
    place: int = 0
    values: Mapping[int, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Binding:
    """A formula that a line follows.

    Attributes:
        line: What follows it.
        name: The formula, in words.
        kind: Which words speak of it.
        expected: Where, to what it comes to there: least, exactly, most.
        fits: Where the printed number agrees.
        bits: How little chance explains that.
        worded: Whether the head or label speaks of it.
        parts: Places of the lines that it is made of.
        limits: Of a mean: the least and the greatest of what it is of.
    """

    line: Line
    name: str
    kind: str
    expected: Mapping[int, tuple[float, float, float]]
    fits: frozenset[int]
    bits: float
    worded: bool
    parts: frozenset[int]
    limits: Mapping[int, tuple[float, float]] = field(default_factory=dict)

    @property
    def share(self) -> float:
        """How many of its numbers agree, of one."""
        return len(self.fits) / len(self.expected)

    @property
    def weight(self) -> tuple[bool, int, int]:
        """How much speaks for its line as the result: words, agreement, its place behind."""
        return self.worded, len(self.fits), self.line.place

    def is_bound(self, bits: float = 0.0) -> bool:
        """Say whether its numbers show it, and chance cannot explain that."""
        enough = len(self.fits) >= 3 or (len(self.fits) == 2 and self.worded)
        most = _AGREE - 0.1 * (self.worded and len(self.fits) >= 3)
        return enough and self.share >= most and self.bits + _WORD_BITS * self.worded >= bits


def check_columns(
    tables: Sequence[Table], numbers: Sequence[Claiming], said: str = ""
) -> Iterator[Verdict]:
    """Yield what the columns and rows of each table say of their own numbers.

    Args:
        tables: Of the report.
        numbers: Of the report.
        said: `sample` or `population`, where the report says how it computes spreads.
    """
    cells: dict[int, list[Number]] = defaultdict(list)
    for one in numbers:
        if one.number.row is not None and one.reason != "head":
            cells[one.number.block].append(one.number)
    for table in tables:
        found = cells[table.block]
        if len(found) >= 3:
            yield from _judged(_lines(table, found, across=False), said, across=False)
            yield from _judged(_lines(table, found, across=True), said, across=True)
            yield from _whole_sums(table, found)


def _lines(table: Table, numbers: Sequence[Number], *, across: bool) -> list[Line]:
    """Return the columns of a table, or its rows."""
    found: dict[tuple[int, bool], dict[int, Number]] = defaultdict(dict)
    for number in numbers:
        row, column = number.row or 0, number.column or 0
        if not _is_value(number):
            continue
        place, along = (row, column) if across else (column, row)
        if number.part == 0:
            found[place, False][along] = number
        elif number.spread and number.part == 1:
            found[place, True][along] = number
    lines = []
    for (place, spread), cells in sorted(found.items()):
        title = table.labels[place] if across else table.heads[place]
        values = {
            at: (float(number.printed.value), float(number.printed.half_unit))
            for at, number in cells.items()
        }
        lines.append(Line(title, cells, spread, place, values))
    return lines


def _is_value(number: Number) -> bool:
    """Say whether a cell is a number with its unit, and no words with a number in them."""
    text = number.context.sentence
    rest = text if number.part else text[: number.start] + text[number.end :]
    return number.part > 0 or sum(map(str.isalpha, rest)) <= 4


def _judged(lines: Sequence[Line], said: str, *, across: bool) -> Iterator[Verdict]:
    """Yield the verdicts of all formulas that the lines of a table follow."""
    bindings: list[Binding] = []
    for line in lines:
        worded = any(says(line.title, kind) for kind in (*_SUMMING, "difference", "ratio"))
        if line.spread or worded or (len(lines) <= _MOST_LINES and len(line.values) >= 3):
            bindings += _bindings(line, lines, across=across)
    bindings = [one for one in bindings if not _is_inverse(one, bindings)]
    for line in lines:
        mine = [one for one in bindings if one.line is line]
        mine.sort(key=lambda one: (-len(one.fits), not one.worded, -one.bits))
        if mine:
            yield from _told(line, mine, bindings, said)


def _is_inverse(one: Binding, every: Sequence[Binding]) -> bool:
    """Say whether another line of the same formula is rather its result."""
    mine = one.parts | {one.line.place}
    return any(
        other.line.place != one.line.place
        and other.parts | {other.line.place} == mine
        and other.weight > one.weight
        for other in every
    )


def _bindings(line: Line, lines: Sequence[Line], *, across: bool) -> Iterator[Binding]:
    """Yield the formulas that a line follows."""
    others = [one for one in lines if one is not line and not one.spread]
    spoken = {one.kind for one in (*PAIRS, *SUMMARIES) if says(line.title, one.kind)}
    tried = {True: 1, False: 1}
    found: list[Binding] = []
    if not line.spread and (not across or len(line.values) <= 40):
        for first, second in _pairs(line, others, across=across):
            for index, formula in enumerate(PAIRS):
                if index in SYMMETRIC and first.place > second.place:
                    continue
                tried[formula.kind in spoken] += 1
                binding = _of_two(line, first, second, formula, across=across)
                if binding is not None:
                    found.append(binding)
    for parts in _ranges(line, others, across=across):
        for summary in SUMMARIES:
            if line.spread and summary.kind != "spread":
                continue
            tried[summary.kind in spoken] += 1
            binding = _of_many(line, parts, summary, across=across)
            if binding is not None:
                found.append(binding)
    bound = [one for one in found if one.is_bound(_ENOUGH_BITS + log10(tried[one.worded]))]
    if not bound and across and words_of(line.title) <= _SUMMARY_WORDS:
        bound = [one for one in found if one.worded]
    yield from bound


def _pairs(line: Line, others: Sequence[Line], *, across: bool) -> Iterator[tuple[Line, Line]]:
    """Yield the pairs of lines that one may be made of; also of a line and its first or total."""
    near = [
        one
        for one in others
        if (len(others) <= _MOST_LINES or abs(one.place - line.place) <= 4)
        and len(set(one.values.values())) > 1
    ]
    for first, second in combinations(near, 2):
        yield first, second
        yield second, first
    if across:
        return
    for one in near:
        for made in _made(one):
            yield one, made
            yield made, one


def _made(line: Line) -> Iterator[Line]:
    """Yield lines that repeat one number of a line: its first, its last, its sum."""
    rows = sorted(line.values)
    if len(rows) < 3:
        return
    for name, at in (("the first", rows[0]), ("the last", rows[-1])):
        values = {row: line.values[at] for row in rows if row != at}
        yield Line(f"{name} {line.title}", {}, place=line.place, values=values)
    total = sum(value for value, _ in line.values.values())
    half = sum(half for _, half in line.values.values())
    yield Line(f"all {line.title}", {}, place=line.place, values=dict.fromkeys(rows, (total, half)))
    above = {row: line.values[before] for before, row in zip(rows, rows[1:], strict=False)}
    yield Line(f"{line.title} of the row before", {}, place=line.place, values=above)


def _ranges(line: Line, others: Sequence[Line], *, across: bool) -> Iterator[list[Line]]:
    """Yield the neighbours that a line may sum up: those before it, or the others of a table."""
    before = [one for one in others if one.place < line.place]
    behind = [one for one in others if one.place > line.place]
    if line.spread:
        before = [one for one in before if one.place != line.place]
    worded = any(says(line.title, kind) for kind in _SUMMING) or line.spread
    if across and not worded:
        return
    while before and any(says(before[-1].title, kind) for kind in _SUMMING):
        before.pop()
    for first in range(max(0, len(before) - 1)):
        if first == 0 or len(before) <= _MOST_LINES:
            yield before[first:]
    for last in range(2, len(behind) + 1):
        if last == len(behind) or (not across and len(behind) <= _MOST_LINES):
            yield behind[:last]


def _of_two(
    line: Line, first: Line, second: Line, formula: Formula, *, across: bool
) -> Binding | None:
    """Return a formula of two lines where most of a line follows it."""
    rows = [row for row in line.values if row in first.values and row in second.values]
    worded = says(line.title, formula.kind)
    misses, most = 0, len(rows) * (1.1 - _AGREE)
    made = not (first.numbers and second.numbers)
    if len(rows) < 2 or (not worded and (across or made or len(rows) < 3)):
        return None
    expected: dict[int, tuple[float, float, float]] = {}
    fits = set()
    for row in rows:
        value, half = line.values[row]
        (a, da), (b, db) = first.values[row], second.values[row]
        try:
            exact = formula.of(a, b)
            low, high = corners(formula.of, a, b, da, db)
        except ZeroDivisionError:
            continue
        expected[row] = (low, exact, high)
        if _fits(value, half, low, exact, high):
            fits.add(row)
        else:
            misses += 1
            if misses > most:
                return None
    if not expected:
        return None
    scale = [max(abs(first.values[r][0]), abs(second.values[r][0])) for r in expected]
    bits = _bits(line, expected, fits, scale if across else None)
    parts = frozenset({first.place, second.place})
    name = formula.name.format(a=first.title or "?", b=second.title or "?")
    return Binding(line, name, formula.kind, expected, frozenset(fits), bits, worded, parts)


def _of_many(
    line: Line, parts: Sequence[Line], summary: Summary, *, across: bool
) -> Binding | None:
    """Return a summary of several lines."""
    rows = [row for row in line.values if sum(row in one.values for one in parts) >= 2]
    worded = says(line.title, summary.kind) or line.spread
    plain = summary.kind in {"mean", "sum"} and len(parts) >= 3 and not across
    if not rows or not (worded or plain):
        return None
    expected: dict[int, tuple[float, float, float]] = {}
    fits: set[int] = set()
    limits: dict[int, tuple[float, float]] = {}
    for row in rows:
        value, half = line.values[row]
        values = [one.values[row] for one in parts if row in one.values]
        exact = summary.of([number for number, _ in values])
        reach = summary.reach(len(values)) * max(each for _, each in values)
        expected[row] = (exact - reach, exact, exact + reach)
        limits[row] = min(v - h for v, h in values), max(v + h for v, h in values)
        if _fits(value, half, *expected[row]):
            fits.add(row)
    bits = _bits(line, expected, fits, [high - low for low, high in limits.values()])
    name = f"the {summary.name} of {_named(parts)}"
    places = frozenset(one.place for one in parts)
    return Binding(
        line, name, summary.kind, expected, frozenset(fits), bits, worded, places, limits
    )


def _named(parts: Sequence[Line]) -> str:
    first, last = parts[0].title or "the first", parts[-1].title or "the last"
    return f"{first} to {last}" if len(parts) > 2 else f"{first} and {last}"


def _fits(value: float, half: float, low: float, exact: float, high: float) -> bool:
    """Say whether a printed number agrees: rounded or cut off, of rounded numbers or not."""
    tiny = 1e-9 * max(abs(value), abs(exact), 1e-9)
    if low - half - tiny <= value <= high + half + tiny:
        return True
    return value * exact >= 0 and -tiny <= abs(exact) - abs(value) < 2 * half


def _bits(
    line: Line,
    expected: Mapping[int, tuple[float, float, float]],
    fits: set[int],
    scale: Sequence[float] | None,
) -> float:
    """Return how little chance explains that so many numbers agree, in powers of ten."""
    values = [line.values[row][0] for row in expected]
    own = max(values) - min(values)
    total = 0.0
    seen = set()
    for at, row in enumerate(expected):
        low, _, high = expected[row]
        width = high - low + 2 * line.values[row][1]
        reach = own if scale is None else scale[at]
        if row in fits and reach > width and (line.values[row][0], low) not in seen:
            seen.add((line.values[row][0], low))
            total += log10(reach / width)
    return total


def _told(
    line: Line, mine: Sequence[Binding], every: Sequence[Binding], said: str
) -> Iterator[Verdict]:
    """Yield what the formulas of one line say of its numbers."""
    best = mine[0]
    spread = best.kind == "spread"
    if spread and said:
        named = [one for one in mine if f"the {said}" in one.name]
        mine = named or mine
        best = mine[0]
    for row, number in line.numbers.items():
        good = next((one for one in mine if row in one.fits), None)
        if good is not None:
            yield traced(number, RULE, good.name, good.expected[row][1])
            continue
        if row not in best.expected or best.expected[row][1] in {0.0}:
            continue
        yield from _accused(number, row, best, every)


def _accused(
    number: Number, row: int, best: Binding, every: Sequence[Binding]
) -> Iterator[Verdict]:
    """Yield the verdict on a number that does not follow the formula of its line."""
    low, exact, high = best.expected[row]
    expected = Fraction(exact)
    cause = cause_of(number.printed, expected)
    label = number.context.row
    summing = any(says(label, kind) for kind in _SUMMING)
    bound = len(best.fits) >= 3 or (len(best.fits) == 2 and best.share >= _AGREE)
    if summing and best.kind in {"ratio", "f1", "difference"}:
        return
    if cause == "the sign is wrong" and _is_lower_better(f"{label} {number.context.head}"):
        return
    if not best.is_bound() and not _is_plain(number, row, best, cause):
        return
    siblings = [
        one
        for one in every
        if one.line is not best.line
        and row in one.expected
        and row not in one.fits
        and one.parts & best.parts
    ]
    sure = len(best.fits) >= 3 and best.worded and not siblings
    level = "error" if sure else "warning"
    bindings = ("formula", "words") if best.worded else ("formula",)
    yield contradicted(
        number, RULE, best.name, expected, level=level, bindings=bindings, cause=cause
    )


def _is_plain(number: Number, row: int, best: Binding, cause: str) -> bool:
    """Say whether a label alone shows that a number is wrong: a mean beyond all it is of."""
    low, high = best.limits.get(row, (0.0, 0.0))
    value = float(number.printed.value)
    return best.kind in {"mean", "sum"} and bool(
        cause or (best.kind == "mean" and not low <= value <= high)
    )


def _is_lower_better(text: str) -> bool:
    """Say whether a gain of this row may be counted downwards."""
    return bool(
        words_of(text)
        & {
            "loss",
            "error",
            "perplexity",
            "ppl",
            "wer",
            "cer",
            "time",
            "mae",
            "rmse",
            "mse",
            "latency",
            "memory",
        }
    )


def _whole_sums(table: Table, numbers: Sequence[Number]) -> Iterator[Verdict]:
    """Yield the totals of counts that are the sum of some rows above, or a multiple of one."""
    columns: dict[int, list[Number]] = defaultdict(list)
    for number in numbers:
        printed = number.printed
        if number.part == 0 and printed.decimals == 0 and printed.value >= 10_000:
            columns[number.column or 0].append(number)
    for column in columns.values():
        for at, number in enumerate(column):
            above = column[max(0, at - 12) : at]
            times = [int(word) for word in table.labels[number.row or 0].split() if word.isdigit()]
            for one in above:
                if times and one.printed.value * times[0] == number.printed.value:
                    what = f"{times[0]} × {one.printed.text}"
                    yield traced(number, RULE, what, Fraction(number.printed.value))
            if says(table.labels[number.row or 0], "sum"):
                what = _sum_of(int(number.printed.value), above)
                if what:
                    yield traced(number, RULE, what, Fraction(number.printed.value))


def _sum_of(total: int, parts: Sequence[Number]) -> str:
    """Return the numbers that add up to a total, as a sum."""
    for size in range(len(parts), 1, -1):
        for some in combinations(parts, size):
            if sum(int(one.printed.value) for one in some) == total:
                return " + ".join(one.printed.text for one in some)
    return ""
