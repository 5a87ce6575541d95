"""One event file: read whole, or from where an earlier reading ended, and made into logs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from reportgen.read.logs.events._event import Content, Points, read_by_loop
from reportgen.read.logs.events._frames import SIZES, Sizes, UnsureError
from reportgen.read.logs.files import FileReader, find_defect, read_through, size_of
from reportgen.read.logs.numbers import repeats
from reportgen.read.logs.sessions import Track, cut, find_sessions, rises, tabled_series, told_once
from reportgen.read.logs.wire import problems_of
from reportgen.records.errors import MissingExtraError, install_command
from reportgen.records.record import record, replace
from reportgen.records.run import Log, Problem, Series, Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

KIND = "tfevents"
PURGE_STEP = "purge_step"
"""Configuration key under which a log states that earlier files are void from a step on."""

TIMINGS = ("runtime", "_per_second", "_time", "wall")
"""How tags end that time the program: of two at one step nobody misses the first."""


@record(frozen=False)
class EventFile:
    """What was read of an event file.

    Attributes:
        content: What it holds beside points.
        points: Tag to its points.
        head: Its first bytes.
        size: Bytes on disk.
        end: Where the reading goes on when more has been written: behind the last sound
            record. None where the file is compressed.
        problem: What stopped the reading before the end, or empty.
        remedy: What can be done about it.
    """

    content: Content
    points: dict[str, Points]
    head: bytes
    size: int
    end: int | None
    problem: str = ""
    remedy: str = ""

    @property
    def stop(self) -> int:
        """Where the reading ended."""
        return self.size if self.end is None else self.end


def read_event_file(path: Path, sizes: Sizes = SIZES) -> EventFile:
    """Read a file from its first byte; compressed or not, whatever it holds."""
    return _read(path, sizes) or read_event_file_by_loop(path)


def read_event_file_by_loop(path: Path) -> EventFile:
    """Read a file record by record."""
    reader = FileReader(path, hashed=False)
    return _event_file(reader, *read_by_loop(reader.chunks()))


def read_more(path: Path, before: EventFile) -> EventFile | None:
    """Read what was appended to a file.

    Returns:
        The file as it is now, with those of its points that were appended. None where what was
        appended voids points before it, or cannot be understood without what came before.
    """
    if before.end is None:
        return None
    from copy import deepcopy

    content = deepcopy(before.content)
    # What reached up to the end may have been half of a record.
    content.faults = [fault for fault in content.faults if fault.end <= before.end]
    starts = len(content.starts)
    more = _read(path, SIZES, before.end, content)
    if more is None or len(more.content.starts) > starts or more.problem:
        return None
    more.head = before.head
    return more


def _read(
    path: Path, sizes: Sizes, begin: int = 0, content: Content | None = None
) -> EventFile | None:
    """Read many records at a time where there are many; None where the file does not allow it."""
    reader = FileReader(path, hashed=False)
    chunks = reader.chunks(begin)
    if (size_of(path) or 0) - begin < sizes.small:
        return _event_file(reader, *read_by_loop(chunks, begin, content))
    from reportgen.read.logs.events.batch import read_in_bulk

    try:
        return _event_file(reader, *read_in_bulk(chunks, sizes, begin, content))
    except UnsureError:
        return None


def _event_file(reader: FileReader, content: Content, points: dict[str, Points]) -> EventFile:
    end = reader.size
    if content.faults and content.faults[-1].end == end:
        end = content.faults[-1].offset
    return EventFile(
        content=content,
        points=points,
        head=reader.head,
        size=reader.size,
        end=None if reader.is_packed else end,
        problem=reader.problem,
        remedy=reader.remedy,
    )


def joined(parts: Sequence[dict[str, Points]]) -> dict[str, Points]:
    """Return the points of a file that was read in several parts, in their order."""
    found: dict[str, list[Points]] = {}
    for part in parts:
        for tag, points in part.items():
            found.setdefault(tag, []).append(points)
    # All at once: one after another, every part would copy the points of those before it.
    return {tag: Points.joined(some) for tag, some in found.items()}


def logs_of(file: EventFile, name: str, digest: str = "") -> tuple[Log, ...]:
    """Return an event file as a log for each session that wrote into it.

    What is no point, and what is wrong with the file, stands in the first one; the settings of
    a file are those of all its sessions.
    """
    found = file.content
    first, *later = (
        {
            tag: tabled_series(tag, one.steps, one.values, one.wall_times, name)
            for tag, one in session.items()
        }
        for session in sessions_of(file.points)
    )
    return (
        Log(
            source=_source(file, first, name, digest),
            series=first,
            texts=found.texts,
            # Of several starts, the earliest counts.
            config=found.config | ({PURGE_STEP: min(found.starts)} if found.starts else {}),
            skipped=found.skipped,
            problems=tuple(_problems(file, first, name)),
        ),
        *(
            Log(
                source=_source(file, series, name, digest),
                series=series,
                config=found.config,
                problems=tuple(_replaced(series, name)),
                session=number,
            )
            for number, series in enumerate(later, start=1)
        ),
    )


def sessions_of(points: dict[str, Points]) -> Iterator[dict[str, Points]]:
    """Yield the points of each session of a file, in order."""
    if all(rises(one.steps) for one in points.values()):
        yield points
        return
    tracks = {tag: Track(_clock(one.wall_times), one.steps) for tag, one in points.items()}
    begins = find_sessions({tag: told_once(tracks[tag], points[tag].values) for tag in tracks})
    if not begins:
        yield points
        return
    begun = dict.fromkeys(points, 0)
    for order in (*begins, np.inf):
        ends = {tag: max(begun[tag], cut(track, order)) for tag, track in tracks.items()}
        yield {
            tag: one.some(slice(begun[tag], ends[tag]))
            for tag, one in points.items()
            if begun[tag] < ends[tag]
        }
        begun = ends


def _clock(wall_times: NDArray[Any]) -> NDArray[Any]:
    """Return wall times that can be compared: one that is no number is as the one before it."""
    return np.where(np.isfinite(wall_times), wall_times, -np.inf)


def _source(file: EventFile, series: Mapping[str, Series], name: str, digest: str) -> Source:
    points = sum(map(len, series.values()))
    return Source(path=name, kind=KIND, size=file.size, sha256=digest, points=points)


def _problems(file: EventFile, series: Mapping[str, Series], name: str) -> Iterator[Problem]:
    found = file.content
    if file.problem:
        yield Problem(path=name, message=file.problem, remedy=file.remedy, offset=file.size or None)
    defect = None if file.problem else find_defect(file.head, file.size, name)
    if defect is not None:
        yield defect
        return
    if not found.records:
        if file.size:
            yield Problem(
                path=name,
                message="not an event file: no sound record",
                remedy="copy it again from where it was written; remove it if it is no log",
                offset=0,
            )
        return
    if not file.points and not found.texts and not found.config:
        yield Problem(path=name, message=f"{_what_else(found)}: no point was logged")
    if found.faults:
        yield from problems_of(found.faults, name)
    yield from _replaced(series, name)
    for tag, count in found.unreadable.items():
        yield Problem(path=name, message=f"hyperparameters of {tag!r} not readable ({count})")


def _replaced(series: Mapping[str, Series], name: str) -> Iterator[Problem]:
    remedy = "log a step that never comes twice, or each phase under a tag of its own"
    return repeats(series, name, remedy, lambda tag, _: tag.endswith(TIMINGS))


def _what_else(found: Content) -> str:
    """Say what a file holds that holds no point."""
    if not found.skipped:
        return "only the file's header was written"
    kinds = ", ".join(f"{kind} ({count})" for kind, count in sorted(found.skipped.items()))
    return f"only records that are no numbers: {kinds}"


# Event files through tbparse, for whoever wants another reader's word for the numbers.
#
# It stops at the first damaged record, in silence, and fails as a whole on some types of tensors;
# what it says of a file is made into logs, and nothing is added.


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
