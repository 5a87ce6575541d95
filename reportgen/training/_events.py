"""Event files of TensorBoard, written in one go by its own writer and under its own names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from reportgen.errors import UsageError

HOST = "reportgen"
"""Stands in names of files and folders where the name of a machine would."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scalar:
    """One number under its tag, in the unit of the layout that is written."""

    tag: str
    step: int
    value: float
    wall_time: float


def write_events(folder: Path, number: int, scalars: Iterable[Scalar], about: str) -> Path:
    """Write one event file; the same numbers give the same bytes under the same name.

    Args:
        folder: Made if it is missing.
        number: Of the file among those of its run.
        scalars: At least one; written by wall time, step and tag. Values are kept as float32.
        about: What made the run, written as a text beside the numbers.
    """
    from tensorboard.compat.proto.event_pb2 import Event, SourceMetadata
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.record_writer import RecordWriter

    ordered = sorted(scalars, key=lambda one: (one.wall_time, one.step, one.tag))
    begin = ordered[0].wall_time
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"events.out.tfevents.{begin:.0f}.{HOST}.0.{number}"
    with path.open("wb") as stream:
        writer = RecordWriter(stream)
        metadata = SourceMetadata(writer="tensorboard.summary.writer.event_file_writer")
        events = [Event(wall_time=begin, file_version="brain.Event:2", source_metadata=metadata)]
        events.append(Event(wall_time=begin, summary=Summary(value=[_text("about", about)])))
        for one in ordered:
            value = Summary.Value(tag=one.tag, simple_value=one.value)
            summary = Summary(value=[value])
            events.append(Event(wall_time=one.wall_time, step=one.step, summary=summary))
        for event in events:
            writer.write(event.SerializeToString())
        writer.flush()
    return path


def _text(tag: str, words: str) -> object:
    """Return a text as `SummaryWriter.add_text` writes it."""
    from tensorboard.compat.proto.summary_pb2 import Summary, SummaryMetadata
    from tensorboard.compat.proto.tensor_pb2 import TensorProto
    from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
    from tensorboard.compat.proto.types_pb2 import DT_STRING

    metadata = SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name="text"))
    shape = TensorShapeProto(dim=[TensorShapeProto.Dim(size=1)])
    tensor = TensorProto(dtype=DT_STRING, string_val=[words.encode()], tensor_shape=shape)
    return Summary.Value(tag=f"{tag}/text_summary", metadata=metadata, tensor=tensor)


def check_folder(name: str) -> str:
    """Return the name of a split's folder if it is one plain name.

    Raises:
        UsageError: It could lead out of the run.

    Example:
        >>> check_folder("valid")
        'valid'
    """
    if not re.fullmatch(r"\w[\w.-]*", name):
        raise UsageError(
            f"logs cannot be written to a folder called {name[:80]!r}",
            remedy="name the split by letters, digits, - and _ under [splits.names]",
        )
    return name
