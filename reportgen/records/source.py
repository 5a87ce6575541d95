"""A file that was read, and what is the matter with it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One file that was read.

    Attributes:
        path: POSIX path relative to the root that was loaded.
        kind: Name of the loader that read it.
        size: Bytes.
        sha256: Hex digest of the whole file.
        points: Scalar points taken from it.
    """

    path: str
    kind: str
    size: int
    sha256: str
    points: int = 0


_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_UNPRINTED = ("Cc", "Zl", "Zp")


def printable(text: str) -> str:
    r"""Return a text whose control characters are written out, as a terminal may be shown it.

    Escape codes, line ends and marks that turn the direction of writing are escaped as
    Python writes them; letters of every script stay.

    Example:
        >>> print(printable("café\x1b[31mred"))
        café\x1b[31mred
    """
    if text.isprintable():
        return text
    return "".join(
        char.encode("unicode_escape").decode()
        if unicodedata.category(char) in _UNPRINTED or char in _DIRECTIONS
        else char
        for char in text
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A defect of the data that the reader of the report must learn of.

    Names of files and tags are strangers' text: their control characters are written out.

    Attributes:
        path: File or folder concerned, relative to the root.
        message: What is the matter, one sentence without a full stop.
        remedy: What can be done, or empty.
        offset: Byte offset of the fault inside the file, where known.
        level: `"warning"` when numbers may be missing for it, else `"note"`.
    """

    path: str
    message: str
    remedy: str = ""
    offset: int | None = None
    level: str = "warning"

    def __post_init__(self) -> None:
        for name in ("path", "message", "remedy"):
            object.__setattr__(self, name, printable(getattr(self, name)))
