"""Event files for the tests of loaders."""

from pathlib import Path

import pytest
from fakes import event_file, event_reading


@pytest.fixture
def events():
    """The makers of events, and of the bytes of a file."""

    class Events:
        file = staticmethod(event_file.encode)
        header = staticmethod(event_file.header)
        scalar = staticmethod(event_file.scalar)
        tensor = staticmethod(event_file.tensor)

    return Events


@pytest.fixture(params=event_reading.WAYS[:3], ids=["as it is", "in bulk", "in small windows"])
def load(tmp_path, request):
    """Load the bytes of one event file; returns its only log."""
    from reportgen.read.logs.tfevents import load_tfevents

    def from_bytes(content, name="events.out.tfevents.1.host"):
        path = tmp_path / Path(name).name
        path.write_bytes(content)
        with event_reading.reading(request.param):
            (log,) = load_tfevents(path, name)
        return log

    return from_bytes
