"""Run every benchmark, or some: `python -m benchmarks build check`."""

from __future__ import annotations

import importlib
import sys

NAMES = (
    "beside",
    "build",
    "check",
    "checkpoints",
    "live",
    "loading",
    "loading_processes",
    "render",
    "rerun",
    "scale",
)

if __name__ == "__main__":
    for name in [word for word in sys.argv[1:] if word in NAMES] or NAMES:
        importlib.import_module(f"benchmarks.{name}").main()
