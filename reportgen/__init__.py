"""reportgen: lab reports that write themselves and prove every number.

The public names are imported on first use, so that `import reportgen` stays light:

    >>> import reportgen
    >>> sorted(reportgen.__all__)[:3]
    ['BuildOptions', 'CheckOptions', 'GridOptions']
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reportgen.api import (
        BuildOptions,
        CheckOptions,
        GridOptions,
        RerunOptions,
        build,
        check,
        inspect,
        load,
        make_study,
        plan,
        rerun,
    )

__version__ = "0.1.0"

__all__ = [
    "BuildOptions",
    "CheckOptions",
    "GridOptions",
    "RerunOptions",
    "build",
    "check",
    "inspect",
    "load",
    "make_study",
    "plan",
    "rerun",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for."""
    if name in __all__:
        return getattr(importlib.import_module("reportgen.api"), name)
    raise AttributeError(f"module 'reportgen' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names with the module's own."""
    return sorted({*globals(), *__all__})
