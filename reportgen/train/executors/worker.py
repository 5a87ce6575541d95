"""The process of a pool: it does tasks until the process that asks for them is gone."""

from __future__ import annotations

import os
import pickle
import queue
import signal
import threading
import time
from contextlib import suppress
from typing import BinaryIO

# Errors of these packages are taken as they are; others as their words.
_KNOWN = frozenset({"builtins", "reportgen"})


def serve(memory: int | None) -> None:
    """Answer requests until nobody is there to send one, with so many bytes of address space."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if memory is not None:
        _limit("RLIMIT_AS", memory)
    requests, answers = _own_pipes()
    messages: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests, messages), daemon=True).start()
    with suppress(OSError):
        while True:
            answer = _answer(messages.get())
            answers.write(len(answer).to_bytes(8, "big"))
            answers.write(answer)
            answers.flush()


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return standard input and output; what a task reads or prints is neither."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, answers


def _listen(requests: BinaryIO, messages: queue.SimpleQueue[bytes]) -> None:
    """Take requests; end this process, in the middle of a task, when the other is gone."""
    while len(head := requests.read(8)) == 8:
        messages.put(requests.read(int.from_bytes(head, "big")))
    os._exit(1)


def _limit(name: str, most: int) -> None:
    """Set a limit of this process, where the system has it and can count so far."""
    with suppress(ImportError, OSError, ValueError, OverflowError, AttributeError):
        import resource

        kind = getattr(resource, name)
        resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))


def _answer(message: bytes) -> bytes:
    """Return the pickle of (value, None), or of (None, error)."""
    try:
        (fn, args, kwargs), seconds = pickle.loads(message)  # noqa: S301 - from who started this
        if seconds is not None:
            # Should a library hold on to it, and nobody be left to end it, the system does.
            # Threads count together, so this is far from what one task may take.
            _limit("RLIMIT_CPU", int(time.process_time() + 4 * seconds) + 10)
        return pickle.dumps((fn(*args, **kwargs), None), protocol=5)
    except Exception as error:  # noqa: BLE001 - it is raised where the task came from
        told = RuntimeError(f"{type(error).__name__}: {error}")
        if type(error).__module__.partition(".")[0] not in _KNOWN:
            return pickle.dumps((None, told))
        try:
            return pickle.dumps((None, error))
        except Exception:  # noqa: BLE001 - anything may refuse to be pickled
            return pickle.dumps((None, told))
