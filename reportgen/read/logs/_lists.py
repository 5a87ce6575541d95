"""The words by which files and columns are known: `words.ini`."""

from __future__ import annotations

from functools import cache

from reportgen.records.rows import read_rows


@cache
def lists(section: str) -> dict[str, tuple[str, ...]]:
    """Return the lists of a section by name, each word in its place.

    Example:
        >>> lists("clocks")["epoch"], "acc1" in lists("columns")["measured"]
        (('currentepoch', 'ep.', 'epoch', 'epoche'), True)
    """
    rows = read_rows("reportgen.read.logs", "words.ini")[section]
    return {name: tuple(text.split()) for name, text in rows.items()}
