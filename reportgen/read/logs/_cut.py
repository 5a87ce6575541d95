"""One row of a file as it was cut out, and the lines of a file that was merged by halves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from reportgen.records.run import Problem

MERGE_MARK = re.compile(rb"(<{7} |\|{7} |={7}[\r\n]*$|>{7} )")
"""How the lines begin that Git leaves where two sides were not merged."""


@dataclass(slots=True)
class Cut:
    """A row, or what stands in the place of one.

    Attributes:
        cells: Column to cell; None where it is no row.
        line: Where it begins, counted from 1.
        offset: Its first byte.
        refused: Why it is no row; then it is named and left out.
        end: What the matter is with a last line that has no end.
        begins: Whether a header stands here again, so that a session begins.
        warning: What is odd about a row that is read all the same.
    """

    cells: Mapping[str, object] | None
    line: int
    offset: int
    refused: str = ""
    end: str = ""
    begins: bool = False
    warning: str = ""


@dataclass(slots=True)
class Unmerged:
    """Lines of a file, without the marks of Git and the second side between them.

    Attributes:
        first: Line of the first mark, 0 where there is none.
    """

    first: int = 0
    _inside: bytes = field(default=b"")
    _number: int = 0

    def lines(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield every line; what is left out as blanks, so that all others keep their places."""
        for line in lines:
            yield self.line(line)

    def line(self, line: bytes) -> bytes:
        """Return a line, or as many blanks."""
        self._number += 1
        mark = MERGE_MARK.match(line) if line[:1] in b"<|=>" and line else None
        if mark and (mark[1][:1] == b"<" or self._inside):
            self.first = self.first or self._number
            self._inside = b"" if mark[1][:1] == b">" else mark[1][:1]
        elif self._inside in (b"", b"<"):
            return line
        body = line.rstrip(b"\r\n")
        return b" " * len(body) + line[len(body) :]

    def problems(self, path: str) -> Iterator[Problem]:
        """Say where the marks begin."""
        if self.first:
            yield Problem(
                path=path,
                message=f"line {self.first} is a mark of Git: two sides were not merged, and the "
                "first is read",
                remedy="choose a side, and remove the marks",
            )
