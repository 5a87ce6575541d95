"""Tables as CSV: the cells of the grid, and what pages do not print whole."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from reportgen.languages import say, speaking
from reportgen.records.document import Block, Code, Report, Section, Table, Text, walk
from reportgen.records.facts import Facts
from reportgen.records.quantity import Missing, Reading
from reportgen.records.record import replace
from reportgen.render._context import RenderContext
from reportgen.render._inline import PlainPrinter
from reportgen.render._numbering import Labels
from reportgen.render.json import number_value, why_missing

CSV_COLUMNS = (
    "group", "label", "seed", "run", "metric", "unit", "best_step", "best_epoch",
    "select_split", "select_value", "report_split", "report_value", "last_value",
    "oracle_value", "missing",
)  # fmt: skip
"""Columns of metrics.csv; one row a cell of the grid."""


def metrics_csv(facts: Facts) -> bytes:
    """Return every cell of the grid as a tidy table, one row a cell.

    A text that a spreadsheet would run as a formula starts with an apostrophe; report.json
    keeps the exact text.

    Missing: an empty field, with the reason in the last column.
    """
    metric = facts.study.metric
    rows = [
        (
            guarded(group.name),
            guarded(group.label),
            "" if cell.seed is None else str(cell.seed),
            guarded(cell.run.id if cell.run else ""),
            guarded(metric.name),
            "fraction" if group.unit else "",
            _field(cell.best_step),
            _field(cell.best_epoch),
            metric.select_on,
            _field(cell.select_value),
            group.report_split,
            _field(cell.report_value),
            _field(cell.last_value),
            _field(cell.oracle_value),
            guarded(why_missing(cell) or ""),
        )
        for group in facts.groups
        for cell in group.cells
    ]
    return _spelled([CSV_COLUMNS, *rows])


def _spelled(rows: Iterable[Iterable[str]]) -> bytes:
    out = io.StringIO(newline="")
    # With the line ends of RFC 4180 a name that holds any line break is quoted.
    csv.writer(out, lineterminator="\r\n").writerows(rows)
    return out.getvalue().encode("utf-8", errors="backslashreplace")


def _field(reading: Reading) -> str:
    if isinstance(reading, Missing) or not math.isfinite(reading.value):
        return ""
    return str(number_value(reading.value))


def guarded(text: str) -> str:
    """Keep a spreadsheet from running a text as a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


# --- long tables ----------------------------------------------------------------------


def for_pages(report: Report, labels: Labels, context: RenderContext) -> Report:
    """Return the report as formats of pages print it: of long tables, the chosen rows.

    Args:
        report: The document.
        labels: Its numbers and anchors.
        context: Names the files.
    """
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
                "All are in {file}.",
                file=Code(_path(block, labels, context)),
            )
            note: Text = (*excerpt.note, " ", *where)
            return replace(block, rows=rows, notes=(note, *block.notes), excerpt=None)
    return block


def _csv(table: Table, plain: PlainPrinter) -> bytes:
    """Return a table with its cells as they are printed; a formula of a spreadsheet's is none."""
    heads = [
        ": ".join(part for text in (column.group, column.title) if (part := plain.print_text(text)))
        for column in table.columns
    ]
    rows = [[str(plain.print_text(cell)) for cell in row.cells] for row in table.rows]
    return _spelled([*map(guarded, row)] for row in (heads, *rows))
