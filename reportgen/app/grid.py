"""The grid of a study: which cells are there, which are not, what the rest would cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen.app.options import Notify, Place, options_of, silent
from reportgen.app.reading import is_there
from reportgen.records.errors import EvidenceError, ReportgenError
from reportgen.records.job import Cell, CellId, GridPlan
from reportgen.records.run import Problem, Runs
from reportgen.records.study import RANDOM, GroupPlan, Study, TrainPlan
from reportgen.train import file_digest, run_key

if TYPE_CHECKING:
    from reportgen.train import Failure, RunStore


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

    def __post_init__(self) -> None:
        object.__setattr__(self, "study", Path(self.study))


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


def plan(
    options: GridOptions | Place | None = None, notify: Notify = silent, **given: Any
) -> PlanOutcome:
    """Say which cells of a study are done, why others are not, and what they would cost.

    Starts no training; `probe` runs a few steps whose result is thrown away.

    Args:
        options: Which study, on what; or the path of a study file.
        notify: Called with (stage, done, total) on long work.
        **given: Fields of `GridOptions`, in place of options or of what they say.

    Raises:
        EvidenceError: The study or a file it names is not there.
    """
    from reportgen.app.remote import runs_at_hand

    options = options_of(GridOptions, options, given)
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


_TOLD = ("group", "seed", "state", "reason", "place", "key", "rerun")
_COSTS = {"cost_s": "seconds", "cost_low_s": "low", "cost_high_s": "high", "cost_basis": "basis"}


def _cell_json(cell: Cell) -> dict[str, object]:
    costs = {**_COSTS, "steps": "steps", "disk_bytes": "disk"}
    return {
        **{name: getattr(cell, name) for name in _TOLD},
        "changed": [dict(zip(("setting", "then", "now"), c, strict=True)) for c in cell.changed],
        **{name: getattr(cell.cost, field, None) for name, field in costs.items()},
    }


def survey(options: GridOptions, notify: Notify = silent) -> Survey:
    """Read the study, the logs and the run store, and price what is missing.

    Raises:
        EvidenceError: The study or a file it names is not there.
    """
    from reportgen import train
    from reportgen.app.analysis import read_plan
    from reportgen.runs import unread_seeds

    declared = read_plan(options.study)
    home = options.study.absolute().parent
    runs, study = _found(options, declared, notify)
    store = train.RunStore(root=home / declared.reruns)
    settings: dict[CellId, dict[str, str]] = {}
    problems: tuple[Problem, ...] = ()
    try:
        settings = settings_of(declared, home)
    except EvidenceError as fault:
        # None can be trained.
        name = options.study.name
        problems = (Problem(path=name, message=fault.message, remedy=fault.remedy),)
    keys = keys_of(settings)
    cells = train.plan_cells(
        study,
        runs,
        published=dict(store.published()),
        keys=keys,
        settings=settings,
        failures={key: _in_words(failure) for key, failure in store.failures().items()},
        running=_running(store, keys),
    )
    problems += tuple(train.find_clashes(cells, keys, options.study.name))
    problems += tuple(unread_seeds(study.groups, runs.runs))
    device = train.best_device() if options.device == "auto" else options.device
    workers = options.workers or (
        max(train.count_gpus(), 1) if device == "cuda" else train.count_cores()
    )
    chosen = train.choose_cells(cells, options.only)
    found = Survey(
        declared=declared,
        study=study,
        runs=runs,
        home=home,
        store=store,
        settings=settings,
        keys=keys,
        plan=GridPlan(cells=chosen, device=device, workers=workers, problems=problems),
    )
    return with_prices(found, notify, probe=options.probe)


def _found(options: GridOptions, declared: Study, notify: Notify) -> tuple[Runs, Study]:
    """Return the logs that are there; a study of which nothing has run yet has none."""
    from reportgen.app.analysis import load_originals
    from reportgen.app.remote import beside

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


def with_prices(found: Survey, notify: Notify, *, probe: bool) -> Survey:
    """Add prices; a probe runs only where it is asked for and no log tells one."""
    from reportgen.train import price

    def priced(pace: float | None) -> tuple[Cell, ...]:
        return price(
            found.plan.cells,
            found.study,
            found.runs,
            parameters=_parameters(found),
            probe=pace,
            workers=found.plan.workers,
            device=found.plan.device,
        )

    cells = priced(None)
    dark = [c for c in cells if c.key and c.cost is None and c.state not in {"done", "running"}]
    if probe and dark:
        notify("measuring a few steps", 0, 1)
        cells = priced(measure_steps(found))
    return replace(found, plan=replace(found.plan, cells=cells))


def _parameters(found: Survey) -> int | None:
    """Return the number of parameters of the study's model, None where nothing tells it."""
    from reportgen.app.counting import describe_model_at

    try:
        model = describe_model_at(found.study.model, found.home)
    except ReportgenError:
        return None
    return sum(term.count for term in model.ledger.terms)


