"""Where nothing is read: the files that came nearest to a log, and what they lack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from reportgen.errors import EvidenceError
from reportgen.records.run import Fate, Problem, Runs

MOST_NAMED = 3
_INSPECT = "`reportgen inspect DIR` names each file"
_TEXTS = ("*.log", "*.out", "*.err", "*log*.txt", "stdout*", "*history*", "*metrics*", "*result*")
"""Names that logs have, among files that may hold anything."""

_LACKS: Mapping[str, tuple[str, str]] = {
    "console": (
        "no number with a name stands three times beside an epoch or step that goes on",
        "a line such as `epoch 3: val_loss 0.25` at each epoch is read",
    ),
    "json_lines": (
        "no object with a step or an epoch, no lists of a metric's values, no metric among numbers",
        'a line such as {"epoch": 3, "val_loss": 0.25} at each epoch is read',
    ),
    "metrics_csv": (
        "no column of steps or epochs, and none that names the run of each row",
        'name the column in the study file: [[logs.tables]] match = "*.csv", step = "..."',
    ),
}
"""Loader to what it looked for in a file in vain, and what would be read."""


def nothing_read(root: Path, runs: Runs) -> EvidenceError:
    """Return the error that says of the nearest files why none of them is a log."""
    near = sorted(_nearest(runs), key=lambda one: one[0])
    if not near:
        return EvidenceError(
            f"no training logs under {root}: looked for TensorBoard event files, logs of the "
            "Hugging Face Trainer, Lightning, fairseq, Weights & Biases and MLflow, CSV and JSON "
            "lines",
            remedy="point --runs at the folder that holds them; `reportgen inspect DIR` shows "
            "what is recognised",
        )
    remedy = next((one.remedy for _, one in near if one.remedy), "")
    return EvidenceError(
        f"no training logs under {root} that say anything: {lacks_of(runs)}",
        remedy="; ".join(filter(None, (remedy, _INSPECT))),
    )


def lacks_of(runs: Runs) -> str:
    """Return what the files that came nearest lack, empty where none came near."""
    near = [one for _, one in sorted(_nearest(runs), key=lambda one: one[0])]
    named: dict[str, list[str]] = {}
    for one in near[:MOST_NAMED]:
        named.setdefault(one.message, []).append(one.path)
    told = "; ".join(f"{', '.join(paths)}: {message}" for message, paths in named.items())
    return told + (f"; {len(near) - MOST_NAMED} more" if len(near) > MOST_NAMED else "")


def _nearest(runs: Runs) -> Iterator[tuple[tuple[int, int, str], Problem]]:
    """Yield how near a file came, with what it lacks; a file of several problems once."""
    problems: dict[str, Problem] = {}
    for problem in runs.all_problems():
        problems.setdefault(problem.path, problem)
    sizes = {fate.path: fate.size or 0 for fate in runs.fates}
    kinds = {fate.path: fate.kind for fate in runs.fates}
    for problem in problems.values():
        kind = kinds.get(problem.path, "")
        rank = 0 if kind == "table" else 1 if kind == "damaged" else 3
        yield (rank, -sizes.get(problem.path, 0), problem.path), problem
    for fate in runs.fates:
        if fate.path not in problems and fate.kind == "other" and _is_called_log(fate):
            message, remedy = _lack(fate)
            rank = 4 if fate.size == 0 else 2
            problem = Problem(path=fate.path, message=message, remedy=remedy)
            yield (rank, -(fate.size or 0), fate.path), problem


def _is_called_log(fate: Fate) -> bool:
    base = fate.path.rpartition("/")[2]
    return fate.source in _LACKS and any(fnmatchcase(base, pattern) for pattern in _TEXTS)


def _lack(fate: Fate) -> tuple[str, str]:
    return ("the file is empty", "") if fate.size == 0 else _LACKS[fate.source]
