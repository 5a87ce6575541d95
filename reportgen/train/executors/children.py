"""The child processes of this process: which run, how they are stopped, which GPU each has."""

from __future__ import annotations

import json
import os
import platform
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from reportgen.records.errors import EvidenceError, UsageError, WorkerLostError
from reportgen.records.run import PRIVATE

GUARD = Path(__file__).with_name("guard.py")


class Ended(NamedTuple):
    """How a child ended by itself: exit code, and the last lines of its standard error."""

    code: int
    tail: tuple[str, ...]


class Children:
    """What one executor has started here; `stop` ends it all and lets nothing new start.

    Args:
        devices: GPUs to hand out, one a child: a value of `CUDA_VISIBLE_DEVICES` each, the same
            one several times where several children may share it.
    """

    def __init__(self, devices: Sequence[str] = ()) -> None:
        self._lock = threading.Lock()
        self._alive: set[subprocess.Popen[bytes]] = set()
        self._stopped = False
        # Least shared first: with two GPUs for four children, two children get a GPU each.
        self._devices: queue.PriorityQueue[tuple[int, str]] = queue.PriorityQueue()
        for position, device in enumerate(devices):
            self._devices.put((devices[:position].count(device), device))
        self._has_devices = bool(devices)

    @contextmanager
    def device(self) -> Iterator[str | None]:
        """Lend a GPU, waiting for one if need be; None where none are handed out."""
        if not self._has_devices:
            yield None
            return
        slot = self._devices.get()
        try:
            yield slot[1]
        finally:
            self._devices.put(slot)

    def run(
        self, command: Sequence[str], environment: Mapping[str, str], grace_s: float = 30
    ) -> Ended:
        """Run one child process, in a session of its own, to its end.

        It ends with this process: after `stop`, or when this process dies of whatever cause, the
        child gets SIGTERM and after `grace_s` SIGKILL, with everything it has started. A scheduler
        may send SIGTERM as well, so a child must bear it twice.

        Args:
            command: Program and arguments; no shell reads them.
            environment: Variables beside those of this process, or instead of them.
            grace_s: Seconds from SIGTERM to SIGKILL.

        Returns:
            Exit code (127 where the program cannot be started) and last words.

        Raises:
            WorkerLostError: A signal ended it; `signal` is its number, `tail` its last words.
            CancelledError: `stop` came before it began.

        Example:
            >>> Children().run([sys.executable, "-c", "raise SystemExit(3)"], {}).code
            3
        """
        guard = self._start(command, environment, grace_s)
        pipe = cast("IO[bytes]", guard.stdout)
        try:
            # Nothing comes from a guard that was killed.
            report = pipe.read()
        except BaseException:
            _let_go(guard)
            pipe.read()
            raise
        finally:
            self._sweep(guard)
            pipe.close()
        told = json.loads(report or json.dumps({"code": guard.returncode, "tail": []}))
        ended = Ended(told["code"], tuple(told["tail"]))
        if ended.code < 0 or not report:
            raise lost(ended)
        return ended

    def stop(self) -> None:
        """Ask every child to end; each has its own time of grace. Does not wait."""
        with self._lock:
            self._stopped = True
            for guard in self._alive:
                _let_go(guard)

    def _start(
        self, command: Sequence[str], environment: Mapping[str, str], grace_s: float
    ) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._stopped:
                raise CancelledError
            guard = subprocess.Popen(  # noqa: S603 - a command of our own
                [sys.executable, "-I", "-S", str(GUARD), str(grace_s), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                env={**os.environ, **environment},
                start_new_session=True,
            )
            self._alive.add(guard)
        return guard

    def _sweep(self, guard: subprocess.Popen[bytes]) -> None:
        """End whatever is left of a child whose guard has reported, or was killed itself."""
        with self._lock:
            self._alive.discard(guard)
        # Not waited for yet, so the number of its group cannot be anybody else's.
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(guard.pid, signal.SIGKILL)
        guard.wait()
        _let_go(guard)


def _let_go(guard: subprocess.Popen[bytes]) -> None:
    """Close the pipe that a guard watches: it ends its child."""
    if guard.stdin is not None:
        guard.stdin.close()


_CURRENT: ContextVar[Children | None] = ContextVar("children", default=None)
_BY_TOKEN: dict[str, Children] = {}
_TOKENS = threading.Lock()


def adopt(children: Children) -> None:
    """Let the tasks of this thread start their children here."""
    _CURRENT.set(children)


def call_for(token: str, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call a function in a worker for the executor that `token` names."""
    before = _CURRENT.set(_named(token))
    try:
        return function(*args, **kwargs)
    finally:
        _CURRENT.reset(before)


def stop_for(token: str) -> None:
    """Stop what this worker has started for the executor that `token` names."""
    _named(token).stop()


def _named(token: str) -> Children:
    with _TOKENS:
        return _BY_TOKEN.setdefault(token, Children())


def lost(ended: Ended) -> WorkerLostError:
    """Say what has ended a child, or the guard that would have told its end."""
    number = max(-ended.code, 0)
    name = signal.Signals(number).name if number in set(signal.Signals) else ""
    cause = f"was ended by signal {number}" + (f" ({name})" if name else "")
    if not number:
        cause = f"was lost: its guard ended with exit code {ended.code}"
    words = f"; its last words: {ended.tail[-1]}" if ended.tail else ""
    remedy = (
        "most often the memory has run out: train fewer at one time, or on a larger machine"
        if name == "SIGKILL"
        else "start it again; it goes on from its last checkpoint"
    )
    return WorkerLostError(
        f"the process of a job {cause}{words}",
        remedy=remedy,
        signal=number,
        tail=ended.tail,
    )


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
        # `python -m` looks first where it starts, and a folder of logs from strangers may hold a
        # `torch.py`.
        there = {"", str(Path.cwd())} & set(sys.path)
        search = () if there else ("-P",)
        # Outside of a task there are no children yet.
        children = _CURRENT.get() or Children()
        with children.device() as device:
            visible = {} if device is None else {"CUDA_VISIBLE_DEVICES": device}
            command = [sys.executable, *search, "-m", module, job, store]
            ended = children.run(command, {**ONE_THREAD, **visible})
    except WorkerLostError as error:
        _keep(error.tail, work)
        raise
    else:
        if ended.code:
            _keep(ended.tail, work)
        return ended.code
    finally:
        with suppress(OSError):
            Path(job).unlink(missing_ok=True)


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
