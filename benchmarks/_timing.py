"""Whole processes, timed in turn, so that a drifting machine is fair to all of them."""

from __future__ import annotations

import os
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


def time_in_turn(
    contenders: Sequence[Contender], *, rounds: int, cwd: Path, environment: Mapping[str, str]
) -> dict[str, list[float]]:
    """Return wall seconds a contender a round, after one round that does not count."""
    # Byte code is kept between runs, as on any user's machine.
    inherited = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    seconds: dict[str, list[float]] = {contender.name: [] for contender in contenders}
    for turn in range(rounds + 1):
        for contender in contenders:
            contender.prepare()
            begun = time.perf_counter()
            done = subprocess.run(
                contender.command,
                cwd=cwd,
                env={**inherited, **environment},
                capture_output=True,
                text=True,
                check=False,
            )
            spent = time.perf_counter() - begun
            if done.returncode:
                raise SystemExit(f"{contender.name} failed:\n{done.stdout}\n{done.stderr}")
            if turn:
                seconds[contender.name].append(spent)
    return seconds


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, float, float]:
    """Return minimum, median and maximum of ours / theirs, round by round."""
    each = [a / b for a, b in zip(ours, theirs, strict=True)]
    return min(each), statistics.median(each), max(each)
