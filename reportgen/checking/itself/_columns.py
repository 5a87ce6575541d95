"""Formulas over the columns and the rows of a table, found by what most of its numbers show."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise, product
from math import log10, sqrt
from statistics import fmean, median
from typing import NamedTuple

from reportgen.checking.context import Claiming, Table
from reportgen.checking.verdicts import cause_of, contradicted, traced
from reportgen.checking.words import said as words_said
from reportgen.records.record import field, record, replace
from reportgen.records.verdict import Number, Verdict

_WORD = re.compile(r"[^\W\d_]+|[%Δ∆±σμΣ]")
_SPOKEN = {
    "mean": "mean average avg averaged moyenne moyen mittelwert durchschnitt среднее media μ",
    "spread": "std sd stdev deviation stddev écart ecart type σ ± se sem",
    "sum": "total sum all overall somme totaux итого всего gesamt summe tous",
    "difference": "δ ∆ delta diff difference gain gains improvement change drop gap increase "
    "decrease différence margin points reduction vs",
    "ratio": "% percent percentage ratio relative rel share fraction proportion speedup speed part "
    "pourcentage rapport gain improvement change reduction increase overhead δ rate",
    "f1": "f1 f dice",
    "least": "min minimum worst",
    "most": "max maximum best",
    "median": "median médiane",
}
WORDS = {name: frozenset(words.split()) for name, words in _SPOKEN.items()}
SUMMING = ("mean", "spread", "sum", "least", "most", "median")
"""Kinds of formulas of many numbers."""


@lru_cache(maxsize=4096)
def words_of(text: str) -> frozenset[str]:
    """Return the words of a label, in small letters."""
    return frozenset(word.casefold() for word in _WORD.findall(text))


def says(text: str, *kinds: str) -> bool:
    """Say whether a label holds a word of one of some kinds of formulas."""
    words = words_of(text)
    return any(WORDS[kind] & words for kind in kinds)


PAIRS: tuple[tuple[str, str, Callable[[float, float], float], bool], ...] = (
    ("{a} - {b}", "difference", lambda a, b: a - b, False),
    ("{a} + {b}", "sum", lambda a, b: a + b, True),
    ("{a} × {b}", "ratio", lambda a, b: a * b, True),
    ("{a} / {b}", "ratio", lambda a, b: a / b, False),
    ("100 × {a} / {b}", "ratio", lambda a, b: 100 * a / b, False),
    ("({a} - {b}) / {b}", "ratio", lambda a, b: (a - b) / b, False),
    ("100 × ({a} - {b}) / {b}", "ratio", lambda a, b: 100 * (a - b) / b, False),
    ("100 × ({b} - {a}) / {b}", "ratio", lambda a, b: 100 * (b - a) / b, False),
    ("the distance of {a} and {b}", "difference", lambda a, b: abs(a - b), True),
    ("the mean of {a} and {b}", "mean", lambda a, b: (a + b) / 2, True),
    ("2 × {a} × {b} / ({a} + {b})", "f1", lambda a, b: 2 * a * b / (a + b), True),
)
"""What a column may be of two others: name, kind, function, whether their order says nothing."""


def deviation(values: Sequence[float], less: int) -> float:
    """Return the standard deviation, where the squares are divided by their number less some."""
    mean = fmean(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - less))


SUMMARIES = (
    ("mean", "mean", fmean),
    ("sum", "sum", sum),
    ("sample standard deviation", "spread", lambda values: deviation(values, 1)),
    ("population standard deviation", "spread", lambda values: deviation(values, 0)),
    ("standard error", "spread", lambda values: deviation(values, 1) / sqrt(len(values))),
    ("least", "least", min),
    ("greatest", "most", max),
    ("median", "median", median),
)
"""What a column or row may be of several others: name, kind, function."""


RULE = "column"
_ENOUGH_BITS = 4.0
_WORD_BITS = 2.5
_AGREE = 0.6
_MOST_LINES = 14
_WEIGHTED = frozenset({"micro", "pooled", "pondérée", "weighted"})
_NUMBER = re.compile(r"(?<![\d.,])\d{1,4}(?![\d.,])")
_SUMMARY_WORDS = WORDS["mean"] | WORDS["spread"] | WORDS["sum"]
_FALLING = frozenset(("loss", "error", "perplexity", "ppl", "wer", "cer", "time", "mae", "rmse"))


@record(kw_only=False)
class _Line:
    """The numbers of one column or of one row, by where it goes on in the table.

    `values` are printed numbers with half a unit of the last digit; a line that is made up has no
    `numbers`. Of a `spread` they stand behind `±`.
    """

    title: str
    place: int
    values: Mapping[int, tuple[float, float]]
    numbers: Mapping[int, Number] = field(default_factory=dict)
    spread: bool = False

    @property
    def counts(self) -> bool:
        """Whether it numbers the rows, by steps, epochs or seeds: exact, and part of no mean."""
        return _counts(self.title.strip(" #"))


@lru_cache(maxsize=1024)
def _counts(title: str, slots: tuple[str, ...] = ("clock", "thing")) -> bool:
    whole = (one for one in words_said(title) if one.start == 0 and one.end == len(title))
    return any(one.slot in slots for one in whole)


class _Case(NamedTuple):
    """What a formula comes to at one place: at least, exactly, at most, and of what range."""

    low: float
    exact: float
    high: float
    least: float = 0.0
    most: float = 0.0


@record(kw_only=False)
class _Binding:
    """A formula, named in words, that a line may follow: what it comes to at each place.

    The `parts` are the lines that it is made of, `fits` the places where the printed number agrees;
    the `bits` say how little chance explains that. Of a `worded` one the head or label speaks.
    """

    line: _Line
    name: str
    kind: str
    cases: Mapping[int, _Case]
    parts: frozenset[int]
    fits: frozenset[int]
    bits: float
    worded: bool
    operands: tuple[_Line, ...] = ()
    of: Callable[[float, float], float] | None = None

    def is_explained(self, row: int) -> bool:
        """Say whether another digit in one number that the formula is of makes it right."""
        if self.of is None:
            return False
        shown = self.line.values[row]
        for index, one in enumerate(self.operands):
            number = one.numbers.get(row)
            for other in _digits_changed(number.printed.text) if number is not None else ():
                both = [line.values[row][0] for line in self.operands]
                both[index] = other
                if both[1] and _fits(*shown, _exactly(self.of(both[0], both[1]))):
                    return True
        return False

    def is_bound(self, bits: float = 0.0) -> bool:
        """Say whether its numbers show it, and chance cannot explain that."""
        count = len(self.fits)
        enough = count >= 3 or (count == 2 and self.worded)
        least = 0.75 if not self.worded else _AGREE - 0.1 * (count >= 3)
        known = self.bits + (_WORD_BITS if self.worded else -_WORD_BITS)
        return enough and count >= least * len(self.cases) and known >= bits

    @property
    def weight(self) -> tuple[bool, int, int]:
        """How much speaks for its line as the result: words, agreement, its place behind."""
        return self.worded, len(self.fits), self.line.place


def check_columns(
    tables: Sequence[Table], numbers: Sequence[Claiming], left: set[str], said: str = ""
) -> Iterator[Verdict]:
    """Yield what the columns and rows of each table say of their own numbers.

    Tables are passed over that have none of the numbers that are left. `said` is `sample` or
    `population`, where the report says how it computes spreads.
    """
    cells: dict[int, list[Number]] = defaultdict(list)
    for one in numbers:
        if one.number.row is not None and one.reason != "head":
            cells[one.number.block].append(one.number)
    for table in tables:
        found = cells[table.block]
        if left.isdisjoint(number.id for number in found):
            continue
        for across in (False, True):
            lines = _lines(table, found, across=across)
            bindings = [
                one for line in lines for one in _bindings(line, lines, said, across=across)
            ]
            bindings = [one for one in bindings if not _is_inverse(one, bindings)]
            for line in lines:
                mine = [one for one in bindings if one.line is line]
                mine.sort(key=lambda one: (-len(one.fits), not one.worded, -one.bits))
                if mine:
                    yield from _told(line, mine, bindings)
        yield from _whole_sums(table, found)


def _exactly(value: float) -> _Case:
    return _Case(value, value, value)


def _digits_changed(text: str) -> Iterator[float]:
    """Yield the numbers that differ from a printed one in one digit."""
    for at, old in enumerate(text):
        for new in "0123456789" if old.isdigit() else "":
            changed = text[:at] + new + text[at + 1 :]
            if new != old and re.fullmatch(r"\d+(?:\.\d+)?", changed):
                yield float(changed)


def _lines(table: Table, numbers: Sequence[Number], *, across: bool) -> list[_Line]:
    """Return the columns of a table, or its rows."""
    found: dict[tuple[int, bool], dict[int, Number]] = defaultdict(dict)
    for number in numbers:
        row, column = number.row or 0, number.column or 0
        text = number.context.sentence
        rest = "" if number.part else text[: number.start] + text[number.end :]
        spread = number.spread and number.part == 1
        if (number.part == 0 or spread) and sum(map(str.isalpha, rest)) <= 4:
            found[row if across else column, spread][column if across else row] = number
    lines = []
    for (place, spread), cells in sorted(found.items()):
        title = table.labels[place] if across else table.heads[place]
        values = {
            at: (float(n.printed.value), float(n.printed.half_unit)) for at, n in cells.items()
        }
        lines.append(_Line(title, place, values, cells, spread))
    return lines


def _is_inverse(one: _Binding, every: Sequence[_Binding]) -> bool:
    """Say whether another line of the same formula is rather its result."""
    mine = one.parts | {one.line.place}
    return any(
        other.line.place != one.line.place
        and other.parts | {other.line.place} == mine
        and other.weight > one.weight
        for other in every
    )


def _bindings(
    line: _Line, lines: Sequence[_Line], said: str, *, across: bool
) -> Iterator[_Binding]:
    """Yield the formulas that a line follows."""
    spoken = says(line.title, *WORDS) or line.spread
    if not spoken and (across or len(lines) > _MOST_LINES or len(line.values) < 3):
        return
    others = [one for one in lines if one is not line and not one.spread]
    tried: Counter[tuple[bool, bool]] = Counter()
    found = [*_of_many(line, others, said, tried, across=across)]
    if not line.spread:
        found += _of_pairs(line, others, tried, across=across)
    bound = [one for one in found if one.is_bound(_ENOUGH_BITS + log10(_tries(one, tried)))]
    if any(one.kind == "spread" for one in bound):  # each definition is legal in each cell
        bound += [one for one in found if one.kind == "spread" and one.fits and one not in bound]
    if not bound and across and words_of(line.title) <= _SUMMARY_WORDS:
        bound = [one for one in found if one.worded and one.kind in SUMMING]
    yield from bound


def _tries(one: _Binding, tried: Counter[tuple[bool, bool]]) -> int:
    """Return of how many formulas one was chosen: of lines that are there, or of made ones too."""
    made = any(not line.numbers for line in one.operands)
    return max(1, tried[one.worded, True] + made * tried[one.worded, False])


def _of_pairs(
    line: _Line, others: Sequence[_Line], tried: Counter[tuple[bool, bool]], *, across: bool
) -> Iterator[_Binding]:
    """Yield the formulas of two lines that most of a line follows."""
    # `accuracy (%)`: that it is in percent does not say of what it is a share.
    spoken = {kind: says(line.title.replace("(%)", ""), kind) for _, kind, _, _ in PAIRS}
    free = not across and len(line.values) > 2
    # The mean of two lines is that of all that are measured.
    several = sum(not (one.counts or says(one.title, *SUMMING)) for one in others) == 2
    if not (free or any(spoken.values())):
        return
    for (first, second), row in product(_pairs(line, others, across=across), PAIRS):
        name, kind, of, symmetric = row
        printed = bool(first.numbers and second.numbers)
        # No mean is one of a column with its own first row, or the row before.
        worded = spoken[kind] and (printed or kind not in {"mean", "f1"})
        if worded and kind == "mean" and not (several and _is_of_so_many(line.title, 2)):
            continue
        plain = free and printed
        if (worded or plain) and not (symmetric and first.place > second.place):
            tried[worded, printed] += 1
            cases = _cases(line, first, second, of)
            if not cases:
                continue
            what = name.format(a=first.title or "?", b=second.title or "?")
            parts = frozenset((first.place, second.place))
            for one in _bound(line, what, kind, cases, parts, worded=worded):
                yield replace(one, operands=(first, second), of=of)


def _of_many(
    line: _Line,
    others: Sequence[_Line],
    said: str,
    tried: Counter[tuple[bool, bool]],
    *,
    across: bool,
) -> Iterator[_Binding]:
    """Yield the formulas of several neighbours that a line may follow."""
    for parts, (name, kind, of) in product(_ranges(line, others, across=across), SUMMARIES):
        worded = says(line.title, kind) or (line.spread and kind == "spread")
        if worded and not _is_of_so_many(line.title, len(parts)):
            continue
        plain = kind in {"mean", "sum"} and not (across or line.spread) and len(parts) > 2
        if not (worded or plain) or (kind == "spread" and said and not name.startswith(said)):
            continue
        tried[worded, True] += 1
        cases = {}
        for row in line.values:
            pairs = [one.values[row] for one in parts if row in one.values]
            values, most = (
                [value for value, _ in pairs],
                max((half for _, half in pairs), default=0.0),
            )
            if len(values) > 1:
                exact, half = of(values), most * (len(values) if kind == "sum" else 1.3)
                ends = min(values) - most, max(values) + most
                case = _Case(exact - half, exact, exact + half, *ends)
                # In one column of a row of sums there may stand a mean or a maximum.
                other = [_Case(v, v, v) for v in (f(values) for *_, f in SUMMARIES if across)]
                shown = line.values[row]
                if _fits(*shown, case) or not any(_fits(*shown, one) for one in other):
                    cases[row] = case
        what = f"the {name} of {parts[0].title or 'the first'} to {parts[-1].title or 'the last'}"
        places = frozenset(one.place for one in parts)
        yield from _bound(line, what, kind, cases, places, worded=worded)


def _pairs(line: _Line, others: Sequence[_Line], *, across: bool) -> Iterator[tuple[_Line, _Line]]:
    """Yield the pairs of lines that one may be made of; also of a line and its first or total."""
    near = [
        one
        for one in others
        if (len(others) <= _MOST_LINES or abs(one.place - line.place) <= 4)
        and len(set(one.values.values())) > 1
        and not _counts(one.title.strip(" #"), ("thing",))  # seeds
    ]
    pairs = [*combinations(near, 2)]
    if not across:
        pairs += [(one, made) for one in near for made in _made(one)]
    for first, second in pairs:
        yield first, second
        yield second, first


def _is_of_so_many(title: str, count: int) -> bool:
    """Tell whether a label may sum up so many: no other number stands in it, and no weights."""
    stated = [int(one) for one in _NUMBER.findall(title)]
    return (not stated or count in stated) and not words_of(title) & _WEIGHTED


def _made(line: _Line) -> Iterator[_Line]:
    """Yield lines that repeat one number of a line: its first, its last, its sum, the one above."""
    rows = sorted(line.values)
    for name, at in (("the first", rows[0]), ("the last", rows[-1])):
        values = {row: line.values[at] for row in rows if row != at}
        yield _Line(f"{name} {line.title}", line.place, values)
    total = sum(value for value, _ in line.values.values())
    half = sum(half for _, half in line.values.values())
    yield _Line(f"all {line.title}", line.place, dict.fromkeys(rows, (total, half)))
    above = {row: line.values[before] for before, row in pairwise(rows)}
    yield _Line(f"{line.title} of the row before", line.place, above)


def _ranges(line: _Line, others: Sequence[_Line], *, across: bool) -> Iterator[list[_Line]]:
    """Yield the neighbours that a line may sum up: those before it, or those behind."""
    measured = [one for one in others if not (one.counts or says(one.title, *SUMMING))]
    before = [one for one in measured if one.place < line.place]
    behind = [one for one in measured if one.place > line.place]
    for first in range(max(0, len(before) - 1)):
        if first == 0 or len(before) <= _MOST_LINES:
            yield before[first:]
    if len(behind) > 1 and not across:
        yield behind


def _cases(
    line: _Line, first: _Line, second: _Line, of: Callable[[float, float], float]
) -> dict[int, _Case]:
    """Return what a formula of two lines comes to; nothing where a line does not follow it."""
    rows = [row for row in line.values if row in first.values and row in second.values]
    misses, copies, cases, moved = 0, 0, {}, 0
    rounded = not first.counts, not second.counts
    for row in rows if len(rows) > 1 else ():
        (a, da), (b, db) = first.values[row], second.values[row]
        da, db = da * rounded[0], db * rounded[1]
        try:
            exact = of(a, b)
            ends = of(a - da, b - db), of(a - da, b + db), of(a + da, b - db), of(a + da, b + db)
            others = of(2 * a or 1, b), of(a, 2 * b or 1)
        except ZeroDivisionError:
            continue
        case = _Case(min(ends), exact, max(ends), 0.0, max(abs(a), abs(b)))
        fits = _fits(*line.values[row], case)
        if fits and not (line.values[row][0] and exact):
            continue  # nought shows nothing
        cases[row] = case
        copies += line.values[row] in {(a, da), (b, db)}
        moved += all(abs(other - exact) > line.values[row][1] for other in others)
        misses += not fits
        if misses > len(rows) * (1.1 - _AGREE):
            return {}
    # What hardly changes with one of its two numbers is no formula of them, nor what repeats one.
    return cases if 2 * moved >= len(cases) > 2 * copies else {}


def _fits(value: float, half: float, case: _Case) -> bool:
    """Say whether a printed number agrees: rounded or cut off, of rounded numbers or not."""
    tiny = 1e-9 * max(abs(value), abs(case.exact), 1e-9)
    if case.low - half - tiny <= value <= case.high + half + tiny:
        return True
    return value * case.exact >= 0 and -tiny <= abs(case.exact) - abs(value) < 2 * half


def _bound(
    line: _Line,
    name: str,
    kind: str,
    cases: Mapping[int, _Case],
    parts: frozenset[int],
    *,
    worded: bool,
) -> Iterator[_Binding]:
    """Yield a line as the result of a formula, with how little chance explains it."""
    if not cases:
        return
    fits = frozenset(row for row, case in cases.items() if _fits(*line.values[row], case))
    values = [line.values[row][0] for row in cases]
    own = max(values) - min(values)
    bits, seen = 0.0, set()
    for row in fits:
        case, (value, half) = cases[row], line.values[row]
        reach = case.most - case.least if case.least or len(cases) < 3 else own
        width = case.high - case.low + 2 * half
        if reach > width and (value, case.exact) not in seen:
            seen.add((value, case.exact))
            bits += log10(reach / width)
    yield _Binding(line, name, kind, cases, parts, fits, bits, worded)


def _told(line: _Line, mine: Sequence[_Binding], every: Sequence[_Binding]) -> Iterator[Verdict]:
    """Yield what the formulas of one line say of its numbers."""
    best = mine[0]
    rivals = [one for one in mine if len(one.fits) == len(best.fits) or one.kind == "spread"]
    for row, number in line.numbers.items():
        good = next((one for one in rivals if row in one.fits), None)
        if good is not None:
            yield traced(number, RULE, good.name, good.cases[row].exact)
        elif row in best.cases and best.cases[row].exact:
            yield from _accused(number, row, best, every)


def _accused(
    number: Number, row: int, best: _Binding, every: Sequence[_Binding]
) -> Iterator[Verdict]:
    """Yield the verdict on a number that does not follow the formula of its line."""
    case, label = best.cases[row], number.context.row
    summed = best.kind in {*SUMMING, "f1"}
    whole = number.printed.decimals <= 0 and best.kind in {"mean", "spread", "median"}
    if number.printed.approximate or whole or (summed and not best.worded):
        return
    cause = cause_of(number.printed, Fraction(case.exact))
    if says(label, *SUMMING) and best.kind in {"ratio", "f1", "difference"}:
        return
    if cause == "the sign is wrong" and words_of(f"{label} {number.context.head}") & _FALLING:
        return
    if not best.is_bound():
        # A label alone: a mean beyond all that it is of, or a simple change.
        outside = not case.least <= float(number.printed.value) <= case.most
        if best.kind not in {"mean", "sum"} or not (cause or (outside and best.kind == "mean")):
            return
    if not cause and best.is_explained(row):
        return  # the result may be right, and a number that it is of wrong
    # Where another column of the same numbers fails too, one of those numbers may be wrong.
    others = [one for one in every if row in one.cases and one.parts & best.parts]
    right = {one.line.place for one in others if row in one.fits}
    failing = {one.line.place for one in others} - right - {best.line.place}
    sure = len(best.fits) >= 3 and best.worded and not failing
    yield contradicted(
        number,
        RULE,
        best.name,
        Fraction(case.exact),
        level="error" if sure else "warning",
        bindings=("formula", "words") if best.worded else ("formula",),
        cause=cause,
    )


def _whole_sums(table: Table, numbers: Sequence[Number]) -> Iterator[Verdict]:
    """Yield the counts that are the sum of some rows above, or a multiple of one."""
    columns: dict[int, list[Number]] = defaultdict(list)
    for number in numbers:
        if number.part == 0 and number.printed.decimals == 0 and number.printed.value >= 10_000:
            columns[number.column or 0].append(number)
    for number, above in (
        (n, c[max(0, i - 10) : i]) for c in columns.values() for i, n in enumerate(c)
    ):
        label, total = table.labels[number.row or 0], number.printed.value
        times = next((int(word) for word in label.split() if word.isdigit()), 0)
        what = [f"{times} × {n.printed.text}" for n in above if n.printed.value * times == total]
        sizes = range(len(above), 1, -1) if says(label, "sum") else ()
        sums = (some for size in sizes for some in combinations(above, size))
        for some in (some for some in sums if sum(n.printed.value for n in some) == total):
            what += [" + ".join(n.printed.text for n in some)]
        if what:
            yield traced(number, RULE, what[0], float(total))
