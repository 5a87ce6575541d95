"""Lines of a text, also of the outputs that a notebook saved."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from html.parser import HTMLParser
from typing import Any

from reportgen.read.logs._cut import utf8_chunks
from reportgen.read.logs._table import CLOCK_WORDS, read_cell
from reportgen.read.logs._words import plain_word
from reportgen.read.logs.files import FileReader, read_bounded

LINE_LIMIT = 1 << 20
"""Longer lines are no rows; only their beginning is looked at."""

Located = tuple[int, int, bytes]
"""Number of a line, its first byte, and what it holds."""


def lines_of(reader: FileReader, name: str) -> Iterator[Located]:
    """Yield the lines of a text, or of the outputs that a notebook saved."""
    is_notebook = name.endswith(".ipynb")
    return notebook_lines(read_bounded(reader)) if is_notebook else text_lines(reader)


def text_lines(reader: FileReader) -> Iterator[Located]:
    """Yield the lines of a text; a progress bar's carriage returns end lines too."""
    rest, offset, number = b"", 0, 1
    for chunk in utf8_chunks(reader.chunks())[0]:
        parts = re.split(rb"(?<=[\r\n])", rest + chunk)
        rest = parts.pop()
        for part in parts:
            yield number, offset, part
            offset += len(part)
            number += part.endswith(b"\n")
        if len(rest) > LINE_LIMIT:
            yield number, offset, rest[:LINE_LIMIT]
            offset, rest = offset + len(rest), b""
    if rest:
        yield number, offset, rest


def notebook_lines(content: bytes) -> Iterator[Located]:
    """Yield the lines of a notebook's saved outputs: its texts, and a line a row of its tables."""
    tables: set[str] = set()
    try:
        cells = json.loads(content)["cells"]
        texts = [_text_of(output, tables) for cell in cells for output in cell.get("outputs", [])]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return
    for number, line in enumerate("\n".join(filter(None, texts)).splitlines()):
        # JSON may spell half a letter.
        yield number + 1, number, line.encode("utf-8", "replace")


def _text_of(output: Mapping[str, Any], tables: set[str]) -> str:
    """Return the text of an output, empty for a table that was shown before."""
    if output.get("output_type") == "stream":
        return "".join(output.get("text", []))
    page = "".join(output.get("data", {}).get("text/html", []))
    if "<th" not in page or len(page) > LINE_LIMIT or page in tables:
        return ""
    tables.add(page)
    return "\n".join(_table_lines(page))


def _table_lines(page: str) -> Iterator[str]:
    """Yield a line a row of a table in HTML whose first column counts; what it names is said.

    Source: transformers, `utils/notebook.py` (`text_to_html_table`); fastai, `callback/progress.py`
    through fastprogress, `fastprogress.py` (`text2html_table`).
    """
    table = _Table()
    table.feed(page)
    header, *rows = table.rows or [[]]
    if not header or plain_word(header[0]) not in CLOCK_WORDS:
        return
    program = next((name for name, mark in _SHOWN_BY.items() if mark(page, header)), "")
    for row in rows:
        told = ((name, read_cell(cell)) for name, cell in zip(header, row, strict=False))
        cells = {name.lower(): cell for name, cell in told if cell is not None}
        cells.setdefault("step", cells.get("epoch", 0.0))
        yield f"{program}{json.dumps(cells)}"


_SHOWN_BY: Mapping[str, Callable[[str, list[str]], bool]] = {
    "NotebookProgressCallback: ": lambda page, _: "<progress" in page,
    "fastprogress: ": lambda _, header: header[1:3] == ["train_loss", "valid_loss"],
}
"""What shows a table in a notebook, as a row of it begins, and how it is told."""


class _Table(HTMLParser):
    """The cells of the tables of a page, row by row."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._is_cell = False

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        """Begin a row or a cell."""
        if tag == "tr":
            self.rows.append([])
        self._is_cell = tag in {"td", "th"} and bool(self.rows)
        if self._is_cell:
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        """Take the text of a cell."""
        if self._is_cell:
            self.rows[-1][-1] += data.strip()
