"""What LaTeX and Typst have in common: blocks to template variables, templates to pages.

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
from reportgen.render._inline import InlinePrinter, Raw, items_of, split_author
from reportgen.render._math import group_lines
from reportgen.render._numbering import anchor_of
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
from reportgen.render._templates import find_block_template, make_environment, render_template

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


class Typesetter:
    """Renders blocks with templates.

    Args:
        form: Name of the format and of the folder of its templates.
        escape: Spells a plain string.
        printer: How texts are spelled.
        figures: Figure id to SVG.
        context: Templates, theme and names of files.
    """

    def __init__(
        self,
        form: str,
        escape: Callable[[str], str],
        printer: TypesetPrinter,
        figures: Mapping[str, bytes],
        context: RenderContext,
    ) -> None:
        self.environment = make_environment(
            form, escape, context.template_dirs, theme=context.theme_folder
        )
        self.printer = printer
        self.context = context
        self.figures = figure_files(figures, context, printer.figure_ending)
        self.page = context.page
        # Floats of the first two sections, which a page may hold, stand below the title and text.
        self._sections = 0
        self._in_appendix = False
        self.ruler = Ruler(printer.labels, printer.lang)

    def front(self, report: doc.Report) -> dict[str, object]:
        """Return what the template of a report prints in every format that sets pages."""
        text = self.printer.print_text
        return {
            "report": report,
            "page": self.page,
            "words": self.printer.labels.words,
            "signed": [split_author(author) for author in report.authors],
            "abstract": text(report.abstract),
            "occasion": text((report.occasion,)) if report.occasion else "",
            "glance": [
                {"question": text(one.question), "text": text(one.text), "where": text(one.where)}
                for one in report.glance
            ],
            "body": self.render_blocks(
                for_pages(report, self.printer.labels, self.context).sections
            ),
        }

    def files(self, report: doc.Report, pictures: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return what lies beside the source: figures, and tables that are not printed whole."""
        drawn = {self.figures[name][0]: content for name, content in pictures.items()}
        return drawn | whole_tables(report, self.printer.labels, self.context)

    def render_blocks(self, blocks: tuple[doc.Block, ...], level: int = 1) -> Raw:
        """Render blocks in order; sections nest.

        A blank line stands between two blocks, but not before equations that a paragraph
        introduces: the two are one paragraph.

        Args:
            blocks: What is rendered.
            level: Depth of sections among them, from 1.
        """
        rendered = ""
        for block, following in zip_longest(blocks, blocks[1:]):
            introduces = isinstance(block, doc.Paragraph) and isinstance(
                following, doc.EquationGroup
            )
            rendered += self._render(block, level, introduces=introduces)
            rendered += "" if following is None else "\n" if introduces else "\n\n"
        return Raw(rendered)

    def _render(self, block: doc.Block, level: int, *, introduces: bool = False) -> str:
        name = block.id or doc.BLOCK_KINDS[type(block)]
        template = find_block_template(self.environment, doc.BLOCK_KINDS[type(block)], block.id)
        variables = {**self._variables(block, level), "introduces": introduces}
        rendered = render_template(template, name, variables)
        return f"{self.printer.marker % (clean(name), template.name or '')}\n{rendered}"

    def _variables(self, block: doc.Block, level: int) -> dict[str, object]:
        text = self.printer.print_text
        common: dict[str, object] = {
            "block": block,
            "id": block.id,
            "anchor": Raw(anchor_of(block.id)),
            "page": self.page,
            "words": self.printer.labels.words,
            "early": self._sections < 2,
            "in_appendix": self._in_appendix,
        }
        match block:
            case doc.Section():
                title = Raw(self.printer.print_title(block.title))
                begins = block.appendix and not self._in_appendix
                self._in_appendix |= block.appendix
                inside = self.render_blocks(block.blocks, level + 1)
                self._sections += 1
                place = {"level": level, "begins_appendix": begins}
                return {**common, **place, "title": title, "blocks": inside}
            case doc.Paragraph():
                return {**common, "text": text(block.text)}
            case doc.Bullets():
                items = [self._item(item, below, level) for item, below in items_of(block)]
                return {**common, "start": block.start, "items": items}
            case doc.EquationGroup():
                return {**common, **self._equations(block)}
            case doc.Table():
                return {**common, "caption": text(block.caption), **self._table(block)}
            case doc.Figure():
                return {**common, "caption": text(block.caption), **self._figure(block)}
            case doc.Listing():
                lines = [Raw(line) for line in self._listing(block.text)]
                return {**common, "caption": text(block.caption), "lines": lines}
            case doc.References():
                return {**common, "entries": self._references(block)}

    def _item(self, text: doc.Text, below: tuple[doc.Bullets, ...], level: int) -> Raw:
        inner = [self._render(each, level) for each in below]
        return Raw("\n".join([self.printer.print_text(text), *inner]))

    def _figure(self, block: doc.Figure) -> dict[str, object]:
        path, width = self.figures[block.id]
        shrunk = self.page.column * POINTS / width if width else 1.0
        return {
            "path": Raw(path),
            "alt": Raw(self.printer.print_alt(block.alt)),
            "wide": self.page.columns > 1 and shrunk < _MOST_SHRUNK,
        }

    def _listing(self, text: str) -> tuple[str, ...]:
        return self.printer.print_listing(text, self.page.letters)

    def _equations(self, group: doc.EquationGroup) -> dict[str, object]:
        lines = group_lines(group, self.printer.lang, self.page.digits)
        return {
            "lines": [Raw(self.printer.formulas.line(line, self.printer.lang)) for line in lines],
            "alt": Raw(self.printer.print_alt(speak_group(group, self.printer.lang))),
        }

    def _references(self, block: doc.References) -> list[dict[str, object]]:
        return [
            {
                "anchor": Raw(anchor_of(entry.key)),
                "text": self.printer.print_text(entry.text),
                "url": Raw(self.printer.print_url(entry.url)) if entry.url else "",
            }
            for entry in block.entries
        ]

    def _table(self, table: doc.Table) -> dict[str, object]:
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
            "notes": [text(note) for note in table.notes],
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
            halves = split_decimal(self.ruler.plain(cell), self.ruler.lang)
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
