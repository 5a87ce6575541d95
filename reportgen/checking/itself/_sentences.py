"""Numbers of one sentence that follow from each other, or from a table that it speaks of."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from math import sqrt

from reportgen.checking.context import Claiming, Table
from reportgen.checking.itself._formulas import says
from reportgen.checking.itself._verdicts import cause_of, contradicted, is_printed_as, traced
from reportgen.records.verdict import Number, Verdict

_WORD = re.compile(r"[^\W_]+|Δ")
_CHANGES = frozenset(
    "by gain gains improvement improve improves improved increase increases increased decrease "
    "decreases decreased drop drops dropped reduction reduces reduced difference gap margin points "
    "point pp above below higher lower better worse more less ahead faster slower smaller larger "
    "change delta advantage écart gain gagne différence baisse hausse plus moins amélioration".split()
)
_LINKS = frozenset(
    "a an the of by is i e that which or about only percent absolute relative so for net total it "
    "this up down in soit un une de d le la est additional another some approximately roughly "
    "respectively accuracy".split()
)
_RATIOS = frozenset("times x fold × fois factor speedup".split())
_CLOCKS = frozenset("step epoch iteration seed fold layer page question batch round step".split())
_BETWEEN = re.compile(r"\s?%?\s?(?:points?)?\s?(?:to|vs\.?|versus|against|→|->|à|contre)\s\D{0,25}")
_OF = re.compile(r"\s?(?:of|out of|/|sur|von|aus)\s?(?:the |all |its )?")
_FROM = re.compile(r"(?:from|de|vs\.?|\(|between)\s\D{0,12}$|\($")


def words_in(text: str) -> list[str]:
    """Return the words and numbers of a text, in small letters, without the s of a plural."""
    found = [word.casefold() for word in _WORD.findall(text)]
    return [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in found]


@dataclass(frozen=True, slots=True)
class Sentence:
    """The numbers of one sentence.

    Attributes:
        text: The sentence.
        numbers: Those that claim something, in order.
        words: Its words.
    """

    text: str
    numbers: tuple[Number, ...]
    words: frozenset[str]

    def between(self, first: Number, second: Number) -> str:
        """Return what stands between two numbers."""
        return self.text[_end(first) : second.context.offset]


def _end(number: Number) -> int:
    return number.context.offset + number.end - number.start


def sentences_of(numbers: Sequence[Claiming]) -> list[Sentence]:
    """Return the sentences of a report that hold numbers."""
    found: dict[tuple[int, int], list[Number]] = defaultdict(list)
    for one in numbers:
        if one.number.row is None and not one.reason and not one.number.printed.word:
            found[one.number.block, one.number.start - one.number.context.offset].append(one.number)
    return [
        Sentence(
            group[0].context.sentence, tuple(group), frozenset(words_in(group[0].context.sentence))
        )
        for group in found.values()
    ]


def check_sentences(sentences: Sequence[Sentence]) -> Iterator[Verdict]:
    """Yield what numbers of one sentence say of each other."""
    for sentence in sentences:
        if 3 <= len(sentence.numbers) <= 8:
            yield from _percentages(sentence)
            yield from _changes(sentence)
            yield from _counts(sentence)


def _percentages(sentence: Sentence) -> Iterator[Verdict]:
    """Yield the percentages of counts: `38 of 40 (95 %)`, `trainable: … || all: … || trainable%`."""
    numbers = sentence.numbers
    counts = [n for n in numbers if n.printed.decimals <= 0 and n.printed.value > 0]
    for number in numbers:
        labelled = "%" in sentence.text[max(0, number.context.offset - 5) : number.context.offset]
        if number.printed.unit != "percent" and not labelled:
            continue
        for few, many in permutations((n for n in counts if n is not number), 2):
            if few.printed.value > many.printed.value:
                continue
            a, b = Fraction(few.printed.value), Fraction(many.printed.value)
            what = f"100 × {few.printed.text} / {many.printed.text}"
            if is_printed_as(number.printed, 100 * a / b):
                yield traced(number, "percentage", what, 100 * a / b)
            elif len(numbers) == 3 and _is_share(sentence, few, many, number):
                others = (100 * a / (a + b), 100 - 100 * a / b, 100 * a / (b - a) if b > a else a)
                if not any(is_printed_as(number.printed, value) for value in others):
                    yield contradicted(number, "percentage", what, 100 * a / b, level="error")


def _is_share(sentence: Sentence, few: Number, many: Number, share: Number) -> bool:
    """Say whether a sentence says that one count is a share of another."""
    pair = sentence.between(few, many)
    large = many.printed.value >= 1000
    if share.start > many.start > few.start and large:
        line = "|" in sentence.between(many, share) and "|" in pair
        close = re.fullmatch(r"[^.;:|]{0,40}\(", sentence.between(many, share))
        before = words_in(sentence.text[: few.context.offset])[-1:]
        clock = bool(_CLOCKS & {*before})
        return line or bool(close and _OF.fullmatch(pair) and not clock)
    return False


def _changes(sentence: Sentence) -> Iterator[Verdict]:
    """Yield the differences, changes and ratios of two numbers of a sentence."""
    if not sentence.words & (_CHANGES | _RATIOS | {"point", "gain"}):
        return
    for number in sentence.numbers:
        if not _is_change(sentence, number):
            continue
        others = [n for n in sentence.numbers if n is not number and not n.spread]
        for first, second in combinations(others, 2):
            if first.printed.decimals != second.printed.decimals:
                continue
            found = _change(number, first, second)
            if found is not None:
                if found[0]:
                    yield traced(number, "difference", *found)
            elif _is_bound(sentence, number, first, second):
                a, b = Fraction(first.printed.value), Fraction(second.printed.value)
                value = 100 * (b - a) / a if number.printed.unit == "percent" and a else b - a
                value = value if number.printed.text[:1] in "+-−" else abs(value)
                what = f"{first.printed.text} against {second.printed.text}"
                level = "error" if len(sentence.numbers) == 3 else "warning"
                yield contradicted(number, "difference", what, value, level=level)


def _is_change(sentence: Sentence, number: Number) -> bool:
    """Say whether a number is a change: its unit is points, or a word of change stands by it."""
    before = words_in(sentence.text[: number.context.offset])[-2:]
    behind = words_in(sentence.text[_end(number) :])[:2]
    near = {*before, *behind}
    return number.printed.unit == "points" or bool(near & (_CHANGES | _RATIOS))


def _change(number: Number, first: Number, second: Number) -> tuple[str, Fraction] | None:
    """Return how a number follows from two others; None where it does not.

    Where rounding leaves it open how, that is not said.
    """
    a, b = Fraction(first.printed.value), Fraction(second.printed.value)
    da, db = Fraction(first.printed.half_unit), Fraction(second.printed.half_unit)
    printed = number.printed
    shown, half = abs(Fraction(printed.value)), Fraction(printed.half_unit)
    x, y = first.printed.text, second.printed.text
    gap = abs(a - b)
    found = [(f"{y} - {x}", gap, da + db), (f"100 × ({y} - {x})", 100 * gap, 100 * (da + db))]
    if a and b:
        found += [
            (
                f"100 × ({y} - {x}) / {x}",
                abs(100 * gap / a),
                abs(100 * (da + db) * (b / a + 1) / a),
            ),
            (
                f"100 × ({y} - {x}) / {y}",
                abs(100 * gap / b),
                abs(100 * (da + db) * (a / b + 1) / b),
            ),
            (f"{x} / {y}", abs(a / b), abs(a / b) * abs(da / a + db / b)),
            (f"{y} / {x}", abs(b / a), abs(b / a) * abs(da / a + db / b)),
            (f"100 × {x} / {y}", abs(100 * a / b), abs(100 * a / b) * abs(da / a + db / b)),
            (f"100 × {y} / {x}", abs(100 * b / a), abs(100 * b / a) * abs(da / a + db / b)),
        ]
    loose = None
    for what, value, room in found:
        if abs(value - shown) <= half or 0 <= value - shown < 2 * half:
            return what, value
        if abs(value - shown) <= room + half:
            sure = room <= max(8 * half, value / 20)
            loose = loose or (what if sure else "", value)
    return loose


def _is_bound(sentence: Sentence, number: Number, first: Number, second: Number) -> bool:
    """Say whether the words bind a change to two numbers that stand side by side."""
    pair = sentence.between(first, second)
    if first.start > second.start or not _BETWEEN.fullmatch(pair):
        return False
    if number.printed.unit not in {"points", "percent"} or number.printed.approximate:
        return False
    if not first.printed.decimals or number.printed.decimals > first.printed.decimals:
        return False
    lead = sentence.text[: first.context.offset]
    if number.start > second.start:
        gap = {*words_in(sentence.between(second, number))}
        return bool(_FROM.search(lead)) and gap <= _LINKS | _CHANGES and bool(gap & _CHANGES)
    return bool(re.fullmatch(r"[^.;:,()]{0,80}\(\D{0,12}", sentence.between(number, first)))


def _counts(sentence: Sentence) -> Iterator[Verdict]:
    """Yield the whole numbers that are the product or the sum of two others."""
    whole = [n for n in sentence.numbers if n.printed.decimals == 0 and n.printed.value > 1]
    for result in whole:
        if result.printed.value < 100:
            continue
        for first, second in combinations((n for n in whole if n is not result), 2):
            a, b = int(first.printed.value), int(second.printed.value)
            sign = "×" if a * b == result.printed.value else "+"
            if sign == "×" or (a + b == result.printed.value >= 1000 and a != b):
                what = f"{first.printed.text} {sign} {second.printed.text}"
                yield traced(result, "product", what, Fraction(result.printed.value))


@dataclass(frozen=True, slots=True)
class _Grid:
    """A table, its numbers by row and column, and the words of its labels and heads."""

    table: Table
    cells: Mapping[tuple[int, int], Number]
    rows: Mapping[int, frozenset[str]]
    columns: Mapping[int, frozenset[str]]

    def named(self, words: frozenset[str], names: Mapping[int, frozenset[str]]) -> list[int]:
        """Return the rows or columns of which all words stand in a sentence."""
        return [at for at, name in names.items() if name and name <= words]


def _grids(tables: Sequence[Table], numbers: Sequence[Claiming]) -> list[_Grid]:
    found: dict[int, dict[tuple[int, int], Number]] = defaultdict(dict)
    for one in numbers:
        number = one.number
        if number.row is not None and number.part == 0 and one.reason != "head":
            found[number.block][number.row, number.column or 0] = number
    grids = []
    for table in tables:
        cells = found[table.block]
        rows = {row: frozenset(words_in(table.labels[row])) for row, _ in cells}
        heads = {at: frozenset(words_in(table.heads[at].rpartition("|")[2])) for _, at in cells}
        grids.append(_Grid(table, cells, rows, heads))
    return grids


def check_repeats(
    tables: Sequence[Table],
    numbers: Sequence[Claiming],
    sentences: Sequence[Sentence],
    told: Sequence[Verdict],
) -> Iterator[Verdict]:
    """Yield what the tables of a report say of the numbers in its sentences.

    Args:
        tables: Of the report.
        numbers: Of the report.
        sentences: Of the report.
        told: What was found of the cells.
    """
    grids = _grids(tables, numbers)
    wrong = {one.number.id: one for one in told if one.number and one.outcome == "contradicted"}
    for sentence in sentences:
        for grid in grids:
            for number in sentence.numbers:
                yield from _repeated(sentence, number, grid, wrong)
                yield from _summed(sentence, number, grid)
            yield from _compared(sentence, grid)


def _repeated(
    sentence: Sentence, number: Number, grid: _Grid, wrong: Mapping[str, Verdict]
) -> Iterator[Verdict]:
    """Yield that a number stands in a cell whose row, or whose column, the sentence names."""
    rows = set(grid.named(sentence.words, grid.rows))
    columns = set(grid.named(sentence.words, grid.columns))
    for (row, column), cell in grid.cells.items():
        same = cell.printed.value == number.printed.value
        if not same or cell.printed.decimals != number.printed.decimals:
            continue
        if row not in rows or (column not in columns and not number.printed.decimals):
            continue
        told = wrong.get(cell.id)
        if told is None:
            label, head = grid.table.labels[row], grid.table.heads[column]
            yield traced(
                number, "twice", f"table, row {label}, column {head}", Fraction(cell.printed.value)
            )
        elif told.traces and told.traces[0].value is not None:
            what, value = told.traces[0].what, Fraction(told.traces[0].value)
            yield contradicted(number, "twice", what, value, bindings=("formula", "words"))


def _summed(sentence: Sentence, number: Number, grid: _Grid) -> Iterator[Verdict]:
    """Yield that a number is the mean, spread or sum of a column that the sentence names."""
    kinds = [kind for kind in ("mean", "spread", "sum") if says(sentence.text, kind)]
    if not kinds or number.printed.value == 0:
        return
    for column, head in grid.columns.items():
        if not head & sentence.words:
            continue
        groups = list(_groups(sentence, grid, column))
        found = [(name, v) for values in groups for name, v in _summaries(values, kinds)]
        fit = next((one for one in found if is_printed_as(number.printed, one[1])), None)
        title = grid.table.heads[column]
        if fit is not None and number.printed.decimals:
            yield traced(number, "mean", f"the {fit[0]} of {title}", fit[1])
        elif fit is None and kinds == ["mean"] and _is_all(number, sentence, grid, column, groups):
            yield contradicted(
                number, "mean", f"the mean of {title}", found[0][1], bindings=("formula", "words")
            )


def _is_all(
    number: Number,
    sentence: Sentence,
    grid: _Grid,
    column: int,
    groups: Sequence[Sequence[Fraction]],
) -> bool:
    """Say whether a sentence gives one number, the mean of a whole column that it names."""
    named = [at for at, head in grid.columns.items() if head & sentence.words]
    whole = grid.columns[column] - {"in"} <= sentence.words
    cells = [cell for (_, at), cell in grid.cells.items() if at == column]
    like = {cell.printed.decimals for cell in cells} == {number.printed.decimals}
    alone = len(sentence.numbers) == len(groups) == 1 and named == [column]
    return alone and whole and like and number.printed.decimals > 0 and len(groups[0]) >= 3


def _groups(sentence: Sentence, grid: _Grid, column: int) -> Iterator[list[Fraction]]:
    """Yield the numbers of a column, and of its rows that share a word with a sentence."""
    cells = {row: n for (row, at), n in grid.cells.items() if at == column and n.printed.value}
    plain = {
        row: n
        for row, n in cells.items()
        if not any(says(grid.table.labels[row], k) for k in ("mean", "sum", "spread"))
    }
    shared = set().union(*(grid.rows[row] for row in plain)) & sentence.words
    yield [Fraction(n.printed.value) for n in plain.values()]
    for word in sorted(shared):
        some = [Fraction(n.printed.value) for row, n in plain.items() if word in grid.rows[row]]
        if len(some) < len(plain):
            yield some


def _summaries(values: Sequence[Fraction], kinds: Sequence[str]) -> Iterator[tuple[str, Fraction]]:
    """Yield the mean, the sum and the deviations of some values."""
    if len(values) < 3:
        return
    mean = sum(values, Fraction(0)) / len(values)
    squares = float(sum((value - mean) ** 2 for value in values))
    if "mean" in kinds:
        yield "mean", mean
    if "sum" in kinds:
        yield "sum", sum(values, Fraction(0))
    if "spread" in kinds:
        yield "sample standard deviation", Fraction(sqrt(squares / (len(values) - 1)))
        yield "population standard deviation", Fraction(sqrt(squares / len(values)))


def _compared(sentence: Sentence, grid: _Grid) -> Iterator[Verdict]:
    """Yield the difference of two cells in one column, or one row, that the sentence names."""
    rows = grid.named(sentence.words, grid.rows)
    columns = grid.named(sentence.words, grid.columns)
    keys = set().union(*(grid.rows[r] for r in rows), *(grid.columns[c] for c in columns))
    values = [n for n in sentence.numbers if n.printed.text.casefold() not in keys]
    if len(values) != 1 or not _is_change(sentence, values[0]) or not 2 <= len(rows) <= 3:
        return
    number = values[0]
    pairs = [
        (grid.cells[a, c], grid.cells[b, c])
        for c in grid.columns
        for a, b in combinations(rows, 2)
        if (a, c) in grid.cells and (b, c) in grid.cells
    ]
    for first, second in pairs:
        found = _change(number, first, second)
        if found is not None:
            if found[0]:
                yield traced(number, "difference", *found)
            return
    mine = [pair for pair in pairs if pair[0].column in columns]
    if len(rows) == 2 and len(columns) == len(mine) == 1 and number.printed.unit == "points":
        first, second = mine[0]
        gap = abs(Fraction(first.printed.value) - Fraction(second.printed.value))
        what = f"the difference of {first.printed.text} and {second.printed.text} in the table"
        yield contradicted(number, "difference", what, gap, bindings=("formula", "words"))
