import os

import pytest
from fakes.jobs import TESTS


@pytest.fixture(autouse=True)
def _children_find_the_fakes(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (TESTS, TESTS.parent))))


@pytest.fixture
def store(tmp_path):
    folder = tmp_path / "reruns"
    folder.mkdir()
    return folder
