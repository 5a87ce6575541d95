"""What the text of a file holds: objects, lists, rows of a table, and values in them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from reportgen.read.logs import Sheet, parse_json, parse_yaml
from reportgen.records.source import Problem


def value_of(one: object, longest: int) -> float | str | bool | None:
    """Return a value as it is stored; None for one that says nothing."""
    if isinstance(one, bool):
        return one
    if isinstance(one, str):
        text = one.strip()
        if not text or len(text) > longest or not text.isprintable():
            return None
        # What Python alone takes for a number is none.
        number = None if "_" in text or not text.isascii() else _number(text)
        return text if number is None else number if math.isfinite(number) else None
    if isinstance(one, int | float):
        number = _number(one)
        return number if number is not None and math.isfinite(number) else None
    return None


def _number(one: str | float) -> float | None:
    try:
        return float(one)
    except (ValueError, OverflowError):
        return None


def _json(content: bytes, name: str) -> tuple[object, Problem | None]:
    """Read one object, or else one in each line, as many programs call that JSON too."""
    found, problem = parse_json(content, name)
    lines = content.lstrip().splitlines()[:2] if problem else []
    return _lines(content, name) if len(lines) == 2 and lines[0][-1:] == b"}" else (found, problem)


def _lines(content: bytes, name: str) -> tuple[object, Problem | None]:
    """Read an object a line; the first line that holds none is told."""
    lines = [line for line in content.splitlines() if line.strip()]
    read = [parse_json(line, name) for line in lines]
    unread = [number for number, (_, problem) in enumerate(read, 1) if problem]
    message = (
        f"{len(unread)} lines are no JSON, the first of them line {unread[0]}" if unread else ""
    )
    problem = Problem(path=name, message=message) if unread else None
    return [found for found, fault in read if not fault], problem


def _toml(content: bytes, name: str) -> tuple[object, Problem | None]:
    import tomllib

    try:
        return tomllib.loads(content.decode("utf-8")), None
    except (ValueError, RecursionError) as error:
        return None, Problem(path=name, message=f"not valid TOML: {error}; not read")


def _table(content: bytes, name: str) -> tuple[object, Problem | None]:
    """Return a table as an object a row, under what each row begins with or its number."""
    sheet = Sheet(content=content, path=name)
    rows = [cut.cells for cut in sheet.rows() if cut.cells is not None]
    columns = [column for column in sheet.header if column]
    if rows and all(_is_number(column) for column in columns):
        return None, Problem(path=name, message="a table whose columns have no names; not read")
    leading = _leading(columns, rows)
    labels = [tuple(str(row.get(key, "")).strip() for key in leading) for row in rows]
    told = bool(leading) and len(set(labels)) == len(labels) and all(all(one) for one in labels)
    found: dict[str, object] = {}
    for number, (label, row) in enumerate(zip(labels, rows, strict=True)):
        own = {key: cell for key, cell in row.items() if key and not (told and key in leading)}
        inner = found
        for part in label[:-1] if told else ():
            inner = inner.setdefault(part, {})  # type: ignore[assignment]
        inner[label[-1] if told else str(number)] = own
    return found, None


_PAIR = re.compile(
    r"([^\W\d_][\w ./@()%-]{0,40}?)\s{0,3}[:=]\s{0,3}"
    r"([-+]?\d[\d.]{0,20}(?:e[-+]?\d+)?)(?![\w:])"
)
_FEWEST, _MOST_LINES = 3, 20_000


def _text(content: bytes, _: str) -> tuple[object, Problem | None]:
    """Return the named numbers of a program's output, an object a line (`Test Loss: 0.8031`)."""
    found = []
    for line in content.decode("utf-8", "replace").splitlines()[-_MOST_LINES:]:
        pairs = {key.strip(): float(text) for key, text in _pairs(line[:1000])}
        if pairs:
            found.append(pairs)
    return (found if sum(map(len, found)) >= _FEWEST else None), None


def _pairs(line: str) -> Iterator[tuple[str, str]]:
    for match in _PAIR.finditer(line):
        if _is_number(match[2]):
            yield match[1], match[2]


def _leading(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> list[str]:
    """Return the columns of texts that stand before the first one with a number."""
    told = []
    rows = [*rows]
    for column in columns:
        cells = [str(row.get(column, "")) for row in rows]
        if not rows or any(map(_is_number, cells)):
            break
        told.append(column)
    return told


def _is_number(text: str) -> bool:
    return isinstance(value_of(text, 40), float)


PARSERS: Mapping[str, Callable[[bytes, str], tuple[object, Problem | None]]] = {
    ".json": _json,
    ".jsonl": _lines,
    ".ndjson": _lines,
    ".yaml": parse_yaml,
    ".yml": parse_yaml,
    ".toml": _toml,
    ".csv": _table,
    ".tsv": _table,
    ".log": _text,
    ".out": _text,
    ".txt": _text,
}
TABLES = frozenset({".csv", ".tsv", ".jsonl", ".ndjson", ".log", ".out", ".txt"})
