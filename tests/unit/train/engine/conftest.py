import sys

import pytest


@pytest.fixture(autouse=True)
def _one_thread():
    """Sums of several threads round differently; tests that train import torch themselves."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
