"""Event files through tbparse, for whoever wants another reader's word for the numbers.

It stops at the first damaged record, in silence, and fails as a whole on some types of tensors;
what it says of a file is made into a log, and nothing is added.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from reportgen.errors import MissingExtraError, install_command
from reportgen.read.logs._columns import series_of, settled
from reportgen.read.logs._files import FileReader, count_points, find_defect, source_of
from reportgen.records.run import Log, Problem, Series

KIND = "tfevents"
_HEAD = 256


def load_through_tbparse(path: Path, name: str) -> tuple[Log, ...]:
    """Read one event file by tbparse.

    Args:
        path: The file.
        name: POSIX path relative to the root, as it will be reported.

    Raises:
        MissingExtraError: tbparse is not installed.
    """
    try:
        from tbparse import SummaryReader
    except ImportError:
        raise MissingExtraError(
            "--loader tbparse needs tbparse, which is not installed",
            remedy=f"install it with {install_command('tbparse')}, or leave --loader out",
        ) from None
    file = FileReader(path)
    head = b"".join(chunk[:_HEAD] for chunk in file.chunks())[:_HEAD]
    series: dict[str, Series] = {}
    texts: dict[str, str] = {}
    problem = find_defect(head, file.size, name)
    try:
        read = SummaryReader(str(path), extra_columns={"wall_time"})
        found = dict(_series(read.scalars, name)) | dict(_series(read.tensors, name))
        series = settled(found)
        texts = {str(row.tag): str(row.value) for row in read.text.itertuples()}
    except Exception as error:  # noqa: BLE001 - whatever it raises says that it cannot read
        message = f"tbparse cannot read it: {type(error).__name__}: {error}"
        problem = problem or Problem(path=name, message=message, remedy="leave --loader out")
    if not series and not texts and problem is None:
        problem = Problem(path=name, message="tbparse finds nothing in it")
    return (
        Log(
            source=source_of(file, name, KIND, count_points(series)),
            series=series,
            texts=texts,
            problems=(problem,) if problem else (),
        ),
    )


def _series(frame: Any, name: str) -> Iterator[tuple[str, Series]]:
    """Yield the tags of a frame that hold single numbers."""
    if frame.empty:
        return
    for tag, rows in frame.groupby("tag", sort=False):
        values = [np.asarray(value) for value in rows["value"]]
        if any(value.size != 1 for value in values):
            continue
        numbers = np.array([float(value.reshape(())[()]) for value in values])
        single = numbers.astype(np.float32)
        kept = single if np.array_equal(single, numbers, equal_nan=True) else numbers
        steps, walls = rows["step"].to_numpy(), rows["wall_time"].to_numpy()
        yield str(tag), series_of(str(tag), steps, kept, walls, name)
