"""Whole processes, timed in turn, so that a drifting machine is fair to all of them."""

from __future__ import annotations

import os
import re
import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Contender:
    """A command to time.

    Attributes:
        name: How the table calls it.
        command: Arguments.
        prepare: Called before each run, outside the clock.
    """

    name: str
    command: Sequence[str]
    prepare: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class Spent:
    """What one run of a whole process took.

    Attributes:
        wall: Seconds.
        cpu: Processor seconds, those of its children included.
        told: What it printed.
    """

    wall: float
    cpu: float
    told: str


def inherited() -> dict[str, str]:
    """Return this process's environment; byte code is kept, as on any user's machine."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def run_in_turn(
    contenders: Sequence[Contender],
    *,
    rounds: int,
    cwd: Path,
    environment: Mapping[str, str],
    uncounted: int = 1,
) -> dict[str, list[Spent]]:
    """Return what each contender took a round, after some rounds that do not count.

    Raises:
        ModuleNotFoundError: A contender needs a package that is not installed.
    """
    spent: dict[str, list[Spent]] = {contender.name: [] for contender in contenders}
    for turn in range(rounds + uncounted):
        for contender in contenders:
            contender.prepare()
            cpu, begun = _cpu_of_children(), time.perf_counter()
            done = subprocess.run(
                contender.command,
                cwd=cwd,
                env={**inherited(), **environment},
                capture_output=True,
                text=True,
                check=False,
            )
            wall, cpu = time.perf_counter() - begun, _cpu_of_children() - cpu
            if lacking := re.search(r"^ModuleNotFoundError: .*'(\w+)", done.stderr, re.MULTILINE):
                raise ModuleNotFoundError(lacking[0], name=lacking[1])
            if done.returncode:
                raise SystemExit(f"{contender.name} failed:\n{done.stdout}\n{done.stderr}")
            if turn >= uncounted:
                spent[contender.name].append(Spent(wall, cpu, done.stdout))
    return spent


def time_in_turn(
    contenders: Sequence[Contender], *, rounds: int, cwd: Path, environment: Mapping[str, str]
) -> dict[str, list[float]]:
    """Return wall seconds a contender a round, after one round that does not count."""
    spent = run_in_turn(contenders, rounds=rounds, cwd=cwd, environment=environment)
    return {name: [one.wall for one in each] for name, each in spent.items()}


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, float, float]:
    """Return minimum, median and maximum of ours / theirs, round by round."""
    each = [a / b for a, b in zip(ours, theirs, strict=True)]
    return min(each), statistics.median(each), max(each)


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
