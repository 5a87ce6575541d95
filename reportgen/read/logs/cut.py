"""Texts cut into rows: CSV, JSON lines, and objects in the shapes that logs have."""

from __future__ import annotations

import codecs
import csv
import json
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice

from reportgen.read.logs.columns import CLOCK_WORDS, Numbers, read_cell, read_comma
from reportgen.read.logs.files import FileReader, read_bounded
from reportgen.read.logs.numbers import MARK, Marks, leaves, marks_of, parsed
from reportgen.read.logs.words import plain_word
from reportgen.records.record import field, record

# What texts of rows have in common: a row as it was cut out, UTF-16, and merges by halves.
#
# Windows' shells write UTF-16 where output goes to a file: its first two bytes tell it, or the
# zeros of its letters.

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
        return b"".join(map(self.line, content.splitlines(keepends=True)))

    def line(self, line: bytes) -> bytes:
        """Return a line, or as many blanks, so that all others keep their places."""
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


# Rows of CSV: a cell may go over lines, a quote may stay open, a header may come again.

_DELIMITERS = (",", "\t", ";")
_BLANK = " "
"""What parts the cells of a table in columns: as many of it as each needs."""
_KERAS = re.compile(rb"epoch([^\w\s\"'.-]| )[a-z_]")
"""How the table of Keras' CSVLogger begins, whatever parts its columns."""

MARKED_ROWS = 5000
"""Rows by which it is told how numbers are written."""

_QUOTED = re.compile(rb'"\s*[-+]?\d+,\d')
_COMMA = re.compile(rb"\d,\d")
_HALF = re.compile(r"[-+]?(?:\d*[.,]|\d+(?:[.,]\d*)?[eE][-+]?|)")
"""What no program writes as a number, but the beginning of one."""


@record(kw_only=False, frozen=False)
class _Raw:
    """Cells, and where they begin.

    Attributes:
        has_no_end: Whether the file stops in their line.
        swallowed: Lines that a quote takes in that nothing closes; None where each is closed.
        fault: What ends the reading early.
    """

    cells: list[str]
    line: int
    offset: int
    has_no_end: bool = False
    swallowed: int | None = None
    fault: str = ""


