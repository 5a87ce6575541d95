"""Rows of JSON: lines, members of an array, or one object in one of the shapes that logs have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from reportgen.read.logs._cut import BOM, Cut, Unmerged, as_utf8, utf8_chunks
from reportgen.read.logs._numbers import MARK, leaves
from reportgen.read.logs.files import FileReader, read_bounded
from reportgen.records.record import field, record

LINE_LIMIT = 1 << 24
"""Bytes of one line; a longer one is left out."""

_GAP = re.compile(r"[\s,]*")


@record(kw_only=False, frozen=False)
class Objects:
    """The objects of a JSON file: of an array its members, of any other text its lines.

    Attributes:
        reader: The file.
        media: Key to how many pictures and the like stand under it.
        twice: A key that stands twice in one object, and the line.
        merge: Lines without the marks of Git.
        needle: What stands in every line that is of interest.
        is_line: Whether the one object of the file stands in one line.
    """

    reader: FileReader
    media: dict[str, int] = field(default_factory=dict)
    twice: dict[str, int] = field(default_factory=dict)
    merge: Unmerged = field(default_factory=Unmerged)
    needle: re.Pattern[bytes] | None = None
    is_line: bool = False
    _doubled: list[str] = field(default_factory=list)
    _decoder: json.JSONDecoder = field(init=False)

    def __post_init__(self) -> None:
        self._decoder = json.JSONDecoder(object_pairs_hook=self._object)

    def _object(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            self._doubled += [key for key in found if keys.count(key) > 1][:1]
        return found

    def rows(self) -> Iterator[Cut]:
        """Yield what may be rows."""
        chunks, is_wide = utf8_chunks(self.reader.chunks())
        first = next(chunks, b"")
        is_array = first.removeprefix(BOM).lstrip().startswith(b"[")
        cut = self._members if is_array else self._lines
        yield from cut(chain([first], chunks), is_wide=is_wide)

    def whole(self) -> dict[str, object] | None:
        """Return the only object of a file, None where it holds something else, or more."""
        chunks = self.reader.chunks()
        first = next(chunks, b"")
        content, _ = as_utf8(first)
        if not content.removeprefix(BOM).lstrip().startswith(b"{"):
            return None
        line, end, behind = content.partition(b"\n")
        if end and behind.strip() and self.read(line, 1) is not None:
            return None
        content = as_utf8(read_bounded(self.reader, chain([first], chunks)))[0]
        content = self.merge.text(content)
        found = self.read(content, 1)
        self.is_line = b"\n" not in content.strip()
        return found if isinstance(found, dict) else None

    def read(self, content: bytes, line: int) -> object:
        """Return what JSON holds, None where it is none; note a key that it states twice."""
        try:
            found = self._decoder.decode(content.removeprefix(BOM).decode("utf-8", "surrogatepass"))
        except (ValueError, RecursionError):
            return None
        return self._noted(found, line)

    def _noted(self, found: object, line: int) -> object:
        for key in self._doubled:
            self.twice.setdefault(key, line)
        self._doubled.clear()
        return found

    def _cut(self, found: object, line: int, offset: int) -> Cut:
        if not isinstance(found, dict):
            return Cut(None, line, offset, refused="is no JSON object")
        return Cut(self.flat(found), line, offset)

    def flat(self, found: Mapping[str, object]) -> dict[str, object]:
        """Return an object with its nested keys joined."""
        row: dict[str, object] = {}
        for key, value in leaves(found):
            if isinstance(value, Mapping) and MARK in value:
                self.media[key] = self.media.get(key, 0) + 1
            else:
                row[key] = value
        return row

    def _members(self, chunks: Iterable[bytes], *, is_wide: bool) -> Iterator[Cut]:
        """Yield every member of an array, also of one that does not end."""
        content = self.merge.text(read_bounded(self.reader, chunks))
        if not content:
            return
        text = content.decode("utf-8", "surrogateescape")
        begin, number, offset, end = 0, 1, 0, text.index("[") + 1
        while True:
            gap = _GAP.match(text, end)
            start = gap.end() if gap else end
            number += text.count("\n", begin, start)
            offset += _size(text[begin:start], is_wide=is_wide)
            begin = start
            if text.startswith("]", start):
                gap = _GAP.match(text, start + 1)
                end = gap.end() if gap else start + 1
                if not text.startswith("[", end):
                    return
                # A program that appends its whole history again writes one array behind another.
                end += 1
                yield Cut(None, number, offset, begins=True)
                continue
            try:
                found, end = self._decoder.raw_decode(text, start)
            except (ValueError, RecursionError) as error:
                # Behind a fault nothing tells where the next member begins.
                cut = isinstance(error, json.JSONDecodeError) and _is_cut(error, text)
                told = "is no JSON, and nothing behind it is read"
                end_told, refused = ("is cut off", "") if cut else ("", told)
                yield Cut(None, number, offset, end=end_told, refused=refused)
                return
            yield self._cut(self._noted(found, number), number, offset)

    def _lines(self, chunks: Iterable[bytes], *, is_wide: bool) -> Iterator[Cut]:
        """Yield every line that holds something; of one that is too long, its beginning."""
        number, offset, buffer, size = 1, 0, b"", 0
        for chunk in chunks:
            *ended, rest = chunk.split(b"\n")
            for part in ended:
                size += _bytes(part + b"\n", is_wide=is_wide)
                content = self.merge.line((buffer + part)[: LINE_LIMIT + 1])
                if content.strip() and (not self.needle or self.needle.search(content)):
                    yield self._cut(self.read(content, number), number, offset)
                number, offset, buffer, size = number + 1, offset + size, b"", 0
            size += _bytes(rest, is_wide=is_wide)
            buffer = (buffer + rest)[: LINE_LIMIT + 1]
        if buffer.strip():
            found = self._cut(self.read(buffer, number), number, offset)
            if found.cells is None:
                found = Cut(None, number, offset, end="is cut off")
            yield found


def members_under(text: str, key: str) -> list[object]:
    """Return the members of an array under a key, as far as a text that may end early has them.

    Example:
        >>> members_under('{"n": 1, "rows": [{"a": 1}, {"a": 2}, {"a"', "rows")
        [{'a': 1}, {'a': 2}]
    """
    found: list[object] = []
    begin = re.search(rf'"{re.escape(key)}"\s*:\s*\[', text)
    decoder, end = json.JSONDecoder(), begin.end() if begin else len(text)
    while end < len(text):
        gap = _GAP.match(text, end)
        try:
            member, end = decoder.raw_decode(text, gap.end() if gap else end)
        except (ValueError, RecursionError):
            break
        found.append(member)
    return found


def _is_cut(error: json.JSONDecodeError, text: str) -> bool:
    """Tell whether JSON stops being any where the text ends, in half a word or in a string."""
    ends = len(text) - error.pos <= len("-Infinity")
    return ends or (error.msg.startswith("Unterminated") and '"' not in text[error.pos + 1 :])


def _size(text: str, *, is_wide: bool) -> int:
    """Return how many bytes of the file a text takes."""
    if is_wide:
        return len(text.encode("utf-16-le", "surrogatepass"))
    return len(text.encode("utf-8", "surrogateescape"))


def _bytes(part: bytes, *, is_wide: bool) -> int:
    return _size(part.decode(), is_wide=True) if is_wide else len(part)
