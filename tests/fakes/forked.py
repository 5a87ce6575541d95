"""The program in processes that begin where its modules are read: forks of one that has read them.

Reading its modules, templates and tables of words is most of what a small build takes, and the
suite starts the program hundreds of times. A fork is a process of its own all the same: its folder,
environment, streams, signals, end and exit code are its own, and `reportgen/__main__.py` runs in it
from the first line. What forks share is the seed of Python's hashes, so what is to be the same
under every seed is started with a `PYTHONHASHSEED`, which `fakes.command` does without a fork.
"""

import array
import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

_APART = {"engine", "executors", "remote", "live"}
"""Packages of `reportgen` that few commands read, with much that is not ours."""

_START_S = 300.0


class Forks:
    """Starts the program for one test after the other, from a process that has read its modules.

    Args:
        environment: Of that process; a fork gets one of its own, which Python has not started with.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())],
                env={**environment, "OPENBLAS_NUM_THREADS": "1"},  # a thread is not forked
                pass_fds=[theirs.fileno()],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        self._turn = threading.Lock()

    @property
    def taken(self) -> bool:
        """Whether another thread runs the program now, or nothing can be run any more."""
        return self._turn.locked() or self._process.poll() is not None

    def run(
        self, arguments: Sequence[str], cwd: Path, environment: Mapping[str, str], patience: float
    ) -> tuple[int, str, str]:
        """Return the exit code, as `subprocess` has it, and what was written to both streams.

        Raises:
            TimeoutExpired: When it has not ended in `patience` seconds; nothing runs any more.
        """
        asked = {"arguments": arguments, "cwd": str(cwd), "environment": dict(environment)}
        text = json.dumps(asked).encode()
        with self._turn, _stream() as out, _stream() as err:
            self._socket.settimeout(_START_S)
            socket.send_fds(self._socket, [len(text).to_bytes(8)], [out.fileno(), err.fileno()])
            self._socket.sendall(text)
            pid = int.from_bytes(_exactly(self._socket, 8))
            self._socket.settimeout(patience)
            try:
                code = int.from_bytes(_exactly(self._socket, 8), signed=True)
            except TimeoutError:
                self._process.kill()
                os.kill(pid, signal.SIGKILL)
                raise subprocess.TimeoutExpired(["reportgen", *arguments], patience) from None
            return code, _written(out), _written(err)

    def close(self) -> None:
        """End the process."""
        self._socket.close()
        self._process.wait()


def _stream() -> IO[str]:
    return tempfile.TemporaryFile("w+", encoding="utf-8")


def _written(file: IO[str]) -> str:
    file.seek(0)
    return file.read()


def _exactly(connection: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        if not (more := connection.recv(count - len(data))):
            raise EOFError("the process that forks has ended")
        data += more
    return data


def _serve(connection: socket.socket) -> dict[str, Any] | None:
    """Fork at each request; return it in the fork, and None where there is no more."""
    room = socket.CMSG_SPACE(2 * array.array("i").itemsize)
    while True:
        head, streams, *_ = socket.recv_fds(connection, 8, room)
        if not head:
            return None
        size = int.from_bytes(head + _exactly(connection, 8 - len(head)))
        asked: dict[str, Any] = json.loads(_exactly(connection, size))
        if not (pid := os.fork()):
            connection.close()
            for ours, stream in enumerate(streams, start=1):
                os.dup2(stream, ours)
                os.close(stream)
            return asked
        for stream in streams:
            os.close(stream)
        connection.sendall(pid.to_bytes(8))
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        connection.sendall(code.to_bytes(8, signed=True))


def _read_modules() -> None:
    """Import what commands do; what is not installed is told of by the command that wants it."""
    import reportgen

    for module in pkgutil.walk_packages(reportgen.__path__, "reportgen."):
        if _APART.isdisjoint(module.name.split(".")) and not module.name.endswith("__main__"):
            with contextlib.suppress(ImportError):
                importlib.import_module(module.name)


def _read_tables() -> None:
    """Build a report, without what starts threads: what is read once is read then."""
    from reportgen.app import build

    study = Path(__file__).parents[2] / "inputs" / "roberta-small-fr" / "study.toml"
    with tempfile.TemporaryDirectory() as out, contextlib.suppress(Exception):
        build(study, out=out, formats=("md", "html", "json"), cache=None)


def _begin(asked: dict[str, Any]) -> None:
    """Do as `python -m reportgen ARGUMENTS` would in the folder and environment asked for."""
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.path[0] = asked["cwd"]
    sys.argv = ["reportgen", *asked["arguments"]]
    try:
        runpy.run_module("reportgen", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if isinstance(end.code, int):
            _ended.append(end.code)
        raise


_ended: list[int] = []


def _leave() -> None:
    """End here, after all else that is done at the end: to take modules apart takes a while."""
    if _ended:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(_ended[0])


if __name__ == "__main__":
    atexit.register(_leave)
    _read_modules()
    _read_tables()
    gc.freeze()  # what is never collected is not copied either
    if wanted := _serve(socket.socket(fileno=int(sys.argv[1]))):
        _begin(wanted)
