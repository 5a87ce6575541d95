"""Long tables on pages: the chosen rows are printed, and a CSV file beside them holds all.

What is printed is chosen where the table is made (`Table.excerpt`). HTML and JSON print every row.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from reportgen.languages import say, speaking
from reportgen.records.document import Block, Code, Report, Section, Table, Text, walk
from reportgen.render._context import RenderContext
from reportgen.render._metrics_csv import guarded
from reportgen.render._numbering import Labels
from reportgen.render._plain_text import PlainPrinter


def for_pages(report: Report, labels: Labels, context: RenderContext) -> Report:
    """Return the report as formats of pages print it: of long tables, the chosen rows.

    Args:
        report: The document.
        labels: Its numbers and anchors.
        context: Names the files.
    """
    if not any(isinstance(b, Table) and b.excerpt for b in walk(report.sections)):
        return report
    with speaking(report.lang):
        sections = tuple(_section(section, labels, context) for section in report.sections)
    return replace(report, sections=sections)


def whole_tables(report: Report, labels: Labels, context: RenderContext) -> dict[str, bytes]:
    """Return each table that is not printed whole as a CSV file, by its relative path."""
    plain = PlainPrinter(labels, report.lang)
    return {
        _path(table, labels, context): _csv(table, plain)
        for table in walk(report.sections)
        if isinstance(table, Table) and table.excerpt
    }


def attached(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the CSV files among others by their names alone, as a PDF carries them."""
    return {PurePosixPath(name).name: files[name] for name in files if name.endswith(".csv")}


def _path(table: Table, labels: Labels, context: RenderContext) -> str:
    return context.figure_path(labels.anchor(table.id), "csv")


def _section(section: Section, labels: Labels, context: RenderContext) -> Section:
    return replace(section, blocks=tuple(_block(b, labels, context) for b in section.blocks))


def _block(block: Block, labels: Labels, context: RenderContext) -> Block:
    match block:
        case Section():
            return _section(block, labels, context)
        case Table(excerpt=excerpt) if excerpt:
            rows = tuple(block.rows[index] for index in excerpt.rows)
            where = say(
                "The whole table is in {file} and in the HTML form of the report.",
                file=Code(_path(block, labels, context)),
            )
            note: Text = (*excerpt.note, " ", *where)
            return replace(block, rows=rows, notes=(note, *block.notes), excerpt=None)
    return block


def _csv(table: Table, plain: PlainPrinter) -> bytes:
    """Return a table with its cells as they are printed; a formula of a spreadsheet's is none."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    heads = [
        ": ".join(part for text in (column.group, column.title) if (part := plain.print_text(text)))
        for column in table.columns
    ]
    writer.writerow([guarded(head) for head in heads])
    for row in table.rows:
        writer.writerow([guarded(str(plain.print_text(cell))) for cell in row.cells])
    return out.getvalue().encode("utf-8", errors="backslashreplace")
