"""What an event file says, as TensorBoard's own reader has it, and what was read of it."""

import warnings
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path

import numpy as np
from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.compat.proto.types_pb2 import (
    DT_BFLOAT16,
    DT_FLOAT,
    DT_HALF,
    DT_STRING,
    DT_UINT32,
    DT_UINT64,
)
from tensorboard.util.tensor_util import make_ndarray

from reportgen.read.logs.events import SIZES, EventFile, Sizes
from reportgen.records.run import Log

WAYS = (SIZES, Sizes(small=0), Sizes(small=0, window=700, batch=9), Sizes(0, 64, 1))
"""In what portions a file may be read: no way of reading may matter."""

Point = tuple[int, str, str]
"""Step, value, wall time. As text a NaN equals itself, and -0.0 is not 0.0."""

Points = dict[str, tuple[str, list[Point]]]
"""Tag to the width of its values and its points."""

SINGLE = (DT_FLOAT, DT_HALF, DT_BFLOAT16)
OTHERS = {
    DT_BFLOAT16: ("half_val", "<u2"),
    DT_UINT32: ("uint32_val", "<u4"),
    DT_UINT64: ("uint64_val", "<u8"),
}
"""Types that TensorBoard does not read: their field and how they are packed."""


def read_events(path: Path) -> list[Event]:
    """Return the events of a sound file by TensorBoard's own reader."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from tensorboard.backend.event_processing.event_file_loader import LegacyEventFileLoader

        return list(LegacyEventFileLoader(str(path)).Load())


def points_of(file: EventFile) -> Points:
    """Return the points of a file, in the order in which they were written."""
    return {
        tag: (str(one.values.dtype), [_point(*row) for row in zip(*one, strict=True)])
        for tag, one in file.points.items()
    }


def points_in(events: Iterable[Event]) -> Points:
    """Return the points that are to be read of these events, in their order.

    All of them, but none that a later start voids; in double precision where one value of the
    tag needs it.
    """
    found: dict[str, list[tuple[int, np.generic, float]]] = {}
    wide = set()
    for step, wall_time, tag, value in _walk(events):
        if value is None:
            found = {name: [row for row in rows if row[0] < step] for name, rows in found.items()}
            continue
        found.setdefault(tag, []).append((step, value, wall_time))
        wide |= {tag} if value.dtype == np.float64 else set()
    result: Points = {}
    for tag, rows in found.items():
        width = np.float64 if tag in wide else np.float32
        points = [_point(step, width(value), wall) for step, value, wall in rows]
        if points:
            result[tag] = (np.dtype(width).name, points)
    return result


def written_in(events: Iterable[Event]) -> set[tuple[str, Point]]:
    """Return every point that was ever written, also those that later ones replace."""
    return {
        (tag, _point(step, width(value), wall_time))
        for (step, wall_time, tag, value), width in product(_walk(events), (np.float32, np.float64))
        if value is not None and (width is np.float64 or value.dtype == width)
    }


def _point(step: int, value: np.generic, wall_time: float) -> Point:
    return int(step), str(value), repr(float(wall_time))


def _walk(events: Iterable[Event]) -> Iterator[tuple[int, float, str, np.generic | None]]:
    """Yield step, wall time, tag and value; no value where a session starts again."""
    plugins: dict[str, str] = {}
    for event in events:
        if event.session_log.status == SessionLog.START:
            yield event.step, event.wall_time, "", None
        for value in event.summary.value:
            plugin = value.metadata.plugin_data.plugin_name
            plugins[value.tag] = plugin or plugins.get(value.tag, "scalars")
            number = _number(value) if plugins[value.tag] == "scalars" else None
            if number is not None:
                yield event.step, event.wall_time, value.tag, number


def _number(value: Summary.Value) -> np.generic | None:
    if value.HasField("simple_value"):
        return np.float32(value.simple_value)
    if not value.HasField("tensor") or value.tensor.dtype == DT_STRING:
        return None
    if np.prod([dim.size for dim in value.tensor.tensor_shape.dim]) != 1:
        return None
    width = np.float32 if value.tensor.dtype in SINGLE else np.float64
    return width(_element(value.tensor))


def _element(proto: TensorProto) -> np.generic:
    """Return the first number; what TensorBoard's own reading lacks is read here."""
    field, packed = OTHERS.get(proto.dtype, ("", ""))
    if not proto.tensor_content and not any(f.name.endswith("_val") for f, _ in proto.ListFields()):
        return np.float32(0)
    if not field:
        flat = TensorProto.FromString(proto.SerializeToString())
        flat.ClearField("tensor_shape")
        return make_ndarray(flat).reshape(-1)[0]
    stored = np.array(getattr(proto, field)[:1], packed)
    number = np.frombuffer(proto.tensor_content or stored.tobytes(), packed)[0]
    # numpy has no bfloat16: it is the upper half of a float32.
    return np.uint32(int(number) << 16).view("f4") if proto.dtype == DT_BFLOAT16 else number


def points(log: Log, tag: str = "loss") -> list[object]:
    """Points of one tag: step, value and wall time, in the order of the log."""
    found: list[object] = list(log.series[tag].points())
    return found


def steps(log: Log, tag: str = "loss") -> list[int]:
    """Steps of one tag, in the order of the log."""
    return [int(step) for step in log.series[tag].steps]
