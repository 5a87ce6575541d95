"""Tables of text columns with one column of numbers at the right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reportgen.records.document import Table, TableColumn, TableRow, Text


def plain_table(
    key: str,
    caption: Text,
    titles: Sequence[Text],
    rows: Iterable[Sequence[Text] | TableRow],
    *,
    wide: Sequence[int] = (0,),
    right: Sequence[int] = (),
    notes: Iterable[Text] = (),
) -> Table:
    """Return a table.

    Args:
        key: Its id.
        caption: Its caption.
        titles: Heads of its columns.
        rows: Cells of each row, or rows of another kind than the body's.
        wide: Columns of prose.
        right: Columns of numbers.
        notes: What stands below it.

    Example:
        >>> table = plain_table("t", ("Counts.",), [("Part",), ("n",)], [[("a",), ("1",)]],
        ...                     right=[1])
        >>> table.columns[1].align, table.rows[0].cells, table.rows[0].kind
        ('right', (('a',), ('1',)), 'body')
    """
    columns = tuple(
        TableColumn(title=title, align="right" if place in right else "left", wide=place in wide)
        for place, title in enumerate(titles)
    )
    return Table(
        id=key,
        caption=caption,
        columns=columns,
        rows=tuple(r if isinstance(r, TableRow) else TableRow(cells=tuple(r)) for r in rows),
        notes=tuple(notes),
    )


def total_row(*cells: Text) -> TableRow:
    """Return the sums below a table."""
    return TableRow(cells=cells, kind="total")
