"""Missing cells, trained: plan, question, jobs, and what became of them."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from reportgen.app.grid import GridOptions, Survey, survey, with_prices
from reportgen.app.options import Notify, silent
from reportgen.records.errors import (
    EvidenceError,
    ExitCode,
    MissingExtraError,
    ReportgenError,
    UsageError,
    install_command,
)
from reportgen.records.job import TRAINABLE, UNTRAINED, Cell, GridPlan, Job, Member, MemberResult
from reportgen.records.quantity import Quantity
from reportgen.records.study import RANDOM, GroupPlan, ModelPlan, Study
from reportgen.train import file_digest

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
        probe: Measure a few steps where no log tells the price: for those who decide by it.
        max_gpu_hours: Refuse a plan that would take more; None allows any.
        restart: Begin afresh, and train stale cells again; else go on from checkpoints.
        accept_drift: Go on although a repeated run differs beyond the seeds' spread.
        executor: Name of an executor (`local`, `dask`, `slurm`).
        address: Of a running Dask scheduler.
        executor_options: `KEY=VALUE` for the executor.
    """

    probe: bool = True
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
        results = [{"group": m.group, "seed": m.seed, **asdict(r)} for m, r in self.results]
        told = {"started": self.started, "results": results, "drift": list(self.drift)}
        return {**told, "exit_code": self.exit_code}


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
    from reportgen.app.remote import runs_at_hand

    with runs_at_hand(options, notify) as here:
        return _rerun(here, confirm, notify)


def _rerun(options: RerunOptions, confirm: Confirm, notify: Notify) -> RerunOutcome:
    found = survey(replace(options, probe=False), notify)
    wanted = TRAINABLE if options.restart else UNTRAINED
    todo = [cell for cell in found.plan.cells if cell.state in wanted]
    if not todo:
        return RerunOutcome(plan=found.plan, started=False)
    _check(found, todo, options)
    if options.probe or options.max_gpu_hours is not None:
        # Only now: a probe of what cannot be trained would tell nothing.
        found = with_prices(found, notify, probe=True)
    hours = sum(cell.cost.seconds for cell in found.plan.cells if cell.cost) / 3600
    limit = options.max_gpu_hours
    if found.plan.device == "cuda" and limit is not None and not hours <= limit:
        raise UsageError(
            f"the plan takes {hours:.2g} GPU hours, more than --max-gpu-hours {limit:g}",
            remedy="raise the limit, or train fewer cells with --only",
        )
    if not confirm(found.plan):
        return RerunOutcome(plan=found.plan, started=False, exit_code=int(ExitCode.EVIDENCE))
    canaries, fills = _jobs(found, options)
    work = Work(found=found, notify=notify)
    with _executor(found, options) as executor:
        work.finish(executor, canaries)
        if not work.withheld():
            work.finish(executor, _with_drifts(fills, found))
    there = {rerun.key for _, rerun in found.store.published()}
    found.store.sweep()
    return RerunOutcome(
        plan=found.plan,
        started=True,
        results=tuple(work.results),
        drift=work.drift(),
        exit_code=int(ExitCode.OK if {c.key for c in todo} <= there else ExitCode.EVIDENCE),
    )


def _check(found: Survey, todo: Sequence[Cell], options: RerunOptions) -> None:
    """Refuse what would fail later, before anything is asked or measured."""
    from reportgen.train import at_home, read_splits

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


def _jobs(found: Survey, options: RerunOptions) -> tuple[tuple[Job, ...], tuple[Job, ...]]:
    """Return the jobs that only repeat finished cells, and those that fill the grid."""
    from reportgen.stats import summarise_groups
    from reportgen.train import make_jobs

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
    # A run's `run.json` says with which settings it was made.
    settings = {key: found.settings[cell] for cell, key in found.keys.items()}
    patience = 0.0 if options.executor == "local" else PATIENCE_SECONDS
    told = (tuple(replace(m, settings=settings[m.key]) for m in job.members) for job in jobs)
    jobs = tuple(
        replace(job, members=members, patience=patience)
        for job, members in zip(jobs, told, strict=True)
    )
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


def _with_drifts(jobs: Sequence[Job], found: Survey) -> list[Job]:
    """Return jobs whose `run.json` says what repeated runs gave, in this call or an earlier one."""
    told = {cell: found.store.canary(key) or {} for cell, key in found.keys.items()}
    lines = [
        (group, drift_line(group, seed, note["value"], note["reference"]))
        for (group, seed), note in told.items()
        if {"value", "reference", "drift"} <= note.keys()
    ]
    groups = [{member.group for member in job.members} for job in jobs]
    return [
        replace(job, notes=tuple(line for group, line in lines if group in own))
        for job, own in zip(jobs, groups, strict=True)
    ]


