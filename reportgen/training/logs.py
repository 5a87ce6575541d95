"""Logs of a finished run, in the layout of the runs beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from reportgen.training import LOG_WRITERS
from reportgen.training._curve import Point

Write = Callable[[Mapping[str, str], Sequence[Point], Path, str], tuple[Path, ...]]


def write_logs(
    layout: str, folders: Mapping[str, str], points: Sequence[Point], folder: Path, about: str
) -> tuple[Path, ...]:
    """Write the curve of a finished run, once; it is read back like the runs beside it.

    Args:
        layout: A key of `LOG_WRITERS`.
        folders: Split to folder or prefix (`{"validation": "valid"}`); others take the layout's.
        points: The curve; wall times are kept as they were measured.
        folder: Of the run.
        about: What made the run, for a reader who meets the files alone.

    Returns:
        The files, in the order of writing.

    Raises:
        UnknownNameError: No such layout is written.
        UsageError: A split's folder is no plain name.
    """
    write: Write = LOG_WRITERS.load(layout)
    return write(folders, points, folder, about)
