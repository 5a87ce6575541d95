"""A lab of many small runs, each with an event file that TensorBoard's own writer has written."""

import io
from collections.abc import Iterator
from pathlib import Path

from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.record_writer import RecordWriter


def write_runs(root: Path, count: int, *, tags: int = 2, steps: int = 5) -> None:
    """Write `count` runs with one file each; no two files are equal, and their points are."""
    points = _encode(_points(tags, steps))
    for i in range(count):
        folder = root / f"model_{i // 10}" / f"seed_{i % 10}" / "valid"
        folder.mkdir(parents=True)
        header = _encode([Event(wall_time=1.7e9 + i, file_version="brain.Event:2")])
        (folder / f"events.out.tfevents.{1_700_000_000 + i}.lab.{i}.0").write_bytes(header + points)


def _points(tags: int, steps: int) -> Iterator[Event]:
    for step in range(1, steps + 1):
        for tag in range(tags):
            value = Summary.Value(tag=f"metric_{tag}", simple_value=1 / (step + tag))
            yield Event(wall_time=1.7e9 + step, step=step, summary=Summary(value=[value]))


def _encode(events: Iterator[Event] | list[Event]) -> bytes:
    stream = io.BytesIO()
    writer = RecordWriter(stream)
    for event in events:
        writer.write(event.SerializeToString())
    return stream.getvalue()
