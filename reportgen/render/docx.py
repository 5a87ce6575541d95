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

from reportgen.languages import speaking, tell
from reportgen.records import document as doc
from reportgen.records.errors import MissingExtraError, install_command
from reportgen.render._context import RenderContext
from reportgen.render._csv_tables import for_pages
from reportgen.render._engines import svg_to_png
from reportgen.render._escape import keep_signs
from reportgen.render._formulas import OMML, OMML_NAMESPACE
from reportgen.render._inline import PlainPrinter
from reportgen.render._math import group_lines
from reportgen.render._numbering import Labels
from reportgen.render._spelling import print_number, spell_date

_MOST = 40
"""Letters of a bookmark's name in Word."""
_UNSAFE = re.compile(r"\W")
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_MOMENT = (1980, 1, 1, 0, 0, 0)
_DPI = 220
_INDENT = "\u2003"
_FIXED = "DejaVu Sans Mono"
_NOTHING = "<m:r><m:rPr><m:nor/></m:rPr><m:t>\u00a0</m:t></m:r>"
_LETTERS = 80
"""Letters of a table that stand side by side on a page."""


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
        `<stem>.docx`.

    Raises:
        MissingExtraError: The extra `docx` is not installed.
        EngineError: The engine that makes PNG figures is missing.
    """
    writer = _Writer(report, labels, svg_to_png(figures, dpi=_DPI), context)
    return {f"{context.stem}.docx": _same_bytes(writer.write(report))}


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
        self.report = for_pages(report, labels, context)
        self.lang = report.lang
        self._marks = 0
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
        self.document.add_paragraph().add_run(self.labels.words["glance"]).bold = True
        table = self.document.add_table(rows=0, cols=3)
        rows = [(one.question, one.text, one.where) for one in report.glance]
        for row in rows:
            for cell, words in zip(table.add_row().cells, row, strict=True):
                self.text(cell.paragraphs[0], words)
        self._share(table, rows)

    def _share(self, table: Any, rows: Iterable[Sequence[doc.Text]]) -> None:
        """Give each column room for its longest word, and share what is left by their texts."""
        plain = PlainPrinter(self.labels, self.lang)
        lines = ([keep_signs(plain.print_text(cell)) for cell in row] for row in rows)
        rooms = []
        for texts in zip(*lines, strict=True):
            longest = max(len(word) for text in texts for word in text.split(" "))
            least = 3 + min(longest, _LETTERS // 2)
            rooms.append((least, min(max(map(len, texts)) + 3, _LETTERS) - least))
        left = max(_LETTERS - sum(least for least, _ in rooms), 0)
        share = min(left / max(sum(more for _, more in rooms), 1), 1)
        needs = [least + share * more for least, more in rooms]
        page = self.document.sections[0]
        width = page.page_width - page.left_margin - page.right_margin
        table.autofit = False
        for column, need in zip(table.columns, needs, strict=True):
            column.width = int(width * need / max(sum(needs), _LETTERS / 2))
            for cell in column.cells:
                cell.width = column.width

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
                self.document.add_paragraph().add_run(block.text).font.name = _FIXED
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

    def _caption(self, identifier: str, caption: doc.Text) -> None:
        paragraph = self.document.add_paragraph(style="Caption")
        paragraph.paragraph_format.keep_with_next = True
        self._bookmark(paragraph, identifier)
        paragraph.add_run(f"{self.labels.text(identifier)}. ").bold = True
        self.text(paragraph, caption)

    def _figure(self, figure: doc.Figure) -> None:
        paragraph = self.document.add_paragraph()
        paragraph.paragraph_format.keep_with_next = True
        section = self.document.sections[0]
        width = section.page_width - section.left_margin - section.right_margin
        picture = paragraph.add_run().add_picture(io.BytesIO(self.pictures[figure.id]), width=width)
        # What a screen reader says of the drawing.
        picture._inline.docPr.set("descr", figure.alt)  # noqa: SLF001 - no other way
        caption = self.document.add_paragraph(style="Caption")
        self._bookmark(caption, figure.id)
        caption.add_run(f"{self.labels.text(figure.id)}. ").bold = True
        self.text(caption, figure.caption)

    # --- tables -----------------------------------------------------------------------

    def _table(self, block: doc.Table) -> None:
        self._caption(block.id, block.caption)
        self._rows(block)
        for note in block.notes:
            self.text(self.document.add_paragraph(style="Caption"), note)

    def _rows(self, block: doc.Table) -> None:
        from docx.enum.text import WD_ALIGN_PARAGRAPH
        from docx.shared import Pt

        table = self.document.add_table(rows=1, cols=len(block.columns))
        table.style = "Light Shading"
        table.style.font.size = Pt(9)
        look = table._tbl.tblPr.first_child_found_in("w:tblLook")  # noqa: SLF001
        for key, value in (("firstColumn", "0"), ("noHBand", "1"), ("val", "0620")):
            look.set(f"{{{_W}}}{key}", value)
        with speaking(self.lang):
            heads = [
                (*head.group, tell(": "), *head.title) if head.group else head.title
                for head in block.columns
            ]
        for cell, title in zip(table.rows[0].cells, heads, strict=True):
            self.text(cell.paragraphs[0], title)
        for row in block.rows:
            for cell, words in zip(table.add_row().cells, row.cells, strict=True):
                self.text(cell.paragraphs[0], _strong(row, words))
        for column, made in zip(block.columns, table.columns, strict=True):
            centred = column.align == "center"
            place = WD_ALIGN_PARAGRAPH.CENTER if centred else WD_ALIGN_PARAGRAPH.RIGHT
            for cell in made.cells if column.align != "left" else ():
                cell.paragraphs[0].alignment = place
        self._share(table, [heads, *(row.cells for row in block.rows)])

    def _equations(self, group: doc.EquationGroup) -> None:
        for place, line in enumerate(group_lines(group, self.lang)):
            paragraph = self.document.add_paragraph()
            if not place:
                self._bookmark(paragraph, group.id)
            # A sign that begins a line has something before it, which LibreOffice asks for.
            before = "" if line.left else _NOTHING
            inside = f"<m:oMath>{before}{OMML.line(line, self.lang)}</m:oMath>"
            self._append(paragraph, f"<m:oMathPara>{inside}</m:oMathPara>")
        paragraph.add_run(f" ({self.labels.number(group.id)})")

    # --- texts ------------------------------------------------------------------------

    def text(
        self, paragraph: Any, text: doc.Text, *, bold: bool = False, italic: bool = False
    ) -> None:
        """Add a text to a paragraph."""
        for node in text:
            match node:
                case doc.Number():
                    run = self._run(paragraph, print_number(node, self.lang), bold, italic)
                    self._bookmark_run(paragraph, run, node.id)
                case doc.Math(expression):
                    inside = OMML.spell(expression, self.lang)
                    self._append(paragraph, f"<m:oMath>{inside}</m:oMath>")
                case doc.Code(words):
                    run = self._run(paragraph, words, bold, italic)
                    run.font.name = _FIXED
                case doc.Emphasis(content):
                    self.text(paragraph, content, bold=bold, italic=True)
                case doc.Strong(content):
                    self.text(paragraph, content, bold=True, italic=italic)
                case doc.Link(content, url):
                    self.text(paragraph, content, bold=bold, italic=italic)
                    self._run(paragraph, f" ({url})", bold, italic)
                case _:
                    self._run(paragraph, self._words(node), bold, italic)

    def _words(self, node: str | doc.Ref | doc.Cite | doc.Indent | doc.Mark) -> str:
        match node:
            case doc.Ref(target):
                return self.labels.text(target)
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

    def _bookmark_run(self, paragraph: Any, run: Any, identifier: str) -> None:
        start, end = self._bookmark_ends(identifier)
        if start is not None:
            run._r.addprevious(start)  # noqa: SLF001
            paragraph._p.append(end)  # noqa: SLF001

    def _bookmark(self, paragraph: Any, identifier: str) -> None:
        start, end = self._bookmark_ends(identifier)
        if start is not None:
            paragraph._p.append(start)  # noqa: SLF001
            paragraph._p.append(end)  # noqa: SLF001

    def _bookmark_ends(self, identifier: str) -> tuple[Any, Any]:
        """Return both ends of a bookmark; none where its name was used before."""
        from docx.oxml import parse_xml

        name = bookmark_of(identifier)
        if name in self._named:
            return None, None
        self._named.add(name)
        self._marks += 1
        place = f'xmlns:w="{_W}" w:id="{self._marks}"'
        return (
            parse_xml(f'<w:bookmarkStart {place} w:name="{name}"/>'),
            parse_xml(f"<w:bookmarkEnd {place}/>"),
        )


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
