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


def rows_beside(test: str) -> Any:
    """Read the YAML that lies beside a module of tests, `x.yaml` of `test_x.py`."""
    path = Path(test)
    return rows_of(path.with_name(f"{path.stem.removeprefix('test_')}.yaml"))
