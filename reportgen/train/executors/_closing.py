"""How every executor is left: finished, or stopped with what it runs."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager


@contextmanager
def closing(executor: Executor) -> Iterator[Executor]:
    """Yield an executor; wait for its tasks at the end, and stop them where an exception ends it.

    An interrupt counts: nobody is left to want the results.
    """
    try:
        yield executor
        executor.shutdown()
    except BaseException:
        executor.shutdown(cancel_futures=True)
        raise
