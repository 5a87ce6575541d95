"""Who holds a lease: a process, told from every other one that bears or bore its number."""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Mapping
from pathlib import Path


def describe_self() -> dict[str, object]:
    """Return what tells this process from all others, ready for JSON."""
    pid = os.getpid()
    return {
        "host": socket.gethostname(),
        "machine": machine(),
        "pid": pid,
        "start": (_state(pid) or ("", ""))[1],
    }


def machine() -> str:
    """Name one numbering of processes: a kernel since its start, and one namespace in it.

    A host's name is not enough: containers that share a store may share their name and still
    not see each other's processes.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        # A network card's address; without one it is drawn anew, and no owner is ever known dead.
        return f"{socket.gethostname()} {uuid.getnode():012x}"


def is_plainly_dead(owner: Mapping[str, object]) -> bool:
    """Say whether a described process is known to have ended.

    False whenever that cannot be seen from here: another machine, another system, a damaged
    description. A number that another process bears now counts as ended.
    """
    pid = owner.get("pid")
    if os.name == "nt" or not isinstance(pid, int) or not 0 < pid < 2**31:
        return False
    if owner.get("machine") != machine():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        # Somebody else's process; /proc may hide it, so that only this tells that it is there.
        pass
    state = _state(pid)
    if state is None:
        return False
    start = owner.get("start")
    return state[0] in {"Z", "X"} or (isinstance(start, str) and bool(start) and start != state[1])


def _state(pid: int) -> tuple[str, str] | None:
    """Return a process's state letter and start in clock ticks since boot, on Linux."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        # The name in brackets may itself hold brackets and blanks.
        fields = text.rpartition(")")[2].split()
        return fields[0], fields[19]
    except (OSError, IndexError):
        return None
