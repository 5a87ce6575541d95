"""Text files that strangers wrote, with the line of every fault."""

from __future__ import annotations

from pathlib import Path

from reportgen.errors import EvidenceError

LARGEST = 2**30


def read_text(path: Path) -> str:
    """Return the content of a UTF-8 file, without its byte-order mark.

    Raises:
        EvidenceError: The file is missing, over 1 GiB, or no UTF-8.
    """
    try:
        size = path.stat().st_size
        content = path.read_bytes() if size <= LARGEST else b""
    except OSError as error:
        raise EvidenceError(
            f"{path} cannot be read: {error.strerror}", remedy="check the path and its permissions"
        ) from None
    if size > LARGEST:
        raise EvidenceError(
            f"{path} has {size} bytes; texts are read up to {LARGEST}", remedy="pass a smaller file"
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise EvidenceError(
            f"{path}:{line}: byte {error.start} is no UTF-8", remedy="save the file as UTF-8"
        ) from None


def lines_of(path: Path) -> list[str]:
    r"""Return the lines without their ends; only \n and \r\n end one, other marks are text.

    Raises:
        EvidenceError: As `read_text`.
    """
    lines = read_text(path).replace("\r\n", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    return lines
