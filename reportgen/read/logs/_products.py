"""What reportgen wrote among the logs: told by the report beside it, and never read as a log."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

FOLDER = "_files"
"""A report's figures and tables lie in a folder of its own name with this ending."""

_MARKS: Mapping[str, bytes] = {
    "json": b'"schema": "reportgen-report/',
    "html": b'name="generator" content="reportgen ',
    "tex": b"\n%%rg ",
    "pdf": b"report.json",
}
_MOST = 32 * 2**20  # bytes of a report that are looked through


def is_product(folder: Path) -> bool:
    """Tell whether a folder holds the figures and tables of a report that lies beside it."""
    stem = folder.name.removesuffix(FOLDER)
    if not stem or stem == folder.name:
        return False
    return any(_holds(folder.with_name(f"{stem}.{kind}"), mark) for kind, mark in _MARKS.items())


def _holds(path: Path, mark: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return path.is_file() and mark in file.read(_MOST)
    except OSError:
        return False
