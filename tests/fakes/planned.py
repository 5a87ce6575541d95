"""What the program says of the cells of a grid."""

import json
import os
import subprocess
import sys
from pathlib import Path

from fakes.command import Finished, reportgen


def plan_of(study: Path, *arguments: str) -> dict[str, dict[str, object]]:
    """Return `GROUP/SEED` to what the plan says of the cell."""
    done = reportgen("plan", study, "--json", *arguments, cwd=study.parent.parent)
    assert done.code == 0, done.err
    return {f"{c['group']}/{c['seed']}": c for c in json.loads(done.out)["cells"]}


def states(study: Path) -> dict[str, str]:
    """Return `GROUP/SEED` to the state of the cell."""
    return {name: str(cell["state"]) for name, cell in plan_of(study).items()}


def on_terminal(answer: str, *arguments: str | Path, cwd: Path) -> Finished:
    """Run a command on a pseudo-terminal, and answer its question."""
    leader, follower = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "reportgen", *map(str, arguments)],
        cwd=cwd,
        env=os.environ | {"REPORTGEN_CACHE": str(cwd / ".cache")},
        stdin=follower,
        stdout=follower,
        stderr=follower,
        start_new_session=True,
    )
    os.close(follower)
    seen = b""
    asked = False
    while True:
        try:
            piece = os.read(leader, 4096)
        except OSError:  # what Linux says at the end of a terminal
            break
        if not piece:
            break
        seen += piece
        if not asked and b"[y/N]" in seen:
            asked = True
            os.write(leader, f"{answer}\n".encode())
    os.close(leader)
    assert asked, seen
    text = seen.decode().replace("\r\n", "\n")
    return Finished(process.wait(60), text, text)
