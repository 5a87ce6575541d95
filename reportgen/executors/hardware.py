"""What this machine can train on, found without importing torch."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess


def count_gpus() -> int:
    """Return the number of NVIDIA GPUs that a process started here would see.

    `CUDA_VISIBLE_DEVICES` is respected; 0 where the driver's own tool is absent or fails.
    """
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None:
        return len([name for name in visible.split(",") if name.strip() not in {"", "-1"}])
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return 0
    try:
        listed = subprocess.run(  # noqa: S603 -- a fixed command of the driver
            [tool, "-L"], capture_output=True, timeout=20, check=True, text=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return 0
    return sum(line.startswith("GPU ") for line in listed.splitlines())


def count_cores() -> int:
    """Return the number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def best_device() -> str:
    """Return `"cuda"`, `"mps"` or `"cpu"`, the first that is there."""
    if count_gpus():
        return "cuda"
    apple = platform.system() == "Darwin" and platform.machine() == "arm64"
    return "mps" if apple else "cpu"
