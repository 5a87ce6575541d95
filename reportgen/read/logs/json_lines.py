"""JSON lines, and arrays of JSON objects: one object a point, with a step or an epoch in it."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path

from reportgen.read.logs._files import TEXT_LIMIT, FileReader, find_fault, reader_fault, source_of
from reportgen.read.logs._numbers import DEPTH, MARK, as_number, skipped_note
from reportgen.read.logs._table import Table, infer_plan
from reportgen.read.logs._told_apart import with_names
from reportgen.read.logs._wide import BYTE_ORDERS, chunks_as_utf8
from reportgen.records.run import Log, Problem
from reportgen.records.study import TablePlan

KIND = "json_lines"
WANDB_NAME = "wandb-history.jsonl"

SEEN = 50
"""Lines by which a log is told from the many other files of the kind."""

_BOM = b"\xef\xbb\xbf"
_GAP = re.compile(r"[\s,]*")
_DECODER = json.JSONDecoder()

LINE_LIMIT = 1 << 24
"""Bytes of one line; a longer one is left out."""


@dataclass(frozen=True, slots=True)
class _Line:
    """One line, or member of an array, and where it begins.

    Attributes:
        cut: Whether the file ends in it.
        last: Whether nothing behind it can be read, although there is more.
    """

    number: int
    offset: int
    content: bytes
    cut: bool = False
    last: bool = False


def load_json_lines(path: Path, name: str, plan: TablePlan | None = None) -> tuple[Log, ...]:
    """Read JSON lines or an array: one series a key with numbers, one point an object that has it.

    Args:
        path: The file.
        name: POSIX path relative to the root.
        plan: Which key is what, as a study declares it; None lets their names tell.

    Returns:
        One log, or none where the first lines are no objects with a step or an epoch: then the
        file is no log, and is not read to its end. Keys of nested values are joined by dots.
    """
    reader = FileReader(path)
    expected = plan is not None or name.rpartition("/")[2] == WANDB_NAME
    lines = _objects(reader)
    begun = list(islice(lines, SEEN))
    problem = find_fault(reader, b"\n".join(line.content for line in begun[:3]), name)
    rows = [row for line in begun if (row := _read(line.content)) is not None]
    found = plan or (infer_plan(rows, as_number) if 2 * len(rows) > len(begun) else None)
    if problem is not None and problem.message.startswith("the file is empty"):
        return (_only(problem, reader, name),) if expected else ()
    if problem is None and found is None:
        if not expected:
            return ()
        problem = Problem(path=name, message="no objects with a step, one a line: not a log")
    if problem is not None or found is None:
        deque(lines, maxlen=0)
        return (_only(problem, reader, name),)
    is_told = False
    if plan is None:
        read = (_read(line.content) for line in _objects(FileReader(path)))
        found, is_told = with_names(found, rows, (row for row in read if row), as_number)
    table = Table(plan=found, path=name, number=as_number, told=is_told)
    media: dict[str, int] = {}
    for line in chain(begun, lines):
        _take(table, line, media)
    log, *others = table.logs(Log(source=source_of(reader, name, KIND)))
    more = [reader_fault(reader, name)] if reader.problem else []
    if media:
        more.append(Problem(path=name, message=skipped_note(media), level="note"))
    return (replace(log, problems=(*log.problems, *more)), *others)


def _only(problem: Problem | None, reader: FileReader, name: str) -> Log:
    return Log(source=source_of(reader, name, KIND), problems=(problem,) if problem else ())


def _take(table: Table, line: _Line, media: dict[str, int]) -> None:
    row = _read(line.content, media)
    if row is not None:
        table.add(row, line.number, line.offset)
    elif line.cut:
        table.tell_end("is cut off", line.number, line.offset)
    elif line.last:
        told = "is no JSON, and nothing behind it is read"
        table.refuse(told, line.number, line.offset)
    else:
        table.refuse("is no JSON object", line.number, line.offset)


def _read(content: bytes, media: dict[str, int] | None = None) -> dict[str, object] | None:
    """Return the object of a line with its nested keys joined by dots, None where it is none."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    row: dict[str, object] = {}
    _flatten("", found, row, {} if media is None else media, 0)
    return row


