"""One error for a device that has no memory left, whichever of torch's it raises."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from reportgen.training._engine import DeviceMemoryError


@contextmanager
def memory_errors() -> Iterator[None]:
    """Raise `DeviceMemoryError` for what torch raises when memory is not enough."""
    try:
        yield
    except RuntimeError as error:
        # Outside of CUDA torch has no class for it.
        if isinstance(error, torch.OutOfMemoryError) or "not enough memory" in str(error):
            raise DeviceMemoryError(str(error)) from error
        raise
