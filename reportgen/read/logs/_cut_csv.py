"""Rows of CSV: a cell may go over lines, a quote may stay open, a header may come again."""

from __future__ import annotations

import csv
import re
from collections import Counter, deque
from collections.abc import Iterator
from itertools import islice

from reportgen.read.logs._cut import BOM, Cut, Unmerged, as_utf8
from reportgen.read.logs._marks import Marks, marks_of
from reportgen.read.logs._numbers import parsed
from reportgen.read.logs._table import CLOCK_WORDS, Numbers, read_cell, read_comma
from reportgen.read.logs._words import plain_word
from reportgen.records.record import field, record

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
        self._lines = [*self.merge.lines(content.splitlines(keepends=True))]
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
