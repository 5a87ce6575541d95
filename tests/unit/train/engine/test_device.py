from __future__ import annotations

import platform

import numpy as np
import pytest
import torch

from reportgen.errors import UsageError
from reportgen.train.engine import describe_device, list_versions, make_deterministic
from reportgen.train.engine.device import choose_device


@pytest.fixture
def _threads():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def test_the_fastest_device_is_chosen(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    assert choose_device() == "cuda"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert choose_device() == "mps"
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    assert choose_device() == "cpu"


@pytest.mark.parametrize("wanted", ["cuda", "tpu"])
def test_a_device_that_is_not_there_is_refused(wanted, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(UsageError, match=wanted) as caught:
        choose_device(wanted)
    assert "cpu" in caught.value.remedy


@pytest.mark.usefixtures("_threads")
def test_one_thread_is_set_and_told():
    torch.set_num_threads(2)
    assert make_deterministic("cpu") == ()
    assert torch.get_num_threads() == 1
    assert describe_device("cpu") == f"CPU, {platform.machine()}, 1 thread"
    make_deterministic("cpu", threads=2)
    assert describe_device("cpu").endswith("2 threads")


def test_versions_are_those_of_the_packages():
    found = list_versions()
    assert found["torch"] == torch.__version__
    assert found["numpy"] == np.__version__
    assert found["python"] == platform.python_version()
