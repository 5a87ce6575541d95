"""A written report as blocks of clean text that still know where each character stands."""

from __future__ import annotations

from reportgen.records.record import record
from reportgen.records.source import Problem

BLOCK_TYPES = (
    *("heading", "paragraph", "item", "table", "equation", "code", "output"),
    *("caption", "reference"),
)


@record
class Place:
    r"""Where something stands in the file that its author wrote.

    Attributes:
        line: Line of the file from 1; in a PDF, of the page; in a notebook, of the cell.
        column: First character from 1.
        end_column: The one behind the last.
        page: Page of a PDF from 1; None elsewhere.
        file: Another file than the report's own (`\input`), or the cell of a notebook
            (`cell 3`); else empty.
    """

    line: int
    column: int = 1
    end_column: int = 1
    page: int | None = None
    file: str = ""

    def __str__(self) -> str:
        inside = f"{self.file}, " if self.file else ""
        page = f"page {self.page}, " if self.page is not None else ""
        return f"{inside}{page}line {self.line}"


@record
class Line:
    r"""One line of the report without its markup.

    Emphasis, links, list marks and commands of layout are gone, escapes (`\_`, `\%`, `~`)
    are resolved. Mathematics keeps its LaTeX spelling between dollar signs.

    Attributes:
        text: What a reader sees.
        number: Line of the file, from 1.
        columns: Column in the file (from 1) of each character of `text`; empty where
            the text stands as it was written.
    """

    text: str
    number: int
    page: int | None = None
    file: str = ""
    columns: tuple[int, ...] = ()

    def place(self, start: int = 0, end: int | None = None) -> Place:
        """Return the place of `text[start:end]`.

        Example:
            >>> line = Line(text="r = 16", number=3, columns=(3, 6, 7, 8, 9, 10))
            >>> line.place(4, 6)
            Place(line=3, column=9, end_column=11, page=None, file='')
        """
        end = len(self.text) if end is None else end
        first, last = start + 1, max(start, end - 1) + 1
        if self.columns:
            final = len(self.columns) - 1
            first, last = self.columns[min(start, final)], self.columns[min(last - 1, final)]
        stop = last + 1 if end > start else first
        return Place(
            line=self.number, column=first, end_column=stop, page=self.page, file=self.file
        )


@record
class Cell:
    """One cell of a table: a piece of one line.

    Attributes:
        text: Clean text, stripped.
        line: The line it stands in.
        start: Where in the line's text it begins.
        span: Columns it covers; 0 where it repeats a cell that reaches here from the left or
            from above, so that rows are rectangular and no number is read twice.
    """

    text: str
    line: Line
    start: int = 0
    span: int = 1

    def place(self, start: int = 0, end: int | None = None) -> Place:
        """Return the place of `text[start:end]`."""
        end = len(self.text) if end is None else end
        return self.line.place(self.start + start, self.start + end)


@record
class Block:
    """A paragraph, heading, list item, table, equation, listing, caption.

    Attributes:
        type: One of `BLOCK_TYPES`; `output` is what a notebook's cell printed,
            `reference` an entry of the bibliography.
        lines: Its lines, in order.
        rows: Of a table: cells, row by row, heads included.
        head: Of a table: how many of its first rows are heads.
        caption: Of a table or figure: the text of its caption, or empty.
        level: Of a heading: its depth from 1. Of an item: how deep it is nested.
    """

    type: str
    lines: tuple[Line, ...]
    rows: tuple[tuple[Cell, ...], ...] = ()
    head: int = 0
    caption: str = ""
    level: int = 0

    @property
    def text(self) -> str:
        r"""The lines, joined by `\n`: claims count their characters in this text."""
        return "\n".join(line.text for line in self.lines)

    def place(self, start: int, end: int) -> Place:
        """Return the place of `text[start:end]`, as far as its first line goes."""
        offset = 0
        for line in self.lines:
            stop = offset + len(line.text)
            if start <= stop:
                return line.place(start - offset, min(end, stop) - offset)
            offset = stop + 1
        return self.lines[-1].place()


@record
class Named:
    r"""A number whose source says which one of a built report it is.

    Attributes:
        id: As the source has it: `\rgnum{best_step.a.0.report_value}{79.9}`.
        text: What a reader sees of it.
        place: Where that stands.
    """

    id: str
    text: str
    place: Place


@record
class Manuscript:
    """One written report, read.

    Attributes:
        path: As the user named it.
        format: Name of the reader (`markdown`, `latex`, `pdf`, `notebook`, `plain`).
        sha256: Hex digest of the file.
        blocks: In reading order.
        pages: Of a PDF.
        problems: What could not be read, and limits that were met.
        named: Numbers that carry the id they have in a built report, in reading order.
    """

    path: str
    format: str
    sha256: str
    blocks: tuple[Block, ...]
    pages: int = 0
    problems: tuple[Problem, ...] = ()
    named: tuple[Named, ...] = ()
