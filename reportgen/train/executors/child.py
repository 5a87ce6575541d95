"""What an executor's task does: one child process a job, whose result lies in the run store."""

from __future__ import annotations

import json
import os
import platform
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from reportgen.errors import EvidenceError, UsageError, WorkerLostError
from reportgen.records.rerun import PRIVATE
from reportgen.train.executors._children import current

LAST_WORDS = "stderr.txt"
"""File in a job's working folder: the end of the standard error of an attempt that failed."""

# A job is one thread: as many jobs run at a time as there are cores, and a number that the thread
# count decides would not be repeatable.
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_WAIT_POLICY": "PASSIVE",
    "TOKENIZERS_PARALLELISM": "false",
}


def run_child(
    command: Sequence[str], *, environment: Mapping[str, str], grace_s: float = 30
) -> int:
    """Run one child process, in a session of its own, to its end.

    It ends with this process: when the executor whose task this is stops, or when this process
    dies of whatever cause, the child gets SIGTERM and after `grace_s` SIGKILL, with everything it
    has started. A scheduler may send SIGTERM as well, so a child must bear it twice.

    Args:
        command: Program and arguments; no shell reads them.
        environment: Variables beside those of this process, or instead of them.
        grace_s: Seconds from SIGTERM to SIGKILL.

    Returns:
        The exit code; 127 where the program cannot be started.

    Raises:
        WorkerLostError: A signal ended the child; `signal` is its number, `tail` holds the last
            lines of its standard error.
        CancelledError: The executor was stopped before the child began.

    Example:
        >>> run_child([sys.executable, "-c", "raise SystemExit(3)"], environment={})
        3
    """
    return current().run(command, environment, grace_s).code


def run_job(job_json: str, store: str, *, module: str = "reportgen.train") -> int:
    """Do a job, or several one after another, in a child process: the task of every executor.

    May be called again with the same job at any time, and on two machines at once: what is
    finished lies in the run store, and so does who is at work.

    Args:
        job_json: A `reportgen.records.job.Job` as JSON, or a list of them: what they import is
            then loaded once.
        store: Path of the run store, which exists; the same on every machine of a cluster.
        module: What is run: `python -m MODULE JOB.json STORE`.

    Returns:
        The exit code of the child. Unless it is 0, `.reportgen/work/<id>/stderr.txt` in the run
        store holds the child's last words.

    Raises:
        EvidenceError: This machine does not see the run store.
        WorkerLostError: A signal ended the child.
    """
    if not Path(store).is_dir():
        raise EvidenceError(
            f"the run store {store} is not there, as {platform.node() or 'this machine'} sees it",
            remedy="put it into a folder that every machine of the cluster shares, by one path",
        )
    work = Path(store) / PRIVATE / "work" / _id_of(job_json)
    work.mkdir(parents=True, exist_ok=True)
    # A name of its own: a lost task that woke up again may hold the same job.
    descriptor, job = tempfile.mkstemp(prefix="job-", suffix=".json", dir=work)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(job_json)
        return _train([sys.executable, *_search(), "-m", module, job, store], work)
    finally:
        with suppress(OSError):
            Path(job).unlink(missing_ok=True)


def _search() -> tuple[str, ...]:
    """Keep a child from importing what lies where it starts, unless this process does as well.

    `python -m` looks there first, and a folder of logs from strangers may hold a `torch.py`.
    """
    return () if {"", str(Path.cwd())} & set(sys.path) else ("-P",)


def _train(command: Sequence[str], work: Path) -> int:
    children = current()
    try:
        with children.device() as device:
            visible = {} if device is None else {"CUDA_VISIBLE_DEVICES": device}
            ended = children.run(command, {**ONE_THREAD, **visible}, grace_s=30)
    except WorkerLostError as error:
        _keep(error.tail, work)
        raise
    if ended.code:
        _keep(ended.tail, work)
    return ended.code


def _keep(tail: tuple[str, ...], work: Path) -> None:
    with suppress(OSError):
        descriptor, path = tempfile.mkstemp(prefix="stderr-", dir=work)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in tail)
        Path(path).replace(work / LAST_WORDS)


def _id_of(job_json: str) -> str:
    """Return the first job's id, which names a folder and must not lead out of the run store."""
    given = json.loads(job_json)
    name = (given[0] if isinstance(given, list) else given)["id"]
    if not re.fullmatch(r"\w[\w.-]*", str(name)):
        raise UsageError(f"{name!r} cannot be the id of a job", remedy="use letters and digits")
    return str(name)
