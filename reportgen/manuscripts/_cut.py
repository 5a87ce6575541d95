"""Pieces of lines that keep the place of every character."""

from __future__ import annotations

from dataclasses import replace

from reportgen.records.manuscript import Cell, Line


def cut(line: Line, start: int, end: int | None = None) -> Line:
    """Return a piece of a line; its characters keep their columns.

    Example:
        >>> piece = cut(Line(text="- r = 16", number=4), 2)
        >>> piece.text, piece.place(4, 6).column
        ('r = 16', 7)
    """
    end = len(line.text) if end is None else max(start, end)
    text = line.text[start:end]
    if line.columns:
        columns = line.columns[start:end]
    else:
        columns = tuple(range(start + 1, end + 1)) if start and text else ()
    return replace(line, text=text, columns=columns)


def strip(line: Line) -> Line:
    """Return a line without the blanks at its ends."""
    text = line.text
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    if start == 0 and end == len(text):
        return line
    return cut(line, start, end)


def cell_of(line: Line, start: int, end: int, span: int = 1) -> Cell:
    """Return a piece of a line as a cell, without the blanks at its ends."""
    piece = line.text[start:end]
    shift = len(piece) - len(piece.lstrip())
    text = piece.strip()
    return Cell(text=text, line=line, start=start + (shift if text else 0), span=span)


def indent_of(text: str) -> int:
    """Return how far a line is set in, with tab stops every four columns."""
    width = 0
    for char in text:
        if char == "\t":
            width += 4 - width % 4
        elif char.isspace():
            width += 1
        else:
            break
    return width
