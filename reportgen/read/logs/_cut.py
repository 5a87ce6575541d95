"""What texts of rows have in common: a row as it was cut out, UTF-16, and merges by halves.

Windows' shells write UTF-16 where output goes to a file: its first two bytes tell it, or the zeros
of its letters.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from reportgen.records.record import record

BOM = b"\xef\xbb\xbf"
BYTE_ORDERS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}

LOOKED = 1 << 12
"""First bytes of a text by which its encoding is told."""

MERGE_MARK = re.compile(rb"(<{7} |\|{7} |={7}[\r\n]*$|>{7} )")
"""How the lines begin that Git leaves where two sides were not merged."""


@record(kw_only=False, frozen=False)
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


@record(kw_only=False, frozen=False)
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


def _encoding_of(head: bytes) -> str:
    """Return which UTF-16 a text is in, empty where it is in none."""
    sides = {"utf-16-le": (head[1::2], head[::2]), "utf-16-be": (head[::2], head[1::2])}
    for encoding, (high, low) in sides.items():
        if len(high) > 4 and 10 * high.count(0) > 7 * len(high) and 0 not in low:
            return encoding
    return BYTE_ORDERS.get(head[:2], "")


def as_utf8(content: bytes) -> tuple[bytes, bool]:
    r"""Return a text in UTF-8, and whether it was in UTF-16.

    Example:
        >>> as_utf8("\ufeffa".encode("utf-16-be")), as_utf8(b"a")
        ((b'\xef\xbb\xbfa', True), (b'a', False))
    """
    encoding = _encoding_of(content[:LOOKED])
    if not encoding:
        return content, False
    return b"".join(_recoded([content], encoding)), True


def utf8_chunks(chunks: Iterator[bytes]) -> tuple[Iterator[bytes], bool]:
    """Return the pieces of a text in UTF-8, and whether they were in UTF-16."""
    first = next(chunks, b"")
    encoding, whole = _encoding_of(first[:LOOKED]), chain([first], chunks)
    return (_recoded(whole, encoding), True) if encoding else (whole, False)


def _recoded(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Yield pieces in UTF-8; none ends in a letter, and half a one at the end is none."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for chunk in chunks:
        # Half a letter at the end is left of one that was being written.
        if text := decoder.decode(chunk):
            yield text.encode()
