"""Run every benchmark, or the one named: `python -m benchmarks [build|checkpoints]`."""

from __future__ import annotations

import importlib
import sys

NAMES = ("build", "checkpoints")

if __name__ == "__main__":
    for name in sys.argv[1:] or NAMES:
        importlib.import_module(f"benchmarks.{name}").main()
