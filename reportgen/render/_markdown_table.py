"""Pipe tables, padded so that the source reads as a table too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.document import Table, TableColumn, TableRow, Text

if TYPE_CHECKING:
    from reportgen.render._inline import InlinePrinter

_RULES = {"left": ":{}-", "center": ":{}:", "right": "-{}:", "decimal": "-{}:"}
_WIDEST_PADDED = 36
"""Nothing is padded further: one long name would push all other columns out of sight."""


def print_pipe_table(table: Table, printer: InlinePrinter) -> str:
    """Return a table without its caption; a head above columns stands before each of them."""
    head = [_head(column, printer) for column in table.columns]
    rows = [_row(row, printer) for row in table.rows]
    widths = [_width(column) for column in zip(head, *rows, strict=True)]
    ruler = [
        _RULES[column.align].format("-" * (width - 2))
        for column, width in zip(table.columns, widths, strict=True)
    ]
    aligns = [column.align for column in table.columns]
    padded = [_pad(cells, widths, aligns) for cells in (head, *rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (padded[0], ruler, *padded[1:]))


def _head(column: TableColumn, printer: InlinePrinter) -> str:
    parts = [printer.print_text(text) for text in (column.group, column.title) if text]
    return ": ".join(part for part in parts if part)


def _row(row: TableRow, printer: InlinePrinter) -> list[str]:
    return [_cell(cell, printer, bold=row.kind != "body") for cell in row.cells]


def _cell(cell: Text, printer: InlinePrinter, *, bold: bool) -> str:
    text = printer.print_text(cell).strip()
    return printer.print_strong(text) if bold and text and "**" not in text else str(text)


def _width(cells: tuple[str, ...]) -> int:
    return max(3, len(cells[0]), min(_WIDEST_PADDED, max(map(len, cells))))


def _pad(cells: list[str], widths: list[int], aligns: list[str]) -> list[str]:
    return [
        cell.ljust(width) if align in {"left", "center"} else cell.rjust(width)
        for cell, width, align in zip(cells, widths, aligns, strict=True)
    ]
