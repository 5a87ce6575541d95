"""The texts of a block by the names they have in templates."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.records.document import (
    Block,
    Bullets,
    Code,
    Figure,
    Listing,
    Mark,
    Paragraph,
    References,
    Report,
    Section,
    Table,
    Text,
    inlines,
)
from reportgen.render._inline import items_of


def values_of(block: Block | Report) -> Iterator[tuple[str, str]]:
    """Yield every text of a block (not of its children) with its name.

    Example:
        >>> from reportgen.records.document import TableRow
        >>> row = TableRow(cells=(("50% done",), (Code("a_b"),)))
        >>> dict(values_of(Table(id="t", caption=("C",), columns=(), rows=(row,))))["caption"]
        'C'
        >>> [n for n, _ in values_of(Table(id="t", caption=(), columns=(), rows=(row,)))]
        ['id', 'rows[0].cells[0]', 'rows[0].cells[1]']
    """
    match block:
        case Report():
            yield "title", block.title
            yield from (("authors", author) for author in block.authors)
            yield from _named("abstract", block.abstract)
            return
        case Section():
            yield "title", block.title
        case Paragraph():
            yield from _named("text", block.text)
        case Bullets():
            yield from _of_list(block)
        case Table():
            yield from _of_table(block)
            return
        case Figure():
            yield "alt", block.alt
            yield from _named("caption", block.caption)
        case Listing():
            yield from _named("caption", block.caption)
            yield from (("text", line) for line in block.text.split("\n"))
        case References():
            for index, entry in enumerate(block.entries):
                yield f"entries[{index}].url", entry.url
                yield from _named(f"entries[{index}].text", entry.text)
    yield "id", block.id


def _of_list(block: Bullets, within: str = "") -> Iterator[tuple[str, str]]:
    for index, (item, below) in enumerate(items_of(block)):
        name = f"{within}items[{index}]"
        yield from _named(name, item)
        for number, inner in enumerate(below):
            yield from _of_list(inner, f"{name}.inner[{number}].")


def _of_table(table: Table) -> Iterator[tuple[str, str]]:
    yield "id", table.id
    yield from _named("caption", table.caption)
    for index, column in enumerate(table.columns):
        yield from _named(f"columns[{index}].title", column.title)
    for number, row in enumerate(table.rows):
        for index, cell in enumerate(row.cells):
            yield from _named(f"rows[{number}].cells[{index}]", cell)
    for index, note in enumerate(table.notes):
        yield from _named(f"notes[{index}]", note)


def _named(name: str, text: Text) -> Iterator[tuple[str, str]]:
    for node in inlines(text):
        if isinstance(node, str):
            yield name, node
        elif isinstance(node, Code):
            yield name, node.text
        elif isinstance(node, Mark):
            yield name, node.sign
