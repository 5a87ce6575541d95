"""Jobs handed to an executor, and what came of them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reportgen.api.grid import Survey
from reportgen.api.options import Notify
from reportgen.errors import ReportgenError
from reportgen.records.job import GridPlan, Job, Member, MemberResult

if TYPE_CHECKING:
    from concurrent.futures import Executor

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
            for job in left:
                self.results.extend(settled[job.id])
            free = [job for job in left if not settled[job.id] and not self._is_held(job)]
            again = self._run(executor, free)
            left = [job for job in left if not settled[job.id] and job not in free] + again
            if left and not free:
                self.notify("waiting for another process", 0, 1)
                time.sleep(POLL_SECONDS)

    def _settled(self, job: Job) -> list[tuple[Member, MemberResult]]:
        """Return the results of a job that another process has done, none where it has not."""
        found = []
        for member in job.members:
            result = _there(member, self.found) if member.publish else _repeated(member, self.found)
            if result is None:
                return []
            found.append((member, result))
        return found

    def _is_held(self, job: Job) -> bool:
        holders = (self.found.store.holder(member.key) for member in job.members)
        return any(holder is not None and holder.alive for holder in holders)

    def _run(self, executor: Executor, jobs: Sequence[Job]) -> list[Job]:
        """Run jobs and gather results; return those that are still to be done."""
        from reportgen.executors.child import run_job

        self.found.store.root.mkdir(parents=True, exist_ok=True)
        root = str(self.found.store.root)
        for job in jobs:
            self._forget_results(job)
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
        words = self._last_words(first) if fault is None and future.result() else ""
        reason = f"its process ended without a result{words}"
        if fault is not None:
            reason = fault.message if isinstance(fault, ReportgenError) else str(fault)
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

    def _last_words(self, first: Job) -> str:
        from reportgen.executors.child import LAST_WORDS

        try:
            told = (self.found.store.work(first.id) / LAST_WORDS).read_text(encoding="utf-8")
        except (OSError, ValueError):
            return ""
        return f": {told.splitlines()[-1]}" if told.strip() else ""

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


def drift_line(group: str, seed: int, value: float, reference: float) -> str:
    """Return in words what repeating a run gave, beside what was logged."""
    return (
        f"{group}, seed {seed}, repeated: {value:.4f}, logged "
        f"{reference:.4f}, drift {value - reference:+.4f}"
    )


def _there(member: Member, found: Survey) -> MemberResult | None:
    """Return the result of a run that lies in the store, made with the settings of today."""
    if not found.store.holds(member.place, member.key):
        return None
    return MemberResult(key=member.key, state="published")


def _repeated(member: Member, found: Survey) -> MemberResult | None:
    """Return what repeating a found run gave, where that was near enough."""
    told = found.store.canary(member.key) or {}
    if told.get("reference") != member.reference or not told.get("within"):
        return None
    return MemberResult(key=member.key, state="repeated", value=told["value"], drift=told["drift"])
