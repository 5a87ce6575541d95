"""TensorBoard event files, every point of every tag, with every checksum verified."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from reportgen.loaders._content import Content
from reportgen.loaders._files import FileReader, count_points, find_defect, reader_fault, source_of
from reportgen.loaders._framing import CUT_OFF, Fault
from reportgen.records.run import Log, Problem, Series

KIND = "tfevents"
PURGE_STEP = "purge_step"
"""Configuration key under which a log states that earlier files are void from a step on."""

LISTED = 50
"""Faults of one file that are listed one by one."""

HEAD = 256
"""First bytes that tell what a file is that holds no record."""

SMALL = 1 << 12
"""Files of fewer bytes are read sooner by the plain reader than bulk reading has begun."""


_Found = tuple[Content, dict[str, Series], bytes]
"""What a file holds beside points, its points, and its first bytes."""


def load_tfevents(path: Path, name: str) -> tuple[Log, ...]:
    """Read one event file.

    Args:
        path: The file; its content may be gzip.
        name: POSIX path relative to the root, as it will be reported.

    Returns:
        One log, without a digest: to hash a file takes longer than to read it. Damaged records
        are left out, each with a problem that says where; all others are kept. A file that is no
        event file has no series and one problem.
    """
    reader = FileReader(path, hashed=False)
    found = _read_small(reader, name) if _is_small(path) else _read_large(reader, name)
    if found is None:
        reader = FileReader(path, hashed=False)
        found = _read_small(reader, name)
    content, series, head = found
    return (
        Log(
            source=source_of(reader, name, KIND, count_points(series)),
            series=series,
            texts=content.texts,
            config=content.config | _purge(content),
            skipped=content.skipped,
            problems=tuple(_problems(content, bool(series), head, reader, name)),
        ),
    )


def _purge(content: Content) -> dict[str, object]:
    """Return from which step on earlier files are void: of several starts, from the earliest."""
    return {PURGE_STEP: min(content.starts)} if content.starts else {}


def _is_small(path: Path) -> bool:
    try:
        return path.stat().st_size < SMALL
    except OSError:
        return True


def _read_small(reader: FileReader, name: str) -> _Found:
    """Read record by record."""
    from reportgen.loaders._loop import read_by_loop

    chunks = reader.chunks()
    head = next(chunks, b"")
    content, columns = read_by_loop(chain([head], chunks))
    return content, columns.series(name, single=True), head


def _read_large(reader: FileReader, name: str) -> _Found | None:
    """Read many records at a time; None where the file does not allow it."""
    from reportgen.loaders._bulk.batch import UnsureError
    from reportgen.loaders._bulk.reader import read_in_bulk

    head = b""
    with reader.filling() as fill:

        def fill_and_look(view: memoryview) -> int:
            nonlocal head
            count = fill(view)
            head = head or bytes(view[: min(count, HEAD)])
            return count

        try:
            content, points = read_in_bulk(fill_and_look)
        except UnsureError:
            return None
    return content, points.series(name), head


def _problems(
    found: Content, has_points: bool, head: bytes, reader: FileReader, name: str
) -> Iterator[Problem]:
    if reader.problem:
        yield reader_fault(reader, name)
    defect = None if reader.problem else find_defect(head, reader.size, name)
    if defect is not None:
        yield defect
        return
    if not found.records:
        if reader.size:
            yield Problem(
                path=name,
                message="not an event file: no sound record",
                remedy="copy it again from where it was written; remove it if it is no log",
                offset=0,
            )
        return
    if not has_points and not found.texts and not found.config:
        yield Problem(path=name, message=f"{_what_else(found)}: no point was logged")
    for fault in found.faults[:LISTED]:
        yield _problem_of(fault, name)
    if len(found.faults) > LISTED:
        rest = found.faults[LISTED:]
        lost = sum(fault.end - fault.offset for fault in rest)
        yield Problem(
            path=name,
            message=f"{len(rest)} more damaged places, {lost} bytes, left out",
            offset=rest[0].offset,
        )
    for tag, count in found.unreadable.items():
        yield Problem(path=name, message=f"hyperparameters of {tag!r} not readable ({count})")


def _what_else(found: Content) -> str:
    """Say what a file holds that holds no point."""
    if not found.skipped:
        return "only the file's header was written"
    kinds = ", ".join(f"{kind} ({count})" for kind, count in sorted(found.skipped.items()))
    return f"only records that are no numbers: {kinds}"


def _problem_of(fault: Fault, name: str) -> Problem:
    cut = fault.reason == CUT_OFF
    return Problem(
        path=name,
        message=f"{fault.reason}; {fault.end - fault.offset} bytes left out",
        remedy="normal while training still runs" if cut else "copy the file again",
        offset=fault.offset,
        level="note" if cut else "warning",
    )
