"""The libraries that train: kept quiet, and what they raise told as a fault of what they got."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reportgen.records.errors import EvidenceError

_RAISED = (
    *(OSError, EOFError, ValueError, TypeError, KeyError, AttributeError, ImportError),
    *(RuntimeError, NotImplementedError, pickle.UnpicklingError),
)


@contextmanager
def refusing(what: str, remedy: str) -> Iterator[None]:
    """Raise `EvidenceError` with the first line of what a library says of a stranger's file."""
    try:
        yield
    except _RAISED as error:
        said = str(error).partition("\n")[0][:300]
        raise EvidenceError(f"{what}: {said}", remedy=remedy) from None


@contextmanager
def drawing(seed: int) -> Iterator[None]:
    """Seed torch and keep transformers quiet, and leave both as they were."""
    import torch
    import transformers

    logging: Any = transformers.utils.logging
    level, shown = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            yield
    finally:
        logging.set_verbosity(level)
        if shown:
            logging.enable_progress_bar()
