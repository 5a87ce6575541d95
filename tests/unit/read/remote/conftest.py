import pytest
from fakes.object_store import object_store


@pytest.fixture
def store(monkeypatch):
    with object_store(monkeypatch) as found:
        yield found