def measure_steps(found: Survey) -> float | None:
    """Return seconds of an update on this machine, evaluations included.

    Runs a few updates of one missing cell in a child process and throws them away; None where
    the cell cannot be trained at all.
    """
    from reportgen.train import make_jobs, run_job

    try:
        jobs = make_jobs(
            found.plan,
            found.study,
            found.runs,
            keys=found.keys,
            home=found.home.as_posix(),
            device=found.plan.device,
            shapes={},
            repeated=frozenset(found.keys.values()),
        )
    except ReportgenError:
        return None
    if not jobs:
        return None
    job = replace(jobs[0], id=f"probe-{jobs[0].id}", members=jobs[0].members[:1])
    found.store.root.mkdir(parents=True, exist_ok=True)
    try:
        code = run_job(job.to_json(), str(found.store.root), module="reportgen.train.engine.probe")
        told = found.store.read_progress(job.id) or {}
    except ReportgenError:
        return None
    finally:
        found.store.forget_work(job.id)
    return float(told["seconds_per_step"]) if not code and "seconds_per_step" in told else None


_NOT_NUMBERS = frozenset({"data", "tokenizer", "dictionary", "config", "reruns", "keep", "layout"})
"""Fields of the plan that are files, or that change no number."""


def settings_of(study: Study, home: Path) -> dict[CellId, dict[str, str]]:
    """Return (group, seed) to the settings of its fine-tune, in words.

    Groups without `start` cannot be trained and are left out.

    Args:
        study: The study as declared, with `train`.
        home: What its paths are relative to.

    Raises:
        EvidenceError: A file that `[train]` or a group names is not there.
    """
    if study.train is None:
        return {}
    shared = _shared(study.train, home)
    return {
        (group.name, seed): {**shared, **_own(group, study.train, home), "seed": str(seed)}
        for group in study.groups
        if group.start
        for seed in group.seeds
    }


def keys_of(settings: Mapping[CellId, Mapping[str, str]]) -> dict[CellId, str]:
    """Return (group, seed) to the digest of its settings."""
    return {cell: run_key(values) for cell, values in settings.items()}


def _shared(train: TrainPlan, home: Path) -> dict[str, str]:
    """Return what every cell has in common."""
    values = {
        field.name: _plain(getattr(train, field.name))
        for field in fields(train)
        if field.name not in _NOT_NUMBERS
    }
    names = ("text", "pair", "label", "prompt")
    values |= {f"data.{name}": getattr(train.data, name) for name in names}
    for kind in ("files", "labels"):
        for split, name in sorted(getattr(train.data, kind).items()):
            values[f"data.{kind}.{split}"] = _digest(home, name, f"train.data.{kind}.{split}")
    for name in ("tokenizer", "dictionary"):
        if given := getattr(train, name):
            values[name] = _digest(home, given, f"train.{name}")
    return values


def _own(group: GroupPlan, train: TrainPlan, home: Path) -> dict[str, str]:
    """Return what a group has of its own."""
    where = f"groups.{group.name}"
    if group.start == RANDOM:
        if not train.config:
            raise EvidenceError(
                f"{where}.start is random, but no configuration says the model's shape",
                remedy='add config = "model/config.json" to [train]',
            )
        own = {"start": RANDOM, "config": _digest(home, train.config, "train.config")}
    else:
        own = {"start": _digest(home, group.start, f"{where}.start")}
    if group.adapter:
        own["adapter"] = _digest(home, group.adapter, f"{where}.adapter")
    return own


def _digest(home: Path, name: str, key: str) -> str:
    path = home / name
    if not is_there(path):
        raise EvidenceError(
            f"{key} names {name}, which is not there",
            remedy="check the path; it is relative to the study file",
        )
    return f"sha256 {file_digest(path)[:16]}"


def _plain(value: object) -> str:
    """Write a number so that 1e-5 and 0.00001 are one setting."""
    return format(value, ".12g") if isinstance(value, int | float) else str(value)
