"""Why values are missing, in the language spoken."""

from __future__ import annotations

from collections.abc import Iterable

from reportgen.languages import Message, retell, tell
from reportgen.records.facts import RunResult
from reportgen.records.quantity import Missing


def reasons_words(missing: Iterable[tuple[RunResult, Missing]]) -> list[str]:
    """Return why values are missing, runs with the same reason in one line."""
    reasons: dict[object, str] = {}
    runs: dict[object, list[str]] = {}
    for _, why in missing:
        run, key = _run_of(why.reason)
        reasons.setdefault(key, why.reason)
        names = runs.setdefault(key, [])
        if run and run not in names:
            names.append(run)
    return [
        retell(reason, run=_few(runs[key])) if runs[key] else retell(reason)
        for key, reason in reasons.items()
    ]


def by_reason(
    missing: Iterable[tuple[RunResult, Missing]],
) -> list[list[tuple[RunResult, Missing]]]:
    """Return runs without a value with those that have the same reason, in order of appearance."""
    found: dict[object, list[tuple[RunResult, Missing]]] = {}
    for cell, why in missing:
        found.setdefault(_run_of(why.reason)[1], []).append((cell, why))
    return list(found.values())


def _run_of(reason: str) -> tuple[str, object]:
    """Return the run that a reason begins with, and what is the same of other runs."""
    if not isinstance(reason, Message) or "run" not in reason.places:
        return "", reason
    run = reason.places["run"]
    others = {name: place for name, place in reason.places.items() if name != "run"}
    return retell(run) if isinstance(run, str) else "", (
        reason.pattern,
        tuple(sorted(others.items())),
    )


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
