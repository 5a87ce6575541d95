"""Stands between an executor and the process of a job, and outlives either.

Run as a file with nothing but the standard library: `python -I -S guard.py GRACE COMMAND...`, as
leader of a process group of its own. Its standard input is a pipe whose other end only the
executor's process holds. When that end closes, on purpose or because that process was killed, the
job gets SIGTERM, after GRACE seconds SIGKILL, and no orphan stays. Its standard output is one line
of JSON: how the job ended, and its last words.

Weighed: `PR_SET_PDEATHSIG` exists on Linux only, needs code between fork and exec in a process
full of threads, and fires when the *thread* dies that started the child, which a pool of threads
does all day. A thread inside the job that polls its parent would wait for the very calls that
hold the interpreter's lock.
"""

from __future__ import annotations

import collections
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from typing import IO

LINES = 20
WIDTH = 500
LEFTOVER_S = 1.0


def main(grace_s: float, command: list[str]) -> None:
    """Run the command to its end, and report."""
    stopping = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())
    try:
        job = subprocess.Popen(  # noqa: S603 - a command of the executor's
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        report(127, [str(error)])
        return
    tail: collections.deque[str] = collections.deque(maxlen=LINES)
    listener = threading.Thread(target=listen, args=(job.stderr, tail), daemon=True)
    listener.start()
    threading.Thread(target=await_closing, args=(stopping,), daemon=True).start()
    threading.Thread(target=stop, args=(job, stopping, grace_s), daemon=True).start()
    code = job.wait()
    # A process that the job left behind may hold the pipe open for ever.
    listener.join(LEFTOVER_S)
    report(code, list(tail))


def await_closing(stopping: threading.Event) -> None:
    """Ask for the end when the executor's process closes its end of the pipe, or is gone."""
    # Not through `sys.stdin`: a thread that waits in its buffer's lock would spoil the exit.
    while os.read(sys.stdin.fileno(), 1):
        pass
    stopping.set()


def stop(job: subprocess.Popen[str], stopping: threading.Event, grace_s: float) -> None:
    """Once asked for: SIGTERM, time to write a checkpoint, SIGKILL."""
    stopping.wait()
    job.terminate()
    try:
        job.wait(grace_s)
    except subprocess.TimeoutExpired:
        job.kill()


def listen(stream: IO[str] | None, tail: collections.deque[str]) -> None:
    """Keep the last lines, harmless to print, however much is written."""
    while stream and (line := stream.readline(WIDTH)):
        words = "".join(c if c.isprintable() else " " for c in line).rstrip()
        if words:
            tail.append(words)


def report(code: int, tail: list[str]) -> None:
    """Tell the executor how the job ended, and end what the job has left behind."""
    with contextlib.suppress(OSError):  # the executor's process is gone
        sys.stdout.write(json.dumps({"code": code, "tail": tail}) + "\n")
        sys.stdout.flush()
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2:])
