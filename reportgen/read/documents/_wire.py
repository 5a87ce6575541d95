"""Manuscripts as bytes between two processes, in words that cannot do anything.

Not pickle, and not marshal: the process that reads a stranger's file may be in that stranger's
hands, and whoever unpickles what it sends runs what it says. JSON is text; everything in it is
checked for its type and range before it becomes a record. Both ways together take a fifteenth of
the time of the reading, and less than pickle.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeVar

from reportgen.records.manuscript import BLOCK_TYPES, Block, Cell, Line, Manuscript
from reportgen.records.source import Problem

_T = TypeVar("_T")

_LARGEST = 2**40
"""No line, column, page or offset of a file that is read is larger."""


def dump_manuscript(manuscript: Manuscript) -> bytes:
    """Return a manuscript as JSON; a line that several blocks and cells share is sent once."""
    known: dict[int, int] = {}
    lines: list[list[Any]] = []

    def number_of(line: Line) -> int:
        index = known.setdefault(id(line), len(lines))
        if index == len(lines):
            runs = _runs(line.columns)
            lines.append([line.text, line.number, line.page, line.file, runs])
        return index

    blocks = [
        [
            block.type,
            [number_of(line) for line in block.lines],
            [[[c.text, number_of(c.line), c.start, c.span] for c in row] for row in block.rows],
            [block.head, block.level, block.caption],
        ]
        for block in manuscript.blocks
    ]
    problems = [[p.path, p.message, p.remedy, p.offset, p.level] for p in manuscript.problems]
    told = {
        "format": manuscript.format,
        "sha256": manuscript.sha256,
        "pages": manuscript.pages,
        "lines": lines,
        "blocks": blocks,
        "problems": problems,
    }
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def load_manuscript(content: bytes, path: str) -> Manuscript:
    """Return the manuscript that another process sent.

    Args:
        content: What `dump_manuscript` returned there.
        path: What the file is called; the other process is not asked.

    Raises:
        ValueError: It is no manuscript.

    Example:
        >>> line = Line(text="r = 16", number=1)
        >>> block = Block(type="paragraph", lines=(line,))
        >>> sent = Manuscript(path="a.md", format="plain", sha256="0", blocks=(block,))
        >>> load_manuscript(dump_manuscript(sent), "a.md") == sent
        True
        >>> load_manuscript(b'{"lines": 3}', "a.md")
        Traceback (most recent call last):
        ...
        ValueError: what the reader sent is no manuscript
    """
    try:
        told = json.loads(content)
        return _manuscript(told, path)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as fault:
        raise ValueError("what the reader sent is no manuscript") from fault


def _manuscript(told: Mapping[str, Any], path: str) -> Manuscript:
    lines = [_line(*parts) for parts in _list(told["lines"])]
    return Manuscript(
        path=path,
        format=_text(told["format"]),
        sha256=_text(told["sha256"]),
        blocks=tuple(_block(lines, *parts) for parts in _list(told["blocks"])),
        pages=_whole(told["pages"]),
        problems=tuple(_problem(*parts) for parts in _list(told["problems"])),
    )


def _line(text: Any, number: Any, page: Any, file: Any, runs: Any) -> Line:
    columns: list[int] = []
    for start, count in _list(runs):
        # Ranges of a forged message could be longer than any memory.
        if len(columns) + _whole(count) > len(_text(text)):
            raise ValueError("more columns than characters")
        columns += range(_whole(start), _whole(start) + count)
    return Line(
        text=_text(text),
        number=_whole(number),
        page=None if page is None else _whole(page),
        file=_text(file),
        columns=tuple(columns),
    )


def _block(lines: Sequence[Line], kind: Any, own: Any, rows: Any, told: Any) -> Block:
    head, level, caption = told
    if kind not in BLOCK_TYPES:
        raise ValueError("no type of block")
    return Block(
        type=kind,
        lines=tuple(lines[_whole(i)] for i in _list(own)),
        rows=tuple(tuple(_cell(lines, *parts) for parts in _list(row)) for row in _list(rows)),
        head=_whole(head),
        level=_whole(level),
        caption=_text(caption),
    )


def _cell(lines: Sequence[Line], text: Any, line: Any, start: Any, span: Any) -> Cell:
    return Cell(text=_text(text), line=lines[_whole(line)], start=_whole(start), span=_whole(span))


def _problem(path: Any, message: Any, remedy: Any, offset: Any, level: Any) -> Problem:
    if level not in {"warning", "note"}:
        raise ValueError("no level of a problem")
    return Problem(
        path=_text(path),
        message=_text(message),
        remedy=_text(remedy),
        offset=None if offset is None else _whole(offset),
        level=level,
    )


def _list(value: Any) -> list[Any]:
    return _checked(value, list)


def _text(value: Any) -> str:
    return _checked(value, str)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not 0 <= _checked(value, int) <= _LARGEST:
        raise ValueError("no number of a place")
    return int(value)


def _checked(value: Any, kind: type[_T]) -> _T:
    if not isinstance(value, kind):
        raise TypeError(f"no {kind.__name__}")
    return value


def _runs(columns: Iterable[int]) -> list[list[int]]:
    """Return columns as runs: where each begins, and how many follow it one by one."""
    runs = []
    for _, group in groupby(enumerate(columns), key=lambda pair: pair[1] - pair[0]):
        members = [column for _, column in group]
        runs.append([members[0], len(members)])
    return runs
