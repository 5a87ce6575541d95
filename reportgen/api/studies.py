"""Write down what was inferred."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from reportgen.api.analysis import load_originals
from reportgen.api.options import Told, silent
from reportgen.errors import EvidenceError
from reportgen.records.study import Study


def make_study(runs: Path, out: Path) -> tuple[str, tuple[Told, ...]]:
    """Return a study file for a folder of runs, and the decisions it records.

    Args:
        runs: Folder with the logs.
        out: Where the file will lie; paths inside it are relative to there.

    Raises:
        EvidenceError: There is no such folder, or no run below it.
    """
    from reportgen.studyfile.settings import describe_decision
    from reportgen.studyfile.write import write_study

    found, study = load_originals(runs, Study(), silent)
    if not found.runs:
        raise EvidenceError(f"no training logs under {runs}", remedy="point --runs at the logs")
    place = Path() if str(out) == "-" else out.parent

    def beside(path: str) -> str:
        return _relative(runs / path, place) if path else ""

    study = replace(
        study,
        runs_path=_relative(runs, place),
        model=replace(
            study.model,
            config=beside(study.model.config),
            checkpoint=beside(study.model.checkpoint),
        ),
        adapters=tuple(
            replace(plan, config=beside(plan.config), base=beside(plan.base))
            for plan in study.adapters
        ),
    )
    return write_study(study), tuple(map(describe_decision, study.decisions))


def _relative(path: Path, place: Path) -> str:
    return Path(os.path.relpath(path.absolute(), place.absolute())).as_posix()
