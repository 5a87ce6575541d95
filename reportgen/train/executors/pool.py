"""Functions that compute, in processes of their own that do one task after another.

Weighed: `multiprocessing` starts such a process by running the script of its parent again, for
functions that were defined there. A script that is not guarded by `if __name__ == "__main__"`
would then do all its work once more in every process, and check its class with none of them.
What a pool is given here lies in this package, so a process needs no more than its parent's
`sys.path`.
"""

from __future__ import annotations

import contextlib
import enum
import io
import json
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any, ParamSpec, TypeVar, cast

import reportgen
from reportgen.records.errors import WorkerLostError
from reportgen.train.executors.base import check_given

P = ParamSpec("P")
T = TypeVar("T")

_GRACE_S = 1.0
_WAITING = 10
"""So many times as long as it may compute, a task may take: others may use the machine."""
_LOOK_S = 0.05
# Of other modules, what an answer may name.
_VALUES = {
    "builtins": {"bytearray", "complex", "frozenset", "range", "set", "slice"},
    "collections": {"Counter", "OrderedDict", "defaultdict", "deque"},
    "copyreg": {"__newobj__", "_reconstructor"},
    "datetime": {"date", "datetime", "timedelta", "timezone"},
    "decimal": {"Decimal"},
    "fractions": {"Fraction"},
    "numpy": {"dtype", "ndarray"},
    "numpy._core.multiarray": {"_reconstruct", "scalar"},
    "numpy._core.numeric": {"_frombuffer"},
    "pathlib": {"PosixPath", "PurePosixPath", "PureWindowsPath", "WindowsPath"},
    "signal": {"Handlers", "Signals"},
}
_KINDS = (Exception, enum.Enum, tuple, str, float, int, list, dict)


