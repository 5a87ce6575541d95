"""Missing cells, trained: plan, question, jobs, and what became of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from reportgen.api.grid import GridOptions, Survey, survey
from reportgen.api.options import Notify, silent
from reportgen.api.working import Work, drift_line
from reportgen.errors import EvidenceError, ExitCode, UsageError
from reportgen.records.job import TRAINABLE, UNTRAINED, Cell, GridPlan, Job, Member, MemberResult
from reportgen.records.quantity import Quantity

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from reportgen.records.facts import GroupResult

Confirm = Callable[[GridPlan], bool]

PATIENCE_SECONDS = 90.0
"""A scheduler starts a lost task again while the lease of its last attempt is not stale yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RerunOptions(GridOptions):
    """What to train, and how far to go.

    Attributes:
        max_gpu_hours: Refuse a plan that would take more; None allows any.
        restart: Begin afresh, and train stale cells again; else go on from checkpoints.
        accept_drift: Go on although a repeated run differs beyond the seeds' spread.
        executor: Name of an executor (`local`, `dask`, `slurm`).
        address: Of a running Dask scheduler.
        executor_options: `KEY=VALUE` for the executor.
    """

    max_gpu_hours: float | None = None
    restart: bool = False
    accept_drift: bool = False
    executor: str = "local"
    address: str = ""
    executor_options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RerunOutcome:
    """What `rerun` did.

    Attributes:
        plan: The plan as it was before.
        started: False where nothing was to do, or the question was answered with no.
        results: One a member of every job that ran.
        drift: What the repeated runs say, one line each.
        exit_code: 0 when every cell asked for is there now, else 3.
    """

    plan: GridPlan
    started: bool
    results: tuple[tuple[Member, MemberResult], ...] = ()
    drift: tuple[str, ...] = ()
    exit_code: int = int(ExitCode.OK)

    def to_json(self) -> dict[str, object]:
        """Return the outcome with plain values."""
        return {
            "started": self.started,
            "results": [
                {"group": member.group, "seed": member.seed, **asdict(result)}
                for member, result in self.results
            ],
            "drift": list(self.drift),
            "exit_code": self.exit_code,
        }


def rerun(options: RerunOptions, *, confirm: Confirm, notify: Notify = silent) -> RerunOutcome:
    """Train the cells of a study that are missing, partial or failed.

    A finished run appears in the run store by one rename; logs that were found are only read.

    Args:
        options: What to train.
        confirm: Asked with the plan before anything starts.
        notify: Called with (stage, steps done, steps in all).

    Raises:
        EvidenceError: The study, its data or a model is missing.
        UsageError: The plan takes more than `max_gpu_hours`.
    """
    from reportgen.api.remote import runs_at_hand

    with runs_at_hand(options, notify) as here:
        return _rerun(here, confirm, notify)


def _rerun(options: RerunOptions, confirm: Confirm, notify: Notify) -> RerunOutcome:
    found = survey(options, notify)
    todo = [cell for cell in found.plan.cells if cell.state in _wanted(options)]
    if not todo:
        return RerunOutcome(plan=found.plan, started=False)
    _check(found, todo, options)
    if any(cell.key and cell.cost is None for cell in todo):
        # Only now: a probe of what cannot be trained would tell nothing.
        found = survey(replace(options, probe=True), notify)
    _check_price(found.plan, options)
    if not confirm(found.plan):
        return RerunOutcome(plan=found.plan, started=False, exit_code=int(ExitCode.EVIDENCE))
    canaries, fills = _jobs(found, options)
    work = Work(found=found, notify=notify)
    with _executor(found, options) as executor:
        work.finish(executor, canaries)
        if not work.withheld():
            drifts = _known_drifts(found)
            work.finish(executor, [_with_drifts(job, drifts) for job in fills])
    return _outcome(work, {cell.key for cell in todo})


def _outcome(work: Work, asked: set[str]) -> RerunOutcome:
    """Return what was done; `asked` are the keys of the cells that were to be trained."""
    store = work.found.store
    there = {rerun.key for _, rerun in store.published()}
    store.sweep()
    return RerunOutcome(
        plan=work.found.plan,
        started=True,
        results=tuple(work.results),
        drift=work.drift(),
        exit_code=int(ExitCode.OK if asked <= there else ExitCode.EVIDENCE),
    )


def _wanted(options: RerunOptions) -> tuple[str, ...]:
    return TRAINABLE if options.restart else UNTRAINED


def _check(found: Survey, todo: Sequence[Cell], options: RerunOptions) -> None:
    """Refuse what would fail later, before anything is asked or measured."""
    from reportgen.api.readiness import demand_device, demand_packages
    from reportgen.planning.jobs import at_home
    from reportgen.training.examples import read_splits

    _named_options(options)
    if found.declared.train is None:
        raise EvidenceError(
            f"{options.study} does not say how a missing cell is trained",
            remedy="add [train] with the data and the hyperparameters, and `start` to each group",
        )
    for problem in found.plan.problems:
        raise EvidenceError(problem.message, remedy=problem.remedy)
    if not any(cell.key for cell in todo):
        groups = ", ".join(dict.fromkeys(cell.group for cell in todo))
        raise EvidenceError(
            f"{options.study} does not say what the fine-tunes of {groups} start from",
            remedy='add start = "model/" or start = "random" to [groups.NAME], and its seeds',
        )
    if options.executor == "local":
        demand_packages()
        demand_device(found.plan.device)
    # What is wrong with the examples would fail every cell one by one.
    read_splits(at_home(found.declared.train, PurePosixPath(found.home.as_posix())).data)


