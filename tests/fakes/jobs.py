"""Hand jobs of `fakes.job` to an executor, and watch them."""

import json
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from reportgen.train.executors import run_job

TESTS = Path(__file__).resolve().parents[1]
PATIENCE_S = 300
"""What has not come to pass by then never will."""
run_fake = partial(run_job, module="fakes.job")


def a_job(name: str, *, steps: int = 3, seconds: float = 0.02, how: str = "") -> str:
    return json.dumps({"id": name, "steps": steps, "seconds": seconds, "how": how})


def steps_of(store: Path, name: str) -> list[list[str]]:
    """Step, process and GPU of every line that a job has written."""
    file = store / ".reportgen" / "work" / name / "steps.txt"
    return [line.split() for line in file.read_text().splitlines()] if file.is_file() else []


def wait_until(condition: Callable[[], object]) -> None:
    """Wait for what comes to pass by itself, on a busy machine later than on a quiet one."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])


def running(pattern: str) -> list[int]:
    """Processes of this machine whose command line holds a text."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if pattern.encode() in line and is_alive(int(entry.name)):
                found.append(int(entry.name))
    return found
