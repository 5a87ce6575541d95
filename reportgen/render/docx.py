"""A report for Word: real tables, figures as PNG, formulas of Word, each number with a bookmark.

A number's bookmark leads from the page to its entry in report.json: `bookmark_of` makes its name
of the number's id.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from reportgen.records import document as doc
from reportgen.records.errors import MissingExtraError, install_command
from reportgen.records.record import replace
from reportgen.render._context import POINTS, Page, RenderContext
from reportgen.render._csv_tables import for_pages, whole_tables
from reportgen.render._engines import svg_to_png
from reportgen.render._escape import keep_signs
from reportgen.render._formulas import OMML, OMML_NAMESPACE
from reportgen.render._math import group_lines
from reportgen.render._numbering import Labels
from reportgen.render._spelling import print_number, spell_date
from reportgen.render._tables import Ruler, TableLayout, lay_out_on

_MOST = 40
"""Letters of a bookmark's name in Word."""
_UNSAFE = re.compile(r"\W")
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_MOMENT = (1980, 1, 1, 0, 0, 0)
_DPI = 220
_INDENT = "\u2003"
_TEXT, _FIXED = "Times New Roman", "Courier New"
_FIXED_SIZE = 0.88
"""Size of typewriter face beside that of the text around it."""
_GREY = "F3F3F3"
_THICK, _THIN = 8, 4
"""Rules of tables, in eighths of a point."""
_WIDER, _PADDING = 1.12, 12.0
"""Type of unlike programs is up to so much wider; points left and right of a cell's text."""
_GLANCE = (0.16, 0.7, 0.14)
"""Parts of the width: question, answer, section."""


def bookmark_of(identifier: str) -> str:
    """Return the name of the bookmark of a number or block.

    Example:
        >>> bookmark_of("results.table"), len(bookmark_of("x" * 90))
        ('rg_results_table', 40)
    """
    name = f"rg_{_UNSAFE.sub('_', identifier)}"
    if len(name) <= _MOST:
        return name
    return f"{name[: _MOST - 9]}_{sha256(identifier.encode()).hexdigest()[:8]}"


def render(
    report: doc.Report, labels: Labels, figures: Mapping[str, bytes], context: RenderContext
) -> dict[str, bytes]:
    """Render a report as a document of Word; the same input gives the same bytes.

    Returns:
        `<stem>.docx`, and a CSV file of each table that it does not print whole.

    Raises:
        MissingExtraError: The extra `docx` is not installed.
        EngineError: The engine that makes PNG figures is missing.
    """
    writer = _Writer(report, labels, svg_to_png(figures, dpi=_DPI), context)
    file = {f"{context.stem}.docx": _same_bytes(writer.write(report))}
    return file | whole_tables(report, labels, context)


def _document() -> Any:
    try:
        from docx import Document
    except ImportError as fault:
        raise MissingExtraError(
            "python-docx is not installed", remedy=install_command("docx")
        ) from fault
    return Document()


