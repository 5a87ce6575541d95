"""Jobs and functions on this machine."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection

from reportgen.errors import UsageError
from reportgen.executors._children import Children, adopt
from reportgen.executors._options import check_counts, check_options, devices_for


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
    executor = LocalExecutor(workers=workers, devices=devices_for(workers, gpus))
    try:
        yield executor
        executor.shutdown()
    except BaseException:
        executor.shutdown(cancel_futures=True)
        raise


def open_pool(*, workers: int) -> ProcessPoolExecutor:
    """Open a pool of processes for functions that compute: reading, checking, counting.

    Its processes are started anew (`spawn`), because forking a process that has threads may
    deadlock, and end with this process even when it is killed. A function must be importable by
    name. A function whose process is killed breaks the whole pool (`BrokenProcessPool`): such work
    is cheap, and is begun again. On a cluster, the executor itself takes functions.

    Args:
        workers: Processes.
    """
    check_counts(workers, 0)
    return ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_end_with_parent,
    )


def _end_with_parent() -> None:
    """End this process when its parent is gone; a pool's process would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_await_end, args=(parent.sentinel,), daemon=True).start()


def _await_end(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)
