"""Jobs and functions on this machine."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar, cast

from reportgen.errors import UsageError, WorkerLostError
from reportgen.train.executors._children import Children, adopt
from reportgen.train.executors._closing import closing
from reportgen.train.executors._options import check_counts, check_options, devices_for
from reportgen.train.executors._worker import Worker

P = ParamSpec("P")
T = TypeVar("T")


class LocalExecutor(ThreadPoolExecutor):
    """Threads, each of which waits for one child process at a time.

    A child that is killed fails its own future and no other, where a process pool would be broken
    for all. `shutdown(cancel_futures=True)` stops the running children as well, each with its time
    of grace. Functions that compute in Python themselves belong into `open_pool`: here they share
    one interpreter.

    Args:
        workers: Tasks at one time.
        devices: See `Children`.
    """

    def __init__(self, *, workers: int, devices: tuple[str, ...] = ()) -> None:
        self._children = Children(devices)
        super().__init__(workers, "reportgen-job", initializer=adopt, initargs=(self._children,))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more tasks; with `cancel_futures`, drop the waiting and stop the running."""
        if cancel_futures:
            # First the queue: a thread that a stopped child sets free would take the next task.
            super().shutdown(wait=False, cancel_futures=True)
            self._children.stop()
        super().shutdown(wait=wait)


@contextmanager
def open_executor(
    *, workers: int, gpus: int, address: str = "", options: Mapping[str, str]
) -> Iterator[Executor]:
    """Open an executor for jobs on this machine.

    Args:
        workers: Jobs at one time.
        gpus: GPUs to spread them over; 0 sets nothing. Where `CUDA_VISIBLE_DEVICES` is set, only
            the GPUs it lists are used.
        address: Must be empty.
        options: Must be empty.

    Raises:
        UsageError: An argument cannot be used.
    """
    check_counts(workers, gpus)
    check_options("local", options, ())
    if address:
        raise UsageError(
            f"the executor local has no address, and was given {address!r}",
            remedy="leave the address out, or use the executor dask",
        )
    with closing(LocalExecutor(workers=workers, devices=devices_for(workers, gpus))) as executor:
        yield executor


class PoolExecutor(ThreadPoolExecutor):
    """Threads, each of which hands its tasks to a process of its own, one at a time.

    Where `ProcessPoolExecutor` has one pipe for the results of all processes, and waits for ever
    when one is killed while it sends, each process here has its own: a process that is killed
    fails its own future and no other, and the next task gets a new one.
    `shutdown(cancel_futures=True)` ends the running tasks as well.

    Args:
        workers: Processes; each is started when it is first needed.
        seconds: Longest time for one task; its process is killed then.
        memory: Most bytes of memory for a process, where the system can limit it.
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
            process is killed; None for any.
        memory: Most bytes of address space for a process, where the system knows such a limit;
            None for any.
    """
    check_counts(workers, 0)
    return PoolExecutor(workers=workers, seconds=seconds, memory=memory)


def _hold_interrupts() -> None:
    """Let no process that this thread starts hear an interrupt of the keyboard.

    It goes to every process of a terminal, and each would print where it was.
    """
    if hasattr(signal, "pthread_sigmask"):  # not on Windows
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
