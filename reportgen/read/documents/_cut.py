"""Pieces of lines that keep the place of every character."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from reportgen.records.manuscript import Cell, Line
from reportgen.records.record import replace


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
        columns = tuple(range(start + 1, start + 1 + len(text))) if start else ()
    return replace(line, text=text, columns=columns)


def strip(line: Line) -> Line:
    """Return a line without the blanks at its ends."""
    text = line.text
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    if start == 0 and end == len(text):
        return line
    return cut(line, start, end)


def column_of(line: Line, at: int) -> int:
    """Return the column in the file of a character of a line, also of the one behind the last."""
    if not line.columns:
        return at + 1
    if at < len(line.columns):
        return line.columns[at]
    return line.columns[-1] + 1 + at - len(line.columns)


class Draft:
    r"""A line that is being written from another: it takes over pieces and replaces others.

    Example:
        >>> draft = Draft(Line(text=r"5\,% of x", number=7))
        >>> draft.keep(0, 1)
        >>> draft.put(" ", 1)
        >>> draft.keep(3, 4)
        >>> draft.line().text, draft.line().columns
        ('5 %', (1, 2, 4))
    """

    def __init__(self, source: Line) -> None:
        self.source = source
        self.text: list[str] = []
        self.columns: list[int] = []

    def __len__(self) -> int:
        return len(self.columns)

    def keep(self, start: int, end: int) -> None:
        """Take over `source.text[start:end]`."""
        end = min(end, len(self.source.text))
        if start >= end:
            return
        self.text.append(self.source.text[start:end])
        if self.source.columns:
            self.columns.extend(self.source.columns[start:end])
        else:
            self.columns.extend(range(start + 1, end + 1))

    def put(self, text: str, at: int) -> None:
        """Write a text that stands for the character `at` of the source."""
        self.text.append(text)
        self.columns.extend([column_of(self.source, at)] * len(text))

    def line(self) -> Line:
        """Return what was written; without columns where nothing was replaced."""
        text = "".join(self.text)
        whole = not self.source.columns and text == self.source.text[: len(text)]
        if whole and (not self.columns or self.columns[-1] == len(text)):
            return replace(self.source, text=text, columns=())
        return replace(self.source, text=text, columns=tuple(self.columns))


def replaced(line: Line, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]) -> Line:
    """Return a line with other text where a pattern stands; it gets the place of the old.

    Example:
        >>> line = replaced(Line(text="a--b", number=1), re.compile("--"), lambda found: "–")
        >>> line.text, line.columns
        ('a–b', (1, 2, 4))
    """
    if pattern.search(line.text) is None:
        return line
    draft, end = Draft(line), 0
    for found in pattern.finditer(line.text):
        draft.keep(end, found.start())
        draft.put(by(found), found.start())
        end = found.end()
    draft.keep(end, len(line.text))
    return draft.line()


def concat(pieces: Sequence[Line], between: str) -> Line:
    """Return pieces of one line as one, with a text between them.

    Example:
        >>> line = Line(text="|a|b|", number=3)
        >>> joined = concat([cut(line, 1, 2), cut(line, 3, 4)], " | ")
        >>> joined.text, joined.columns
        ('a | b', (2, 3, 3, 3, 4))
    """
    columns: list[int] = []
    for i, piece in enumerate(pieces):
        if i:
            columns.extend([columns[-1] + 1 if columns else 1] * len(between))
        columns.extend(piece.columns or range(1, len(piece.text) + 1))
    text = between.join(piece.text for piece in pieces)
    return replace(pieces[0], text=text, columns=tuple(columns))


def joined(pieces: Sequence[Line]) -> Line:
    """Return pieces of several lines as one, which stands where its first digit does.

    What comes from another line is given the nearest place on that one.
    """
    seen = [piece for piece in pieces if piece.text]
    if len(seen) < 2:
        return seen[0] if seen else pieces[0]
    main = next((p for p in seen if any(char.isdigit() for char in p.text)), seen[0])
    first, last = column_of(main, 0), column_of(main, len(main.text) - 1)
    columns: list[int] = []
    before = True
    for i, piece in enumerate(seen):
        if piece.number == main.number and piece.file == main.file:
            before = False
            columns.extend(piece.columns or range(1, len(piece.text) + 1))
        else:
            columns.extend([first if before else last] * len(piece.text))
        if i + 1 < len(seen):
            columns.append(first if before else last)
    return replace(main, text=" ".join(piece.text for piece in seen), columns=tuple(columns))


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
