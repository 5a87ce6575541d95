"""What LaTeX and Typst have in common: how pages divide blocks, tables and figures.

A format gives a `TypesetPrinter`; the templates hold the rest of its spelling.
"""

from __future__ import annotations

import math
import re
from abc import abstractmethod
from collections.abc import Callable, Mapping
from itertools import zip_longest

from reportgen.records import document as doc
from reportgen.render._context import POINTS, RenderContext
from reportgen.render._csv_tables import for_pages, whole_tables
from reportgen.render._escape import clean, keep_signs
from reportgen.render._formulas import Dialect, speak_group
from reportgen.render._inline import InlinePrinter, Raw, split_author
from reportgen.render._math import group_lines
from reportgen.render._numbering import anchor_of
from reportgen.render._pages import BlockWriter
from reportgen.render._tables import (
    ColumnLayout,
    Halves,
    Ruler,
    TableLayout,
    drawn_table,
    is_bold,
    lay_out_on,
    path_lines,
    split_decimal,
    split_rows,
)
from reportgen.render._templates import find_block_template, render_template

FigureFile = tuple[str, float]
_WIDTH = re.compile(rb'\bwidth="([\d.]+)pt"')
# A figure drawn for a whole page is not made smaller than this to fit one of two columns.
_MOST_SHRUNK = 0.8
_MOST_OF_A_PAGE = 0.78
# The first part of a table stands below others on a page they do not fill.
_LESS_OF_A_PAGE = 0.3


class TypesetPrinter(InlinePrinter):
    """An inline printer that also spells what tables, formulas and listings need.

    Attributes:
        figure_ending: Ending of the files of figures.
        marker: Template of a comment line: which block and template the next lines are of.
        formulas: How formulas are spelled.
        escape: Spells running text.
        code: Spells a name in typewriter face.
        newline: What parts the lines of a name in a narrow column.
        indent: Template of the leading space of a table cell, in em.
        drawable: Names the characters that the fonts lack.
        print_title: Spells a heading.
        print_alt: Spells an alternative text.
        print_listing: Spells verbatim lines of so many letters; every space is kept.
    """

    figure_ending: str
    marker: str
    formulas: Dialect
    escape: Callable[[str], str]
    code: Callable[[str], str]
    newline: str
    indent: str
    drawable: Callable[[str], str]
    print_title: Callable[[str], str]
    print_alt: Callable[[str], str]
    print_listing: Callable[[str, int], tuple[str, ...]]

    def _words(self, text: str) -> str:
        return self.escape(keep_signs(text))

    def _code(self, text: str) -> str:
        return self.code(text)

    def _indent(self, depth: int) -> str:
        return self.indent % (1.2 * depth)

    def print_lines(self, lines: tuple[str, ...]) -> str:
        """Spell a name on several lines of a narrow column."""
        return self.newline.join(map(self.code, lines))

    def print_url(self, url: str) -> str:
        """Spell an address as a link."""
        return self._link(self.code(url), url, "")

    @abstractmethod
    def print_decimals(
        self,
        halves: Halves,
        boxes: tuple[tuple[float, float], ...],
        *,
        bold: bool,
        ids: tuple[str, ...] = (),
    ) -> str:
        """Spell a number (or `mean ± std`) in boxes that align its points down the column.

        Args:
            halves: What stands before and behind each point.
            boxes: Widths before and behind it, in em.
            bold: Whether it is set in bold.
            ids: Id of each number, or nothing where they are not known.
        """

    @abstractmethod
    def print_column(self, column: ColumnLayout) -> str: ...


