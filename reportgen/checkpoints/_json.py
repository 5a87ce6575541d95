"""Reading JSON objects that strangers wrote, with the line of every fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from reportgen.errors import EvidenceError
from reportgen.records.source import Source

LARGEST_JSON = 64 * 2**20
# Above this a file is not hashed: reading a header must not cost a pass over the weights.
LARGEST_HASHED = 64 * 2**20
# Read as objects, "[]," takes twenty times its three bytes; a header of 200,000 tensors less than
# two thirds of this.
MOST_KEPT = 160 * 2**20
OBJECT_BYTES, VALUE_BYTES = 64, 40
LFS_POINTER = b"version https://git-lfs.github.com/spec/"


def read_object(path: Path, name: str) -> dict[str, Any]:
    """Read a file that holds one JSON object.

    Args:
        path: The file.
        name: What messages call it.

    Raises:
        EvidenceError: The file is missing, a Git-LFS pointer, over 64 MiB, or no JSON object;
            a fault of spelling is named with its line and column.
    """
    content = read_bytes(path, name)
    refuse_pointer(content, name)
    return parse_object(content, name)


def read_bytes(path: Path, name: str) -> bytes:
    """Read a whole small file.

    Raises:
        EvidenceError: The file is missing, unreadable or over 64 MiB.
    """
    try:
        size = path.stat().st_size
        content = path.read_bytes() if size <= LARGEST_JSON else None
    except OSError as error:
        raise unreadable(name, error) from None
    if content is None:
        raise EvidenceError(
            f"{name} has {size} bytes; a configuration has at most {LARGEST_JSON}",
            remedy="pass the right file",
        )
    return content


def unreadable(name: str, error: OSError) -> EvidenceError:
    """Return what is said of a file that the system does not let read."""
    return EvidenceError(
        f"{name} cannot be read: {error.strerror}", remedy="check the path and its permissions"
    )


def refuse_pointer(content: bytes, name: str) -> None:
    """Refuse the small text that Git LFS leaves in the place of a file.

    Raises:
        EvidenceError: The content is such a text.
    """
    if content.startswith(LFS_POINTER):
        raise EvidenceError(
            f"{name} is a Git-LFS pointer, not the file itself", remedy="run: git lfs pull"
        )


def parse_object(content: bytes, name: str) -> dict[str, Any]:
    """Parse one JSON object; a key that stands twice is refused, not overwritten.

    Raises:
        EvidenceError: The content is no JSON object, or one of far too many parts.

    Example:
        >>> parse_object(b'{"r": 16}', "adapter_config.json")
        {'r': 16}
        >>> parse_object(b'{"r" 16}', "adapter_config.json")
        Traceback (most recent call last):
        ...
        reportgen.errors.EvidenceError: adapter_config.json:1: column 6: ...
          remedy: mend the JSON
    """
    objects = content.count(b"[") + content.count(b"{")
    if objects * OBJECT_BYTES + content.count(b",") * VALUE_BYTES + len(content) > MOST_KEPT:
        raise EvidenceError(
            f"{name} holds a JSON text of {objects} lists and objects, more than is read",
            remedy="pass the right file",
        )
    textual = name.endswith(".json")
    mend = "mend the JSON" if textual else "the file is damaged: download or copy it again"
    try:
        found = json.loads(content.decode("utf-8-sig"), object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise EvidenceError(
            f"{name}:{error.lineno}: column {error.colno}: {error.msg}", remedy=mend
        ) from None
    except UnicodeDecodeError as error:
        raise EvidenceError(
            f"{name} is no UTF-8 text: byte {error.start}",
            remedy="save it as UTF-8" if textual else mend,
        ) from None
    except (ValueError, RecursionError) as error:
        said = "nested too deep" if isinstance(error, RecursionError) else str(error)[:200]
        raise EvidenceError(f"{name}: {said}", remedy=mend) from None
    if not isinstance(found, dict):
        raise EvidenceError(
            f"{name} holds a JSON {type(found).__name__}, not an object",
            remedy="pass a file that starts with {",
        )
    return found


def source_of(path: Path, name: str, kind: str) -> Source:
    """Describe a file; one over 64 MiB gets no digest.

    Raises:
        EvidenceError: The file is missing or unreadable.
    """
    digest = ""
    try:
        size = path.stat().st_size
        if size <= LARGEST_HASHED:
            import hashlib

            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise unreadable(name, error) from None
    return Source(path=name, kind=kind, size=size, sha256=digest)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        double = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {double[:80]!r} stands twice in one object")
    return found
