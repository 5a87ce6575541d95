"""A process that does what a pool asks of it, one task after another.

Weighed: `multiprocessing` starts such a process by running the script of its parent again, for
functions that were defined there. A script that is not guarded by `if __name__ == "__main__"`
would then do all its work once more in every process, and check its class with none of them.
What a pool is given here lies in this package, so a process needs no more than its parent's
`sys.path`.
"""

from __future__ import annotations

import contextlib
import json
import pickle
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Any

import reportgen

_GRACE_S = 1.0

_CODE = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from reportgen.train.executors._worker_child import serve
serve(json.loads(sys.argv[2]))
"""


class Worker:
    """A process that does what it is asked until nobody is there to ask.

    Args:
        memory: Most bytes of address space, or None.
    """

    def __init__(self, memory: int | None) -> None:
        root = str(Path(reportgen.__file__).absolute().parent.parent)
        path = json.dumps([root, *(entry for entry in sys.path if entry and entry != root)])
        # Isolated, it does not hear what the environment says of this.
        quiet = ["-B"] if sys.dont_write_bytecode else []
        self.process = subprocess.Popen(  # noqa: S603 - a command of our own
            [sys.executable, "-I", "-S", *quiet, "-c", _CODE, path, json.dumps(memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def ask(self, task: tuple[Any, ...], seconds: float | None) -> tuple[object, Exception | None]:
        """Have a task done: a function, its arguments, its named arguments.

        Returns:
            What it returned, and what it raised.

        Raises:
            TimeoutError: It took longer; the process is killed.
            EOFError, OSError: The process is gone.
        """
        message = pickle.dumps((task, seconds))
        late = threading.Event()

        def kill() -> None:
            late.set()
            self.process.kill()

        # On every system, the end of the process is the end of a read from its pipe.
        timer = threading.Timer(seconds, kill) if seconds is not None else None
        if timer is not None:
            timer.start()
        try:
            content = self._exchange(message)
        except (EOFError, OSError):
            if late.is_set():
                raise TimeoutError from None
            raise
        finally:
            if timer is not None:
                timer.cancel()
        answer: tuple[object, Exception | None] = pickle.loads(content)  # noqa: S301 - see above
        return answer

    def _exchange(self, message: bytes) -> bytes:
        stdin, stdout = _open(self.process.stdin), _open(self.process.stdout)
        stdin.write(len(message).to_bytes(8, "big"))
        stdin.write(message)
        stdin.flush()
        head = stdout.read(8)
        length = int.from_bytes(head, "big")
        content = stdout.read(length) if len(head) == 8 else b""
        if len(head) < 8 or len(content) < length:
            raise EOFError
        return content

    def ending(self) -> str:
        """Return how a process has ended that nobody asked to."""
        try:
            code = self.process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            return "closing its pipe"
        known = -code in set(signal.Signals)
        return signal.Signals(-code).name if known else f"exit code {code}"

    def end(self) -> None:
        """Kill the process, and wait until it is gone."""
        # Its pipes stay open: a thread may still be reading from one.
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        """End the process, of which no thread expects anything any more."""
        self.end()
        for pipe in (self.process.stdin, self.process.stdout):
            # What was not sent cannot be sent any more.
            with contextlib.suppress(OSError):
                _open(pipe).close()


def _open(pipe: IO[bytes] | None) -> IO[bytes]:
    """Return a pipe of a process that was started with pipes."""
    if pipe is None:  # pragma: no cover - Popen was asked for one
        raise OSError("no pipe")
    return pipe
