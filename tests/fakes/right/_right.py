"""What a right report is: its text, its logs, and single changes that make it wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from fakes.event_file import write_scalars

Curves = Mapping[str, Mapping[int, Sequence[float]]]
"""Values after each epoch by group and seed."""


@dataclass(frozen=True)
class Change:
    """One passage that becomes another, and the checks that may say so.

    Attributes:
        old: Words that stand once in the report.
        new: What is written in their place.
        rules: Names of checks of which one has to speak.
    """

    old: str
    new: str
    rules: frozenset[str]


@dataclass(frozen=True)
class Right:
    """A report that agrees with its logs.

    Attributes:
        form: Ending of its file.
        text: What is handed in.
        write: Writes its logs into a folder.
        changes: Each makes it wrong at one place.
        share: Of its numbers that claim something, how many are checked at least.
    """

    name: str
    form: str
    text: str
    write: Callable[[Path], None]
    changes: tuple[Change, ...]
    share: float


def change(old: str, new: str, *rules: str) -> Change:
    return Change(old, new, frozenset(rules))


def shown(value: float, decimals: int = 1) -> str:
    return f"{value:.{decimals}f}"


def comma(value: float, decimals: int = 1) -> str:
    """Spell a number as French reports do."""
    return shown(value, decimals).replace(".", ",")


def mean(values: Sequence[float]) -> float:
    return float(np.mean(values))


def std(values: Sequence[float], ddof: int = 1) -> float:
    return float(np.std(values, ddof=ddof))


def best(curve: Sequence[float], *, low: bool = False) -> int:
    """Index of the best epoch, the earliest of equal ones."""
    return int(np.argmin(curve) if low else np.argmax(curve))


def points(curve: Sequence[float], each: int, first: int = 1) -> list[tuple[int, float]]:
    return [(each * n, float(v)) for n, v in enumerate(curve, first)]


def write_fairseq(folder: Path, splits: Mapping[str, Mapping[str, Curves]], each: int) -> None:
    """Write runs as fairseq does: `group/seed/split`, one tag a metric.

    Args:
        folder: Where.
        splits: Folder of the split to tag to its curves.
        each: Steps an epoch.
    """
    for split, tags in splits.items():
        groups = next(iter(tags.values()))
        for group, seeds in groups.items():
            for seed in seeds:
                scalars = {tag: points(c[group][seed], each) for tag, c in tags.items()}
                write_scalars(folder / group / str(seed) / split, scalars)


def write_tags(folder: Path, tags: Mapping[str, Curves], each: int, run: str = "seed_{}") -> None:
    """Write one event file a run, `group/seed_N`, its splits in the tags."""
    groups = next(iter(tags.values()))
    for group, seeds in groups.items():
        for seed in seeds:
            scalars = {tag: points(c[group][seed], each) for tag, c in tags.items()}
            write_scalars(folder / group / run.format(seed), scalars)


def write_epochs(folder: Path, curves: Mapping[str, Sequence[float]], first: int = 1) -> None:
    """Write a table of epochs for two seeds of each group, the second a thousandth higher.

    Args:
        folder: Where the groups get their folders.
        curves: Group to validation accuracy, epoch by epoch.
        first: Number of the first epoch.
    """
    for group, curve in curves.items():
        for seed in range(2):
            path = folder / group / f"seed{seed}.csv"
            path.parent.mkdir(parents=True, exist_ok=True)
            rows = (f"{epoch},{value + seed / 1000}" for epoch, value in enumerate(curve, first))
            path.write_text("epoch,val/accuracy\n" + "\n".join(rows) + "\n", encoding="utf-8")