class _Writer:
    """Puts blocks into one document of python-docx, in reading order."""

    def __init__(
        self,
        report: doc.Report,
        labels: Labels,
        pictures: Mapping[str, bytes],
        context: RenderContext,
    ) -> None:
        self.document = _document()
        self.labels, self.pictures = labels, pictures
        self.page = replace(context.page, columns=1)
        self.ruler = Ruler(labels, report.lang)
        _set_page(self.document, self.page)
        self.report = for_pages(report, labels, context)
        self.lang = report.lang
        self._named: set[str] = set()

    def write(self, report: doc.Report) -> bytes:
        """Return the file."""
        from docx.enum.text import WD_ALIGN_PARAGRAPH

        properties = self.document.core_properties
        properties.title, properties.author = report.title, ", ".join(report.authors)
        properties.comments, properties.language = "", report.lang
        self.document.add_heading(report.title, 0)
        day = spell_date(report.date, report.lang) if report.date else ""
        byline = " · ".join(part for part in (*report.authors, report.occasion, day) if part)
        if byline:
            self.document.add_paragraph(byline).alignment = WD_ALIGN_PARAGRAPH.CENTER
        if report.glance:
            self._glance(report)
        if report.abstract:
            paragraph = self.document.add_paragraph()
            paragraph.add_run(f"{self.labels.words['abstract']}. ").bold = True
            self.text(paragraph, report.abstract)
        for section in self.report.sections:
            self.block(section, 1)
        buffer = io.BytesIO()
        self.document.save(buffer)
        return buffer.getvalue()

    def _glance(self, report: doc.Report) -> None:
        title = self.document.add_paragraph()
        title.paragraph_format.keep_with_next = True
        title.add_run(self.labels.words["glance"]).bold = True
        widths = [share * self.page.text * POINTS for share in _GLANCE]
        table = self._grid(len(report.glance), widths)
        for row, one in zip(table.rows, report.glance, strict=True):
            for cell, words in zip(row.cells, (one.question, one.text, one.where), strict=True):
                self.text(self._in_cell(cell, self.page.size - 1), words)
                _mark(cell._tc.get_or_add_tcPr(), "shd", val="clear", fill=_GREY)  # noqa: SLF001

    def block(self, block: doc.Block, level: int) -> None:
        """Add one block."""
        match block:
            case doc.Section():
                number = self.labels.number(block.id)
                heading = self.document.add_heading(f"{number}  {block.title}", min(level, 4))
                self._bookmark(heading, block.id)
                for child in block.blocks:
                    self.block(child, level + 1)
            case doc.Paragraph():
                self.text(self.document.add_paragraph(), block.text)
            case doc.Bullets():
                self._bullets(block)
            case doc.EquationGroup():
                self._equations(block)
            case doc.Table():
                self._table(block)
            case doc.Figure():
                self._figure(block)
            case doc.Listing():
                self._caption(block.id, block.caption)
                self._fixed(self.document.add_paragraph(), block.text)
            case doc.References():
                self._references(block)

    def _references(self, block: doc.References) -> None:
        for entry in block.entries:
            paragraph = self.document.add_paragraph()
            paragraph.add_run(f"[{self.labels.cite(entry.key)}] ")
            self.text(paragraph, entry.text)
            if entry.url:
                paragraph.add_run(f" {entry.url}")

    def _bullets(self, block: doc.Bullets) -> None:
        style = "List Bullet" if block.start is None else "List Number"
        for place, item in enumerate(block.items):
            self.text(self.document.add_paragraph(style=style), item)
            for inner in block.inner[place] if block.inner else ():
                self._bullets(inner)

    def _caption(self, identifier: str, caption: doc.Text, *, below: bool = False) -> None:
        paragraph = self.document.add_paragraph(style="Caption")
        paragraph.paragraph_format.keep_with_next = None if below else True
        self._bookmark(paragraph, identifier)
        paragraph.add_run(f"{self.labels.text(identifier)}. ").bold = True
        self.text(paragraph, caption)

    def _figure(self, figure: doc.Figure) -> None:
        from docx.shared import Mm

        paragraph = self.document.add_paragraph()
        paragraph.paragraph_format.keep_with_next = True
        picture = paragraph.add_run().add_picture(
            io.BytesIO(self.pictures[figure.id]), width=Mm(self.page.text)
        )
        # What a screen reader says of the drawing.
        picture._inline.docPr.set("descr", figure.alt)  # noqa: SLF001 - no other way
        self._caption(figure.id, figure.caption, below=True)

    # --- tables -----------------------------------------------------------------------

    def _table(self, block: doc.Table) -> None:
        self._caption(block.id, block.caption)
        self._rows(block)
        for note in block.notes:
            self.text(self.document.add_paragraph(style="Caption"), note)

    def _rows(self, block: doc.Table) -> None:
        layout, _ = lay_out_on(block, self.ruler, self.page)
        heads = 2 if layout.spans else 1
        table = self._grid(heads + len(block.rows), self._widths(block, layout))
        rows = list(table.rows)
        for row in rows[:heads]:
            _mark(row._tr.get_or_add_trPr(), "tblHeader")  # noqa: SLF001
        for span in layout.spans:
            cells = rows[0].cells[span.start : span.stop]
            cell = cells[0].merge(cells[-1])
            self._cell(cell, block.columns[span.start].group, "center", layout.size)
            if span.stop - span.start > 1:
                _rule([cell], "bottom", _THIN)
        for cell, head in zip(rows[heads - 1].cells, block.columns, strict=True):
            self._cell(cell, head.title, head.align, layout.size)
        for row, told in zip(rows[heads:], block.rows, strict=True):
            if told.kind == "total":
                _rule(row.cells, "top", _THIN)
            for cell, words, column in zip(row.cells, told.cells, block.columns, strict=True):
                self._cell(cell, _strong(told, words), column.align, layout.size)
        for row in () if layout.long else rows[:-1]:
            for cell in row.cells:
                cell.paragraphs[0].paragraph_format.keep_with_next = True
        _rule(rows[0].cells, "top", _THICK)
        _rule(rows[heads - 1].cells, "bottom", _THIN)
        _rule(rows[-1].cells, "bottom", _THICK)

    def _widths(self, block: doc.Table, layout: TableLayout) -> list[float]:
        """Return the width of each column in points; together at most that of the text."""
        ruler, room = self.ruler, self.page.text * POINTS
        widths = []
        for at, column in enumerate(layout.columns):
            texts = (*column.head, *(_strong(row, row.cells[at]) for row in block.rows))
            natural = max(map(ruler.width, texts), default=0.0) * layout.size * _WIDER + _PADDING
            widths.append(column.share * room or natural)
        return [width * min(1.0, room / sum(widths)) for width in widths]

    def _grid(self, rows: int, widths: Sequence[float]) -> Any:
        """Add a table without rules, in the middle of the page."""
        from docx.enum.table import WD_TABLE_ALIGNMENT
        from docx.shared import Pt

        table = self.document.add_table(rows=rows, cols=len(widths))
        table.alignment, table.autofit = WD_TABLE_ALIGNMENT.CENTER, False
        for column, width in zip(table.columns, widths, strict=True):
            column.width = Pt(width)
        for row in table.rows:
            _mark(row._tr.get_or_add_trPr(), "cantSplit")  # noqa: SLF001
            for cell, width in zip(row.cells, widths, strict=True):
                cell.width = Pt(width)
        return table

    def _cell(self, cell: Any, words: doc.Text, align: str, size: float) -> None:
        paragraph = self._in_cell(cell, size)
        paragraph.alignment = _alignment("right" if align == "decimal" else align)
        self.text(paragraph, words)

    def _in_cell(self, cell: Any, size: float) -> Any:
        """Return the paragraph of a cell, in the style for its size of type."""
        from docx.enum.style import WD_STYLE_TYPE
        from docx.shared import Pt

        name, styles = f"Table {size:g}", self.document.styles
        if name not in styles:
            style = styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
            style.base_style, style.font.size = styles["Normal"], Pt(size)
            style.paragraph_format.space_before = style.paragraph_format.space_after = Pt(1)
        cell.paragraphs[0].style = styles[name]
        return cell.paragraphs[0]

    def _equations(self, group: doc.EquationGroup) -> None:
        from docx.enum.text import WD_TAB_ALIGNMENT
        from docx.shared import Mm

        lines = group_lines(group, self.lang, self.page.digits)
        for place, line in enumerate(lines):
            paragraph = self.document.add_paragraph()
            paragraph.paragraph_format.keep_with_next = place < len(lines) - 1
            paragraph.paragraph_format.left_indent = Mm(self.page.text / 8)
            if place == 0:
                self._bookmark(paragraph, group.id)
            side = '<m:oMathParaPr><m:jc m:val="left"/></m:oMathParaPr>'
            under = "" if line.left else OMML.indent(2)
            inside = f"<m:oMath>{under}{OMML.line(line, self.lang)}</m:oMath>"
            self._append(paragraph, f"<m:oMathPara>{side}{inside}</m:oMathPara>")
        tabs = paragraph.paragraph_format.tab_stops
        tabs.add_tab_stop(Mm(self.page.text), WD_TAB_ALIGNMENT.RIGHT)
        paragraph.add_run(f"\t({self.labels.number(group.id)})")

    # --- texts ------------------------------------------------------------------------

    def text(
        self, paragraph: Any, text: doc.Text, *, bold: bool = False, italic: bool = False
    ) -> None:
        """Add a text to a paragraph."""
        for node in text:
            match node:
                case doc.Number():
                    run = self._run(paragraph, print_number(node, self.lang), bold, italic)
                    self._bookmark(paragraph, node.id, run)
                case doc.Math(expression):
                    inside = OMML.spell(expression, self.lang)
                    self._append(paragraph, f"<m:oMath>{inside}</m:oMath>")
                case doc.Code(words):
                    self._fixed(paragraph, words, bold, italic)
                case doc.Ref(target):
                    run = self._run(paragraph, self.labels.text(target), bold, italic)
                    anchor = bookmark_of(target)
                    link = _mark(paragraph._p, "hyperlink", anchor=anchor)  # noqa: SLF001
                    link.append(run._r)  # noqa: SLF001
                case doc.Emphasis(content):
                    self.text(paragraph, content, bold=bold, italic=True)
                case doc.Strong(content):
                    self.text(paragraph, content, bold=True, italic=italic)
                case doc.Link(content, url):
                    self.text(paragraph, content, bold=bold, italic=italic)
                    self._run(paragraph, f" ({url})", bold, italic)
                case _:
                    self._run(paragraph, self._words(node), bold, italic)

    def _fixed(self, paragraph: Any, words: str, bold: bool = False, italic: bool = False) -> None:
        from docx.shared import Pt

        run = self._run(paragraph, words, bold, italic)
        size = paragraph.style.font.size or Pt(self.page.size)
        run.font.name, run.font.size = _FIXED, int(size * _FIXED_SIZE)

    def _words(self, node: str | doc.Cite | doc.Indent | doc.Mark) -> str:
        match node:
            case doc.Cite(key):
                return f"[{self.labels.cite(key)}]"
            case doc.Indent(depth):
                return _INDENT * depth
            case doc.Mark(sign):
                return sign
        return keep_signs(node)

    def _run(self, paragraph: Any, words: str, bold: bool, italic: bool) -> Any:
        run = paragraph.add_run(_clean(words))
        run.bold, run.italic = bold or None, italic or None
        return run

    # --- markup that python-docx has no words for -------------------------------------

    def _append(self, paragraph: Any, markup: str) -> None:
        from docx.oxml import parse_xml

        opened = markup.replace(">", f' xmlns:m="{OMML_NAMESPACE}">', 1)
        paragraph._p.append(parse_xml(opened))  # noqa: SLF001

    def _bookmark(self, paragraph: Any, identifier: str, run: Any = None) -> None:
        """Put a bookmark around a run, or at the end; none where its name was used before."""
        from docx.oxml import parse_xml

        name = bookmark_of(identifier)
        if name in self._named:
            return
        self._named.add(name)
        place = f'xmlns:w="{_W}" w:id="{len(self._named)}"'
        start = parse_xml(f'<w:bookmarkStart {place} w:name="{name}"/>')
        (run._r.addprevious if run is not None else paragraph._p.append)(start)  # noqa: SLF001
        paragraph._p.append(parse_xml(f"<w:bookmarkEnd {place}/>"))  # noqa: SLF001


