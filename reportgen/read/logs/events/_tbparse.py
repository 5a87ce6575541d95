"""Event files through tbparse, for whoever wants another reader's word for the numbers.

It stops at the first damaged record, in silence, and fails as a whole on some types of tensors;
what it says of a file is made into logs, and nothing is added.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from reportgen.read.logs.events._event import Content, Points
from reportgen.read.logs.events._file import KIND, EventFile, logs_of
from reportgen.read.logs.files import read_through
from reportgen.records.errors import MissingExtraError, install_command
from reportgen.records.record import replace
from reportgen.records.run import Log, Problem


def load(path: Path, name: str) -> tuple[Log, ...]:
    """Read one event file by tbparse.

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
    reader, empty = read_through(path, name, KIND)
    content = Content(records=1)
    points: dict[str, Points] = {}
    problem = next(iter(empty.problems), None)
    try:
        read = SummaryReader(str(path), extra_columns={"wall_time"})
        points = dict(_points(read.scalars)) | dict(_points(read.tensors))
        content.texts |= {str(row.tag): str(row.value) for row in read.text.itertuples()}
    except Exception as error:  # noqa: BLE001 - whatever it raises says that it cannot read
        message = f"tbparse cannot read it: {type(error).__name__}: {error}"
        problem = problem or Problem(path=name, message=message, remedy="leave --loader out")
    if not points and not content.texts:
        problem = problem or Problem(path=name, message="tbparse finds nothing in it")
        return (replace(empty, problems=(problem,)),)
    file = EventFile(content=content, points=points, head=reader.head, size=reader.size, end=None)
    return logs_of(file, name, reader.sha256)


def _points(frame: Any) -> Iterator[tuple[str, Points]]:
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
        yield str(tag), Points(rows["step"].to_numpy(), kept, rows["wall_time"].to_numpy())
