"""What this machine must have to train, looked for without importing any of it."""

from __future__ import annotations

import importlib.util

from reportgen.errors import MissingExtraError, UsageError, install_command

PACKAGES = ("torch", "transformers", "safetensors", "peft")
"""What a fine-tune imports: the extra `train`."""


def demand_packages() -> None:
    """Refuse to train where a package is not installed.

    Raises:
        MissingExtraError: One is not; every fine-tune would end at its first import.
    """
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise MissingExtraError(
            f"training needs {' and '.join(missing)}, not installed here",
            remedy=install_command("train"),
        )


def demand_device(device: str) -> None:
    """Refuse to train on a device that this machine does not have.

    Args:
        device: `"cpu"`, `"cuda"` or `"mps"`.

    Raises:
        UsageError: It is not there.

    Example:
        >>> demand_device("cpu")
    """
    from reportgen.executors.hardware import best_device, count_gpus

    there = {"cpu", best_device(), *(["cuda"] if count_gpus() else [])}
    if device not in there:
        raise UsageError(
            f"--device {device}: this machine has none that can be used",
            remedy="--device cpu, or --device auto for the best that is there",
        )
