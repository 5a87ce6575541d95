"""Programs that are killed, or refused by the system, at their n-th operation on files.

Some of them in the usual run; `REPORTGEN_FAULTS=100` takes as many.
"""

import hashlib
import os
import random
import subprocess
from collections.abc import Mapping
from pathlib import Path

FAULTS = int(os.environ.get("REPORTGEN_FAULTS", "2"))
HOOK = Path(__file__).with_name("at_operation")


def begin(
    home: Path,
    command: list[str],
    *below: Path,
    environment: Mapping[str, str] | None = None,
    **hook: object,
) -> subprocess.Popen[str]:
    """Begin a program in a folder.

    Args:
        home: Where it runs; the cache of all lies in it.
        command: The program and its arguments.
        below: Folders whose operations are counted.
        environment: Further variables.
        hook: What `at_operation` does: `at`, `do`, `told`, `events`; nothing leaves it away.
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("REPORTGEN_", "FIRE_"))}
    told = {"REPORTGEN_CACHE": str(home / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    told |= environment or {}
    if hook:
        told |= {f"FIRE_{name.upper()}": str(value) for name, value in hook.items()}
        told["FIRE_BELOW"] = os.pathsep.join(map(str, below))
        told["PYTHONPATH"] = os.pathsep.join((str(HOOK), kept.get("PYTHONPATH", "")))
    return subprocess.Popen(
        command, cwd=home, env={**kept, **told}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def finish(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Wait for a program; return its exit code and what it said to the user."""
    _, said = process.communicate(timeout=300)
    assert "Traceback" not in said, said
    assert "internal" not in said, said
    return process.returncode, said


def numbers(operations: int, most: int = FAULTS) -> list[int]:
    """Return at which operations to strike: each at least once, if there are enough strikes."""
    rng = random.Random(most)
    every = list(range(1, operations + 1)) if operations <= most else []
    return every + [rng.randint(1, operations) for _ in range(most - len(every))]


def digests(folder: Path) -> dict[str, str]:
    """Return every file of a folder with its digest."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
