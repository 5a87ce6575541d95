"""Text whose characters know where they come from, with brackets and environments matched."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from reportgen.read.documents._cut import column_of, strip
from reportgen.records.manuscript import Line

_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_ENVIRONMENT = re.compile(r"\\\\|\\(begin|end)\s{0,3}\{([^{}\\]{1,60})\}")
_BLANKS = re.compile(r"[ \t]{0,200}\n?[ \t]{0,200}")


@dataclass(frozen=True, slots=True)
class Origin:
    """The lines of a report, put behind each other.

    Attributes:
        lines: All of them.
        starts: Where each begins in the joined text.
    """

    lines: Sequence[Line]
    starts: Sequence[int]

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Origin:
        """Put lines behind each other."""
        starts, at = [], 0
        for line in lines:
            starts.append(at)
            at += len(line.text) + 1
        return cls(lines, starts)

    def text(self) -> str:
        """Return the joined text."""
        return "\n".join(line.text for line in self.lines)

    def index(self, at: int) -> int:
        """Return which line a character stands in."""
        return max(0, bisect_right(self.starts, at) - 1)


@dataclass(frozen=True)
class Stream:
    """A text of which each character knows its place in the joined lines.

    Attributes:
        text: The characters.
        places: Where each comes from.
    """

    text: str
    places: Sequence[int]

    @cached_property
    def braces(self) -> dict[int, int]:
        """Where each opening brace is closed."""
        pairs: dict[int, int] = {}
        open_ones: list[int] = []
        for found in _BRACES.finditer(self.text):
            if found[0] == "{":
                open_ones.append(found.start())
            elif found[0] == "}" and open_ones:
                pairs[open_ones.pop()] = found.start()
        return pairs

    @cached_property
    def environments(self) -> dict[int, tuple[int, int]]:
        r"""Where the `\\end` of each `\\begin` begins and ends."""
        pairs: dict[int, tuple[int, int]] = {}
        open_ones: dict[str, list[int]] = {}
        for found in _ENVIRONMENT.finditer(self.text):
            if found[1] == "begin":
                open_ones.setdefault(found[2], []).append(found.start())
            elif found[1] == "end" and open_ones.get(found[2]):
                pairs[open_ones[found[2]].pop()] = found.span()
        return pairs

    def skip_blanks(self, at: int) -> int:
        """Return where the next character stands that is no blank; a blank line stops it."""
        found = _BLANKS.match(self.text, at)
        return found.end() if found else at

    def group(self, at: int) -> tuple[int, int, int] | None:
        """Return start, end and the position behind a `{group}` that begins at or behind `at`."""
        start = self.skip_blanks(at)
        end = self.braces.get(start)
        return None if end is None else (start + 1, end, end + 1)

    def option(self, at: int) -> tuple[int, int, int] | None:
        """Return the same of an `[option]`; braces in it may hold brackets."""
        start = self.skip_blanks(at)
        if not self.text.startswith("[", start):
            return None
        i, stop = start + 1, min(len(self.text), start + 2000)
        while i < stop:
            char = self.text[i]
            if char == "]":
                return start + 1, i, i + 1
            if char == "\\":
                i += 1
            elif char == "{":
                i = self.braces.get(i, stop)
            i += 1
        return None

    def token(self, at: int) -> tuple[int, int, int] | None:
        """Return the same of an argument: a group, else a command or one character."""
        found = self.group(at)
        if found is not None:
            return found
        start = self.skip_blanks(at)
        command = re.compile(r"\\[A-Za-z@]{1,60}|\\.|[^{}\s]", re.DOTALL).match(self.text, start)
        return (command.start(), command.end(), command.end()) if command else None


@dataclass(slots=True)
class Ink:
    """Clean text that is being written, with the place of each character."""

    origin: Origin
    parts: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)

    def keep(self, stream: Stream, start: int, end: int) -> None:
        """Take over a piece of a stream."""
        if start < end:
            self.parts.append(stream.text[start:end])
            self.places.extend(stream.places[start:end])

    def put(self, text: str, place: int) -> None:
        """Write a text that stands for a character of the report."""
        if text:
            self.parts.append(text)
            self.places.extend([place] * len(text))

    def last(self) -> str:
        """Return the character written last, or an empty text."""
        return self.parts[-1][-1:] if self.parts else ""

    def extend(self, other: Ink) -> None:
        """Take over what was written elsewhere."""
        self.parts.extend(other.parts)
        self.places.extend(other.places)

    def text(self) -> str:
        """Return what was written."""
        return "".join(self.parts)

    def lines(self) -> list[Line]:
        """Return what was written as lines of the report, blanks run together."""
        found: list[Line] = []
        text = self.text()
        start = 0
        while start < len(text):
            index = self.origin.index(self.places[start])
            end = start
            while end < len(text) and self._same_line(text, end, index):
                end += 1
            line = self._line(text, start, end, index)
            if line.text:
                found.append(line)
            start = max(end, start + 1)
        return found

    def _same_line(self, text: str, at: int, index: int) -> bool:
        starts = self.origin.starts
        place = self.places[at]
        inside = starts[index] <= place and (index + 1 == len(starts) or place < starts[index + 1])
        return inside and text[at] != "\n"

    def _line(self, text: str, start: int, end: int, index: int) -> Line:
        source = self.origin.lines[index]
        shift = self.origin.starts[index]
        kept: list[str] = []
        columns: list[int] = []
        for at in range(start, end):
            char = " " if text[at] in "\t\n" else text[at]
            if char == " " and kept and kept[-1] == " ":
                continue
            kept.append(char)
            columns.append(column_of(source, min(self.places[at] - shift, len(source.text))))
        line = replace(source, text="".join(kept), columns=tuple(columns))
        line = strip(line)
        identity = line.columns == tuple(range(1, len(line.text) + 1))
        return replace(line, columns=()) if identity else line
