"""Limits on time, memory and file size for a child that runs what a stranger wrote."""

from __future__ import annotations

from collections.abc import Callable


def child_limits(
    *, seconds: int, file_bytes: int, memory_bytes: int = 0
) -> Callable[[], None] | None:
    """Return what sets the limits in a child before it starts; None where the system cannot.

    Args:
        seconds: Processor time.
        file_bytes: Size of any file it writes.
        memory_bytes: Address space; 0 sets no limit.
    """
    try:
        import resource
    except ImportError:
        return None

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
        if memory_bytes:
            resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))

    return limit
