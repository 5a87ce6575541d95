"""Small JSON objects that the run store keeps beside the runs: failures, canaries, progress."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reportgen.train.store._files import look, write_whole

LONGEST_REASON = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """How often a cell failed, and why the last time.

    Attributes:
        tries: Failed attempts, 1 or more.
        reason: In words.
        date: ISO date and time, UTC; empty where the note is damaged.
        step: Update at which it failed, None where none was done or it is not known.
    """

    tries: int
    reason: str
    date: str
    step: int | None = None


def write_note(
    path: Path, words: Mapping[str, object], *, staging: Path, durable: bool = True
) -> None:
    """Write or replace a note by one rename."""
    write_whole(path, json.dumps(dict(words)).encode(), staging=staging, durable=durable)


def read_note(path: Path) -> dict[str, Any] | None:
    """Return a note; None when it is absent or damaged, which no note is worth failing for."""
    try:
        seen = look(path)
        words = None if seen is None else json.loads(seen.content)
    except (OSError, ValueError, RecursionError):
        return None
    return words if isinstance(words, dict) else None


def count_failure(path: Path, reason: str, step: int | None, *, staging: Path) -> None:
    """Note one more failed attempt."""
    earlier = read_failure(path)
    words = {
        "tries": (earlier.tries if earlier else 0) + 1,
        "reason": reason[:LONGEST_REASON],
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "step": step,
    }
    write_note(path, words, staging=staging)


def read_failure(path: Path) -> Failure | None:
    """Return a noted failure; None when there is none. A damaged note is a failure too."""
    if not path.exists():
        return None
    words = read_note(path) or {}
    tries, reason, date = words.get("tries"), words.get("reason"), words.get("date")
    step = words.get("step")
    if not (isinstance(tries, int) and isinstance(reason, str) and isinstance(date, str)):
        return Failure(tries=1, reason="the note that says why is damaged", date="")
    return Failure(
        tries=max(tries, 1),
        reason=reason[:LONGEST_REASON],
        date=date,
        step=step if isinstance(step, int) else None,
    )
