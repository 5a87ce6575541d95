"""One row of a file as it was cut out, and the lines of a file that was merged by halves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

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

    Whoever opens the file says that there are two.
    """

    _inside: bytes = b""

    def text(self, content: bytes) -> bytes:
        """Return a text of which the marks were left out, where it has any."""
        if b"<<<<<<< " not in content:
            return content
        return b"".join(self.lines(content.splitlines(keepends=True)))

    def lines(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield every line; what is left out as blanks, so that all others keep their places."""
        for line in lines:
            yield self.line(line)

    def line(self, line: bytes) -> bytes:
        """Return a line, or as many blanks."""
        mark = MERGE_MARK.match(line) if line[:1] in b"<|=>" and line else None
        if mark and (mark[1][:1] == b"<" or self._inside):
            self._inside = b"" if mark[1][:1] == b">" else mark[1][:1]
        elif self._inside in (b"", b"<"):
            return line
        body = line.rstrip(b"\r\n")
        return b" " * len(body) + line[len(body) :]
