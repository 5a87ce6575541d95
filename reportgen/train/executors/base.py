"""What every executor checks before it starts, and how each is left."""

from __future__ import annotations

import ctypes
import os
import platform
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.records.errors import UsageError

if TYPE_CHECKING:
    from concurrent.futures import Executor


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


# What this machine has to train on, found without importing a training library.

CPU_LIMIT = Path("/sys/fs/cgroup/cpu.max")
"""How much of the processors a container may use: microseconds, or `max`, of a period."""

CUDA_LIBRARIES = ("libcuda.so.1", "nvcuda.dll")


def best_device() -> str:
    """Return `"cuda"`, `"mps"` or `"cpu"`: the fastest kind that is there.

    Example:
        >>> best_device() in {"cuda", "mps", "cpu"}
        True
    """
    if count_gpus():
        return "cuda"
    if platform.system() == "Darwin" and platform.machine() == "arm64":
        return "mps"
    return "cpu"


def count_gpus() -> int:
    """Count the GPUs that CUDA offers to this process; 0 without a driver.

    Asks the driver, which heeds `CUDA_VISIBLE_DEVICES`, in a few tenths of a second; importing
    torch to ask takes many times that. No GPU memory is taken.

    Source: CUDA Driver API, `cuInit` and `cuDeviceGetCount`.
    """
    for name in CUDA_LIBRARIES:
        try:
            driver = ctypes.CDLL(name)
        except OSError:
            continue
        count = ctypes.c_int(0)
        if driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0:
            return count.value
    return 0


def count_cores() -> int:
    """Count the processor cores this process may use: by affinity, and by a container's share.

    Source: Linux kernel, `Documentation/admin-guide/cgroup-v2.rst`, `cpu.max`.
    """
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        cores = os.cpu_count() or 1
    return max(1, min(cores, int(_share())))


def _share() -> float:
    """Return how many cores' worth of time a container may use; infinite without a limit."""
    try:
        quota, period = CPU_LIMIT.read_text(encoding="ascii").split()
        return float(quota) / float(period)
    except (OSError, ValueError):
        return float(os.cpu_count() or 1)