def _flatten(
    key: str, value: object, row: dict[str, object], media: dict[str, int], depth: int
) -> None:
    if not isinstance(value, dict) or depth > DEPTH:
        row[key] = value
    elif MARK in value:
        media[key] = media.get(key, 0) + 1
    else:
        for name, one in value.items():
            _flatten(f"{key}.{name}" if key else name, one, row, media, depth + 1)


def _objects(reader: FileReader) -> Iterator[_Line]:
    """Yield what may be objects: of an array its members, of any other text its lines."""
    chunks = reader.chunks()
    first = next(chunks, b"")
    encoding = BYTE_ORDERS.get(first[:2])
    chunks = chain([first], chunks)
    if encoding:
        chunks = chunks_as_utf8(chunks, encoding)
        first = next(chunks, b"")
        chunks = chain([first], chunks)
    if first.removeprefix(_BOM).lstrip().startswith(b"["):
        yield from _members(reader, chunks, is_wide=bool(encoding))
    else:
        yield from _lines(chunks, is_wide=bool(encoding))


def _members(reader: FileReader, chunks: Iterable[bytes], *, is_wide: bool) -> Iterator[_Line]:
    """Yield every member of an array, also of one that does not end."""
    parts, total = [], 0
    for chunk in chunks:
        total += len(chunk)
        if total <= TEXT_LIMIT:
            parts.append(chunk)
    if total > TEXT_LIMIT:
        reader.problem = f"larger than {TEXT_LIMIT} bytes; not read"
        return
    text = b"".join(parts).decode("utf-8", "surrogateescape")
    begin, number, offset, end = 0, 1, 0, text.index("[") + 1
    while True:
        gap = _GAP.match(text, end)
        start = gap.end() if gap else end
        number += text.count("\n", begin, start)
        offset += _size(text[begin:start], is_wide=is_wide)
        begin = start
        if text.startswith("]", start):
            return
        try:
            _, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            # Behind a fault nothing tells where the next member begins.
            cut = isinstance(error, json.JSONDecodeError) and _is_cut(error, text)
            yield _Line(number, offset, b"", cut=cut, last=not cut)
            return
        yield _Line(number, offset, text[start:end].encode("utf-8", "surrogateescape"))


def _is_cut(error: json.JSONDecodeError, text: str) -> bool:
    """Tell whether JSON stops being any where the text ends, in half a word or in a string."""
    ends = len(text) - error.pos <= len("-Infinity")
    return ends or (error.msg.startswith("Unterminated") and '"' not in text[error.pos + 1 :])


def _size(text: str, *, is_wide: bool) -> int:
    """Return how many bytes of the file a text takes."""
    if is_wide:
        return len(text.encode("utf-16-le", "surrogatepass"))
    return len(text.encode("utf-8", "surrogateescape"))


def _lines(chunks: Iterable[bytes], *, is_wide: bool) -> Iterator[_Line]:
    """Yield every line that holds something; of one that is too long, its beginning."""
    number, offset, buffer, size = 1, 0, b"", 0
    for chunk in chunks:
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            size += _bytes(part + b"\n", is_wide=is_wide)
            content = (buffer + part)[: LINE_LIMIT + 1]
            if content.strip():
                yield _Line(number, offset, content)
            number, offset, buffer, size = number + 1, offset + size, b"", 0
        size += _bytes(rest, is_wide=is_wide)
        buffer = (buffer + rest)[: LINE_LIMIT + 1]
    if buffer.strip():
        yield _Line(number, offset, buffer, cut=True)


def _bytes(part: bytes, *, is_wide: bool) -> int:
    return _size(part.decode(), is_wide=True) if is_wide else len(part)
