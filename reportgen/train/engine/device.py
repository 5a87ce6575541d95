"""The device a job trains on: which, what it is in words, and how far it repeats itself."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version

import torch

from reportgen import __version__

_PACKAGES = ("torch", "transformers", "peft", "safetensors", "numpy")


def describe_device(device: str) -> str:
    """Return a device in words, as a report shows it."""
    if device == "cuda":
        return torch.cuda.get_device_name()
    machine = platform.machine()
    if device == "mps":
        return f"Apple GPU, {machine}"
    threads = torch.get_num_threads()
    return f"CPU, {machine}, {threads} thread{'s' if threads > 1 else ''}"


def list_versions() -> dict[str, str]:
    """Return the versions of what decides the numbers; packages that are not there are left out."""
    found = {"python": platform.python_version(), "reportgen": __version__}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    if torch.version.cuda:
        found["cuda"] = torch.version.cuda
    return found


def make_deterministic(device: str) -> tuple[str, ...]:
    """Make torch repeat itself as far as it can; call it before anything runs on the device.

    Args:
        device: `"cpu"`, `"cuda"` or `"mps"`.

    Returns:
        What stays without promise, as notes for the reader of the results.
    """
    # With another number of threads sums round differently.
    torch.set_num_threads(1)
    if device == "cuda":
        # cuBLAS reads it when it starts; without, it may sum in another order each time.
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        torch.backends.cudnn.benchmark = False
        torch.backends.cudnn.deterministic = True
        torch.backends.cuda.matmul.allow_tf32 = False
    if device == "cpu":
        return ()
    return (f"repeats on {describe_device(device)} may differ in the last bits",)
