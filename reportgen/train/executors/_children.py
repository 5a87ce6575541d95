"""The child processes of this process: which run, how they are stopped, which GPU each has."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reportgen.errors import WorkerLostError

GUARD = Path(__file__).with_name("_guard.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a child ended by itself.

    Attributes:
        code: Its exit code.
        tail: The last lines of its standard error, at most 20 of at most 500 characters.
    """

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

    def run(self, command: Sequence[str], environment: Mapping[str, str], grace_s: float) -> Ended:
        """Run a child to its end.

        Raises:
            WorkerLostError: A signal ended it.
            CancelledError: `stop` came before it began.
        """
        guard = self._start(command, environment, grace_s)
        try:
            report = _read(guard)
        except BaseException:
            _let_go(guard)
            _read(guard)
            raise
        finally:
            self._sweep(guard)
        if not report:
            raise lost(-guard.returncode, ())
        ended = json.loads(report)
        if ended["code"] < 0:
            raise lost(-ended["code"], tuple(ended["tail"]))
        return Ended(code=ended["code"], tail=tuple(ended["tail"]))

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
        if guard.stdout is not None:
            guard.stdout.close()


def _read(guard: subprocess.Popen[bytes]) -> bytes:
    """Wait for the report; nothing comes from a guard that was killed."""
    return b"" if guard.stdout is None else guard.stdout.read()


def _let_go(guard: subprocess.Popen[bytes]) -> None:
    """Close the pipe that a guard watches: it ends its child."""
    if guard.stdin is not None:
        guard.stdin.close()


_CURRENT: ContextVar[Children | None] = ContextVar("children", default=None)
_BY_TOKEN: dict[str, Children] = {}
_TOKENS = threading.Lock()


def current() -> Children:
    """Children of the executor whose task runs in this thread; new ones outside of a task."""
    return _CURRENT.get() or Children()


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


def lost(number: int, tail: tuple[str, ...]) -> WorkerLostError:
    """Say that a signal has ended a child."""
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = "no signal that has a name here"
    words = f"; its last words: {tail[-1]}" if tail else ""
    remedy = (
        "most often the memory has run out: train fewer at one time, or on a larger machine"
        if name == "SIGKILL"
        else "start it again; it goes on from its last checkpoint"
    )
    return WorkerLostError(
        f"the process of a job was ended by signal {number} ({name}){words}",
        remedy=remedy,
        signal=number,
        tail=tail,
    )
