"""A store of runs, and a lease on one of them."""

import pytest
from fakes.store_folder import KEY

from reportgen.train.store import RunStore


@pytest.fixture
def store(tmp_path):
    """An empty store."""
    return RunStore(tmp_path / "reruns")


@pytest.fixture
def lease(store):
    """The right to write the run of ``KEY``."""
    with store.claim([KEY]) as held:
        yield held
