"""Run the program as a user does: in a process of its own."""

import atexit
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from fakes.forked import Forks


@dataclass(frozen=True)
class Finished:
    code: int
    out: str
    err: str

    def __post_init__(self) -> None:
        assert "Traceback" not in self.err, self.err
        assert "internal" not in self.err, self.err


WITH_EVERY_ROW = """
import sys
from reportgen.report.appendix import tables
tables.MOST_GROUPS = tables.MOST_ROWS = 1000
from reportgen.cli import main
sys.exit(main())
"""
"""The program with limits so high that the pages of many groups show every row."""

_PATIENCE_S = 300
_AT_START = ("HOME", "LANG", "LC_", "LD_", "MPL", "PYTHON", "TZ", "XDG_")
"""What Python and its libraries read of an environment as they start.

What else the process of the tests has there by now counts for nothing: Dask leaves a seed in it.
"""


def reportgen(*arguments: str | Path, cwd: Path, program: str = "", **environment: str) -> Finished:
    """Run `reportgen ARGUMENTS` in `cwd` with a cache of its own, or a program in its place.

    A program, and another environment for Python to start in, get a process from its first
    instruction; all else is forked from a process that has read the modules (`fakes.forked`).
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("REPORTGEN_", "SOURCE_DATE"))}
    own = {**kept, "REPORTGEN_CACHE": str(cwd / ".cache"), **environment}
    words = list(map(str, arguments))
    apart = program or any(name.startswith(_AT_START) for name in environment)
    if not apart and (forks := _forks()):
        return Finished(*forks.run(words, cwd, own, _PATIENCE_S))
    start = ("-c", program) if program else ("-m", "reportgen")
    done = run_to_end([sys.executable, *start, *words], cwd=cwd, env=own, timeout=_PATIENCE_S)
    return Finished(done.returncode, done.stdout, done.stderr)


def run_to_end(command: Sequence[str | Path], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run any program, however it ends, and return what it wrote."""
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def _forks() -> Forks | None:
    """Return what forks, if it is free; systems but Linux fork no such process."""
    return None if sys.platform != "linux" or (forks := _the_forks()).taken else forks


_ENVIRONMENT = dict(os.environ)


@cache
def _the_forks() -> Forks:
    forks = Forks(_ENVIRONMENT)
    atexit.register(forks.close)
    return forks