@record(kw_only=False, frozen=False)
class Sheet:
    """A CSV file whose rows can be cut out several times.

    Attributes:
        header: Names of its columns, as the first row that is no comment states them.
        stated: What comments in JSON state.
        number: How a cell is read.
        marks: How numbers are written, where a cell has to be read in the light of others.
        odd: What is odd about the header.
        merge: Its lines without the marks of Git.
    """

    content: bytes
    path: str
    delimiter: str = ""
    header: list[str] = field(default_factory=list)
    stated: dict[str, object] = field(default_factory=dict)
    number: Numbers = read_cell
    marks: Marks | None = None
    odd: list[str] = field(default_factory=list)
    merge: Unmerged = field(default_factory=Unmerged)
    _lines: list[bytes] = field(default_factory=list)
    _is_wide: bool = False

    def __post_init__(self) -> None:
        content, self._is_wide = as_utf8(self.content)
        self._lines = [*map(self.merge.line, content.splitlines(keepends=True))]
        sound = (line for line in self._lines if line.strip() and not line.startswith(b"#"))
        plain = b"".join(line for line, _ in zip(sound, range(2), strict=False))
        self.delimiter = self.delimiter or delimiter_of(plain)
        self.number = read_comma if self.delimiter == ";" else read_cell
        self.content = content
        head = next((raw for raw in self._raws() if not self._comment(raw)), None)
        if head:
            self.header = [cell.strip() for cell in head.cells]
            self.odd = [*_odd_names(self.header)]
            if head.swallowed is not None:
                self.odd.insert(0, _open_quote(head))
        commas = _QUOTED if self.delimiter == "," else _COMMA
        if b"%" in content or commas.search(content):
            self._tell_marks()

    def _tell_marks(self) -> None:
        """Tell from the cells of each column how its numbers are written."""
        columns: dict[str, list[str]] = {}
        for cut in islice(self._cuts(), MARKED_ROWS):
            for name, cell in (cut.cells or {}).items():
                if str(cell).strip():
                    columns.setdefault(name, []).append(str(cell))
        marks = marks_of(columns, comma=self.delimiter == ";")
        if marks is not None and marks != Marks():
            self.marks, self.number = marks, read_cell

    def rows(self) -> Iterator[Cut]:
        """Yield every row below the header, with its numbers as programs write them."""
        for cut in self._cuts():
            if self.marks is not None and cut.cells is not None:
                cells = cut.cells.items()
                cut.cells = {name: self.marks.plain(name, str(cell)) for name, cell in cells}
            yield cut

    def _cuts(self) -> Iterator[Cut]:
        header: list[str] = []
        for raw in self._raws():
            cells = [cell.strip() for cell in raw.cells]
            if raw.fault:
                yield Cut(None, raw.line, raw.offset, refused=f"is no CSV: {raw.fault}")
            elif self._comment(raw):
                yield Cut(None, raw.line, raw.offset, begins=bool(header))
            elif not header:
                header = cells
            elif cells == header or self._is_header(cells):
                header = cells
                yield Cut(None, raw.line, raw.offset, begins=True)
            else:
                yield self._cut(raw, header)

    def _is_header(self, cells: list[str]) -> bool:
        """Tell whether a row below names columns anew: the first one, and no number."""
        named = cells[0] == self.header[0] and len(cells) > 1
        return named and all(self.number(cell) is None for cell in cells) and all(cells)

    def _comment(self, raw: _Raw) -> bool:
        """Tell whether a line is a comment, and keep what one in JSON states."""
        if not raw.cells[0].startswith("#") or raw.cells[0].strip() == self._first_name():
            return False
        line = self._lines[raw.line - 1].decode("utf-8", "replace")
        stated = parsed(line.lstrip("# "))
        for key, value in stated.items() if isinstance(stated, dict) else ():
            self.stated.setdefault(key, value)
        return True

    def _first_name(self) -> str:
        """Return the first name of the header, which may begin as a comment does."""
        if self.header:
            return self.header[0]
        line = self._lines[0].decode("utf-8", "replace") if self._lines else ""
        name, mark, _ = line.partition(self.delimiter)
        return name.strip() if mark and "{" not in line else ""

    def _cut(self, raw: _Raw, header: list[str]) -> Cut:
        is_short = raw.has_no_end and raw.swallowed == 0
        if raw.swallowed is not None and not is_short:
            cells: dict[str, object] = dict(zip(header, raw.cells[:-1], strict=False))
            return Cut(cells, raw.line, raw.offset, warning=_open_quote(raw))
        last = raw.cells[-1].strip()
        if len(raw.cells) > len(header):
            # A mark too many, before a cell or at the end of the line.
            raw.cells = [cell for cell in raw.cells if cell.strip()]
        if len(raw.cells) > len(header):
            return Cut(None, raw.line, raw.offset, refused="has more cells than the header")
        half = is_short or len(raw.cells) < len(header) or (last and _HALF.fullmatch(last))
        if raw.has_no_end and half:
            return Cut(None, raw.line, raw.offset, end="is cut off")
        found = Cut(dict(zip(header, raw.cells, strict=False)), raw.line, raw.offset)
        if raw.has_no_end and self.number(last) is not None:
            # Many programs end a file so: to leave the row out would lose a good one.
            found.end = f"has no line end: {last[:20]!r} may be half a number"
        return found

    def _raws(self) -> Iterator[_Raw]:
        place = [1, 0]
        blanks = self.delimiter == _BLANK
        rows = csv.reader(self._texts(place), delimiter=self.delimiter, skipinitialspace=blanks)
        while True:
            line, start = place
            try:
                cells = next(rows, None)
            except csv.Error as error:
                yield _Raw([""], line, start, fault=str(error))
                return
            if cells is None:
                return
            if any(cell.strip() for cell in cells):
                yield self._raw(cells, line, start, place[0])

    def _raw(self, cells: list[str], line: int, start: int, after: int) -> _Raw:
        if after <= len(self._lines):
            return _Raw(cells, line, start)
        count = len(self._lines) - line if self._is_open(line) else None
        return _Raw(cells, line, start, not self.content.endswith((b"\n", b"\r")), count)

    def _is_open(self, line: int) -> bool:
        """Tell whether the last row ends inside quotes, which the reader takes as they are."""
        texts = [text.decode("utf-8", "replace") for text in self._lines[line - 1 :]]
        try:
            deque(csv.reader(texts, delimiter=self.delimiter, strict=True), maxlen=0)
        except csv.Error as error:
            return "end of data" in str(error)
        return False

    def _texts(self, place: list[int]) -> Iterator[str]:
        offset = 0
        for number, line in enumerate(self._lines, start=1):
            text = line.decode("utf-8", "replace")
            offset += len(text.encode("utf-16-le")) if self._is_wide else len(line)
            place[:] = number + 1, offset
            text = text.removeprefix("\ufeff") if number == 1 else text
            if self.delimiter == _BLANK:
                text = f"{text.lstrip('# ' if number == 1 else _BLANK).rstrip()}\n"
            yield text


def _odd_names(header: list[str]) -> Iterator[str]:
    for name, count in Counter(header).items():
        if name and count > 1:
            yield f"{count} columns are called {name!r}: the last of them is read"


def _open_quote(raw: _Raw) -> str:
    """Say how much a quote takes in that is open where the file ends."""
    count = raw.swallowed
    lines = "line after it is" if count == 1 else f"{count} lines after it are"
    rest = f": the {lines} not read" if count else ""
    return f"line {raw.line} opens a quote that nothing closes{rest}"


