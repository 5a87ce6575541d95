"""Event files for the tests, written by TensorBoard's own record writer."""

import io
from pathlib import Path

import pytest
from tensorboard.compat.proto import event_pb2, summary_pb2
from tensorboard.summary.writer.record_writer import RecordWriter


def encode(events):
    stream = io.BytesIO()
    writer = RecordWriter(stream)
    for event in events:
        writer.write(event.SerializeToString())
    return stream.getvalue()


def header():
    return event_pb2.Event(wall_time=1000.0, file_version="brain.Event:2")


def scalar(tag, step, value, wall_time=None):
    summary = summary_pb2.Summary(value=[summary_pb2.Summary.Value(tag=tag, simple_value=value)])
    wall_time = 1000.0 + step if wall_time is None else wall_time
    return event_pb2.Event(wall_time=wall_time, step=step, summary=summary)


def tensor(tag, step, proto, plugin="scalars"):
    value = summary_pb2.Summary.Value(tag=tag, tensor=proto)
    if plugin:
        value.metadata.plugin_data.plugin_name = plugin
    return event_pb2.Event(
        wall_time=1000.0 + step, step=step, summary=summary_pb2.Summary(value=[value])
    )


@pytest.fixture
def events():
    """The makers of events, and of the bytes of a file."""

    class Events:
        file = staticmethod(encode)
        header = staticmethod(header)
        scalar = staticmethod(scalar)
        tensor = staticmethod(tensor)

    return Events


@pytest.fixture
def load(tmp_path):
    """Load the bytes of one event file; returns its only log."""
    from reportgen.loaders.tfevents import load_tfevents

    def from_bytes(content, name="events.out.tfevents.1.host"):
        path = tmp_path / Path(name).name
        path.write_bytes(content)
        (log,) = load_tfevents(path, name)
        return log

    return from_bytes
