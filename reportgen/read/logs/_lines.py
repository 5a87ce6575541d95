"""Lines of a text, also of the outputs that a notebook saved."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from reportgen.read.logs._files import FileReader
from reportgen.read.logs._wide import BYTE_ORDERS, chunks_as_utf8

LINE_LIMIT = 1 << 20
"""Longer lines are no rows; only their beginning is looked at."""

Located = tuple[int, int, bytes]
"""Number of a line, its first byte, and what it holds."""


def text_lines(reader: FileReader) -> Iterator[Located]:
    """Yield the lines of a text; a progress bar's carriage returns end lines too."""
    rest, offset, number = b"", 0, 1
    for chunk in _utf8(reader.chunks()):
        parts = re.split(rb"(?<=[\r\n])", rest + chunk)
        rest = parts.pop()
        for part in parts:
            yield number, offset, part
            offset += len(part)
            number += part.endswith(b"\n")
        if len(rest) > LINE_LIMIT:
            yield number, offset, rest[:LINE_LIMIT]
            offset, rest = offset + len(rest), b""
    if rest:
        yield number, offset, rest


def _utf8(chunks: Iterator[bytes]) -> Iterator[bytes]:
    first = next(chunks, b"")
    encoding = BYTE_ORDERS.get(first[:2])
    whole = _again(first, chunks)
    return chunks_as_utf8(whole, encoding) if encoding else whole


def _again(first: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def notebook_lines(content: bytes) -> Iterator[Located]:
    """Yield the lines of a notebook's saved text outputs; the offset counts them in order."""
    try:
        cells = json.loads(content)["cells"]
        texts = [
            "".join(output.get("text", []))
            for cell in cells
            for output in cell.get("outputs", [])
            if output.get("output_type") == "stream"
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return
    for number, line in enumerate("\n".join(texts).splitlines()):
        # JSON may spell half a letter.
        yield number + 1, number, line.encode("utf-8", "replace")
