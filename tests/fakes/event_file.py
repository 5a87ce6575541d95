"""Real TensorBoard event files, written by TensorBoard's own writer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.event_file_writer import EventFileWriter


def write_scalars(
    folder: Path, tags: Mapping[str, Sequence[tuple[int, float]]], *, start: float = 1.7e9
) -> None:
    """Write points (step, value) of each tag into one event file of a folder."""
    writer = EventFileWriter(str(folder))
    for tag, points in tags.items():
        for step, value in points:
            summary = Summary(value=[Summary.Value(tag=tag, simple_value=value)])
            writer.add_event(Event(wall_time=start + step, step=step, summary=summary))
    writer.close()