def _executor(found: Survey, options: RerunOptions) -> AbstractContextManager[Executor]:
    from reportgen.train import EXECUTORS, count_gpus

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
    """Return the executor's options by name; refuse what is not `KEY=VALUE`."""
    pairs = [text.partition("=") for text in options.executor_options]
    for text, (key, equals, _) in zip(options.executor_options, pairs, strict=True):
        if not key or not equals:
            raise UsageError(
                f"the executor option {text!r} is not KEY=VALUE",
                remedy="write it like --executor-option queue=gpu",
            )
    return {key: value for key, _, value in pairs}


POLL_SECONDS = 0.5


@dataclass(slots=True)
class Work:
    """Jobs on their way, and what came of them.

    Attributes:
        found: The grid.
        notify: Called with (stage, steps done, steps in all).
        results: One a member of every job that has ended.
    """

    found: Survey
    notify: Notify
    results: list[tuple[Member, MemberResult]] = field(default_factory=list)

    def finish(self, executor: Executor, jobs: Sequence[Job]) -> None:
        """Run jobs to their ends, and gather results; one that fails stops no other.

        A job that another process took after the plan was made is waited for, and taken over
        should that process end without it.
        """
        left = list(jobs)
        while left:
            settled = {job.id: self._settled(job) for job in left}
            for results in settled.values():
                self.results.extend(results)
            left = [job for job in left if not settled[job.id]]
            holder = self.found.store.holder
            held = {m.key for job in left for m in job.members if (h := holder(m.key)) and h.alive}
            free = [job for job in left if held.isdisjoint(m.key for m in job.members)]
            left = [job for job in left if job not in free] + self._run(executor, free)
            if left and not free:
                self.notify("waiting for another process", 0, 1)
                time.sleep(POLL_SECONDS)

    def _settled(self, job: Job) -> list[tuple[Member, MemberResult]]:
        """Return the results of a job that another process has done, none where it has not."""
        found = []
        store = self.found.store
        for member in job.members:
            told = store.canary(member.key) or {}
            if member.publish and store.holds(member.place, member.key):
                result = MemberResult(key=member.key, state="published")
            elif (
                not member.publish
                and told.get("within")
                and told.get("reference") == member.reference
            ):
                # It was repeated already, and came near enough.
                own = {"value": told["value"], "drift": told["drift"]}
                result = MemberResult(key=member.key, state="repeated", **own)
            else:
                return []
            found.append((member, result))
        return found

    def _run(self, executor: Executor, jobs: Sequence[Job]) -> list[Job]:
        """Run jobs and gather results; return those that are still to be done."""
        from reportgen.train import run_job

        self.found.store.root.mkdir(parents=True, exist_ok=True)
        root = str(self.found.store.root)
        for job in jobs:
            self._forget_results(job)
        # A process does the jobs of a queue one after another. On a CPU start-up is a large part
        # of a small fine-tune; on a GPU each job is a process of its own.
        plan = self.found.plan
        count = len(jobs) if plan.device == "cuda" else min(len(jobs), plan.workers)
        queues = [list(jobs[start::count]) for start in range(count)]
        futures = {
            executor.submit(run_job, f"[{', '.join(job.to_json() for job in queue)}]", root): queue
            for queue in queues
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
        return [job for future, queue in futures.items() for job in self._gather(queue, future)]

    def _gather(self, queue: Sequence[Job], future: Future[int]) -> list[Job]:
        """Take in the results of a process; return the jobs that it did not come to."""
        again: list[Job] = []
        lost = False
        for job in queue:
            told = (self.found.store.read_progress(job.id) or {}).get("results")
            if lost and not told:
                # Its process died of the job before it.
                again.append(job)
                continue
            lost = lost or not told
            # Whoever published it forgets the work, and with it what this process was told.
            results = (not told and self._settled(job)) or self._results(job, future, queue[0])
            if any(result.state == "elsewhere" for _, result in results):
                again.append(job)
            else:
                self.results.extend(results)
        return again

    def _forget_results(self, job: Job) -> None:
        """Drop what an earlier attempt said of its end, lest it be taken for this one's."""
        told = self.found.store.read_progress(job.id) or {}
        if told.get("results"):
            kept = {name: value for name, value in told.items() if name != "results"}
            self.found.store.write_progress(job.id, kept)

    def withheld(self) -> bool:
        """Say whether a repeated run drifted beyond what the study tolerates."""
        return any(result.state == "withheld" for _, result in self.results)

    def drift(self) -> tuple[str, ...]:
        """Return what the repeated runs say, one line each."""
        return tuple(
            drift_line(member.group, member.seed, result.value, member.reference)
            for member, result in self.results
            if result.value is not None and member.reference is not None and not member.publish
        )

    def _tell(self, jobs: Sequence[Job]) -> None:
        states = [self.found.store.read_progress(job.id) or {} for job in jobs]
        done = sum(int(state.get("step", 0)) for state in states)
        total = sum(int(state.get("steps", 0)) for state in states)
        self.notify("training", done, max(total, 1))

    def _results(
        self, job: Job, future: Future[int], first: Job
    ) -> list[tuple[Member, MemberResult]]:
        """Return what the child wrote, or why it could write nothing.

        Its last words lie with the first of its jobs.
        """
        fault = future.exception()
        told = self.found.store.read_progress(job.id) or {}
        written = {item["key"]: MemberResult(**item) for item in told.get("results", ())}
        if fault is not None:
            reason = fault.message if isinstance(fault, ReportgenError) else str(fault)
            for member in job.members:
                if member.publish and member.key not in written:
                    self.found.store.note_failure(member.key, reason)
        else:
            words = self._last_words(first) if future.result() else ""
            reason = f"its process ended without a result{words}"
            ended = {result.state for result in written.values()}
            if ended and ended <= {"published", "repeated"}:
                # Nothing is left to do: the checkpoints go.
                self.found.store.forget_work(job.id)
        lost = [MemberResult(key=m.key, state="failed", reason=reason) for m in job.members]
        return [
            (member, written.get(member.key, other))
            for member, other in zip(job.members, lost, strict=True)
        ]

    def _last_words(self, first: Job) -> str:
        from reportgen.train import LAST_WORDS

        try:
            told = (self.found.store.work(first.id) / LAST_WORDS).read_text(encoding="utf-8")
        except (OSError, ValueError):
            return ""
        return f": {told.splitlines()[-1]}" if told.strip() else ""


def drift_line(group: str, seed: int, value: float, reference: float) -> str:
    """Return in words what repeating a run gave, beside what was logged."""
    return (
        f"{group}, seed {seed}, repeated: {value:.4f}, logged "
        f"{reference:.4f}, drift {value - reference:+.4f}"
    )


PACKAGES = ("torch", "transformers", "safetensors", "peft")
"""What a fine-tune imports: the extra `train`."""


def demand_packages() -> None:
    """Refuse to train where a package is missing: every fine-tune would end at its first import."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise MissingExtraError(
            f"training needs {' and '.join(missing)}, not installed here",
            remedy=install_command("train"),
        )


def demand_device(device: str) -> None:
    """Refuse to train on a device that this machine does not have."""
    from reportgen.train import best_device, count_gpus

    there = {"cpu", best_device(), *(["cuda"] if count_gpus() else [])}
    if device not in there:
        raise UsageError(
            f"--device {device}: this machine has none that can be used",
            remedy="--device cpu, or --device auto for the best that is there",
        )


def shapes_of(study: Study, home: Path) -> dict[str, str]:
    """Return group to the shape of its model; equal texts mean models that can be stacked.

    The shape is read off the parameter count's symbols (width, layers, heads, vocabulary),
    so that a configuration and a fairseq checkpoint of one model agree.

    Raises:
        EvidenceError: A start or configuration is missing or cannot be read.
    """
    return {group.name: _shape(group, study, home) for group in study.groups if group.start}


def _shape(group: GroupPlan, study: Study, home: Path) -> str:
    from reportgen.app.counting import describe_model_at

    config = study.train.config if study.train else ""
    plan = ModelPlan(config=config) if group.start == RANDOM else ModelPlan(checkpoint=group.start)
    ledger = describe_model_at(plan, home).ledger
    if not ledger.symbols:
        # Nothing is known of an unknown family; it shares a shape with nobody.
        return f"{group.name}, of a shape of its own"
    values = ", ".join(f"{key} {value:g}" for key, (_, value) in sorted(ledger.symbols.items()))
    adapter = f", adapter {file_digest(home / group.adapter)}" if group.adapter else ""
    return f"{ledger.family}: {values}{adapter}"
