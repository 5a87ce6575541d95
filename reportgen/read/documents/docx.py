"""Documents of Word, by python-docx: paragraphs, lists, tables, captions, formulas, footnotes."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reportgen.read.documents._blocks import split_blocks
from reportgen.read.documents._html import Node, spelled
from reportgen.read.documents._read import Limits, digest, read_bytes
from reportgen.read.documents._shapes import caption_of
from reportgen.read.documents._tables import MOST_SPANNED, Spanned, spanned_table
from reportgen.records.errors import EvidenceError, MissingExtraError, install_command
from reportgen.records.manuscript import Block, Line, Manuscript
from reportgen.records.record import replace
from reportgen.records.source import Problem

_HEADING = re.compile(r"(?:heading|titre|überschrift) ?(\d)", re.IGNORECASE)
_UNREAD = frozenset({"del", "moveFrom", "Fallback", "instrText", "txbxContent", "delText"})
_BLANKS = frozenset({"tab", "br", "cr", "ptab"})
_TRUE = frozenset({None, "1", "true", "on"})
_REMEDY = "open it in Word or LibreOffice and save it again, or hand in a PDF"
_DEEPEST = 40


def read_docx(path: Path, limits: Limits) -> Manuscript:
    """Read a document of Word; its lines are paragraphs and rows of tables, counted from 1.

    Raises:
        EvidenceError: The file is missing, too large, or no such document.
        MissingExtraError: The extra `docx` is not installed.
    """
    content = read_bytes(path, limits)
    document = _opened(content, path, limits)
    styles = {style.style_id: style.name or "" for style in document.styles}
    reader = _Reader(limits, document, styles)
    reader.blocks_of(reader.document.element.body)
    reader.footnotes()
    if not reader.blocks:
        raise EvidenceError(f"{path} holds no text", remedy=_REMEDY)
    problems = []
    if reader.full:
        message = "is longer than what is read: what follows was left out and not checked"
        problems.append(Problem(path=str(path), message=message, remedy="check its parts"))
    return Manuscript(
        path=str(path),
        format="docx",
        sha256=digest(content),
        blocks=split_blocks(reader.blocks),
        problems=tuple(problems),
    )


def _opened(content: bytes, path: Path, limits: Limits) -> Any:
    """Return the document.

    Raises:
        EvidenceError: It is none, would unpack to more than is read, or declares entities.
        MissingExtraError: The extra `docx` is not installed.
    """
    try:
        from docx import Document
    except ImportError as fault:
        raise MissingExtraError(
            f"{path} is a document of Word, and python-docx is not installed",
            remedy=install_command("docx"),
        ) from fault
    try:
        reason = _unfit(content, limits)
        document = None if reason else Document(io.BytesIO(content))
    except Exception as fault:
        # The library lets through what its own ones raise at damage: of zip, of XML, of keys.
        raise EvidenceError(f"{path} is no document of Word", remedy=_REMEDY) from fault
    if reason:
        raise EvidenceError(f"{path} {reason}", remedy="save it anew, without large pictures")
    return document


def _unfit(content: bytes, limits: Limits) -> str:
    """Return why a file is not opened, or an empty text."""
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        size = sum(part.file_size for part in parts.infolist())
        if size > limits.bytes:
            return f"unpacks to {size:,} bytes, more than the {limits.bytes:,} that are read"
        names = (name for name in parts.namelist() if name.endswith((".xml", ".rels")))
        entities = any(b"<!DOCTYPE" in parts.read(name) for name in names)
    return "declares entities, which no program that writes reports does" if entities else ""


def _name(element: Any) -> str:
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _value(element: Any, *names: str) -> str | None:
    """Return the value of the first element below that has one of some names, or None."""
    for inner in element.iter():
        if _name(inner) in names:
            return next((v for k, v in inner.attrib.items() if k.endswith("}val")), "1")
    return None


def _child(element: Any, name: str) -> Any:
    return next((inner for inner in element if _name(inner) == name), None)


@dataclass(slots=True)
class _Reader:
    """What was read so far.

    Attributes:
        limits: How much is read.
        document: Of python-docx.
        styles: What each style is called, by its id.
        blocks: Those found.
        number: Paragraphs and rows so far.
        size: Characters so far.
        full: Whether a limit was met.
    """

    limits: Limits
    document: Any
    styles: dict[str, str]
    blocks: list[Block] = field(default_factory=list)
    number: int = 0
    size: int = 0
    full: bool = False

    def blocks_of(self, parent: Any, depth: int = 0) -> None:
        """Take the blocks of a body, a note or a box of text."""
        for element in parent:
            if self.size > self.limits.characters or self.number >= self.limits.lines:
                self.full = True
                return
            name = _name(element)
            if name == "p":
                self._paragraph(element, depth)
            elif name == "tbl":
                self._table(element)
            elif depth < _DEEPEST and name in {"sdt", "sdtContent", "ins", "smartTag", "customXml"}:
                self.blocks_of(element, depth + 1)

    def footnotes(self) -> None:
        """Take the footnotes; each is a paragraph."""
        from docx.oxml import parse_xml

        for relation in self.document.part.rels.values():
            if relation.reltype.endswith(("/footnotes", "/endnotes")):
                for note in parse_xml(relation.target_part.blob):
                    self.blocks_of(note)

    def _line(self, text: str) -> Line:
        shown = " ".join(text.split(" "))
        self.size += len(shown) + 1
        return Line(text=shown[: self.limits.line].strip(), number=self.number)

    def _paragraph(self, element: Any, depth: int) -> None:
        self.number += 1
        equation = _child(element, "oMathPara")
        if equation is not None:
            rows = "\n".join(spelled(_node(part)) for part in equation if _name(part) == "oMath")
            lines = [self._line(row) for row in rows.split("\n") if row.strip()]
            kind, level = "equation", 0
        else:
            lines = [self._line(row) for row in "".join(_texts(element)).split("\n")]
            lines = [line for line in lines if line.text]
            kind, level = self._kind(element)
        if kind == "paragraph" and lines and (found := caption_of(lines[0].text)) and found[1]:
            kind = "caption"
        if any(char.isalnum() for line in lines for char in line.text):
            self.blocks.append(Block(type=kind, lines=tuple(lines), level=level))
        boxes = (part for part in element.iter() if _name(part) == "txbxContent")
        for box in boxes if depth < 2 else ():
            if all(_name(above) != "Fallback" for above in box.iterancestors()):
                self.blocks_of(box, depth + 1)

    def _kind(self, element: Any) -> tuple[str, int]:
        """Return the type and level of a paragraph, which its style and its numbering tell."""
        properties = _child(element, "pPr")
        if properties is None:
            return "paragraph", 0
        style = _value(properties, "pStyle") or ""
        name = self.styles.get(style, style)
        level = _value(properties, "outlineLvl")
        if found := _HEADING.match(name):
            return "heading", int(found[1])
        if name.lower() in {"title", "titre", "titel"}:
            return "heading", 1
        if level is not None and level.isdigit() and int(level) < 9:
            return "heading", int(level) + 1
        if name.lower() in {"caption", "légende", "beschriftung"}:
            return "caption", 0
        numbering = _child(properties, "numPr")
        if numbering is not None and _value(numbering, "numId") != "0":
            depth = _value(numbering, "ilvl") or "0"
            return "item", min(int(depth) if depth.isdigit() else 0, 8) + 1
        if name.startswith(("List ", "Liste ")):
            return "item", int(name[-1]) if name[-1].isdigit() else 1
        return ("code", 0) if "code" in name.lower() or "HTML Pre" in name else ("paragraph", 0)

    def _table(self, element: Any) -> None:
        rows: list[list[Spanned]] = []
        above: dict[int, tuple[int, int]] = {}
        heads = 0
        for row in (part for part in element.iter() if _name(part) == "tr"):
            if _name(row.getparent()) == "tbl" and row.getparent() is not element:
                continue  # of a table inside a cell
            self.number += 1
            properties = _child(row, "trPr")
            marked = properties is not None and _value(properties, "tblHeader") in _TRUE | {"1"}
            heads += marked and heads == len(rows)
            before = _value(properties, "gridBefore") if properties is not None else None
            at = int(before) if before and before.isdigit() else 0
            empty = Spanned(line=Line(text="", number=self.number))
            cells = [empty] * min(at, MOST_SPANNED)
            rows.append(cells)
            for told in (part for part in row if _name(part) in {"tc", "sdt"}):
                cell, goes_on = self._cell(told)
                if goes_on and at in above:
                    y, x = above[at]
                    rows[y][x] = replace(rows[y][x], rows=rows[y][x].rows + 1)
                else:
                    above[at] = (len(rows) - 1, len(cells))
                    cells.append(cell)
                at += cell.columns
        # Where every row is marked to be repeated, none is a head for that.
        block = spanned_table(rows, head=heads if 0 < heads < len(rows) else None)
        if block is not None:
            self.blocks.append(block)

    def _cell(self, element: Any) -> tuple[Spanned, bool]:
        """Return a cell, and whether it is the rest of the one above it."""
        if _name(element) == "sdt":
            element = next((part for part in element.iter() if _name(part) == "tc"), element)
        properties = _child(element, "tcPr")
        columns, merged = None, None
        if properties is not None:
            columns = _value(properties, "gridSpan")
            found = _child(properties, "vMerge")
            merged = None if found is None else (_value(found, "vMerge") or "continue")
        paragraphs = (part for part in element.iter() if _name(part) == "p")
        text = " ".join(" ".join("".join(_texts(part)) for part in paragraphs).split())
        self.size += len(text)
        line = Line(text=text[: self.limits.line].strip(), number=self.number)
        width = int(columns) if columns and columns.isdigit() else 1
        cell = Spanned(line=line, columns=max(1, min(width, MOST_SPANNED)))
        return cell, merged is not None and merged != "restart"


def _texts(element: Any, depth: int = 0) -> Iterator[str]:
    """Yield the pieces of a paragraph's text: no deleted ones, and exponents with their sign."""
    last = ""
    for part in element:
        name = _name(part)
        if name in _UNREAD or depth > _DEEPEST:
            continue
        if name == "t":
            yield part.text or ""
        elif name in _BLANKS:
            yield "\n" if name == "br" and depth else " "
        elif name == "noBreakHyphen":
            yield "-"
        elif name == "oMath":
            text = " ".join(spelled(_node(part)).split())
            yield f"${text}$" if text else ""
        else:
            text = "".join(_texts(part, depth + 1))
            raised = _value(part, "vertAlign") if name == "r" else None
            if raised == "superscript" and text.strip("+-−\u2013").isdigit():
                exponent = last[-1:].isdigit() or last[-1:] in {")", "]"}
                text = f"^{text}" if last and exponent else ""
            elif raised == "subscript" and last[-1:].isalnum():
                text = f"_{text}"
            last = text or last
            yield text


def _node(element: Any, depth: int = 0) -> Node:
    """Return a formula of Word as a tree."""
    inner = element if depth < _DEEPEST else ()
    parts = [(part.text or "") if _name(part) == "t" else _node(part, depth + 1) for part in inner]
    return Node(_name(element), parts)
