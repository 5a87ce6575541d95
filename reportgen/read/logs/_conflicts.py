"""Marks that an unresolved merge of git has left in a text."""

from __future__ import annotations

import re
from pathlib import Path

from reportgen.read.logs._files import CHUNK, TEXT_LIMIT
from reportgen.records.run import Problem

_MARK = b"<<<<<<< "
_BEGIN = re.compile(rb"^<<<<<<< ([^\r\n]{0,80})", re.MULTILINE)
_END = re.compile(rb"^>>>>>>> ([^\r\n]{0,80})", re.MULTILINE)


def find_conflict(path: Path, name: str) -> Problem | None:
    """Return where a text holds two versions of its lines; None where it holds one.

    Args:
        path: The file.
        name: POSIX path relative to the root.
    """
    if not _holds_mark(path):
        return None
    with path.open("rb") as stream:
        content = stream.read(TEXT_LIMIT)
    begins = list(_BEGIN.finditer(content))
    if not begins or _END.search(content, begins[0].end()) is None:
        return None
    first = begins[0]
    line = content.count(b"\n", 0, first.start()) + 1
    more = f", and in {len(begins) - 1} more places" if len(begins) > 1 else ""
    return Problem(
        path=name,
        message=f"an unresolved merge of git from line {line} on{more}: it holds two versions of "
        "some lines",
        remedy="resolve it: keep one side and delete the lines that begin with <<<<<<<, ======= "
        "and >>>>>>>",
        offset=first.start(),
    )


def _holds_mark(path: Path) -> bool:
    """Tell whether the mark stands anywhere in a file, which is read in pieces."""
    tail = b""
    with path.open("rb", buffering=0) as stream:
        while chunk := stream.read(CHUNK):
            if _MARK in tail + chunk:
                return True
            tail = chunk[-len(_MARK) :]
    return False
