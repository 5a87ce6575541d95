"""Numbers of one sentence that follow from each other, or from a table that it speaks of."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, permutations, product

from reportgen.checking.context import Claiming, Table
from reportgen.checking.itself._columns import PAIRS, SUMMARIES, says
from reportgen.checking.verdicts import contradicted, is_printed_as, traced
from reportgen.records.record import record
from reportgen.records.verdict import Number, Verdict

_WORD = re.compile(r"(?<!\\)\b[^\W_]+|Δ")
_CHANGES = frozenset(
    """by gain improvement improve increase decrease drop reduction reduce difference gap margin
    point pp above below higher lower better worse more less ahead faster slower change delta
    advantage écart gagne différence baisse hausse amélioration time x fold × fois factor
    speedup improved increased decreased dropped reduced""".split()  # noqa: SIM905
)
_LINKS = _CHANGES | frozenset(
    """a an the of is i e that which or about only percent absolute relative so for net total it
    this up down in soit un une de d le la est additional another some""".split()  # noqa: SIM905
)
_CLOCKS = frozenset(
    ("step", "epoch", "iteration", "seed", "fold", "layer", "page", "batch", "round")
)
_BETWEEN = re.compile(r"\s?%?\s?(?:points?)?\s?(?:to|vs\.?|versus|against|→|->|à|contre)\s\D{0,25}")
_OF = re.compile(r"\s?(?:of|out of|/|sur|von|aus)\s?(?:the |all |its )?")
_FROM = re.compile(r"(?:from|de|vs\.?|\(|between)\s\D{0,12}$|\($")


def _words(text: str) -> list[str]:
    """Return the words and numbers of a text, in small letters, without the s of a plural."""
    found = [word.casefold() for word in _WORD.findall(text)]
    return [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in found]


def _end(number: Number) -> int:
    return number.context.offset + number.end - number.start


@record(kw_only=False)
class Sentence:
    """A sentence, the numbers in it that claim something, and its words."""

    text: str
    numbers: tuple[Number, ...]
    words: frozenset[str]

    def is_of(self, names: set[str]) -> bool:
        """Say whether one of its numbers has one of some ids."""
        return any(number.id in names for number in self.numbers)

    def between(self, first: Number, second: Number) -> str:
        """Return what stands between two numbers."""
        return self.text[_end(first) : second.context.offset]

    def is_change(self, number: Number) -> bool:
        """Say whether a number is a change: in points, or with a word of change beside it."""
        before = _words(self.text[: number.context.offset])[-2:]
        near = {*before, *_words(self.text[_end(number) :])[:2]}
        return number.printed.unit == "points" or bool(near & _CHANGES)


def sentences_of(numbers: Sequence[Claiming]) -> list[Sentence]:
    """Return the sentences of a report that hold numbers."""
    found: dict[tuple[int, int], list[Number]] = defaultdict(list)
    for one in numbers:
        number = one.number
        if number.row is None and not one.reason and not number.printed.word:
            found[number.block, number.start - number.context.offset].append(number)
    texts = ((group[0].context.sentence, group) for group in found.values())
    return [Sentence(text, tuple(group), frozenset(_words(text))) for text, group in texts]


def check_sentences(sentences: Sequence[Sentence]) -> Iterator[Verdict]:
    """Yield what numbers of one sentence say of each other."""
    for sentence in sentences:
        if 3 <= len(sentence.numbers) <= 8:
            yield from _percentages(sentence)
            yield from _changes(sentence)


def _percentages(sentence: Sentence) -> Iterator[Verdict]:
    """Yield the percentages of counts: `38 of 40 (95 %)`, `trainable: … || all: … || %`."""
    counts = [n for n in sentence.numbers if n.printed.decimals <= 0 and n.printed.value > 0]
    for number in sentence.numbers:
        lead = sentence.text[max(0, number.context.offset - 5) : number.context.offset]
        if number.printed.unit != "percent" and "%" not in lead:
            continue
        for few, many in permutations((n for n in counts if n is not number), 2):
            a, b = Fraction(few.printed.value), Fraction(many.printed.value)
            what, value = f"100 × {few.printed.text} / {many.printed.text}", 100 * a / b
            others = (100 * a / (a + b), 100 - value, 100 * a / (b - a) if b > a else value)
            if a <= b and is_printed_as(number.printed, value):
                yield traced(number, "percentage", what, value)
            elif any(is_printed_as(number.printed, other) for other in others):
                continue
            elif a <= b and _is_share(sentence, few, many, number):
                yield contradicted(number, "percentage", what, value, level="error")


def _is_share(sentence: Sentence, few: Number, many: Number, share: Number) -> bool:
    """Say whether a sentence says of its three numbers that one is the share of another."""
    if not share.start > many.start > few.start or many.printed.value < 1000:
        return False
    pair, gap = sentence.between(few, many), sentence.between(many, share)
    clock = _CLOCKS & {*_words(sentence.text[: few.context.offset])[-1:]}
    shared = re.fullmatch(r"[^.;:|]{0,40}\(", gap) and _OF.fullmatch(pair) and not clock
    return len(sentence.numbers) == 3 and bool(shared or ("|" in gap and "|" in pair))


def _changes(sentence: Sentence) -> Iterator[Verdict]:
    """Yield the differences, changes and ratios of two numbers of a sentence."""
    for number in sentence.numbers if sentence.words & _CHANGES else ():
        others = [n for n in sentence.numbers if n is not number and not n.spread]
        for first, second in combinations(others, 2) if sentence.is_change(number) else ():
            if first.printed.decimals != second.printed.decimals:
                continue
            found = _change(number, first, second)
            if found and found[0]:
                yield traced(number, "difference", *found)
            elif not found and _is_bound(sentence, number, first, second):
                a, b = Fraction(first.printed.value), Fraction(second.printed.value)
                value = 100 * (b - a) / a if number.printed.unit == "percent" and a else b - a
                value = value if number.printed.text[:1] in "+-−" else abs(value)
                what = f"{first.printed.text} against {second.printed.text}"
                level = "error" if len(sentence.numbers) == 3 else "warning"
                yield contradicted(number, "difference", what, value, level=level)


def _change(number: Number, first: Number, second: Number) -> tuple[str, float] | None:
    """Return how a number follows from two others; None where it does not.

    Where rounding leaves it open how, that is not said.
    """
    printed, loose = number.printed, None
    shown, half = abs(float(printed.value)), float(printed.half_unit)
    if not printed.unit and printed.decimals <= 0:
        return None
    formulas = [row for row in PAIRS if row[1] in {"difference", "ratio"} and "{a} ×" not in row[0]]
    for (name, kind, of, _), (one, two) in product(formulas, ((second, first), (first, second))):
        (a, da), (b, db) = (
            (float(n.printed.value), float(n.printed.half_unit)) for n in (one, two)
        )
        for factor in (1, 100) if printed.unit and kind == "difference" else (1,):
            try:
                value = factor * abs(of(a, b))
                ends = [factor * abs(of(a + s * da, b + t * db)) for s in (-1, 1) for t in (-1, 1)]
            except ZeroDivisionError:
                continue
            what = name.format(a=one.printed.text, b=two.printed.text)
            if -1e-9 <= value - shown < 2 * half or abs(value - shown) <= half + 1e-9:
                return what, value
            if min(ends) - half <= shown <= max(ends) + half:
                sure = max(ends) - min(ends) <= max(16 * half, value / 10)
                loose = loose or (what if sure else "", value)
    return loose


def _is_bound(sentence: Sentence, number: Number, first: Number, second: Number) -> bool:
    """Say whether the words bind a change to two numbers that stand side by side."""
    if first.start > second.start or not _BETWEEN.fullmatch(sentence.between(first, second)):
        return False
    if number.printed.unit not in {"points", "percent"} or number.printed.approximate:
        return False
    if not first.printed.decimals or number.printed.decimals > first.printed.decimals:
        return False
    if number.start > second.start:
        gap = {*_words(sentence.between(second, number))}
        lead = _FROM.search(sentence.text[: first.context.offset])
        return bool(lead and gap <= _LINKS and gap & _CHANGES)
    return bool(re.fullmatch(r"[^.;:,()]{0,80}\(\D{0,12}", sentence.between(number, first)))


@record(kw_only=False)
class _Grid:
    """A table, its numbers by row and column, and the words of its labels and heads.

    `same` has the numbers by their value and decimals.
    """

    table: Table
    cells: Mapping[tuple[int, int], Number]
    rows: Mapping[int, frozenset[str]]
    columns: Mapping[int, frozenset[str]]
    same: Mapping[tuple[Decimal, int], list[tuple[tuple[int, int], Number]]]


def _grids(tables: Sequence[Table], numbers: Sequence[Claiming]) -> Iterator[_Grid]:
    found: dict[int, dict[tuple[int, int], Number]] = defaultdict(dict)
    for one in numbers:
        number = one.number
        if number.row is not None and number.part == 0 and one.reason != "head":
            found[number.block][number.row, number.column or 0] = number
    for table in tables:
        cells = found[table.block]
        rows = {row: frozenset(_words(table.labels[row])) for row, _ in cells}
        heads = {at: frozenset(_words(table.heads[at].rpartition("|")[2])) for _, at in cells}
        same: dict[tuple[Decimal, int], list[tuple[tuple[int, int], Number]]] = defaultdict(list)
        for place, number in cells.items():
            same[number.printed.value, number.printed.decimals].append((place, number))
        yield _Grid(table, cells, rows, heads, same)


def check_repeats(
    tables: Sequence[Table],
    numbers: Sequence[Claiming],
    sentences: Sequence[Sentence],
    told: Sequence[Verdict],
) -> Iterator[Verdict]:
    """Yield what the tables of a report, and what was found of them, say of its sentences."""
    wrong = {one.number.id: one for one in told if one.number and one.outcome == "contradicted"}
    for grid, sentence in product(_grids(tables, numbers), sentences):
        rows = {at for at, name in grid.rows.items() if name and name <= sentence.words}
        columns = {at for at, name in grid.columns.items() if name and name <= sentence.words}
        for number in sentence.numbers:
            yield from _repeated(number, grid, rows, columns, wrong)
            yield from _summed(sentence, number, grid)
        yield from _compared(sentence, grid, rows, columns)


def _repeated(
    number: Number, grid: _Grid, rows: set[int], columns: set[int], wrong: Mapping[str, Verdict]
) -> Iterator[Verdict]:
    """Yield that a number stands in a cell whose row the sentence names."""
    printed = number.printed
    for (row, column), cell in grid.same.get((printed.value, printed.decimals), ()):
        if not (row in rows and (column in columns or printed.decimals)):
            continue
        told = wrong.get(cell.id)
        if told is None:
            label, head = grid.table.labels[row], grid.table.heads[column]
            what = f"table, row {label}, column {head}"
            yield traced(number, "twice", what, float(cell.printed.value))
        elif told.traces and told.traces[0].value is not None:
            what, value = told.traces[0].what, told.traces[0].value
            yield contradicted(number, "twice", what, value, bindings=("formula", "words"))


def _summed(sentence: Sentence, number: Number, grid: _Grid) -> Iterator[Verdict]:
    """Yield that a number is the mean, spread or sum of a column that the sentence names."""
    kinds = [kind for kind in ("mean", "spread", "sum") if says(sentence.text, kind)]
    if not kinds or not number.printed.decimals or not number.printed.value:
        return
    named = [at for at, head in grid.columns.items() if head & sentence.words]
    for column in named:
        groups = list(_groups(sentence, grid, column))
        found = [
            (name, of(values))
            for values in groups
            for name, kind, of in SUMMARIES
            if kind in kinds and len(values) > 2
        ]
        title = grid.table.heads[column]
        fit = next((one for one in found if is_printed_as(number.printed, Fraction(one[1]))), None)
        if fit is not None:
            yield traced(number, "mean", f"the {fit[0]} of {title}", fit[1])
        elif (
            found and kinds == ["mean"] and len(groups) == len(named) == len(sentence.numbers) == 1
        ):
            cells = [cell for (_, at), cell in grid.cells.items() if at == column]
            like = {cell.printed.decimals for cell in cells} == {number.printed.decimals}
            if like and grid.columns[column] - {"in"} <= sentence.words:
                what, bindings = f"the mean of {title}", ("formula", "words")
                yield contradicted(number, "mean", what, found[0][1], bindings=bindings)


def _groups(sentence: Sentence, grid: _Grid, column: int) -> Iterator[list[float]]:
    """Yield the numbers of a column, and of its rows that share a word with a sentence."""
    cells = {
        row: float(number.printed.value)
        for (row, at), number in grid.cells.items()
        if at == column and not says(grid.table.labels[row], "mean", "sum", "spread")
    }
    yield [*cells.values()]
    shared = frozenset().union(*(grid.rows[row] for row in cells)) & sentence.words
    for word in sorted(shared):
        some = [value for row, value in cells.items() if word in grid.rows[row]]
        if len(some) < len(cells):
            yield some


def _compared(
    sentence: Sentence, grid: _Grid, rows: set[int], columns: set[int]
) -> Iterator[Verdict]:
    """Yield the difference of two cells in one column that the sentence names."""
    keys = frozenset().union(*(grid.rows[r] for r in rows), *(grid.columns[c] for c in columns))
    values = [n for n in sentence.numbers if n.printed.text.casefold() not in keys]
    if len(values) != 1 or not sentence.is_change(values[0]) or not 2 <= len(rows) <= 3:
        return
    number, cells = values[0], grid.cells
    pairs = [
        (cells[a, c], cells[b, c])
        for c in grid.columns
        for a, b in combinations(sorted(rows), 2)
        if (a, c) in cells and (b, c) in cells
    ]
    found = [change for pair in pairs if (change := _change(number, *pair))]
    mine = [pair for pair in pairs if pair[0].column in columns]
    if found:
        yield from (traced(number, "difference", *change) for change in found[:1] if change[0])
    elif len(rows) == 2 and len(columns) == len(mine) == 1 and number.printed.unit == "points":
        first, second = (one.printed for one in mine[0])
        what = f"the difference of {first.text} and {second.text} in the table"
        gap = abs(Fraction(first.value) - Fraction(second.value))
        yield contradicted(number, "difference", what, gap, bindings=("formula", "words"))
