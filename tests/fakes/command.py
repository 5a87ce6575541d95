"""Run the program as a user does: in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Finished:
    code: int
    out: str
    err: str

    def __post_init__(self) -> None:
        assert "Traceback" not in self.err, self.err
        assert "internal" not in self.err, self.err


def reportgen(*arguments: str | Path, cwd: Path, **environment: str) -> Finished:
    """Run `reportgen ARGUMENTS` in `cwd` with a cache of its own."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("REPORTGEN_", "SOURCE_DATE"))}
    cache = cwd / ".cache"
    done = subprocess.run(
        [sys.executable, "-m", "reportgen", *map(str, arguments)],
        cwd=cwd,
        env={**kept, "REPORTGEN_CACHE": str(cache), **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return Finished(done.returncode, done.stdout, done.stderr)
