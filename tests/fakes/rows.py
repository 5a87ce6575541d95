"""Rows of tests that lie in a file of YAML beside them."""

from pathlib import Path
from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The one in C, where it was built: it reads in a tenth of the time."""


def rows_of(path: Path) -> Any:
    """Read a file of YAML."""
    with path.open("rb") as file:
        return yaml.load(file, Loader=_LOADER)  # noqa: S506 - both are safe ones
