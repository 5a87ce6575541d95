import platform

import numpy as np
import pytest
import torch

from reportgen.train.engine.device import describe_device, list_versions, make_deterministic


@pytest.fixture
def _threads():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


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
