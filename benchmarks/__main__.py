"""Run every benchmark, or some: `python -m benchmarks build check`.

Options behind the names are the benchmark's own: `python -m benchmarks scale --most 10000`.
"""

from __future__ import annotations

import argparse
import importlib
import sys

NAMES = (
    "beside",
    "build",
    "check",
    "checkpoints",
    "counting",
    "live",
    "loading",
    "loading_processes",
    "render",
    "rerun",
    "scale",
)


def main() -> None:
    """Run those that are named, one after the other."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}")
    asked, _ = parser.parse_known_args()
    if unknown := [name for name in asked.names if name not in NAMES]:
        parser.error(f"no benchmark is called {unknown[0]}")
    for name in asked.names or NAMES:
        try:
            importlib.import_module(f"benchmarks.{name}").main()
        except ModuleNotFoundError as error:
            sys.exit(f"{name} needs {error.name}, which is not installed: `make bench` installs it")


if __name__ == "__main__":
    main()
