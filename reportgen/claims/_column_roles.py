"""What the columns of a table hold: labels, values, runs and moments that number its rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache

from reportgen.checking.numbers._digits import NumberStyle
from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._numbers import find_numbers
from reportgen.claims._heads import Head, number_of
from reportgen.records.manuscript import Cell

COUNTED = ("seed", "epoch", "step")
"""Roles of columns that number the rows."""
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_SPREAD = re.compile(r"±|\\pm|\+\s?/\s?-")
_MOST_RUNS = 50
_SEVERAL = gated(
    r"\b(?:seeds|runs|folds|trials|replicates|repetitions|graines|essais|plis|ex[ée]cutions"
    r"|r[ée]p[ée]titions)\b",
    re.IGNORECASE,
)
"""Heads of columns that may say how many runs a row is of."""


@lru_cache(maxsize=8192)
def holds_value(text: str) -> bool:
    """Say whether a cell holds a number, alone or with its spread, unit and marks.

    Example:
        >>> [holds_value(t) for t in ("81.5 (79.9)", "Seed 0", "+7.00", "512 weights each", "–")]
        [True, False, True, False, False]
    """
    if not any(char.isdigit() for char in text):
        return False
    numbers = find_numbers(text)
    if not numbers:
        return False
    left, last = [], 0
    for number in numbers:
        left.append(text[last : number.start])
        last = number.end
    words = _LETTERS.findall(re.sub(r"\\[A-Za-z]+", " ", " ".join([*left, text[last:]])))
    unit = {"to", "std", "pts", "points", "percent", "epoch", "step", "seed", "best", "sec", "min"}
    return not left[0].strip(" ~$*_+-−–±≈<>≤≥†‡↑↓([{") and all(w.lower() in unit for w in words)


def column_roles(
    columns: Sequence[Sequence[Head]], body: Sequence[Sequence[Cell]], style: NumberStyle | None
) -> tuple[str, ...]:
    """Return what the numbers of each column count, `label` for one of words.

    Args:
        columns: Heads of each column, the lowest first.
        body: The rows below them, without those that only head others.
        style: How the report writes decimals; by default what each cell shows.

    Example:
        >>> from reportgen.claims._heads import read_head
        >>> from reportgen.records.manuscript import Line
        >>> line = Line(text="", number=1)
        >>> body = [[Cell(text=t, line=line) for t in row] for row in (("a", "5", "8.1"),)]
        >>> column_roles([[read_head(t)] for t in ("Model", "Runs", "Loss")], body, None)
        ('label', 'n', '')
    """
    roles = tuple(_role(c, heads, body, style) for c, heads in enumerate(columns))
    roles = tuple(
        role if role or not _averages_moments(c, columns) else columns[c][0].role
        for c, role in enumerate(roles)
    )
    roles = _with_labels(roles, body)
    return tuple(_counted_runs(c, roles, heads, body, style) for c, heads in enumerate(columns))


def _role(
    column: int, heads: Sequence[Head], body: Sequence[Sequence[Cell]], style: NumberStyle | None
) -> str:
    """Return what the numbers of a column count."""
    texts = [row[column].text for row in body if column < len(row) and row[column].text]
    role = heads[0].role if heads else ""
    if not texts:
        return role or "empty"
    values = [text for text in texts if holds_value(text)]
    if role in COUNTED and values and all(numbers_rows(role, text, style) for text in values):
        # Seeds may be fewer than the rows that summarise them.
        return role
    if 2 * len(values) < len(texts):
        return "label"
    whole = all(_is_whole(text, style) for text in values)
    if role in COUNTED:
        return ""
    if not heads and column == 0:
        # Rows that are numbered, as pandas prints them.
        return "other" if whole else ""
    return role


def _counted_runs(
    column: int,
    roles: Sequence[str],
    heads: Sequence[Head],
    body: Sequence[Sequence[Cell]],
    style: NumberStyle | None,
) -> str:
    """Return the role of a column, `n` where under `Runs` it says how many and not which.

    How many runs a row is of stands once for each label, and is no 1, 2, 3 from row to row.
    """
    if roles[column] != "seed" or not heads or not _SEVERAL.search(heads[0].text):
        return roles[column]
    rows = [row for row in body if column < len(row) and row[column].text]
    numbers = [number_of(row[column].text, style) for row in rows]
    before = [c for c, role in enumerate(roles) if role == "label"]
    names = [tuple(row[c].text for c in before if c < len(row)) for row in rows]
    alike = len(set(numbers)) == 1 and len(rows) > 1
    single = all(map(any, names)) and len(set(names)) == len(names)
    in_turn = len(rows) > 1 and numbers == [Decimal(place) for place in range(1, len(rows) + 1)]
    many = all(number is not None and 0 < number <= _MOST_RUNS for number in numbers)
    return "n" if many and (alike or single) and not in_turn else "seed"


def _averages_moments(column: int, columns: Sequence[Sequence[Head]]) -> bool:
    """Say whether `7.4 ± 0.9` in a column is a mean of best epochs, and no value at them.

    Where another column names a metric, those under `Best epoch` are no values of it.
    """
    head = columns[column][0] if columns[column] else None
    others = [heads[0] for c, heads in enumerate(columns) if heads and c != column]
    return (
        head is not None
        and head.role in {"epoch", "step"}
        and head.values("selection") == ("best",)
        and any(other.values("metric") for other in others)
    )


def numbers_rows(role: str, text: str, style: NumberStyle | None = None) -> bool:
    """Say whether a cell may number a row: epochs may be parts of one, as evaluations are."""
    if role == "epoch":
        return number_of(text) is not None and not _SPREAD.search(text)
    return _is_whole(text, style)


def _is_whole(text: str, style: NumberStyle | None) -> bool:
    value = number_of(text, style)
    return value is not None and value == value.to_integral_value() and not _SPREAD.search(text)


def _with_labels(roles: Sequence[str], body: Sequence[Sequence[Cell]]) -> tuple[str, ...]:
    """Let only words before the first values be labels; those behind are remarks."""
    values = [c for c, role in enumerate(roles) if role == ""]
    first = values[0] if values else len(roles)
    marked = [
        "other"
        if role == "label" and c > first
        else "label"
        if role == "empty" and c < first and c == 0
        else role
        for c, role in enumerate(roles)
    ]
    # A first column that is empty but for group rows is one of labels.
    if body and marked and marked[0] == "" and not any(r[0].text for r in body if r):
        marked[0] = "label"
    return tuple(marked)
