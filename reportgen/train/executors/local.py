"""Jobs and functions on this machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager

from reportgen.train.executors.base import check_given, closing, devices_for
from reportgen.train.executors.children import Children, adopt


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
    check_given("local", workers, gpus, options=options, address=address)
    with closing(LocalExecutor(workers=workers, devices=devices_for(workers, gpus))) as executor:
        yield executor