class Typesetter(BlockWriter):
    """Renders blocks as pages.

    Args:
        form: Name of the format and of the folder of its templates.
        printer: How texts are spelled.
        figures: Figure id to SVG.
        context: Templates, theme and names of files.
    """

    def __init__(
        self,
        form: str,
        printer: TypesetPrinter,
        figures: Mapping[str, bytes],
        context: RenderContext,
    ) -> None:
        super().__init__(form, printer.escape, printer, context, theme=context.theme_folder)
        self.printer = printer
        self.figures = figure_files(figures, context, printer.figure_ending)
        self.page = context.page
        # Floats of the first two sections, which a page may hold, stand below the title and text.
        self._sections = 0
        self._in_appendix = False
        self.ruler = Ruler(printer.labels, printer.lang)

    def front(self, report: doc.Report) -> dict[str, object]:
        """Return what the template of a report prints in every format that sets pages."""
        occasion = self.printer.print_text((report.occasion,)) if report.occasion else ""
        return {
            **super().front(report),
            "report": report,
            "page": self.page,
            "words": self.labels.words,
            "signed": [split_author(author) for author in report.authors],
            "occasion": occasion,
            "body": self.inside(for_pages(report, self.labels, self.context).sections, 1),
        }

    def files(self, report: doc.Report, pictures: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return what lies beside the source: figures, and tables that are not printed whole."""
        drawn = {self.figures[name][0]: content for name, content in pictures.items()}
        return drawn | whole_tables(report, self.labels, self.context)

    def inside(self, blocks: tuple[doc.Block, ...], level: int) -> Raw:
        """Return blocks in order, rendered; sections nest.

        A blank line stands between two blocks, but not before equations that a paragraph
        introduces: the two are one paragraph.
        """
        rendered = ""
        for block, following in zip_longest(blocks, blocks[1:]):
            introduces = isinstance(block, doc.Paragraph) and isinstance(
                following, doc.EquationGroup
            )
            rendered += self.block(block, level, introduces=introduces)
            rendered += "" if following is None else "\n" if introduces else "\n\n"
        return Raw(rendered)

    def block(self, block: doc.Block, level: int, *, introduces: bool = False) -> Raw:
        """Return one block, rendered, behind a line that says which it is."""
        name = block.id or doc.BLOCK_KINDS[type(block)]
        template = find_block_template(self.environment, doc.BLOCK_KINDS[type(block)], block.id)
        variables = {**self.variables(block, level), "introduces": introduces}
        rendered = render_template(template, name, variables)
        return Raw(f"{self.printer.marker % (clean(name), template.name or '')}\n{rendered}")

    def variables(self, block: doc.Block, level: int) -> dict[str, object]:
        """Return what the template of a block may print, with where in the report it stands."""
        appendix = isinstance(block, doc.Section) and block.appendix
        common: dict[str, object] = {
            "block": block,
            "id": block.id,
            "anchor": Raw(anchor_of(block.id)),
            "page": self.page,
            "words": self.labels.words,
            "early": self._sections < 2,
            "in_appendix": self._in_appendix,
            "begins_appendix": appendix and not self._in_appendix,
        }
        self._in_appendix |= appendix
        told = common | super().variables(block, level)
        self._sections += isinstance(block, doc.Section)
        return told

    def section(self, section: doc.Section, level: int) -> dict[str, object]:
        return {"level": level, "title": Raw(self.printer.print_title(section.title))}

    def figure(self, figure: doc.Figure) -> dict[str, object]:
        path, width = self.figures[figure.id]
        shrunk = self.page.column * POINTS / width if width else 1.0
        return {
            "path": Raw(path),
            "alt": Raw(self.printer.print_alt(figure.alt)),
            "wide": self.page.columns > 1 and shrunk < _MOST_SHRUNK,
        }

    def listing(self, listing: doc.Listing) -> dict[str, object]:
        return {"lines": [*map(Raw, self.printer.print_listing(listing.text, self.page.letters))]}

    def equations(self, group: doc.EquationGroup) -> dict[str, object]:
        lines = group_lines(group, self.printer.lang, self.page.digits)
        return {
            "lines": [Raw(self.printer.formulas.line(line, self.printer.lang)) for line in lines],
            "alt": Raw(self.printer.print_alt(speak_group(group, self.printer.lang))),
        }

    def reference(self, entry: doc.Reference) -> dict[str, object]:
        return {
            "anchor": Raw(anchor_of(entry.key)),
            "text": self.printer.print_text(entry.text),
            "url": Raw(self.printer.print_url(entry.url)) if entry.url else "",
        }

    def table(self, table: doc.Table) -> dict[str, object]:
        table = drawn_table(table, self.printer.drawable)
        layout, wide = lay_out_on(table, self.ruler, self.page)
        text = self.printer.print_text
        rows = [self._row(row, layout) for row in table.rows]
        parted = layout.long and self.page.columns > 1
        most, first = (
            share * self.page.lines if parted else math.inf
            for share in (_MOST_OF_A_PAGE, _LESS_OF_A_PAGE)
        )
        return {
            "columns": [Raw(self.printer.print_column(column)) for column in layout.columns],
            "heads": [
                {
                    "align": Raw("left" if column.share else _head_align(column)),
                    "wrapped": bool(column.share),
                    "lines": [text(line) for line in column.head],
                }
                for column in layout.columns
            ],
            "spans": [
                {
                    "text": Raw(" ".join(text(line) for line in span.lines)),
                    "lines": [text(line) for line in span.lines],
                    "start": span.start,
                    "stop": span.stop,
                }
                for span in layout.spans
            ],
            "rows": rows,
            "parts": [rows[start:stop] for start, stop in split_rows(layout.rows, most, first)],
            "wide": wide and self.page.columns > 1,
            "size": layout.size,
            "gap": layout.gap,
            "lines": layout.lines,
            "long": layout.long,
            "wrapped": layout.wrapped,
        }

    def _row(self, row: doc.TableRow, layout: TableLayout) -> dict[str, object]:
        cells = zip(row.cells, layout.columns, strict=True)
        return {"kind": row.kind, "cells": [self._cell(row, cell, col) for cell, col in cells]}

    def _cell(self, row: doc.TableRow, cell: doc.Text, column: ColumnLayout) -> Raw:
        if column.align == "decimal":
            halves = split_decimal(self.ruler.print_text(cell), self.ruler.lang)
            if halves is not None:
                bold = is_bold(row, cell)
                names = tuple(node.id for node in doc.inlines(cell) if isinstance(node, doc.Number))
                ids = names if len(names) == len(halves) else ()
                return Raw(self.printer.print_decimals(halves, column.boxes, bold=bold, ids=ids))
        match cell:
            case (doc.Code(name),) if column.share and len(clean(name)) > column.letters:
                return Raw(self.printer.print_lines(path_lines(name, column.letters)))
        content: doc.Text = (doc.Strong(cell),) if row.kind == "summary" and cell else cell
        return self.printer.print_text(content)


def _head_align(column: ColumnLayout) -> str:
    return "center" if column.align == "decimal" else column.align


def figure_files(
    figures: Mapping[str, bytes], context: RenderContext, ending: str
) -> dict[str, FigureFile]:
    """Return figure id to the path of its file and the width that its SVG states, in points.

    Example:
        >>> figure_files({"curves": b'<svg width="72.5pt"/>'}, RenderContext(), "pdf")
        {'curves': ('report_files/curves.pdf', 72.5)}
    """
    widths = {name: _WIDTH.search(svg[:1000]) for name, svg in figures.items()}
    return {
        name: (context.figure_path(anchor_of(name), ending), float(found[1]) if found else 0.0)
        for name, found in widths.items()
    }
