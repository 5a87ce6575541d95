"""What every executor checks before it starts, and how each is left."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager

from reportgen.records.errors import UsageError


def check_given(
    executor: str,
    workers: int,
    gpus: int = 0,
    *,
    options: Mapping[str, str] | None = None,
    known: Collection[str] = (),
    address: str = "",
) -> None:
    """Refuse counts that nothing can run on, options that mean nothing, and an address.

    Raises:
        UsageError: One of them was given.
    """
    if workers < 1:
        raise UsageError(f"{workers} workers can do nothing", remedy="use at least 1")
    if gpus < 0:
        raise UsageError(f"there cannot be {gpus} GPUs", remedy="use 0 for none")
    if address:
        raise UsageError(
            f"the executor {executor} has no address, and was given {address!r}",
            remedy="leave the address out, or use the executor dask",
        )
    unknown = sorted(set(options or ()) - set(known))
    if unknown:
        raise UsageError(
            f"the executor {executor} does not know the option {', '.join(unknown)}",
            remedy=f"it knows {', '.join(known)}" if known else "it has no options",
        )


def devices_for(workers: int, gpus: int) -> tuple[str, ...]:
    """Return a value of `CUDA_VISIBLE_DEVICES` for each of `workers` jobs; none without GPUs.

    Raises:
        UsageError: `CUDA_VISIBLE_DEVICES` lists fewer than are asked for.
    """
    if not gpus:
        return ()
    listed = os.environ.get("CUDA_VISIBLE_DEVICES")
    names = [str(i) for i in range(gpus)] if listed is None else listed.split(",")
    names = [name.strip() for name in names if name.strip()]
    if len(names) < gpus:
        raise UsageError(
            f"{gpus} GPUs are asked for, and CUDA_VISIBLE_DEVICES lists {len(names)}",
            remedy=f"ask for {len(names)}, or let CUDA_VISIBLE_DEVICES list more",
        )
    return tuple(names[i % gpus] for i in range(workers))


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
