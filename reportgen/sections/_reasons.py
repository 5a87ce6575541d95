"""Why values are missing, in the language spoken."""

from __future__ import annotations

from collections.abc import Iterable

from reportgen.languages import tell
from reportgen.records.facts import RunResult
from reportgen.records.quantity import Missing


def reasons_words(missing: Iterable[tuple[RunResult, Missing]]) -> list[str]:
    """Return why values are missing, runs with the same reason in one line."""
    runs: dict[str, list[str]] = {}
    for cell, why in missing:
        path = cell.run.id if cell.run is not None else ""
        same = path and why.reason.startswith(f"{path} ")
        names = runs.setdefault(why.reason.removeprefix(f"{path} ") if same else why.reason, [])
        if same and path not in names:
            names.append(path)
    return [f"{_few(names)} {reason}" if names else reason for reason, names in runs.items()]


def _few(names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    if len(names) <= 3:
        return tell("{first} and {last}", first=", ".join(names[:-1]), last=names[-1])
    return tell(
        "{first}, {second} and {count} others",
        first=names[0],
        second=names[1],
        count=len(names) - 2,
    )
