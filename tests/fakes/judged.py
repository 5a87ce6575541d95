"""A sentence held against logs, in a report of its own; and the curves of two such labs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reportgen.api._old_judgement import judgement_of as judge
from reportgen.api.evidence import EvidencePaths
from reportgen.api.submissions import Submission
from reportgen.records.finding import Finding

LOUD = frozenset({"error", "warning"})
_QUIET = frozenset({("note", "value"), ("note", "aggregate")})

RISING = (
    {
        0: [0.412, 0.551, 0.633, 0.671, 0.669],
        1: [0.407, 0.546, 0.627, 0.662, 0.674],
        2: [0.421, 0.560, 0.640, 0.678, 0.683],
        3: [0.433, 0.588, 0.672, 0.711, 0.722],
    },
    {
        0: [0.381, 0.502, 0.577, 0.609, 0.613],
        1: [0.377, 0.498, 0.571, 0.611, 0.608],
        5: [0.385, 0.507, 0.582, 0.614, 0.619],
    },
)
"""Accuracies by seed, of two groups with seeds of their own."""

ASTRAY = (
    {
        1: [0.911, 0.640, 0.521, 0.508],
        2: [0.902, 0.633, 0.514, 0.499],
        3: [0.931, 0.742, 0.988, 7412.25],
    },
    {
        1: [0.951, 0.884, 0.872, 0.871],
        2: [0.957, 0.890, 0.881, 0.880],
        3: [0.955, 0.889, 0.882, 0.884],
    },
)
"""Errors by seed, of two groups; a run of the first one diverges."""


def findings_of(sentence: str, path: Path, evidence: EvidencePaths) -> tuple[Finding, ...]:
    """Return what is found of a report at `path` that says this and nothing else."""
    path.write_text(sentence, encoding="utf-8")
    return judge(Submission(name="report", report=path, evidence=evidence)).findings


def accusing(findings: Sequence[Finding]) -> list[str]:
    """Return the messages of errors and warnings, and of notes that doubt a value."""
    return [f.message for f in findings if f.level in LOUD or (f.level, f.rule) in _QUIET]


def accusations(logs: Path, lab: str, sentence: str, name: str) -> list[str]:
    """Return what a sentence is accused of beside the logs of one of several labs.

    Args:
        logs: Folder with a folder for each lab.
        lab: Whose logs are the evidence.
        sentence: All that the report says.
        name: Of the report, which is written beside the labs.
    """
    evidence = EvidencePaths(runs=logs / lab)
    return accusing(findings_of(sentence, logs / f"{lab}-{name}.md", evidence))
