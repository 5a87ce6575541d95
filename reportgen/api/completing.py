"""Missing cells, trained: plan, question, jobs, and what became of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

from reportgen.api.grid import GridOptions, Survey, survey
from reportgen.api.options import Notify, silent
from reportgen.errors import EvidenceError, ExitCode, UsageError
from reportgen.records.job import Cell, GridPlan, Job, Member, MemberResult

if TYPE_CHECKING:
    from concurrent.futures import Executor

Confirm = Callable[[GridPlan], bool]

POLL_SECONDS = 0.5
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
    found = survey(replace(options, probe=True), notify)
    todo = [cell for cell in found.plan.cells if cell.state in _wanted(options)]
    if not todo:
        return RerunOutcome(plan=found.plan, started=False)
    _check(found, todo, options)
    if not confirm(found.plan):
        return RerunOutcome(plan=found.plan, started=False, exit_code=int(ExitCode.EVIDENCE))
    canaries, fills = _jobs(found, options)
    work = _Work(found=found, options=options, notify=notify)
    with _executor(found, options) as executor:
        work.run(executor, canaries)
        if not work.withheld():
            work.run(executor, [_with_drift(job, work.drift()) for job in fills])
    return work.outcome({cell.key for cell in todo})


def _wanted(options: RerunOptions) -> tuple[str, ...]:
    again = ("stale",) if options.restart else ()
    return ("missing", "partial", "failed", *again)


def _check(found: Survey, todo: Sequence[Cell], options: RerunOptions) -> None:
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
    hours = sum(cell.cost.seconds for cell in found.plan.cells if cell.cost) / 3600
    limit = options.max_gpu_hours
    if found.plan.device == "cuda" and limit is not None and hours > limit:
        raise UsageError(
            f"the plan takes {hours:.2g} GPU hours, more than --max-gpu-hours {limit:g}",
            remedy="raise the limit, or train fewer cells with --only",
        )


def _jobs(found: Survey, options: RerunOptions) -> tuple[tuple[Job, ...], tuple[Job, ...]]:
    """Return the jobs that only repeat finished cells, and those that fill the grid."""
    from reportgen.api.shapes import shapes_of
    from reportgen.planning.jobs import make_jobs
    from reportgen.stats.groups import summarise_groups

    device = found.plan.device
    jobs = make_jobs(
        found.plan,
        found.study,
        found.runs,
        keys=found.keys,
        home=found.home.as_posix(),
        device=device,
        shapes=shapes_of(found.declared, found.home) if device == "cuda" else {},
        groups=summarise_groups(found.study, found.runs) if found.runs.runs else (),
        repeated=frozenset(
            key
            for key in found.keys.values()
            if (canary := found.store.canary(key)) is not None
            and (canary.get("within") or options.accept_drift)
        ),
        restart=options.restart,
        accept_drift=options.accept_drift,
    )
    jobs = tuple(_with_settings(job, found, local=options.executor == "local") for job in jobs)
    only_canaries = tuple(job for job in jobs if not any(m.publish for m in job.members))
    return only_canaries, tuple(job for job in jobs if job not in only_canaries)


def _with_settings(job: Job, found: Survey, *, local: bool) -> Job:
    """Return a job that knows what its runs' `run.json` shall say, and how long to wait."""
    settings = {key: found.settings[cell] for cell, key in found.keys.items()}
    members = tuple(replace(m, settings=settings[m.key]) for m in job.members)
    return replace(job, members=members, patience=0.0 if local else PATIENCE_SECONDS)


def _with_drift(job: Job, drift: Sequence[str]) -> Job:
    """Return a job whose runs' `run.json` says what repeated runs gave."""
    groups = {member.group for member in job.members}
    return replace(job, notes=tuple(line for line in drift if line.split(",")[0] in groups))


def _executor(found: Survey, options: RerunOptions) -> AbstractContextManager[Executor]:
    from reportgen.executors import EXECUTORS
    from reportgen.executors.hardware import count_gpus

    pairs = [text.partition("=") for text in options.executor_options]
    if any(not middle for _, middle, _ in pairs):
        raise UsageError(
            "an executor option is not KEY=VALUE", remedy="--executor-option queue=gpu"
        )
    given = {key: value for key, _, value in pairs}
    if options.executor == "slurm":
        given = {"shared": str(found.store.root), **given}
    gpus = found.plan.workers if found.plan.device == "cuda" else 0
    manager: AbstractContextManager[Executor] = EXECUTORS.load(options.executor)(
        workers=found.plan.workers,
        gpus=min(gpus, count_gpus()) if options.executor == "local" else gpus,
        address=options.address,
        options=given,
    )
    return manager