def _set_page(document: Any, page: Page) -> None:
    """Set paper, margins and styles: black on white, one family of type."""
    from docx.shared import Mm, Pt, RGBColor

    section = document.sections[0]
    section.page_width, section.page_height = Mm(page.width), Mm(page.height)
    section.left_margin = section.right_margin = Mm(page.side)
    section.top_margin, section.bottom_margin = Mm(page.top), Mm(page.bottom)
    sizes = {"Normal": 0.0, "Caption": -1.0, "Title": 7.0}
    sizes |= {f"Heading {level}": 4.0 - level for level in range(1, 5)}
    for name, more in sizes.items():
        style = document.styles[name]
        style.font.size, style.font.color.rgb = Pt(page.size + more), RGBColor(0, 0, 0)
        style.font.name = _TEXT
        if name != "Normal":
            style.font.bold = name.startswith("Heading")
        fonts = style.element.rPr.rFonts
        for key in [key for key in fonts.attrib if key.endswith("Theme")]:
            del fonts.attrib[key]
        style.paragraph_format.space_before = Pt(4 + 2 * max(more, 0))
        style.paragraph_format.space_after = Pt(3)
        style.paragraph_format.line_spacing = 1.05
    title = document.styles["Title"]
    title.paragraph_format.alignment = _alignment("center")
    for rule in title.element.xpath("w:pPr/w:pBdr"):
        rule.getparent().remove(rule)