def _check_price(plan: GridPlan, options: RerunOptions) -> None:
    hours = sum(cell.cost.seconds for cell in plan.cells if cell.cost) / 3600
    limit = options.max_gpu_hours
    if plan.device == "cuda" and limit is not None and not hours <= limit:
        raise UsageError(
            f"the plan takes {hours:.2g} GPU hours, more than --max-gpu-hours {limit:g}",
            remedy="raise the limit, or train fewer cells with --only",
        )


def _jobs(found: Survey, options: RerunOptions) -> tuple[tuple[Job, ...], tuple[Job, ...]]:
    """Return the jobs that only repeat finished cells, and those that fill the grid."""
    from reportgen.api.shapes import shapes_of
    from reportgen.planning.jobs import make_jobs
    from reportgen.stats import summarise_groups

    device = found.plan.device
    results = summarise_groups(found.study, found.runs) if found.runs.runs else ()
    jobs = make_jobs(
        found.plan,
        found.study,
        found.runs,
        keys=found.keys,
        home=found.home.as_posix(),
        device=device,
        shapes=shapes_of(found.declared, found.home) if device == "cuda" else {},
        groups=results,
        repeated=_repeated(found, results, options),
        restart=options.restart,
        accept_drift=options.accept_drift,
    )
    jobs = tuple(_with_settings(job, found, local=options.executor == "local") for job in jobs)
    only_canaries = tuple(job for job in jobs if not any(m.publish for m in job.members))
    return only_canaries, tuple(job for job in jobs if job not in only_canaries)


def _repeated(
    found: Survey, results: Sequence[GroupResult], options: RerunOptions
) -> frozenset[str]:
    """Return the keys of finished cells that need not be repeated again.

    One whose log has changed since must: what was compared then is no longer what is there.
    """
    logged = {
        found.keys.get((group.name, cell.seed)): cell.report_value.value
        for group in results
        for cell in group.cells
        if cell.seed is not None and isinstance(cell.report_value, Quantity)
    }
    notes = {key: found.store.canary(key) or {} for key in found.keys.values()}
    return frozenset(
        key
        for key, note in notes.items()
        if (note.get("within") or (note and options.accept_drift))
        and note.get("reference") == logged.get(key)
    )


def _with_settings(job: Job, found: Survey, *, local: bool) -> Job:
    """Return a job that knows what its runs' `run.json` shall say, and how long to wait."""
    settings = {key: found.settings[cell] for cell, key in found.keys.items()}
    members = tuple(replace(m, settings=settings[m.key]) for m in job.members)
    return replace(job, members=members, patience=0.0 if local else PATIENCE_SECONDS)


def _with_drifts(job: Job, drifts: Mapping[str, Sequence[str]]) -> Job:
    """Return a job whose runs' `run.json` says what repeated runs of their groups gave."""
    groups = {member.group for member in job.members}
    lines = [line for group, told in drifts.items() if group in groups for line in told]
    return replace(job, notes=tuple(lines))


def _known_drifts(found: Survey) -> dict[str, list[str]]:
    """Return group to what its repeated runs gave, in this call or an earlier one, in lines."""
    lines: dict[str, list[str]] = {}
    for (group, seed), key in found.keys.items():
        told = found.store.canary(key)
        if told is not None and {"value", "reference", "drift"} <= told.keys():
            line = drift_line(group, seed, told["value"], told["reference"])
            lines.setdefault(group, []).append(line)
    return lines


def _executor(found: Survey, options: RerunOptions) -> AbstractContextManager[Executor]:
    from reportgen.executors import EXECUTORS
    from reportgen.executors.hardware import count_gpus

    given = _named_options(options)
    if options.executor == "slurm":
        found.store.root.mkdir(parents=True, exist_ok=True)
        given = {"shared": str(found.store.root), **given}
    gpus = found.plan.workers if found.plan.device == "cuda" else 0
    manager: AbstractContextManager[Executor] = EXECUTORS.load(options.executor)(
        workers=found.plan.workers,
        gpus=min(gpus, count_gpus()) if options.executor == "local" else gpus,
        address=options.address,
        options=given,
    )
    return manager


def _named_options(options: RerunOptions) -> dict[str, str]:
    """Return the executor's options by name.

    Raises:
        UsageError: One is not `KEY=VALUE`.
    """
    pairs = [text.partition("=") for text in options.executor_options]
    for text, (key, equals, _) in zip(options.executor_options, pairs, strict=True):
        if not key or not equals:
            raise UsageError(
                f"the executor option {text!r} is not KEY=VALUE",
                remedy="write it like --executor-option queue=gpu",
            )
    return {key: value for key, _, value in pairs}
