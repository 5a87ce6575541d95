"""Tables with the words that are really printed, so that these are what is measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from reportgen.records.document import Code, Emphasis, Inline, Link, Strong, Table, Text
from reportgen.render._escape import clean

Spelling = Callable[[str], str]
"""Names the characters that a font lacks, by their code points."""


def drawn_table(table: Table, spelling: Spelling) -> Table:
    """Return a table in which every character that cannot be drawn is named by its code point."""
    columns = tuple(
        replace(column, title=_drawn(column.title, spelling), group=_drawn(column.group, spelling))
        for column in table.columns
    )
    rows = tuple(
        replace(row, cells=tuple(_drawn(cell, spelling) for cell in row.cells))
        for row in table.rows
    )
    return replace(table, columns=columns, rows=rows)


def _drawn(text: Text, spelling: Spelling) -> Text:
    """Return a text as it is drawn.

    Example:
        >>> _drawn(("a \u65e5", Emphasis(("b",))), lambda text: text.replace("\u65e5", "[U+65E5]"))
        ('a [U+65E5]', Emphasis(content=('b',)))
    """
    return tuple(_node(node, spelling) for node in text)


def _node(node: Inline, spelling: Spelling) -> Inline:
    match node:
        case str():
            return node if node.isascii() else spelling(clean(node))
        case Code(text):
            return node if text.isascii() else Code(spelling(clean(text)))
        case Emphasis(content) | Strong(content) | Link(content):
            return replace(node, content=_drawn(content, spelling))
    return node
