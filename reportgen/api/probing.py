"""The price of an update where no log tells it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from reportgen.errors import ReportgenError

if TYPE_CHECKING:
    from reportgen.api.grid import Survey


def measure_steps(found: Survey) -> float | None:
    """Return seconds of an update on this machine, evaluations included.

    Runs a few updates of one missing cell in a child process and throws them away; None where
    the cell cannot be trained at all.
    """
    from reportgen.executors.child import run_job
    from reportgen.planning.jobs import make_jobs

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
        code = run_job(job.to_json(), str(found.store.root), module="reportgen.training.probe")
        told = found.store.read_progress(job.id) or {}
    except ReportgenError:
        return None
    finally:
        found.store.forget_work(job.id)
    return float(told["seconds_per_step"]) if not code and "seconds_per_step" in told else None
