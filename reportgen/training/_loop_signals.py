"""Signals that ask a job to stop; it does at its next step."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGUSR1") if hasattr(signal, name)
)
"""What schedulers and people send; Windows has no SIGUSR1."""


@contextmanager
def catch_signals() -> Iterator[Callable[[], bool]]:
    """Yield what tells whether a signal has come; the old handlers are back at the end.

    A second interrupt of the keyboard is not waited with: it raises KeyboardInterrupt.
    """
    caught: list[int] = []

    def handle(number: int, frame: FrameType | None) -> None:
        if caught and number == signal.SIGINT:
            signal.default_int_handler(number, frame)
        caught.append(number)

    before = {number: signal.signal(number, handle) for number in SIGNALS}
    try:
        yield lambda: bool(caught)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
