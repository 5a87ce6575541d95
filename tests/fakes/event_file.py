"""Event files: messages of TensorBoard's own protocol, framed as its own writer frames them."""

import struct
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from google_crc32c import value as crc32c
from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import HistogramProto, Summary
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
from tensorboard.compat.proto.types_pb2 import DataType
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData
from tensorboard.summary.writer.event_file_writer import EventFileWriter

START = 1.7e9
"""Wall time of step 0, unless another is given."""


def write_scalars(
    folder: Path, tags: Mapping[str, Sequence[tuple[int, float]]], *, start: float = START
) -> None:
    """Write points (step, value) of each tag into one event file of a folder."""
    writer = EventFileWriter(str(folder))
    for tag, points in tags.items():
        for step, value in points:
            writer.add_event(scalar(tag, step, value, start + step))
    writer.close()


def put(path: Path, events: Iterable[Event]) -> Path:
    """Write a file of these events, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode(events))
    return path


def encode(events: Iterable[Event]) -> bytes:
    """Return the bytes of a file of these events."""
    return b"".join(record(event.SerializeToString()) for event in events)


def record(payload: bytes) -> bytes:
    """Frame a payload; TensorBoard's writer does the same with a checksum in pure Python."""
    head = struct.pack("<Q", len(payload))
    return head + checksum(head) + payload + checksum(payload)


def checksum(content: bytes) -> bytes:
    """Return the checksum of the format: CRC-32C, rotated and moved."""
    plain = crc32c(content)
    rotated = (plain >> 15 | plain << 17) & 0xFFFFFFFF
    return struct.pack("<I", (rotated + 0xA282EAD8) & 0xFFFFFFFF)


def records_of(content: bytes) -> list[bytes]:
    """Cut a sound file into its records."""
    found = []
    while content:
        whole = 16 + struct.unpack_from("<Q", content)[0]
        found.append(content[:whole])
        content = content[whole:]
    return found


def header() -> Event:
    """Return the event that every file begins with."""
    return Event(wall_time=START, file_version="brain.Event:2")


def summary(step: int, *values: Summary.Value, wall_time: float | None = None) -> Event:
    """Return an event with values; the clock ticks with the steps."""
    wall_time = START + step if wall_time is None else wall_time
    return Event(wall_time=wall_time, step=step, summary=Summary(value=values))


def scalar(tag: str, step: int, value: float, wall_time: float | None = None) -> Event:
    """Return an event with one scalar, as TensorFlow 1 and PyTorch write it."""
    return summary(step, Summary.Value(tag=tag, simple_value=value), wall_time=wall_time)


def scalars(tag: str, points: Iterable[tuple[int, float]], start: float = START) -> list[Event]:
    """Return one event a point."""
    return [scalar(tag, step, value, start + step) for step, value in points]


def tensor_value(tag: str, proto: TensorProto, plugin: str = "scalars") -> Summary.Value:
    """Return a tensor as a value; an empty plug-in leaves the metadata out."""
    value = Summary.Value(tag=tag, tensor=proto)
    if plugin:
        value.metadata.plugin_data.plugin_name = plugin
    return value


def tensor(
    tag: str, step: int, proto: TensorProto, plugin: str = "scalars", wall_time: float | None = None
) -> Event:
    """Return an event with one tensor, as TensorFlow 2 writes a scalar."""
    return summary(step, tensor_value(tag, proto, plugin), wall_time=wall_time)


def content(kind: str, packed: str, *numbers: float) -> TensorProto:
    """Return a tensor whose numbers lie as they do in memory."""
    return TensorProto(
        dtype=DataType.Value(f"DT_{kind}"),
        tensor_content=struct.pack(f"<{len(numbers)}{packed}", *numbers),
        tensor_shape=shape(len(numbers)) if len(numbers) > 1 else None,
    )


def fields(kind: str, **numbers: Sequence[float | bytes]) -> TensorProto:
    """Return a tensor whose numbers lie in a field of their own, as in `float_val=[0.5]`."""
    return TensorProto(dtype=DataType.Value(f"DT_{kind}"), **numbers)


def shape(*sizes: int) -> TensorShapeProto:
    """Return the shape of a tensor."""
    return TensorShapeProto(dim=[TensorShapeProto.Dim(size=size) for size in sizes])


def starts(step: int, wall_time: float = START) -> Event:
    """Return the event with which a writer says that all from `step` on is void."""
    return Event(step=step, wall_time=wall_time, session_log=SessionLog(status=SessionLog.START))


def text(tag: str, words: str, step: int = 0) -> Event:
    """Return an event with a text."""
    return tensor(tag, step, fields("STRING", string_val=[words.encode()]), plugin="text")


def hyperparameters(**settings: float | str | bool) -> Event:
    """Return the event in which a session states its hyperparameters."""
    plugin = HParamsPluginData(version=0)
    for name, setting in settings.items():
        kind = {bool: "bool_value", str: "string_value"}.get(type(setting), "number_value")
        setattr(plugin.session_start_info.hparams[name], kind, setting)
    value = Summary.Value(tag="_hparams_/session_start_info")
    value.metadata.plugin_data.plugin_name = "hparams"
    value.metadata.plugin_data.content = plugin.SerializeToString()
    return summary(0, value)


def image(tag: str, step: int, size: int = 200) -> Event:
    """Return an event with an image of `size` bytes that look like nothing else."""
    pixels = bytes(31 * i % 251 for i in range(size))
    picture = Summary.Image(height=1, width=1, encoded_image_string=pixels)
    return summary(step, Summary.Value(tag=tag, image=picture))


def histogram(tag: str, step: int) -> Event:
    """Return an event with a histogram."""
    histo = HistogramProto(min=0, max=3, num=4, sum=6, bucket_limit=[1, 2, 3], bucket=[1, 2, 1])
    return summary(step, Summary.Value(tag=tag, histo=histo))


def audio(tag: str, step: int) -> Event:
    """Return an event with a sound."""
    sound = Summary.Audio(sample_rate=8000, num_channels=1, encoded_audio_string=b"RIFF")
    return summary(step, Summary.Value(tag=tag, audio=sound))


def graph() -> Event:
    """Return an event with the graph of a model."""
    return Event(wall_time=START, graph_def=bytes(range(64)))
