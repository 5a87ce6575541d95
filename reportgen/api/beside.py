"""What lies beside a report and may be its evidence, where nobody named any."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from reportgen.errors import EvidenceError

OWN_LOGS = ("logs", "runs", "tensorboard", "tb_logs", "lightning_logs", "wandb", "mlruns")
"""Folders of a submission that hold its own logs, the first that is there."""

FOLDERS = (
    *OWN_LOGS, "*_logs", "result", "results", "output", "outputs", "checkpoint*", "adapter",
    "adapters", "metrics", "configs",
)  # fmt: skip
"""Folders beside a report that are looked into."""

WORDS = (
    "args", "config", "eval", "hparam", "histor", "hyp", "log", "metric", "opt", "param",
    "progress", "result", "score", "setting", "state", "summary",
)  # fmt: skip
"""How a word of a file begins that is called as logs, results or settings are."""

ENDINGS = frozenset({".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".log"})

_EVENTS = ("*tfevents*", "*.wandb")
_DOCUMENTS = frozenset({".pdf", ".tex", ".md", ".qmd", ".rmd", ".markdown", ".docx"})
_TEXTS = (".txt", ".ipynb")
_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """The folder of a report whose logs, results and settings are the report's own.

    Attributes:
        folder: The folder.
        within: Patterns of the folders in it that are looked into.
        called: Whether files that lie directly in it count only where they are called as logs,
            results or settings are; a report that is named alone may lie among anything.
    """

    folder: Path
    within: tuple[str, ...] = FOLDERS
    called: bool = False

    def keeps(self, name: str) -> bool:
        """Tell whether a file below the folder may be evidence, by its name.

        Example:
            >>> own = Beside(folder=Path(), called=True)
            >>> [own.keeps(name) for name in ("val_metrics.csv", "grades.csv", "logs/grades.csv")]
            [True, False, True]
        """
        return not self.called or "/" in name or is_called_evidence(name)


def is_called_evidence(name: str) -> bool:
    """Tell whether a file is called as logs, results or settings are.

    Example:
        >>> [is_called_evidence(name) for name in ("run_state.json", "train.csv", "catalog.csv")]
        [True, False, False]
    """
    stem, dot, ending = name.rpartition(".")
    if any(fnmatchcase(name, pattern) for pattern in _EVENTS):
        return True
    if f"{dot}{ending.lower()}" not in ENDINGS:
        return False
    return ending == "log" or any(word.startswith(WORDS) for word in _WORD.findall(stem.lower()))


def is_alone(report: Path, others: Iterable[Path]) -> bool:
    """Tell whether a report is the only one in its folder, and not one of a class.

    Args:
        report: The report.
        others: All files of the folder that may be reports.
    """
    alike = {*_DOCUMENTS, report.suffix.lower()}
    return not any(other.stem != report.stem and other.suffix.lower() in alike for other in others)


def anything_beside(beside: Beside) -> bool:
    """Tell whether anything beside a report may be its evidence; nothing where nobody may look."""
    from reportgen.read.logs import find_files, loader_of
    from reportgen.read.stored import may_hold_values

    try:
        files = find_files(beside.folder, beside.within).files
    except EvidenceError:
        return False
    kept = (name for _, name in files if beside.keeps(name) and not name.endswith(_TEXTS))
    return any(loader_of(name) or may_hold_values(name) for name in kept)