def delimiter_of(content: bytes) -> str:
    r"""Return what parts the first two lines alike, else what stands most often in the first.

    What Keras was told to put there is taken from its own first column; blanks part what nothing
    else does.

    Example:
        >>> delimiter_of(b"step;loss\n1;0,5\n"), delimiter_of(b"step,;;\n1,0.5\n")
        (';', ',')
        >>> delimiter_of(b"# step   rmse\n    10   0.5\n")
        ' '
    """
    head, *rest = content[: 1 << 16].removeprefix(BOM).splitlines()[:2] or [b""]
    mark = max(
        _DELIMITERS, key=lambda mark: (_parts_alike(head, rest, mark), head.count(mark.encode()))
    )
    keras = None if mark.encode() in head else _KERAS.match(head)
    # Beyond ASCII a sign takes several bytes, of which one parts nothing.
    if keras and keras[1].isascii():
        return keras[1].decode()
    widths = [len(line.strip(b"# ").split()) for line in (head, *rest)]
    return _BLANK if mark.encode() not in head and widths == widths[:1] * 2 != [1, 1] else mark


def _parts_alike(head: bytes, rest: list[bytes], mark: str) -> bool:
    """Say whether two lines have as many cells, and more than one; quotes may hide marks."""
    texts = (line.decode("utf-8", "replace") for line in (head, *rest))
    widths = [len(cells) for cells in csv.reader(texts, delimiter=mark)]
    return len(widths) > 1 and widths[0] == widths[1] > 1


def is_table(head: bytes) -> bool:
    r"""Tell by its first bytes whether a text is a table, of which a column counts.

    Example:
        >>> is_table(b"step\tloss\n10\t0.5\n"), is_table(b"step,loss")
        (True, False)
        >>> is_table(b"epoch 1, loss 2\nepoch 2, loss 1\n")
        False
    """
    first, *rest = as_utf8(head)[0].removeprefix(BOM).splitlines() or [b""]
    lines = [first, *(line for line in rest if not line.startswith(b"#"))][:2]
    if len(lines) < 2:
        return False
    mark = delimiter_of(b"\n".join(lines))
    texts = (line.decode("utf-8", "replace") for line in lines)
    names, cells = (t.strip("# ").split() if mark == _BLANK else t.split(mark) for t in texts)
    words = [plain_word(name.strip(" \"'")) for name in names]
    if not 1 < len(names) == len(cells) or len(set(words)) < len(words):
        return False
    return any(
        word in CLOCK_WORDS and cell.strip().isdigit()
        for word, cell in zip(words, cells, strict=True)
    )


# Rows of JSON: lines, members of an array, or one object in one of the shapes that logs have.

LINE_LIMIT = 1 << 24
"""Bytes of one line; a longer one is left out."""

_GAP = re.compile(r"[\s,]*")


@record(kw_only=False, frozen=False)
class Objects:
    """The objects of a JSON file: of an array its members, of any other text its lines.

    Attributes:
        reader: The file.
        media: Key to how many pictures and the like stand under it.
        merge: Lines without the marks of Git.
        needle: What stands in every line that is of interest.
        is_line: Whether the one object of the file stands in one line.
    """

    reader: FileReader
    media: dict[str, int] = field(default_factory=dict)
    merge: Unmerged = field(default_factory=Unmerged)
    needle: re.Pattern[bytes] | None = None
    is_line: bool = False

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
        if end and behind.strip() and parsed(line) is not None:
            return None
        content = as_utf8(read_bounded(self.reader, chain([first], chunks)))[0]
        content = self.merge.text(content)
        found = parsed(content)
        self.is_line = b"\n" not in content.strip()
        return found if isinstance(found, dict) else None

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
        text, decoder = content.decode("utf-8", "surrogateescape"), json.JSONDecoder()
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
                found, end = decoder.raw_decode(text, start)
            except (ValueError, RecursionError) as error:
                # Behind a fault nothing tells where the next member begins.
                cut = isinstance(error, json.JSONDecodeError) and _is_cut(error, text)
                told = "is no JSON, and nothing behind it is read"
                end_told, refused = ("is cut off", "") if cut else ("", told)
                yield Cut(None, number, offset, end=end_told, refused=refused)
                return
            yield self._cut(found, number, offset)

    def _lines(self, chunks: Iterable[bytes], *, is_wide: bool) -> Iterator[Cut]:
        """Yield every line that holds something; of one that is too long, its beginning."""
        number, offset, buffer, size = 1, 0, b"", 0
        for chunk in chunks:
            *ended, rest = chunk.split(b"\n")
            for part in ended:
                size += _bytes(part + b"\n", is_wide=is_wide)
                content = self.merge.line((buffer + part)[: LINE_LIMIT + 1])
                if content.strip() and (not self.needle or self.needle.search(content)):
                    yield self._cut(parsed(content), number, offset)
                number, offset, buffer, size = number + 1, offset + size, b"", 0
            size += _bytes(rest, is_wide=is_wide)
            buffer = (buffer + rest)[: LINE_LIMIT + 1]
        if buffer.strip():
            found = self._cut(parsed(buffer), number, offset)
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
