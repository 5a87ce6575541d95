"""What this machine has to train on, found without importing a training library."""

from __future__ import annotations

import ctypes
import os
import platform
from pathlib import Path

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
