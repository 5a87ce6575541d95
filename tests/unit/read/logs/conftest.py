"""Event files for the tests of loaders."""

from pathlib import Path

import pytest
from fakes import event_file
from fakes.event_points import WAYS

from reportgen.read.logs.events import load_events


@pytest.fixture
def events():
    """The makers of events, and of the bytes of a file."""

    class Events:
        file = staticmethod(event_file.encode)
        header = staticmethod(event_file.header)
        scalar = staticmethod(event_file.scalar)
        tensor = staticmethod(event_file.tensor)

    return Events


@pytest.fixture(params=WAYS[:3], ids=["as it is", "in bulk", "in small windows"])
def load(tmp_path, request):
    """Load the bytes of one event file; returns its only log, or as many as are asked for."""

    def from_bytes(content, name="events.out.tfevents.1.host", count=1):
        path = tmp_path / Path(name).name
        path.write_bytes(content)
        logs = load_events(path, name, request.param)
        assert len(logs) == count
        return logs[0] if count == 1 else logs

    return from_bytes
