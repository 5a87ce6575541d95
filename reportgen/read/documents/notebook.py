"""Jupyter notebooks: their text, their code, and what the code printed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reportgen.read.documents._blocks import Part, printed_blocks, split_blocks
from reportgen.read.documents._html import html_tables, opens_table
from reportgen.read.documents._markdown import markdown_parts
from reportgen.read.documents._read import Limits, decode, digest, lines_of, read_bytes
from reportgen.records.errors import EvidenceError
from reportgen.records.manuscript import Block, Line, Manuscript
from reportgen.records.source import Problem

_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPE_CODE = re.compile(r"\x1b\[[0-9;?]{0,20}[A-Za-z]")
_PROGRESS = re.compile(r"\d{1,3}%\|")
_REMEDY = "save the notebook again in Jupyter, or export it as Markdown"


def read_notebook(path: Path, limits: Limits) -> Manuscript:
    """Read a notebook; places in it name the cell, counted from 1, and the line in it.

    Raises:
        EvidenceError: The file is missing, too large, or no notebook.
    """
    content = read_bytes(path, limits)
    name = str(path)
    text, problems = decode(content, name)
    reader = _Reader(path=name, limits=limits, problems=problems)
    for number, cell in enumerate(_cells(text, name), 1):
        if reader.left <= 0:
            reader.tell(
                f"is longer than what is read: cells from {number} on were left out and not checked"
            )
            break
        reader.take(cell, number)
    return Manuscript(
        path=name,
        format="notebook",
        sha256=digest(content),
        blocks=split_blocks(reader.parts),
        problems=tuple(reader.problems),
    )


def _cells(text: str, name: str) -> list[object]:
    """Return the cells of a notebook of version 3 or 4.

    Raises:
        EvidenceError: The text is no notebook.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "its JSON"
        raise EvidenceError(f"{name} is damaged at {where}: {error}", remedy=_REMEDY) from error
    cells = found.get("cells") if isinstance(found, dict) else None
    if cells is None and isinstance(found, dict) and isinstance(found.get("worksheets"), list):
        sheets = [sheet for sheet in found["worksheets"] if isinstance(sheet, dict)]
        cells = [cell for sheet in sheets for cell in sheet.get("cells") or []]
    if not isinstance(cells, list):
        raise EvidenceError(f"{name} holds no list of cells", remedy=_REMEDY)
    return cells


def _text_of(source: object) -> str:
    """Return a text that is stored whole, or as a list of lines."""
    if isinstance(source, list):
        source = "".join(piece for piece in source if isinstance(piece, str))
    return _SURROGATE.sub("\ufffd", source) if isinstance(source, str) else ""


@dataclass(slots=True)
class _Reader:
    """What was read of a notebook so far.

    Attributes:
        path: The notebook.
        limits: How much is read.
        problems: What could not be read.
        parts: Lines and blocks.
        used: Characters so far.
    """

    path: str
    limits: Limits
    problems: list[Problem]
    parts: list[Part] = field(default_factory=list)
    used: int = 0

    @property
    def left(self) -> int:
        """Characters that may still be read."""
        return self.limits.characters - self.used

    def tell(self, message: str, *, level: str = "warning") -> None:
        """Name a problem, at most a hundred."""
        if len(self.problems) < 100:
            remedy = "clear outputs that are no part of the report"
            self.problems.append(
                Problem(path=self.path, message=message, remedy=remedy, level=level)
            )

    def take(self, cell: object, number: int) -> None:
        """Take one cell with its outputs."""
        if not isinstance(cell, dict):
            self.tell(f"cell {number} is no cell and was left out")
            return
        where = f"cell {number}"
        kind = cell.get("cell_type")
        text = _text_of(cell.get("source", cell.get("input")))
        lines = self.lines(text, where)
        if kind == "heading":
            level = cell.get("level")
            lines = [line for line in lines if line.text.strip()]
            depth = level if isinstance(level, int) and 0 < level < 7 else 1
            if lines:
                self.parts.append(Block(type="heading", lines=tuple(lines), level=depth))
        elif kind == "code":
            if kept := tuple(line for line in lines if line.text.strip()):
                self.parts.append(Block(type="code", lines=kept))
            outputs = cell.get("outputs")
            for output in outputs if isinstance(outputs, list) else []:
                if self.left <= 0:
                    self.tell(f"is longer than what is read: outputs of {where} were left out")
                    break
                if isinstance(output, dict):
                    self.output(output, where)
        elif not (kind == "raw" and text.lstrip().startswith("---")):
            self.parts.extend(markdown_parts(lines, self.problems, self.path))
            self.parts.append(Line(text="", number=len(lines) + 1, file=where))

    def lines(self, text: str, where: str) -> list[Line]:
        """Return the lines of a cell or output."""
        found = list(lines_of(text, self.limits, self.problems, path=self.path, file=where))
        self.used += sum(len(line.text) + 1 for line in found)
        return found

    def output(self, output: Mapping[str, object], where: str) -> None:
        """Take what a cell printed: its table where it shows one, else its text."""
        kind = output.get("output_type")
        if kind in ("stream", None) and output.get("name", output.get("stream")) != "stderr":
            self.printed(_text_of(output.get("text")), f"{where}, output")
        elif kind in ("execute_result", "display_data", "pyout"):
            data = output.get("data", output)
            if not isinstance(data, dict):
                return
            page = _text_of(data.get("text/html", data.get("html")))
            plain = _text_of(data.get("text/plain", data.get("text")))
            if not (page and self.tables(page, f"{where}, output")):
                self.printed(plain, f"{where}, output")

    def tables(self, page: str, where: str) -> bool:
        """Take the tables of an HTML output; say whether there are any."""
        if not opens_table(page):
            return False
        blocks = html_tables(self.lines(self.shortened(page, where), where))
        self.parts.extend(blocks)
        return bool(blocks)

    def printed(self, text: str, where: str) -> None:
        """Take a text that was printed, as the screen shows it."""
        shown = "\n".join(_on_screen(self.shortened(text, where)))
        if not _is_object(shown):
            self.parts.extend(printed_blocks(self.lines(shown, where)))

    def shortened(self, text: str, where: str) -> str:
        """Return a text without what is too long of it."""
        limit = min(self.limits.output, max(self.left, 0))
        if len(text) <= limit:
            return text
        self.tell(
            f"{where} has {len(text):,} characters; those behind {limit:,} were left out",
            level="note",
        )
        return text[:limit]


def _on_screen(text: str) -> Iterator[str]:
    """Yield the lines that are left when carriage returns have written over them."""
    for line in _ESCAPE_CODE.sub("", text).replace("\r\n", "\n").split("\n"):
        shown = line.rstrip("\r").rpartition("\r")[2]
        yield "" if _PROGRESS.search(shown[:200]) else shown


def _is_object(text: str) -> bool:
    """Say whether a text is only the name of an object: `<Figure size 640x480 with 1 Axes>`."""
    bare = text.strip()
    return bare.startswith("<") and bare.endswith(">") and "\n" not in bare
