"""A rubric, read with the names of the checks that there are."""

from __future__ import annotations

from pathlib import Path

from reportgen.records.rubric import Rubric


def load_rubric(path: Path) -> Rubric:
    """Read a rubric file, and hold what it names against the checks and kinds of claims.

    Raises:
        EvidenceError: There is no such file, or it cannot be read.
        StudyError: It cannot be used; every mistake is listed with its line.
    """
    from reportgen.checks import CHECKS
    from reportgen.checks._run import NO_CHECK
    from reportgen.read.study import read_rubric

    return read_rubric(path, (*CHECKS, NO_CHECK))
