"""What a test asks a process that reads strangers' reports."""

import os
from pathlib import Path


def pid_of(_: Path) -> int:
    """Return which process reads."""
    return os.getpid()


def limits_of(_: Path) -> list[int]:
    """Return the limits of that process on memory, files that are written, and core files."""
    import resource

    kinds = resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE
    return [resource.getrlimit(kind)[0] for kind in kinds]


def noise_of(_: Path) -> str:
    """Print as a library does."""
    os.write(1, b"noise")
    os.write(2, b"noise")
    return "quiet"