@dataclass(slots=True)
class _Work:
    """Jobs on their way, and what came of them."""

    found: Survey
    options: RerunOptions
    notify: Notify
    results: list[tuple[Member, MemberResult]] = field(default_factory=list)

    def run(self, executor: Executor, jobs: Sequence[Job]) -> None:
        """Run jobs to their ends, and gather results; one that fails stops no other."""
        from reportgen.executors.child import run_job

        self.found.store.root.mkdir(parents=True, exist_ok=True)
        root = str(self.found.store.root)
        futures = {
            executor.submit(run_job, _listed(queue), root): queue
            for queue in _queues(jobs, self.found.plan)
        }
        left = set(futures)
        try:
            while left:
                _, left = wait(left, timeout=POLL_SECONDS)
                self._tell(jobs)
        except BaseException:
            for future in futures:
                future.cancel()
            raise
        for future, queue in futures.items():
            for job in queue:
                self.results.extend(self._results(job, future))

    def withheld(self) -> bool:
        """Say whether a repeated run drifted beyond what the study tolerates."""
        return any(result.state == "withheld" for _, result in self.results)

    def drift(self) -> tuple[str, ...]:
        """Return what the repeated runs say, one line each."""
        return tuple(_drift_line(m, r) for m, r in self.results if r.drift is not None)

    def outcome(self, asked: set[str]) -> RerunOutcome:
        """Return what was done; `asked` are the keys of the cells that were to be trained."""
        store = self.found.store
        there = {rerun.key for _, rerun in store.published()}
        store.sweep()
        return RerunOutcome(
            plan=self.found.plan,
            started=True,
            results=tuple(self.results),
            drift=self.drift(),
            exit_code=int(ExitCode.OK if asked <= there else ExitCode.EVIDENCE),
        )

    def _tell(self, jobs: Sequence[Job]) -> None:
        states = [self.found.store.read_progress(job.id) or {} for job in jobs]
        done = sum(int(state.get("step", 0)) for state in states)
        total = sum(int(state.get("steps", 0)) for state in states)
        self.notify("training", done, max(total, 1))

    def _results(self, job: Job, future: Future[int]) -> list[tuple[Member, MemberResult]]:
        """Return what the child wrote, or why it could write nothing."""
        fault = future.exception()
        told = self.found.store.read_progress(job.id) or {}
        written = {item["key"]: MemberResult(**item) for item in told.get("results", ())}
        reason = f"{fault}" if fault else "its process ended without a result"
        if fault is not None:
            for member in job.members:
                if member.publish and member.key not in written:
                    self.found.store.note_failure(member.key, reason)
        if fault is None and told.get("results"):
            self._forget(job, written)
        lost = [MemberResult(key=m.key, state="failed", reason=reason) for m in job.members]
        return [
            (member, written.get(member.key, other))
            for member, other in zip(job.members, lost, strict=True)
        ]

    def _forget(self, job: Job, results: Mapping[str, MemberResult]) -> None:
        """Drop the checkpoints of a job that has nothing left to do."""
        if all(result.state in {"published", "repeated"} for result in results.values()):
            self.found.store.forget_work(job.id)


def _queues(jobs: Sequence[Job], plan: GridPlan) -> list[list[Job]]:
    """Return jobs that one process does one after another.

    On a CPU start-up is a large part of a small fine-tune, so there are as many processes as
    workers; on a GPU each job is a process of its own.
    """
    count = len(jobs) if plan.device == "cuda" else min(len(jobs), plan.workers)
    return [list(jobs[start::count]) for start in range(count)]


def _listed(queue: Sequence[Job]) -> str:
    return f"[{', '.join(job.to_json() for job in queue)}]"


def _drift_line(member: Member, result: MemberResult) -> str:
    return (
        f"{member.group}, seed {member.seed}, repeated: {result.value:.4f}, logged "
        f"{member.reference:.4f}, drift {result.drift:+.4f}"
    )