_CODE = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from reportgen.train.executors.worker import serve
serve(json.loads(sys.argv[2]))
"""


class _Answer(pickle.Unpickler):
    """What a process answers: values, records and errors; nothing in it names what could be run.

    A process that reads a stranger's file is confined, and one that was taken over stays so.
    """

    def find_class(self, module: str, name: str) -> Any:
        """Return a class that an answer may be made of; refuse any other."""
        if name in _VALUES.get(module, ()):
            return super().find_class(module, name)
        ours = module.startswith("reportgen.") or module == "builtins"
        found = super().find_class(module, name) if ours and "." not in name else None
        if isinstance(found, type) and (
            issubclass(found, _KINDS)
            or hasattr(found, "__fields__")
            or "__dataclass_fields__" in vars(found)
        ):
            return found
        raise pickle.UnpicklingError(f"an answer names {module}.{name}")


class Worker:
    """A process that does what it is asked until nobody is there to ask, with so much memory."""

    def __init__(self, memory: int | None) -> None:
        root = str(Path(reportgen.__file__).absolute().parent.parent)
        path = json.dumps([root, *(entry for entry in sys.path if entry and entry != root)])
        # Isolated, it does not hear what the environment says of this.
        quiet = ["-B"] if sys.dont_write_bytecode else []
        self.process = subprocess.Popen(  # noqa: S603 - a command of our own
            [sys.executable, "-I", "-S", *quiet, "-c", _CODE, path, json.dumps(memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._pipes = cast("tuple[IO[bytes], IO[bytes]]", (self.process.stdin, self.process.stdout))

    def ask(self, task: tuple[Any, ...], seconds: float | None) -> tuple[object, Exception | None]:
        """Have a function called with arguments; return what it returned, and what it raised.

        Raises:
            TimeoutError: It computed for longer, or waited for very long; the process is killed.
            EOFError, OSError: The process is gone.
        """
        message = pickle.dumps((task, seconds))
        late, answered = threading.Event(), threading.Event()
        if seconds is not None:
            threading.Thread(target=self._limit, args=(seconds, answered, late)).start()
        try:
            content = self._exchange(message)
        except (EOFError, OSError):
            if late.is_set():
                raise TimeoutError from None
            raise
        finally:
            answered.set()
        answer: tuple[object, Exception | None] = _Answer(io.BytesIO(content)).load()
        return answer

    def _limit(self, seconds: float, answered: threading.Event, late: threading.Event) -> None:
        """Kill the process if it does not answer in time, where others take none of it."""
        begun, end = self._computed(), time.monotonic() + _WAITING * seconds
        while (left := min(begun + seconds - self._computed(), end - time.monotonic())) > 0:
            if answered.wait(max(left, _LOOK_S)):
                return
        late.set()
        # On every system, the end of the process is the end of a read from its pipe.
        self.process.kill()

    def _computed(self) -> float:
        """Return the seconds of processor time that it took, or of a clock where none is told."""
        if sys.platform != "linux":
            return time.monotonic()
        try:
            # The number of the clock is what `clock_getcpuclockid` of the C library makes.
            return time.clock_gettime(~self.process.pid << 3 | 2)
        except OSError:
            # It is gone, and whoever reads from its pipe hears of it.
            return 0.0

    def _exchange(self, message: bytes) -> bytes:
        stdin, stdout = self._pipes
        stdin.write(len(message).to_bytes(8, "big"))
        stdin.write(message)
        stdin.flush()
        head = stdout.read(8)
        length = int.from_bytes(head, "big")
        content = stdout.read(length) if len(head) == 8 else b""
        if len(head) < 8 or len(content) < length:
            raise EOFError
        return content

    def ending(self) -> str:
        """Return how a process has ended that nobody asked to."""
        try:
            code = self.process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            return "closing its pipe"
        known = -code in set(signal.Signals)
        return signal.Signals(-code).name if known else f"exit code {code}"

    def end(self) -> None:
        """Kill the process, and wait until it is gone."""
        # Its pipes stay open: a thread may still be reading from one.
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        """End the process, of which no thread expects anything any more."""
        self.end()
        for pipe in self._pipes:
            # What was not sent cannot be sent any more.
            with contextlib.suppress(OSError):
                pipe.close()


class PoolExecutor(ThreadPoolExecutor):
    """Threads, each of which hands its tasks to a process of its own, one at a time.

    Where `ProcessPoolExecutor` has one pipe for the results of all processes, and waits for ever
    when one is killed while it sends, each process here has its own: a process that is killed
    fails its own future and no other, and the next task gets a new one.
    `shutdown(cancel_futures=True)` ends the running tasks as well. A process starts when it is
    first needed; the arguments are those of `open_pool`.
    """

    def __init__(
        self, *, workers: int, seconds: float | None = None, memory: int | None = None
    ) -> None:
        self._seconds = seconds
        self._memory = memory
        self._lock = threading.Lock()
        self._own = threading.local()
        self._processes: list[Worker] = []
        self._stopped = False
        super().__init__(workers, "reportgen-pool", initializer=_hold_interrupts)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Hand in a task; what it takes and returns must be picklable."""
        return super().submit(self._ask, fn, args, kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more tasks; with `cancel_futures`, drop the waiting and end the running."""
        if cancel_futures:
            # First the queue: a thread that a dead process sets free would take the next task.
            super().shutdown(wait=False, cancel_futures=True)
            self._end()
        super().shutdown(wait=wait)
        if wait:
            self._end(Worker.close)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Wait for all tasks, or after an exception for none."""
        self.shutdown(cancel_futures=kind is not None)

    def _ask(self, fn: Callable[..., T], args: Any, kwargs: Any) -> T:
        process: Worker | None = getattr(self._own, "process", None)
        if process is None:
            with self._lock:
                if self._stopped:
                    raise CancelledError
                process = self._own.process = Worker(self._memory)
                self._processes.append(process)
        try:
            value, error = process.ask((fn, args, kwargs), self._seconds)
        except TimeoutError:
            self._drop(process)
            raise WorkerLostError(
                f"it took more than {self._seconds:g} s", remedy="allow it more time"
            ) from None
        except (EOFError, OSError) as gone:
            how = process.ending()
            self._drop(process)
            most = f" and by what needs more than {self._memory >> 20:,} MB" if self._memory else ""
            raise WorkerLostError(
                f"its process was ended by {how}, as by damaged files{most}",
                remedy="most often the memory has run out: allow it more, or use fewer processes",
            ) from gone
        if error is not None:
            raise error
        return cast("T", value)

    def _drop(self, process: Worker) -> None:
        """Let go of a process that is lost; the next task of this thread gets a new one."""
        self._own.process = None
        with self._lock:
            self._processes.remove(process)
        process.close()

    def _end(self, how: Callable[[Worker], None] = Worker.end) -> None:
        with self._lock:
            self._stopped = True
            for process in self._processes:
                how(process)


def open_pool(
    *, workers: int, seconds: float | None = None, memory: int | None = None
) -> PoolExecutor:
    """Open a pool of processes for functions that compute: reading, checking, counting.

    Its processes are started anew, because forking a process that has threads may deadlock, and
    know nothing of the script that opens the pool. They end with this process even when it is
    killed. A function must be importable by name. On a cluster, the executor itself takes
    functions.

    Args:
        workers: Processes.
        seconds: Longest time for one task, after which it fails with `WorkerLostError` and its
            process is killed; None for any. On Linux it is processor time: work of others on the
            same machine ends no task before ten times as long.
        memory: Most bytes of address space for a process, where the system knows such a limit;
            None for any.
    """
    check_given("pool", workers)
    return PoolExecutor(workers=workers, seconds=seconds, memory=memory)


def _hold_interrupts() -> None:
    """Let no process of this thread hear an interrupt of the keyboard, and print where it was."""
    if hasattr(signal, "pthread_sigmask"):  # not on Windows
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
