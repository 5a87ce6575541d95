"""What a study starts from: a study file of what was inferred, and templates to change."""

from __future__ import annotations

import difflib
import os
from pathlib import Path

from reportgen.app.analysis import load_originals
from reportgen.app.options import Told, silent
from reportgen.read.remote import Url, read_url
from reportgen.read.store import write_files
from reportgen.records.errors import EvidenceError, UnknownNameError, UsageError
from reportgen.records.record import replace
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
    from reportgen.app.remote import at_hand
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


def list_templates(name: str = "") -> tuple[str, ...]:
    """Return templates as `format/path`, sorted.

    Args:
        name: What `eject_templates` takes; empty lists every one.

    Raises:
        UnknownNameError: No template has this name; the nearest ones are named.
    """
    from reportgen.render import FORMATS, packaged_templates

    root = packaged_templates()
    every = sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file())
    begun, slash, short = name.strip("/").partition("/")
    # `build --format md` calls a format by the ending of its files.
    form = next((f for f, entry in FORMATS.items() if f"*.{begun}" in entry.match), begun)
    wanted = f"{form}{slash}{short}"
    paths = (wanted, f"{wanted}.j2", f"{form}/blocks/{short}.j2")
    chosen = [t for t in every if t in paths or not wanted or t.startswith(f"{wanted}/")]
    if not chosen:
        near = difflib.get_close_matches(wanted, [*every, *(t[:-3] for t in every)], n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UnknownNameError(
            f"no template is called {wanted!r}{hint}",
            remedy="`reportgen templates list` names them all",
        )
    return tuple(chosen)


def eject_templates(name: str, to: Path, *, force: bool = False) -> tuple[Path, ...]:
    """Copy one template, or all of a folder, to where a build looks first.

    Args:
        name: `latex/blocks/table.j2`, for short `latex/table`; a folder (`latex`); empty is all.
        to: Folder to copy into; `templates` beside the study is found by itself.
        force: Replace files that are there.

    Raises:
        UnknownNameError: No template has this name.
        UsageError: A file is there already.
    """
    from reportgen.render import packaged_templates

    chosen = list_templates(name)
    there = [template for template in chosen if (to / template).exists()]
    if there and not force:
        raise UsageError(
            f"{to / there[0]} is there already", remedy="add --force to replace it, or change --out"
        )
    root = packaged_templates()
    return write_files(to, {template: (root / template).read_bytes() for template in chosen})
