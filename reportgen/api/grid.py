"""The grid of a study: which cells are there, which are not, what the rest would cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.api.options import Notify, silent
from reportgen.errors import EvidenceError
from reportgen.records.job import Cell, CellId, GridPlan
from reportgen.records.run import Problem, Runs
from reportgen.records.study import Study

if TYPE_CHECKING:
    from reportgen.runstore.store import Failure, RunStore


@dataclass(frozen=True, slots=True, kw_only=True)
class GridOptions:
    """Which grid, and on what it would be completed.

    Attributes:
        study: Study file.
        runs: Folder with the logs, or its URL; wins over the study's.
        only: Groups, cells (`group/seed`) or patterns; empty means all.
        device: `"auto"`, `"cpu"`, `"cuda"` or `"mps"`.
        workers: Fine-tunes at one time; 0 takes every core, or every GPU.
        probe: Measure a few steps where no log tells the price.
    """

    study: Path
    runs: Path | str | None = None
    only: tuple[str, ...] = ()
    device: str = "auto"
    workers: int = 0
    probe: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """Everything that planning and training need to know.

    Attributes:
        declared: The study as it was read.
        study: The same with what the logs tell filled in.
        runs: The logs that were found, without re-run ones.
        home: Folder of the study.
        store: The run store.
        settings: (group, seed) to the settings of its fine-tune.
        keys: (group, seed) to their digest.
        plan: Cells with states and prices.
    """

    declared: Study
    study: Study
    runs: Runs
    home: Path
    store: RunStore
    plan: GridPlan
    settings: Mapping[CellId, Mapping[str, str]] = field(default_factory=dict)
    keys: Mapping[CellId, str] = field(default_factory=dict)


def plan(options: GridOptions, notify: Notify = silent) -> PlanOutcome:
    """Say which cells of a study are done, why others are not, and what they would cost.

    Starts no training; `probe` runs a few steps whose result is thrown away.

    Raises:
        EvidenceError: The study or a file it names is not there.
    """
    from reportgen.api.remote import runs_at_hand

    with runs_at_hand(options, notify) as here:
        return PlanOutcome(plan=survey(here, notify).plan)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOutcome:
    """A plan, for people and scripts."""

    plan: GridPlan

    def to_json(self) -> dict[str, object]:
        """Return the plan with plain values; `cost_s` of a cell is null where nothing tells it."""
        cells = [_cell_json(cell) for cell in self.plan.cells]
        known = [cell.cost for cell in self.plan.cells if cell.cost]
        total = sum(cost.seconds for cost in known)
        return {
            "device": self.plan.device,
            "workers": self.plan.workers,
            "cells": cells,
            "total_s": total,
            "wall_s": self.plan.wall_seconds(),
            "gpu_hours": total / 3600 if self.plan.device == "cuda" else 0.0,
            "disk_bytes": sum(cost.disk for cost in known),
            "problems": [asdict(problem) for problem in self.plan.problems],
        }


def _cell_json(cell: Cell) -> dict[str, object]:
    cost = cell.cost
    return {
        "group": cell.group,
        "seed": cell.seed,
        "state": cell.state,
        "reason": cell.reason,
        "place": cell.place,
        "key": cell.key,
        "rerun": cell.rerun,
        "changed": [dict(zip(("setting", "then", "now"), c, strict=True)) for c in cell.changed],
        "cost_s": cost.seconds if cost else None,
        "cost_low_s": cost.low if cost else None,
        "cost_high_s": cost.high if cost else None,
        "cost_basis": cost.basis if cost else None,
        "steps": cost.steps if cost else None,
        "disk_bytes": cost.disk if cost else None,
    }


def survey(options: GridOptions, notify: Notify = silent) -> Survey:
    """Read the study, the logs and the run store, and price what is missing.

    Raises:
        EvidenceError: The study or a file it names is not there.
    """
    from reportgen.api.analysis import read_plan
    from reportgen.api.keys import keys_of
    from reportgen.planning.clashes import find_clashes
    from reportgen.planning.grid import plan_cells
    from reportgen.runs import unread_seeds
    from reportgen.runstore.store import RunStore

    declared = read_plan(options.study)
    home = options.study.absolute().parent
    runs, study = _found(options, declared, notify)
    store = RunStore(root=home / declared.reruns)
    settings, problems = _settings(declared, home, options.study.name)
    keys = keys_of(settings)
    cells = plan_cells(
        study,
        runs,
        published=dict(store.published()),
        keys=keys,
        settings=settings,
        failures={key: _in_words(failure) for key, failure in store.failures().items()},
        running=_running(store, keys),
    )
    problems += tuple(find_clashes(cells, keys, options.study.name))
    problems += tuple(unread_seeds(study.groups, runs.runs))
    found = Survey(
        declared=declared,
        study=study,
        runs=runs,
        home=home,
        store=store,
        settings=settings,
        keys=keys,
        plan=_with_device(cells, problems, options),
    )
    return _priced(_chosen(found, options), options, notify)


def _settings(
    declared: Study, home: Path, name: str
) -> tuple[dict[CellId, dict[str, str]], tuple[Problem, ...]]:
    """Return the settings of every fine-tune, or why none can be trained."""
    from reportgen.api.keys import settings_of

    try:
        return settings_of(declared, home), ()
    except EvidenceError as fault:
        return {}, (Problem(path=name, message=fault.message, remedy=fault.remedy),)


def _with_device(
    cells: tuple[Cell, ...], problems: tuple[Problem, ...], options: GridOptions
) -> GridPlan:
    """Return the plan for the device that is asked for, or the best that is there."""
    from reportgen.executors.hardware import best_device, count_cores, count_gpus

    device = best_device() if options.device == "auto" else options.device
    workers = options.workers or (max(count_gpus(), 1) if device == "cuda" else count_cores())
    return GridPlan(cells=cells, device=device, workers=workers, problems=problems)


def _found(options: GridOptions, declared: Study, notify: Notify) -> tuple[Runs, Study]:
    """Return the logs that are there; a study of which nothing has run yet has none."""
    from reportgen.api.analysis import load_originals
    from reportgen.api.remote import beside

    root = Path(options.runs) if options.runs else beside(options.study, declared.runs_path)
    if not root.exists() and options.runs is None:
        return Runs(root=root.name, runs=()), declared
    return load_originals(root, declared, notify)


def _in_words(failure: Failure) -> str:
    tries = "1 try" if failure.tries == 1 else f"{failure.tries} tries"
    return f"{failure.reason} ({tries}, the last on {failure.date or 'an unknown day'})"


def _running(store: RunStore, keys: Mapping[CellId, str]) -> dict[str, str]:
    """Return the keys that somebody alive is training, with who and since when."""
    holders = {key: store.holder(key) for key in keys.values()}
    return {
        key: f"on {held.host}, process {held.pid}, since {held.since:.0f} s"
        for key, held in holders.items()
        if held is not None and held.alive
    }


def _chosen(found: Survey, options: GridOptions) -> Survey:
    from reportgen.planning.jobs import choose_cells

    if not options.only:
        return found
    cells = choose_cells(found.plan.cells, options.only)
    return replace(found, plan=replace(found.plan, cells=cells))


def _priced(found: Survey, options: GridOptions, notify: Notify) -> Survey:
    """Add prices; a probe runs only where no log tells one."""
    from reportgen.planning.cost import price

    def priced(probe: float | None) -> tuple[Cell, ...]:
        return price(
            found.plan.cells,
            found.study,
            found.runs,
            parameters=_parameters(found),
            probe=probe,
            workers=found.plan.workers,
            device=found.plan.device,
        )

    cells = priced(None)
    dark = [c for c in cells if c.key and c.cost is None and c.state not in {"done", "running"}]
    if options.probe and dark:
        from reportgen.api.probing import measure_steps

        notify("measuring a few steps", 0, 1)
        cells = priced(measure_steps(found))
    return replace(found, plan=replace(found.plan, cells=cells))


def _parameters(found: Survey) -> int | None:
    """Return the number of parameters of the study's model, None where nothing tells it."""
    from reportgen.api.counting import describe_model_at
    from reportgen.errors import ReportgenError

    try:
        model = describe_model_at(found.study.model, found.home)
    except ReportgenError:
        return None
    return sum(term.count for term in model.ledger.terms)
