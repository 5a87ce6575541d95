"""Write down what was inferred."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from reportgen.api.analysis import load_originals
from reportgen.api.options import Told, silent
from reportgen.errors import EvidenceError
from reportgen.read.remote import Url, read_url
from reportgen.records.study import ModelPlan, Study


def make_study(runs: Path | str, out: Path) -> tuple[str, tuple[Told, ...]]:
    """Return a study file for a folder of runs, and the decisions it records.

    Args:
        runs: Folder with the logs, or its URL. What lies beside logs in an object store is left
            out of the file, and found again by whoever reads it.
        out: Where the file will lie; paths inside it are relative to there.

    Raises:
        EvidenceError: There is no such folder, or no run below it.
    """
    from reportgen.api.remote import at_hand
    from reportgen.read.study import describe_decision, write_study

    with at_hand(runs) as here:
        found, study = load_originals(here, Study(), silent)
        if not found.runs:
            raise EvidenceError(f"no training logs under {here}", remedy="point --runs at the logs")
    named = read_url(str(runs))
    study = (
        replace(study, runs_path=str(named), model=ModelPlan(), adapters=())
        if isinstance(named, Url)
        else _beside(study, named, Path() if str(out) == "-" else out.parent)
    )
    return write_study(study), tuple(map(describe_decision, study.decisions))


def _beside(study: Study, runs: Path, place: Path) -> Study:
    """Return a study whose paths are relative to a folder."""

    def beside(path: str) -> str:
        return _relative(runs / path, place) if path else ""

    return replace(
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


def _relative(path: Path, place: Path) -> str:
    return Path(os.path.relpath(path.absolute(), place.absolute())).as_posix()
