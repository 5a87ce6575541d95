"""The words by which runs are read (`words.ini`), and what is said of them (`messages.ini`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, reduce
from typing import Any

from reportgen.languages import MessageRows
from reportgen.records.rows import Rows, read_rows
from reportgen.records.run import Problem
from reportgen.records.study import Decision


@cache
def table_of_words() -> Rows:
    """Read the table."""
    return read_rows("reportgen.runs", "words.ini")


def ordered_words(section: str, name: str) -> tuple[str, ...]:
    """Return the words of a list in their order."""
    return tuple(table_of_words()[section][name].split())


def words(section: str, name: str) -> frozenset[str]:
    """Return the words of a list.

    Example:
        >>> "rouge" in words("kinds", "higher"), "train" in words("splits", "test")
        (True, False)
    """
    return frozenset(ordered_words(section, name))


def by_word(section: str) -> dict[str, str]:
    """Return each word of the lists of a section to the name of its list.

    Example:
        >>> by_word("splits")["val"]
        'validation'
    """
    return {word: list_ for list_ in table_of_words()[section]
            for word in ordered_words(section, list_)}  # fmt: skip


told = MessageRows("reportgen.runs")


def problem(code: str, path: str, **places: Any) -> Problem:
    """Return a problem with the remedy and the level of its row."""
    remedy = told(f"{code}.remedy", **places) if f"{code}.remedy" in told.rows else ""
    level = told.rows.get(f"{code}.level", "warning")
    return Problem(path=path, message=told(code, **places), remedy=remedy, level=level)


def decided(
    key: str, value: str, reason: str, others: Iterable[str] = (), *, asks: bool = False
) -> Decision:
    """Return a decision with what else was possible; as a question, where nobody can tell."""
    return Decision(key=key, value=value, reason=reason, alternatives=tuple(others), asks=asks)


def joined(code: str, texts: Iterable[str]) -> str:
    """Return several texts as one, by a message for two of them.

    Example:
        >>> joined("and", ["a", "b", "c"]), joined("semicolon", ["a", "b"])
        ('a and b and c', 'a; b')
    """
    return reduce(lambda one, other: told(code, first=one, last=other, one=one, other=other), texts)


def listed(names: Sequence[str], most: int = 5) -> str:
    """Return names in a row: the first of many, and how many more there are.

    Example:
        >>> listed(["a", "b"]), listed(["a", "b", "c"], most=1)
        ('a, b', 'a and 2 more')
    """
    shown = ", ".join(names[:most])
    return told("more", shown=shown, n=len(names) - most) if len(names) > most else shown