def _alignment(name: str) -> Any:
    from docx.enum.text import WD_ALIGN_PARAGRAPH

    return getattr(WD_ALIGN_PARAGRAPH, name.upper())


def _mark(parent: Any, name: str, **values: str) -> Any:
    """Add an element of Word's below another."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    made = OxmlElement(f"w:{name}")
    for key, value in values.items():
        made.set(qn(f"w:{key}"), value)
    parent.append(made)
    return made


def _rule(cells: Iterable[Any], edge: str, eighths: int) -> None:
    """Draw a rule above or below cells."""
    for cell in cells:
        properties = cell._tc.get_or_add_tcPr()  # noqa: SLF001
        found = properties.xpath("w:tcBorders")
        borders = found[0] if found else _mark(properties, "tcBorders")
        made = _mark(borders, edge, val="single", sz=str(eighths), space="0", color="000000")
        if edge == "top":  # Word wants the edges in this order.
            borders.insert(0, made)


def _strong(row: doc.TableRow, words: doc.Text) -> doc.Text:
    return (doc.Strong(words),) if row.kind == "summary" and words else words


def _clean(words: str) -> str:
    """Return words without characters that XML forbids."""
    return "".join(c for c in words if c in "\t\n" or (c >= " " and not "\ud800" <= c <= "\udfff"))


def _same_bytes(content: bytes) -> bytes:
    """Return an archive whose bytes depend on nothing but what is in it."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as made,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for name in made.namelist():
            entry = zipfile.ZipInfo(name, _MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, made.read(name))
    return out.getvalue()
