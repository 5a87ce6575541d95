"""reportgen: lab reports that write themselves and prove every number.

The public names are imported on first use, so that `import reportgen` stays light:

    >>> import reportgen
    >>> sorted(reportgen.__all__)[:3]
    ['BuildOptions', 'build', 'inspect']
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reportgen.api import BuildOptions, build, inspect, load, make_study

__version__ = "0.1.0"

_HOMES = {
    "BuildOptions": "reportgen.api",
    "build": "reportgen.api",
    "inspect": "reportgen.api",
    "load": "reportgen.api",
    "make_study": "reportgen.api",
}

__all__ = ["BuildOptions", "build", "inspect", "load", "make_study"]


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for."""
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'reportgen' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names with the module's own."""
    return sorted({*globals(), *__all__})
